//! An integration in progress: step after step, with step control, limits and typed errors.

use super::adams::{self, History};
use super::checkpoint::Checkpoint;
use super::dense::Dense;
use super::equations::Equations;
use super::error::{Failure, IntegrationError};
use super::exponential::{self, Oscillation};
use super::gauss::{self, Collocation};
use super::scheme::Scheme;
use super::settings::{Limits, Statistics, Stepping};
use super::{additive, explicit, generalized_alpha, linearly_implicit};
use std::time::Instant;

/// Steps between two looks at the clock.
const CLOCK: u32 = 64;

/// An integration in progress. No allocation after [`new`](Integrator::new).
#[derive(Clone, Debug)]
pub struct Integrator {
    pub(super) scheme: Scheme,
    stepping: Stepping,
    limits: Limits,
    time: f64,
    step: f64,
    fresh: bool,
    pub(super) statistics: Statistics,
    y: Vec<f64>,
    pub(super) work: Work,
    dense: Dense,
}

/// Buffers of a step.
#[derive(Clone, Debug)]
pub(super) struct Work {
    /// Result of the step.
    pub trial: Vec<f64>,
    /// State of a stage.
    pub stage: Vec<f64>,
    /// Rates of the stages; the first are those at the start of the step.
    pub rates: Vec<f64>,
    /// `A Z` of the stages of the linearly implicit scheme.
    pub linear: Vec<f64>,
    /// Error of the step, or corrections.
    pub error: Vec<f64>,
    /// The error by a second estimate of lower order, where the scheme has one.
    pub coarse: Vec<f64>,
    /// Of the exponential scheme.
    pub oscillation: Oscillation,
    /// Of the exponential Adams scheme.
    pub history: History,
    /// Of Gauss' collocation.
    pub collocation: Collocation,
    /// Algorithmic accelerations of generalized-alpha at the start and at the end of the step.
    pub algorithmic: [Vec<f64>; 2],
}

/// One step: from where, how far, and whether the first rates are still to be computed.
pub(super) struct Attempt<'a> {
    pub time: f64,
    pub h: f64,
    pub y: &'a [f64],
    pub fresh: bool,
    pub work: &'a mut Work,
    pub statistics: &'a mut Statistics,
}

/// Where a call stops on its way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Deadline {
    start: Option<Instant>,
    countdown: u32,
}

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
        let implicit = scheme == Scheme::LinearlyImplicit;
        let stages = match scheme.tableau() {
            Some(tableau) => tableau.stages,
            None if implicit => additive::STAGES,
            None => 2,
        };
        let zeros = |count: usize| vec![0.0; count];
        let algorithmic = if let Scheme::GeneralizedAlpha { .. } = scheme { n } else { 0 };
        let work = Work {
            trial: zeros(n),
            stage: zeros(n),
            rates: zeros(n * stages),
            linear: zeros(if implicit { n * stages } else { 0 }),
            error: zeros(n),
            coarse: zeros(if scheme.tableau().is_some_and(|t| !t.coarse.is_empty()) { n } else { 0 }),
            oscillation: if scheme.is_exponential() { Oscillation::new(n) } else { Oscillation::default() },
            history: if scheme == Scheme::ExponentialAdams { History::new(n) } else { History::default() },
            collocation: match scheme {
                Scheme::Gauss { stages, .. } => Collocation::new(stages as usize, n),
                _ => Collocation::default(),
            },
            algorithmic: [zeros(algorithmic), zeros(algorithmic)],
        };
        let (fresh, statistics) = (true, Statistics::default());
        let dense = Dense::new(scheme, time, n);
        Ok(Self { scheme, stepping, limits, time, step: 0.0, fresh, statistics, y, work, dense })
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

    /// Tells the integrator that the equations change abruptly here, so that nothing of the last step is reused.
    pub fn restart(&mut self) {
        self.fresh = true;
        self.work.collocation.forget();
    }

    /// All that is needed to go on from here, bit by bit as if there had been no interruption.
    pub fn checkpoint(&self) -> Checkpoint {
        let n = self.y.len();
        Checkpoint {
            time: self.time,
            step: self.step,
            fresh: self.fresh,
            y: self.y.clone(),
            rates: if self.fresh { Vec::new() } else { self.work.rates[..n].to_vec() },
            algorithmic: self.work.algorithmic[0].clone(),
            history: match self.scheme {
                Scheme::Gauss { .. } => self.work.collocation.save(),
                _ => self.work.history.save(),
            },
            statistics: self.statistics,
        }
    }

    /// Goes back to a checkpoint of an integrator of the same scheme and equations.
    ///
    /// # Errors
    /// [`IntegrationError::BadRequest`] where sizes do not fit or numbers are not finite; nothing is changed then.
    pub fn restore(&mut self, from: &Checkpoint) -> Result<(), IntegrationError> {
        let n = self.y.len();
        let history = self.work.history.accepts(&from.history) || self.work.collocation.accepts(&from.history);
        from.check(n, self.work.algorithmic[0].len(), history)?;
        self.time = from.time;
        self.step = from.step;
        self.fresh = from.fresh;
        self.y.copy_from_slice(&from.y);
        if !from.fresh {
            self.work.rates[..n].copy_from_slice(&from.rates);
        }
        self.work.algorithmic[0].copy_from_slice(&from.algorithmic);
        match self.scheme {
            Scheme::Gauss { .. } => self.work.collocation.load(&from.history),
            _ => self.work.history.load(&from.history),
        }
        self.statistics = from.statistics;
        self.dense.forget(self.time);
        Ok(())
    }

    /// Integrates to `end` exactly.
    ///
    /// # Errors
    /// Why it stopped earlier; time and state are those of the last accepted step.
    pub fn advance(&mut self, equations: &mut impl Equations, end: f64) -> Result<(), IntegrationError> {
        self.check_end(end)?;
        let mut deadline = self.deadline();
        while self.time < end {
            self.step_towards(equations, end, &mut deadline)?;
        }
        Ok(())
    }

    /// Takes one step towards `end`, and not beyond it.
    ///
    /// # Errors
    /// Why no step could be taken.
    pub fn advance_step(&mut self, equations: &mut impl Equations, end: f64) -> Result<(), IntegrationError> {
        self.check_end(end)?;
        if self.time < end { self.step_towards(equations, end, &mut self.deadline()) } else { Ok(()) }
    }

    /// The times that [`sample`](Self::sample) covers: the last step.
    pub fn covered(&self) -> [f64; 2] {
        [self.dense.from(), self.time]
    }

    /// The state at a time within the last step, by its continuous extension: of order 4 with Dormand-Prince, cubic from states and rates
    /// at both ends with the others. May evaluate the equations once, for the next step.
    ///
    /// # Errors
    /// A time outside of the last step, a slice that has not the size of the state, or equations that cannot be evaluated.
    pub fn sample(&mut self, equations: &mut impl Equations, time: f64, y: &mut [f64]) -> Result<(), IntegrationError> {
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
        if let Scheme::Gauss { .. } = self.scheme {
            let change = self.work.collocation.change_at((time - from) / (to - from), equations);
            y.iter_mut().zip(self.dense.start().iter().zip(change)).for_each(|(y, (start, x))| *y = start + x);
        } else {
            self.complete(equations)?;
            self.dense.at(time, to, &self.y, y);
        }
        equations.project(y);
        Ok(())
    }

    /// Makes sure that the rates at the end of the last step are known.
    pub(super) fn complete(&mut self, equations: &mut impl Equations) -> Result<(), IntegrationError> {
        let (n, time) = (self.y.len(), self.time);
        if !self.dense.needs_end() || matches!(self.scheme, Scheme::Gauss { .. }) {
            return Ok(());
        }
        if self.fresh {
            self.statistics.evaluations += 1;
            equations
                .rates(time, &self.y, &mut self.work.rates[..n])
                .map_err(|source| IntegrationError::Dynamics { time, source })?;
            self.fresh = false;
        }
        self.dense.set_end(&self.work.rates[..n]);
        Ok(())
    }

    /// Size of the last step.
    pub(super) fn last_step(&self) -> f64 {
        self.dense.step()
    }

    /// Takes the last step again, but with size `h`, up to `time`. What follows goes on from there.
    pub(super) fn redo(&mut self, equations: &mut impl Equations, h: f64, time: f64) -> Result<(), IntegrationError> {
        let n = self.y.len();
        let (from, step) = (self.dense.from(), self.step);
        // The other way round than at its acceptance: the state before the step is the start again.
        self.dense.restore(&mut self.y, &mut self.work.rates[..n], &mut self.work.algorithmic[0]);
        self.work.history.pop();
        self.work.collocation.pop();
        self.time = from;
        self.fresh = false;
        match self.attempt(equations, h) {
            Ok(_) => self.accept(equations, h, time),
            Err(failure) => return Err(failure.at(from, h)),
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
        Deadline { start: self.limits.wall.map(|_| Instant::now()), countdown: CLOCK }
    }

    /// Checks that what the equations say about their state fits it.
    fn check_structure(&self, equations: &impl Equations) -> Result<(), IntegrationError> {
        let (n, speeds) = (self.y.len(), equations.speeds());
        let bad = |reason, value: usize| Err(IntegrationError::BadRequest { reason, value: value as f64 });
        if matches!(self.scheme, Scheme::GeneralizedAlpha { .. }) && speeds.is_empty() {
            return bad("generalized-alpha needs equations of second order, speeds found", 0);
        }
        if speeds.start > speeds.end || speeds.end > n {
            return bad("the speeds of the equations lie outside of the state, they end at", speeds.end);
        }
        if equations.quadratures() > n {
            return bad(
                "the equations have more integrals than the state has numbers, integrals found",
                equations.quadratures(),
            );
        }
        Ok(())
    }

    /// One accepted step, after as many rejected ones as it takes.
    pub(super) fn step_towards(
        &mut self,
        equations: &mut impl Equations,
        end: f64,
        deadline: &mut Deadline,
    ) -> Result<(), IntegrationError> {
        self.check_structure(equations)?;
        if self.step == 0.0 {
            self.step = match self.stepping {
                Stepping::Adaptive(_) => self.first_step(equations, end)?,
                Stepping::Fixed(step) => step,
            };
        }
        loop {
            self.check_budget(deadline)?;
            let h = self.next_step(end);
            let reached = if h == end - self.time { end } else { self.time + h };
            // What the time really advances by: otherwise its rounding adds up to a shift of all that moves.
            let h = reached - self.time;
            let outcome = self.attempt(equations, h).and_then(|error| self.judge(error));
            match (outcome, self.stepping) {
                (Ok(error), stepping) => {
                    self.accept(equations, h, reached);
                    if let Stepping::Adaptive(_) = stepping {
                        let growth = if error > 0.0 { 0.9 * error.powf(-1.0 / self.estimate_order()) } else { 5.0 };
                        // A step cut short by the end says nothing about the next one.
                        let grown = h * growth.clamp(0.2, 5.0);
                        self.step = if h < self.step { self.step.max(grown) } else { grown };
                    }
                    return Ok(());
                }
                (Err(failure), Stepping::Fixed(_)) => {
                    self.statistics.rejected += 1;
                    return Err(failure.at(self.time, h));
                }
                (Err(failure), Stepping::Adaptive(_)) => {
                    self.statistics.rejected += 1;
                    let shrink = match failure {
                        Failure::ErrorTooLarge(error) => 0.9 * error.powf(-1.0 / self.estimate_order()),
                        _ => 0.1,
                    };
                    self.step = h * shrink.clamp(0.1, 0.9);
                    let least = self.limits.least_step * self.time.abs().max(f64::MIN_POSITIVE);
                    if self.step <= least || self.step < 1e-300 {
                        return Err(failure.at(self.time, self.step));
                    }
                }
            }
        }
    }

    fn check_budget(&self, deadline: &mut Deadline) -> Result<(), IntegrationError> {
        let time = self.time;
        if self.statistics.accepted + self.statistics.rejected >= self.limits.steps {
            return Err(IntegrationError::TooManySteps { time, steps: self.limits.steps });
        }
        deadline.countdown -= 1;
        if deadline.countdown == 0 {
            deadline.countdown = CLOCK;
            if let (Some(start), Some(wall)) = (deadline.start, self.limits.wall)
                && start.elapsed() > wall
            {
                return Err(IntegrationError::OutOfTime { time, wall });
            }
        }
        Ok(())
    }

    /// The next step, with an eye on the end.
    fn next_step(&self, end: f64) -> f64 {
        let (left, step) = (end - self.time, self.step.min(self.limits.greatest_step));
        match self.stepping {
            // Equal steps up to the end; rounding of the time makes no step more.
            Stepping::Fixed(_) => left / (left / step - 1e-6).ceil().max(1.0),
            Stepping::Adaptive(_) if step >= left => left,
            // The last two steps share what is left.
            Stepping::Adaptive(_) if 2.0 * step > left => 0.5 * left,
            Stepping::Adaptive(_) => step,
        }
    }

    /// Power of the step that the error estimate follows.
    fn estimate_order(&self) -> f64 {
        f64::from(match (self.scheme, self.scheme.tableau()) {
            (_, Some(tableau)) => tableau.order,
            (Scheme::ExponentialAdams, _) => adams::NODES as i32 + 1,
            _ => additive::ORDER,
        })
    }

    /// The scaled error, if the step may be accepted.
    fn judge(&self, error: f64) -> Result<f64, Failure> {
        if let Some(index) = self.work.trial.iter().position(|x| !x.is_finite()) {
            return Err(Failure::NotFinite(index));
        }
        match self.stepping {
            Stepping::Fixed(_) => Ok(0.0),
            Stepping::Adaptive(_) if error <= 1.0 => Ok(error),
            Stepping::Adaptive(_) => Err(Failure::ErrorTooLarge(error)),
        }
    }

    /// A step that changes the state by about a hundredth of itself.
    fn first_step(&mut self, equations: &mut impl Equations, end: f64) -> Result<f64, IntegrationError> {
        let Stepping::Adaptive(tolerance) = self.stepping else { return Ok(end - self.time) };
        let (n, time) = (self.y.len(), self.time);
        self.statistics.evaluations += 1;
        equations
            .rates(time, &self.y, &mut self.work.rates[..n])
            .map_err(|source| IntegrationError::Dynamics { time, source })?;
        self.fresh = false;
        let (mut size, mut rate) = (0.0, 0.0);
        for (y, r) in self.y.iter().zip(&self.work.rates[..n]) {
            let scale = tolerance.absolute + tolerance.relative * y.abs() + f64::MIN_POSITIVE;
            size += (y / scale).powi(2);
            rate += (r / scale).powi(2);
        }
        let h = if rate > 0.0 && size > 0.0 { 0.01 * (size / rate).sqrt() } else { 1e-6 };
        Ok(h.clamp(1e-9 * (end - time), end - time))
    }

    /// Tries a step: `work.trial` and the scaled error.
    fn attempt(&mut self, equations: &mut impl Equations, h: f64) -> Result<f64, Failure> {
        let Self { scheme, work, statistics, y, time, fresh, .. } = self;
        let mut attempt = Attempt { time: *time, h, y, fresh: *fresh, work, statistics };
        match *scheme {
            Scheme::LinearlyImplicit => linearly_implicit::attempt(&mut attempt, equations)?,
            Scheme::Exponential => exponential::attempt(&mut attempt, equations)?,
            Scheme::ExponentialAdams => adams::attempt(&mut attempt, equations)?,
            Scheme::Gauss { tolerance, .. } => gauss::attempt(&mut attempt, equations, tolerance)?,
            Scheme::GeneralizedAlpha { spectral_radius } => {
                generalized_alpha::attempt(&mut attempt, equations, spectral_radius)?;
            }
            scheme => {
                if let Some(tableau) = scheme.tableau() {
                    explicit::attempt(&mut attempt, equations, tableau)?;
                }
            }
        }
        // The first rates are known now, also where the step is rejected.
        self.fresh = false;
        Ok(self.scaled_error(equations.quadratures()))
    }

    /// The mean error of the motion or that of the integrals at the end of `y`, whichever is larger.
    fn scaled_error(&self, quadratures: usize) -> f64 {
        let Stepping::Adaptive(tolerance) = self.stepping else { return 0.0 };
        let mean = |errors: &[f64], range: std::ops::Range<usize>| {
            let count = range.len().max(1) as f64;
            let square = |i: usize| {
                let scale = tolerance.absolute + tolerance.relative * self.y[i].abs().max(self.work.trial[i].abs());
                (errors[i] / scale.max(f64::MIN_POSITIVE)).powi(2)
            };
            (range.map(square).sum::<f64>() / count).sqrt()
        };
        let estimate = |range: std::ops::Range<usize>| {
            let error = mean(&self.work.error, range.clone());
            if self.work.coarse.is_empty() || error == 0.0 {
                return error;
            }
            let coarse = mean(&self.work.coarse, range);
            error / (1.0 + 0.01 * (coarse / error).powi(2)).sqrt()
        };
        let motion = self.y.len() - quadratures.min(self.y.len());
        let (error, integrals) = (estimate(0..motion), estimate(motion..self.y.len()));
        if error.is_nan() || integrals.is_nan() { f64::INFINITY } else { error.max(integrals) }
    }

    /// Makes `work.trial` the state at `time`.
    fn accept(&mut self, equations: &mut impl Equations, h: f64, time: f64) {
        let (n, work) = (self.y.len(), &mut self.work);
        self.dense.begin(self.time, h, &work.rates, &work.algorithmic[0]);
        work.collocation.push();
        work.history.push(time, &work.stage, &work.rates[n..(2 * n).min(work.rates.len())]);
        std::mem::swap(&mut self.y, &mut work.trial);
        self.dense.keep_start(&mut work.trial);
        equations.project(&mut self.y);
        self.time = time;
        self.statistics.accepted += 1;
        self.fresh = true;
        let last = match (self.scheme, self.scheme.tableau()) {
            (_, Some(tableau)) if tableau.first_same_as_last => Some(tableau.stages - 1),
            (Scheme::GeneralizedAlpha { .. } | Scheme::Exponential | Scheme::ExponentialAdams, _) => Some(1),
            _ => None,
        };
        if let Some(last) = last {
            work.rates.copy_within(last * n..(last + 1) * n, 0);
            self.fresh = false;
            self.dense.set_end(&work.rates[..n]);
        }
        let [start, end] = &mut work.algorithmic;
        std::mem::swap(start, end);
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
