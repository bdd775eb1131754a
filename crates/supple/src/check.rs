//! Checks of what a caller gives and of what a verb gives back.

use crate::error::DynamicsError;
use crate::inputs::{EquationMotion, Inputs, Wrench};
use crate::model::{BodyIndex, Model};
use crate::state::State;
use crate::workspace::Articulated;
use supple_spatial::{Mask, Scalar};

/// Checks the length of a slice of the caller.
pub(crate) fn size(quantity: &'static str, found: usize, expected: usize) -> Result<(), DynamicsError> {
    if found == expected { Ok(()) } else { Err(DynamicsError::WrongSize { quantity, found, expected }) }
}

/// Checks the workspace, the sizes of the state and that its numbers are finite.
pub(crate) fn state<T: Scalar>(model: &Model<T>, state: &State<T>, stamp: u64) -> Result<(), DynamicsError> {
    if stamp != model.topology.stamp {
        return Err(DynamicsError::WrongModel);
    }
    size("coordinates", state.coordinates.len(), model.coordinate_count())?;
    size("speeds", state.speeds.len(), model.speed_count())?;
    size("attitudes", state.attitudes.len(), model.attitude_nodes().len())?;
    size("closed", state.closed.len(), model.topology.closures.len())?;
    size("held", state.held.len(), model.topology.closures.len())?;
    finite("coordinates", &state.coordinates)?;
    finite("speeds", &state.speeds)?;
    for &at in &model.topology.quaternions {
        let q = &state.coordinates[at..at + 4];
        unit("hinge coordinate", at, [q[0], q[1], q[2], q[3]])?;
    }
    for (i, q) in state.attitudes.iter().enumerate() {
        unit("attitude", i, q.0)?;
    }
    for (i, hold) in state.held.iter().enumerate() {
        if let Some(hold) = hold {
            finite("held", &hold.to_array())?;
            unit("held", i, hold.rotation.0)?;
        }
    }
    Ok(())
}

/// A quaternion must be of unit length to 1e-6; one that is not finite is reported as such.
fn unit<T: Scalar>(quantity: &'static str, index: usize, q: [T; 4]) -> Result<(), DynamicsError> {
    if !all_finite(&q) {
        return Err(DynamicsError::NotFinite { quantity, index });
    }
    let excess = q[3].mul_add(q[3], q[2].mul_add(q[2], q[1].mul_add(q[1], q[0] * q[0]))) - T::ONE;
    let bound = T::from_f64(1e-6);
    let near = excess.less_than(bound) & (-excess).less_than(bound);
    if near.all() { Ok(()) } else { Err(DynamicsError::NotUnit { quantity, index }) }
}

/// Checks wrenches.
pub(crate) fn wrenches<T: Scalar>(model: &Model<T>, wrenches: &[Wrench<T>]) -> Result<(), DynamicsError> {
    for (index, w) in wrenches.iter().enumerate() {
        node(model, w.body, w.node)?;
        if !all_finite(&w.force.to_array()) {
            return Err(DynamicsError::NotFinite { quantity: "wrenches", index });
        }
    }
    Ok(())
}

/// Checks that a node exists.
pub(crate) fn node<T>(model: &Model<T>, body: BodyIndex, node: crate::NodeIndex) -> Result<(), DynamicsError> {
    let exists = model.bodies.get(body.0).is_some_and(|b| node.0 < b.nodes.len());
    if exists { Ok(()) } else { Err(DynamicsError::NoSuchNode { body, node }) }
}

/// Checks that a body exists.
pub(crate) fn body<T>(model: &Model<T>, body: BodyIndex) -> Result<(), DynamicsError> {
    let bodies = model.bodies.len();
    if body.0 < bodies { Ok(()) } else { Err(DynamicsError::NoSuchBody { body, bodies }) }
}

/// Checks the slices of `inputs`.
pub(crate) fn inputs<T: Scalar>(model: &Model<T>, inputs: &Inputs<T>) -> Result<(), DynamicsError> {
    input_sizes(model, inputs)?;
    if !model.closing.is_empty() {
        closure_motions(model, &inputs.closure_motions)?;
    }
    wrenches(model, &inputs.wrenches)
}

/// Equations of closures that cannot move must not be asked to.
#[inline(never)] // out of the way of trees
fn closure_motions<T: Scalar>(model: &Model<T>, motions: &[EquationMotion<T>]) -> Result<(), DynamicsError> {
    for (closure, (data, top)) in model.closing.iter().zip(&model.topology.closures).enumerate() {
        for (equation, motion) in motions[top.rows.clone()].iter().enumerate() {
            let moves = |x: T| (x.less_than(T::ZERO) | T::ZERO.less_than(x)).any();
            let numbers = [motion.displacement, motion.speed, motion.acceleration];
            if !data.is_movable(equation) && numbers.into_iter().any(moves) {
                return Err(DynamicsError::FixedEquation { closure, equation });
            }
        }
    }
    Ok(())
}

/// Checks the lengths of `inputs` alone.
pub(crate) fn input_sizes<T>(model: &Model<T>, inputs: &Inputs<T>) -> Result<(), DynamicsError> {
    size("forces", inputs.forces.len(), model.speed_count())?;
    size("accelerations", inputs.accelerations.len(), model.speed_count())?;
    size("prescribed", inputs.prescribed.len(), model.body_count())?;
    size("closure motions", inputs.closure_motions.len(), model.equation_count())?;
    if !inputs.closure_rows.is_empty() {
        size("closure rows", inputs.closure_rows.len(), model.equation_count())?;
    }
    size("element forces", inputs.element_forces.len(), model.elements.inputs())
}

/// Turns the mask of an inward sweep into an error that names the outermost body with a pivot that is not positive.
///
/// # Errors
/// [`DynamicsError::Singular`].
#[inline(always)]
#[allow(non_snake_case)] // symbol as printed
pub(crate) fn definite<T: Scalar>(model: &Model<T>, mask: T::Mask, P: &Articulated<T>) -> Result<(), DynamicsError> {
    if mask.all() { Ok(()) } else { Err(singular(model, P)) }
}

#[cold]
#[allow(non_snake_case)] // symbol as printed
fn singular<T: Scalar>(model: &Model<T>, P: &Articulated<T>) -> DynamicsError {
    let k = P.definite.iter().rposition(|d| !d.all()).unwrap_or(0);
    DynamicsError::Singular { body: BodyIndex(k), name: model.topology.bodies[k].name.clone() }
}

fn all_finite<T: Scalar>(values: &[T]) -> bool {
    T::all_finite(values).all()
}

/// Checks that the numbers of the caller are finite, and names the first that is not.
pub(crate) fn finite<T: Scalar>(quantity: &'static str, values: &[T]) -> Result<(), DynamicsError> {
    if all_finite(values) { Ok(()) } else { Err(first_not_finite(quantity, values)) }
}

#[cold]
fn first_not_finite<T: Scalar>(quantity: &'static str, values: &[T]) -> DynamicsError {
    let index = values.iter().position(|x| !x.is_finite().all()).unwrap_or(0);
    DynamicsError::NotFinite { quantity, index }
}

/// Turns a result that is not finite, although the state is, into an error that names the input at fault.
pub(crate) fn result<T: Scalar>(
    quantity: &'static str,
    result: &[T],
    inputs: Option<&Inputs<T>>,
) -> Result<(), DynamicsError> {
    if all_finite(result) {
        return Ok(());
    }
    if let Some(inputs) = inputs {
        finite("forces", &inputs.forces)?;
        finite("accelerations", &inputs.accelerations)?;
        finite("element forces", &inputs.element_forces)?;
    }
    Err(DynamicsError::Overflow { quantity })
}
