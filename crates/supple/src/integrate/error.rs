//! Why an integration could not go on.

use super::blocks::BlockError;
use crate::error::DynamicsError;
use std::fmt;
use std::time::Duration;

/// An integration that could not go on. The integrator keeps the last good time and state.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum IntegrationError {
    /// A tolerance, time or step that makes no sense.
    BadRequest {
        /// What is wrong with it.
        reason: &'static str,
        /// The value.
        value: f64,
    },
    /// The scheme needs more of the equations of motion than another [`Formulation`](super::Formulation) than the sweeps has.
    NeedsSweeps,
    /// The step became too small to advance the time.
    StepUnderflow {
        /// Time reached.
        time: f64,
        /// The step.
        step: f64,
    },
    /// The budget of steps is used up.
    TooManySteps {
        /// Time reached.
        time: f64,
        /// The budget.
        steps: u64,
    },
    /// The budget of time on the clock is used up.
    OutOfTime {
        /// Time reached.
        time: f64,
        /// The budget.
        wall: Duration,
    },
    /// A number of the state became infinite or not a number, however small the step.
    NotFinite {
        /// Time reached.
        time: f64,
        /// Its index in the flat state.
        index: usize,
    },
    /// The iteration of an implicit step did not converge.
    NoConvergence {
        /// Time reached.
        time: f64,
        /// The step.
        step: f64,
        /// Last correction relative to the speeds.
        correction: f64,
    },
    /// A fixed step led to a state whose accelerations cannot be computed, from one where they can.
    StepTooLong {
        /// Time reached.
        time: f64,
        /// The step.
        step: f64,
        /// Why they cannot be computed.
        source: DynamicsError,
    },
    /// What acts is finite, but so large that the motion overflows.
    HugeInput {
        /// Time reached.
        time: f64,
        /// Which list of the inputs.
        quantity: &'static str,
        /// Place in it.
        index: usize,
        /// The number.
        value: f64,
    },
    /// Sampled blocks that cannot be used.
    Blocks(BlockError),
    /// A sampled block wrote a number that is not finite.
    BlockOutput {
        /// The instant.
        time: f64,
        /// Name of the block.
        block: String,
        /// Its output.
        output: usize,
    },
    /// The equations could not be evaluated, however small the step.
    Dynamics {
        /// Time reached.
        time: f64,
        /// Why.
        source: DynamicsError,
    },
}

impl fmt::Display for IntegrationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_what(f)?;
        self.remedy().map_or(Ok(()), |remedy| write!(f, "; {remedy}"))
    }
}

impl IntegrationError {
    /// What is wrong, without the remedy.
    fn write_what(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadRequest { reason, value } => write!(f, "{reason}: {value}"),
            Self::NeedsSweeps => f.write_str(
                "this integrator needs mass, damping and stiffness matrices as well as accelerations, which this formulation does not \
                 provide",
            ),
            Self::StepUnderflow { time, step } if *step < 8.0 * f64::EPSILON * time.abs() => {
                write!(f, "a step of {step:.1e} is too short to advance the time t = {time}, which has 16 digits")
            }
            Self::StepUnderflow { time, step } => write!(
                f,
                "at t = {time} the step shrank to {step:.1e}: the motion is singular or diverges there"
            ),
            Self::TooManySteps { time, steps } => {
                write!(f, "limit of {steps} steps reached at t = {time}")
            }
            Self::OutOfTime { time, wall } => {
                write!(
                    f,
                    "limit of {} s of computing time reached at t = {time}",
                    wall.as_secs_f64()
                )
            }
            Self::NotFinite { time, index } => write!(
                f,
                "after t = {time} the state [{index}] is not a finite number: the motion diverges"
            ),
            Self::NoConvergence { time, step, correction } => write!(
                f,
                "after t = {time} a step of {step:.1e} did not converge, the last correction was {correction:.1e} of the speeds"
            ),
            Self::StepTooLong { time, step, .. } => {
                write!(f, "after t = {time} a fixed step of {step:.1e} is too long: it ends in a state without accelerations")
            }
            Self::HugeInput { time, quantity, index, value } => {
                write!(f, "after t = {time} the motion overflows: {quantity} [{index}] is {value:e}")
            }
            Self::Blocks(error) => write!(f, "{error}"),
            Self::BlockOutput { time, block, output } => {
                write!(f, "at t = {time} output {output} of the block `{block}` is not a finite number")
            }
            Self::Dynamics { time, source } => write!(f, "at t = {time}: {source}"), // with its remedy
        }
    }
}

impl std::error::Error for IntegrationError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Dynamics { source, .. } | Self::StepTooLong { source, .. } => Some(source),
            _ => None,
        }
    }
}

/// Why a single step came to nothing; a smaller one may succeed.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Failure {
    Dynamics(DynamicsError),
    NotFinite(usize),
    NoConvergence(f64),
    /// The scaled error of the estimate.
    ErrorTooLarge(f64),
    /// The clock, not the step: a smaller one is of no use.
    OutOfTime,
}

impl Failure {
    /// The error to report of a fixed step from a state that is sound, or not the first one: what it led to is no fault of the model.
    pub(super) fn of_fixed_step(self, time: f64, step: f64) -> IntegrationError {
        match self {
            Self::Dynamics(source @ (DynamicsError::Singular { .. } | DynamicsError::Overflow { .. })) => {
                IntegrationError::StepTooLong { time, step, source }
            }
            other => other.at(time, step),
        }
    }

    /// The error to report when no smaller step is to be tried.
    pub(super) fn at(self, time: f64, step: f64) -> IntegrationError {
        match self {
            Self::Dynamics(source) => IntegrationError::Dynamics { time, source },
            Self::NotFinite(index) => IntegrationError::NotFinite { time, index },
            Self::NoConvergence(correction) => IntegrationError::NoConvergence { time, step, correction },
            Self::ErrorTooLarge(_) => IntegrationError::StepUnderflow { time, step },
            Self::OutOfTime => IntegrationError::OutOfTime { time, wall: Duration::ZERO },
        }
    }
}

impl From<DynamicsError> for Failure {
    fn from(source: DynamicsError) -> Self {
        Self::Dynamics(source)
    }
}

impl IntegrationError {
    /// What to do about it, where there is more to say than what is wrong. For [`Dynamics`](Self::Dynamics) ask its source.
    pub fn remedy(&self) -> Option<&'static str> {
        match self {
            Self::NeedsSweeps => Some("use dormand-prince, prince-dormand8 or rk4"),
            Self::StepUnderflow { time, step } if *step < 8.0 * f64::EPSILON * time.abs() => {
                Some("take longer steps, or count the time from nearer to the start")
            }
            Self::StepUnderflow { .. } => Some("check model and loads, or loosen the tolerance"),
            Self::TooManySteps { .. } | Self::OutOfTime { .. } => {
                Some("allow more, or use automatic, linearly-implicit or bdf")
            }
            Self::NotFinite { .. } => Some("check model and loads, or use a smaller step"),
            Self::NoConvergence { .. } | Self::StepTooLong { .. } => {
                Some("use a smaller step, or automatic, which chooses its steps")
            }
            Self::HugeInput { .. } => Some("check what drives and controllers write"),
            Self::BlockOutput { .. } => Some("check what the block measures and divides by"),
            Self::BadRequest { .. } | Self::Blocks(_) | Self::Dynamics { .. } => None,
        }
    }
}
