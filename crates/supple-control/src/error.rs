//! Why a function of time cannot be made.

use std::fmt;

/// What is wrong with a trajectory or a signal.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ProfileError {
    /// A number is infinite or not a number.
    NotFinite {
        /// What it is.
        quantity: &'static str,
        /// Its index in the list, or which of the two ends.
        index: usize,
        /// The number.
        value: f64,
    },
    /// A time is not later than the one before it.
    NotIncreasing {
        /// Index of the later entry.
        index: usize,
        /// The time before it.
        previous: f64,
        /// Its time.
        time: f64,
    },
    /// Two times are so close together that double precision cannot resolve what is between them.
    TooShort {
        /// Index of the later entry.
        index: usize,
        /// The earlier time.
        previous: f64,
        /// The later time.
        time: f64,
        /// Shortest difference at these times.
        least: f64,
    },
    /// Too few entries.
    TooFew {
        /// What is listed.
        quantity: &'static str,
        /// How many there are.
        found: usize,
        /// How many there must be.
        least: usize,
    },
    /// Two lists that belong together differ in length.
    Lengths {
        /// Entries of the list of times.
        times: usize,
        /// What the other list holds.
        quantity: &'static str,
        /// Its entries.
        found: usize,
    },
    /// A jump of position or speed from one segment to the next, or to the rest between them.
    Jump {
        /// Index of the later segment.
        segment: usize,
        /// When.
        time: f64,
        /// "position" or "speed".
        quantity: &'static str,
        /// Its value before.
        before: f64,
        /// Its value after.
        after: f64,
    },
    /// All numbers are finite, but the motion between them is too fast for double precision.
    Overflow {
        /// What overflows.
        quantity: &'static str,
        /// When the piece starts.
        time: f64,
    },
}

impl fmt::Display for ProfileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFinite { quantity, index, value } => {
                write!(f, "{quantity} {index} is {value}; every number must be finite")
            }
            Self::NotIncreasing { index, previous, time } => write!(
                f,
                "time {index} is {time} s, not later than the {previous} s before it; times must increase (steps, not a \
                 table, make a jump)"
            ),
            Self::TooShort { index, previous, time, least } => write!(
                f,
                "time {index} is {time} s, only {:e} s after the one before it; at such times {least:e} s is the shortest \
                 that can be resolved: use a longer interval or count time from zero",
                time - previous
            ),
            Self::TooFew { quantity, found, least } => {
                write!(f, "{found} {quantity}; at least {least} are needed")
            }
            Self::Lengths { times, quantity, found } => {
                write!(f, "{times} times, but {found} {quantity}; give one for each time")
            }
            Self::Jump { segment, time, quantity, before, after } => write!(
                f,
                "segment {segment} at {time} s: {quantity} would jump from {before} to {after}; make both sides equal or \
                 put a segment between them (between segments with a pause in time the speed is zero)"
            ),
            Self::Overflow { quantity, time } => write!(
                f,
                "{quantity} of the piece that starts at {time} s is beyond double precision; take a longer time or a \
                 shorter way"
            ),
        }
    }
}

impl std::error::Error for ProfileError {}
