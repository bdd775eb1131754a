//! Modes eliminated by condensation: linear in the modes [S4].
//!
//! Only a few combinations of modes, the tip modes, move the carriers: `L⁻¹ ζ = Q C*` with `Q* Q = I` and `M'_ff = L L*`.
//! In the coordinates `a = Q* L* η` and their complement, `D_f = diag(I + Σ C* Γ C, I)`. The complement is constant and
//! leaves the inertia `M_c = M_rr - M'_rf N M'_fr + B B*`; the tip modes, six per carrier at most, are eliminated like
//! modes of their own:
//!
//! | symbol  | meaning                                                               |
//! |---------|-----------------------------------------------------------------------|
//! | `A`     | `I + Σ C* Γ C = l d l*`                                               |
//! | `X`     | `l⁻¹ (B + Σ φ Γ C)*`, `B = M'_rf L⁻* Q`; kept as `G = d⁻¹ X`          |
//! | `P_R`   | `M_c + Σ φ Γ φ* - X* d⁻¹ X`                                           |
//! | `y`     | `Q* L⁻¹ (T_f - b_f)`, load on the tip modes                           |
//! | `e`     | `N (T_f - b_f)`                                                       |
//!
//! No number of modes appears in the inertia recursion. Written out for one carrier this is
//! `P_R = (M_rr - W) + E S E*` with `S = Γ (I + Θ Γ)⁻¹` [S4], without its cancellation when the outboard inertia is heavy.

#![allow(non_snake_case)] // symbols as printed, see docs/notation.md

use super::{Context, tip};
use crate::workspace::{Articulated, Residual};
use supple_spatial::block::cholesky::{self, row_start};
use supple_spatial::block::linear::combination_add;
use supple_spatial::{ArticulatedInertia, Force, InertiaRows, Motion, Scalar};

pub(crate) fn inertia<T: Scalar>(context: Context<'_, T>, out: &mut Articulated<T>) {
    out.current = tip_elimination(context, out);
}

/// `l`, `d`, `G` and `P_R`.
pub(super) fn tip_elimination<T: Scalar>(context: Context<'_, T>, out: &mut Articulated<T>) -> ArticulatedInertia<T> {
    let Context { model, k, at, modal } = context;
    let body = &model.topology.bodies[k];
    let r = body.rank;
    let X = &mut out.tip_gain[body.tip.clone()];
    X.copy_from_slice(&modal.tip_coupling[body.tip.clone()]);
    let A = &mut out.tip_factor[body.tip_triangle.clone()];
    A.fill(T::ZERO);
    for i in 0..r {
        A[row_start(i) + i] = T::ONE;
    }

    // A = I + Σ C* Γ C,  B + Σ φ(k,t) Γ C                                                [S4]
    let mut P = modal.condensed_inertia[k];
    for c in body.carriers.clone() {
        let (C, l) = (&modal.tip_motions[body.tip_of_carrier(c)], at.carrier[c].position);
        for i in 0..r {
            let row = out.gamma[c].mul(C[i]);
            for j in 0..=i {
                A[row_start(i) + j] += C[j].dot(row);
            }
            X[i] += row.shift(l);
        }
        P += out.gamma[c].shift(l);
    }

    // P_R = M_c + Σ φ Γ φ* - X* d⁻¹ X                                                    [S4]
    out.definite[k] = cholesky::factor_in_place(A, r);
    cholesky::solve_lower(A, X);
    let mut P = InertiaRows::new(&P);
    for (i, X) in X.iter_mut().enumerate() {
        let G = *X * cholesky::pivot_inverse(A, i);
        P.sub_outer(G, *X);
        *X = G;
    }
    P.to_articulated()
}
pub(crate) fn residual<T: Scalar>(
    context: Context<'_, T>,
    P: &Articulated<T>,
    b: Force<T>,
    out: &mut Residual<T>,
) -> Force<T> {
    let Context { model, k, at, modal } = context;
    let body = &model.topology.bodies[k];
    let e = &mut out.modal[body.modal.clone()];
    let (y, nu) = (&mut out.tip_load[body.tip.clone()], &mut out.tip[body.tip.clone()]);

    // y = Q* L⁻¹ (T_f - b_f),  e = N (T_f - b_f)                                         [S4]
    y.fill(T::ZERO);
    for (e, q) in e.iter().zip(modal.tip_shapes[body.tip_shapes.clone()].chunks_exact(body.rank.max(1))) {
        for (y, q) in y.iter_mut().zip(q) {
            *y = q.mul_add(*e, *y);
        }
    }
    if let Some(flexible) = &model.bodies[k].flexible {
        flexible.hinge_mass.apply_inverse(e);
    }
    // ν = l⁻¹ (y - Σ C* z⁺)                                                              [S4]
    nu.copy_from_slice(y);
    for c in body.carriers.clone() {
        for (nu, C) in nu.iter_mut().zip(&modal.tip_motions[body.tip_of_carrier(c)]) {
            *nu -= C.dot(out.carrier[c]);
        }
    }
    let l = &P.tip_factor[body.tip_triangle.clone()];
    cholesky::solve_lower(l, nu);

    // z_R = b + Σ φ z⁺ + M'_rf e - B y + G* ν,  then d⁻¹ ν                               [S4]
    let mut z = tip::frozen_force(b, body.carriers.clone(), at, &out.carrier);
    z = combination_add(modal.hinge_coupling(body), e, z);
    for ((B, G), (y, nu)) in
        modal.tip_coupling[body.tip.clone()].iter().zip(&P.tip_gain[body.tip.clone()]).zip(y.iter().zip(nu.iter()))
    {
        z = G.scale_add(*nu, B.scale_add(-*y, z));
    }
    cholesky::solve_diagonal(l, nu);
    z
}

pub(crate) fn accelerations<T: Scalar>(
    context: Context<'_, T>,
    P: &Articulated<T>,
    z: &mut Residual<T>,
    alpha: Motion<T>,
    eta_ddot: &mut [T],
    carriers: &mut [Motion<T>],
) {
    let Context { model, k, at, modal } = context;
    let body = &model.topology.bodies[k];
    // ä = l⁻* (d⁻¹ ν - G α)                                                              [S4]
    let (nu, G) = (&z.tip[body.tip.clone()], &P.tip_gain[body.tip.clone()]);
    let a_ddot = &mut z.tip_acceleration[body.tip.clone()];
    a_ddot.iter_mut().zip(nu.iter().zip(G)).for_each(|(a, (nu, G))| *a = *nu - alpha.dot(*G));
    cholesky::solve_upper(&P.tip_factor[body.tip_triangle.clone()], a_ddot);

    // α(t) = φ*(k,t) α + C ä                                                             [S4]
    for (out, c) in carriers.iter_mut().zip(body.carriers.clone()) {
        let C = &modal.tip_motions[body.tip_of_carrier(c)];
        *out = combination_add(C, a_ddot, alpha.shift(at.carrier[c].position));
    }

    // η̈ = e - N M'_fr α + L⁻* Q (ä - y + B* α)                                          [S4]
    for (a, (y, B)) in
        a_ddot.iter_mut().zip(z.tip_load[body.tip.clone()].iter().zip(&modal.tip_coupling[body.tip.clone()]))
    {
        *a += alpha.dot(*B) - *y;
    }
    let e = &z.modal[body.modal.clone()];
    let NM = &modal.inverse_coupling[body.modal.clone()];
    let shapes = &modal.tip_shapes[body.tip_shapes.clone()];
    for r in 0..body.modes {
        let mut x = e[r] - alpha.dot(NM[r]);
        for (q, a) in shapes[r * body.rank..(r + 1) * body.rank].iter().zip(a_ddot.iter()) {
            x = q.mul_add(*a, x);
        }
        eta_ddot[r] = x;
    }
}
