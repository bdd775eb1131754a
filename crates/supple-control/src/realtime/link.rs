//! What both ends of a link have to agree on.

use super::limits::DriveLimits;
use super::timing::DeadlinePolicy;
use super::watch::Bounds;

/// A drive: a hinge on which the controller acts.
#[derive(Clone, Debug, PartialEq)]
pub struct DriveSignals {
    /// Its position and its speed among the measurements.
    pub position: usize,
    /// Its speed.
    pub speed: usize,
    /// The commands that act there; they add up.
    pub efforts: Vec<usize>,
    /// Its limits.
    pub limits: DriveLimits,
}

/// Signals and rules of a link.
#[derive(Clone, Debug)]
pub struct LinkPlan {
    /// Time of cycle 0, s.
    pub start: f64,
    /// Time between cycles, s.
    pub period: f64,
    /// What each measurement may be.
    pub measurements: Vec<Bounds>,
    /// What measurements are at the start, where that is known.
    pub expected: Vec<(usize, f64)>,
    /// Cycles at the start in which measurements may jump: those of sensors with latency come later.
    pub warm_up: u64,
    /// How many commands there are.
    pub commands: usize,
    /// The drives.
    pub drives: Vec<DriveSignals>,
    /// Losses in a row that end in the safe state.
    pub losses: u64,
    /// What happens where a deadline is missed.
    pub policy: DeadlinePolicy,
}

impl LinkPlan {
    /// The time of a cycle, s.
    pub fn time(&self, cycle: u64) -> f64 {
        self.start + cycle as f64 * self.period
    }

    /// What each command may be: efforts of a drive with one block are bounded, everything has to be finite.
    pub fn command_bounds(&self) -> Vec<Bounds> {
        let mut bounds = vec![Bounds::default(); self.commands];
        for drive in &self.drives {
            if let [command] = drive.efforts[..] {
                bounds[command] = drive.limits.effort_bounds();
            }
        }
        bounds
    }
}

/// What became of bytes that came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Received {
    /// Values of a cycle.
    Values,
    /// A frame that is not taken: a fault.
    Refused,
    /// Nothing of interest.
    Nothing,
    /// The other side has ended as planned.
    End,
}

/// A time stamp.
pub fn nanoseconds(time: f64) -> i64 {
    (time * 1e9).round() as i64
}
