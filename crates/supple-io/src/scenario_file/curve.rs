//! Quantities over time.

use std::ops::Range;

use supple_control::{MotionLimits, ProfileError};

use crate::document::{Table, Value};
use crate::source::folder::Folder;
use crate::source::{Report, Rule, Source};

use super::csv;

/// Values at ascending times.
#[derive(Clone, Debug, PartialEq)]
pub struct Samples<T = f64> {
    /// Times.
    pub times: Vec<f64>,
    /// One value per time.
    pub values: Vec<T>,
}

/// A smooth move from one coordinate to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Move {
    /// Coordinate before it; that at the start of the run where absent.
    pub from: Option<f64>,
    /// Coordinate after it.
    pub to: f64,
    /// Time at which it starts.
    pub start: f64,
    /// How long it takes.
    pub duration: f64,
}

/// The fastest move within bounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoundedMove {
    /// Coordinate before it; that at the start of the run where absent.
    pub from: Option<f64>,
    /// Coordinate after it.
    pub to: f64,
    /// Time at which it starts.
    pub start: f64,
    /// Greatest speed, acceleration and jerk.
    pub limits: MotionLimits,
}

/// A start from rest to a constant speed, which is kept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpinUp {
    /// Speed that is reached.
    pub rate: f64,
    /// Time at which it starts.
    pub start: f64,
    /// How long it takes.
    pub duration: f64,
}

/// The coordinate of a hinge over time.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum MotionCurve {
    /// `from + (to - from) (s - sin 2πs / 2π)`.
    Cycloid(Move),
    /// `from + (to - from) (10 s³ - 15 s⁴ + 6 s⁵)`.
    Quintic(Move),
    /// As fast as bounds of speed, acceleration and jerk allow.
    JerkLimited(BoundedMove),
    /// Constant speed from the start.
    Rate(f64),
    /// Speed `rate (s - sin 2πs / 2π)`, then constant.
    SpinUp(SpinUp),
    /// Coordinates at times, joined smoothly.
    Table(Samples),
}

/// A torque or force over time.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Curve {
    /// Always the same.
    Constant(f64),
    /// Each value from its time on; zero before the first.
    Steps(Samples),
    /// Joined by straight lines; the first and the last value outside of the times.
    Table(Samples),
}

/// A wrench over time: `[force, moment]`.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum WrenchCurve {
    /// Always the same.
    Constant([[f64; 3]; 2]),
    /// Each wrench from its time on; zero before the first.
    Steps(Samples<[[f64; 3]; 2]>),
    /// Joined by straight lines; the first and the last wrench outside of the times.
    Table(Samples<[[f64; 3]; 2]>),
}

/// Keys that tell a curve.
const KINDS: [&str; 9] = ["cycloid", "quintic", "jerk_limited", "rate", "spin_up", "constant", "steps", "table", "csv"];

/// Reads curves; problems are reported.
pub(super) struct Curves<'r> {
    pub(super) source: &'r Source,
    pub(super) folder: &'r Folder,
    pub(super) report: &'r mut Report,
}

impl Curves<'_> {
    pub(super) fn motion(&mut self, table: Table<'_>) -> Option<MotionCurve> {
        if let Some(told) = table.table("cycloid") {
            return Some(MotionCurve::Cycloid(one_move(told)?));
        }
        if let Some(told) = table.table("quintic") {
            return Some(MotionCurve::Quintic(one_move(told)?));
        }
        if let Some(told) = table.table("jerk_limited") {
            return Some(MotionCurve::JerkLimited(bounded_move(told)?));
        }
        if let Some(rate) = table.number("rate") {
            return Some(MotionCurve::Rate(rate));
        }
        if let Some(told) = table.table("spin_up") {
            let (rate, duration) = (told.number("rate")?, told.number("duration")?);
            return Some(MotionCurve::SpinUp(SpinUp { rate, start: told.number("start").unwrap_or(0.0), duration }));
        }
        let samples = self.table_or_csv(table)?;
        let fault = match samples.times.as_slice() {
            [_] => Some("the motion has a single sample".to_owned()),
            [first, ..] if *first > 0.0 => Some(format!("the motion starts at {first} s, after the start of the run")),
            _ => None,
        };
        if let Some(what) = fault {
            let span = table.get("table").or(table.get("csv")).map_or(table.span(), Value::span);
            let expected = "at least two samples, the first at time 0 or before".to_owned();
            self.report.add(self.source, span, Rule::Mismatch { what, expected });
            return None;
        }
        Some(MotionCurve::Table(samples))
    }

    /// A torque that has a value at every time.
    pub(super) fn torque(&mut self, table: Table<'_>) -> Option<Curve> {
        let curve = self.torque_told(table)?;
        self.sound(table, curve.signal().err())?;
        Some(curve)
    }

    /// A wrench that has a value at every time.
    pub(super) fn wrench(&mut self, table: Table<'_>) -> Option<WrenchCurve> {
        let curve = self.wrench_told(table)?;
        self.sound(table, curve.signals().err())?;
        Some(curve)
    }

    /// Reports why a curve is none, where its numbers stand.
    fn sound(&mut self, table: Table<'_>, error: Option<ProfileError>) -> Option<()> {
        let Some(error) = error else { return Some(()) };
        self.report.add(self.source, span_of_error(table, &error), Rule::Profile(error));
        None
    }

    fn torque_told(&mut self, table: Table<'_>) -> Option<Curve> {
        if let Some(constant) = table.number("constant") {
            return Some(Curve::Constant(constant));
        }
        if let Some(told) = table.table("steps") {
            return Some(Curve::Steps(self.samples(told)?));
        }
        Some(Curve::Table(self.table_or_csv(table)?))
    }

    fn wrench_told(&mut self, table: Table<'_>) -> Option<WrenchCurve> {
        if let Some(told) = table.table("constant") {
            let vector = |key: &str| told.get(key).map_or(Some([0.0; 3]), Value::array);
            return Some(WrenchCurve::Constant([vector("force")?, vector("moment")?]));
        }
        if let Some(told) = table.table("steps") {
            return Some(WrenchCurve::Steps(self.wrench_samples(told)?));
        }
        Some(WrenchCurve::Table(self.wrench_samples(table.table("table")?)?))
    }

    fn table_or_csv(&mut self, table: Table<'_>) -> Option<Samples> {
        if let Some(told) = table.table("table") {
            return self.samples(told);
        }
        let told = table.table("csv")?;
        let (times, values) = csv::read(told, self.source, self.folder, self.report)?;
        Some(Samples { times, values })
    }

    fn samples(&mut self, table: Table<'_>) -> Option<Samples> {
        let times = table.get("times")?.numbers()?;
        let values = table.get("values")?.numbers()?;
        self.one_per_time(table, "values", values.len(), times.len())?;
        self.ascending(table, "times", &times)?;
        Some(Samples { times, values })
    }

    fn wrench_samples(&mut self, table: Table<'_>) -> Option<Samples<[[f64; 3]; 2]>> {
        let times = table.get("times")?.numbers()?;
        let mut part = |key: &str| -> Option<Vec<[f64; 3]>> {
            let Some(value) = table.get(key) else { return Some(vec![[0.0; 3]; times.len()]) };
            let vectors: Vec<[f64; 3]> = value.items()?.map(Value::array).collect::<Option<_>>()?;
            self.one_per_time(table, key, vectors.len(), times.len())?;
            Some(vectors)
        };
        let (forces, moments) = (part("force")?, part("moment")?);
        self.ascending(table, "times", &times)?;
        Some(Samples { times, values: forces.into_iter().zip(moments).map(|(f, m)| [f, m]).collect() })
    }

    fn one_per_time(&mut self, table: Table<'_>, key: &str, found: usize, expected: usize) -> Option<()> {
        if found == expected {
            return Some(());
        }
        let rule = Rule::Length { quantity: key.into(), found, expected, one_per: "time" };
        self.report.add(self.source, table.span_of(key), rule);
        None
    }

    fn ascending(&mut self, table: Table<'_>, key: &str, times: &[f64]) -> Option<()> {
        let broken = times.windows(2).find(|pair| pair[0] >= pair[1]);
        let (what, expected) = match broken {
            None if !times.is_empty() => return Some(()),
            None => ("there are no times".to_owned(), "at least one time"),
            Some(pair) => (format!("time {} comes before time {}", pair[0], pair[1]), "strictly increasing times"),
        };
        self.report.add(self.source, table.span_of(key), Rule::Mismatch { what, expected: expected.into() });
        None
    }
}

/// Where the curve of a table stands, or the time in it that an error is about.
pub(super) fn span_of_error(table: Table<'_>, error: &ProfileError) -> Range<usize> {
    let curve = KINDS.iter().find_map(|key| table.get(key));
    let times = curve.and_then(Value::table).and_then(|told| told.get("times"));
    let one = times.and_then(Value::items).zip(csv::row_of(error)).and_then(|(mut items, index)| items.nth(index));
    one.or(curve).map_or(table.span(), Value::span)
}

fn one_move(table: Table<'_>) -> Option<Move> {
    Some(Move {
        from: table.number("from"),
        to: table.number("to")?,
        start: table.number("start").unwrap_or(0.0),
        duration: table.number("duration")?,
    })
}

fn bounded_move(table: Table<'_>) -> Option<BoundedMove> {
    Some(BoundedMove {
        from: table.number("from"),
        to: table.number("to")?,
        start: table.number("start").unwrap_or(0.0),
        limits: MotionLimits {
            speed: table.number("speed")?,
            acceleration: table.number("acceleration")?,
            jerk: table.number("jerk")?,
        },
    })
}
