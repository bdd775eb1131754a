//! Outward sweep: velocities of the bodies and the elastic rates of hinge-carrying nodes.
//!
//! ```text
//! V(t) = φ*(p,t) V(p) + Π(t) η̇,   V(O) = φ*(t,O) V(t) + H* β,   V(k) = φ*(O,k) V(O) - Π_F η̇      [JR92 (11)]
//! ```

#![allow(non_snake_case)] // symbols as printed, see docs/notation.md

use super::hinge::{OneAxis, ball, by_axis};
use crate::model::Model;
use crate::model::description::ElasticRotation;
use crate::model::node::{NodeData, Slaves};
use crate::state::State;
use crate::workspace::{Configuration, NodePlace, NodeRate, Velocity};
use supple_spatial::block::linear::combination_add;
use supple_spatial::rotation::{self, EulerOrder};
use supple_spatial::{Motion, Scalar};

/// Fills `out` for the speeds of `state`.
#[inline(never)] // a function of its own: its arguments are known not to overlap
pub(crate) fn velocity<T: Scalar>(model: &Model<T>, state: &State<T>, at: &Configuration<T>, out: &mut Velocity<T>) {
    let top = &*model.topology;
    for &k in top.flexible.iter().filter(|k| top.bodies[**k].moves_nodes) {
        node_rates(model, state, k, at, out);
    }
    // Of the body before: on the way to its child it need not wait for memory.
    let mut before = Motion::ZERO;
    for k in 0..top.bodies.len() {
        before = across_hinge(model, state, k, before, at, out);
        out.body[k] = before;
    }
    if top.weighs_offsets {
        (0..top.bodies.len()).for_each(|k| turn_gravity(model, k, at, out));
    }
}

/// `V(k)`; `before` is that of the body with the number before.
#[inline(always)]
pub(crate) fn across_hinge<T: Scalar>(
    model: &Model<T>,
    state: &State<T>,
    k: usize,
    before: Motion<T>,
    at: &Configuration<T>,
    out: &Velocity<T>,
) -> Motion<T> {
    let body = &model.topology.bodies[k];
    let V = carried(model, k, before, at, out);
    let beta = &state.speeds[body.beta()];
    // V(O) = C φ*(t,O) V(t) + H* β                                                  [JR92 (8)]
    by_axis!(body.axis,
        Axis => Axis::add_motion(V, beta[0]),
        Ball => ball::add_motion(V, beta),
        _ => {
            let V_O = combination_add(&at.hinge_map[body.hinge.clone()], beta, V);
            // V(k) = φ*(O,k) V(O) - Π_F η̇                                          [JR92 (9)]
            from_hinge(model.bodies[k].hinge_at_origin, &at.inboard[k], &out.inboard[k], V_O)
        }
    )
}

/// `C φ*(t,O) V(t)`, `V(t) = φ*(p,t) V(p) + Π(t) η̇`: the velocity of `O` that the parent gives, in the body's axes   [JR92 (7)]
#[inline(always)]
pub(crate) fn carried<T: Scalar>(
    model: &Model<T>,
    k: usize,
    before: Motion<T>,
    at: &Configuration<T>,
    out: &Velocity<T>,
) -> Motion<T> {
    let body = &model.topology.bodies[k];
    let Some(p) = body.parent else { return Motion::ZERO };
    let V_p = if p + 1 == k { before } else { out.body[p] };
    let V_t = match body.rigid_link {
        true => V_p,
        false => V_p.shift(at.carrier[body.carrier].position) + out.carrier[body.carrier].motion,
    };
    V_t.shift(at.offset[k]).rotate_back(&at.rotation[k])
}

/// Gravity in the axes of a body, after its parent's.
pub(crate) fn turn_gravity<T: Scalar>(model: &Model<T>, k: usize, at: &Configuration<T>, out: &mut Velocity<T>) {
    let gravity = model.topology.bodies[k].parent.map_or(model.gravity, |p| out.gravity[p]);
    out.gravity[k] = at.rotation[k].transpose_mul(gravity);
}

/// Elastic rates of the hinge-carrying nodes of a body with modes.
#[inline(always)]
pub(crate) fn node_rates<T: Scalar>(
    model: &Model<T>,
    state: &State<T>,
    k: usize,
    at: &Configuration<T>,
    out: &mut Velocity<T>,
) {
    let top = &*model.topology;
    let (body, data, option) = (&top.bodies[k], &model.bodies[k], top.elastic_rotation);
    let (eta, eta_dot) = (&state.coordinates[body.eta()], &state.speeds[body.eta_dot()]);
    if let Some(second) = data.flexible.as_ref().and_then(|f| f.second_order.as_ref()) {
        for (change, rows) in out.slave_change[body.slave.clone()].iter_mut().zip(&second.gains) {
            *change = rows.form(eta_dot, eta_dot);
        }
    }
    let moving = Moving { second: at.slaves(body), eta, eta_dot, change: &out.slave_change[body.slave.clone()] };
    let inboard = &data.nodes[body.inboard_node];
    if !inboard.influence.is_empty() {
        out.inboard[k] = node_rate(option, inboard, &at.inboard[k], &moving);
    }
    for c in body.carriers.clone() {
        let node = &data.nodes[top.carriers[c].node];
        if !node.influence.is_empty() {
            out.carrier[c] = node_rate(option, node, &at.carrier[c], &moving);
        }
    }
}

/// `V(k)` from the velocity of `O`: `ω_k = ω_O - E λ η̇`, `v_k = v_O - ω_k × l_d - γ η̇`.
#[inline(always)]
pub(crate) fn from_hinge<T: Scalar>(
    at_origin: bool,
    place: &NodePlace<T>,
    rate: &NodeRate<T>,
    V_O: Motion<T>,
) -> Motion<T> {
    if at_origin { V_O } else { (V_O - rate.motion).shift(-place.position) }
}

/// How the modes of a body move.
struct Moving<'a, T> {
    second: Slaves<'a, T>,
    eta: &'a [T],
    eta_dot: &'a [T],
    /// `η̇* B η̇` per second-order shape.
    change: &'a [T],
}

/// `[E λ η̇; γ η̇]` of a node and what its rate keeps at `η̈ = 0`.
#[inline]
fn node_rate<T: Scalar>(
    option: ElasticRotation,
    node: &NodeData<T>,
    place: &NodePlace<T>,
    moving: &Moving<'_, T>,
) -> NodeRate<T> {
    let motion = node.combine(moving.second, moving.eta_dot, Motion::ZERO);
    let mut rate = NodeRate { motion, change: node.change(moving.change) };
    if !node.turns {
        return rate;
    }
    let theta_dot = motion.angular;
    let own = match option {
        ElasticRotation::Euler321 => rotation::euler_rate_change(EulerOrder::Zyx, &place.rate, theta_dot),
        ElasticRotation::Euler123 => rotation::euler_rate_change(EulerOrder::Xyz, &place.rate, theta_dot),
        ElasticRotation::RotationVector => {
            let theta = node.displacement(moving.second, moving.eta).angular;
            rotation::rotation_vector_rate_change(theta, theta_dot)
        }
        _ => return rate,
    };
    rate.change.angular = place.rate * rate.change.angular + own;
    rate.motion.angular = place.rate * theta_dot;
    rate
}
