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

use super::one_axis::{OneAxis, by_axis};
use crate::model::Model;
use crate::model::topology::BodyTopology;
use crate::workspace::{CompositeForces, Configuration, Modal};
use std::ops::Range;
use supple_spatial::block::cholesky::row_start;
use supple_spatial::{Force, Matrix3, Motion, Scalar, Vector3};

/// Writes the lower triangle of the mass matrix, `n × n` by rows; entries of speeds that share no path are not touched.
pub(crate) fn mass_matrix<T: Scalar>(
    model: &Model<T>,
    at: &Configuration<T>,
    modal: &Modal<T>,
    ws: &mut CompositeForces<T>,
    out: &mut [T],
) {
    for k in 0..model.bodies.len() {
        motions(model, k, at, modal, ws);
    }
    for k in (0..model.bodies.len()).rev() {
        rows(model, k, at, modal, ws, out);
    }
}

/// `Q`, `x`, the motions `S` of a body's speeds and its own inertia, in the axes of the root.
#[inline(always)]
fn motions<T: Scalar>(
    model: &Model<T>,
    k: usize,
    at: &Configuration<T>,
    modal: &Modal<T>,
    ws: &mut CompositeForces<T>,
) {
    let body = &model.topology.bodies[k];
    let d = at.inboard[k].position;
    let Some(p) = body.parent else {
        ws.attitude[k] = Matrix3::IDENTITY;
        ws.position[k] = Vector3::ZERO;
        ws.composite[k] = modal.inertia[k];
        for (h, i) in at.hinge_map[body.hinge.clone()].iter().zip(body.hinge.clone()) {
            ws.hinge_motion[i] = h.shift(-d);
            ws.about_root.hinge.set(i, h.shift(-d));
        }
        return carrier_motions(model, k, at, modal, ws);
    };
    let Q_p = ws.attitude[p];
    let Q = Q_p * at.rotation[k];
    let mut lever = Q_p * at.offset[k];
    let mut x_t = ws.position[p];
    if !body.rigid_link {
        x_t += Q_p * at.carrier[body.carrier].position;
        lever -= Q * d;
    }
    let x = x_t + lever;
    ws.attitude[k] = Q;
    ws.position[k] = x;
    ws.lever[k] = lever;
    ws.composite[k] = modal.inertia[k].rotate(&Q);
    by_axis!(body.axis,
        Axis => {
            let e = Q.column(Axis::AXIS);
            let S = if Axis::TURNS { Motion::new(e, x.cross(e)) } else { Motion::new(Vector3::ZERO, e) };
            ws.about_root.hinge.set(body.hinge.start, S);
        },
        _ => {
            for (h, i) in at.hinge_map[body.hinge.clone()].iter().zip(body.hinge.clone()) {
                let h = h.shift(-d).rotate(&Q);
                ws.hinge_motion[i] = h;
                ws.about_root.hinge.set(i, h.shift(-x));
            }
        }
    );
    if body.modes > 0 {
        carrier_motions(model, k, at, modal, ws);
    }
}

/// `S` of the carriers of a body per mode.
fn carrier_motions<T: Scalar>(
    model: &Model<T>,
    k: usize,
    at: &Configuration<T>,
    modal: &Modal<T>,
    ws: &mut CompositeForces<T>,
) {
    let body = &model.topology.bodies[k];
    let (Q, x) = (ws.attitude[k], ws.position[k]);
    for c in body.carriers.clone() {
        let x_t = x + Q * at.carrier[c].position;
        for i in body.modes_of_carrier(c) {
            ws.about_root.carried.set(i, modal.influence[i].rotate(&Q).shift(-x_t));
        }
    }
}

/// Composite inertia of a body and the rows of its speeds.
#[inline(always)]
fn rows<T: Scalar>(
    model: &Model<T>,
    k: usize,
    at: &Configuration<T>,
    modal: &Modal<T>,
    ws: &mut CompositeForces<T>,
    out: &mut [T],
) {
    let (body, size) = (&model.topology.bodies[k], model.speed_count());
    let Q = ws.attitude[k];
    let mut C = ws.composite[k];
    for c in body.carriers.clone() {
        C += match body.modes {
            0 => ws.arrived[c],
            _ => ws.arrived[c].shift(Q * at.carrier[c].position),
        };
    }
    if body.modes > 0 {
        modal_columns(body, &Q, at, modal, ws, size, out);
    }

    // F = C S at F_k,  M(k,k) = S* F
    let (n, first) = (body.modes, body.beta().start);
    let own = |row: usize, column: usize| (first + row) * size + body.speeds.start + column;
    by_axis!(body.axis,
        Axis => {
            let e = Q.column(Axis::AXIS);
            let F = if Axis::TURNS { C.mul_angular(e) } else { C.mul_linear(e) };
            let along = |f: Force<T>| if Axis::TURNS { e.dot(f.angular) } else { e.dot(f.linear) };
            for r in 0..n {
                out[own(0, r)] = along(ws.columns[r]);
            }
            out[own(0, n)] = along(F);
            ws.columns[n] = F;
        },
        _ => {
            for (i, h) in body.hinge.clone().enumerate() {
                let S = ws.hinge_motion[h];
                ws.columns[n + i] = C.mul(S);
                for r in 0..=n + i {
                    out[own(i, r)] = S.dot(ws.columns[r]);
                }
            }
            for (i, rotor) in model.bodies[k].rotor.iter().enumerate() {
                out[own(i, n + i)] += *rotor;
            }
        }
    );

    let Some(p) = body.parent else { return };
    let arriving = C.shift(ws.lever[k]);
    let arrived = &mut ws.arrived[body.carrier];
    *arrived = if body.first_on_carrier { arriving } else { *arrived + arriving };
    // M(k,j) = F* S(j), on to the root
    for (j, F) in ws.columns[..body.speeds.len()].iter().enumerate() {
        let row = &mut out[(body.speeds.start + j) * size..][..body.speeds.start];
        let F = F.shift(ws.position[k]);
        let (mut child, mut above) = (body, p);
        loop {
            let ancestor = &model.topology.bodies[above];
            if ancestor.modes > 0 {
                ws.about_root.carried.products(ancestor.modes_of_carrier(child.carrier), F, &mut row[ancestor.eta_dot()]);
            }
            // Ancestors without modes, numbered in a row.
            let last = &model.topology.bodies[ancestor.run];
            let speeds = last.beta().start..ancestor.speeds.end;
            ws.about_root.hinge.products(last.hinge.start..ancestor.hinge.end, F, &mut row[speeds]);
            match last.parent {
                Some(next) => (child, above) = (last, next),
                None => break,
            }
        }
    }
}

/// Columns of the modes: `R_rf = M'_rf + Σ φ C(t) ζ*` at `F_k`, and the block `R_ff = M'_ff + Σ ζ C(t) ζ*`       [JR92 (50)]
fn modal_columns<T: Scalar>(
    body: &BodyTopology,
    Q: &Matrix3<T>,
    at: &Configuration<T>,
    modal: &Modal<T>,
    ws: &mut CompositeForces<T>,
    size: usize,
    out: &mut [T],
) {
    let CompositeForces { columns, zeta, arrived, .. } = ws;
    let first = body.speeds.start;
    let mass = &modal.mass[body.modal_triangle.clone()];
    for r in 0..body.modes {
        columns[r] = modal.hinge_coupling[body.modal.start + r].rotate(Q);
        out[(first + r) * size + first..][..=r].copy_from_slice(&mass[row_start(r)..][..=r]);
    }
    for c in body.carriers.clone() {
        let lever = *Q * at.carrier[c].position;
        for (zeta, influence) in zeta.iter_mut().zip(&modal.influence[body.modes_of_carrier(c)]) {
            *zeta = influence.rotate(Q);
        }
        for r in 0..body.modes {
            let row = arrived[c].mul(zeta[r]);
            columns[r] += row.shift(lever);
            let entries = &mut out[(first + r) * size + first..][..=r];
            for (entry, zeta) in entries.iter_mut().zip(zeta.iter()) {
                *entry += zeta.dot(row);
            }
        }
    }
}

/// Motions component by component, so that products with one force fill vector registers.
#[derive(Clone, Debug)]
pub(crate) struct MotionRows<T>([Vec<T>; 6]);

impl<T: Scalar> MotionRows<T> {
    pub(crate) fn new(count: usize) -> Self {
        Self(std::array::from_fn(|_| vec![T::ZERO; count]))
    }

    #[inline(always)]
    fn set(&mut self, i: usize, motion: Motion<T>) {
        for (row, value) in self.0.iter_mut().zip(motion.to_array()) {
            row[i] = value;
        }
    }

    /// `S(i)* F` of a range of motions.
    #[inline(always)]
    fn products(&self, range: Range<usize>, F: Force<T>, out: &mut [T]) {
        let [a, b, c, x, y, z] = self.0.each_ref().map(|row| &row[range.clone()]);
        let F = F.to_array();
        for (i, out) in out.iter_mut().enumerate().take(a.len()) {
            let angular = c[i].mul_add(F[2], b[i].mul_add(F[1], a[i] * F[0]));
            *out = z[i].mul_add(F[5], y[i].mul_add(F[4], x[i].mul_add(F[3], angular)));
        }
    }
}
