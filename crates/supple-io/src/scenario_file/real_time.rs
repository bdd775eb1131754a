//! Rules of a scenario that runs as two programs: deadlines, losses, limits of the drives, brakes.

use std::collections::HashSet;

use supple::BodyIndex;
use supple_control::realtime::{DeadlinePolicy, DriveLimits};

use super::names::Names;
use super::read::Reader;
use crate::document::shape::{NUMBER, POSITIVE, Shape, TEXT, TableShape, Unit, key, need, table};
use crate::document::{Table, Value};
use crate::model_file::ModelFile;
use crate::source::Rule;

/// Losses in a row that end in the safe state, where a scenario does not say.
const LOSSES: usize = 10;
/// Seconds for which a position has to stay the same, and how far the model has to move in the meantime, where a scenario does not say.
const FROZEN: [f64; 2] = [0.2, 1e-3];

/// Rules of a scenario that runs as two programs.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RealTime {
    /// What a controller does where it misses a deadline.
    pub deadline: DeadlinePolicy,
    /// Lost frames in a row that end in the safe state.
    pub losses: u64,
    /// Time for which a position has to stay the same to be frozen, s, and how far the model has to move in the meantime, rad or m.
    pub frozen: [f64; 2],
    /// Drives with limits or brakes.
    pub drives: Vec<DriveRules>,
}

/// Rules of a drive.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DriveRules {
    /// The body of its hinge.
    pub body: BodyIndex,
    /// Its limits.
    pub limits: DriveLimits,
    /// Damping of its brake in the safe state, N m s/rad or N s/m.
    pub brake: f64,
}

impl Default for RealTime {
    fn default() -> Self {
        Self { deadline: DeadlinePolicy::default(), losses: LOSSES as u64, frozen: FROZEN, drives: Vec::new() }
    }
}

static RANGE: Shape = Shape::List { of: &NUMBER, length: Some((2, "end: least and greatest")) };
static DRIVE: TableShape = table(
    "drive",
    "Limits and brake of a hinge on which controllers act.",
    &[
        need("hinge", &TEXT, "name of the hinge, or of its body; a hinge with one degree of freedom"),
        key("position", &RANGE, "least and greatest coordinate, rad or m; default: any").unit("rad or m"),
        key("speed", &POSITIVE, "greatest speed, rad/s or m/s; default: any").unit("rad/s or m/s"),
        key("acceleration", &POSITIVE, "greatest acceleration, rad/s² or m/s²; default: any").unit("rad/s² or m/s²"),
        key("effort", &POSITIVE, "greatest effort, N m or N; default: any").unit("N m or N"),
        key("effort_rate", &POSITIVE, "greatest rate of the effort, N m/s or N/s; default: any").with(Unit::Si),
        key(
            "brake",
            &POSITIVE,
            "damping of the brake in the safe state, N m s/rad or N s/m, which gives no more than `effort`; default: none, the hinge is free there",
        )
        .with(Unit::Si),
    ],
);
static POLICIES: &[(&str, &str)] = &[
    ("hold", "send the previous command again; the default"),
    ("skip", "send nothing in that cycle"),
    ("stop", "enter the safe state"),
];
/// The table `real_time`.
pub(super) static REAL_TIME: TableShape = table(
    "real-time",
    "Rules of `supple plant` and `supple control`, which run plant and controllers as two programs.",
    &[
        key("deadline", &Shape::Word(POLICIES), "what the controller does if a cycle takes too long; default: hold"),
        key(
            "losses",
            &Shape::Whole(1_000_000),
            "number of consecutive lost frames that leads to the safe state, at least 1; default: 10",
        ),
        key(
            "frozen_after",
            &POSITIVE,
            "time without any change after which a position counts as frozen, s; default: 0.2",
        ),
        key("frozen_motion", &POSITIVE, "how far the model must move in that time, rad or m; default: 1e-3")
            .with(Unit::Si),
        key("drive", &Shape::List { of: &Shape::Table(&DRIVE), length: None }, "limits and brakes of hinges"),
    ],
);

impl Reader<'_> {
    /// The table `real_time`; defaults where there is none.
    pub(super) fn real_time(&mut self, document: Table<'_>, file: &ModelFile, names: &Names<'_>) -> RealTime {
        let mut rules = RealTime::default();
        let Some(table) = document.table("real_time") else { return rules };
        rules.deadline = match table.text("deadline") {
            Some("skip") => DeadlinePolicy::Skip,
            Some("stop") => DeadlinePolicy::Stop,
            _ => DeadlinePolicy::Hold,
        };
        if let Some(losses) = table.get("losses").and_then(Value::whole) {
            rules.losses = losses as u64;
            if losses == 0 {
                let expected = "a whole number of at least 1".into();
                self.add(table.span_of("losses"), Rule::Range { quantity: "losses".into(), value: 0.0, expected });
            }
        }
        let [after, motion] = &mut rules.frozen;
        *after = table.number("frozen_after").unwrap_or(*after);
        *motion = table.number("frozen_motion").unwrap_or(*motion);
        let mut told = HashSet::new();
        for drive in table.tables("drive") {
            let Some((body, speeds)) = self.hinge(drive, file, names) else { continue };
            let name = drive.text("hinge").unwrap_or_default();
            let fault = match speeds {
                1 if told.insert(body) => None,
                1 => Some((format!("the hinge `{name}` has limits already"), "one table per hinge")),
                _ => Some((format!("the hinge `{name}` has {speeds} speeds"), "a hinge with one degree of freedom")),
            };
            if let Some((what, expected)) = fault {
                self.add(drive.span_of("hinge"), Rule::Mismatch { what, expected: expected.into() });
                continue;
            }
            rules.drives.push(self.drive(drive, body));
        }
        rules
    }

    fn drive(&mut self, table: Table<'_>, body: BodyIndex) -> DriveRules {
        let none = DriveLimits::default();
        let position = table.get("position").and_then(Value::array::<2>).unwrap_or(none.position);
        if position[0] >= position[1] {
            let what = format!("the limits of position are {} and {}", position[0], position[1]);
            let expected = "the lesser one first".into();
            self.add(table.span_of("position"), Rule::Mismatch { what, expected });
        }
        let number = |key: &str, otherwise: f64| table.number(key).unwrap_or(otherwise);
        let limits = DriveLimits {
            position,
            speed: number("speed", none.speed),
            acceleration: number("acceleration", none.acceleration),
            effort: number("effort", none.effort),
            effort_rate: number("effort_rate", none.effort_rate),
        };
        DriveRules { body, limits, brake: number("brake", 0.0) }
    }
}
