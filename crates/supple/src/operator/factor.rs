//! The factors `[I + HφK]`, its inverse `[I - HψK]`, their transposes, and `D`.
//!
//! An inward sweep relates generalized forces `T` and innovations `ε`, an outward sweep accelerations `χ̇` and `ν`:
//!
//! ```text
//! inward    ε_f = T_f - ζ z⁺,   z_R = φ z⁺ + g ε_f,   ε_R = T_R - H z_R,   z⁺ = z_R + G ε_R
//! outward   β̇ = ν_R - G* α⁺,   α = φ* (α⁺ + H* β̇),   η̈ = ν_f - g* α,     α(t) = φ* α + ζ* η̈
//! ```
//!
//! Read from `T` to `ε` (and from `ν` to `χ̇`) they are `[I - HψK]` and its transpose; read the other way they are
//! `[I + HφK]` and its transpose.

#![allow(non_snake_case)] // symbols as printed, see docs/notation.md

use crate::model::Model;
use crate::sweep::acceleration::carried;
use crate::sweep::hinge::{force_at_hinge, from_hinge};
use crate::workspace::Workspace;
use supple_spatial::block::cholesky::{self, row_start};
use supple_spatial::block::linear::combination_add;
use supple_spatial::{Force, Scalar};

/// Which way a factor is read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    /// `[I + HφK]`, `D`.
    Product,
    /// `[I - HψK]`, `D⁻¹`.
    Solve,
}

/// `[I + HφK]` or `[I - HψK]`.
pub(super) fn inward<T: Scalar>(model: &Model<T>, ws: &mut Workspace<T>, x: &[T], out: &mut [T], direction: Direction) {
    let Workspace { configuration: at, modal, articulated: P, residual, .. } = ws;
    for (k, body) in model.topology.bodies.iter().enumerate().rev() {
        let mut z = Force::ZERO;
        let rows = body.eta_dot();
        out[rows.clone()].copy_from_slice(&x[rows.clone()]);
        for c in body.carriers.clone() {
            let z_plus = residual.carrier[c];
            z += z_plus.shift(at.carrier[c].position);
            for (value, zeta) in out[rows.clone()].iter_mut().zip(&modal.influence[body.modes_of_carrier(c)]) {
                *value = along(*value, zeta.dot(z_plus), direction);
            }
        }
        // g ε_f = G* L⁻¹ ε_f
        let epsilon = if direction == Direction::Solve { &out[rows.clone()] } else { &x[rows] };
        let scratch = &mut residual.modal[body.modal.clone()];
        scratch.copy_from_slice(epsilon);
        cholesky::solve_lower(&P.modal_factor[body.modal_triangle.clone()], scratch);
        z = combination_add(&P.modal_gain[body.modal.clone()], scratch, z);

        let z_O = force_at_hinge(model, k, at, z);
        let mut z_plus = z_O;
        for (i, h) in at.hinge_map[body.hinge.clone()].iter().enumerate() {
            let j = body.beta().start + i;
            out[j] = along(x[j], h.dot(z_O), direction);
            let epsilon = if direction == Direction::Solve { out[j] } else { x[j] };
            z_plus = P.gain[body.hinge.start + i].scale_add(epsilon, z_plus);
        }
        if body.parent.is_some() {
            let arriving = z_plus.rotate(&at.rotation[k]).shift(at.offset[k]);
            let carrier = &mut residual.carrier[body.carrier];
            *carrier = if body.first_on_carrier { arriving } else { *carrier + arriving };
        }
    }
}

/// `[I + HφK]*` or `[I - HψK]*`.
pub(super) fn outward<T: Scalar>(
    model: &Model<T>,
    ws: &mut Workspace<T>,
    x: &[T],
    out: &mut [T],
    direction: Direction,
) {
    let Workspace { configuration: at, modal, articulated: P, acceleration, residual, .. } = ws;
    for (k, body) in model.topology.bodies.iter().enumerate() {
        let alpha_plus = carried::<T, false>(model, k, at, acceleration);
        let mut alpha = alpha_plus;
        for (i, h) in at.hinge_map[body.hinge.clone()].iter().enumerate() {
            let j = body.beta().start + i;
            out[j] = along(x[j], alpha_plus.dot(P.gain[body.hinge.start + i]), direction);
            let beta_dot = if direction == Direction::Solve { out[j] } else { x[j] };
            alpha = h.scale_add(beta_dot, alpha);
        }
        let alpha = from_hinge(model, k, at, alpha);
        // g* α = L⁻* G α
        let gain = &mut residual.modal[body.modal.clone()];
        for (g, G) in gain.iter_mut().zip(&P.modal_gain[body.modal.clone()]) {
            *g = alpha.dot(*G);
        }
        cholesky::solve_upper(&P.modal_factor[body.modal_triangle.clone()], gain);
        let rows = body.eta_dot();
        for (i, j) in rows.clone().enumerate() {
            out[j] = along(x[j], gain[i], direction);
        }
        let eta_ddot = if direction == Direction::Solve { &out[rows] } else { &x[rows] };
        for c in body.carriers.clone() {
            let moved = alpha.shift(at.carrier[c].position);
            acceleration.carrier[c] = combination_add(&modal.influence[body.modes_of_carrier(c)], eta_ddot, moved);
        }
    }
}

/// `x + y` for a product, `x - y` for a solve.
#[inline(always)]
fn along<T: Scalar>(x: T, y: T, direction: Direction) -> T {
    if direction == Direction::Solve { x - y } else { x + y }
}

/// `D x` or `D⁻¹ x`.
pub(super) fn diagonal<T: Scalar>(model: &Model<T>, ws: &Workspace<T>, x: &[T], out: &mut [T], direction: Direction) {
    let P = &ws.articulated;
    for body in &model.topology.bodies {
        let blocks = [
            (&P.modal_factor[body.modal_triangle.clone()], body.eta_dot()),
            (&P.hinge_factor[body.hinge_triangle.clone()], body.beta()),
        ];
        for (L, rows) in blocks {
            let y = &mut out[rows.clone()];
            y.copy_from_slice(&x[rows]);
            match direction {
                Direction::Solve => cholesky::solve(L, y),
                Direction::Product => multiply(L, y),
            }
        }
    }
}

/// `y ← L D L* y`.
pub(super) fn multiply<T: Scalar>(L: &[T], y: &mut [T]) {
    let n = y.len();
    let entry = |i: usize, j: usize| L[row_start(i) + j];
    for j in 0..n {
        let rest = (j + 1..n).fold(y[j], |s, i| entry(i, j).mul_add(y[i], s));
        y[j] = rest / entry(j, j);
    }
    for i in (0..n).rev() {
        y[i] = (0..i).fold(y[i], |s, j| entry(i, j).mul_add(y[j], s));
    }
}
