//! Outward sweep of the verbs that need forces: place, velocity and `a_mR` [JR92 (25)] of one body after the other, each with mass and
//! bias of its modes.
//!
//! One loop over the steps of `configuration`, `velocity` and `modal_mass`, and the bias.

#![allow(non_snake_case)] // symbols as printed, see docs/notation.md

pub(crate) mod link;

use super::crossing::{carried, carried_obliquely, carried_rigidly, carried_unturned};
use super::hinge::{OneAxis, ball, by_axis};
use super::{bias, configuration, velocity};
use crate::model::Model;
use crate::model::description::ElasticRotation;
use crate::model::hinge::HingeAxis;
use crate::state::State;
use crate::terms::Terms;
use crate::workspace::{Bias, Configuration, Modal, Velocity};
use link::{is_still, link_acceleration, link_node};
use supple_spatial::{Force, Motion, Scalar};

/// Fills all that follows from a state, with the chosen `terms` of the bias.
#[inline(never)] // a function of its own: its arguments are known not to overlap
pub(crate) fn motion<T: Scalar>(
    model: &Model<T>,
    state: &State<T>,
    terms: Terms,
    at: &mut Configuration<T>,
    modal: &mut Modal<T>,
    velocity: &mut Velocity<T>,
    out: &mut Bias<T>,
) {
    // Of the body before: on the way to its child it need not wait for memory.
    let mut before = Motion::ZERO;
    for (k, body) in model.topology.bodies.iter().enumerate() {
        if body.moves_nodes {
            nodes(model, state, k, at, velocity);
        }
        let (V, a) = match body.axis {
            HingeAxis::Other => {
                any_link(model, state, k, at, velocity, out);
                (velocity.body[k], out.acceleration[k])
            }
            axis => {
                let (hinge, theta) = (&model.bodies[k].hinge, &state.coordinates[body.theta()]);
                let (R, rho) = by_axis!(axis,
                    Axis => Axis::place(&hinge.rotation, hinge.position, theta[0]),
                    _ => ball::place(hinge, theta)
                );
                (at.rotation[k], at.offset[k]) = (R, rho);
                // The motion of O that the parent gives and what its acceleration keeps, in the axes of the body.
                let (V, a) = match body.parent {
                    None => (Motion::ZERO, Motion::ZERO),
                    Some(p) if body.rigid_link => {
                        let V_p = if p + 1 == k { before } else { velocity.body[p] };
                        (V_p.shift(rho).rotate_back(&R), carried_rigidly(V_p.angular, rho, &R))
                    }
                    Some(p) => {
                        on_moving_node(model, state, k, p, at, velocity, out);
                        (velocity.body[k], out.acceleration[k])
                    }
                };
                // O is F_k, and turns about its own axes.
                let beta = &state.speeds[body.beta()];
                by_axis!(axis,
                    Axis => {
                        let V = Axis::add_motion(V, beta[0]);
                        (V, Axis::add_turning(a, V.angular, beta[0]))
                    },
                    _ => {
                        let V = ball::add_motion(V, beta);
                        (V, ball::add_turning(a, V.angular, beta))
                    }
                )
            }
        };
        before = V;
        velocity.body[k] = V;
        out.acceleration[k] = if terms.velocity { a } else { Motion::ZERO };
        if model.topology.weighs_offsets {
            velocity::turn_gravity(model, k, at, velocity);
        }
        if body.modes > 0 {
            bias::mass_and_bias(model, state, terms, k, at, velocity, modal, out);
        } else {
            out.force[k] = match terms.velocity {
                true => bias::gyroscopic(&modal.inertia[k], V.angular),
                false => Force::ZERO,
            };
        }
    }
}

/// Places and rates of the nodes that modes move.
#[inline(never)]
fn nodes<T: Scalar>(model: &Model<T>, state: &State<T>, k: usize, at: &mut Configuration<T>, out: &mut Velocity<T>) {
    configuration::node_places(model, state, k, at);
    velocity::node_rates(model, state, k, at, out);
}

/// Writes the motion of `O` as that of body `k`, and what its acceleration keeps, where a node of `p` that modes move carries the hinge,
/// whose place on the node is there.
#[inline(never)]
fn on_moving_node<T: Scalar>(
    model: &Model<T>,
    state: &State<T>,
    k: usize,
    p: usize,
    at: &mut Configuration<T>,
    velocity: &mut Velocity<T>,
    out: &mut Bias<T>,
) {
    let hinge = (at.rotation[k], at.offset[k]);
    configuration::between_nodes(model, k, hinge.0, hinge.1, at);
    let (R, rho, c) = (&at.rotation[k], at.offset[k], model.topology.bodies[k].carrier);
    let (V_p, node) = (velocity.body[p], model.topology.carriers[c].node);
    let t = link_node(model, p, node, &at.carrier[c], &velocity.carrier[c]);
    velocity.body[k] = velocity::carried(model, k, V_p, at, velocity);
    out.acceleration[k] = match model.topology.elastic_rotation {
        ElasticRotation::None if !is_still(model, p) => carried_unturned(V_p, &t, rho).rotate_back(R),
        ElasticRotation::FirstOrder if model.bodies[p].nodes[node].turns => carried_obliquely(V_p, &t, rho, R, &hinge),
        _ => carried(V_p, &t, rho).rotate_back(R),
    };
    if is_still(model, p) {
        // The rate of the node, which V has and a_mR of such a body has not, times that of the hinge.   [JR92 (75)]
        let (w, a) = (-R.transpose_mul(velocity.carrier[c].motion.angular), out.acceleration[k]);
        let (axis, beta) = (model.topology.bodies[k].axis, &state.speeds[model.topology.bodies[k].beta()]);
        out.acceleration[k] = by_axis!(axis,
            Axis => Axis::add_turning(a, w, beta[0]),
            _ => ball::add_turning(a, w, beta)
        );
    }
}

/// Writes `V(k)` and `a_mR(k)` across a hinge of any kind.
#[inline(never)]
fn any_link<T: Scalar>(
    model: &Model<T>,
    state: &State<T>,
    k: usize,
    at: &mut Configuration<T>,
    velocity: &mut Velocity<T>,
    out: &mut Bias<T>,
) {
    configuration::across_hinge(model, state, k, at);
    let before = k.checked_sub(1).map_or(Motion::ZERO, |i| velocity.body[i]);
    velocity.body[k] = velocity::across_hinge(model, state, k, before, at, velocity);
    out.acceleration[k] = link_acceleration(model, state, k, at, velocity);
}
