//! From the derivatives of inverse dynamics to those of forward and hybrid dynamics.
//!
//! With the accelerations found held, `𝓜 δu̇ = δT - ∂T/∂δ δ - ∂T/∂u δu`. Rows of prescribed speeds are solved for their forces instead, and closures
//! add theirs.

use super::closure::{Closures, Equations};
use super::memory::{Matrices, Recursion};
use crate::model::Model;
use crate::model::topology::BodyTopology;
use crate::sweep::{acceleration, articulation};
use crate::workspace::{Closing, Workspace};
use supple_spatial::Scalar;
use supple_spatial::block::cholesky::{self, packed_len, row_start};

/// Memory of the solution.
#[derive(Clone, Debug)]
pub(super) struct Inverse<T> {
    /// Per speed: whether its acceleration is prescribed.
    pub prescribed: Vec<bool>,
    /// Packed factor of `𝓜`, its prescribed rows and columns replaced by those of the identity.
    pub factor: Vec<T>,
    /// One column, and its solution.
    column: Vec<T>,
    solution: Vec<T>,
    /// Whether solutions by sweeps, of all columns, take fewer operations than the `5 n³` of dense matrices.
    pub by_sweeps: bool,
}

impl<T: Scalar> Inverse<T> {
    pub fn new(model: &Model<T>) -> Self {
        let n = model.speed_count();
        let sweep: usize = model.topology.bodies.iter().map(sweep_cost).sum();
        Self {
            prescribed: vec![false; n],
            factor: vec![T::ZERO; packed_len(n)],
            column: vec![T::ZERO; n],
            solution: vec![T::ZERO; n],
            by_sweeps: 3 * sweep < 5 * n * n,
        }
    }

    /// Solves with the forces in `column`, by the factors that the inward sweep left, into column `j` of a matrix; prescribed speeds stay.
    fn sweep(&mut self, model: &Model<T>, ws: &mut Workspace<T>, j: usize, out: &mut [T]) {
        let Self { column, solution, prescribed, .. } = self;
        let Workspace { configuration, modal, bias, articulated, residual, acceleration, .. } = ws;
        for (x, _) in column.iter_mut().zip(prescribed.iter()).filter(|(_, flag)| **flag) {
            *x = T::ZERO;
        }
        solution.fill(T::ZERO);
        // Prescribed hinges are given no acceleration, as in `column`.
        articulation::solve::<T, false>(model, configuration, modal, articulated, bias, column, column, residual);
        acceleration::acceleration::<T, false>(
            model,
            configuration,
            modal,
            articulated,
            residual,
            bias,
            acceleration,
            solution,
        );
        solution.iter().enumerate().for_each(|(i, x)| out[i * solution.len() + j] = *x);
    }

    /// Marks the speeds of the hinges that are prescribed.
    pub fn prescribe(&mut self, model: &Model<T>, prescribed: Option<&[bool]>) {
        self.prescribed.fill(false);
        if let Some(prescribed) = prescribed {
            let bodies = model.topology.bodies.iter().zip(prescribed).filter(|(_, flag)| **flag);
            bodies.for_each(|(body, _)| self.prescribed[body.beta()].fill(true));
        }
    }

    /// Writes `𝓜⁻¹` of the free speeds into `out`, zeros for others; the result holds where all pivots are positive.
    pub fn invert(&mut self, mass: &[T], out: &mut [T]) -> T::Mask {
        let n = self.prescribed.len();
        for i in 0..n {
            for j in 0..=i {
                self.factor[row_start(i) + j] = match self.prescribed[i] || self.prescribed[j] {
                    false => mass[i * n + j],
                    true if i == j => T::ONE,
                    true => T::ZERO,
                };
            }
        }
        let definite = cholesky::factor_in_place(&mut self.factor, n);
        for i in 0..n {
            if self.prescribed[i] {
                (0..n).for_each(|j| (out[i * n + j], out[j * n + i]) = (T::ZERO, T::ZERO));
                continue;
            }
            // Column i of L⁻¹ begins at i, and rows below i of a column of the inverse are those of others, by symmetry.
            let x = &mut self.column[..n];
            unit_solution(&self.factor, i, x);
            for j in i..n {
                if !self.prescribed[j] {
                    (out[i * n + j], out[j * n + i]) = (x[j], x[j]);
                }
            }
        }
        definite
    }

    /// Accelerations per unit of what is given, where `𝓜⁻¹` is: columns of prescribed speeds by their accelerations.
    pub fn accelerate(&mut self, mass: &[T], inverse: &mut [T]) {
        let n = self.prescribed.len();
        for j in (0..n).filter(|j| self.prescribed[*j]) {
            for (i, row) in inverse.chunks_exact(n).enumerate() {
                let free = row.iter().enumerate().filter(|(k, _)| !self.prescribed[*k]);
                self.column[i] = free.fold(T::ZERO, |sum, (k, x)| (-*x).mul_add(mass[k * n + j], sum));
            }
            self.column[j] = T::ONE;
            (0..n).for_each(|i| inverse[i * n + j] = self.column[i]);
        }
    }
}

/// Entries `i..` of column `i` of `(L D L*)⁻¹`.
fn unit_solution<T: Scalar>(l: &[T], i: usize, x: &mut [T]) {
    let n = x.len();
    x[i] = T::ONE;
    for j in i + 1..n {
        let row = &l[row_start(j)..][..j];
        x[j] = (i..j).fold(T::ZERO, |sum, k| (-row[k]).mul_add(x[k], sum));
    }
    for j in i..n {
        x[j] *= cholesky::pivot_inverse(l, j);
    }
    for j in (i + 1..n).rev() {
        let row = &l[row_start(j)..][..j];
        let y = x[j];
        for k in i..j {
            x[k] = (-row[k]).mul_add(y, x[k]);
        }
    }
}

/// Accelerations of the free speeds per displacement and per speed, and `𝓜⁻¹`, from `∂T/∂δ`, `∂T/∂u` and `𝓜`, after forward or hybrid dynamics.
///
/// Few speeds are solved for by a factor of `𝓜` itself, many by the factors that the inward sweep left, whichever takes fewer operations.
pub(super) fn accelerations<T: Scalar>(
    model: &Model<T>,
    ws: &mut Workspace<T>,
    of: &Recursion<T>,
    inverse: &mut Inverse<T>,
    out: &mut Matrices<T>,
) {
    let n = model.speed_count();
    if inverse.by_sweeps {
        for i in 0..n {
            inverse.column.fill(T::ZERO);
            inverse.column[i] = T::ONE;
            inverse.sweep(model, ws, i, &mut out.input);
        }
        for (of, out) in [(&of.displacement, &mut out.displacement), (&of.speed, &mut out.speed)] {
            for j in 0..n {
                (0..n).for_each(|i| inverse.column[i] = -of[i * n + j]);
                inverse.sweep(model, ws, j, out);
            }
        }
    } else {
        // Forward dynamics has checked the pivots.
        let _ = inverse.invert(&of.mass, &mut out.input);
        products(n, of, out);
    }
}

/// The same with `𝓜⁻¹` there already.
pub(super) fn products<T: Scalar>(n: usize, of: &Recursion<T>, out: &mut Matrices<T>) {
    negative_product(n, &out.input, &of.displacement, &mut out.displacement);
    negative_product(n, &out.input, &of.speed, &mut out.speed);
}

/// Operations of one solution by sweeps, about: of a body, and of its modes.
fn sweep_cost(body: &BodyTopology) -> usize {
    115 + body.modes * (body.modes + 56)
}

/// `out ← -A B`, square matrices by rows, some columns at a time; the last of them again where they do not go into `n`.
fn negative_product<T: Scalar>(n: usize, a: &[T], b: &[T], out: &mut [T]) {
    match n {
        0..4 => product_by_columns::<T, 1>(n, a, b, out),
        4..8 => product_by_columns::<T, 4>(n, a, b, out),
        _ => product_by_columns::<T, 8>(n, a, b, out),
    }
}

#[inline(always)]
fn product_by_columns<T: Scalar, const COLUMNS: usize>(n: usize, a: &[T], b: &[T], out: &mut [T]) {
    for (row, out) in a.chunks_exact(n.max(1)).zip(out.chunks_exact_mut(n.max(1))) {
        for at in (0..n).step_by(COLUMNS) {
            let at = at.min(n - COLUMNS);
            let mut sum = [T::ZERO; COLUMNS];
            for (a, b) in row.iter().zip(b.chunks_exact(n)) {
                let b = &b[at..at + COLUMNS];
                for (sum, b) in sum.iter_mut().zip(b) {
                    *sum = (-*a).mul_add(*b, *sum);
                }
            }
            out[at..at + COLUMNS].copy_from_slice(&sum);
        }
    }
}

/// Makes accelerations per column obey the closures; the forces of the equations are left in `closures`.
pub(super) fn obey(
    model: &Model,
    closing: &Closing<f64>,
    closures: &mut Closures,
    equations: Equations,
    accelerations: &mut [f64],
) {
    let n = model.speed_count();
    let Closures { jacobian, solved, forces, per_displacement, per_speed, .. } = closures;
    let rates = match equations {
        Equations::PerDisplacement => Some(per_displacement),
        Equations::PerSpeed => Some(per_speed),
        Equations::Still => None,
    };
    // λ = -(A Λ A*)⁻¹ (∂(A u̇ + Ȧ u) + A ∂u̇), a row of columns at a time
    for (row, (jacobian, forces)) in jacobian.chunks_exact(n.max(1)).zip(forces.chunks_exact_mut(n.max(1))).enumerate()
    {
        forces.fill(0.0);
        if let Some(rates) = &rates {
            forces.copy_from_slice(&rates[row * n..][..n]);
        }
        for (a, accelerations) in jacobian.iter().zip(accelerations.chunks_exact(n.max(1))).filter(|(a, _)| **a != 0.0)
        {
            forces.iter_mut().zip(accelerations).for_each(|(f, x)| *f += a * x);
        }
        forces.iter_mut().for_each(|f| *f = -*f);
    }
    solve_rows(model, closing, n, forces);
    for (solved, forces) in solved.chunks_exact(n.max(1)).zip(forces.chunks_exact(n.max(1))) {
        for (s, accelerations) in
            solved.iter().zip(accelerations.chunks_exact_mut(n.max(1))).filter(|(s, _)| **s != 0.0)
        {
            accelerations.iter_mut().zip(forces).for_each(|(x, f)| *x += s * f);
        }
    }
}

/// Solves with the factor of `A Λ A*` that forward dynamics left, for all columns at once.
fn solve_rows(model: &Model, closing: &Closing<f64>, n: usize, rows: &mut [f64]) {
    let subtract = |rows: &mut [f64], from: usize, to: usize, factor: f64| {
        let (a, b) = rows.split_at_mut(from.max(to) * n);
        let (x, y) = if from < to { (&a[from * n..][..n], &mut b[..n]) } else { (&b[..n], &mut a[to * n..][..n]) };
        y.iter_mut().zip(x).for_each(|(y, x)| *y -= factor * x);
    };
    for group in &model.topology.closure_groups {
        let l = &closing.matrix[group.triangle.clone()];
        let rows = &mut rows[group.rows.start * n..group.rows.end * n];
        let size = group.rows.len();
        for i in 0..size {
            (0..i).for_each(|k| subtract(rows, k, i, l[row_start(i) + k]));
        }
        for i in 0..size {
            rows[i * n..][..n].iter_mut().for_each(|x| *x *= cholesky::pivot_inverse(l, i));
        }
        for i in (0..size).rev() {
            (0..i).for_each(|k| subtract(rows, i, k, l[row_start(i) + k]));
        }
    }
}

/// Writes the forces of prescribed speeds in place of their accelerations, which are given: `∂T + 𝓜 ∂u̇ - A* ∂λ`.
pub(super) fn prescribed_forces(
    inverse: &mut Inverse<f64>,
    mass: &[f64],
    closures: &Closures,
    of_forces: Option<&[f64]>,
    accelerations: &mut [f64],
) {
    let n = inverse.prescribed.len();
    for p in (0..n).filter(|p| inverse.prescribed[*p]) {
        let row = &mut inverse.column[..n];
        match of_forces {
            Some(forces) => row.copy_from_slice(&forces[p * n..][..n]),
            None => (0..n).for_each(|j| row[j] = if inverse.prescribed[j] { mass[p * n + j] } else { 0.0 }),
        }
        for i in (0..n).filter(|i| !inverse.prescribed[*i]) {
            row.iter_mut().zip(&accelerations[i * n..][..n]).for_each(|(t, x)| *t += mass[p * n + i] * x);
        }
        for (jacobian, forces) in closures.jacobian.chunks_exact(n).zip(closures.forces.chunks_exact(n)) {
            row.iter_mut().zip(forces).for_each(|(t, f)| *t -= jacobian[p] * f);
        }
        accelerations[p * n..][..n].copy_from_slice(row);
    }
}
