//! Identification files in TOML: which parameters of a scenario are found, from which recording.

mod shapes;

use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::change::Change;
use crate::document::{Table, Value, check_document, json_schema};
use crate::model_file::open;
use crate::recording::{self, RecordedColumn, Recording};
use crate::source::folder::{Files, Folder, read_file};
use crate::source::{FileError, Report, Rule, Source, shorten};
use shapes::{IDENTIFICATION, UNITS};

/// The format that is read.
pub const FORMAT: &str = "supple-identify-1";

/// Times that differ by less are the same, s.
const ROUNDED: f64 = 1e-9;

/// A parameter to estimate.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Parameter {
    /// What it is called.
    pub name: String,
    /// Keys of the scenario that have its value.
    pub keys: Vec<String>,
    /// First guess.
    pub start: f64,
    /// Least and greatest value; infinite where there is no bound.
    pub bounds: [f64; 2],
    /// Size of a change that matters.
    pub scale: f64,
    /// Value and standard deviation that are known beforehand.
    pub prior: Option<[f64; 2]>,
    /// Line of the file.
    pub line: usize,
}

impl Parameter {
    /// A parameter without bounds, called by its key.
    pub fn new(key: impl Into<String>, start: f64) -> Self {
        let key = key.into();
        let scale = if start == 0.0 { 1.0 } else { start.abs() };
        Self {
            name: key.clone(),
            keys: vec![key],
            start,
            bounds: [f64::NEG_INFINITY, f64::INFINITY],
            scale,
            prior: None,
            line: 0,
        }
    }

    /// The changes of the scenario that give it a value.
    pub fn changes(&self, value: f64) -> Vec<Change> {
        self.keys.iter().filter_map(|key| Change::parse(&format!("{key}={value:e}")).ok()).collect()
    }
}

/// A column that the model has to follow.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Measured {
    /// What the model gives.
    pub column: String,
    /// Times of the scenario.
    pub times: Vec<f64>,
    /// What was measured, SI.
    pub values: Vec<f64>,
    /// Standard deviation of the noise, where it is known.
    pub noise: Option<f64>,
    /// Whether the sensor may have a constant offset.
    pub offset: bool,
    /// Line of the file.
    pub line: usize,
}

impl Measured {
    /// What was measured of a column of the model.
    pub fn new(column: impl Into<String>, times: Vec<f64>, values: Vec<f64>) -> Self {
        Self { column: column.into(), times, values, noise: None, offset: false, line: 0 }
    }
}

/// A column that acts in a hinge.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RecordedInput {
    /// The hinge, or its body.
    pub hinge: String,
    /// Times of the scenario.
    pub times: Vec<f64>,
    /// Torque or force.
    pub values: Vec<f64>,
    /// Whether each value acts until the next one; otherwise straight lines join them.
    pub holds: bool,
    /// Line of the file.
    pub line: usize,
}

impl RecordedInput {
    /// What acted in a hinge, each value until the next one.
    pub fn new(hinge: impl Into<String>, times: Vec<f64>, values: Vec<f64>) -> Self {
        Self { hinge: hinge.into(), times, values, holds: true, line: 0 }
    }
}

/// An identification, with its recording.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Identification {
    /// Name, where it has one.
    pub name: Option<String>,
    /// The scenario.
    pub scenario: PathBuf,
    /// Numbers to be found.
    pub parameters: Vec<Parameter>,
    /// Columns that the model has to follow.
    pub measured: Vec<Measured>,
    /// Columns that act.
    pub inputs: Vec<RecordedInput>,
    /// Probability of the bounds.
    pub confidence: f64,
    /// Most iterations.
    pub iterations: usize,
}

impl Identification {
    /// Of a scenario, with nothing to be found yet.
    pub fn new(scenario: impl Into<PathBuf>) -> Self {
        let (parameters, measured, inputs) = (Vec::new(), Vec::new(), Vec::new());
        Self { name: None, scenario: scenario.into(), parameters, measured, inputs, confidence: 0.95, iterations: 50 }
    }
}

/// JSON schema of identification files.
pub fn schema() -> String {
    json_schema(&IDENTIFICATION, "Supple identification, format supple-identify-1")
}

/// Reads an identification with its recording. Files that it names must lie in or below its folder.
///
/// # Errors
/// [`FileError`] with everything that is wrong with the file and with the recording.
pub fn read(path: &Path) -> Result<Identification, FileError> {
    let name = path.to_string_lossy();
    let mut report = Report::default();
    let Some(source) = open(path, &name, &Files::default(), &mut report) else {
        return report.finish(&Source::nothing(&name), None);
    };
    let folder = Folder::of_file(path, &Files::default());
    let read = check_document(&source, &IDENTIFICATION, &mut report, |document, report| {
        Reader { source: &source, folder: &folder, report }.document(document)
    });
    report.finish(&source, read)
}

struct Reader<'r> {
    source: &'r Source,
    folder: &'r Folder,
    report: &'r mut Report,
}

/// Which samples count, and what their times are.
#[derive(Clone, Copy)]
struct Clock {
    zero: f64,
    window: [f64; 2],
}

impl Reader<'_> {
    fn add(&mut self, span: Range<usize>, rule: Rule) {
        self.report.add(self.source, span, rule);
    }

    fn line(&self, span: Range<usize>) -> usize {
        self.source.place(span).line
    }

    fn document(&mut self, document: Table<'_>) -> Option<Identification> {
        let format = document.text("format")?;
        if format != FORMAT {
            self.add(document.span_of("format"), Rule::Format { found: shorten(format, 40), expected: FORMAT });
            return None;
        }
        let scenario = self.path(document, "scenario");
        let recording = self.recording(document)?;
        let zero = document.get("time_zero");
        let first =
            recording.columns.iter().filter_map(|column| column.times.first()).copied().fold(f64::INFINITY, f64::min);
        let clock = Clock {
            zero: zero.map_or(0.0, |zero| zero.number().unwrap_or(first)),
            window: [document.number("from").unwrap_or(0.0), document.number("to").unwrap_or(f64::INFINITY)],
        };
        let parameters = document.tables("parameter").into_iter().filter_map(|table| self.parameter(table)).collect();
        let measured: Vec<Measured> = document
            .tables("measured")
            .into_iter()
            .filter_map(|table| self.measured(table, &recording, clock))
            .collect();
        let inputs =
            document.tables("input").into_iter().filter_map(|table| self.input(table, &recording, clock)).collect();
        let mut own = Identification { parameters, measured, inputs, ..Identification::new(scenario?) };
        own.name = document.text("name").map(str::to_owned);
        own.iterations = document.get("iterations").and_then(Value::whole).unwrap_or(own.iterations);
        own.confidence = document.number("confidence").unwrap_or(own.confidence);
        if own.confidence >= 1.0 {
            let expected = "a number between 0 and 1, such as 0.95".into();
            let rule = Rule::Range { quantity: "confidence".into(), value: own.confidence, expected };
            self.add(document.span_of("confidence"), rule);
        }
        for (key, empty) in [("parameter", own.parameters.is_empty()), ("measured", own.measured.is_empty())] {
            if empty {
                let rule = Rule::Mismatch { what: format!("there is no {key}"), expected: "at least one".into() };
                self.add(document.span_of(key), rule);
            }
        }
        Some(own)
    }

    /// The path of a file that a key names.
    fn path(&mut self, document: Table<'_>, key: &str) -> Option<PathBuf> {
        let value = document.get(key)?;
        let name = value.text()?;
        let found = self.folder.resolve(name);
        found.map_err(|fault| self.add(value.span(), Rule::Path { name: shorten(name, 60), fault })).ok()
    }

    fn recording(&mut self, document: Table<'_>) -> Option<Recording> {
        let (path, value) = (self.path(document, "recording")?, document.get("recording")?);
        let name = value.text()?;
        let bytes = match read_file(&path) {
            Ok(bytes) => bytes,
            Err(fault) => {
                self.add(value.span(), Rule::Path { name: shorten(name, 60), fault });
                return None;
            }
        };
        let span = if document.get("time").is_some() { document.span_of("time") } else { value.span() };
        recording::read(name, bytes, document.text("time").unwrap_or("time"), (self.source, span), self.report)
    }

    fn parameter(&mut self, table: Table<'_>) -> Option<Parameter> {
        let key = table.get("key")?;
        let keys: Vec<Value<'_>> = match key.items() {
            Some(items) => items.collect(),
            None => vec![key],
        };
        for key in &keys {
            if let Some(text) = key.text()
                && let Err(what) = Change::parse(&format!("{text}=0"))
            {
                self.add(
                    key.span(),
                    Rule::Mismatch { what, expected: "a key, such as model.body.boom.beam.length".into() },
                );
            }
        }
        let keys: Vec<String> = keys.iter().filter_map(|key| key.text()).map(str::to_owned).collect();
        let start = table.number("start")?;
        let bounds =
            [table.number("lower").unwrap_or(f64::NEG_INFINITY), table.number("upper").unwrap_or(f64::INFINITY)];
        if bounds[0] >= bounds[1] || !(bounds[0]..=bounds[1]).contains(&start) {
            let what = format!("start is {start}, lower {} and upper {}", bounds[0], bounds[1]);
            self.add(
                table.span_of("start"),
                Rule::Mismatch { what, expected: "lower < upper, and start between them".into() },
            );
        }
        let size = |x: f64| if x.is_finite() { x.abs() } else { 0.0 };
        let usual = [start.abs(), size(bounds[1]), size(bounds[0]), 1.0].into_iter().find(|x| *x > 0.0).unwrap_or(1.0);
        let prior = table.table("prior").and_then(|prior| Some([prior.number("value")?, prior.number("deviation")?]));
        Some(Parameter {
            name: table.text("name").map_or_else(|| keys.join(", "), str::to_owned),
            keys,
            start,
            bounds,
            scale: table.number("scale").unwrap_or(usual),
            prior,
            line: self.line(table.span_of("key")),
        })
    }

    /// Times of the scenario and numbers in SI of a column of the recording.
    fn samples(
        &mut self,
        table: Table<'_>,
        name: (&str, Range<usize>),
        recording: &Recording,
        clock: Clock,
    ) -> Option<(Vec<f64>, Vec<f64>)> {
        let Some(RecordedColumn { times, values, .. }) = recording.column(name.0) else {
            let known = recording.names();
            self.add(name.1, Rule::UnknownName { kind: "column of the recording", name: shorten(name.0, 60), known });
            return None;
        };
        let word = table.text("unit").and_then(|unit| UNITS.iter().find(|(known, _)| *known == unit));
        let factor = table.number("factor").or(word.map(|(_, factor)| *factor)).unwrap_or(1.0);
        // Differences of times are rounded.
        let [from, to] = [clock.window[0] - ROUNDED, clock.window[1] + ROUNDED];
        let kept =
            times.iter().zip(values).map(|(t, x)| (t - clock.zero, factor * x)).filter(|(t, _)| *t >= from && *t <= to);
        Some(kept.unzip())
    }

    fn measured(&mut self, table: Table<'_>, recording: &Recording, clock: Clock) -> Option<Measured> {
        let column = table.text("column")?;
        let name = table.text("from").unwrap_or(column);
        let span = if table.get("from").is_some() { table.span_of("from") } else { table.span_of("column") };
        let (times, values) = self.samples(table, (name, span.clone()), recording, clock)?;
        if times.is_empty() {
            let what = format!(
                "`{name}` has no samples between {} and {} s of the scenario",
                clock.window[0], clock.window[1]
            );
            self.add(
                span,
                Rule::Mismatch { what, expected: "samples during the scenario: see time_zero, from and to".into() },
            );
        }
        Some(Measured {
            column: column.to_owned(),
            times,
            values,
            noise: table.number("noise"),
            offset: table.get("offset").and_then(Value::flag).unwrap_or(false),
            line: self.line(table.span_of("column")),
        })
    }

    fn input(&mut self, table: Table<'_>, recording: &Recording, clock: Clock) -> Option<RecordedInput> {
        let (hinge, name) = (table.text("hinge")?, table.text("from")?);
        // What acts before the window has moved the system all the same.
        let whole = Clock { window: [f64::NEG_INFINITY, f64::INFINITY], ..clock };
        let (times, values) = self.samples(table, (name, table.span_of("from")), recording, whole)?;
        let holds = table.text("between") != Some("line");
        Some(RecordedInput { hinge: hinge.to_owned(), times, values, holds, line: self.line(table.span_of("hinge")) })
    }
}
