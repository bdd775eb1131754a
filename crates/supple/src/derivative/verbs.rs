//! The verbs.

use super::by_dual::{self, Verb};
use super::result::Derivatives;
use crate::error::DynamicsError;
use crate::generic;
use crate::inputs::Inputs;
use crate::model::Model;
use crate::solution::Solution;
use crate::state::State;
use crate::workspace::Workspace;

/// [`forward_dynamics`](crate::forward_dynamics), and the derivatives of its accelerations with respect to displacements, speeds and forces. No
/// allocation.
///
/// # Errors
/// As [`forward_dynamics`](crate::forward_dynamics); derivatives made for another model.
pub fn forward_dynamics_derivatives<'w>(
    model: &Model,
    state: &State,
    inputs: &Inputs,
    workspace: &'w mut Workspace,
    derivatives: &mut Derivatives,
) -> Result<Solution<'w>, DynamicsError> {
    check(model, derivatives)?;
    generic::forward_dynamics(model, state, inputs, workspace)?;
    by_dual::differentiate(Verb::Forward, model, state, inputs, derivatives)?;
    generic::forward_dynamics(model, state, inputs, workspace)
}

/// [`inverse_dynamics`](crate::inverse_dynamics), and the derivatives of its forces with respect to displacements, speeds and accelerations. No
/// allocation.
///
/// # Errors
/// As [`inverse_dynamics`](crate::inverse_dynamics); derivatives made for another model.
pub fn inverse_dynamics_derivatives<'w>(
    model: &Model,
    state: &State,
    inputs: &Inputs,
    workspace: &'w mut Workspace,
    derivatives: &mut Derivatives,
) -> Result<Solution<'w>, DynamicsError> {
    check(model, derivatives)?;
    generic::inverse_dynamics(model, state, inputs, workspace)?;
    by_dual::differentiate(Verb::Inverse, model, state, inputs, derivatives)?;
    generic::inverse_dynamics(model, state, inputs, workspace)
}

/// [`hybrid_dynamics`](crate::hybrid_dynamics), and the derivatives of what it finds, accelerations or the forces of prescribed hinges, with respect
/// to displacements, speeds and what is given: forces, or the accelerations of prescribed hinges. No allocation.
///
/// # Errors
/// As [`hybrid_dynamics`](crate::hybrid_dynamics); derivatives made for another model.
pub fn hybrid_dynamics_derivatives<'w>(
    model: &Model,
    state: &State,
    inputs: &Inputs,
    workspace: &'w mut Workspace,
    derivatives: &mut Derivatives,
) -> Result<Solution<'w>, DynamicsError> {
    check(model, derivatives)?;
    generic::hybrid_dynamics(model, state, inputs, workspace)?;
    by_dual::differentiate(Verb::Hybrid, model, state, inputs, derivatives)?;
    generic::hybrid_dynamics(model, state, inputs, workspace)
}

fn check(model: &Model, derivatives: &Derivatives) -> Result<(), DynamicsError> {
    match derivatives.stamp == model.topology.stamp {
        true => Ok(()),
        false => Err(DynamicsError::OtherModel { what: "memory of derivatives" }),
    }
}
