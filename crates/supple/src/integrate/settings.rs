//! What a caller chooses: how large the steps are, when to give up; and what the work was.

use super::error::IntegrationError;
use std::time::Duration;

/// Errors that a step may make, per component: `absolute + relative · |y|`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// Relative part.
    pub relative: f64,
    /// Absolute part.
    pub absolute: f64,
}

/// How the size of the steps is found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Stepping {
    /// By the error estimate of the scheme.
    Adaptive(Tolerance),
    /// Steps of this size, or the next smaller one that divides what is left to the end evenly.
    Fixed(f64),
}

/// The next of equal steps, each at most `step`, over what is `left` to an end.
pub fn even_step(step: f64, left: f64) -> f64 {
    // Rounding of the time makes no step more.
    left / (left / step - 1e-6).ceil().max(1.0)
}

impl From<Tolerance> for Stepping {
    fn from(tolerance: Tolerance) -> Self {
        Self::Adaptive(tolerance)
    }
}

/// When to give up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Most steps, accepted and rejected, since the start.
    pub steps: u64,
    /// Least step, relative to the time reached.
    pub least_step: f64,
    /// Greatest step. Events that come and go within a step are not seen: keep it below their distance.
    pub greatest_step: f64,
    /// Most time on the clock that one call may take; looked at before every evaluation.
    pub wall: Option<Duration>,
}

impl Default for Limits {
    fn default() -> Self {
        Self { steps: 50_000_000, least_step: 8.0 * f64::EPSILON, greatest_step: f64::INFINITY, wall: None }
    }
}

/// Work done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Accepted steps.
    pub accepted: u64,
    /// Rejected steps.
    pub rejected: u64,
    /// Evaluations of the equations.
    pub evaluations: u64,
    /// Linear systems solved by implicit schemes.
    pub solves: u64,
    /// Factorisations for them.
    pub factorisations: u64,
}

impl Tolerance {
    /// Whether it makes sense.
    ///
    /// # Errors
    /// [`IntegrationError::BadRequest`] for a relative part that is not positive or an absolute part that is negative.
    pub fn check(self) -> Result<(), IntegrationError> {
        let bad = |reason, value| Err(IntegrationError::BadRequest { reason, value });
        if !self.relative.is_finite() || self.relative <= 0.0 {
            return bad("the relative tolerance must be positive", self.relative);
        }
        if !self.absolute.is_finite() || self.absolute < 0.0 {
            return bad("the absolute tolerance must not be negative", self.absolute);
        }
        Ok(())
    }
}

impl Stepping {
    pub(super) fn check(self) -> Result<(), IntegrationError> {
        let bad = |reason, value| Err(IntegrationError::BadRequest { reason, value });
        match self {
            Self::Adaptive(tolerance) => tolerance.check(),
            Self::Fixed(step) if !step.is_finite() || step <= 0.0 => bad("a fixed step must be positive", step),
            _ => Ok(()),
        }
    }
}

impl Limits {
    /// Whether they make sense.
    ///
    /// # Errors
    /// [`IntegrationError::BadRequest`] for a least step that is negative or a greatest step that is not positive.
    pub fn check(&self) -> Result<(), IntegrationError> {
        let bad = |reason, value| Err(IntegrationError::BadRequest { reason, value });
        if self.least_step.is_nan() || self.least_step < 0.0 {
            return bad("the least step must not be negative", self.least_step);
        }
        if self.greatest_step.is_nan() || self.greatest_step <= 0.0 {
            return bad("the greatest step must be positive", self.greatest_step);
        }
        Ok(())
    }
}
