//! Steps that are made elsewhere, such as on a GPU together with those of other simulations: until when the next ones go and what acts in them, and
//! where they led.
//!
//! Sampled blocks are called at their instants. Events are not looked for, and what is added up over the steps, ledger and statistics, stays as
//! it was.

use super::error::IntegrationError;
use super::model_equations::ModelEquations;
use super::simulation::Simulation;
use crate::error::DynamicsError;
use crate::inputs::Inputs;

impl Simulation {
    /// Where the next step on the way to `end` ends at the latest: at a break of the drive or an instant of sampled blocks, if one comes first.
    pub fn next_stop(&self, end: f64) -> Option<f64> {
        let now = self.integrator.time();
        self.next_stop_after(now, end)
    }

    /// The same seen from a later time.
    pub fn next_stop_after(&self, time: f64, end: f64) -> Option<f64> {
        let breaks = self.equations.drive.breaks().iter().copied().find(|at| *at > time);
        breaks.into_iter().chain(self.next_instant()).min_by(f64::total_cmp).filter(|stop| *stop <= end)
    }

    /// The next instant of sampled blocks, where there are any. What acts until then is known now.
    pub fn next_instant(&self) -> Option<f64> {
        self.equations.network.as_ref().and_then(|network| network.next_time())
    }

    /// Speeds on which sampled blocks act.
    pub fn driven_speeds(&self) -> Vec<usize> {
        self.equations.network.as_ref().map_or(Vec::new(), |network| network.driven_speeds())
    }

    /// What acts at a time, in a step that ends at `stop` at the latest: there it is what acted before. A drive that follows the state sees the one that was reached.
    ///
    /// # Errors
    /// A drive that changes how many inputs there are; brakes that are engaged, whose force follows the motion.
    pub fn acts_at(&mut self, time: f64, stop: Option<f64>) -> Result<&Inputs, DynamicsError> {
        if self.equations.network.as_ref().is_some_and(|network| network.is_braking()) {
            return Err(DynamicsError::OtherModel { what: "step" });
        }
        let now = self.equations.state.time;
        self.equations.state.time = if stop == Some(time) { time.next_down() } else { time };
        let written = self.equations.drive_here();
        self.equations.state.time = now;
        written?;
        Ok(&self.equations.inputs)
    }

    /// Goes to where steps led: coordinates, attitudes and speeds at `time`. Blocks whose instant has come are called.
    ///
    /// # Errors
    /// [`IntegrationError::BadRequest`] for another number of numbers, or one that is not finite; what blocks refuse.
    pub fn arrive(&mut self, time: f64, motion: &[f64]) -> Result<(), IntegrationError> {
        let bad = |reason, value| Err(IntegrationError::BadRequest { reason, value });
        let ledger = ModelEquations::ledger_size(&self.equations.model);
        if motion.len() + ledger != self.integrator.state().len() {
            return bad("as many numbers as coordinates, attitudes and speeds are needed, found", motion.len() as f64);
        }
        if let Some(value) = motion.iter().chain([&time]).find(|x| !x.is_finite()) {
            return bad("a state from elsewhere must be finite", *value);
        }
        self.integrator.moved_to(time)[..motion.len()].copy_from_slice(motion);
        self.settle();
        match self.next_instant() {
            Some(instant) if instant <= time => self.run_blocks(),
            _ => Ok(()),
        }
    }
}
