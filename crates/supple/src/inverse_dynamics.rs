//! Forces from accelerations.

use crate::check;
use crate::error::DynamicsError;
use crate::inputs::Inputs;
use crate::model::Model;
use crate::reactions::record_loads;
use crate::solution::Solution;
use crate::state::State;
use crate::sweep;
use crate::terms::Terms;
use crate::workspace::Workspace;
use supple_spatial::Scalar;

/// Generalized forces `T = 𝓜 χ̇ + 𝓒` for the accelerations of `inputs` [JR92 (45)]: what drives must supply beside wrenches and the force
/// elements of the model.
///
/// Reads `inputs.accelerations` and `inputs.wrenches`. The solution has the wrenches of hinges and nodes as well, see
/// [`Solution::hinge_wrench`]. O(bodies); no allocation.
///
/// # Errors
/// Sizes that do not fit or numbers that are not finite.
pub fn inverse_dynamics<'w, T: Scalar>(
    model: &Model<T>,
    state: &State<T>,
    inputs: &Inputs<T>,
    workspace: &'w mut Workspace<T>,
) -> Result<Solution<'w, T>, DynamicsError> {
    check::inputs(model, inputs)?;
    generalized_forces(model, state, inputs, Terms::ALL, Some(&inputs.accelerations), workspace)
}

/// The chosen parts of the bias `𝓒`, the generalized forces at zero acceleration.
///
/// # Errors
/// As [`inverse_dynamics`].
pub fn bias_forces<'w, T: Scalar>(
    model: &Model<T>,
    state: &State<T>,
    inputs: &Inputs<T>,
    terms: Terms,
    workspace: &'w mut Workspace<T>,
) -> Result<Solution<'w, T>, DynamicsError> {
    check::inputs(model, inputs)?;
    generalized_forces(model, state, inputs, terms, None, workspace)
}

fn generalized_forces<'w, T: Scalar>(
    model: &Model<T>,
    state: &State<T>,
    inputs: &Inputs<T>,
    terms: Terms,
    accelerations: Option<&[T]>,
    ws: &'w mut Workspace<T>,
) -> Result<Solution<'w, T>, DynamicsError> {
    check::state(model, state, ws.stamp)?;
    ws.poison(model);
    ws.move_and_load(model, state, inputs, terms);
    match accelerations {
        Some(udot) => ws.second_result.copy_from_slice(udot),
        None => ws.second_result.fill(T::ZERO),
    }
    if terms.gravity {
        newton_euler::<T, true, true>(model, ws);
    } else {
        newton_euler::<T, false, true>(model, ws);
    }
    if terms.elements && !model.elements.is_empty() {
        // What elements exert in hinges, drives need not.
        ws.result.iter_mut().zip(&ws.applied.hinge).for_each(|(force, element)| *force -= *element);
    }
    check::result("forces", &ws.result, Some(inputs))?;
    record_loads(model, if terms.external { &inputs.wrenches } else { &[] }, terms, ws);
    Ok(Solution::new(model, &ws.second_result, &ws.result).with_wrenches(ws))
}

/// Both sweeps for the accelerations in `second_result`; forces into `result`.
pub(crate) fn newton_euler<T: Scalar, const GRAVITY: bool, const BIAS: bool>(model: &Model<T>, ws: &mut Workspace<T>) {
    let Workspace { configuration, modal, bias, acceleration, result, second_result, .. } = ws;
    sweep::newton_euler::accelerations::<T, GRAVITY, BIAS>(model, configuration, bias, second_result, acceleration);
    sweep::newton_euler::forces::<T, BIAS>(model, configuration, modal, bias, second_result, acceleration, result);
}
