//! Modes eliminated by a Cholesky factor of `D_f`: cubic in the modes [JR92 (63), (64)].
//!
//! | paper | here         | meaning                                                   |
//! |-------|--------------|-----------------------------------------------------------|
//! | `D_f` | `D` → `L`    | `M'_ff + Σ ζ Γ ζ*`, then its factor                       |
//! | `μ`   | rows of `X`  | `M'_rf + Σ φ Γ ζ*`; kept as `X = L⁻¹ μ*`, so that `g = X* L⁻¹` is never formed |
//!
//! The paper inverts `D_f`; a factor serves the same equations with fewer operations.

#![allow(non_snake_case)] // symbols as printed, see docs/notation.md

use super::{Context, tip};
use crate::workspace::{Articulated, Residual};
use supple_spatial::block::cholesky::{self, row_start};
use supple_spatial::block::linear::combination_add;
use supple_spatial::{Force, Motion, Scalar};

pub(crate) fn inertia<T: Scalar>(context: Context<'_, T>, out: &mut Articulated<T>) {
    let Context { model, k, at, modal } = context;
    let body = &model.topology.bodies[k];
    let (n, triangle) = (body.modes, body.modal_triangle.clone());
    out.modal_gain[body.modal.clone()].copy_from_slice(&modal.hinge_coupling[body.modal.clone()]);
    let D = &mut out.modal_factor[triangle.clone()];
    D.copy_from_slice(&modal.mass[triangle.clone()]);
    if out.shifted {
        // M'_ff + c C + k K                                                              [S4]
        for (D, shift) in D.iter_mut().zip(&out.modal_shift[triangle]) {
            *D += *shift;
        }
    }
    let X = &mut out.modal_gain[body.modal.clone()];

    // D_f = M'_ff + Σ ζ Γ ζ*,  μ = M'_rf + Σ φ(k,t) Γ ζ*                              [JR92 (63)]
    for c in body.carriers.clone() {
        let (zeta, gamma, l) = (&modal.influence[body.modes_of_carrier(c)], out.gamma[c], at.carrier[c].position);
        for r in 0..n {
            let row = gamma.mul(zeta[r]);
            for s in 0..=r {
                D[row_start(r) + s] += zeta[s].dot(row);
            }
            X[r] += row.shift(l);
        }
    }

    // P_R = P_rr - μ D_f⁻¹ μ*                                                         [JR92 (63)]
    out.definite[k] = cholesky::factor_in_place(D, n);
    cholesky::solve_lower(D, X);
    let mut P = tip::frozen_inertia(modal.inertia[k], body.carriers.clone(), at, &out.gamma);
    for x in X.iter() {
        P.sub_outer(*x, *x);
    }
    out.inertia[k] = P;
}

/// `ε_f = T_f - b_f - Σ ζ z⁺`, in place of the modal forces.
pub(super) fn innovation<T: Scalar>(context: Context<'_, T>, out: &mut Residual<T>) {
    let Context { model, k, modal, .. } = context;
    let body = &model.topology.bodies[k];
    let epsilon = &mut out.modal[body.modal.clone()];
    for c in body.carriers.clone() {
        for (e, zeta) in epsilon.iter_mut().zip(&modal.influence[body.modes_of_carrier(c)]) {
            *e -= zeta.dot(out.carrier[c]);
        }
    }
}

pub(crate) fn residual<T: Scalar>(
    context: Context<'_, T>,
    P: &Articulated<T>,
    b: Force<T>,
    out: &mut Residual<T>,
) -> Force<T> {
    let Context { model, k, at, .. } = context;
    let body = &model.topology.bodies[k];
    innovation(context, out);
    // z_R = z_r + g ε_f = z_r + X* (L⁻¹ ε_f)                                          [JR92 (64)]
    let epsilon = &mut out.modal[body.modal.clone()];
    cholesky::solve_lower(&P.modal_factor[body.modal_triangle.clone()], epsilon);
    let z = tip::frozen_force(b, body.carriers.clone(), at, &out.carrier);
    combination_add(&P.modal_gain[body.modal.clone()], epsilon, z)
}

pub(crate) fn accelerations<T: Scalar>(
    context: Context<'_, T>,
    P: &Articulated<T>,
    z: &Residual<T>,
    alpha: Motion<T>,
    eta_ddot: &mut [T],
) {
    let body = &context.model.topology.bodies[context.k];
    // η̈ = ν_f - g* α_R = L⁻* (L⁻¹ ε_f - X α_R)                                       [JR92 (64)]
    let (nu, X) = (&z.modal[body.modal.clone()], &P.modal_gain[body.modal.clone()]);
    for r in 0..body.modes {
        eta_ddot[r] = nu[r] - alpha.dot(X[r]);
    }
    cholesky::solve_upper(&P.modal_factor[body.modal_triangle.clone()], eta_ddot);
}
