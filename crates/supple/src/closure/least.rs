//! Forces of equations that depend on others: of all that have the same effect, the least.
//!
//! Where equations depend on others, their effect `A* λ` is determined and `λ` is not; `λ* A Λ A* λ` is the same for all of them. The least is the one with the
//! least `Σ a_i λ_i²`, `a_i` the compliance of each equation by itself, the diagonal of `A Λ A*`: forces and moments are added in one unit, those that share a load
//! share it by their stiffness, and what nothing can move has no force. With `I` the equations that have a pivot in the factor `L D L*` and
//! `R` those without, `A_R = W A_I`:
//!
//! ```text
//! W = L_R L_I⁻¹,   (a_R + W a_I W*) λ_R = W a_I λ⁰,   λ_I = λ⁰ - W* λ_R
//! ```
//!
//! for the forces `λ⁰` of step D, zero in `R`. Equations that are only near to depending on others, close to a singular pose, keep no force: `W` would not have
//! their effect.

#![allow(non_snake_case)] // symbols as printed, see docs/notation.md

use crate::model::Model;
use crate::workspace::Closing;
use supple_spatial::block::cholesky::{self, packed_len, row_start};
use supple_spatial::{Mask, Scalar};

/// Part of an equation that may be left when those it depends on are taken away, in roundings: squares of sines in the metric of `Λ`.
const DEPENDENT: f64 = 1e4;

/// Numbers that a group of `m` equations needs: `W`, the matrix of `λ_R`, the compliances and the forces.
pub(crate) fn memory(m: usize) -> usize {
    m * m + packed_len(m) + 2 * m
}

/// Replaces the forces of step D, whose factors are there.
pub(crate) fn least_forces<T: Scalar>(model: &Model<T>, out: &mut Closing<T>) {
    for group in &model.topology.closure_groups {
        let (factor, force) = (&out.matrix[group.triangle.clone()], &mut out.force[group.rows.clone()]);
        let (left, pivots) = (&out.independence[group.rows.clone()], &out.determined[group.rows.clone()]);
        let determined = |i: usize| pivots[i];
        let own_force = |i: usize| determined(i) | T::from_f64(DEPENDENT * T::EPSILON).less_than(left[i]);
        let m = force.len();
        let all = (0..m).fold(T::Mask::splat(true), |all, i| all & own_force(i));
        if all.all() {
            continue;
        }
        let (W, rest) = out.scratch[..memory(m)].split_at_mut(m * m);
        let (matrix, rest) = rest.split_at_mut(packed_len(m));
        let (own, shared) = rest.split_at_mut(m);
        for i in 0..m {
            let l = &factor[row_start(i)..row_start(i) + i];
            let w = &mut W[i * m..(i + 1) * m];
            w.fill(T::ZERO);
            w[..i].copy_from_slice(l);
            cholesky::solve_upper(factor, &mut w[..i]);
            w.iter_mut().for_each(|x| *x = T::select(own_force(i), T::ZERO, *x));
            // a_i = Σ l_ij² d_j
            let pivot = |j: usize| T::select(determined(j), cholesky::pivot_inverse(factor, j).recip(), T::ZERO);
            own[i] = l.iter().enumerate().fold(pivot(i), |a, (j, l)| (*l * *l).mul_add(pivot(j), a));
        }
        for i in 0..m {
            let w = &W[i * m..(i + 1) * m];
            let product = |other: &[T]| (0..m).fold(T::ZERO, |s, k| (w[k] * own[k]).mul_add(other[k], s));
            for j in 0..=i {
                matrix[row_start(i) + j] = product(&W[j * m..(j + 1) * m]);
            }
            let diagonal = T::select(own_force(i), T::ONE, matrix[row_start(i) + i] + own[i]);
            // Nothing moves in its sense.
            matrix[row_start(i) + i] = T::select(T::ZERO.less_than(diagonal), diagonal, T::ONE);
            shared[i] = product(force);
        }
        cholesky::factor_in_place(matrix, m);
        cholesky::solve(matrix, shared);
        for (k, force) in force.iter_mut().enumerate() {
            let kept = (0..m).fold(*force + shared[k], |f, i| (-W[i * m + k]).mul_add(shared[i], f));
            *force = T::select(all, *force, kept);
        }
    }
}
