//! Accelerations from forces.

use crate::check;
use crate::closure;
use crate::error::DynamicsError;
use crate::inputs::Inputs;
use crate::method::Method;
use crate::model::Model;
use crate::solution::Solution;
use crate::state::State;
use crate::sweep;
use crate::terms::Terms;
use crate::workspace::{DenseWorkspace, Workspace};
use supple_spatial::Scalar;
use supple_spatial::block::cholesky;

/// Generalized accelerations by the articulated-body recursion, `𝓜 χ̇ + 𝓒 = T` [JR92 (63), (64)].
///
/// Reads `inputs.forces` and `inputs.wrenches`; force elements of the model act with them. O(bodies); no allocation.
///
/// # Errors
/// Sizes that do not fit, numbers that are not finite, or a singular configuration.
pub fn forward_dynamics<'w, T: Scalar>(
    model: &Model<T>,
    state: &State<T>,
    inputs: &Inputs<T>,
    workspace: &'w mut Workspace<T>,
) -> Result<Solution<'w, T>, DynamicsError> {
    forward_dynamics_by(Method::Auto, model, state, inputs, workspace)
}

/// [`forward_dynamics`] with the elimination of the modes chosen.
///
/// # Errors
/// As [`forward_dynamics`].
pub fn forward_dynamics_by<'w, T: Scalar>(
    method: Method,
    model: &Model<T>,
    state: &State<T>,
    inputs: &Inputs<T>,
    workspace: &'w mut Workspace<T>,
) -> Result<Solution<'w, T>, DynamicsError> {
    check::state(model, state, workspace.stamp)?;
    check::inputs(model, inputs)?;
    solve(method, None, model, state, inputs, workspace)?;
    workspace.second_result.copy_from_slice(&inputs.forces);
    Ok(Solution::new(model, &workspace.result, &workspace.second_result).closed_by(&workspace.closing))
}

/// Accelerations alone, of hinges that `inputs.prescribed` marks those of the inputs.
///
/// # Errors
/// As [`forward_dynamics`].
pub(crate) fn accelerations<'w, T: Scalar>(
    model: &Model<T>,
    state: &State<T>,
    inputs: &Inputs<T>,
    workspace: &'w mut Workspace<T>,
) -> Result<&'w [T], DynamicsError> {
    check::state(model, state, workspace.stamp)?;
    check::inputs(model, inputs)?;
    let prescribed = inputs.prescribed.contains(&true).then_some(&inputs.prescribed[..]);
    solve(Method::Auto, prescribed, model, state, inputs, workspace)?;
    Ok(&workspace.result)
}

/// Accelerations into `result`, of a state and inputs that have been checked; `prescribed` hinges have those of `inputs`.
#[inline]
pub(crate) fn solve<T: Scalar>(
    method: Method,
    prescribed: Option<&[bool]>,
    model: &Model<T>,
    state: &State<T>,
    inputs: &Inputs<T>,
    workspace: &mut Workspace<T>,
) -> Result<(), DynamicsError> {
    workspace.poison(model);
    // Outward: place, velocity and bias of each body; then what acts on it.
    workspace.move_and_load(model, state, inputs, Terms::ALL);
    let Workspace { configuration, modal, bias, applied, articulated, residual, result, .. } = workspace;
    let accelerations = &inputs.accelerations;
    let forces = sweep::applied::total_forces(model, &inputs.forces, applied);
    // Inward: modes, then hinge, of each body eliminated; the forces that this leaves            [JR92 (63), (64)]
    articulated.choose(model, method, prescribed);
    let definite = sweep::articulation::factor_and_solve(
        model,
        state,
        configuration,
        bias,
        forces,
        accelerations,
        modal,
        articulated,
        residual,
    );
    check::definite(model, definite, articulated)?;
    // Outward: accelerations; those of prescribed hinges are given                               [JR92 (64)]
    if let Some(prescribed) = prescribed {
        let bodies = model.topology.bodies.iter().zip(prescribed).filter(|(_, flag)| **flag);
        bodies.for_each(|(body, _)| result[body.beta()].copy_from_slice(&accelerations[body.beta()]));
    }
    workspace.accelerate::<true>(model);
    if !model.closing.is_empty() {
        close(model, state, inputs, workspace);
    }
    check::result("accelerations", &workspace.result, Some(inputs))
}

/// Steps B to F of closed chains, after the free accelerations of the tree                        [SOA 0.37]
#[inline(never)] // out of the way of trees
fn close<T: Scalar>(model: &Model<T>, state: &State<T>, inputs: &Inputs<T>, workspace: &mut Workspace<T>) {
    let Workspace { configuration, velocity, closing, .. } = workspace;
    sweep::pose::pose(model, configuration);
    closure::side::sides(model, state, configuration, velocity, closing);
    closure::rows::rows(model, state, configuration, closing);
    closing.has_columns.fill(false);
    obey(model, state, inputs, workspace);
}

/// Steps C to F, on the frames and equations that are there, and on columns of `b` that are.
fn obey<T: Scalar>(model: &Model<T>, state: &State<T>, inputs: &Inputs<T>, workspace: &mut Workspace<T>) {
    let Workspace { configuration, modal, bias, articulated, residual, acceleration, closing, result, .. } = workspace;
    let active = &state.closed;
    closing.acted.copy_from_slice(active);
    closure::compliance::innovations(model, active, configuration, modal, articulated, bias, closing);
    closure::compliance::matrices(model, active, closing);
    closure::solve::deviations(model, acceleration, result, closing);
    closure::solve::add_motions(&inputs.closure_motions, closing);
    closure::solve::factor_matrices(model, active, &inputs.closure_rows, closing);
    closure::solve::forces(model, closing);
    closure::solve::add_innovations(model, active, articulated, closing, residual);
    workspace.accelerate::<true>(model);
    workspace.closing.solved = true;
}

/// [`forward_dynamics`] again, of the same state and inputs but for the closures that act or how they move: the primary system and the
/// columns of closures that acted before stay, only new columns, step D and one outward sweep are left to do [SOA, after step F].
///
/// `workspace` must come from [`forward_dynamics`] or [`reclose`] at the same coordinates, speeds, forces and wrenches. No allocation.
///
/// # Errors
/// [`DynamicsError::NotSolved`] after any other verb; sizes that do not fit or numbers that are not finite.
pub fn reclose<'w, T: Scalar>(
    model: &Model<T>,
    state: &State<T>,
    inputs: &Inputs<T>,
    workspace: &'w mut Workspace<T>,
) -> Result<Solution<'w, T>, DynamicsError> {
    check::state(model, state, workspace.stamp)?;
    check::inputs(model, inputs)?;
    if !workspace.closing.solved {
        return Err(DynamicsError::NotSolved);
    }
    let Workspace { articulated, residual, closing, .. } = &mut *workspace;
    // Without the forces that acted.
    closing.force.iter_mut().for_each(|force| *force = -*force);
    closure::solve::add_innovations(model, &closing.acted, articulated, closing, residual);
    workspace.accelerate::<true>(model);
    obey(model, state, inputs, workspace);
    check::result("accelerations", &workspace.result, Some(inputs))?;
    workspace.second_result.copy_from_slice(&inputs.forces);
    Ok(Solution::new(model, &workspace.result, &workspace.second_result).closed_by(&workspace.closing))
}

/// Generalized accelerations by the composite-body mass matrix and a dense solve of `𝓜 χ̇ = T - 𝓒` [JR92 (46), (50)].
///
/// A check on [`forward_dynamics`], cubic in the number of speeds.
///
/// # Errors
/// As [`forward_dynamics`].
pub fn composite_forward_dynamics<'w, T: Scalar>(
    model: &Model<T>,
    state: &State<T>,
    inputs: &Inputs<T>,
    workspace: &'w mut Workspace<T>,
    dense: &mut DenseWorkspace<T>,
) -> Result<Solution<'w, T>, DynamicsError> {
    check::inputs(model, inputs)?;
    crate::mass_matrix::check(model, state, workspace, dense)?;
    workspace.poison(model);
    workspace.move_and_load(model, state, inputs, Terms::ALL);
    crate::mass_matrix::composite(model, state, workspace, dense);
    workspace.second_result.fill(T::ZERO);
    crate::inverse_dynamics::newton_euler::<T, true, true>(model, workspace);
    composite_solve(model, inputs, workspace, dense)?;
    if !model.closing.is_empty() {
        closure::dense::close(model, state, inputs, workspace, dense);
    }
    check::result("accelerations", &workspace.result, Some(inputs))?;
    workspace.second_result.copy_from_slice(&inputs.forces);
    Ok(Solution::new(model, &workspace.result, &workspace.second_result))
}

/// Solves with `𝓒` in `result`, and leaves the accelerations there.
pub(crate) fn composite_solve<T: Scalar>(
    model: &Model<T>,
    inputs: &Inputs<T>,
    ws: &mut Workspace<T>,
    dense: &mut DenseWorkspace<T>,
) -> Result<(), DynamicsError> {
    use supple_spatial::Mask;
    let n = model.speed_count();
    if !cholesky::factor_in_place(&mut dense.matrix, n).all() {
        return Err(singular_pivot(model, &dense.matrix));
    }
    let Workspace { applied, result, .. } = ws;
    for (x, t) in result.iter_mut().zip(sweep::applied::total_forces(model, &inputs.forces, applied)) {
        *x = *t - *x;
    }
    cholesky::solve(&dense.matrix, result);
    Ok(())
}

/// Names the body of the first pivot that was not positive.
#[cold]
pub(crate) fn singular_pivot<T: Scalar>(model: &Model<T>, factor: &[T]) -> DynamicsError {
    use supple_spatial::Mask;
    let bad = |i: usize| !cholesky::is_sound(factor, i).all();
    let speed = (0..model.speed_count()).find(|&i| bad(i)).unwrap_or(0);
    let k = model.topology.bodies.iter().position(|body| body.speeds.contains(&speed)).unwrap_or(0);
    let body = crate::BodyIndex(k);
    DynamicsError::Singular { body, name: model.name(body).into() }
}
