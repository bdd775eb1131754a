//! What a batch does with every group of lanes.

use super::memory::Memory;
use crate::error::DynamicsError;
use crate::generic::{forward_dynamics, inverse_dynamics, mass_matrix};
use crate::workspace::DenseWorkspace;
use supple_spatial::Scalar;

/// From the state and the inputs of a [`Memory`] to its result, for any scalar.
pub(super) trait Verb: Sync {
    /// Makes the memory that the verb needs, so that [`run`](Self::run) does not allocate.
    fn prepare<T: Scalar>(&self, memory: &mut Memory<T>);
    /// Computes.
    fn run<T: Scalar>(&self, memory: &mut Memory<T>) -> Result<(), DynamicsError>;
}

/// Accelerations from forces.
pub(super) struct ForwardDynamics;

/// Forces from accelerations.
pub(super) struct InverseDynamics;

/// The mass matrix by rows.
pub(super) struct MassMatrix;

impl Verb for ForwardDynamics {
    fn prepare<T: Scalar>(&self, memory: &mut Memory<T>) {
        memory.result.resize(memory.model.speed_count(), T::ZERO);
    }

    fn run<T: Scalar>(&self, memory: &mut Memory<T>) -> Result<(), DynamicsError> {
        let Memory { model, state, inputs, workspace, result, .. } = memory;
        result.copy_from_slice(forward_dynamics(model, state, inputs, workspace)?.accelerations());
        Ok(())
    }
}

impl Verb for InverseDynamics {
    fn prepare<T: Scalar>(&self, memory: &mut Memory<T>) {
        memory.result.resize(memory.model.speed_count(), T::ZERO);
    }

    fn run<T: Scalar>(&self, memory: &mut Memory<T>) -> Result<(), DynamicsError> {
        let Memory { model, state, inputs, workspace, result, .. } = memory;
        result.copy_from_slice(inverse_dynamics(model, state, inputs, workspace)?.forces());
        Ok(())
    }
}

impl Verb for MassMatrix {
    fn prepare<T: Scalar>(&self, memory: &mut Memory<T>) {
        let n = memory.model.speed_count();
        memory.result.resize(n * n, T::ZERO);
        memory.dense.get_or_insert_with(|| DenseWorkspace::new(&memory.model));
    }

    fn run<T: Scalar>(&self, memory: &mut Memory<T>) -> Result<(), DynamicsError> {
        let Memory { model, state, workspace, result, dense, .. } = memory;
        let dense = dense.get_or_insert_with(|| DenseWorkspace::new(model));
        mass_matrix(model, state, workspace, dense, result)
    }
}
