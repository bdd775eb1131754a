//! Steps of all instances of a batch: the scheme of [`runge_kutta_step`], then the state brought back onto the closures of the model, all of
//! which act.

use super::memory::Memory;
use super::verb::Verb;
use crate::closure;
use crate::error::DynamicsError;
use crate::step::{StepWorkspace, runge_kutta_step};
use supple_spatial::Scalar;

/// A step of length `0`.
pub(super) struct Step(pub f64);

impl Verb for Step {
    fn prepare<T: Scalar>(&self, memory: &mut Memory<T>) {
        memory.step.get_or_insert_with(|| StepWorkspace::new(&memory.model));
    }

    /// The state of the memory is the result.
    fn run<T: Scalar>(&self, memory: &mut Memory<T>) -> Result<(), DynamicsError> {
        let Memory { model, state, inputs, workspace, step, .. } = memory;
        let step = step.get_or_insert_with(|| StepWorkspace::new(model));
        runge_kutta_step(model, (state, T::from_f64(self.0)), inputs, workspace, step)?;
        if model.closing.is_empty() {
            return Ok(());
        }
        closure::project(model, state, inputs, workspace)?;
        crate::check::state(model, state, workspace.stamp)
    }
}
