//! Outward sweep: bodies and the columns of their hinges seen from the root.
//!
//! A hinge speed with the motion `S` per unit carries all that is outboard. Displaced, these bodies see in their own axes the velocity and
//! acceleration of what is inboard of it turned back:
//!
//! ```text
//! Ψ̇ = v × S        Ψ̈ = a × S + v × Ψ̇        per speed: S,  2 v × S          v, a: motion inboard of the axis
//! ```
//!
//! Directions of a quaternion share what is inboard: per speed their acceleration is `(v + v_k) × S`.

#![allow(non_snake_case)] // symbols as printed, see docs/notation.md

use super::body;
use super::memory::{Recursion, Seen};
use super::node::{self, BodyMotion, Modes};
use super::spatial::{Column, Composite, cross};
use crate::model::Model;
use crate::model::hinge::HingeAxis;
use crate::state::State;
use crate::workspace::{Configuration, Workspace};
use supple_spatial::{Matrix3, Motion, Scalar, Vector3};

/// Fills all columns for the accelerations `udot`, whose body accelerations are in the workspace.
#[inline(never)]
pub(super) fn columns<T: Scalar>(
    model: &Model<T>,
    state: &State<T>,
    udot: &[T],
    ws: &Workspace<T>,
    out: &mut Recursion<T>,
) {
    let Workspace { configuration: at, velocity, acceleration, .. } = ws;
    if !model.closing.is_empty() {
        // Others carry a body, whose composite is written there.
        out.arrived.fill(Composite::ZERO);
    }
    for (k, body) in model.topology.bodies.iter().enumerate() {
        let (V, alpha) = (velocity.body[k], acceleration.body[k]);
        let mut seen = place(model, k, at, &out.seen);
        let to_root = |m: Motion<T>| m.rotate(&seen.attitude).shift(-seen.position);
        seen.velocity = to_root(V);
        // a = [ω̇; v̇ - ω × v]
        let mut a = to_root(Motion::new(alpha.angular, alpha.linear - V.angular.cross(V.linear)));
        let mut v = seen.velocity;
        out.seen[k] = seen;
        if body.modes > 0
            && let Some(at_hinge) = modal_columns(model, state, udot, k, ws, out)
        {
            (v, a) = at_hinge;
        }
        let origin = seen.attitude.mul_add(at.inboard[k].position, seen.position);
        let quaternion = model.bodies[k].hinge.motion.has_quaternion();
        let v_k = v;
        if quaternion {
            // All directions at once.
            for (i, h) in body.hinge.clone().enumerate() {
                let S = hinge_motion(body.axis, i, at.hinge_map[h], &seen.attitude, origin);
                out.hinge[h].S = S;
                let speed = body.beta().start + i;
                v -= S * state.speeds[speed];
                a -= S * udot[speed];
            }
            a -= cross(v, v_k - v);
        }
        for (i, h) in body.hinge.clone().enumerate().rev() {
            let speed = body.beta().start + i;
            let column = &mut out.hinge[h];
            if !quaternion {
                column.S = hinge_motion(body.axis, i, at.hinge_map[h], &seen.attitude, origin);
                v -= column.S * state.speeds[speed];
            }
            let S = column.S;
            let V_d = cross(v, S);
            if !quaternion {
                a -= S * udot[speed] + V_d * state.speeds[speed];
            }
            let A_u = if quaternion { V_d + cross(v_k, S) } else { V_d + V_d };
            *column = Column { S, V_d, A_d: cross(a, S) + cross(v, V_d), A_u };
        }
    }
}

/// Where a body is.
pub(super) fn place<T: Scalar>(model: &Model<T>, k: usize, at: &Configuration<T>, before: &[Seen<T>]) -> Seen<T> {
    let body = &model.topology.bodies[k];
    let (attitude, position) = match body.parent {
        // The root sees itself.
        None => (at.rotation[k], Vector3::ZERO),
        Some(p) => {
            let attitude = before[p].attitude * at.rotation[k];
            let arm = at.carrier[body.carrier].position + at.offset[k];
            let origin = before[p].attitude.mul_add(arm, before[p].position);
            match model.bodies[k].hinge_at_origin {
                true => (attitude, origin),
                false => (attitude, origin - attitude * at.inboard[k].position),
            }
        }
    };
    Seen { attitude, position, velocity: Motion::ZERO }
}

/// Column of a joint map about the root.
#[inline(always)]
pub(super) fn hinge_motion<T: Scalar>(
    axis: HingeAxis,
    i: usize,
    h: Motion<T>,
    R: &Matrix3<T>,
    origin: Vector3<T>,
) -> Motion<T> {
    let turn = |i: usize| {
        let axis = R.column(i);
        Motion::new(axis, origin.cross(axis))
    };
    let slide = |i: usize| Motion::new(Vector3::ZERO, R.column(i));
    match axis {
        HingeAxis::TurnX => turn(0),
        HingeAxis::TurnY => turn(1),
        HingeAxis::TurnZ => turn(2),
        HingeAxis::SlideX => slide(0),
        HingeAxis::SlideY => slide(1),
        HingeAxis::SlideZ => slide(2),
        HingeAxis::Ball => turn(i),
        HingeAxis::Other => h.rotate(R).shift(-origin),
    }
}

/// Columns of the nodes that modes of a body move. Where the hinge is among them, gives the motion of `O`.
#[inline(never)]
fn modal_columns<T: Scalar>(
    model: &Model<T>,
    state: &State<T>,
    udot: &[T],
    k: usize,
    ws: &Workspace<T>,
    out: &mut Recursion<T>,
) -> Option<(Motion<T>, Motion<T>)> {
    let (top, data) = (&*model.topology, &model.bodies[k]);
    let (body, option) = (&top.bodies[k], top.elastic_rotation);
    let Workspace { configuration: at, velocity, acceleration, .. } = ws;
    body::load_modes(model, state, udot, k, ws, &mut out.local);
    let motion = BodyMotion { V: velocity.body[k], alpha: acceleration.body[k] };
    let modes =
        Modes { second: at.slaves(body), change: &velocity.slave_change[body.slave.clone()], local: &out.local };
    let seen = out.seen[k];
    for c in body.carriers.clone() {
        let node = &data.nodes[top.carriers[c].node];
        if !node.influence.is_empty() {
            let columns = &mut out.carried[body.modes_of_carrier(c)];
            out.carrier_node[c] = node::columns(option, node, &at.carrier[c], motion, modes, &seen, columns);
        }
    }
    if !body.free_free {
        return None;
    }
    let (node, columns) = (&data.nodes[body.inboard_node], &mut out.inboard[body.modal.clone()]);
    out.inboard_node[k] = node::columns(option, node, &at.inboard[k], motion, modes, &seen, columns);
    let (V_O, alpha_O) = node::motion(option, node, &at.inboard[k], motion, modes);
    let origin = seen.attitude.mul_add(at.inboard[k].position, seen.position);
    let to_root = |m: Motion<T>| m.rotate(&seen.attitude).shift(-origin);
    let a = Motion::new(alpha_O.angular, alpha_O.linear - V_O.angular.cross(V_O.linear));
    Some((to_root(V_O), to_root(a)))
}
