//! Steps of all instances of a batch: a scheme of [`step`](crate::step), then the state brought back onto the closures of the model, all of
//! which act.

use super::memory::Memory;
use super::verb::Verb;
use crate::closure;
use crate::error::DynamicsError;
use crate::step::{StepWorkspace, linearly_implicit_step, runge_kutta_step};
use supple_spatial::Scalar;

/// A step of a length in seconds.
pub(super) enum Step {
    RungeKutta(f64),
    LinearlyImplicit(f64),
}

impl Verb for Step {
    fn prepare<T: Scalar>(&self, memory: &mut Memory<T>) {
        memory.step.get_or_insert_with(|| StepWorkspace::new(&memory.model));
    }

    /// The state of the memory is the result.
    fn run<T: Scalar>(&self, memory: &mut Memory<T>) -> Result<(), DynamicsError> {
        let Memory { model, state, inputs, workspace, step, .. } = memory;
        let step = step.get_or_insert_with(|| StepWorkspace::new(model));
        match *self {
            Self::RungeKutta(length) => runge_kutta_step(model, (state, T::from_f64(length)), inputs, workspace, step),
            Self::LinearlyImplicit(length) => {
                linearly_implicit_step(model, (state, T::from_f64(length)), inputs, workspace, step)
            }
        }?;
        if model.closing.is_empty() {
            return Ok(());
        }
        closure::project(model, state, inputs, workspace)?;
        crate::check::state(model, state, workspace.stamp)
    }
}
