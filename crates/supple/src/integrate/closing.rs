//! Closures that close and open while a motion goes on: grapple, berth, release, lock.

use super::error::IntegrationError;
use super::flat_state::pack;
use super::simulation::Simulation;
use crate::closure::{Impact, hold, strike};
use crate::error::DynamicsError;
use crate::model::ClosureHandle;

impl Simulation {
    /// Closes a closure here and now. The speeds jump: by the balance of momentum its own one becomes `-restitution` times what it was. With a
    /// restitution of zero it stays closed, otherwise it rebounds and is open; the energy lost is in the [ledger](super::Ledger).
    ///
    /// The frames are joined as they are: what is open between them is closed by the next steps, as a deviation from the closure. Watch for
    /// the instant at which they meet, or move them together first with [`assemble`](crate::assemble). No allocation.
    ///
    /// # Errors
    /// As [`strike`]; nothing is changed then.
    pub fn close(&mut self, closure: ClosureHandle, restitution: f64) -> Result<Impact, IntegrationError> {
        let time = self.integrator.time();
        let equations = &mut self.equations;
        let struck = strike(
            &equations.model,
            &mut equations.state,
            closure,
            restitution,
            &equations.inputs,
            &mut equations.workspace,
        );
        let impact = struck.map_err(|source| IntegrationError::Dynamics { time, source })?;
        let y = self.integrator.replaced();
        pack(&self.equations.state, y);
        if let Some(lost) = y.last_mut() {
            *lost += impact.lost;
        }
        self.settle_closures();
        Ok(impact)
    }

    /// Closes a closure here and now with its frames where they are: from now on it holds what it finds, see [`hold`](crate::hold). The speeds
    /// jump as in [`close`](Self::close), without restitution. No allocation.
    ///
    /// # Errors
    /// As [`close`](Self::close); nothing is changed then.
    pub fn hold(&mut self, closure: ClosureHandle) -> Result<Impact, IntegrationError> {
        let time = self.integrator.time();
        let Self { equations, .. } = self;
        let before = equations.state.held.get(closure.closure()).copied().flatten();
        hold(&equations.model, &mut equations.state, closure, &equations.inputs, &mut equations.workspace)
            .map_err(|source| IntegrationError::Dynamics { time, source })?;
        let closed = self.close(closure, 0.0);
        if closed.is_err() {
            self.equations.state.held[closure.closure()] = before;
        }
        closed
    }

    /// Opens a closure here and now; its forces vanish and nothing jumps. When it closes again, it does so where the model says.
    ///
    /// # Errors
    /// A closure of another model.
    pub fn open(&mut self, closure: ClosureHandle) -> Result<(), IntegrationError> {
        if closure.stamp() != self.equations.model.stamp() {
            let (time, source) = (self.integrator.time(), DynamicsError::OtherModel { what: "closure" });
            return Err(IntegrationError::Dynamics { time, source });
        }
        self.equations.state.closed[closure.closure()] = false;
        self.equations.state.held[closure.closure()] = None;
        self.settle_closures();
        Ok(())
    }

    /// Makes all that depends on them see which closures act.
    pub(super) fn settle_closures(&mut self) {
        self.sampled.closed.copy_from_slice(&self.equations.state.closed);
        self.sampled.held.copy_from_slice(&self.equations.state.held);
        self.equations.settle_closures();
        self.integrator.restart();
    }
}
