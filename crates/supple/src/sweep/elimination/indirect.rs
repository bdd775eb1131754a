//! Modes eliminated by `D_f⁻¹` from a low-rank update of `N`: quadratic in the modes [JR92 (77)].
//!
//! ```text
//! D_f⁻¹ = N - L⁻*Q (I - A⁻¹) Q*L⁻¹,   g = M'_rf D_f⁻¹ + Σ φ Γ C A⁻¹ Q*L⁻¹,   A = I + Σ C* Γ C
//! ```
//!
//! The paper's `Υ [Γ⁻¹ + Ω]⁻¹ Υ*` needs `Γ⁻¹`, which no free hinge leaves intact; this is the same matrix in the tip modes of
//! `condensed.rs`. Forces that arrive at the carriers go through the tip modes as well, because `D_f⁻¹` written out loses
//! the digits that a heavy outboard inertia needs.

#![allow(non_snake_case)] // symbols as printed, see docs/notation.md

use super::condensed::tip_elimination;
use super::{Context, tip};
use crate::workspace::{Articulated, Residual};
use supple_spatial::block::cholesky::{self, row_start};
use supple_spatial::block::linear::{combination, combination_add};
use supple_spatial::block::symmetric;
use supple_spatial::{Force, Motion, Scalar};

pub(crate) fn inertia<T: Scalar>(context: Context<'_, T>, out: &mut Articulated<T>) {
    let Context { model, k, modal, .. } = context;
    let body = &model.topology.bodies[k];
    let (n, r) = (body.modes, body.rank);
    let P = tip_elimination(context, out);

    // Rows of L⁻* Q l⁻*, with A = l d l*
    let (shapes, rows) = (&modal.tip_shapes[body.tip_shapes.clone()], &mut out.tip_rows[body.tip_shapes.clone()]);
    let l = &out.tip_factor[body.tip_triangle.clone()];
    rows.copy_from_slice(shapes);
    for row in rows.chunks_exact_mut(r.max(1)) {
        cholesky::solve_lower(l, row);
    }
    // D_f⁻¹ = N - L⁻*Q Q*L⁻¹ + L⁻*Q A⁻¹ Q*L⁻¹                                          [JR92 (77)]
    let inverse = &mut out.modal_inverse[body.modal_triangle.clone()];
    inverse.copy_from_slice(&modal.complement[body.modal_triangle.clone()]);
    for i in 0..n {
        for a in 0..r {
            let row = rows[i * r + a] * cholesky::pivot_inverse(l, a);
            for j in 0..=i {
                let entry = &mut inverse[row_start(i) + j];
                *entry = row.mul_add(rows[j * r + a], *entry);
            }
        }
    }

    // V = d⁻¹ l⁻¹ (Σ φ Γ C)* = G - d⁻¹ l⁻¹ B*
    let V = &mut out.tip_column[..r];
    V.copy_from_slice(&modal.tip_coupling[body.tip.clone()]);
    cholesky::solve_lower(l, V);
    cholesky::solve_diagonal(l, V);
    V.iter_mut().zip(&out.tip_gain[body.tip.clone()]).for_each(|(V, G)| *V = *G - *V);

    // g = μ D_f⁻¹: M'_rf D_f⁻¹ in full, the outboard part through the tip modes           [JR92 (63)]
    let M = modal.hinge_coupling(body);
    for (i, g) in out.modal_gain[body.modal.clone()].iter_mut().enumerate() {
        *g = combination(V, &rows[i * r..(i + 1) * r]);
        for (j, M) in M.iter().enumerate() {
            *g = M.scale_add(symmetric::entry(inverse, i, j), *g);
        }
    }
    out.current = P;
}

pub(crate) fn residual<T: Scalar>(
    context: Context<'_, T>,
    P: &Articulated<T>,
    b: Force<T>,
    out: &mut Residual<T>,
) -> Force<T> {
    let Context { model, k, at, modal } = context;
    let body = &model.topology.bodies[k];
    // Load of z⁺ on the tip modes: l⁻¹ Σ C* z⁺, then d⁻¹ of it
    let nu = &mut out.tip[body.tip.clone()];
    nu.fill(T::ZERO);
    for c in body.carriers.clone() {
        for (nu, C) in nu.iter_mut().zip(&modal.tip_motions[body.tip_of_carrier(c)]) {
            *nu += C.dot(out.carrier[c]);
        }
    }
    let l = &P.tip_factor[body.tip_triangle.clone()];
    cholesky::solve_lower(l, nu);
    // z_R = z_r + g ε_f                                                                [JR92 (64)]
    let mut z = tip::frozen_force(b, body.carriers.clone(), at, &out.carrier);
    for (G, nu) in P.tip_gain[body.tip.clone()].iter().zip(nu.iter()) {
        z = G.scale_add(-*nu, z);
    }
    cholesky::solve_diagonal(l, nu);
    combination_add(&P.modal_gain[body.modal.clone()], &out.modal[body.modal.clone()], z)
}

pub(crate) fn accelerations<T: Scalar>(
    context: Context<'_, T>,
    P: &Articulated<T>,
    z: &Residual<T>,
    alpha: Motion<T>,
    eta_ddot: &mut [T],
) {
    let body = &context.model.topology.bodies[context.k];
    // η̈ = D_f⁻¹ ε_f - g* α_R                                                          [JR92 (64)]
    let range = body.modal.clone();
    symmetric::assign_mul(&P.modal_inverse[body.modal_triangle.clone()], &z.modal[range.clone()], eta_ddot);
    let nu = &z.tip[body.tip.clone()];
    for (i, (x, g)) in eta_ddot.iter_mut().zip(&P.modal_gain[range]).enumerate() {
        *x -= alpha.dot(*g);
        for (row, nu) in P.tip_rows[body.tip_shapes.start + i * body.rank..][..body.rank].iter().zip(nu) {
            *x = (-*row).mul_add(*nu, *x);
        }
    }
}
