//! Embedded Runge-Kutta with step control, for any ordinary differential equations.

use super::tableau::Scheme;
use crate::error::DynamicsError;
use std::fmt;

/// Equations `ẏ = f(t, y)`.
pub trait Equations {
    /// Writes the rates of `y` at time `t`.
    ///
    /// # Errors
    /// What keeps the rates from being computed.
    fn rates(&mut self, t: f64, y: &[f64], rates: &mut [f64]) -> Result<(), DynamicsError>;

    /// Brings `y` back onto its manifold after a step, such as quaternions to unit length.
    fn project(&self, _y: &mut [f64]) {}
}

/// Errors that a step may make, per component: `absolute + relative · |y|`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// Relative part.
    pub relative: f64,
    /// Absolute part.
    pub absolute: f64,
}

/// When to give up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Most steps, accepted and rejected, since [`Adaptive::new`].
    pub steps: u64,
    /// Least step, relative to the time reached.
    pub least_step: f64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { steps: 50_000_000, least_step: 8.0 * f64::EPSILON }
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
}

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
        match self {
            Self::BadRequest { reason, value } => write!(f, "{reason}: {value}"),
            Self::StepUnderflow { time, step } => write!(
                f,
                "at t = {time} the step shrank to {step:.1e}: the motion is singular or runs away there; check model and loads, or loosen the tolerance"
            ),
            Self::TooManySteps { time, steps } => {
                write!(f, "{steps} steps used up at t = {time}; allow more, or use an implicit integrator")
            }
            Self::Dynamics { time, source } => write!(f, "at t = {time}: {source}"),
        }
    }
}

impl std::error::Error for IntegrationError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Dynamics { source, .. } => Some(source),
            _ => None,
        }
    }
}

/// An integration in progress. No allocation after [`new`](Adaptive::new).
#[derive(Clone, Debug)]
pub struct Adaptive {
    scheme: Scheme,
    tolerance: Tolerance,
    limits: Limits,
    time: f64,
    step: f64,
    y: Vec<f64>,
    trial: Vec<f64>,
    stage: Vec<f64>,
    rates: Vec<f64>,
    fresh: bool,
    statistics: Statistics,
}

impl Adaptive {
    /// At `time` with the state `y`.
    ///
    /// # Errors
    /// [`IntegrationError::BadRequest`] for a tolerance that is not positive or numbers that are not finite.
    pub fn new(
        scheme: Scheme,
        tolerance: Tolerance,
        limits: Limits,
        time: f64,
        y: Vec<f64>,
    ) -> Result<Self, IntegrationError> {
        let bad = |reason, value| Err(IntegrationError::BadRequest { reason, value });
        if !tolerance.relative.is_finite() || tolerance.relative <= 0.0 {
            return bad("the relative tolerance must be positive", tolerance.relative);
        }
        if !tolerance.absolute.is_finite() || tolerance.absolute < 0.0 {
            return bad("the absolute tolerance must not be negative", tolerance.absolute);
        }
        if !time.is_finite() {
            return bad("the start time must be finite", time);
        }
        if let Some(&value) = y.iter().find(|x| !x.is_finite()) {
            return bad("the initial state must be finite", value);
        }
        let n = y.len();
        Ok(Self {
            scheme,
            tolerance,
            limits,
            time,
            step: 0.0,
            trial: vec![0.0; n],
            stage: vec![0.0; n],
            rates: vec![0.0; n * scheme.tableau().stages],
            y,
            fresh: true,
            statistics: Statistics::default(),
        })
    }

    /// Time reached.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// State at that time.
    pub fn state(&self) -> &[f64] {
        &self.y
    }

    /// Work done so far.
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// Changes when to give up; steps already taken count.
    pub fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    /// Tells the integrator that the equations change abruptly here, so that nothing of the last step is reused.
    pub fn restart(&mut self) {
        self.fresh = true;
    }

    /// Integrates to `end` exactly.
    ///
    /// # Errors
    /// Why it stopped earlier; time and state are those of the last accepted step.
    pub fn advance(&mut self, equations: &mut impl Equations, end: f64) -> Result<(), IntegrationError> {
        if !end.is_finite() || end < self.time {
            return Err(IntegrationError::BadRequest {
                reason: "the end must be finite and not before the present time",
                value: end,
            });
        }
        if self.step == 0.0 && end > self.time {
            self.step = self.first_step(equations, end)?;
        }
        while self.time < end {
            let left = end - self.time;
            // The last two steps share what is left.
            let h = if self.step >= left {
                left
            } else if 2.0 * self.step > left {
                0.5 * left
            } else {
                self.step
            };
            let last = h == left;
            let (error, source) = match self.attempt(equations, h) {
                Ok(error) => (error, None),
                Err(source) => (f64::INFINITY, Some(source)),
            };
            let tableau = self.scheme.tableau();
            if error <= 1.0 {
                std::mem::swap(&mut self.y, &mut self.trial);
                equations.project(&mut self.y);
                self.time = if last { end } else { self.time + h };
                self.statistics.accepted += 1;
                self.fresh = !tableau.first_same_as_last;
                if tableau.first_same_as_last {
                    let n = self.y.len();
                    self.rates.copy_within((tableau.stages - 1) * n..tableau.stages * n, 0);
                }
                let growth = if error > 0.0 { 0.9 * error.powf(-1.0 / f64::from(tableau.order)) } else { 5.0 };
                // A step cut short by the end says nothing about the next one.
                let grown = h * growth.clamp(0.2, 5.0);
                self.step = if h < self.step { self.step.max(grown) } else { grown };
            } else {
                self.statistics.rejected += 1;
                let shrink = if error.is_finite() { 0.9 * error.powf(-1.0 / f64::from(tableau.order)) } else { 0.1 };
                self.step = h * shrink.clamp(0.1, 0.9);
                if self.step <= self.limits.least_step * self.time.abs().max(f64::MIN_POSITIVE) || self.step < 1e-300 {
                    let time = self.time;
                    return Err(match source {
                        Some(source) => IntegrationError::Dynamics { time, source },
                        None => IntegrationError::StepUnderflow { time, step: self.step },
                    });
                }
            }
            if self.statistics.accepted + self.statistics.rejected >= self.limits.steps && self.time < end {
                return Err(IntegrationError::TooManySteps { time: self.time, steps: self.limits.steps });
            }
        }
        Ok(())
    }

    /// A step that changes the state by about a hundredth of itself.
    fn first_step(&mut self, equations: &mut impl Equations, end: f64) -> Result<f64, IntegrationError> {
        let n = self.y.len();
        let time = self.time;
        self.statistics.evaluations += 1;
        equations
            .rates(time, &self.y, &mut self.rates[..n])
            .map_err(|source| IntegrationError::Dynamics { time, source })?;
        let (mut size, mut rate) = (0.0, 0.0);
        for (y, r) in self.y.iter().zip(&self.rates[..n]) {
            let scale = self.tolerance.absolute + self.tolerance.relative * y.abs() + f64::MIN_POSITIVE;
            size += (y / scale).powi(2);
            rate += (r / scale).powi(2);
        }
        let h = if rate > 0.0 && size > 0.0 { 0.01 * (size / rate).sqrt() } else { 1e-6 };
        Ok(h.clamp(1e-9 * (end - time), end - time))
    }

    /// Tries a step: `trial` and the scaled error.
    fn attempt(&mut self, equations: &mut impl Equations, h: f64) -> Result<f64, DynamicsError> {
        let (tableau, n) = (self.scheme.tableau(), self.y.len());
        for s in 0..tableau.stages {
            if s == 0 && !self.fresh {
                continue;
            }
            self.stage.copy_from_slice(&self.y);
            for (j, a) in tableau.a[s].iter().enumerate().filter(|(_, a)| **a != 0.0) {
                for (x, r) in self.stage.iter_mut().zip(&self.rates[j * n..(j + 1) * n]) {
                    *x += h * a * r;
                }
            }
            equations.project(&mut self.stage);
            self.statistics.evaluations += 1;
            let rates = &mut self.rates[s * n..(s + 1) * n];
            equations.rates(self.time + tableau.c[s] * h, &self.stage, rates)?;
        }
        self.trial.copy_from_slice(&self.y);
        let mut sum = 0.0;
        for i in 0..n {
            let (mut change, mut error) = (0.0, 0.0);
            for s in 0..tableau.stages {
                let r = self.rates[s * n + i];
                change += tableau.b[s] * r;
                error += tableau.error[s] * r;
            }
            self.trial[i] += h * change;
            let scale = self.tolerance.absolute + self.tolerance.relative * self.y[i].abs().max(self.trial[i].abs());
            sum += (h * error / scale.max(f64::MIN_POSITIVE)).powi(2);
        }
        let error = (sum / n.max(1) as f64).sqrt();
        Ok(if error.is_nan() { f64::INFINITY } else { error })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Oscillator;
    impl Equations for Oscillator {
        fn rates(&mut self, _: f64, y: &[f64], rates: &mut [f64]) -> Result<(), DynamicsError> {
            (rates[0], rates[1]) = (y[1], -y[0]);
            Ok(())
        }
    }

    struct Pole;
    impl Equations for Pole {
        fn rates(&mut self, t: f64, _: &[f64], rates: &mut [f64]) -> Result<(), DynamicsError> {
            rates[0] = 1.0 / (1.0 - t).powi(2);
            Ok(())
        }
    }

    #[test]
    fn error_falls_with_the_tolerance() {
        for scheme in [Scheme::DormandPrince, Scheme::PrinceDormand8] {
            let error = |relative: f64| {
                let tolerance = Tolerance { relative, absolute: relative };
                let mut run = Adaptive::new(scheme, tolerance, Limits::default(), 0.0, vec![1.0, 0.0]).unwrap();
                run.advance(&mut Oscillator, 20.0).unwrap();
                (run.state()[0] - 20.0_f64.cos()).abs()
            };
            let slope = (error(1e-6) / error(1e-10)).log10() / 4.0;
            assert!((0.8..1.3).contains(&slope), "{scheme:?} {slope}");
            assert!(error(1e-12) < 1e-10);
        }
    }

    /// A pole on the way ends in a typed error, not in an endless loop, and the state before it is kept.
    #[test]
    fn a_pole_is_reported() {
        let tolerance = Tolerance { relative: 1e-8, absolute: 1e-8 };
        let limits = Limits { steps: 100_000, ..Limits::default() };
        let mut run = Adaptive::new(Scheme::PrinceDormand8, tolerance, limits, 0.0, vec![0.0]).unwrap();
        let error = run.advance(&mut Pole, 2.0).unwrap_err();
        assert!(
            matches!(error, IntegrationError::StepUnderflow { .. } | IntegrationError::TooManySteps { .. }),
            "{error}"
        );
        assert!(run.time() < 1.0 && run.state()[0].is_finite());
        assert!(
            Adaptive::new(Scheme::PrinceDormand8, Tolerance { relative: 0.0, absolute: 1.0 }, limits, 0.0, vec![])
                .is_err()
        );
        assert!(run.advance(&mut Pole, f64::NAN).is_err());
    }
}
