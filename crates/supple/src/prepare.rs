//! What every verb does first and last: check sizes, fill the stages it needs, check the result.

use crate::error::DynamicsError;
use crate::inputs::{Inputs, Wrench, WrenchFrame};
use crate::model::body::Elimination;
use crate::model::{BodyIndex, Model};
use crate::state::State;
use crate::sweep;
use crate::terms::Terms;
use crate::workspace::Workspace;
use supple_spatial::{Mask, Scalar};

/// How forward dynamics takes the modes out of the articulated inertia.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Method {
    /// The cheapest for each body, by its number of modes and carriers.
    #[default]
    Auto,
    /// Modal condensation: linear in the modes.
    Condensed,
    /// `D_f⁻¹` by eq. 77 of the paper: quadratic in the modes.
    Indirect,
    /// A factor of `D_f`: cubic in the modes.
    Explicit,
}

fn size(quantity: &'static str, found: usize, expected: usize) -> Result<(), DynamicsError> {
    if found == expected { Ok(()) } else { Err(DynamicsError::WrongSize { quantity, found, expected }) }
}

/// Checks the workspace, the sizes of the state and that its numbers are finite.
pub(crate) fn check_state<T: Scalar>(model: &Model<T>, state: &State<T>, stamp: u64) -> Result<(), DynamicsError> {
    if stamp != model.topology.stamp {
        return Err(DynamicsError::WrongModel);
    }
    size("coordinates", state.coordinates.len(), model.coordinate_count())?;
    size("speeds", state.speeds.len(), model.speed_count())?;
    size("attitudes", state.attitudes.len(), model.attitude_nodes().len())?;
    check_finite("coordinates", &state.coordinates)?;
    check_finite("speeds", &state.speeds)?;
    for &at in &model.topology.quaternions {
        let q = &state.coordinates[at..at + 4];
        unit("hinge coordinate", at, [q[0], q[1], q[2], q[3]])?;
    }
    for (i, q) in state.attitudes.iter().enumerate() {
        unit("attitude", i, q.0)?;
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
pub(crate) fn check_wrenches<T: Scalar>(model: &Model<T>, wrenches: &[Wrench<T>]) -> Result<(), DynamicsError> {
    for (index, w) in wrenches.iter().enumerate() {
        check_node(model, w.body, w.node)?;
        if !all_finite(&w.force.to_array()) {
            return Err(DynamicsError::NotFinite { quantity: "wrenches", index });
        }
    }
    Ok(())
}

/// Checks that a node exists.
pub(crate) fn check_node<T>(model: &Model<T>, body: BodyIndex, node: crate::NodeIndex) -> Result<(), DynamicsError> {
    let exists = model.bodies.get(body.0).is_some_and(|b| node.0 < b.nodes.len());
    if exists { Ok(()) } else { Err(DynamicsError::NoSuchNode { body, node }) }
}

/// Checks the slices of `inputs`.
pub(crate) fn check_inputs<T: Scalar>(model: &Model<T>, inputs: &Inputs<T>) -> Result<(), DynamicsError> {
    check_input_sizes(model, inputs)?;
    check_wrenches(model, &inputs.wrenches)
}

/// Checks the lengths of `inputs` alone.
pub(crate) fn check_input_sizes<T>(model: &Model<T>, inputs: &Inputs<T>) -> Result<(), DynamicsError> {
    size("forces", inputs.forces.len(), model.speed_count())?;
    size("accelerations", inputs.accelerations.len(), model.speed_count())?;
    size("prescribed", inputs.prescribed.len(), model.body_count())
}

/// Checks the length of a slice of the caller.
pub(crate) fn check_size(quantity: &'static str, found: usize, expected: usize) -> Result<(), DynamicsError> {
    size(quantity, found, expected)
}

/// Configuration and modal mass.
pub(crate) fn place<T: Scalar>(model: &Model<T>, state: &State<T>, ws: &mut Workspace<T>) {
    sweep::configuration::configuration(model, state, &mut ws.configuration);
    sweep::modal_mass::modal_mass(model, state, &ws.configuration, &mut ws.modal);
}

/// [`place`], velocities and bias.
pub(crate) fn place_and_bias<T: Scalar>(
    model: &Model<T>,
    state: &State<T>,
    wrenches: &[Wrench<T>],
    terms: Terms,
    ws: &mut Workspace<T>,
) {
    let Workspace { configuration, modal, velocity, bias, .. } = ws;
    sweep::motion::motion(model, state, terms, configuration, modal, velocity, bias);
    subtract_wrenches(model, state, wrenches, terms, ws);
}

fn subtract_wrenches<T: Scalar>(
    model: &Model<T>,
    state: &State<T>,
    wrenches: &[Wrench<T>],
    terms: Terms,
    ws: &mut Workspace<T>,
) {
    if terms.external && !wrenches.is_empty() {
        if wrenches.iter().any(|w| w.frame == WrenchFrame::Inertial) {
            sweep::pose::pose(model, &mut ws.configuration);
        }
        sweep::bias::subtract_wrenches(model, state, wrenches, &ws.configuration, &mut ws.bias);
    }
}

/// Articulated inertias by `method`, after [`place`]; `prescribed` hinges are not eliminated.
///
/// # Errors
/// [`DynamicsError::Singular`] names the outermost body with a pivot that is not positive.
pub(crate) fn articulate<T: Scalar>(
    model: &Model<T>,
    state: &State<T>,
    method: Method,
    prescribed: Option<&[bool]>,
    ws: &mut Workspace<T>,
) -> Result<(), DynamicsError> {
    choose_elimination(model, method, prescribed, ws);
    let ways = Some(&ws.articulated.elimination[..]);
    sweep::modal_mass::hinge_mass(model, state, &ws.configuration, ways, &mut ws.modal);
    sweep::articulated_inertia::articulated_inertia(model, &ws.configuration, &ws.modal, &mut ws.articulated);
    match ws.articulated.definite.iter().all(|d| d.all()) {
        true => Ok(()),
        false => Err(singular(model, ws)),
    }
}

/// Articulated inertias and residual forces, as [`articulate`] after [`place_and_bias`].
///
/// # Errors
/// As [`articulate`].
pub(crate) fn articulate_with_forces<T: Scalar>(
    model: &Model<T>,
    state: &State<T>,
    method: Method,
    prescribed: Option<&[bool]>,
    inputs: &Inputs<T>,
    ws: &mut Workspace<T>,
) -> Result<(), DynamicsError> {
    choose_elimination(model, method, prescribed, ws);
    let Workspace { configuration, bias, modal, articulated, residual, .. } = ws;
    let (forces, accelerations) = (&inputs.forces, &inputs.accelerations);
    let definite = sweep::articulation::articulation(
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
    if definite.all() { Ok(()) } else { Err(singular(model, ws)) }
}

/// Sets how modes are eliminated and which hinges are prescribed.
#[inline(always)]
fn choose_elimination<T: Scalar>(model: &Model<T>, method: Method, prescribed: Option<&[bool]>, ws: &mut Workspace<T>) {
    // Most calls choose what the last one chose.
    if prescribed.is_some() || ws.articulated.chosen != Some(method) {
        choose_anew(model, method, prescribed, ws);
    }
}

#[inline(never)]
fn choose_anew<T: Scalar>(model: &Model<T>, method: Method, prescribed: Option<&[bool]>, ws: &mut Workspace<T>) {
    ws.articulated.chosen = prescribed.is_none().then_some(method);
    for &k in &model.topology.flexible {
        let Some(flexible) = &model.bodies[k].flexible else { continue };
        ws.articulated.elimination[k] = match method {
            _ if flexible.tip_modes.is_none() => Elimination::Explicit,
            Method::Auto => flexible.cheapest,
            Method::Condensed => Elimination::Condensed,
            Method::Indirect => Elimination::Indirect,
            Method::Explicit => Elimination::Explicit,
        };
    }
    match prescribed {
        Some(flags) => ws.articulated.prescribed.copy_from_slice(flags),
        None => ws.articulated.prescribed.fill(false),
    }
}

#[cold]
fn singular<T: Scalar>(model: &Model<T>, ws: &Workspace<T>) -> DynamicsError {
    let k = ws.articulated.definite.iter().rposition(|d| !d.all()).unwrap_or(0);
    DynamicsError::Singular { body: BodyIndex(k), name: model.topology.bodies[k].name.clone() }
}

fn all_finite<T: Scalar>(values: &[T]) -> bool {
    T::all_finite(values).all()
}

/// Checks that the numbers of the caller are finite, and names the first that is not.
pub(crate) fn check_finite<T: Scalar>(quantity: &'static str, values: &[T]) -> Result<(), DynamicsError> {
    if all_finite(values) { Ok(()) } else { Err(first_not_finite(quantity, values)) }
}

#[cold]
fn first_not_finite<T: Scalar>(quantity: &'static str, values: &[T]) -> DynamicsError {
    let index = values.iter().position(|x| !x.is_finite().all()).unwrap_or(0);
    DynamicsError::NotFinite { quantity, index }
}

/// Turns a result that is not finite, although the state is, into an error that names the input at fault.
pub(crate) fn require_finite<T: Scalar>(
    quantity: &'static str,
    result: &[T],
    inputs: Option<&Inputs<T>>,
) -> Result<(), DynamicsError> {
    if all_finite(result) {
        return Ok(());
    }
    if let Some(inputs) = inputs {
        check_finite("forces", &inputs.forces)?;
        check_finite("accelerations", &inputs.accelerations)?;
    }
    Err(DynamicsError::Overflow { quantity })
}
