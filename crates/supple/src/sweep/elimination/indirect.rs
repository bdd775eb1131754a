//! Modes eliminated by `D_f⁻¹` from a low-rank update of `N`: quadratic in the modes [JR92 (77)].
//!
//! ```text
//! D_f⁻¹ = N - Y S Y*,   g = μ D_f⁻¹,   P_R = P_rr - g μ*
//! ```
//!
//! The paper's `[Γ⁻¹ + Ω]⁻¹` needs `Γ⁻¹`, which no free hinge leaves intact; `S` is the same matrix without it.

#![allow(non_snake_case)] // symbols as printed, see docs/notation.md

use super::condensed::{only, rank, series};
use super::explicit::innovation;
use super::{Context, tip};
use crate::workspace::{Articulated, Residual};
use supple_spatial::block::cholesky::row_start;
use supple_spatial::block::linear::combination_add;
use supple_spatial::block::symmetric;
use supple_spatial::{Force, Motion, Scalar};

pub(crate) fn inertia<T: Scalar>(context: Context<'_, T>, out: &mut Articulated<T>) {
    let Context { model, k, at, modal } = context;
    let body = &model.topology.bodies[k];
    let (n, triangle) = (body.modes, body.modal_triangle.clone());
    series(context, out);

    // D_f⁻¹ = N - Y S Y*                                                               [JR92 (77)]
    let inverse = &mut out.modal_inverse[triangle.clone()];
    inverse.copy_from_slice(&modal.mass_inverse[triangle]);
    for c in body.carriers.clone() {
        let Y = &modal.inverse_influence[body.modes_of_carrier(c)];
        let S = if only(&body.carriers).is_some() { &out.series[c] } else { &out.gamma[c] };
        for r in 0..n {
            let row = S.mul(Y[r]);
            for s in 0..=r {
                inverse[row_start(r) + s] -= Y[s].dot(row);
            }
        }
    }
    if body.carriers.len() > 1 {
        // S = Γ - X* X, stacked: add back (Y X*)(Y X*)*
        for rho in 0..rank(context) {
            let along = |r: usize| {
                body.carriers.clone().fold(T::ZERO, |s, c| {
                    let at = body.modes_of_carrier(c).start;
                    s + modal.inverse_influence[at + r].dot(out.tip_rows[at + rho])
                })
            };
            for r in 0..n {
                let x = along(r);
                for s in 0..=r {
                    inverse[row_start(r) + s] += x * along(s);
                }
            }
        }
    }

    // μ = M'_rf + Σ φ(k,t) Γ ζ*,  g = μ D_f⁻¹,  P_R = P_rr - g μ*                      [JR92 (63)]
    let mut P = tip::frozen_inertia(modal.inertia[k], body.carriers.clone(), at, &out.gamma);
    let g = &mut out.modal_gain[body.modal.clone()];
    g.fill(Force::ZERO);
    for s in 0..n {
        let mu = body.carriers.clone().fold(modal.hinge_coupling[body.modal.start + s], |mu, c| {
            let zeta = modal.influence[body.modes_of_carrier(c).start + s];
            mu + out.gamma[c].mul(zeta).shift(at.carrier[c].position)
        });
        out.modal_column[body.modal.start + s] = mu;
        for r in 0..n {
            g[r] = mu.scale_add(symmetric::entry(inverse, r, s), g[r]);
        }
    }
    for (g, mu) in g.iter().zip(&out.modal_column[body.modal.clone()]) {
        P.sub_outer(*g, *mu);
    }
    out.inertia[k] = P;
}

pub(crate) fn residual<T: Scalar>(context: Context<'_, T>, P: &Articulated<T>, b: Force<T>, out: &mut Residual<T>) -> Force<T> {
    let Context { model, k, at, .. } = context;
    let body = &model.topology.bodies[k];
    innovation(context, out);
    // z_R = z_r + g ε_f                                                                [JR92 (64)]
    let z = tip::frozen_force(b, body.carriers.clone(), at, &out.carrier);
    combination_add(&P.modal_gain[body.modal.clone()], &out.modal[body.modal.clone()], z)
}

pub(crate) fn accelerations<T: Scalar>(context: Context<'_, T>, P: &Articulated<T>, z: &Residual<T>, alpha: Motion<T>, eta_ddot: &mut [T]) {
    let body = &context.model.topology.bodies[context.k];
    // η̈ = D_f⁻¹ ε_f - g* α_R                                                          [JR92 (64)]
    let range = body.modal.clone();
    symmetric::assign_mul(&P.modal_inverse[body.modal_triangle.clone()], &z.modal[range.clone()], eta_ddot);
    for (x, g) in eta_ddot.iter_mut().zip(&P.modal_gain[range]) {
        *x -= alpha.dot(*g);
    }
}
