//! What keeps a linear model from being analysed.

use std::fmt;

use crate::Complex;

/// Why an analysis of a linear model has no result.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum AnalysisError {
    /// Matrices whose sizes do not fit each other, or names that are not as many.
    Sizes,
    /// An entry of a matrix is infinite or not a number.
    NotFinite,
    /// An iteration did not converge.
    NoConvergence,
    /// A frequency at which the response is infinite: there is a pole.
    AtPole {
        /// The frequency, rad/s.
        omega: f64,
    },
    /// A sampling period that is not positive and finite.
    SamplingPeriod {
        /// The period, s.
        dt: f64,
    },
    /// A delay that is negative, infinite, or longer than [`MOST_SAMPLES`](crate::MOST_SAMPLES) samples.
    Delay {
        /// The delay, s.
        delay: f64,
        /// Sampling period, s.
        dt: f64,
    },
    /// A model in continuous time was expected.
    AlreadySampled {
        /// Its sampling period, s.
        dt: f64,
    },
    /// A sampled model was expected.
    NotSampled,
    /// A pole that is not stable, where only stable ones have an answer.
    NotStable {
        /// The pole.
        pole: Complex,
    },
    /// A number of states that a reduced model cannot have.
    Order {
        /// The number asked for.
        asked: usize,
        /// Least number: poles that are not stable stay.
        least: usize,
        /// Number of states of the model.
        most: usize,
    },
    /// A weight or covariance that is not symmetric, negative, of another size, or not positive where it must be.
    Weight {
        /// Which.
        name: &'static str,
    },
    /// No gain makes the system stable: a part that is not stable is not reached by the inputs, or not seen in the weights or outputs.
    NoRegulator,
    /// Frequencies that make no range.
    Frequencies {
        /// The range, rad/s.
        range: [f64; 2],
    },
}

impl AnalysisError {
    /// What to do about it.
    pub fn remedy(&self) -> &'static str {
        match self {
            Self::Sizes => {
                "give A with a row and a column per state, B with a column per input, C with a row per output"
            }
            Self::NotFinite | Self::NoConvergence => "scale the model closer to 1",
            Self::AtPole { .. } => "choose another frequency, or add damping",
            Self::SamplingPeriod { .. } => "give a positive number of seconds",
            Self::Delay { .. } => "give a delay from zero to some thousand samples",
            Self::AlreadySampled { .. } => "take the model in continuous time",
            Self::NotSampled => "sample the model first, with `zero_order_hold`",
            Self::NotStable { .. } => "add damping, lock hinges that drift, or keep that pole in the reduced model",
            Self::Order { .. } => "choose a number in between",
            Self::Weight { .. } => {
                "give a symmetric matrix with a row per state (Q, W), input (R) or output (V), not negative; R and V positive"
            }
            Self::NoRegulator => "act on or measure more of the system, weight every state that drifts, or lock hinges",
            Self::Frequencies { .. } => "give two positive frequencies, the lower one first",
        }
    }
}

impl fmt::Display for AnalysisError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sizes => write!(f, "the matrices do not fit each other")?,
            Self::NotFinite => write!(f, "the matrices have an entry that is not finite")?,
            Self::NoConvergence => write!(f, "the eigenvalues or singular values did not converge")?,
            Self::AtPole { omega } => write!(f, "the response at {omega} rad/s is infinite: there is a pole")?,
            Self::SamplingPeriod { dt } => write!(f, "the sampling period is {dt} s")?,
            Self::Delay { delay, dt } => write!(f, "a delay of {delay} s at a sampling period of {dt} s")?,
            Self::AlreadySampled { dt } => write!(f, "the model is sampled already, every {dt} s")?,
            Self::NotSampled => write!(f, "the model is in continuous time")?,
            Self::NotStable { pole } => {
                write!(f, "the pole {:.6e} {:+.6e} i is not stable", pole.re, pole.im)?;
            }
            Self::Order { asked, least, most } => {
                write!(f, "a reduced model of {asked} states; it may have {least} to {most}")?;
            }
            Self::Weight { name } => write!(f, "{name} is no weight or covariance")?,
            Self::NoRegulator => write!(f, "there is no stabilising gain")?,
            Self::Frequencies { range: [from, to] } => write!(f, "frequencies from {from} to {to} rad/s")?,
        }
        write!(f, "; {}", self.remedy())
    }
}

impl std::error::Error for AnalysisError {}
