//! Derivatives of forward dynamics of trees without force elements, for any scalar: to be recorded or counted.

use super::memory::{Matrices, Recursion};
use super::result::is_holonomic;
use super::rigid::Rigid;
use super::solve::{self, Inverse};
use super::{inward, outward};
use crate::check;
use crate::error::DynamicsError;
use crate::generic;
use crate::inputs::Inputs;
use crate::model::Model;
use crate::solution::Solution;
use crate::state::State;
use crate::workspace::Workspace;
use supple_spatial::Scalar;

/// What [`Derivatives`](crate::Derivatives) are, for any scalar: of forward dynamics of trees without force elements and closures.
#[derive(Clone, Debug)]
pub struct TreeDerivatives<T = f64> {
    recursion: Recursion<T>,
    inverse: Inverse<T>,
    /// Rigid trees of few speeds need no articulated inertia.
    rigid: Option<Rigid<T>>,
    accelerations: Vec<T>,
    matrices: Matrices<T>,
}

impl<T: Scalar> TreeDerivatives<T> {
    /// Memory for `model`; `None` where the recursion does not cover it: with force elements, closures, or velocities that are not the rates of
    /// positions.
    pub fn new(model: &Model<T>) -> Option<Self> {
        let covered = model.elements.is_empty() && model.closing.is_empty() && is_holonomic(model);
        covered.then(|| Self::unchecked(model))
    }

    pub(crate) fn unchecked(model: &Model<T>) -> Self {
        let (n, inverse) = (model.speed_count(), Inverse::new(model));
        Self {
            recursion: Recursion::new(model),
            rigid: Rigid::new(model).filter(|_| !inverse.by_sweeps),
            inverse,
            accelerations: vec![T::ZERO; n],
            matrices: Matrices::new(n),
        }
    }

    /// With respect to displacements, at constant speeds, `n × n` by rows.
    pub fn displacement(&self) -> &[T] {
        &self.matrices.displacement
    }

    /// With respect to speeds.
    pub fn speed(&self) -> &[T] {
        &self.matrices.speed
    }

    /// With respect to forces: `𝓜⁻¹`.
    pub fn force(&self) -> &[T] {
        &self.matrices.input
    }

    /// All of them, after forward dynamics.
    pub(crate) fn differentiate(
        &mut self,
        model: &Model<T>,
        state: &State<T>,
        inputs: &Inputs<T>,
        ws: &mut Workspace<T>,
    ) {
        let Self { recursion, inverse, accelerations, matrices, .. } = self;
        accelerations.copy_from_slice(&ws.result);
        outward::columns(model, state, accelerations, ws, recursion);
        inward::entries(model, state, accelerations, &inputs.wrenches, ws, recursion);
        solve::accelerations(model, ws, recursion, inverse, matrices);
    }
}

/// [`forward_dynamics_derivatives`](crate::forward_dynamics_derivatives) for any scalar, of models that [`TreeDerivatives`] cover.
///
/// # Errors
/// As [`forward_dynamics`](crate::forward_dynamics).
pub fn tree_derivatives<'w, T: Scalar>(
    model: &Model<T>,
    state: &State<T>,
    inputs: &Inputs<T>,
    workspace: &'w mut Workspace<T>,
    derivatives: &mut TreeDerivatives<T>,
) -> Result<Solution<'w, T>, DynamicsError> {
    let TreeDerivatives { recursion, inverse, rigid, matrices, .. } = derivatives;
    match rigid {
        Some(rigid) if inputs.wrenches.is_empty() => {
            check::state(model, state, workspace.stamp)?;
            check::inputs(model, inputs)?;
            rigid.solve(model, (state, &inputs.forces), workspace, (recursion, inverse), matrices)?;
            solve::products(model.speed_count(), recursion, matrices);
            check::result("accelerations", &workspace.result, Some(inputs))?;
            workspace.second_result.copy_from_slice(&inputs.forces);
        }
        _ => {
            generic::forward_dynamics(model, state, inputs, workspace)?;
            derivatives.differentiate(model, state, inputs, workspace);
        }
    }
    Ok(Solution::new(model, &workspace.result, &workspace.second_result))
}
