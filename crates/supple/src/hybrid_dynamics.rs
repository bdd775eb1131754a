//! Some hinges move as prescribed, everything else as forces make it.

use crate::check;
use crate::closure;
use crate::error::DynamicsError;
use crate::forward_dynamics::solve;
use crate::inputs::Inputs;
use crate::method::Method;
use crate::model::Model;
use crate::solution::Solution;
use crate::state::State;
use crate::sweep;
use crate::workspace::Workspace;
use supple_spatial::Scalar;

/// Accelerations of everything and forces of everything, when the hinges of bodies marked in `inputs.prescribed` have the
/// accelerations of `inputs.accelerations` and all else, modes included, obeys `inputs.forces`.
///
/// O(bodies); no allocation.
///
/// # Errors
/// As [`forward_dynamics`](crate::forward_dynamics).
pub fn hybrid_dynamics<'w, T: Scalar>(
    model: &Model<T>,
    state: &State<T>,
    inputs: &Inputs<T>,
    workspace: &'w mut Workspace<T>,
) -> Result<Solution<'w, T>, DynamicsError> {
    check::state(model, state, workspace.stamp)?;
    if !accelerate(model, state, inputs, workspace)? {
        workspace.second_result.copy_from_slice(&inputs.forces);
    }
    Ok(Solution::new(model, &workspace.result, &workspace.second_result).closed_by(&workspace.closing))
}

/// [`hybrid_dynamics`] of a state that has been checked: accelerations into `result`. Tells whether a hinge is prescribed; forces
/// are in `second_result` then, and those of `inputs` otherwise.
///
/// # Errors
/// As [`hybrid_dynamics`].
pub(crate) fn accelerate<T: Scalar>(
    model: &Model<T>,
    state: &State<T>,
    inputs: &Inputs<T>,
    workspace: &mut Workspace<T>,
) -> Result<bool, DynamicsError> {
    check::inputs(model, inputs)?;
    if !inputs.prescribed.contains(&true) {
        solve(Method::Auto, None, model, state, inputs, workspace)?;
        return Ok(false);
    }
    solve(Method::Auto, Some(&inputs.prescribed), model, state, inputs, workspace)?;
    let Workspace {
        configuration,
        modal,
        bias,
        applied,
        articulated,
        residual,
        acceleration,
        result,
        second_result,
        ..
    } = workspace;
    second_result.copy_from_slice(&inputs.forces);
    sweep::acceleration::prescribed_forces(
        model,
        (configuration, modal, bias),
        (articulated, residual),
        acceleration,
        result,
        second_result,
    );
    // What elements exert in a prescribed hinge, its drive need not.
    for (body, _) in model.topology.bodies.iter().zip(&inputs.prescribed).filter(|(_, flag)| **flag) {
        let elements = applied.hinge.get(body.beta()).unwrap_or(&[]);
        second_result[body.beta()].iter_mut().zip(elements).for_each(|(force, element)| *force -= *element);
    }
    if !model.closing.is_empty() {
        subtract_couplings(model, state, inputs, workspace);
    }
    check::result("forces", &workspace.second_result, Some(inputs))?;
    Ok(true)
}

/// Nor need the drive of a prescribed hinge exert what couplings do.
#[inline(never)] // out of the way of trees
fn subtract_couplings<T: Scalar>(model: &Model<T>, state: &State<T>, inputs: &Inputs<T>, workspace: &mut Workspace<T>) {
    let prescribed = |speed: usize| {
        let mut bodies = model.topology.bodies.iter().zip(&inputs.prescribed);
        bodies.any(|(body, flag)| *flag && body.beta().contains(&speed))
    };
    let Workspace { closing, second_result, .. } = workspace;
    closure::solve::for_hinge_forces(model, &state.closed, closing, |speed, force| {
        if prescribed(speed) {
            second_result[speed] -= force;
        }
    });
}
