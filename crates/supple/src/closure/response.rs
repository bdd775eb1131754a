//! How the tree answers forces of closures: `𝓜⁻¹ J* A* λ`, at rest and without loads.

#![allow(non_snake_case)] // symbols as printed, see docs/notation.md

use super::{compliance, position, rows, side, solve};
use crate::error::DynamicsError;
use crate::inputs::Inputs;
use crate::method::Method;
use crate::model::Model;
use crate::state::State;
use crate::workspace::Workspace;
use supple_spatial::{Force, Scalar};

/// Frames and equations of the closures at a state, how far and how fast they deviate from the motion that `inputs` prescribe.
pub(super) fn look<T: Scalar>(
    model: &Model<T>,
    state: &State<T>,
    inputs: &Inputs<T>,
    workspace: &mut Workspace<T>,
) -> Result<(), DynamicsError> {
    crate::check::inputs(model, inputs)?;
    crate::energy::place_and_move(model, state, workspace)?;
    let Workspace { configuration, velocity, closing, .. } = workspace;
    side::sides(model, state, configuration, velocity, closing);
    rows::rows(model, state, configuration, closing);
    let motions = &inputs.closure_motions;
    position::deviations(model, state, motions, closing);
    closing.speed.iter_mut().zip(motions).for_each(|(speed, motion)| *speed -= motion.speed);
    Ok(())
}

/// Factors mass and `A Λ A*`, after [`look`]; prescribed hinges do not answer.
pub(super) fn factor<T: Scalar>(
    model: &Model<T>,
    state: &State<T>,
    inputs: &Inputs<T>,
    workspace: &mut Workspace<T>,
) -> Result<(), DynamicsError> {
    // Only factors of all modes take what is added to their mass.
    let method = if workspace.articulated.shifted { Method::Explicit } else { Method::Auto };
    workspace.articulated.choose(model, method, Some(&inputs.prescribed));
    workspace.factor(model, state)?;
    let Workspace { configuration, modal, bias, articulated, closing, .. } = workspace;
    closing.has_columns.fill(false);
    compliance::innovations(model, &state.closed, configuration, modal, articulated, bias, closing);
    compliance::matrices(model, &state.closed, closing);
    solve::factor_matrices(model, &state.closed, &[], closing);
    Ok(())
}

/// After [`factor`]: the forces that change the equations by `force`, in its place, and what they do to the speeds into `result`.
pub(super) fn answer<T: Scalar>(model: &Model<T>, state: &State<T>, workspace: &mut Workspace<T>) {
    let Workspace { articulated, residual, closing, .. } = &mut *workspace;
    solve::forces(model, closing);
    residual.hinge.fill(T::ZERO);
    residual.modal.fill(T::ZERO);
    residual.tip.fill(T::ZERO);
    residual.tip_load.fill(T::ZERO);
    residual.body.fill(Force::ZERO);
    solve::add_innovations(model, &state.closed, articulated, closing, residual);
    // Prescribed hinges keep still.
    workspace.result.fill(T::ZERO);
    workspace.accelerate::<false>(model);
}
