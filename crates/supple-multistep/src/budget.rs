//! What surrounds the steps of one call: when to give up, and what is shown after each.

use std::ops::ControlFlow;
use std::time::Instant;
use supple::integrate::{IntegrationError, Limits, Statistics};

/// Shown after each step: the time reached, the work done, and a function that writes the state at a time within the step. It says whether
/// there is to be another.
pub(crate) type After<'a> = dyn FnMut(f64, &Statistics, &dyn Fn(f64, &mut [f64])) -> ControlFlow<()> + 'a;

/// The limits of one call, with the time at which it began.
pub(crate) struct Budget {
    pub limits: Limits,
    start: Instant,
}

impl Budget {
    pub fn new(limits: Limits) -> Self {
        Self { limits, start: Instant::now() }
    }

    /// Whether another step may be tried at `time`.
    pub fn check(&self, time: f64, done: &Statistics) -> Result<(), IntegrationError> {
        if done.accepted + done.rejected >= self.limits.steps {
            return Err(IntegrationError::TooManySteps { time, steps: self.limits.steps });
        }
        match self.limits.wall {
            Some(wall) if self.start.elapsed() > wall => Err(IntegrationError::OutOfTime { time, wall }),
            _ => Ok(()),
        }
    }

    /// The least step at `time`.
    pub fn least_step(&self, time: f64) -> f64 {
        (self.limits.least_step * time.abs()).max(1e-300)
    }
}
