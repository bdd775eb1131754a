//! Outward sweep: where hinges and hinge-carrying nodes are.
//!
//! ```text
//! R(p→k) = R_e(t) A R_J R_e(d)*         orientation across the hinge           [S3]
//! ρ      = R_e(t) (x + A d_J)           from the carrying node t to O
//! H*     in F_k axes: R_e(d) [H_ω; H_v]
//! ```
//!
//! `A`, `x` are the mount of `O⁺` on the node, `R_J`, `d_J` the hinge itself.

#![allow(non_snake_case)] // symbols as printed, see docs/notation.md

use super::hinge;
use crate::model::Model;
use crate::model::body::SecondOrder;
use crate::model::description::ElasticRotation;
use crate::model::hinge::HingeAxis;
use crate::model::node::{NodeData, Slaves};
use crate::model::topology::BodyTopology;
use crate::state::State;
use crate::workspace::Configuration;
use crate::workspace::NodePlace;
use supple_spatial::rotation::{self, EulerOrder};
use supple_spatial::{Matrix3, Motion, Quaternion, Scalar, Vector3};

/// Fills `out` for the coordinates of `state`; what never changes is there since [`constant_places`].
#[inline(never)] // a function of its own: its arguments are known not to overlap
pub(crate) fn configuration<T: Scalar>(model: &Model<T>, state: &State<T>, out: &mut Configuration<T>) {
    moving_nodes(model, state, out);
    for k in 0..model.bodies.len() {
        across_hinge(model, state, k, out);
    }
}

/// The part of [`configuration`] that modes move, before [`across_hinge`].
pub(crate) fn moving_nodes<T: Scalar>(model: &Model<T>, state: &State<T>, out: &mut Configuration<T>) {
    for &k in &model.topology.flexible {
        if model.topology.bodies[k].moves_nodes {
            node_places(model, state, k, out);
        }
    }
}

/// The part of [`configuration`] of one hinge.
#[inline(always)]
pub(crate) fn across_hinge<T: Scalar>(model: &Model<T>, state: &State<T>, k: usize, out: &mut Configuration<T>) {
    hinge::place(model, state, k, out);
    if !model.topology.bodies[k].rigid_link {
        between_nodes(model, k, out.rotation[k], out.offset[k], out);
    }
}

/// Writes the places of inboard nodes that no mode moves and the joint maps of one-axis hinges.
pub(crate) fn constant_places<T: Scalar>(model: &Model<T>, neutral: &State<T>, out: &mut Configuration<T>) {
    for (k, (body, data)) in model.topology.bodies.iter().zip(model.bodies.iter()).enumerate() {
        out.inboard[k].position = data.nodes[body.inboard_node].position;
        let theta = &neutral.coordinates[body.theta()];
        let place = data.hinge.motion.place(theta);
        data.hinge.motion.map(theta, &place, &mut out.hinge_map[body.hinge.clone()]);
    }
}

/// Nodes of a body with modes.
#[inline(always)]
pub(crate) fn node_places<T: Scalar>(model: &Model<T>, state: &State<T>, k: usize, out: &mut Configuration<T>) {
    let top = &*model.topology;
    let (body, data) = (&top.bodies[k], &model.bodies[k]);
    let (eta, option) = (&state.coordinates[body.eta()], top.elastic_rotation);
    if let Some(second) = data.flexible.as_ref().and_then(|f| f.second_order.as_ref()) {
        second_order_shapes(body, second, eta, out);
    }
    let attitude = |at: Option<usize>| at.map(|i| data.axes.rotation_from_user(state.attitudes[i]));
    let inboard = &data.nodes[body.inboard_node];
    let slaves = Slaves {
        value: &out.slave_value[body.slave.clone()],
        gain: &out.slave_gain[body.slave_gain.clone()],
        modes: body.modes,
    };
    if !inboard.influence.is_empty() {
        place_node(option, inboard, slaves, eta, attitude(body.inboard_attitude), &mut out.inboard[k]);
    }
    for c in body.carriers.clone() {
        let carrier = &top.carriers[c];
        let node = &data.nodes[carrier.node];
        if !node.influence.is_empty() {
            place_node(option, node, slaves, eta, attitude(carrier.attitude), &mut out.carrier[c]);
        }
    }
}

/// `R(p→k) = R_e(t) R R_e(d)*`, `ρ = R_e(t) ρ`, from those of the hinge alone                  [S3]
#[inline(always)]
pub(crate) fn between_nodes<T: Scalar>(
    model: &Model<T>,
    k: usize,
    mut R: Matrix3<T>,
    mut rho: Vector3<T>,
    out: &mut Configuration<T>,
) {
    let top = &*model.topology;
    let (body, option) = (&top.bodies[k], top.elastic_rotation);
    let turned_carrier = body.parent.is_some_and(|p| {
        let node = top.carriers[body.carrier].node;
        option != ElasticRotation::None && model.bodies[p].nodes[node].turns
    });
    let H = &mut out.hinge_map[body.hinge.clone()];
    if turned_carrier {
        let R_e = out.carrier[body.carrier].attitude;
        R = R_e * R;
        rho = R_e * rho;
        // A first-order R_e is not orthogonal: R_J* A* R_e* R_e A R_J stays in H_v, where there is any.
        if option == ElasticRotation::FirstOrder && body.axis == HingeAxis::Other {
            H.iter_mut().for_each(|h| h.linear = R.transpose_mul(R * h.linear));
        }
    }
    if option != ElasticRotation::None && model.bodies[k].nodes[body.inboard_node].turns {
        let R_e = out.inboard[k].attitude;
        H.iter_mut().for_each(|h| *h = h.rotate(&R_e));
        R = R * R_e.transpose();
    }
    out.rotation[k] = R;
    out.offset[k] = rho;
}

/// `B η` and `½ η* B η` of every second-order shape                                        [S5]
fn second_order_shapes<T: Scalar>(body: &BodyTopology, second: &SecondOrder<T>, eta: &[T], out: &mut Configuration<T>) {
    let gains = &mut out.slave_gain[body.slave_gain.clone()];
    for (k, rows) in second.gains.iter().enumerate() {
        let mut twice = T::ZERO;
        for r in 0..body.modes {
            let gain = rows.row_mul_add(r, eta, T::ZERO);
            gains[k * body.modes + r] = gain;
            twice = gain.mul_add(eta[r], twice);
        }
        out.slave_value[body.slave.start + k] = twice * T::from_f64(0.5);
    }
}

/// Lever arm, elastic rotation and rate matrix of a node, by the model's option; what the option leaves at the identity is not written.
#[inline(always)]
pub(crate) fn place_node<T: Scalar>(
    option: ElasticRotation,
    node: &NodeData<T>,
    second: Slaves<'_, T>,
    eta: &[T],
    attitude: Option<Quaternion<T>>,
    place: &mut NodePlace<T>,
) {
    place.position = node.position;
    if node.influence.is_empty() || option == ElasticRotation::None {
        return;
    }
    // u = Π η: slopes λ η and displacement γ η                                      [JR92 (5)]
    let u = node.displacement(second, eta);
    place.position += u.linear;
    if !node.turns {
        return;
    }
    let theta = u.angular;
    let parametrised = match option {
        ElasticRotation::None => return,
        ElasticRotation::FirstOrder => {
            place.attitude = Matrix3::IDENTITY + Matrix3::skew(theta);
            return;
        }
        ElasticRotation::Integrated => {
            place.attitude = attitude.unwrap_or(Quaternion::IDENTITY).to_matrix();
            return;
        }
        ElasticRotation::Euler321 => rotation::euler(EulerOrder::Zyx, theta),
        ElasticRotation::Euler123 => rotation::euler(EulerOrder::Xyz, theta),
        ElasticRotation::RotationVector => rotation::rotation_vector(theta),
    };
    (place.attitude, place.rate) = (parametrised.rotation, parametrised.rate);
}

/// `[λ_r; γ_r] → [E λ_r; γ_r]`: the motion of a hinge-carrying node per modal speed.
#[inline(always)]
pub(crate) fn with_rate<T: Scalar>(option: ElasticRotation, rate: &Matrix3<T>, influence: Motion<T>) -> Motion<T> {
    match option {
        ElasticRotation::Euler321 | ElasticRotation::Euler123 | ElasticRotation::RotationVector => {
            Motion::new(*rate * influence.angular, influence.linear)
        }
        _ => influence,
    }
}
