//! Outward sweep: velocities of the bodies and the elastic rates of hinge-carrying nodes.
//!
//! ```text
//! V(t) = φ*(p,t) V(p) + Π(t) η̇,   V(O) = φ*(t,O) V(t) + H* β,   V(k) = φ*(O,k) V(O) - Π_F η̇      [JR92 (11)]
//! ```

#![allow(non_snake_case)] // symbols as printed, see docs/notation.md

use crate::model::Model;
use crate::model::description::ElasticRotation;
use crate::model::node::{NodeData, Slaves};
use crate::state::State;
use crate::workspace::{Configuration, NodePlace, NodeRate, Velocity};
use supple_spatial::block::linear::combination_add;
use supple_spatial::rotation::{self, EulerOrder};
use supple_spatial::{Motion, Scalar};

/// Fills `out` for the speeds of `state`.
pub(crate) fn velocity<T: Scalar>(model: &Model<T>, state: &State<T>, at: &Configuration<T>, out: &mut Velocity<T>) {
    let top = &*model.topology;
    let option = top.elastic_rotation;
    for (k, (body, data)) in top.bodies.iter().zip(model.bodies.iter()).enumerate() {
        let (eta, eta_dot) = (&state.coordinates[body.eta()], &state.speeds[body.eta_dot()]);
        if let Some(second) = data.flexible.as_ref().and_then(|f| f.second_order.as_ref()) {
            for (change, rows) in out.slave_change[body.slave.clone()].iter_mut().zip(&second.gains) {
                *change = (0..body.modes)
                    .fold(T::ZERO, |sum, r| rows.row_mul_add(r, eta_dot, T::ZERO).mul_add(eta_dot[r], sum));
            }
        }
        let moving = Moving { second: at.slaves(body), eta, eta_dot, change: &out.slave_change[body.slave.clone()] };
        out.inboard[k] = node_rate(option, &data.nodes[body.inboard_node], &at.inboard[k], &moving);
        for c in body.carriers.clone() {
            let node = &data.nodes[top.carriers[c].node];
            out.carrier[c] = node_rate(option, node, &at.carrier[c], &moving);
        }

        // V(O) = C φ*(t,O) (φ*(p,t) V(p) + Π(t) η̇) + H* β                          [JR92 (7), (8)]
        let R = &at.rotation[k];
        let carried = match body.parent {
            None => Motion::ZERO,
            Some(p) => {
                let (place, rate) = (&at.carrier[body.carrier], &out.carrier[body.carrier]);
                let V_t = out.body[p].shift(place.position) + rate.motion;
                V_t.shift(at.offset[k]).rotate_back(R)
            }
        };
        let V_O = combination_add(&at.hinge_map[body.hinge.clone()], &state.speeds[body.beta()], carried);

        // V(k) = φ*(O,k) V(O) - Π_F η̇                                              [JR92 (9)]
        out.body[k] = from_hinge(data.hinge_at_origin, &at.inboard[k], &out.inboard[k], V_O);
        out.gravity[k] = R.transpose_mul(body.parent.map_or(model.gravity, |p| out.gravity[p]));
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
    if node.influence.is_empty() {
        return NodeRate::ZERO;
    }
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
