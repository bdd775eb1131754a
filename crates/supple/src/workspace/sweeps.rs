//! The sweeps over the stages of one workspace, as verbs call them: each borrows the stages that it reads and those that it fills.

use super::Workspace;
use crate::check;
use crate::error::DynamicsError;
use crate::inputs::Inputs;
use crate::model::Model;
use crate::state::State;
use crate::sweep;
use crate::terms::Terms;
use supple_spatial::Scalar;

impl<T: Scalar> Workspace<T> {
    /// Outward: place, velocity and bias of each body; then what acts on it.
    #[inline(always)]
    pub(crate) fn move_and_load(&mut self, model: &Model<T>, state: &State<T>, inputs: &Inputs<T>, terms: Terms) {
        let Self { configuration, modal, velocity, bias, applied, .. } = self;
        sweep::motion::motion(model, state, terms, configuration, modal, velocity, bias);
        sweep::loads::subtract_loads(model, state, &inputs.wrenches, terms, configuration, bias);
        let motors = &inputs.element_forces;
        sweep::applied::apply_elements(model, state, motors, terms, configuration, velocity, applied, bias);
    }

    /// Outward, without velocities: where each body is, and the mass of its modes.
    #[inline(always)]
    pub(crate) fn place_and_weigh(&mut self, model: &Model<T>, state: &State<T>) {
        let Self { configuration, modal, .. } = self;
        sweep::configuration::configuration(model, state, configuration);
        sweep::modal_mass::modal_mass(model, state, configuration, modal);
    }

    /// Inward: modes, then hinge, of each body eliminated by the methods that `articulated` has
    ///
    /// # Errors
    /// A singular configuration.
    #[inline(always)]
    pub(crate) fn factor(&mut self, model: &Model<T>, state: &State<T>) -> Result<(), DynamicsError> {
        let Self { configuration, modal, articulated, .. } = self;
        let definite = sweep::articulation::factor(model, state, configuration, modal, articulated);
        check::definite(model, definite, articulated)
    }

    /// Outward: accelerations into `result` for the residual forces that are there; of prescribed hinges `result` is read.
    /// With `BIAS` those of velocities and gravity are in
    #[inline(always)]
    pub(crate) fn accelerate<const BIAS: bool>(&mut self, model: &Model<T>) {
        let Self { configuration, modal, articulated, residual, bias, acceleration, result, .. } = self;
        sweep::acceleration::acceleration::<T, BIAS>(
            model,
            configuration,
            modal,
            articulated,
            residual,
            bias,
            acceleration,
            result,
        );
    }
}
