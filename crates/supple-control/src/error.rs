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
    /// A bound of a motion that is not positive or not finite.
    Bound {
        /// What is bounded.
        quantity: &'static str,
        /// The bound.
        value: f64,
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

impl ProfileError {
    /// What to do about it.
    pub fn remedy(&self) -> &'static str {
        match self {
            Self::NotFinite { .. } => "every number must be finite",
            Self::NotIncreasing { .. } => "times must increase; for a jump use steps instead of a table",
            Self::TooShort { .. } => "use a longer interval, or count time from zero",
            Self::Bound { .. } => "a bound must be positive and finite",
            Self::TooFew { .. } => "add the missing entries",
            Self::Lengths { .. } => "give one entry per time",
            Self::Jump { .. } => {
                "make both sides equal, or put a segment between them (the speed is zero in a pause between segments)"
            }
            Self::Overflow { .. } => "use a longer duration or a shorter distance",
        }
    }

    /// What is wrong, without the remedy.
    pub fn what(&self) -> String {
        match self {
            Self::NotFinite { quantity, index, value } => format!("{quantity} {index} is {value}"),
            Self::NotIncreasing { index, previous, time } => {
                format!("time {index} is {time} s, not later than the previous time, {previous} s")
            }
            Self::TooShort { index, previous, time, least } => format!(
                "time {index} is {time} s, only {:e} s after the previous time; the shortest interval that double precision \
                 resolves there is {least:e} s",
                time - previous
            ),
            Self::Bound { quantity, value } => format!("the bound of the {quantity} is {value}"),
            Self::TooFew { quantity, found, least } => format!("{found} {quantity}, at least {least} are required"),
            Self::Lengths { times, quantity, found } => format!("{times} times, but {found} {quantity}"),
            Self::Jump { segment, time, quantity, before, after } => {
                format!("segment {segment} at {time} s: {quantity} jumps from {before} to {after}")
            }
            Self::Overflow { quantity, time } => {
                format!("{quantity} of the segment that starts at {time} s exceeds double precision")
            }
        }
    }
}

impl fmt::Display for ProfileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; {}", self.what(), self.remedy())
    }
}

impl std::error::Error for ProfileError {}
