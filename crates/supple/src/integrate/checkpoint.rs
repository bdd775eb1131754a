//! An integration laid aside.

use super::error::IntegrationError;
use super::integrator::Integrator;
use super::settings::Statistics;

/// All numbers that an [`Integrator`](super::Integrator) needs to go on bit by bit as if it had not been interrupted.
#[derive(Clone, Debug, PartialEq)]
pub struct Checkpoint {
    /// Time reached.
    pub time: f64,
    /// Step to be tried next; zero before the first.
    pub step: f64,
    /// Whether the rates at this time are still to be computed.
    pub fresh: bool,
    /// State.
    pub y: Vec<f64>,
    /// Rates at this time; empty where they are still to be computed.
    pub rates: Vec<f64>,
    /// What the scheme itself remembers of the steps behind.
    pub scheme: Vec<f64>,
    /// Work done so far.
    pub statistics: Statistics,
}

impl Checkpoint {
    pub(super) fn check(&self, n: usize, scheme_fits: bool) -> Result<(), IntegrationError> {
        let bad = |reason, value| Err(IntegrationError::BadRequest { reason, value });
        let rates = if self.fresh { 0 } else { n };
        for (found, expected) in [(self.y.len(), n), (self.rates.len(), rates)] {
            if found != expected {
                return bad("the checkpoint is of another scheme or model, numbers found", found as f64);
            }
        }
        let numbers = self.y.iter().chain(&self.rates).chain(&self.scheme).chain([&self.time, &self.step]);
        if let Some(&value) = numbers.into_iter().find(|x| !x.is_finite()) {
            return bad("a checkpoint must be finite", value);
        }
        if !scheme_fits {
            let reason = "the checkpoint has numbers of another scheme or model, numbers found";
            return bad(reason, self.scheme.len() as f64);
        }
        if self.step < 0.0 {
            return bad("the step of a checkpoint must not be negative", self.step);
        }
        Ok(())
    }
}

impl Integrator {
    /// All that is needed to go on from here, bit by bit as if there had been no interruption.
    pub fn checkpoint(&self) -> Checkpoint {
        Checkpoint {
            time: self.time,
            step: self.step,
            fresh: self.start.fresh,
            y: self.y.clone(),
            rates: if self.start.fresh { Vec::new() } else { self.start.rates.clone() },
            scheme: self.stepper.save(),
            statistics: self.statistics,
        }
    }

    /// Goes back to a checkpoint of an integrator of the same scheme and equations.
    ///
    /// # Errors
    /// [`IntegrationError::BadRequest`] where sizes do not fit or numbers are not finite; nothing is changed then.
    pub fn restore(&mut self, from: &Checkpoint) -> Result<(), IntegrationError> {
        from.check(self.y.len(), self.stepper.accepts(&from.scheme))?;
        self.time = from.time;
        self.step = from.step;
        self.start.fresh = from.fresh;
        self.y.copy_from_slice(&from.y);
        if !from.fresh {
            self.start.rates.copy_from_slice(&from.rates);
        }
        self.stepper.load(&from.scheme);
        self.statistics = from.statistics;
        self.last.forget(self.time);
        Ok(())
    }
}
