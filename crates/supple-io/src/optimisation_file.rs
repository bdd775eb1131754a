//! Optimisation files in TOML: which hinges move where, within which limits, and how still the arm must be afterwards.

use std::path::{Path, PathBuf};

use crate::document::shape::{NUMBER, POSITIVE, Shape, TEXT, TableShape, key, need, table};
use crate::document::{Table, Value, check_document, json_schema};
use crate::model_file::open;
use crate::source::folder::{Files, Folder};
use crate::source::{FileError, Report, Rule, Source, shorten};

/// The format that is read.
pub const FORMAT: &str = "supple-optimise-1";
/// Pieces of a move, where the file does not say: fewest and most, and usual.
const KNOTS: [usize; 3] = [4, 400, 24];

/// What a move is to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Objective {
    /// The mean square of the efforts as small as possible, in the time given.
    Effort,
    /// As short as possible.
    Time,
}

/// A hinge that moves from rest to rest; infinite limits are none.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct HingeMove {
    /// The hinge, or its body.
    pub hinge: String,
    /// Coordinate at the end; it starts where the scenario does.
    pub to: f64,
    /// Greatest speed.
    pub speed: f64,
    /// Greatest acceleration.
    pub acceleration: f64,
    /// Greatest jerk.
    pub jerk: f64,
    /// Greatest torque or force of the drive.
    pub effort: f64,
    /// Greatest rate of it.
    pub effort_rate: f64,
    /// Line of the file.
    pub line: usize,
}

impl HingeMove {
    /// Without limits.
    pub fn new(hinge: impl Into<String>, to: f64) -> Self {
        let [speed, acceleration, jerk, effort, effort_rate] = [f64::INFINITY; 5];
        Self { hinge: hinge.into(), to, speed, acceleration, jerk, effort, effort_rate, line: 0 }
    }
}

/// How far a node may be from its place after the move.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ResidualLimit {
    /// The body.
    pub body: String,
    /// Its node.
    pub node: String,
    /// Greatest distance, m.
    pub amplitude: f64,
    /// For how long after the move, s.
    pub time: f64,
    /// Line of the file.
    pub line: usize,
}

impl ResidualLimit {
    /// For a second after the move.
    pub fn new(body: impl Into<String>, node: impl Into<String>, amplitude: f64) -> Self {
        Self { body: body.into(), node: node.into(), amplitude, time: 1.0, line: 0 }
    }
}

/// A move to be optimised.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Optimisation {
    /// Name, where it has one.
    pub name: Option<String>,
    /// The scenario: model, start, integrator, what else acts.
    pub scenario: PathBuf,
    /// What it is to be.
    pub objective: Objective,
    /// How long it takes, s; the first guess where it is to be short.
    pub duration: f64,
    /// Pieces of constant jerk.
    pub knots: usize,
    /// Hinges that move.
    pub moves: Vec<HingeMove>,
    /// Nodes that must be still afterwards.
    pub residuals: Vec<ResidualLimit>,
}

impl Optimisation {
    /// Of a scenario, with nothing that moves yet.
    pub fn new(scenario: impl Into<PathBuf>, objective: Objective, duration: f64) -> Self {
        let (moves, residuals) = (Vec::new(), Vec::new());
        Self { name: None, scenario: scenario.into(), objective, duration, knots: KNOTS[2], moves, residuals }
    }
}

static MOVE: TableShape = table(
    "move",
    "A hinge that moves from rest to rest. Omitted limits do not apply.",
    &[
        need(
            "hinge",
            &TEXT,
            "name of the hinge, or of its body; a hinge with one degree of freedom that nothing else moves",
        ),
        need("to", &NUMBER, "coordinate at the end, rad or m; it starts where the scenario does"),
        key("speed", &POSITIVE, "greatest speed, rad/s or m/s"),
        key("acceleration", &POSITIVE, "greatest acceleration, rad/s² or m/s²"),
        key("jerk", &POSITIVE, "greatest jerk, rad/s³ or m/s³"),
        key("effort", &POSITIVE, "greatest torque or force of the drive, N m or N"),
        key("effort_rate", &POSITIVE, "greatest rate of torque or force, N m/s or N/s"),
    ],
);
static RESIDUAL: TableShape = table(
    "residual",
    "A node that must be nearly at rest after the move, with the hinges held.",
    &[
        need("body", &TEXT, "name of the body"),
        need("node", &TEXT, "name of its node"),
        need("amplitude", &POSITIVE, "greatest distance from its rest position, m"),
        key(
            "time",
            &POSITIVE,
            "time after the move for which this holds, s; default: 1. Two periods of the slowest vibration are enough",
        ),
    ],
);
static OPTIMISATION: TableShape = table(
    "optimisation",
    "The move from rest to rest with the least time or effort within limits of the drives and of residual vibration. SI units.",
    &[
        need("format", &TEXT, "supple-optimise-1"),
        key("name", &TEXT, "name of the optimisation"),
        key("description", &TEXT, "remark"),
        need("scenario", &TEXT, "scenario file: model, start, integrator, what else acts; without controllers"),
        key(
            "objective",
            &Shape::Word(&[
                (
                    "effort",
                    "the least mean square of the efforts, each in units of its greatest, in the duration given; the default",
                ),
                ("time", "the shortest duration"),
            ]),
            "what to minimise",
        ),
        need("duration", &POSITIVE, "duration of the move, s; with the objective time the initial guess"),
        key("knots", &Shape::Whole(KNOTS[1]), "segments of constant jerk, at least 4; default: 24"),
        need("move", &Shape::List { of: &Shape::Table(&MOVE), length: None }, "hinges that move"),
        key(
            "residual",
            &Shape::List { of: &Shape::Table(&RESIDUAL), length: None },
            "nodes that must be nearly at rest afterwards",
        ),
    ],
);

/// JSON schema of optimisation files.
pub fn schema() -> String {
    json_schema(&OPTIMISATION, "Supple optimisation, format supple-optimise-1")
}

/// Reads an optimisation. Files that it names must lie in or below its folder.
///
/// # Errors
/// [`FileError`] with everything that is wrong with the file.
pub fn read(path: &Path) -> Result<Optimisation, FileError> {
    let name = path.to_string_lossy();
    let mut report = Report::default();
    let Some(source) = open(path, &name, &Files::default(), &mut report) else {
        return report.finish(&Source::nothing(&name), None);
    };
    let folder = Folder::of_file(path, &Files::default());
    let read =
        check_document(&source, &OPTIMISATION, &mut report, |table, report| document(table, &source, &folder, report));
    report.finish(&source, read)
}

fn document(document: Table<'_>, source: &Source, folder: &Folder, report: &mut Report) -> Option<Optimisation> {
    let format = document.text("format")?;
    if format != FORMAT {
        report.add(source, document.span_of("format"), Rule::Format { found: shorten(format, 40), expected: FORMAT });
        return None;
    }
    let named = document.text("scenario")?;
    let scenario = folder
        .resolve(named)
        .map_err(|fault| {
            report.add(source, document.span_of("scenario"), Rule::Path { name: shorten(named, 60), fault })
        })
        .ok()?;
    let objective = if document.text("objective") == Some("time") { Objective::Time } else { Objective::Effort };
    let mut own = Optimisation::new(scenario, objective, document.number("duration")?);
    own.name = document.text("name").map(str::to_owned);
    own.knots = document.get("knots").and_then(Value::whole).unwrap_or(own.knots);
    if own.knots < KNOTS[0] {
        let expected = format!("a whole number from {} to {}", KNOTS[0], KNOTS[1]);
        let rule = Rule::Range { quantity: "knots".into(), value: own.knots as f64, expected };
        report.add(source, document.span_of("knots"), rule);
    }
    let line = |table: Table<'_>, key: &str| source.place(table.span_of(key)).line;
    let limit = |table: Table<'_>, key: &str| table.number(key).unwrap_or(f64::INFINITY);
    for table in document.tables("move") {
        let (Some(hinge), Some(to)) = (table.text("hinge"), table.number("to")) else { continue };
        own.moves.push(HingeMove {
            speed: limit(table, "speed"),
            acceleration: limit(table, "acceleration"),
            jerk: limit(table, "jerk"),
            effort: limit(table, "effort"),
            effort_rate: limit(table, "effort_rate"),
            line: line(table, "hinge"),
            ..HingeMove::new(hinge, to)
        });
    }
    for table in document.tables("residual") {
        let (Some(body), Some(node), Some(amplitude)) =
            (table.text("body"), table.text("node"), table.number("amplitude"))
        else {
            continue;
        };
        let time = table.number("time").unwrap_or(1.0);
        own.residuals.push(ResidualLimit {
            time,
            line: line(table, "node"),
            ..ResidualLimit::new(body, node, amplitude)
        });
    }
    if own.moves.is_empty() {
        let rule = Rule::Mismatch { what: "nothing moves".into(), expected: "at least one table [[move]]".into() };
        report.add(source, document.span_of("move"), rule);
    }
    Some(own)
}
