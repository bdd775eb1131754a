//! Local to a body: what a force element measures at a port, and what it does there.

#![allow(non_snake_case)] // symbols as printed, see docs/notation.md

use super::configuration::place_node;
use super::modal_mass::deformed;
use super::newton_euler::add_nodal_force;
use crate::force::{PortForce, PortPlace, PortState};
use crate::model::Model;
use crate::model::description::ElasticRotation;
use crate::state::State;
use crate::workspace::{Applied, Bias, Configuration, NodePlace, Velocity};
use supple_spatial::{Force, Motion, RigidInertia, Scalar, Symmetric3};

/// Coordinate, pose, velocity or inertia at a port.
pub(crate) fn measure<T: Scalar>(
    model: &Model<T>,
    state: &State<T>,
    port: &PortPlace<T>,
    at: &Configuration<T>,
    velocity: &Velocity<T>,
    scratch: &mut Applied<T>,
) -> PortState<T> {
    match *port {
        PortPlace::Hinge { coordinate, speed } => PortState {
            coordinate: coordinate.map_or(T::ZERO, |i| state.coordinates[i]),
            speed: state.speeds[speed],
            ..PortState::ZERO
        },
        PortPlace::Ground(position) => PortState { position, ..PortState::ZERO },
        PortPlace::Node { body, node, attitude } => {
            let (top, R) = (&model.topology.bodies[body], &at.world_rotation[body]);
            let place = port_node(model, state, (body, node, attitude), at);
            // V(j) = φ*(k,j) V(k) + [E λ; γ] η̇
            let data = &model.bodies[body].nodes[node];
            let elastic = data.combine(at.slaves(top), &state.speeds[top.eta_dot()], Motion::ZERO);
            let own = Motion::new(place.rate * elastic.angular, elastic.linear);
            PortState {
                position: R.mul_add(place.position, at.world_position[body]),
                attitude: model.bodies[body].axes.attitude_to_user(*R * place.attitude),
                velocity: (velocity.body[body].shift(place.position) + own).rotate(R),
                ..PortState::ZERO
            }
        }
        PortPlace::Body(body) => PortState {
            position: at.world_position[body],
            attitude: at.world_rotation[body],
            velocity: velocity.body[body].rotate(&at.world_rotation[body]),
            inertia: body_inertia(model, state, body, at, scratch),
            ..PortState::ZERO
        },
    }
}

/// Where a node is in its body, and how it turns there: by the model's option, or by the rotation vector `λ η` where that is no rotation or
/// the node has no attitude of its own.
pub(crate) fn port_node<T: Scalar>(
    model: &Model<T>,
    state: &State<T>,
    (body, node, attitude): (usize, usize, Option<usize>),
    at: &Configuration<T>,
) -> NodePlace<T> {
    let top = &model.topology.bodies[body];
    let option = port_rotation(model, attitude);
    let mut place = NodePlace::ORIGIN;
    let (data, eta) = (&model.bodies[body].nodes[node], &state.coordinates[top.eta()]);
    let attitude = attitude.map(|i| model.bodies[body].axes.rotation_from_user(state.attitudes[i]));
    place_node(option, data, at.slaves(top), eta, attitude, &mut place);
    place
}

/// How the node of a port turns.
pub(crate) fn port_rotation<T>(model: &Model<T>, attitude: Option<usize>) -> ElasticRotation {
    match (model.topology.elastic_rotation, attitude) {
        (ElasticRotation::None | ElasticRotation::FirstOrder, _) | (ElasticRotation::Integrated, None) => {
            ElasticRotation::RotationVector
        }
        (option, _) => option,
    }
}

/// Subtracts a wrench on a node, in body axes, from the bias: `[Π(j)* E*; φ(k,j)] f`.
pub(crate) fn load_node<T: Scalar>(
    model: &Model<T>,
    state: &State<T>,
    port: (usize, usize, Option<usize>),
    f: Force<T>,
    at: &Configuration<T>,
    bias: &mut Bias<T>,
) {
    let (body, node, _) = port;
    let top = &model.topology.bodies[body];
    let place = port_node(model, state, port, at);
    bias.force[body] -= f.shift(place.position);
    let data = &model.bodies[body].nodes[node];
    add_nodal_force(data, &place, at.slaves(top), -f, &mut bias.modal[top.modal.clone()]);
}

/// `c(η)` and `J(η)` of a body, whatever its fidelity; `∂J/∂(η, a)` into `scratch`.
pub(crate) fn body_inertia<T: Scalar>(
    model: &Model<T>,
    state: &State<T>,
    body: usize,
    at: &Configuration<T>,
    scratch: &mut Applied<T>,
) -> RigidInertia<T> {
    let (top, data) = (&model.topology.bodies[body], &model.bodies[body]);
    let Some(flexible) = &data.flexible else { return data.inertia };
    let n = top.modes + top.slaves;
    let Applied { augmented, inertia_rate, coupling, .. } = scratch;
    augmented[..top.modes].copy_from_slice(&state.coordinates[top.eta()]);
    augmented[top.modes..n].copy_from_slice(at.slaves(top).value);
    deformed(flexible, &data.inertia, &augmented[..n], inertia_rate, coupling)
}

/// Subtracts what acts on a body as a whole: a wrench about `F_k`, and on the modes `-∂V/∂c·∂c/∂η - ∂V/∂J:∂J/∂η`.
pub(crate) fn load_body<T: Scalar>(
    model: &Model<T>,
    state: &State<T>,
    body: usize,
    effect: PortForce<T>,
    at: &Configuration<T>,
    scratch: &mut Applied<T>,
    bias: &mut Bias<T>,
) {
    let top = &model.topology.bodies[body];
    bias.force[body] -= effect.wrench.rotate_back(&at.world_rotation[body]);
    let Some(flexible) = &model.bodies[body].flexible else { return };
    body_inertia(model, state, body, at, scratch);
    // Off-diagonal entries of a symmetric matrix stand for two.
    let [xx, yy, zz, xy, xz, yz] = effect.on_inertia.0;
    let on_inertia = Symmetric3([xx, yy, zz, xy + xy, xz + xz, yz + yz]);
    let (D, c1) = (&scratch.inertia_rate, &flexible.integrals.moment);
    let force = |r: usize| effect.on_moment.dot_add(c1[r], on_inertia.inner(&D[r]));
    let rows = &mut bias.modal[top.modal.clone()];
    for (r, row) in rows.iter_mut().enumerate() {
        *row -= force(r);
    }
    for a in 0..top.slaves {
        let load = force(top.modes + a);
        for (row, gain) in rows.iter_mut().zip(at.slaves(top).gains(a)) {
            *row -= *gain * load;
        }
    }
}
