//! An integration in progress: step after step, with step control, limits and typed errors.

use super::equations::{Equations, check_structure};
use super::error::{Failure, IntegrationError};
use super::kink;
use super::last_step::LastStep;
use super::scheme::Scheme;
use super::settings::{Limits, Statistics, Stepping, even_step};
use super::stepper::{Attempt, Reached, Scale, Start, Stepper, gentle_step, judge};
use std::time::Instant;

/// An integration in progress. No allocation after [`new`](Integrator::new).
pub struct Integrator {
    pub(super) scheme: Scheme,
    pub(super) stepper: Box<dyn Stepper>,
    pub(super) stepping: Stepping,
    pub(super) limits: Limits,
    pub(super) time: f64,
    /// Step to be tried next; zero before the first.
    pub(super) step: f64,
    pub(super) statistics: Statistics,
    pub(super) y: Vec<f64>,
    pub(super) trial: Vec<f64>,
    pub(super) start: Start,
    pub(super) last: LastStep,
}

impl std::fmt::Debug for Integrator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { scheme, stepping, limits, time, step, statistics, y, .. } = self;
        f.debug_struct("Integrator")
            .field("scheme", scheme)
            .field("stepping", stepping)
            .field("limits", limits)
            .field("time", time)
            .field("step", step)
            .field("statistics", statistics)
            .field("state", y)
            .finish_non_exhaustive()
    }
}

/// When a call ends at the latest.
pub(super) type Deadline = Option<Instant>;

impl Integrator {
    /// At `time` with the state `y`; `stepping` is a [`Tolerance`](super::Tolerance) or a fixed step.
    ///
    /// # Errors
    /// [`IntegrationError::BadRequest`] for a tolerance or step that is not positive, an empty state, numbers that are not finite, or a tolerance
    /// for a scheme without error estimate.
    pub fn new(
        scheme: Scheme,
        stepping: impl Into<Stepping>,
        limits: Limits,
        time: f64,
        y: Vec<f64>,
    ) -> Result<Self, IntegrationError> {
        let stepping = stepping.into();
        scheme.check(stepping)?;
        limits.check()?;
        let bad = |reason, value| Err(IntegrationError::BadRequest { reason, value });
        if !time.is_finite() {
            return bad("the start time must be finite", time);
        }
        if let Some(&value) = y.iter().find(|x| !x.is_finite()) {
            return bad("the initial state must be finite", value);
        }
        let n = y.len();
        if n == 0 {
            return bad("the state must have numbers to integrate, numbers found", 0.0);
        }
        Ok(Self {
            scheme,
            stepper: scheme.stepper(n),
            stepping,
            limits,
            time,
            step: 0.0,
            statistics: Statistics::default(),
            trial: vec![0.0; n],
            start: Start { fresh: true, rates: vec![0.0; n] },
            last: LastStep::new(time, n),
            y,
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
    ///
    /// # Errors
    /// Limits that make no sense; the old ones stay.
    pub fn set_limits(&mut self, limits: Limits) -> Result<(), IntegrationError> {
        limits.check()?;
        self.limits = limits;
        Ok(())
    }

    /// The state, to be changed; what follows starts from there.
    pub(super) fn replaced(&mut self) -> &mut [f64] {
        self.restart();
        self.last.forget(self.time);
        &mut self.y
    }

    /// The same at another time.
    pub(super) fn moved_to(&mut self, time: f64) -> &mut [f64] {
        self.time = time;
        self.replaced()
    }

    /// Tells the integrator that the equations change abruptly here, so that nothing of the last step is reused.
    pub fn restart(&mut self) {
        self.start.fresh = true;
        self.stepper.restart();
    }

    /// Integrates to `end` exactly.
    ///
    /// # Errors
    /// Why it stopped earlier; time and state are those of the last accepted step.
    pub fn advance(&mut self, equations: &mut dyn Equations, end: f64) -> Result<(), IntegrationError> {
        self.check_end(end)?;
        let deadline = self.deadline();
        while self.time < end {
            self.step_towards(equations, end, deadline)?;
        }
        Ok(())
    }

    /// Takes one step towards `end`, and not beyond it.
    ///
    /// # Errors
    /// Why no step could be taken.
    pub fn advance_step(&mut self, equations: &mut dyn Equations, end: f64) -> Result<(), IntegrationError> {
        self.check_end(end)?;
        if self.time < end { self.step_towards(equations, end, self.deadline()) } else { Ok(()) }
    }

    /// The times that [`sample`](Self::sample) covers: the last step.
    pub fn covered(&self) -> [f64; 2] {
        [self.last.from, self.time]
    }

    /// The state at a time within the last step, by its continuous extension: of order 4 with Dormand-Prince, of their own order with Gauss,
    /// Adams and BDF, cubic from states and rates at both ends with the others. May evaluate the equations once, for the next step.
    ///
    /// # Errors
    /// A time outside of the last step, a slice that has not the size of the state, or equations that cannot be evaluated.
    pub fn sample(&mut self, equations: &mut dyn Equations, time: f64, y: &mut [f64]) -> Result<(), IntegrationError> {
        if y.len() != self.y.len() {
            let reason = "the slice for a sample must have the size of the state, numbers found";
            return Err(IntegrationError::BadRequest { reason, value: y.len() as f64 });
        }
        let [from, to] = self.covered();
        if !(from..=to).contains(&time) {
            let reason = "only times within the last step can be sampled";
            return Err(IntegrationError::BadRequest { reason, value: time });
        }
        if time == to {
            y.copy_from_slice(&self.y);
            return Ok(());
        }
        self.complete(equations)?;
        let x = (time - from) / (to - from);
        if !self.stepper.within(x, &self.last, &self.y, equations, y) {
            self.last.at(x, &self.y, None, y);
        }
        equations.project(y);
        equations.close(time, y, false).map_err(|source| IntegrationError::Dynamics { time, source })
    }

    /// Makes sure that what the continuous extension of the last step needs is known.
    pub(super) fn complete(&mut self, equations: &mut dyn Equations) -> Result<(), IntegrationError> {
        if !self.last.needs_end() || !self.stepper.extends_by_rates() {
            return Ok(());
        }
        self.begin(equations)?;
        self.last.set_end(&self.start.rates);
        Ok(())
    }

    /// Computes the rates here, where that is still to be done.
    fn begin(&mut self, equations: &mut dyn Equations) -> Result<(), IntegrationError> {
        if self.start.fresh {
            let time = self.time;
            self.statistics.evaluations += 1;
            equations
                .rates(time, &self.y, &mut self.start.rates)
                .map_err(|source| IntegrationError::Dynamics { time, source })?;
            self.start.fresh = false;
        }
        Ok(())
    }

    /// Size of the last step.
    pub(super) fn last_step(&self) -> f64 {
        self.last.h
    }

    /// Takes the last step again, but with size `h`, up to `time`. What follows goes on from there.
    pub(super) fn redo(&mut self, equations: &mut dyn Equations, h: f64, time: f64) -> Result<(), IntegrationError> {
        let (from, step) = (self.last.from, self.step);
        self.y.copy_from_slice(&self.last.y);
        self.start.rates.copy_from_slice(&self.last.rates);
        self.start.fresh = false;
        self.stepper.take_back();
        self.time = from;
        let error = self.attempt(equations, h, None).map_err(|failure| failure.at(from, h))?;
        self.accept(h, time);
        if let Stepping::Adaptive(_) = self.stepping {
            // The scheme chooses what comes next as after the step itself; the size planned stays.
            self.stepper.next_step(h, step, error);
        }
        self.statistics.accepted -= 1;
        self.step = step;
        Ok(())
    }

    pub(super) fn check_end(&self, end: f64) -> Result<(), IntegrationError> {
        if !end.is_finite() || end < self.time {
            let reason = "the end must be finite and not before the present time";
            return Err(IntegrationError::BadRequest { reason, value: end });
        }
        Ok(())
    }

    pub(super) fn deadline(&self) -> Deadline {
        self.limits.wall.and_then(|wall| Instant::now().checked_add(wall))
    }

    /// One accepted step, after as many rejected ones as it takes.
    pub(super) fn step_towards(
        &mut self,
        equations: &mut dyn Equations,
        end: f64,
        deadline: Deadline,
    ) -> Result<(), IntegrationError> {
        check_structure(equations, self.scheme.needs_speeds(), self.y.len())?;
        if self.step == 0.0 {
            self.step = match self.stepping {
                Stepping::Adaptive(_) => self.first_step(equations, end)?,
                Stepping::Fixed(step) => step,
            };
        }
        loop {
            if self.statistics.accepted + self.statistics.rejected >= self.limits.steps {
                return Err(IntegrationError::TooManySteps { time: self.time, steps: self.limits.steps });
            }
            let whole = self.next_step(end);
            let cut = self.cut(equations, whole)?;
            let h = cut.unwrap_or(whole);
            let reached = if h == end - self.time { end } else { self.time + h };
            // A shorter step would advance the time by something else than its size, or not at all.
            if reached < end && h < self.least_step() {
                return Err(IntegrationError::StepUnderflow { time: self.time, step: h });
            }
            // What the time really advances by: otherwise its rounding adds up to a shift of all that moves.
            let h = reached - self.time;
            let outcome =
                self.attempt(equations, h, deadline).and_then(|error| judge(self.stepping, &self.trial, error));
            let failure = match outcome {
                Ok(error) => {
                    self.accept(h, reached);
                    // A step cut at a kink says nothing about those behind it.
                    if let (Stepping::Adaptive(_), None) = (self.stepping, cut) {
                        self.step = self.stepper.next_step(h, self.step, error);
                    }
                    return Ok(());
                }
                Err(failure) => failure,
            };
            if failure == Failure::OutOfTime {
                let wall = self.limits.wall.unwrap_or_default();
                return Err(IntegrationError::OutOfTime { time: self.time, wall });
            }
            self.statistics.rejected += 1;
            if let Stepping::Fixed(_) = self.stepping {
                let sound = !self.start.fresh || self.statistics.accepted > 0;
                return Err(if sound { failure.of_fixed_step(self.time, h) } else { failure.at(self.time, h) });
            }
            self.step = h * self.stepper.shrink(&failure);
            if self.step <= self.least_step() {
                let failure = match failure {
                    Failure::NoConvergence(_) => Failure::ErrorTooLarge(f64::INFINITY),
                    other => other,
                };
                return Err(failure.at(self.time, self.step));
            }
        }
    }

    /// The length of a step of at most `h` that ends at a kink, where there is one and the scheme asks for it.
    fn cut(&mut self, equations: &mut dyn Equations, h: f64) -> Result<Option<f64>, IntegrationError> {
        let Stepping::Adaptive(_) = self.stepping else { return Ok(None) };
        if equations.kinks().is_empty() || !self.stepper.ends_at_kinks() {
            return Ok(None);
        }
        self.begin(equations)?;
        let cut = kink::cut(equations.kinks(), &self.y, &self.start.rates, h);
        Ok(cut.filter(|cut| *cut < h && *cut >= self.least_step()))
    }

    /// The shortest step that is worth trying.
    fn least_step(&self) -> f64 {
        (self.limits.least_step * self.time.abs()).max(1e-300)
    }

    /// The next step, with an eye on the end.
    fn next_step(&self, end: f64) -> f64 {
        let left = end - self.time;
        let step = match self.stepping {
            Stepping::Fixed(step) => step,
            // What a short way to the last end left of the step is no reason to fail.
            Stepping::Adaptive(_) => self.step.min(self.stepper.longest()).max(self.least_step()),
        };
        let step = step.min(self.limits.greatest_step);
        match self.stepping {
            Stepping::Fixed(_) => even_step(step, left),
            Stepping::Adaptive(_) if step >= left => left,
            // The last two steps share what is left.
            Stepping::Adaptive(_) if 2.0 * step > left => (0.5 * left).max(self.least_step()).min(left),
            Stepping::Adaptive(_) => step,
        }
    }

    /// A step that changes the state by about a hundredth of itself.
    fn first_step(&mut self, equations: &mut dyn Equations, end: f64) -> Result<f64, IntegrationError> {
        let Stepping::Adaptive(tolerance) = self.stepping else { return Ok(end - self.time) };
        let time = self.time;
        self.begin(equations)?;
        let h = gentle_step(tolerance, &self.y, &self.start.rates);
        Ok(h.clamp(1e-9 * (end - time), end - time))
    }

    /// Tries a step: the state at its end into `trial`, and the scaled error.
    fn attempt(&mut self, equations: &mut dyn Equations, h: f64, deadline: Deadline) -> Result<f64, Failure> {
        let n = self.y.len();
        let tolerance = match self.stepping {
            Stepping::Adaptive(tolerance) => Some(tolerance),
            Stepping::Fixed(_) => None,
        };
        let scale = Scale { tolerance, motion: n - equations.quadratures().min(n) };
        let Self { stepper, time, y, trial, start, statistics, .. } = self;
        let mut attempt = Attempt { time: *time, h, y, start, trial, scale, statistics, deadline };
        let error = stepper.attempt(&mut attempt, equations)?;
        // A step that is too long is taken again, wherever it leads.
        let accepted = tolerance.is_none() || error <= 1.0;
        if accepted && trial.iter().all(|x| x.is_finite()) {
            equations.project(trial);
            equations.close(*time + h, trial, true).map_err(Failure::Dynamics)?;
        }
        Ok(error)
    }

    /// Makes `trial` the state at `time`.
    fn accept(&mut self, h: f64, time: f64) {
        std::mem::swap(&mut self.y, &mut self.trial);
        self.last.keep(self.time, h, &mut self.trial, &self.start.rates);
        self.time = time;
        self.statistics.accepted += 1;
        self.start.fresh = true;
        if let Some(rates) = self.stepper.accept(&self.last, &Reached { time, y: &self.y }) {
            self.start.rates.copy_from_slice(rates);
            self.start.fresh = false;
            self.last.set_end(rates);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::DynamicsError;
    use crate::integrate::Tolerance;

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
                let mut run = Integrator::new(scheme, tolerance, Limits::default(), 0.0, vec![1.0, 0.0]).unwrap();
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
        let mut run = Integrator::new(Scheme::PrinceDormand8, tolerance, limits, 0.0, vec![0.0]).unwrap();
        let error = run.advance(&mut Pole, 2.0).unwrap_err();
        assert!(
            matches!(error, IntegrationError::StepUnderflow { .. } | IntegrationError::TooManySteps { .. }),
            "{error}"
        );
        assert!(run.time() < 1.0 && run.state()[0].is_finite());
        assert!(
            Integrator::new(Scheme::PrinceDormand8, Tolerance { relative: 0.0, absolute: 1.0 }, limits, 0.0, vec![])
                .is_err()
        );
        assert!(run.advance(&mut Pole, f64::NAN).is_err());
    }
}
