//! Steps of all instances of a batch: a scheme of [`step`](crate::step), then the state brought back onto the closures of the model, all of
//! which act.

use super::memory::Memory;
use super::verb::Verb;
use crate::closure;
use crate::error::DynamicsError;
use crate::step::{StageInputs, StepWorkspace, linearly_implicit_step, runge_kutta_step};
use supple_spatial::Scalar;

/// How a batch steps. Both schemes are of order four.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepScheme {
    /// The classical Runge-Kutta scheme: a mode of angular frequency ω grows without bound where ω times the step is above 2.8.
    RungeKutta,
    /// Stiffness and damping of the modes do not limit the step; modes faster than it are damped, not followed.
    LinearlyImplicit,
}

/// Steps of equal length, one after the other.
#[derive(Clone, Copy, Debug)]
pub struct Steps {
    /// How each is taken.
    pub scheme: StepScheme,
    /// Length of each, s.
    pub length: f64,
    /// How many.
    pub count: usize,
}

impl Verb for Steps {
    fn prepare<T: Scalar>(&self, memory: &mut Memory<T>) {
        memory.step.get_or_insert_with(|| StepWorkspace::new(&memory.model));
    }

    /// The state of the memory is the result.
    fn run<T: Scalar>(&self, memory: &mut Memory<T>) -> Result<(), DynamicsError> {
        let Memory { model, state, inputs, workspace, step, .. } = memory;
        let step = step.get_or_insert_with(|| StepWorkspace::new(model));
        let length = T::from_f64(self.length);
        let held = StageInputs::held(inputs);
        for _ in 0..self.count {
            match self.scheme {
                StepScheme::RungeKutta => runge_kutta_step(model, (state, length), held, workspace, step),
                StepScheme::LinearlyImplicit => linearly_implicit_step(model, (state, length), held, workspace, step),
            }?;
            if !model.closing.is_empty() {
                closure::project(model, state, inputs, workspace)?;
                crate::check::state(model, state, workspace.stamp)?;
            }
        }
        Ok(())
    }
}
