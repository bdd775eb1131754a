//! The verbs.

use super::by_dual::{self, Verb};
use super::closure::{Closures, Equations};
use super::memory::Matrices;
use super::result::Derivatives;
use super::{inward, outward, solve};
use crate::check;
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
    fits(model, derivatives)?;
    generic::forward_dynamics(model, state, inputs, workspace)?;
    if derivatives.by_dual.is_some() {
        by_dual::differentiate(Verb::Forward, model, state, inputs, derivatives)?;
    } else {
        derivatives.accelerations.copy_from_slice(&workspace.result);
        accelerations(model, state, inputs, None, workspace, derivatives);
    }
    finite(derivatives)?;
    Ok(Solution::new(model, &workspace.result, &workspace.second_result).closed_by(&workspace.closing))
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
    fits(model, derivatives)?;
    generic::inverse_dynamics(model, state, inputs, workspace)?;
    if derivatives.by_dual.is_some() {
        by_dual::differentiate(Verb::Inverse, model, state, inputs, derivatives)?;
    } else {
        derivatives.accelerations.copy_from_slice(&inputs.accelerations);
        forces(model, state, inputs, false, workspace, derivatives);
        let Derivatives { matrices: Matrices { displacement, speed, input }, recursion, .. } = derivatives;
        displacement.copy_from_slice(&recursion.displacement);
        speed.copy_from_slice(&recursion.speed);
        input.copy_from_slice(&recursion.mass);
    }
    finite(derivatives)?;
    Ok(Solution::new(model, &workspace.second_result, &workspace.result).with_wrenches(workspace))
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
    fits(model, derivatives)?;
    generic::hybrid_dynamics(model, state, inputs, workspace)?;
    if derivatives.by_dual.is_some() {
        by_dual::differentiate(Verb::Hybrid, model, state, inputs, derivatives)?;
    } else {
        derivatives.accelerations.copy_from_slice(&workspace.result);
        accelerations(model, state, inputs, Some(&inputs.prescribed), workspace, derivatives);
    }
    finite(derivatives)?;
    Ok(Solution::new(model, &workspace.result, &workspace.second_result).closed_by(&workspace.closing))
}

fn fits(model: &Model, derivatives: &Derivatives) -> Result<(), DynamicsError> {
    match derivatives.stamp == model.topology.stamp {
        true => Ok(()),
        false => Err(DynamicsError::OtherModel { what: "memory of derivatives" }),
    }
}

fn finite(derivatives: &Derivatives) -> Result<(), DynamicsError> {
    let Matrices { displacement, speed, input } = &derivatives.matrices;
    [displacement, speed, input].into_iter().try_for_each(|matrix| check::result("derivatives", matrix, None))
}

/// Derivatives of inverse dynamics at the accelerations that are there, after a verb; with the forces of closures where it `obeys` them.
fn forces(
    model: &Model,
    state: &State,
    inputs: &Inputs,
    obeys: bool,
    workspace: &mut Workspace,
    derivatives: &mut Derivatives,
) {
    let Derivatives { accelerations, recursion, laws, closures, .. } = derivatives;
    if !(model.elements.is_empty() && model.closing.is_empty()) {
        // They tie speeds that share no path.
        recursion.displacement.fill(0.0);
        recursion.speed.fill(0.0);
    }
    outward::columns(model, state, accelerations, workspace, recursion);
    if obeys {
        Closures::load(model, &state.closed, workspace, recursion);
    }
    inward::entries(model, state, accelerations, &inputs.wrenches, workspace, recursion);
    if !model.elements.is_empty() {
        laws.add(model, state, (accelerations, &inputs.element_forces), workspace, recursion);
    }
    if obeys {
        closures.differentiate(model, &state.closed, workspace, recursion);
    }
}

/// Derivatives of the accelerations, and of the forces of `prescribed` hinges, after forward or hybrid dynamics.
fn accelerations(
    model: &Model,
    state: &State,
    inputs: &Inputs,
    prescribed: Option<&[bool]>,
    workspace: &mut Workspace,
    derivatives: &mut Derivatives,
) {
    let closed = !model.closing.is_empty();
    forces(model, state, inputs, closed, workspace, derivatives);
    let n = model.speed_count();
    let Derivatives { matrices, recursion, closures, inverse, .. } = derivatives;
    inverse.prescribe(model, prescribed);
    solve::accelerations(model, workspace, recursion, inverse, matrices);
    let Matrices { displacement, speed, input } = matrices;
    if closed {
        closures.solve_jacobian(n, input);
    }
    inverse.accelerate(&recursion.mass, input);
    let mut finish = |matrix: &mut [f64], of_forces: Option<&[f64]>, equations: Equations| {
        if closed {
            solve::obey(model, &workspace.closing, closures, equations, matrix);
        }
        solve::prescribed_forces(inverse, &recursion.mass, closures, of_forces, matrix);
    };
    finish(displacement, Some(&recursion.displacement), Equations::PerDisplacement);
    finish(speed, Some(&recursion.speed), Equations::PerSpeed);
    finish(input, None, Equations::Still);
    // What the sweeps left is overwritten.
    workspace.closing.solved = false;
}
