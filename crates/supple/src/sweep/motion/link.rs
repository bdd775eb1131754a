//! `a_mR(k)` across a hinge of any kind, whose nodes may move with modes, by the derivation that fits the model's elastic rotation.

#![allow(non_snake_case)] // symbols as printed, see docs/notation.md

use crate::model::Model;
use crate::model::description::ElasticRotation;
use crate::model::node::NodeData;
use crate::state::State;
use crate::sweep::crossing::{HingeComponents, Link, Node, Turning, by_components, by_vectors};
use crate::workspace::{Configuration, NodePlace, NodeRate, Velocity};
use supple_spatial::block::linear::{combination, combination_add};
use supple_spatial::{Matrix3, Motion, Scalar, Vector3};

/// `a_mR(k)`.
pub(super) fn link_acceleration<T: Scalar>(
    model: &Model<T>,
    state: &State<T>,
    k: usize,
    at: &Configuration<T>,
    velocity: &Velocity<T>,
) -> Motion<T> {
    let top = &*model.topology;
    let (body, data) = (&top.bodies[k], &model.bodies[k]);
    let beta = &state.speeds[body.beta()];
    let (V_p, t) = carrying_node(model, k, at, velocity);
    let option = top.elastic_rotation;
    let H = &at.hinge_map[body.hinge.clone()];
    let inboard = || link_node(model, k, body.inboard_node, &at.inboard[k], &velocity.inboard[k]);
    let link = Link {
        V_p,
        t,
        d: (!data.hinge_at_origin).then(inboard),
        R: &at.rotation[k],
        rho: at.offset[k],
        relative: combination_add(H, beta, Motion::ZERO),
        hinge_bias: data.hinge.motion.bias(H, beta),
    };
    let carrier_node = body.parent.map(|p| (p, &model.bodies[p].nodes[top.carriers[body.carrier].node]));
    let inboard_node = &data.nodes[body.inboard_node];
    // Even at rest an R_e of first order is no rotation.
    let oblique = |n: &NodeData<T>| option == ElasticRotation::FirstOrder && n.turns;
    let moving = |owner: usize, n: &NodeData<T>| !n.influence.is_empty() && (!is_still(model, owner) || oblique(n));
    let moves = moving(k, inboard_node) || carrier_node.is_some_and(|(p, n)| moving(p, n));
    if option.is_orthogonal() || !moves {
        return by_vectors(&link);
    }

    let theta = &state.coordinates[body.theta()];
    let place = data.hinge.motion.place(theta);
    let mut columns = [Motion::ZERO; 6];
    let columns = &mut columns[..beta.len()];
    data.hinge.motion.map(theta, &place, columns);
    let hinge = HingeComponents {
        mounted: data.hinge.rotation * place.rotation,
        x_O: data.hinge.rotation.mul_add(place.displacement, data.hinge.position),
        relative: combination(columns, beta),
        bias: data.hinge.motion.bias(columns, beta),
    };
    let turning = |place: &NodePlace<T>, node: &Node<T>| match option {
        ElasticRotation::FirstOrder => {
            Turning { R_e: place.attitude, R_e_dot: Matrix3::skew(node.rate.angular), l_dot: node.rate.linear }
        }
        _ => Turning { R_e: place.attitude, R_e_dot: Matrix3::ZERO, l_dot: Vector3::ZERO },
    };
    let t = match body.parent {
        None => turning(&NodePlace::ORIGIN, &Node::GROUND),
        Some(_) => turning(&at.carrier[body.carrier], &link.t),
    };
    by_components(&link, t, turning(&at.inboard[k], &link.d.unwrap_or(Node::GROUND)), &hinge)
}

/// A hinge-carrying node of the body `owner` as a link sees it.
#[inline(always)]
pub(crate) fn link_node<T: Scalar>(
    model: &Model<T>,
    owner: usize,
    node: usize,
    place: &NodePlace<T>,
    rate: &NodeRate<T>,
) -> Node<T> {
    // Constant inertial terms leave out every η and η̇ of their body.                [JR92 (75)]
    if is_still(model, owner) {
        let data = &model.bodies[owner].nodes[node];
        let l = if data.influence.is_empty() { place.position } else { data.position };
        return Node { l, ..Node::GROUND };
    }
    let second = (model.topology.bodies[owner].slaves > 0).then_some(rate.change.linear);
    Node { l: place.position, rate: rate.motion, change: rate.change.angular, second }
}

/// The node that carries body `k`.
#[inline(always)]
fn carrying_node<T: Scalar>(
    model: &Model<T>,
    k: usize,
    at: &Configuration<T>,
    velocity: &Velocity<T>,
) -> (Motion<T>, Node<T>) {
    let body = &model.topology.bodies[k];
    let Some(p) = body.parent else { return (Motion::ZERO, Node::GROUND) };
    let c = body.carrier;
    let node = link_node(model, p, model.topology.carriers[c].node, &at.carrier[c], &velocity.carrier[c]);
    (velocity.body[p], node)
}

/// Whether the bias of a body is that of the undeformed body at rest.
pub(super) fn is_still<T: Scalar>(model: &Model<T>, k: usize) -> bool {
    model.bodies[k].flexible.as_ref().is_some_and(|f| f.still)
}
