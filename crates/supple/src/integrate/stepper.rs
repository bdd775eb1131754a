//! What an integrator asks of a scheme.
//!
//! One struct per scheme, with its own buffers and its own numbers in a checkpoint. A new scheme is one file and one line in
//! [`Scheme::stepper`](super::Scheme).

use super::equations::Equations;
use super::error::Failure;
use super::last_step::LastStep;
use super::settings::{Statistics, Stepping, Tolerance};
use super::shortfall::Shortfall;
use std::time::Instant;

/// A scheme in progress.
pub(super) trait Stepper: Send {
    /// Tries a step: the state at its end into `step.trial`. Gives the scaled error, at most one where the step may be accepted; zero at fixed
    /// steps.
    ///
    /// # Errors
    /// Why the step came to nothing; a smaller one may succeed.
    fn attempt(&mut self, step: &mut Attempt<'_>, equations: &mut dyn Equations) -> Result<f64, Failure>;

    /// The step tried last is accepted. Gives the rates at its end, where the scheme knows them.
    fn accept(&mut self, last: &LastStep, reached: &Reached<'_>) -> Option<&[f64]>;

    /// The step accepted last is taken back: it will be tried again with another size.
    fn take_back(&mut self) {}

    /// The equations change abruptly here: nothing of the past is of use.
    fn restart(&mut self) {}

    /// Power of the step that the error estimate follows.
    fn estimate_order(&self) -> f64;

    /// The step after one of size `tried` that was accepted with the scaled `error`; `planned` is what was to be tried, had the end been far.
    fn next_step(&mut self, tried: f64, planned: f64, error: f64) -> f64 {
        let growth = if error > 0.0 { 0.9 * error.powf(-1.0 / self.estimate_order()) } else { 5.0 };
        let grown = tried * growth.clamp(0.2, 5.0);
        // A step cut short by the end says nothing about the next one.
        if tried < planned { planned.max(grown) } else { grown }
    }

    /// What is left of a step that was rejected.
    fn shrink(&mut self, failure: &Failure) -> f64 {
        match failure {
            Failure::ErrorTooLarge(error) => (0.9 * error.powf(-1.0 / self.estimate_order())).clamp(0.1, 0.9),
            _ => 0.1,
        }
    }

    /// Whether steps are to end at kinks of the equations, where one is ahead. Each must start from the rates there, and have a length of its
    /// own.
    fn ends_at_kinks(&self) -> bool {
        false
    }

    /// The longest step that can follow.
    fn longest(&self) -> f64 {
        f64::INFINITY
    }

    /// Writes the state at the place `x`, from 0 to 1, of the last step, where the scheme has an extension of its own; otherwise it is cubic.
    fn within(
        &mut self,
        _x: f64,
        _last: &LastStep,
        _end: &[f64],
        _equations: &mut dyn Equations,
        _out: &mut [f64],
    ) -> bool {
        false
    }

    /// Whether [`within`](Self::within) needs the rates at both ends of the step.
    fn extends_by_rates(&self) -> bool {
        true
    }

    /// Steps that ended before their iteration had converged, where there were any.
    fn shortfall(&self) -> Option<Shortfall> {
        None
    }

    /// All numbers of its own that the next step depends on.
    fn save(&self) -> Vec<f64> {
        Vec::new()
    }

    /// Whether numbers can be those of [`save`](Self::save).
    fn accepts(&self, from: &[f64]) -> bool {
        from.is_empty()
    }

    /// Takes back what it [`accepts`](Self::accepts).
    fn load(&mut self, _from: &[f64]) {}
}

/// Rates at the start of a step.
#[derive(Clone, Debug)]
pub(super) struct Start {
    /// Whether they are still to be computed.
    pub fresh: bool,
    pub rates: Vec<f64>,
}

/// One step: from where, how far, and what is allowed.
pub(super) struct Attempt<'a> {
    pub time: f64,
    pub h: f64,
    pub y: &'a [f64],
    pub start: &'a mut Start,
    /// Result of the step.
    pub trial: &'a mut [f64],
    pub scale: Scale,
    pub statistics: &'a mut Statistics,
    pub deadline: Option<Instant>,
}

impl Attempt<'_> {
    /// Writes the rates of `y` at `t`.
    pub fn rates(&mut self, equations: &mut dyn Equations, t: f64, y: &[f64], out: &mut [f64]) -> Result<(), Failure> {
        evaluate(self.statistics, self.deadline, equations, (t, y), out)
    }

    /// Computes the rates at the start, where that is still to be done.
    pub fn begin(&mut self, equations: &mut dyn Equations) -> Result<(), Failure> {
        if self.start.fresh {
            evaluate(self.statistics, self.deadline, equations, (self.time, self.y), &mut self.start.rates)?;
            self.start.fresh = false;
        }
        Ok(())
    }

    /// The scaled error of a step that errs by `errors`.
    pub fn scaled(&self, errors: &[f64]) -> f64 {
        let [motion, integrals] = self.scale.norms(self.y, self.trial, errors);
        worse(motion, integrals)
    }
}

/// Rates, counted, and not after the deadline.
fn evaluate(
    statistics: &mut Statistics,
    deadline: Option<Instant>,
    equations: &mut dyn Equations,
    (t, y): (f64, &[f64]),
    out: &mut [f64],
) -> Result<(), Failure> {
    if deadline.is_some_and(|deadline| Instant::now() > deadline) {
        return Err(Failure::OutOfTime);
    }
    statistics.evaluations += 1;
    Ok(equations.rates(t, y, out)?)
}

/// How errors are judged.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    /// None at fixed steps.
    pub tolerance: Option<Tolerance>,
    /// Numbers of the motion; those behind are integrals, judged apart.
    pub motion: usize,
}

impl Scale {
    /// Root mean squares of the errors of motion and integrals, each error relative to what it may be; zero at fixed steps.
    pub fn norms(&self, before: &[f64], after: &[f64], errors: &[f64]) -> [f64; 2] {
        let Some(tolerance) = self.tolerance else { return [0.0; 2] };
        [0..self.motion, self.motion..errors.len()].map(|range| {
            let count = range.len().max(1) as f64;
            let square = |i: usize| {
                let scale = tolerance.absolute + tolerance.relative * before[i].abs().max(after[i].abs());
                (errors[i] / scale.max(f64::MIN_POSITIVE)).powi(2)
            };
            (range.map(square).sum::<f64>() / count).sqrt()
        })
    }
}

/// The larger of two errors; one that is not a number is too large.
pub(super) fn worse(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() { f64::INFINITY } else { a.max(b) }
}

/// The scaled error of a step to `trial`, if it may be accepted; zero at fixed steps.
pub(super) fn judge(stepping: Stepping, trial: &[f64], error: f64) -> Result<f64, Failure> {
    if let Some(index) = trial.iter().position(|x| !x.is_finite()) {
        return Err(Failure::NotFinite(index));
    }
    match stepping {
        Stepping::Fixed(_) => Ok(0.0),
        Stepping::Adaptive(_) if error <= 1.0 => Ok(error),
        Stepping::Adaptive(_) => Err(Failure::ErrorTooLarge(error)),
    }
}

/// A step that changes the state by about a hundredth of itself.
pub(super) fn gentle_step(tolerance: Tolerance, y: &[f64], rates: &[f64]) -> f64 {
    let (mut size, mut rate) = (0.0, 0.0);
    for (y, r) in y.iter().zip(rates) {
        let scale = tolerance.absolute + tolerance.relative * y.abs() + f64::MIN_POSITIVE;
        size += (y / scale).powi(2);
        rate += (r / scale).powi(2);
    }
    if rate > 0.0 && size > 0.0 { 0.01 * (size / rate).sqrt() } else { 1e-6 }
}

/// Where a step that was accepted ended.
pub(super) struct Reached<'a> {
    pub time: f64,
    /// The state there, brought back onto its manifold.
    pub y: &'a [f64],
}
