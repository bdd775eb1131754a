//! Force elements of the model: their generalized forces come from the sweeps, whatever the formulation of the dynamics.

use supple::generic::{bias_forces, energy, power};
use supple::spatial::Scalar;
use supple::{DynamicsError, Inputs, Model, Power, State, Terms, Workspace};

/// Memory to evaluate the elements of a model.
#[derive(Clone, Debug)]
pub(super) struct BookElements<T: Scalar> {
    workspace: Workspace<T>,
    inputs: Inputs<T>,
}

impl<T: Scalar> BookElements<T> {
    /// For a model that has elements.
    pub fn new(model: &Model<T>) -> Option<Self> {
        (!model.forces().is_empty()).then(|| Self { workspace: Workspace::new(model), inputs: Inputs::new(model) })
    }

    /// Adds their generalized forces to a right-hand side.
    pub fn add_forces(&mut self, model: &Model<T>, state: &State<T>, right: &mut [T]) -> Result<(), DynamicsError> {
        let terms = Terms { elements: true, ..Terms::NONE };
        let forces = bias_forces(model, state, &self.inputs, terms, &mut self.workspace)?;
        right.iter_mut().zip(forces.forces()).for_each(|(right, force)| *right -= *force);
        Ok(())
    }

    /// Energy stored in them.
    pub fn stored(&mut self, model: &Model<T>, state: &State<T>) -> Result<T, DynamicsError> {
        Ok(energy(model, state, &mut self.workspace)?.stored)
    }

    /// What they feed in and take.
    pub fn power(&mut self, model: &Model<T>, state: &State<T>) -> Result<Power<T>, DynamicsError> {
        power(model, state, &self.inputs, &mut self.workspace)
    }
}
