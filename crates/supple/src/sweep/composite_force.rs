//! Outward and inward sweep: the mass matrix as products of motions and composite forces, all about one point.
//!
//! With the axes of the root body and its `F` as the point of reference, `Φ` of the factored mass matrix is the identity
//! along every path to the root, so that each entry is one product of six:
//!
//! ```text
//! M(j,k) = S(j)* F(k),     F(k) = C(k) S(k)           j on the path from k to the root
//! ```
//!
//! | symbol | meaning                                                                                      |
//! |--------|----------------------------------------------------------------------------------------------|
//! | `Q`    | orientation of a body, its axes to those of the root                                         |
//! | `x`    | place of a body's `F` from that of the root                                                  |
//! | `S`    | motion per unit of a speed: of what a hinge carries, or of a carrier moved by a mode         |
//! | `C`    | inertia of all that is outboard of a hinge, frozen: that of one rigid body                   |
//!
//! For orthogonal rotations only: frozen bodies seen through others are rigid bodies no more. `composite_inertia` has the
//! recursion of the paper, which carries columns from body to body and holds for all.

#![allow(non_snake_case)] // symbols as printed, see docs/notation.md

mod entries;
mod plain;

use super::hinge::{OneAxis, by_axis};
use crate::model::Model;
use crate::model::topology::BodyTopology;
use crate::state::State;
use crate::sweep::configuration::across_hinge;
use crate::workspace::{CompositeForces, Configuration, Modal};
pub(crate) use entries::AboutRoot;
use entries::Symmetric;
use supple_spatial::block::cholesky::row_start;
use supple_spatial::{Matrix3, Motion, RigidInertia, Scalar, Vector3};

/// Writes the mass matrix, `n × n` by rows, and tells whether it is finite; entries of speeds that share no path are not
/// touched.
///
/// After `configuration::moving_nodes` and the modal mass: hinges are crossed here, those of plain bodies without
/// leaving anything in `at`.
pub(crate) fn mass_matrix<T: Scalar>(
    model: &Model<T>,
    state: &State<T>,
    at: &mut Configuration<T>,
    modal: &Modal<T>,
    ws: &mut CompositeForces<T>,
    out: &mut [T],
) -> T::Mask {
    for (k, body) in model.topology.bodies.iter().enumerate() {
        if body.plain {
            plain::motion(model, state, k, ws);
        } else {
            across_hinge(model, state, k, at);
            motions(model, k, at, modal, ws);
        }
    }
    let mut out = Symmetric::new(out, model.speed_count());
    for (k, body) in model.topology.bodies.iter().enumerate().rev() {
        if body.plain {
            plain::row(model, k, modal, ws, &mut out);
        } else {
            rows(model, k, at, modal, ws, &mut out);
        }
    }
    out.is_finite()
}

/// `Q`, `x` and the motions `S` of a body's speeds, in the axes of the root.
#[inline(never)]
fn motions<T: Scalar>(
    model: &Model<T>,
    k: usize,
    at: &Configuration<T>,
    modal: &Modal<T>,
    ws: &mut CompositeForces<T>,
) {
    let body = &model.topology.bodies[k];
    // The axes and F of the root are its own.
    if let Some(p) = body.parent {
        let inboard = ws.placed[p];
        let own = &mut ws.placed[k];
        own.attitude = inboard.attitude * at.rotation[k];
        own.lever = inboard.attitude * at.offset[k];
        let mut x_t = inboard.position;
        if !body.rigid_link {
            x_t += inboard.attitude * at.carrier[body.carrier].position;
            own.lever -= own.attitude * at.inboard[k].position;
        }
        own.position = x_t + own.lever;
    }
    let own = &mut ws.placed[k];
    by_axis!(body.axis,
        Axis => {
            own.axis = own.attitude.column(Axis::AXIS);
            ws.about_root.set(body.hinge.start, one_axis_motion::<T, Axis>(own.axis, own.position));
        },
        _ => hinge_motions(model, k, at, ws)
    );
    carrier_motions(model, k, at, modal, ws);
}

/// `S` of a hinge at `x` with one axis `e`.
#[inline(always)]
fn one_axis_motion<T: Scalar, Axis: OneAxis>(e: Vector3<T>, x: Vector3<T>) -> Motion<T> {
    if Axis::TURNS { Motion::new(e, x.cross(e)) } else { Motion::new(Vector3::ZERO, e) }
}

/// `S` of a hinge of any kind.
fn hinge_motions<T: Scalar>(model: &Model<T>, k: usize, at: &Configuration<T>, ws: &mut CompositeForces<T>) {
    let own = ws.placed[k];
    for i in model.topology.bodies[k].hinge.clone() {
        let h = at.hinge_map[i].shift(-at.inboard[k].position).rotate(&own.attitude);
        ws.hinge_motion[i] = h;
        ws.about_root.set(i, h.shift(-own.position));
    }
}

/// `S` of the carriers of a body per mode.
#[inline(always)]
fn carrier_motions<T: Scalar>(
    model: &Model<T>,
    k: usize,
    at: &Configuration<T>,
    modal: &Modal<T>,
    ws: &mut CompositeForces<T>,
) {
    let body = &model.topology.bodies[k];
    if body.modes == 0 {
        return;
    }
    let own = ws.placed[k];
    for c in body.carriers.clone() {
        let x_t = own.position + own.attitude * at.carrier[c].position;
        for i in body.modes_of_carrier(c) {
            ws.about_root.carried[i] = modal.influence[i].rotate(&own.attitude).shift(-x_t);
        }
    }
}

/// Composite inertia of a body and the rows of its speeds.
#[inline(never)]
fn rows<T: Scalar>(
    model: &Model<T>,
    k: usize,
    at: &Configuration<T>,
    modal: &Modal<T>,
    ws: &mut CompositeForces<T>,
    out: &mut Symmetric<'_, T>,
) {
    let body = &model.topology.bodies[k];
    let n = body.modes;
    let own = ws.placed[k];
    let mut C = if body.parent.is_some() { modal.inertia[k].rotate(&own.attitude) } else { modal.inertia[k] };
    if n > 0 {
        for c in body.carriers.clone() {
            C += ws.arrived[c].shift(own.attitude * at.carrier[c].position);
        }
        modal_columns(body, &own.attitude, at, modal, ws, out);
    } else if let Some(c) = body.carriers.clone().next() {
        C += ws.arrived[c];
    }
    if body.parent.is_some() {
        arrive(body, C.shift(own.lever), &mut ws.arrived);
    }

    // F = C S at F_k,  M(k,k) = S* F
    let first = body.speeds.start;
    by_axis!(body.axis,
        Axis => {
            let e = own.axis;
            ws.columns[n] = if Axis::TURNS { C.mul_angular(e) } else { C.mul_linear(e) };
            for (r, F) in ws.columns[..=n].iter().enumerate() {
                out.set(first + n, first + r, if Axis::TURNS { e.dot(F.angular) } else { e.dot(F.linear) });
            }
            if let [rotor] = model.bodies[k].rotor[..] {
                out.set(first + n, first + n, out.get(first + n, first + n) + rotor);
            }
        },
        _ => hinge_columns(model, k, &C, ws, out)
    );
    // M(k,j) = F* S(j), on to the root
    if let Some(p) = body.parent {
        let above = (p, body.carrier);
        let (three, rest) = ws.columns[..body.speeds.len()].as_chunks::<3>();
        let mut row = first;
        for F in three {
            out.set_path(&model.topology, above, &ws.about_root, F.map(|F| F.shift(own.position)), row);
            row += 3;
        }
        for F in rest {
            out.set_path(&model.topology, above, &ws.about_root, [F.shift(own.position)], row);
            row += 1;
        }
    }
}

/// Adds the inertia of a body and all it carries to what its carrier holds.
#[inline(always)]
fn arrive<T: Scalar>(body: &BodyTopology, arriving: RigidInertia<T>, arrived: &mut [RigidInertia<T>]) {
    let arrived = &mut arrived[body.carrier];
    *arrived = if body.first_on_carrier { arriving } else { *arrived + arriving };
}

/// Columns of a hinge of any kind, and its block of the matrix.
fn hinge_columns<T: Scalar>(
    model: &Model<T>,
    k: usize,
    C: &RigidInertia<T>,
    ws: &mut CompositeForces<T>,
    out: &mut Symmetric<'_, T>,
) {
    let body = &model.topology.bodies[k];
    let (n, first) = (body.modes, body.speeds.start);
    for (i, h) in body.hinge.clone().enumerate() {
        let S = ws.hinge_motion[h];
        ws.columns[n + i] = C.mul(S);
        for r in 0..=n + i {
            out.set(first + n + i, first + r, S.dot(ws.columns[r]));
        }
    }
    for (i, rotor) in model.bodies[k].rotor.iter().enumerate() {
        let at = first + n + i;
        out.set(at, at, out.get(at, at) + *rotor);
    }
}

/// Columns of the modes: `R_rf = M'_rf + Σ φ C(t) ζ*` at `F_k`, and the block `R_ff = M'_ff + Σ ζ C(t) ζ*`       [JR92 (50)]
fn modal_columns<T: Scalar>(
    body: &BodyTopology,
    Q: &Matrix3<T>,
    at: &Configuration<T>,
    modal: &Modal<T>,
    ws: &mut CompositeForces<T>,
    out: &mut Symmetric<'_, T>,
) {
    let CompositeForces { columns, zeta, arrived, .. } = ws;
    let first = body.speeds.start;
    let mass = &modal.mass[body.modal_triangle.clone()];
    let coupling = modal.hinge_coupling(body);
    for r in 0..body.modes {
        columns[r] = coupling[r].rotate(Q);
        for s in 0..=r {
            out.set(first + r, first + s, mass[row_start(r) + s]);
        }
    }
    for c in body.carriers.clone() {
        let lever = *Q * at.carrier[c].position;
        for (zeta, influence) in zeta.iter_mut().zip(&modal.influence[body.modes_of_carrier(c)]) {
            *zeta = influence.rotate(Q);
        }
        for r in 0..body.modes {
            let row = arrived[c].mul(zeta[r]);
            columns[r] += row.shift(lever);
            for s in 0..=r {
                out.set(first + r, first + s, out.get(first + r, first + s) + zeta[s].dot(row));
            }
        }
    }
}
