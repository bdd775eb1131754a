//! From a document to a study.

use std::ops::Range;

use super::measure::{Extract, Measure};
use super::shapes::{MAX_DIMENSIONS, MAX_SAMPLES, STUDY};
use super::{FORMAT, Law, Sampling, StudyFile, Varied};
use crate::change::Change;
use crate::document::{Table, Value, check_document};
use crate::model_file::modal;
use crate::source::folder::{Folder, check_name};
use crate::source::{Report, Rule, Source, shorten};

/// Columns that all results have.
const RESERVED: [&str; 3] = ["run", "status", "message"];

/// Reads a study.
pub(super) fn read(source: &Source, folder: &Folder, report: &mut Report) -> Option<StudyFile> {
    check_document(source, &STUDY, report, |document, report| {
        modal::check_format(document, FORMAT, source, report)?;
        Reader { source, folder, report }.study(document)
    })
}

/// Reads the tables of a study and reports what is wrong with them.
pub(super) struct Reader<'r> {
    pub(super) source: &'r Source,
    folder: &'r Folder,
    report: &'r mut Report,
}

impl Reader<'_> {
    pub(super) fn add(&mut self, span: Range<usize>, rule: Rule) {
        self.report.add(self.source, span, rule);
    }

    pub(super) fn mismatch(&mut self, span: Range<usize>, what: impl Into<String>, expected: impl Into<String>) {
        self.add(span, Rule::Mismatch { what: what.into(), expected: expected.into() });
    }

    fn study(mut self, document: Table<'_>) -> Option<StudyFile> {
        let sampling = self.sampling(document);
        let changes = self.changes(document);
        let (varied, dimensions) = self.varied(document);
        let extracted = self.extracted(document, &varied);
        let samples = self.samples(document, sampling, &varied, dimensions);
        let own_noise = match document.text("noise") {
            Some(word) => word == "own",
            None => !matches!(sampling, Sampling::Grid | Sampling::Morris { .. } | Sampling::SobolIndices),
        };
        let folder = document.get("folder");
        if let Some((value, Err(fault))) = folder.map(|value| (value, check_name(value.text().unwrap_or("results")))) {
            let name = shorten(value.text().unwrap_or_default(), 60);
            self.add(value.span(), Rule::ResultsFolder { name, fault });
        }
        let stem = std::path::Path::new(&self.source.name).file_stem().unwrap_or_default().to_string_lossy();
        let file = document.get("scenario")?;
        let scenario = match self.folder.resolve(file.text()?) {
            Ok(path) => path,
            Err(fault) => {
                self.add(file.span(), Rule::Path { name: shorten(file.text()?, 60), fault });
                return None;
            }
        };
        Some(StudyFile {
            name: document.text("name").map(str::to_owned),
            scenario,
            scenario_name: file.text()?.to_owned(),
            changes,
            sampling,
            samples,
            seed: document.get("seed").and_then(Value::whole).unwrap_or(0) as u64,
            own_noise,
            varied,
            dimensions,
            extracted,
            folder: folder.and_then(Value::text).map_or_else(|| format!("results/{stem}"), str::to_owned),
        })
    }

    fn sampling(&mut self, document: Table<'_>) -> Sampling {
        let levels = document.get("levels");
        let sampling = match document.text("sampling") {
            Some("grid") => Sampling::Grid,
            Some("latin-hypercube") => Sampling::LatinHypercube,
            Some("sobol-sequence") => Sampling::SobolSequence,
            Some("morris") => {
                let told = levels.and_then(Value::whole).unwrap_or(4);
                if told < 2 || !told.is_multiple_of(2) {
                    let what = format!("{told} levels");
                    self.mismatch(document.span_of("levels"), what, "an even number of levels, 2 or more");
                }
                Sampling::Morris { levels: u32::try_from(told).unwrap_or(4).max(2) }
            }
            Some("sobol-indices") => Sampling::SobolIndices,
            _ => Sampling::Random,
        };
        if let (Some(value), false) = (levels, matches!(sampling, Sampling::Morris { .. })) {
            let because = "only `sampling = \"morris\"` has levels".into();
            self.add(value.span(), Rule::Useless { key: "levels".into(), because });
        }
        sampling
    }

    fn changes(&mut self, document: Table<'_>) -> Vec<Change> {
        let mut changes = Vec::new();
        for item in document.get("set").and_then(Value::items).into_iter().flatten() {
            match item.text().map(Change::parse) {
                Some(Ok(change)) => changes.push(change),
                Some(Err(what)) => self.mismatch(item.span(), what, "KEY=VALUE, as `--set` takes it"),
                None => {}
            }
        }
        changes
    }

    /// The number of samples, which fits the sampling.
    fn samples(
        &mut self,
        document: Table<'_>,
        sampling: Sampling,
        varied: &[Varied],
        dimensions: usize,
    ) -> Option<u64> {
        let told = document.get("samples");
        if sampling == Sampling::Grid {
            if let Some(value) = told {
                let because = "a grid has every combination of its lists once".into();
                self.add(value.span(), Rule::Useless { key: "samples".into(), because });
            }
            let length = |v: &Varied| if let Law::List { items, .. } = &v.law { items.len() } else { 1 };
            let of_dimension = |d| varied.iter().find(|v| v.dimension == d).map_or(1, length);
            let found = (0..dimensions).try_fold(1_usize, |product, d| product.checked_mul(of_dimension(d)));
            let found = found.unwrap_or(usize::MAX);
            if found > MAX_SAMPLES {
                let rule = Rule::TooMany { what: "combinations", found, limit: MAX_SAMPLES };
                self.add(document.span_of("vary"), rule);
            }
            return None;
        }
        let Some(samples) = told.and_then(Value::whole) else {
            self.add(document.span(), Rule::MissingKey { key: "samples", meaning: "how many" });
            return None;
        };
        if samples == 0 {
            self.mismatch(document.span_of("samples"), "no samples", "1 or more");
        }
        let most = match sampling {
            Sampling::SobolSequence => MAX_DIMENSIONS,
            Sampling::SobolIndices => MAX_DIMENSIONS / 2,
            _ => usize::MAX,
        };
        if dimensions > most {
            let rule = Rule::TooMany { what: "values that vary independently", found: dimensions, limit: most };
            self.add(document.span_of("sampling"), rule);
        }
        if dimensions == 0 && matches!(sampling, Sampling::Morris { .. } | Sampling::SobolIndices) {
            self.mismatch(document.span_of("sampling"), "nothing varies", "one [[vary]] or more");
        }
        Some(samples as u64)
    }

    fn varied(&mut self, document: Table<'_>) -> (Vec<Varied>, usize) {
        let on_a_grid = document.text("sampling") == Some("grid");
        let mut varied: Vec<Varied> = Vec::new();
        let mut dimensions = 0;
        for table in document.tables("vary") {
            let Some(keys) = self.keys(table, &varied) else { continue };
            let name = table.text("name").unwrap_or(&keys[0]).to_owned();
            if !self.is_free(&name, table, varied.iter().map(|other| other.name.as_str())) {
                continue;
            }
            let Some(law) = self.law(table) else { continue };
            if on_a_grid && !matches!(law, Law::List { .. }) {
                let what = format!("`{name}` has a distribution, and a grid needs values");
                self.mismatch(table.span(), what, "`list`, `linspace` or `logspace`, or another `sampling`");
            }
            let dimension = match table.get("with") {
                None => dimensions,
                Some(link) => match self.link(link, &law, &varied) {
                    Some(dimension) => dimension,
                    None => continue,
                },
            };
            dimensions = dimensions.max(dimension + 1);
            varied.push(Varied { name, keys, law, dimension });
        }
        (varied, dimensions)
    }

    /// The keys of a value, none of which another one has.
    fn keys(&mut self, table: Table<'_>, before: &[Varied]) -> Option<Vec<String>> {
        let told = table.get("key")?;
        let values: Vec<Value<'_>> = told.items().map_or_else(|| vec![told], Iterator::collect);
        let mut keys: Vec<String> = Vec::new();
        for value in values {
            let key = value.text()?;
            if let Err(what) = Change::parse(&format!("{key}=0")) {
                self.mismatch(value.span(), what, "a key as `--set` takes it");
                return None;
            }
            if keys.iter().chain(before.iter().flat_map(|other| &other.keys)).any(|other| other == key) {
                self.mismatch(value.span(), format!("`{}` varies twice", shorten(key, 60)), "each key once");
                return None;
            }
            keys.push(key.to_owned());
        }
        if keys.is_empty() {
            self.mismatch(told.span(), "no key", "one key or more");
            return None;
        }
        Some(keys)
    }

    /// The dimension of the value that another one is linked to.
    fn link(&mut self, link: Value<'_>, law: &Law, before: &[Varied]) -> Option<usize> {
        let name = link.text()?;
        let Some(other) = before.iter().find(|other| other.name == name) else {
            let known = self.report.names(before.iter().map(|other| other.name.as_str()));
            self.add(link.span(), Rule::UnknownName { kind: "value above", name: shorten(name, 60), known });
            return None;
        };
        if let (Law::List { items, weights }, Law::List { items: others, weights: other_weights }) = (law, &other.law) {
            if items.len() != others.len() {
                let what = format!("{} values are linked to {}", items.len(), others.len());
                self.mismatch(link.span(), what, "lists of one length");
                return None;
            }
            if weights.is_some() && weights != other_weights {
                self.mismatch(link.span(), "lists that are linked have other weights", "`weights` of the first alone");
                return None;
            }
        }
        Some(other.dimension)
    }

    /// Whether nothing else has this name; reported where something has.
    fn is_free<'n>(&mut self, name: &str, table: Table<'_>, mut others: impl Iterator<Item = &'n str>) -> bool {
        let taken = others.any(|other| other == name) || RESERVED.contains(&name);
        if taken {
            let what = format!("another column of the results is called `{}`", shorten(name, 60));
            self.mismatch(table.span_of("name"), what, "a `name` of its own");
        }
        !taken
    }

    fn extracted(&mut self, document: Table<'_>, varied: &[Varied]) -> Vec<Extract> {
        let mut extracted: Vec<Extract> = Vec::new();
        for table in document.tables("extract") {
            let Some(column) = table.text("column") else { continue };
            let Some(measure) = self.measure(table) else { continue };
            let name = table.text("name").map_or_else(|| format!("{column} {}", measure.word()), str::to_owned);
            let others = varied.iter().map(|other| other.name.as_str());
            self.is_free(&name, table, others.chain(extracted.iter().map(|other| other.name.as_str())));
            let (from, to) = (table.number("from"), table.number("to"));
            if let (Some(from), Some(to)) = (from, to) {
                self.ordered(table.span_of("to"), &[from, to]);
            }
            let least_is_worst = table.text("worst") == Some("min");
            extracted.push(Extract { name, column: column.to_owned(), measure, from, to, least_is_worst });
        }
        if extracted.is_empty() && document.get("extract").is_some() {
            self.mismatch(document.span_of("extract"), "nothing is extracted", "one [[extract]] or more");
        }
        extracted
    }

    fn measure(&mut self, table: Table<'_>) -> Option<Measure> {
        let word = table.text("measure").unwrap_or("last");
        for (key, of) in [("time", "at"), ("band", "settling-time"), ("target", "settling-time")] {
            if let (Some(value), false) = (table.get(key), word == of) {
                let because = format!("only `measure = \"{of}\"` takes it");
                self.add(value.span(), Rule::Useless { key: key.into(), because });
            }
        }
        let mut needed = |key: &'static str, meaning: &'static str| {
            let number = table.number(key);
            if number.is_none() {
                self.add(table.span(), Rule::MissingKey { key, meaning });
            }
            number
        };
        Some(match word {
            "first" => Measure::First,
            "min" => Measure::Min,
            "max" => Measure::Max,
            "max-abs" => Measure::MaxAbs,
            "mean" => Measure::Mean,
            "rms" => Measure::Rms,
            "peak-to-peak" => Measure::PeakToPeak,
            "amplitude" => Measure::Amplitude,
            "integral" => Measure::Integral,
            "time-of-max" => Measure::TimeOfMax,
            "time-of-min" => Measure::TimeOfMin,
            "at" => Measure::At { time: needed("time", "the time, s")? },
            "settling-time" => {
                Measure::SettlingTime { band: needed("band", "how near")?, target: table.number("target") }
            }
            _ => Measure::Last,
        })
    }
}
