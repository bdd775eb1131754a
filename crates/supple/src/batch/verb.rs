//! What a batch does with every group of lanes.

use super::memory::Memory;
use crate::error::DynamicsError;
use crate::generic::{forward_dynamics, inverse_dynamics, kinematics, mass_matrix};
use crate::model::{BodyIndex, NodeIndex};
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

/// Position, angular velocity and velocity of nodes.
pub(super) struct NodeMotions<'a>(pub &'a [(BodyIndex, NodeIndex)]);

/// Numbers of a node in [`Batch::node_motions`](super::Batch::node_motions): position, angular velocity, velocity.
pub const NODE_MOTION: usize = 9;

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

impl Verb for NodeMotions<'_> {
    fn prepare<T: Scalar>(&self, memory: &mut Memory<T>) {
        memory.result.resize(NODE_MOTION * self.0.len(), T::ZERO);
    }

    fn run<T: Scalar>(&self, memory: &mut Memory<T>) -> Result<(), DynamicsError> {
        let Memory { model, state, workspace, result, .. } = memory;
        let found = kinematics(model, state, workspace)?;
        for (&(body, node), row) in self.0.iter().zip(result.chunks_exact_mut(NODE_MOTION)) {
            let velocity = found.node_velocity(body, node);
            row[..3].copy_from_slice(&found.node_position(body, node).0);
            row[3..6].copy_from_slice(&velocity.angular.0);
            row[6..].copy_from_slice(&velocity.linear.0);
        }
        Ok(())
    }
}
