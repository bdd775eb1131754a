//! Inward sweep: `∂T/∂δ`, `∂T/∂u` and `𝓜` of a tree, as products of columns and composite forces, all about the root.
//!
//! What is outboard of a speed `i` answers the columns of all speeds `j` inboard of it by its composite inertia `I` and rate `B`, and bears on
//! them with its own force:
//!
//! ```text
//! ∂T_i/∂δ_j = F_i·Ψ̈_j + C_i·Ψ̇_j      F = I S        ∂T_j/∂δ_i = S_j·G_i      G = I Ψ̈ + B Ψ̇ + S ×* f
//! ∂T_i/∂u_j = F_i·A_j + C_i·S_j       C = B* S       ∂T_j/∂u_i = S_j·D_i      D = I A + B S
//! 𝓜_ij      = F_i·S_j
//! ```
//!
//! A mode `r` has such columns at every carrier `t` and loaded node, and the opposite ones of its hinge where it moves that; its own terms are
//! in `body`.

#![allow(non_snake_case)] // symbols as printed, see docs/notation.md

use super::memory::Recursion;
use super::node::NodeTangent;
use super::spatial::{Column, Composite, Dof, cross_force};
use super::{body, load};
use crate::inputs::{Wrench, WrenchFrame};
use crate::model::Model;
use crate::model::node::NodeData;
use crate::model::topology::BodyTopology;
use crate::state::State;
use crate::sweep::modal_mass::add_own_mass;
use crate::workspace::{NodePlace, Workspace};
use supple_spatial::{Force, Scalar, Vector3};

/// Fills the matrices, after `outward::columns`; speeds that share no path have zeros there already.
#[inline(never)]
pub(super) fn entries<T: Scalar>(
    model: &Model<T>,
    state: &State<T>,
    udot: &[T],
    wrenches: &[Wrench<T>],
    ws: &mut Workspace<T>,
    out: &mut Recursion<T>,
) {
    let turning = wrenches.iter().any(|wrench| wrench.frame == WrenchFrame::Inertial) || model.elements.needs_poses;
    out.drags = model.topology.weighs_offsets || turning || !model.closing.is_empty();
    for (k, body) in model.topology.bodies.iter().enumerate().rev() {
        let seen = out.seen[k];
        let mut all = body::own(model, state, udot, k, ws, &seen, &mut out.local);
        for c in body.carriers.clone() {
            all = all.add(&out.arrived[c]);
        }
        if body.modes > 0 {
            own_modes(model, k, ws, out);
            carried_modes(model, k, ws, out);
        }
        load::loads(model, state, udot, (k, wrenches), ws, out, &mut all);
        if body.free_free {
            move_hinge(model, k, &all, out);
            let (node, place) = (&model.bodies[k].nodes[body.inboard_node], &ws.configuration.inboard[k]);
            turn_columns(model, k, ws, (node, place, out.inboard_node[k]), -all.force, out);
        }
        entries_of(model, k, &all, out);
        pass_on(model, body, all, out);
    }
}

/// Entries of the speeds of a body, with all that is outboard of its hinge.
#[inline(always)]
pub(super) fn entries_of<T: Scalar>(model: &Model<T>, k: usize, all: &Composite<T>, out: &mut Recursion<T>) {
    hinge(model, k, all, out);
    ancestors(model, &model.topology.bodies[k], out);
}

/// All that is outboard of a hinge goes on to what carries it.
#[inline(always)]
pub(super) fn pass_on<T: Scalar>(model: &Model<T>, body: &BodyTopology, all: Composite<T>, out: &mut Recursion<T>) {
    if body.parent.is_some() {
        let arrived = &mut out.arrived[body.carrier];
        *arrived = if body.first_on_carrier && model.closing.is_empty() { all } else { arrived.add(&all) };
    }
}

/// The speeds of a hinge, and their entries among themselves and with the modes.
#[inline(always)]
fn hinge<T: Scalar>(model: &Model<T>, k: usize, all: &Composite<T>, out: &mut Recursion<T>) {
    let body = &model.topology.bodies[k];
    let (n, first, drags) = (model.speed_count(), body.speeds.start, out.drags);
    let quaternion = model.bodies[k].hinge.motion.has_quaternion();
    let (modes, hinge) = (body.modes, body.hinge.clone());
    for (i, h) in hinge.clone().enumerate() {
        let column = &out.hinge[h];
        let seen = all.seen(column);
        let dof = Dof {
            F: all.inertia.mul(column.S),
            C: all.rate.transpose_mul(column.S),
            N: all.weight(column.S),
            G: seen + cross_force(column.S, all.force),
            D: all.moved(column),
        };
        let row = first + modes + i;
        // Among themselves: those before are inboard, but for the directions of a quaternion, which see one another.
        for (j, other) in out.hinge[hinge.start..=h].iter().enumerate() {
            let to = first + modes + j;
            out.mass[row * n + to] = other.S.dot(dof.F);
            out.mass[to * n + row] = out.mass[row * n + to];
            out.speed[to * n + row] = other.S.dot(dof.D);
            out.displacement[to * n + row] = other.S.dot(if quaternion { seen } else { dof.G });
            if j < i {
                out.speed[row * n + to] = other.A_u.dot(dof.F) + other.S.dot(dof.C);
                out.displacement[row * n + to] = other.A_d.dot(dof.F) + other.V_d.dot(dof.C);
                if out.drags {
                    out.displacement[row * n + to] += other.S.angular.dot(dof.N);
                }
            }
        }
        if let Some(rotor) = model.bodies[k].rotor.get(i) {
            out.mass[row * n + row] += *rotor;
        }
        out.dofs[modes + i] = dof;
    }
    for r in 0..modes {
        let dof = out.dofs[r];
        for (i, column) in out.hinge[hinge.clone()].iter().enumerate() {
            exchange(
                &dof,
                column,
                (first + r, first + modes + i),
                (n, drags),
                (&mut out.displacement, &mut out.speed, &mut out.mass),
            );
        }
    }
}

/// Entries of all speeds of a body with those of the bodies that carry it.
#[inline(always)]
fn ancestors<T: Scalar>(model: &Model<T>, body: &BodyTopology, out: &mut Recursion<T>) {
    let (n, drags) = (model.speed_count(), out.drags);
    let Recursion { hinge, carried, inboard, dofs, displacement, speed, mass, .. } = out;
    let (mut parent, mut carrier) = (body.parent, body.carrier);
    while let Some(p) = parent {
        let by = &model.topology.bodies[p];
        for (r, column) in carried[by.modes_of_carrier(carrier)].iter().enumerate() {
            let column = match by.free_free {
                true => &column.minus(&inboard[by.modal.start + r]),
                false => column,
            };
            for (dof, row) in dofs.iter().zip(body.speeds.clone()) {
                exchange(dof, column, (row, by.speeds.start + r), (n, drags), (displacement, speed, mass));
            }
        }
        for (i, column) in hinge[by.hinge.clone()].iter().enumerate() {
            for (dof, row) in dofs.iter().zip(body.speeds.clone()) {
                exchange(dof, column, (row, by.beta().start + i), (n, drags), (displacement, speed, mass));
            }
        }
        (parent, carrier) = (by.parent, by.carrier);
    }
}

/// Entries `(i, j)` and `(j, i)` of a speed `i` with one that is inboard of it.
#[inline(always)]
fn exchange<T: Scalar>(
    dof: &Dof<T>,
    column: &Column<T>,
    (i, j): (usize, usize),
    (n, drags): (usize, bool),
    (displacement, speed, mass): (&mut [T], &mut [T], &mut [T]),
) {
    let per_displacement = column.A_d.dot_add(dof.F, column.V_d.angular.dot(dof.C.angular));
    let per_speed = column.A_u.dot_add(dof.F, column.S.angular.dot(dof.C.angular));
    (displacement[i * n + j], speed[i * n + j]) = match drags {
        // Velocities of translation do not matter.
        false => (per_displacement, per_speed),
        true => {
            let weight = column.S.angular.dot_add(dof.N, per_displacement);
            (column.V_d.linear.dot_add(dof.C.linear, weight), column.S.linear.dot_add(dof.C.linear, per_speed))
        }
    };
    displacement[j * n + i] = column.S.dot(dof.G);
    speed[j * n + i] = column.S.dot(dof.D);
    let inertia = column.S.dot(dof.F);
    (mass[i * n + j], mass[j * n + i]) = (inertia, inertia);
}

/// Own terms of the modes of a body.
#[inline(never)]
fn own_modes<T: Scalar>(model: &Model<T>, k: usize, ws: &Workspace<T>, out: &mut Recursion<T>) {
    let (body, data) = (&model.topology.bodies[k], &model.bodies[k]);
    let (n, first, count) = (model.speed_count(), body.speeds.start, body.modes);
    let Some(flexible) = &data.flexible else { return };
    let Recursion { seen, dofs, local, displacement, speed, mass, .. } = out;
    let seen = &seen[k];
    let to_root = |f: Force<T>| f.rotate(&seen.attitude).shift(seen.position);
    let coupling = &ws.modal.coupling[body.modal.clone()];
    for r in 0..count {
        let weight = |_| seen.attitude * local.offset[r].cross(ws.velocity.gravity[k]);
        dofs[r] = Dof {
            F: to_root(coupling[r]),
            C: to_root(local.per_velocity[r]),
            N: flexible.integrals.offset.as_ref().map_or(Vector3::ZERO, weight),
            G: to_root(local.per_eta[r]),
            D: to_root(local.per_rate[r]),
        };
        let unit = &mut local.row[..count];
        unit.fill(T::ZERO);
        unit[r] = T::ONE;
        let column = &mut local.column[..count];
        column.fill(T::ZERO);
        add_own_mass(body, flexible, &ws.modal, unit, column);
        for s in 0..count {
            let at = (first + s) * n + first + r;
            displacement[at] = local.stiffness[s * count + r];
            speed[at] = local.damping[s * count + r];
            mass[at] = column[s];
        }
    }
}

/// What the modes of a body do to all that its carriers carry.
fn carried_modes<T: Scalar>(model: &Model<T>, k: usize, ws: &Workspace<T>, out: &mut Recursion<T>) {
    let (top, data) = (&*model.topology, &model.bodies[k]);
    let body = &top.bodies[k];
    for c in body.carriers.clone() {
        let node = &data.nodes[top.carriers[c].node];
        if node.influence.is_empty() {
            continue;
        }
        let (on, columns) = (out.arrived[c], body.modes_of_carrier(c));
        let Recursion { carried, dofs, displacement, speed, mass, .. } = out;
        carry(&carried[columns], &on, (model.speed_count(), body), dofs, (displacement, speed, mass));
        turn_columns(model, k, ws, (node, &ws.configuration.carrier[c], out.carrier_node[c]), on.force, out);
    }
}

/// Adds what modes do to all that is on a node, by their columns there.
pub(super) fn carry<T: Scalar>(
    columns: &[Column<T>],
    on: &Composite<T>,
    (n, body): (usize, &BodyTopology),
    dofs: &mut [Dof<T>],
    (displacement, speed, mass): (&mut [T], &mut [T], &mut [T]),
) {
    let first = body.speeds.start;
    for (r, (column, dof)) in columns.iter().zip(dofs).enumerate() {
        let (F, G, D) = (on.inertia.mul(column.S), on.displaced(column), on.moved(column));
        for (s, other) in columns.iter().enumerate() {
            let at = (first + s) * n + first + r;
            displacement[at] += other.S.dot(G);
            speed[at] += other.S.dot(D);
            mass[at] += other.S.dot(F);
        }
        dof.F += F;
        dof.C += on.rate.transpose_mul(column.S);
        dof.N += on.weight(column.S);
        dof.G += G;
        dof.D += D;
    }
}

/// Modes that move the hinge of their body carry the body by the opposite of what the hinge does.
fn move_hinge<T: Scalar>(model: &Model<T>, k: usize, all: &Composite<T>, out: &mut Recursion<T>) {
    let body = &model.topology.bodies[k];
    let (n, first) = (model.speed_count(), body.speeds.start);
    let Recursion { inboard, dofs, displacement, speed, mass, .. } = out;
    let columns = &inboard[body.modal.clone()];
    let dofs = &mut dofs[..columns.len()];
    // Forces of the body on mode s, through its hinge, that mode r changes.
    for (s, moved) in columns.iter().enumerate() {
        for (r, dof) in dofs.iter().enumerate() {
            let at = (first + s) * n + first + r;
            displacement[at] -= moved.S.dot(dof.G);
            speed[at] -= moved.S.dot(dof.D);
            mass[at] -= moved.S.dot(dof.F);
        }
    }
    for (dof, column) in dofs.iter_mut().zip(columns) {
        dof.F -= all.inertia.mul(column.S);
        dof.C -= all.rate.transpose_mul(column.S);
        dof.N -= all.weight(column.S);
        dof.G -= all.displaced(column);
        dof.D -= all.moved(column);
    }
    // Forces on mode s of the body that mode r carries.
    for (s, dof) in dofs.iter().enumerate() {
        for (r, column) in columns.iter().enumerate() {
            let at = (first + s) * n + first + r;
            displacement[at] -= column.A_d.dot(dof.F) + column.V_d.dot(dof.C) + column.S.angular.dot(dof.N);
            speed[at] -= column.A_u.dot(dof.F) + column.S.dot(dof.C);
            mass[at] -= column.S.dot(dof.F);
        }
    }
}

/// Columns of modes at a node turn with other modes, under the force there, seen from the root: `(∂S_s/∂η_r)·f`.
pub(super) fn turn_columns<T: Scalar>(
    model: &Model<T>,
    k: usize,
    ws: &Workspace<T>,
    (node, place, tangent): (&NodeData<T>, &NodePlace<T>, Option<NodeTangent<T>>),
    f: Force<T>,
    out: &mut Recursion<T>,
) {
    let (body, at) = (&model.topology.bodies[k], &ws.configuration);
    let Recursion { seen, displacement, .. } = out;
    let shapes = model.bodies[k].flexible.as_ref().and_then(|f| f.second_order.as_ref());
    // About the node, in the axes of the body.
    let origin = seen[k].attitude.mul_add(place.position, seen[k].position);
    let f = f.shift(-origin).rotate_back(&seen[k].attitude);
    let on_slopes = place.rate.transpose_mul(f.angular);
    for s in 0..body.modes {
        let S = node.column(s, at.slaves(body));
        let lever = (place.rate * S.angular).cross(f.linear);
        let row = &mut displacement[(body.speeds.start + s) * model.speed_count() + body.speeds.start..][..body.modes];
        for (r, entry) in row.iter_mut().enumerate() {
            let R = node.column(r, at.slaves(body));
            *entry += R.linear.dot(lever);
            if let Some(tangent) = &tangent {
                *entry += tangent.turning(f.angular, R.angular, S.angular);
            }
        }
        for (shape, rows) in node.slaves.iter().zip(shapes.iter().flat_map(|second| &second.gains)) {
            let load = shape.angular.dot_add(on_slopes, shape.linear.dot(f.linear));
            rows.blocks::<T>(s).for_each(|(r, B)| row[r] = B.mul_add(load, row[r]));
        }
    }
}
