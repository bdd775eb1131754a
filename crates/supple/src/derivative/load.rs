//! Local to each body: loads on its nodes, by wrenches of the caller and force elements, at forces held.
//!
//! A load is carried by its node like a body without inertia. In inertial axes it does not turn along; in the axes of the body it turns with that,
//! but not with the node.

#![allow(non_snake_case)] // symbols as printed, see docs/notation.md

use super::inward::{carry, turn_columns};
use super::memory::Recursion;
use super::node::{self, BodyMotion, Modes, NodeTangent};
use super::spatial::Composite;
use crate::force::PortPlace;
use crate::inputs::{Wrench, WrenchFrame};
use crate::model::Model;
use crate::model::description::ElasticRotation;
use crate::state::State;
use crate::sweep::port::{port_node, port_rotation};
use crate::workspace::{NodePlace, Workspace};
use supple_spatial::{Force, Scalar};

/// A load on a node of a body.
struct Load<T> {
    node: usize,
    /// In the axes of the body.
    force: Force<T>,
    place: NodePlace<T>,
    /// How its rate matrix follows the slopes.
    rotation: ElasticRotation,
    inertial: bool,
}

/// Adds the loads on body `k` to its modes and to all that its hinge carries, which has their forces already.
pub(super) fn loads<T: Scalar>(
    model: &Model<T>,
    state: &State<T>,
    udot: &[T],
    (k, wrenches): (usize, &[Wrench<T>]),
    ws: &Workspace<T>,
    out: &mut Recursion<T>,
    all: &mut Composite<T>,
) {
    let at = &ws.configuration;
    let body = &model.topology.bodies[k];
    for wrench in wrenches.iter().filter(|wrench| wrench.body.0 == k) {
        let (node, inertial) = (wrench.node.0, wrench.frame == WrenchFrame::Inertial);
        let force = match inertial {
            true => wrench.force.rotate_back(&out.seen[k].attitude),
            false => model.bodies[k].axes.force_from_user(wrench.force),
        };
        let position = model.bodies[k].nodes[node].deformed(at.slaves(body), &state.coordinates[body.eta()]);
        let place = NodePlace { position, ..NodePlace::ORIGIN };
        // Slopes count as rotations.
        let load = Load { node, force, place, rotation: ElasticRotation::Integrated, inertial };
        add(model, state, udot, k, load, ws, out, all);
    }
    let ports = model.elements.list.iter().flat_map(|element| &element.ports);
    for (port, force) in ports.zip(&ws.applied.loads) {
        match *port {
            PortPlace::Node { body, node, attitude } if body == k => {
                let place = port_node(model, state, (body, node, attitude), at);
                let rotation = port_rotation(model, attitude);
                add(model, state, udot, k, Load { node, force: *force, place, rotation, inertial: true }, ws, out, all);
            }
            PortPlace::Body(body) if body == k => {
                let f = force.rotate(&out.seen[k].attitude);
                all.turn =
                    Composite { turn: all.turn, ..Composite::ZERO }.add(&Composite::load(f, out.seen[k].position)).turn;
            }
            _ => {}
        }
    }
}

#[allow(clippy::too_many_arguments)] // all of one load
fn add<T: Scalar>(
    model: &Model<T>,
    state: &State<T>,
    udot: &[T],
    k: usize,
    load: Load<T>,
    ws: &Workspace<T>,
    out: &mut Recursion<T>,
    all: &mut Composite<T>,
) {
    let (body, node, seen) = (&model.topology.bodies[k], &model.bodies[k].nodes[load.node], out.seen[k]);
    let f = load.force.rotate(&seen.attitude);
    let on = Composite::load(f, seen.attitude.mul_add(load.place.position, seen.position));
    if load.inertial {
        all.turn = Composite { turn: all.turn, ..Composite::ZERO }.add(&on).turn;
    }
    if node.influence.is_empty() {
        return;
    }
    let tangent = columns(model, state, udot, k, (load.node, &load.place, load.rotation), ws, out);
    let Recursion { loaded, dofs, displacement, speed, mass, .. } = out;
    carry(&loaded[..body.modes], &on, (model.speed_count(), body), dofs, (displacement, speed, mass));
    if !load.inertial {
        // It turns with the body.
        for (dof, column) in dofs.iter_mut().zip(&loaded[..body.modes]) {
            dof.N -= on.weight(column.S);
        }
    }
    turn_columns(model, k, ws, (node, &load.place, tangent), on.force, out);
}

/// Writes the columns of the modes of a body at any of its nodes.
pub(super) fn columns<T: Scalar>(
    model: &Model<T>,
    state: &State<T>,
    udot: &[T],
    k: usize,
    (node, place, rotation): (usize, &NodePlace<T>, ElasticRotation),
    ws: &Workspace<T>,
    out: &mut Recursion<T>,
) -> Option<NodeTangent<T>> {
    let body = &model.topology.bodies[k];
    super::body::load_modes(model, state, udot, k, ws, &mut out.local);
    let motion = BodyMotion { V: ws.velocity.body[k], alpha: ws.acceleration.body[k] };
    let change = &ws.velocity.slave_change[body.slave.clone()];
    let modes = Modes { second: ws.configuration.slaves(body), change, local: &out.local };
    let node = &model.bodies[k].nodes[node];
    node::columns(rotation, node, place, motion, modes, &out.seen[k], &mut out.loaded[..body.modes])
}
