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

use crate::model::Model;
use crate::model::body::NodeData;
use crate::model::description::ElasticRotation;
use crate::state::State;
use crate::workspace::Configuration;
use crate::workspace::NodePlace;
use supple_spatial::block::linear::{combination, combination_add};
use supple_spatial::rotation::{self, EulerOrder};
use supple_spatial::{Matrix3, Motion, Quaternion, Scalar};

/// Fills `out` for the coordinates of `state`.
pub(crate) fn configuration<T: Scalar>(model: &Model<T>, state: &State<T>, out: &mut Configuration<T>) {
    let top = &*model.topology;
    let option = top.elastic_rotation;
    for (k, (body, data)) in top.bodies.iter().zip(model.bodies.iter()).enumerate() {
        let eta = &state.coordinates[body.eta()];
        let attitude = |at: Option<usize>| at.map(|i| state.attitudes[i]);
        out.inboard[k] = node_place(option, &data.nodes[body.inboard_node], eta, attitude(body.inboard_attitude));
        for c in body.carriers.clone() {
            let carrier = &top.carriers[c];
            out.carrier[c] = node_place(option, &data.nodes[carrier.node], eta, attitude(carrier.attitude));
        }

        let theta = &state.coordinates[body.theta()];
        let hinge = &data.hinge;
        let place = hinge.motion.place(theta);
        let H = &mut out.hinge_map[body.hinge.clone()];
        hinge.motion.map(theta, &place, H);

        // R(p→k) = R_e(t) A R_J R_e(d)*,  ρ = R_e(t) (x + A d_J)                    [S3]
        let mut R = hinge.rotation * place.rotation;
        let mut rho = hinge.rotation.mul_add(place.displacement, hinge.position);
        let turned_carrier = body.parent.is_some_and(|p| {
            let node = top.carriers[body.carrier].node;
            option != ElasticRotation::None && model.bodies[p].nodes[node].turns
        });
        if turned_carrier {
            let R_e = out.carrier[body.carrier].attitude;
            R = R_e * R;
            rho = R_e * rho;
            // A first-order R_e is not orthogonal: R_J* A* R_e* R_e A R_J stays in H_v.
            if option == ElasticRotation::FirstOrder {
                H.iter_mut().for_each(|h| h.linear = R.transpose_mul(R * h.linear));
            }
        }
        if option != ElasticRotation::None && data.nodes[body.inboard_node].turns {
            let R_e = out.inboard[k].attitude;
            H.iter_mut().for_each(|h| *h = h.rotate(&R_e));
            R = R * R_e.transpose();
        }
        out.rotation[k] = R;
        out.offset[k] = rho;
    }
}

/// Lever arm, elastic rotation and rate matrix of a node, by the model's option.
#[inline]
pub(crate) fn node_place<T: Scalar>(
    option: ElasticRotation,
    node: &NodeData<T>,
    eta: &[T],
    attitude: Option<Quaternion<T>>,
) -> NodePlace<T> {
    let mut place = NodePlace { position: node.position, ..NodePlace::ORIGIN };
    if node.influence.is_empty() || option == ElasticRotation::None {
        return place;
    }
    // u = Π η: slopes λ η and displacement γ η                                      [JR92 (5)]
    let u = combination(&node.influence, eta);
    place.position += u.linear;
    if !node.turns {
        return place;
    }
    let theta = u.angular;
    let parametrised = match option {
        ElasticRotation::None => return place,
        ElasticRotation::FirstOrder => {
            place.attitude = Matrix3::IDENTITY + Matrix3::skew(theta);
            return place;
        }
        ElasticRotation::Integrated => {
            place.attitude = attitude.unwrap_or(Quaternion::IDENTITY).to_matrix();
            return place;
        }
        ElasticRotation::Euler321 => rotation::euler(EulerOrder::Zyx, theta),
        ElasticRotation::Euler123 => rotation::euler(EulerOrder::Xyz, theta),
        ElasticRotation::RotationVector => rotation::rotation_vector(theta),
    };
    NodePlace { position: place.position, attitude: parametrised.rotation, rate: parametrised.rate }
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

/// Deformed position of any node, whatever the option for hinges.
#[inline]
pub(crate) fn deformed_position<T: Scalar>(node: &NodeData<T>, eta: &[T]) -> supple_spatial::Vector3<T> {
    let start = Motion::new(supple_spatial::Vector3::ZERO, node.position);
    combination_add(&node.influence, eta, start).linear
}
