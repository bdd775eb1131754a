//! Why a shaper cannot be designed.

use std::fmt;

/// What is wrong with what a shaper is asked for.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ShaperError {
    /// A frequency that is not positive or not finite.
    Frequency {
        /// In Hz.
        value: f64,
    },
    /// A damping ratio outside of 0 to below 1.
    Damping {
        /// The ratio.
        value: f64,
    },
    /// A tolerance that is not between 0 and 1.
    Tolerance {
        /// The residual vibration.
        value: f64,
    },
    /// The constraint equations have no solution that continues the undamped one.
    NoSolution {
        /// The name of the kind.
        kind: &'static str,
        /// The damping ratio.
        damping: f64,
    },
    /// Times that do not increase from zero, or are not as many as amplitudes.
    Times,
    /// Amplitudes that do not sum to one, or numbers that are not finite.
    Sum {
        /// Their sum.
        value: f64,
    },
}

impl ShaperError {
    /// What is wrong.
    pub fn what(&self) -> String {
        match self {
            Self::Frequency { value } => format!("the frequency is {value} Hz"),
            Self::Damping { value } => format!("the damping ratio is {value}"),
            Self::Tolerance { value } => format!("the tolerance is {value}"),
            Self::NoSolution { kind, damping } => {
                format!("the shaper `{kind}` has no solution for a damping ratio of {damping}")
            }
            Self::Times => "the times of the impulses do not increase from zero, one for each amplitude".into(),
            Self::Sum { value } => format!("the amplitudes of the impulses sum to {value}"),
        }
    }

    /// What to do about it.
    pub fn remedy(&self) -> &'static str {
        match self {
            Self::Frequency { .. } => "it must be positive and finite",
            Self::Damping { .. } => {
                "it must be at least 0 and below 1: a mode that is not under-damped does not vibrate"
            }
            Self::Tolerance { .. } => "it must be between 0 and 1, such as 0.05 for 5 %",
            Self::NoSolution { .. } => {
                "so much damping ends vibration by itself; use `zvd`, which exists for every ratio"
            }
            Self::Times => "give `0` first, then later times",
            Self::Sum { .. } => "divide them by their sum, so that a shaped command ends where the command ends",
        }
    }
}

impl fmt::Display for ShaperError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; {}", self.what(), self.remedy())
    }
}

impl std::error::Error for ShaperError {}
