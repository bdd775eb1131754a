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
use crate::model::topology::{BodyTopology, Topology};
use crate::workspace::{CompositeForces, Configuration, Modal};
use std::ops::Range;
use supple_spatial::block::cholesky::row_start;
use supple_spatial::{Force, Matrix3, Motion, RigidInertia, Scalar, Vector3};

/// Writes the mass matrix, `n × n` by rows; entries of speeds that share no path are not touched.
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
    let mut out = Symmetric { entries: out, size: model.speed_count() };
    for k in (0..model.bodies.len()).rev() {
        rows(model, k, at, modal, ws, &mut out);
    }
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
    let Some(p) = body.parent else {
        // The axes and F of the root are its own.
        hinge_motions(model, k, at, ws);
        return carrier_motions(model, k, at, modal, ws);
    };
    let Q_p = &ws.attitude[p];
    let Q = *Q_p * at.rotation[k];
    let mut lever = *Q_p * at.offset[k];
    let mut x_t = ws.position[p];
    if !body.rigid_link {
        x_t += *Q_p * at.carrier[body.carrier].position;
        lever -= Q * at.inboard[k].position;
    }
    let x = x_t + lever;
    ws.attitude[k] = Q;
    ws.position[k] = x;
    ws.lever[k] = lever;
    by_axis!(body.axis,
        Axis => {
            let e = Q.column(Axis::AXIS);
            let S = if Axis::TURNS { Motion::new(e, x.cross(e)) } else { Motion::new(Vector3::ZERO, e) };
            ws.about_root.set(body.hinge.start, S);
        },
        _ => hinge_motions(model, k, at, ws)
    );
    carrier_motions(model, k, at, modal, ws);
}

/// `S` of a hinge of any kind.
fn hinge_motions<T: Scalar>(model: &Model<T>, k: usize, at: &Configuration<T>, ws: &mut CompositeForces<T>) {
    let body = &model.topology.bodies[k];
    for i in body.hinge.clone() {
        let h = at.hinge_map[i].shift(-at.inboard[k].position).rotate(&ws.attitude[k]);
        ws.hinge_motion[i] = h;
        ws.about_root.set(i, h.shift(-ws.position[k]));
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
    let (Q, x) = (ws.attitude[k], ws.position[k]);
    for c in body.carriers.clone() {
        let x_t = x + Q * at.carrier[c].position;
        for i in body.modes_of_carrier(c) {
            ws.about_root.carried[i] = modal.influence[i].rotate(&Q).shift(-x_t);
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
    let mut C = if body.parent.is_some() { modal.inertia[k].rotate(&ws.attitude[k]) } else { modal.inertia[k] };
    if n > 0 {
        for c in body.carriers.clone() {
            C += ws.arrived[c].shift(ws.attitude[k] * at.carrier[c].position);
        }
        modal_columns(body, &{ ws.attitude[k] }, at, modal, ws, out);
    } else if let Some(c) = body.carriers.clone().next() {
        C += ws.arrived[c];
    }
    if body.parent.is_some() {
        let arriving = C.shift(ws.lever[k]);
        let arrived = &mut ws.arrived[body.carrier];
        *arrived = if body.first_on_carrier { arriving } else { *arrived + arriving };
    }

    // F = C S at F_k,  M(k,k) = S* F
    let first = body.speeds.start;
    by_axis!(body.axis,
        Axis => {
            let e = ws.attitude[k].column(Axis::AXIS);
            ws.columns[n] = if Axis::TURNS { C.mul_angular(e) } else { C.mul_linear(e) };
            for (r, F) in ws.columns[..=n].iter().enumerate() {
                out.set(first + n, first + r, if Axis::TURNS { e.dot(F.angular) } else { e.dot(F.linear) });
            }
        },
        _ => hinge_columns(model, k, &C, ws, out)
    );
    // M(k,j) = F* S(j), on to the root
    if let Some(p) = body.parent {
        let x = ws.position[k];
        for (j, F) in ws.columns[..body.speeds.len()].iter().enumerate() {
            along_path(model, body.carrier, p, &ws.about_root, F.shift(x), first + j, out);
        }
    }
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

/// `S(j)* F` of the speeds of body `above` and all its ancestors, in row `i`.
#[inline(never)] // one loop that keeps its numbers in registers
fn along_path<T: Scalar>(
    model: &Model<T>,
    mut carrier: usize,
    mut above: usize,
    S: &AboutRoot<T>,
    F: Force<T>,
    i: usize,
    out: &mut Symmetric<'_, T>,
) {
    loop {
        let ancestor = &model.topology.bodies[above];
        if ancestor.modes > 0 {
            out.set_products(i, ancestor.speeds.start, &S.carried[ancestor.modes_of_carrier(carrier)], F);
        }
        let last = &model.topology.bodies[ancestor.run];
        let hinges = last.hinge.start..ancestor.hinge.end;
        let speed = last.speeds.start + last.modes;
        if hinges.len() < LONG_RUN {
            out.set_products(i, speed, &S.hinge[hinges], F);
        } else {
            out.set_long_products(i, speed, hinges, &S.components, F);
        }
        match last.parent {
            Some(next) => (carrier, above) = (last.carrier, next),
            None => break,
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
    out: &mut Symmetric<'_, T>,
) {
    let CompositeForces { columns, zeta, arrived, .. } = ws;
    let first = body.speeds.start;
    let mass = &modal.mass[body.modal_triangle.clone()];
    for r in 0..body.modes {
        columns[r] = modal.hinge_coupling[body.modal.start + r].rotate(Q);
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

/// A symmetric matrix by rows.
struct Symmetric<'a, T> {
    entries: &'a mut [T],
    size: usize,
}

impl<T: Scalar> Symmetric<'_, T> {
    #[inline(always)]
    fn get(&self, i: usize, j: usize) -> T {
        self.entries[i * self.size + j]
    }

    /// Sets an entry and its mirror image.
    #[inline(always)]
    fn set(&mut self, i: usize, j: usize, value: T) {
        self.entries[i * self.size + j] = value;
        self.entries[j * self.size + i] = value;
    }

    /// `S* F` of the motions `S`, in row `i` from column `j` on.
    #[inline(always)]
    fn set_products(&mut self, i: usize, j: usize, S: &[Motion<T>], F: Force<T>) {
        let (row, mut mirror) = (i * self.size + j, j * self.size + i);
        for (offset, S) in S.iter().enumerate() {
            let entry = S.dot(F);
            self.entries[row + offset] = entry;
            self.entries[mirror] = entry;
            mirror += self.size;
        }
    }

    /// The same of many motions, given component by component.
    #[inline(never)]
    fn set_long_products(&mut self, i: usize, j: usize, range: Range<usize>, S: &[Vec<T>; 6], F: Force<T>) {
        let (count, size) = (range.len(), self.size);
        let [a, b, c, x, y, z] = S.each_ref().map(|row| &row[range.clone()]);
        let F = F.to_array();
        let row = &mut self.entries[i * size + j..][..count];
        for s in 0..count {
            let angular = c[s].mul_add(F[2], b[s].mul_add(F[1], a[s] * F[0]));
            row[s] = z[s].mul_add(F[5], y[s].mul_add(F[4], x[s].mul_add(F[3], angular)));
        }
        for s in 0..count {
            self.entries[(j + s) * size + i] = self.entries[i * size + j + s];
        }
    }
}

/// From this length on, products of a run of motions fill vector registers.
const LONG_RUN: usize = 16;

/// Motions about the root.
#[derive(Clone, Debug)]
pub(crate) struct AboutRoot<T> {
    /// Per hinge speed.
    hinge: Vec<Motion<T>>,
    /// The same component by component, where a run is long; empty elsewhere.
    components: [Vec<T>; 6],
    /// Per carrier and mode.
    carried: Vec<Motion<T>>,
}

impl<T: Scalar> AboutRoot<T> {
    pub(crate) fn new(top: &Topology) -> Self {
        let run = |body: &BodyTopology| body.hinge.end - top.bodies[body.run].hinge.start;
        let long = top.bodies.iter().any(|body| run(body) >= LONG_RUN);
        let count = if long { top.sizes.hinge } else { 0 };
        Self {
            hinge: vec![Motion::ZERO; top.sizes.hinge],
            components: std::array::from_fn(|_| vec![T::ZERO; count]),
            carried: vec![Motion::ZERO; top.sizes.carried_modes],
        }
    }

    /// The motion of hinge speed `i`.
    #[inline(always)]
    fn set(&mut self, i: usize, motion: Motion<T>) {
        self.hinge[i] = motion;
        if !self.components[0].is_empty() {
            for (row, value) in self.components.iter_mut().zip(motion.to_array()) {
                row[i] = value;
            }
        }
    }
}
