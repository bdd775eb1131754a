//! What can go wrong between plant and controller, and how it is logged.

use std::fmt;

/// What went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// A value that is infinite or no number.
    NotFinite,
    /// A value beyond its limits.
    OutOfRange,
    /// A value that changed faster than it may.
    TooFast,
    /// An angle that became 180/π times larger or smaller from one cycle to the next: degrees for radians, or the reverse.
    Degrees,
    /// A position that does not change while the model moves.
    Frozen,
    /// Nothing came for the stated number of cycles.
    Lost,
    /// A frame that is none, is damaged, or has a checksum of another key.
    Forged,
    /// A frame that came before.
    Replayed,
    /// A frame of another version, session, kind or number of values.
    Foreign,
    /// A deadline was missed, and the policy is to stop.
    Overrun,
    /// The other side is in its safe state.
    Peer,
    /// A controller gave a number that is not finite, or could not be computed.
    Law,
}

impl Fault {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Self::NotFinite => "a value is not finite",
            Self::OutOfRange => "a value is out of its range",
            Self::TooFast => "a value changed faster than it may",
            Self::Degrees => "an angle changed by the factor 180/π: degrees for radians",
            Self::Frozen => "a position is frozen, though the model moves",
            Self::Lost => "no frame came for too many cycles",
            Self::Forged => "a frame is damaged or forged",
            Self::Replayed => "a frame came a second time",
            Self::Foreign => "a frame is of another session or layout",
            Self::Overrun => "a deadline was missed",
            Self::Peer => "the other side is in its safe state",
            Self::Law => "a controller gave no finite number",
        }
    }
}

/// A line of the log.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entry {
    /// The cycle.
    pub cycle: u64,
    /// Plant time, s.
    pub time: f64,
    /// What happened; none where the safe state was left.
    pub fault: Option<Fault>,
    /// The place of the signal among those of the frame.
    pub signal: Option<usize>,
    /// Its value, or a number of cycles.
    pub value: f64,
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(fault) = self.fault else {
            return write!(f, "cycle {}: acknowledged, the safe state is left", self.cycle);
        };
        write!(f, "cycle {}: safe state: {}", self.cycle, fault.words())?;
        match (self.signal, fault) {
            (Some(_), _) => write!(f, " ({:e})", self.value),
            (None, Fault::Lost) => write!(f, " ({} in a row)", self.value),
            _ => Ok(()),
        }
    }
}
