//! The verbs for numbers of double precision, compiled here once: a program that calls them does not compile the engine.
//!
//! Each is the function of the same name in [`generic`], which says more about it.

use crate::generic;
use crate::{
    BodyIndex, DenseWorkspace, DynamicsError, Energy, Inputs, Kinematics, MassOperator, Method, Model, Momentum,
    NodeIndex, Power, Solution, State, Terms, Workspace,
};
use supple_spatial::Matrix6;

/// Generalized accelerations by the articulated-body recursion, `𝓜 χ̇ + 𝓒 = T`. Reads `inputs.forces` and `inputs.wrenches`. O(bodies); no
/// allocation.
///
/// # Errors
/// Sizes that do not fit, numbers that are not finite, or a singular configuration.
pub fn forward_dynamics<'w>(
    model: &Model,
    state: &State,
    inputs: &Inputs,
    workspace: &'w mut Workspace,
) -> Result<Solution<'w>, DynamicsError> {
    generic::forward_dynamics(model, state, inputs, workspace)
}

/// [`forward_dynamics`] with the elimination of the modes chosen.
///
/// # Errors
/// As [`forward_dynamics`].
pub fn forward_dynamics_by<'w>(
    method: Method,
    model: &Model,
    state: &State,
    inputs: &Inputs,
    workspace: &'w mut Workspace,
) -> Result<Solution<'w>, DynamicsError> {
    generic::forward_dynamics_by(method, model, state, inputs, workspace)
}

/// [`forward_dynamics`] again, of the same state and inputs but for the closures that act or how they move: only columns of new closures,
/// their solution and one outward sweep are left to do. No allocation.
///
/// # Errors
/// [`DynamicsError::NotSolved`] after any other verb; sizes that do not fit or numbers that are not finite.
pub fn reclose<'w>(
    model: &Model,
    state: &State,
    inputs: &Inputs,
    workspace: &'w mut Workspace,
) -> Result<Solution<'w>, DynamicsError> {
    generic::reclose(model, state, inputs, workspace)
}

/// [`forward_dynamics`] by the composite-body mass matrix and a dense solve: a check, cubic in the number of speeds.
///
/// # Errors
/// As [`forward_dynamics`].
pub fn composite_forward_dynamics<'w>(
    model: &Model,
    state: &State,
    inputs: &Inputs,
    workspace: &'w mut Workspace,
    dense: &mut DenseWorkspace,
) -> Result<Solution<'w>, DynamicsError> {
    generic::composite_forward_dynamics(model, state, inputs, workspace, dense)
}

/// Accelerations of everything and forces of everything, when the hinges of bodies marked in `inputs.prescribed` have the accelerations of
/// `inputs.accelerations` and all else, modes included, obeys `inputs.forces`. O(bodies); no allocation.
///
/// # Errors
/// As [`forward_dynamics`].
pub fn hybrid_dynamics<'w>(
    model: &Model,
    state: &State,
    inputs: &Inputs,
    workspace: &'w mut Workspace,
) -> Result<Solution<'w>, DynamicsError> {
    generic::hybrid_dynamics(model, state, inputs, workspace)
}

/// [`hybrid_dynamics`], and the wrench of every hinge and node for [`Solution::hinge_wrench`] and [`Solution::node_wrench`]. O(bodies); no
/// allocation.
///
/// ```
/// use supple::{Body, Hinge, HingeKind, Inputs, ModelBuilder, Parent, State, Workspace, WrenchFrame, reactions};
///
/// let mut builder = ModelBuilder::new();
/// builder.gravity([0.0, 0.0, -9.81]);
/// let hinge = Hinge::new(HingeKind::Revolute { axis: [0.0, 1.0, 0.0] });
/// builder.body(Body::rigid("bob", Parent::Ground, hinge, 2.0, [0.0, 0.0, -1.0], [[2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0; 3]]));
/// let model = builder.build()?;
/// let mut state = State::new(&model);
/// state.speeds[0] = 3.0;
///
/// let mut workspace = Workspace::new(&model);
/// let solution = reactions(&model, &state, &Inputs::new(&model), &mut workspace)?;
/// let bearing = solution.hinge_wrench(model.hinges().next().unwrap(), WrenchFrame::Inertial)?;
/// assert!((bearing.linear[2] - 2.0 * (9.81 + 3.0 * 3.0)).abs() < 1e-12); // m (g + ω² l)
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`forward_dynamics`].
pub fn reactions<'w>(
    model: &Model,
    state: &State,
    inputs: &Inputs,
    workspace: &'w mut Workspace,
) -> Result<Solution<'w>, DynamicsError> {
    generic::reactions(model, state, inputs, workspace)
}

/// Generalized forces `T = 𝓜 χ̇ + 𝓒` for the accelerations of `inputs`. Reads `inputs.accelerations` and `inputs.wrenches`. O(bodies); no
/// allocation.
///
/// # Errors
/// Sizes that do not fit or numbers that are not finite.
pub fn inverse_dynamics<'w>(
    model: &Model,
    state: &State,
    inputs: &Inputs,
    workspace: &'w mut Workspace,
) -> Result<Solution<'w>, DynamicsError> {
    generic::inverse_dynamics(model, state, inputs, workspace)
}

/// The chosen parts of the bias `𝓒`, the generalized forces at zero acceleration.
///
/// # Errors
/// As [`inverse_dynamics`].
pub fn bias_forces<'w>(
    model: &Model,
    state: &State,
    inputs: &Inputs,
    terms: Terms,
    workspace: &'w mut Workspace,
) -> Result<Solution<'w>, DynamicsError> {
    generic::bias_forces(model, state, inputs, terms, workspace)
}

/// Writes the mass matrix by composite bodies into `out`, `n × n` by rows.
///
/// # Errors
/// Sizes that do not fit or numbers that are not finite.
pub fn mass_matrix(
    model: &Model,
    state: &State,
    workspace: &mut Workspace,
    dense: &mut DenseWorkspace,
    out: &mut [f64],
) -> Result<(), DynamicsError> {
    generic::mass_matrix(model, state, workspace, dense, out)
}

/// Factors the mass matrix at `state`, whose speeds do not matter.
///
/// # Errors
/// Sizes that do not fit, numbers that are not finite, or a singular configuration.
pub fn mass_operator<'w>(
    model: &'w Model,
    state: &State,
    workspace: &'w mut Workspace,
) -> Result<MassOperator<'w>, DynamicsError> {
    generic::mass_operator(model, state, workspace)
}

/// Writes `Λ` at `nodes`, `6 m × 6 m` by rows for `m` nodes, in inertial axes. One O(bodies) solve for each of the `6 m` unit wrenches; no
/// allocation.
///
/// # Errors
/// Sizes that do not fit, a node that does not exist, numbers that are not finite, or a singular configuration.
pub fn operational_compliance(
    model: &Model,
    state: &State,
    nodes: &[(BodyIndex, NodeIndex)],
    workspace: &mut Workspace,
    out: &mut [f64],
) -> Result<(), DynamicsError> {
    generic::operational_compliance(model, state, nodes, workspace, out)
}

/// Writes `Λ⁻¹` at `nodes`, `6 m × 6 m` by rows for `m` nodes, in inertial axes: the inertia that they show to wrenches on them. No
/// allocation.
///
/// # Errors
/// As [`operational_compliance`]; [`DynamicsError::Immovable`] where the nodes cannot be accelerated in every direction by themselves.
pub fn operational_inertia(
    model: &Model,
    state: &State,
    nodes: &[(BodyIndex, NodeIndex)],
    workspace: &mut Workspace,
    out: &mut [f64],
) -> Result<(), DynamicsError> {
    generic::operational_inertia(model, state, nodes, workspace, out)
}

/// The blocks `Λ(i, i)` of single nodes, in inertial axes, by one outward recursion for all.
///
/// # Errors
/// As [`operational_compliance`].
pub fn node_compliances(
    model: &Model,
    state: &State,
    nodes: &[(BodyIndex, NodeIndex)],
    workspace: &mut Workspace,
    out: &mut [Matrix6<f64>],
) -> Result<(), DynamicsError> {
    generic::node_compliances(model, state, nodes, workspace, out)
}

/// Poses and velocities. O(bodies), and O(modes) for each node asked; no allocation.
///
/// # Errors
/// Sizes that do not fit or numbers that are not finite.
pub fn kinematics<'w>(
    model: &'w Model,
    state: &'w State,
    workspace: &'w mut Workspace,
) -> Result<Kinematics<'w>, DynamicsError> {
    generic::kinematics(model, state, workspace)
}

/// Poses, velocities and accelerations for the generalized accelerations given.
///
/// # Errors
/// As [`kinematics`].
pub fn kinematics_with<'w>(
    model: &'w Model,
    state: &'w State,
    accelerations: &'w [f64],
    workspace: &'w mut Workspace,
) -> Result<Kinematics<'w>, DynamicsError> {
    generic::kinematics_with(model, state, accelerations, workspace)
}

/// Writes the Jacobian of a node, `6 × n` by rows: angular velocity and velocity, in inertial axes, per speed. O(depth of the body); no
/// allocation.
///
/// # Errors
/// Sizes that do not fit, a node that does not exist, or numbers that are not finite.
pub fn node_jacobian(
    model: &Model,
    state: &State,
    node: (BodyIndex, NodeIndex),
    workspace: &mut Workspace,
    out: &mut [f64],
) -> Result<(), DynamicsError> {
    generic::node_jacobian(model, state, node, workspace, out)
}

/// Writes the Jacobian of the closures, one row per equation and one column per speed. No allocation.
///
/// # Errors
/// Sizes that do not fit or numbers that are not finite.
pub fn closure_jacobian(
    model: &Model,
    state: &State,
    workspace: &mut Workspace,
    out: &mut [f64],
) -> Result<(), DynamicsError> {
    generic::closure_jacobian(model, state, workspace, out)
}

/// Kinetic, elastic and gravitational energy. O(bodies); no allocation.
///
/// # Errors
/// Sizes that do not fit or numbers that are not finite.
pub fn energy(model: &Model, state: &State, workspace: &mut Workspace) -> Result<Energy, DynamicsError> {
    generic::energy(model, state, workspace)
}

/// Kinetic energy of every body, with the rotors of its hinge. O(bodies); no allocation.
///
/// # Errors
/// Sizes that do not fit or numbers that are not finite.
///
/// # Panics
/// If `out` does not have one entry per body.
#[track_caller]
pub fn kinetic_energies(
    model: &Model,
    state: &State,
    workspace: &mut Workspace,
    out: &mut [f64],
) -> Result<(), DynamicsError> {
    generic::kinetic_energies(model, state, workspace, out)
}

/// Mass, mass centre, linear and angular momentum. O(bodies); no allocation.
///
/// # Errors
/// Sizes that do not fit or numbers that are not finite.
pub fn momentum(model: &Model, state: &State, workspace: &mut Workspace) -> Result<Momentum, DynamicsError> {
    generic::momentum(model, state, workspace)
}

/// Power of the generalized forces and wrenches of `inputs`, and of damping. O(bodies); no allocation.
///
/// # Errors
/// Sizes that do not fit or numbers that are not finite.
pub fn power(model: &Model, state: &State, inputs: &Inputs, workspace: &mut Workspace) -> Result<Power, DynamicsError> {
    generic::power(model, state, inputs, workspace)
}
