//! Energy, momentum and power.

use crate::check;
use crate::error::DynamicsError;
use crate::inputs::Inputs;
use crate::model::Model;
use crate::state::State;
use crate::sweep;
use crate::workspace::Workspace;
use supple_spatial::{Scalar, Vector3};

/// Energies of a system.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Energy<T = f64> {
    /// `½ χ* 𝓜 χ`.
    pub kinetic: T,
    /// Of the deformations.
    pub elastic: T,
    /// In the field of gravity, zero where the mass centre is at the inertial origin.
    pub gravitational: T,
    /// In force elements.
    pub stored: T,
}

impl<T: Scalar> Energy<T> {
    /// The sum.
    pub fn total(&self) -> T {
        self.kinetic + self.elastic + self.gravitational + self.stored
    }
}

/// Mass, mass centre and momenta, in inertial axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Momentum<T = f64> {
    /// Total mass.
    pub mass: T,
    /// Mass centre.
    pub centre_of_mass: Vector3<T>,
    /// Linear momentum.
    pub linear: Vector3<T>,
    /// Angular momentum about the inertial origin.
    pub angular: Vector3<T>,
}

/// Rates at which energy enters and leaves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Power<T = f64> {
    /// Of the generalized forces, `T · χ`.
    pub forces: T,
    /// Of external wrenches.
    pub wrenches: T,
    /// Taken by modal damping; not negative.
    pub dissipated: T,
    /// Fed in by force elements.
    pub element_supplied: T,
    /// Taken by force elements; not negative.
    pub element_dissipated: T,
}

impl<T: Scalar> Power<T> {
    /// Rate of the total energy: forces, wrenches and what elements feed in, less what is dissipated.
    pub fn net(&self) -> T {
        self.forces + self.wrenches + self.element_supplied - self.dissipated - self.element_dissipated
    }
}

/// Fills configuration, poses, modal mass and velocities.
pub(crate) fn place_and_move<T: Scalar>(
    model: &Model<T>,
    state: &State<T>,
    ws: &mut Workspace<T>,
) -> Result<(), DynamicsError> {
    move_without_mass(model, state, ws)?;
    let Workspace { configuration, modal, .. } = ws;
    sweep::modal_mass::modal_mass(model, state, configuration, modal);
    Ok(())
}

/// Fills configuration, poses and velocities: what positions and Jacobians need. The mass of modes takes more than all of it.
pub(crate) fn move_without_mass<T: Scalar>(
    model: &Model<T>,
    state: &State<T>,
    ws: &mut Workspace<T>,
) -> Result<(), DynamicsError> {
    check::state(model, state, ws.stamp)?;
    ws.poison(model);
    let Workspace { configuration, velocity, .. } = ws;
    sweep::configuration::configuration(model, state, configuration);
    sweep::pose::pose(model, configuration);
    sweep::velocity::velocity(model, state, configuration, velocity);
    Ok(())
}

/// Kinetic, elastic and gravitational energy, and that of force elements. O(bodies); no allocation.
///
/// # Errors
/// Sizes that do not fit or numbers that are not finite.
pub fn energy<T: Scalar>(
    model: &Model<T>,
    state: &State<T>,
    workspace: &mut Workspace<T>,
) -> Result<Energy<T>, DynamicsError> {
    place_and_move(model, state, workspace)?;
    let (mut twice_kinetic, mut elastic, mut fall) = (T::ZERO, T::ZERO, T::ZERO);
    for (k, (body, data)) in model.topology.bodies.iter().zip(model.bodies.iter()).enumerate() {
        twice_kinetic = with_twice_kinetic(model, k, state, workspace, twice_kinetic);
        if let Some(flexible) = &data.flexible {
            elastic += flexible.elastic.energy(&state.coordinates[body.eta()]);
        }
        fall += model.gravity.dot(world_moment(k, workspace));
    }
    let stored = sweep::applied::energies(model, state, None, workspace).stored;
    let out = Energy { kinetic: twice_kinetic * T::from_f64(0.5), elastic, gravitational: -fall, stored };
    check::result("energy", &[out.kinetic, out.elastic, out.gravitational, out.stored], None)?;
    Ok(out)
}

/// A sum with `2 T` of body `k` and of the rotors of its hinge, where its velocity is known.
fn with_twice_kinetic<T: Scalar>(
    model: &Model<T>,
    k: usize,
    state: &State<T>,
    workspace: &mut Workspace<T>,
    mut sum: T,
) -> T {
    let (body, data) = (&model.topology.bodies[k], &model.bodies[k]);
    let eta_dot = &state.speeds[body.eta_dot()];
    let momenta = &mut workspace.residual.modal[body.modal.clone()];
    let v = workspace.velocity.body[k];
    let p = sweep::modal_mass::momentum(model, k, &workspace.modal, v, eta_dot, momenta);
    sum += v.dot(p);
    for (p, x) in momenta.iter().zip(eta_dot) {
        sum = p.mul_add(*x, sum);
    }
    for (rotor, x) in data.rotor.iter().zip(&state.speeds[body.beta()]) {
        sum = (*rotor * *x).mul_add(*x, sum);
    }
    sum
}

/// Kinetic energy of every body, with the rotors of its hinge: none is negative, and their sum is that of [`energy`]. O(bodies); no allocation.
///
/// # Errors
/// Sizes that do not fit or numbers that are not finite.
///
/// # Panics
/// If `out` does not have one entry per body.
#[track_caller]
pub fn kinetic_energies<T: Scalar>(
    model: &Model<T>,
    state: &State<T>,
    workspace: &mut Workspace<T>,
    out: &mut [T],
) -> Result<(), DynamicsError> {
    assert!(out.len() == model.topology.bodies.len(), "one entry per body");
    place_and_move(model, state, workspace)?;
    for (k, out) in out.iter_mut().enumerate() {
        *out = T::from_f64(0.5) * with_twice_kinetic(model, k, state, workspace, T::ZERO);
    }
    check::result("kinetic energy", out, None)
}

/// First moment of mass of body `k` about the inertial origin: `m r + R c`.
fn world_moment<T: Scalar>(k: usize, ws: &Workspace<T>) -> Vector3<T> {
    let inertia = &ws.modal.inertia[k];
    ws.configuration.world_rotation[k].mul_add(inertia.moment, ws.configuration.world_position[k] * inertia.mass)
}

/// Mass, mass centre, linear and angular momentum. O(bodies); no allocation.
///
/// # Errors
/// Sizes that do not fit or numbers that are not finite.
pub fn momentum<T: Scalar>(
    model: &Model<T>,
    state: &State<T>,
    workspace: &mut Workspace<T>,
) -> Result<Momentum<T>, DynamicsError> {
    place_and_move(model, state, workspace)?;
    let (mut mass, mut moment) = (T::ZERO, Vector3::ZERO);
    let (mut linear, mut angular) = (Vector3::ZERO, Vector3::ZERO);
    for (k, body) in model.topology.bodies.iter().enumerate() {
        let eta_dot = &state.speeds[body.eta_dot()];
        let momenta = &mut workspace.residual.modal[body.modal.clone()];
        let v = workspace.velocity.body[k];
        let p = sweep::modal_mass::momentum(model, k, &workspace.modal, v, eta_dot, momenta);
        let p = p.rotate(&workspace.configuration.world_rotation[k]);
        mass += workspace.modal.inertia[k].mass;
        moment += world_moment(k, workspace);
        linear += p.linear;
        angular += workspace.configuration.world_position[k].cross_add(p.linear, p.angular);
    }
    // A massless system has no centre; build() refuses one that moves.
    let out = Momentum { mass, centre_of_mass: moment * mass.recip(), linear, angular };
    let numbers = [out.linear.dot(out.linear), out.angular.dot(out.angular), out.centre_of_mass.norm_squared()];
    check::result("momentum", &numbers, None)?;
    Ok(out)
}

/// Power of the generalized forces and wrenches of `inputs`, of damping and of force elements. O(bodies); no allocation.
///
/// # Errors
/// Sizes that do not fit or numbers that are not finite.
pub fn power<T: Scalar>(
    model: &Model<T>,
    state: &State<T>,
    inputs: &Inputs<T>,
    workspace: &mut Workspace<T>,
) -> Result<Power<T>, DynamicsError> {
    check::inputs(model, inputs)?;
    place_and_move(model, state, workspace)?;
    let forces = inputs.forces.iter().zip(&state.speeds).fold(T::ZERO, |s, (t, x)| t.mul_add(*x, s));
    let wrenches = wrench_power(model, state, inputs, workspace);
    let dissipated = dissipated_power(model, state);
    let elements = sweep::applied::energies(model, state, Some(&inputs.element_forces), workspace);
    let (element_supplied, element_dissipated) = (elements.supplied, elements.dissipated);
    let out = Power { forces, wrenches, dissipated, element_supplied, element_dissipated };
    check::result("power", &[out.net()], Some(inputs))?;
    Ok(out)
}

/// Power of the wrenches, where velocities (and poses for wrenches in inertial axes) are already there.
pub(crate) fn wrench_power<T: Scalar>(
    model: &Model<T>,
    state: &State<T>,
    inputs: &Inputs<T>,
    workspace: &Workspace<T>,
) -> T {
    let mut sum = T::ZERO;
    for w in &inputs.wrenches {
        let (k, body) = (w.body.0, &model.topology.bodies[w.body.0]);
        let node = &model.bodies[k].nodes[w.node.0];
        let (eta, eta_dot) = (&state.coordinates[body.eta()], &state.speeds[body.eta_dot()]);
        let second = workspace.configuration.slaves(body);
        let v = node.combine(second, eta_dot, workspace.velocity.body[k].shift(node.deformed(second, eta)));
        sum += v.dot(sweep::loads::in_body_axes(model, w, &workspace.configuration));
    }
    sum
}

/// Power that modal damping takes.
pub(crate) fn dissipated_power<T: Scalar>(model: &Model<T>, state: &State<T>) -> T {
    let mut sum = T::ZERO;
    for &k in &model.topology.flexible {
        if let Some(flexible) = &model.bodies[k].flexible {
            sum += flexible.elastic.damping.quadratic(&state.speeds[model.topology.bodies[k].eta_dot()]);
        }
    }
    sum
}
