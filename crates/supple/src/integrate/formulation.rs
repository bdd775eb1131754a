//! Another formulation of the equations of motion than the sweeps.

use crate::energy::{Energy, Power};
use crate::error::DynamicsError;
use crate::inputs::Inputs;
use crate::model::ModelStamp;
use crate::state::State;

/// The equations of motion of a model by another formulation than the sweeps: a second derivation, to compare with the first.
///
/// [`Simulation::set_formulation`](super::Simulation::set_formulation) takes accelerations, energies and powers from it. Its answers are
/// those of its own equations, so that the energy ledger balances whatever it leaves out. Nothing is to be allocated after construction.
/// [`State::check`] and [`Inputs::check`] refuse numbers that do not fit, as the verbs do.
pub trait Formulation {
    /// The model that it was made for.
    fn stamp(&self) -> ModelStamp;

    /// Whether its equations are those of the sweeps, evaluated in another way, such as by generated code. Then it serves every scheme: what
    /// implicit ones freeze, energies and rows of results are left to the sweeps.
    fn is_that_of_sweeps(&self) -> bool {
        false
    }

    /// Writes accelerations and generalized forces, in the order of the speeds: those that `inputs`, force elements and gravity give, with
    /// prescribed hinges accelerated as `inputs` says by the forces that come out.
    ///
    /// # Errors
    /// Sizes that do not fit, numbers that are not finite, or a singular system.
    fn accelerations(
        &mut self,
        state: &State,
        inputs: &Inputs,
        accelerations: &mut [f64],
        forces: &mut [f64],
    ) -> Result<(), DynamicsError>;

    /// Energies, of which the accelerations are a consequence.
    ///
    /// # Errors
    /// Sizes that do not fit, or numbers that are not finite.
    fn energy(&mut self, state: &State) -> Result<Energy, DynamicsError>;

    /// Rates at which energy enters and leaves, right after [`accelerations`](Self::accelerations) at the same state and inputs; forces of
    /// prescribed hinges are those that came out there.
    ///
    /// # Errors
    /// Numbers that are not finite.
    fn power(&mut self, state: &State, inputs: &Inputs) -> Result<Power, DynamicsError>;
}
