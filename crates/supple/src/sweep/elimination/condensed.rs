//! Modes eliminated by condensation: linear in the modes [S4].
//!
//! A flexible body looks like a rigid one of inertia `M_rr - W` whose tip transformation is `E` and whose
//! outboard inertia is `Γ` in series with the tip compliance `Θ = C C*`:
//!
//! ```text
//! S   = Γ (I + Θ Γ)⁻¹ = Γ - X* X,   X = L⁻¹ C* Γ,   L L* = I + C* Γ C ≥ I
//! P_R = (M_rr - W) + E S E*,        E = φ(k,t) - Z
//! z_R = b + M'_rf e + E (z⁺ + S (y - Θ z⁺)),   e = N (T_f - b_f),   y = ζ* e
//! f_t = z⁺ + S (y - Θ z⁺ + E* α),              η̈ = e - Y f_t - N M'_fr α
//! ```
//!
//! With several carriers `E`, `C`, `Γ` are stacked; then `S` stays factored, and `z⁺` is taken into `e` first.

#![allow(non_snake_case)] // symbols as printed, see docs/notation.md

use super::{Context, tip};
use crate::workspace::{Articulated, Residual};
use std::ops::Range;
use supple_spatial::block::cholesky::{self, packed_len, row_start};
use supple_spatial::block::linear::{combination, combination_add};
use supple_spatial::{Force, Mask, Matrix6, Motion, Scalar};

pub(crate) fn inertia<T: Scalar>(context: Context<'_, T>, out: &mut Articulated<T>) {
    let Context { model, k, at, modal } = context;
    let body = &model.topology.bodies[k];
    series(context, out);
    for c in body.carriers.clone() {
        // E = φ(k,t) - Z                                                                 [S4]
        out.flexible_shift[c] = shifted(at.carrier[c].position, &modal.tip_coupling[c]);
    }
    // P_R = (M_rr - W) + E S E*                                                          [S4]
    let mut P = modal.condensed_inertia[k];
    if let Some(c) = only(&body.carriers) {
        P.add_congruence(&out.flexible_shift[c], &out.series[c]);
    } else {
        for c in body.carriers.clone() {
            P.add_congruence(&out.flexible_shift[c], &out.gamma[c]);
        }
        for rho in 0..rank(context) {
            let q = body.carriers.clone().fold(Force::ZERO, |q, c| {
                q + out.flexible_shift[c].mul_force(out.tip_rows[body.modes_of_carrier(c).start + rho])
            });
            P.sub_outer(q, q);
        }
    }
    out.inertia[k] = P;
}

/// `L`, `X` and, for a single carrier, `S`.
pub(super) fn series<T: Scalar>(context: Context<'_, T>, out: &mut Articulated<T>) {
    let Context { model, k, modal, .. } = context;
    let body = &model.topology.bodies[k];
    out.definite[k] = T::Mask::splat(true);
    if body.carriers.is_empty() {
        return;
    }
    let r = rank(context);
    let L = &mut out.modal_factor[body.modal_triangle.clone()][..packed_len(r)];
    L.fill(T::ZERO);
    for c in body.carriers.clone() {
        let range = body.modes_of_carrier(c);
        let (C, X) = (&modal.compliance_factor[range.clone()][..r], &mut out.tip_rows[range][..r]);
        for i in 0..r {
            X[i] = out.gamma[c].mul(C[i]);
            for j in 0..=i {
                L[row_start(i) + j] += C[j].dot(X[i]);
            }
        }
    }
    for i in 0..r {
        L[row_start(i) + i] += T::ONE;
    }
    out.definite[k] = cholesky::factor_in_place(L, r);
    for c in body.carriers.clone() {
        cholesky::solve_lower(L, &mut out.tip_rows[body.modes_of_carrier(c)][..r]);
    }
    // S = Γ - X* X                                                                       [S4]
    if let Some(c) = only(&body.carriers) {
        let mut S = out.gamma[c];
        for x in &out.tip_rows[body.modes_of_carrier(c)][..r] {
            S.sub_outer(*x, *x);
        }
        out.series[c] = S;
    }
}

pub(crate) fn residual<T: Scalar>(context: Context<'_, T>, P: &Articulated<T>, b: Force<T>, out: &mut Residual<T>) -> Force<T> {
    let Context { model, k, at, modal } = context;
    let body = &model.topology.bodies[k];
    let e = &mut out.modal[body.modal.clone()];
    apply_mass_inverse(context, e);
    let coupling = &modal.hinge_coupling[body.modal.clone()];
    if let Some(c) = only(&body.carriers) {
        let z_plus = out.carrier[c];
        // y = ζ* e,  tip = y - Θ z⁺                                                      [S4]
        let y = combination(&modal.influence[body.modes_of_carrier(c)], e);
        out.tip[c] = y - modal.compliance[c].mul_force(z_plus);
        let f = z_plus + P.series[c].mul(out.tip[c]);
        return combination_add(coupling, e, b + P.flexible_shift[c].mul_force(f));
    }
    for c in body.carriers.clone() {
        for (e, Y) in e.iter_mut().zip(&modal.inverse_influence[body.modes_of_carrier(c)]) {
            *e -= Y.dot(out.carrier[c]);
        }
    }
    let z = tip::frozen_force(b, body.carriers.clone(), at, &out.carrier);
    let mut z = combination_add(coupling, e, z);
    for c in body.carriers.clone() {
        out.tip[c] = combination(&modal.influence[body.modes_of_carrier(c)], e);
        z += P.flexible_shift[c].mul_force(P.gamma[c].mul(out.tip[c]));
    }
    for rho in 0..rank(context) {
        let at_carrier = |c: usize| P.tip_rows[body.modes_of_carrier(c).start + rho];
        let along = body.carriers.clone().fold(T::ZERO, |s, c| s + out.tip[c].dot(at_carrier(c)));
        for c in body.carriers.clone() {
            z -= P.flexible_shift[c].mul_force(at_carrier(c)) * along;
        }
    }
    z
}

pub(crate) fn accelerations<T: Scalar>(
    context: Context<'_, T>,
    P: &Articulated<T>,
    z: &Residual<T>,
    alpha: Motion<T>,
    eta_ddot: &mut [T],
    carriers: &mut [Motion<T>],
) {
    let Context { model, k, modal, .. } = context;
    let body = &model.topology.bodies[k];
    // η̈ = e - Y f_t - N M'_fr α                                                         [S4]
    let e = &z.modal[body.modal.clone()];
    let NM = &modal.inverse_coupling[body.modal.clone()];
    for r in 0..body.modes {
        eta_ddot[r] = e[r] - alpha.dot(NM[r]);
    }
    let mut take = |c: usize, f: Force<T>| {
        for (x, Y) in eta_ddot.iter_mut().zip(&modal.inverse_influence[body.modes_of_carrier(c)]) {
            *x -= Y.dot(f);
        }
    };
    let moved = |c: usize| z.tip[c] + P.flexible_shift[c].transpose_mul_motion(alpha);
    if let Some(c) = only(&body.carriers) {
        // f_t = z⁺ + S (y - Θ z⁺ + E* α),  α(t) = (I - Θ S)(y - Θ z⁺ + E* α)             [S4]
        let moved = moved(c);
        let f = P.series[c].mul(moved);
        carriers[0] = moved - modal.compliance[c].mul_force(f);
        return take(c, z.carrier[c] + f);
    }
    for c in body.carriers.clone() {
        take(c, P.gamma[c].mul(moved(c)));
    }
    for rho in 0..rank(context) {
        let at_carrier = |c: usize| P.tip_rows[body.modes_of_carrier(c).start + rho];
        let along = body.carriers.clone().fold(T::ZERO, |s, c| s + moved(c).dot(at_carrier(c)));
        for c in body.carriers.clone() {
            take(c, -(at_carrier(c) * along));
        }
    }
    tip::carrier_accelerations(context, alpha, eta_ddot, carriers);
}

/// `x ← N x`.
#[inline]
pub(super) fn apply_mass_inverse<T: Scalar>(context: Context<'_, T>, x: &mut [T]) {
    let Context { model, k, modal, .. } = context;
    if let Some(flexible) = &model.bodies[k].flexible {
        if flexible.free_free {
            let triangle = model.topology.bodies[k].modal_triangle.clone();
            cholesky::solve(&modal.mass_factor[triangle], x);
        } else {
            flexible.mass.apply_inverse(x);
        }
    }
}

pub(super) fn rank<T: Scalar>(context: Context<'_, T>) -> usize {
    context.model.bodies[context.k].flexible.as_ref().map_or(0, |f| f.rank)
}

/// The carrier, if there is just one.
#[inline(always)]
pub(super) fn only(carriers: &Range<usize>) -> Option<usize> {
    (carriers.len() == 1).then_some(carriers.start)
}

/// `φ(k,t) - Z`.
#[inline(always)]
fn shifted<T: Scalar>(l: supple_spatial::Vector3<T>, Z: &Matrix6<T>) -> Matrix6<T> {
    let [x, y, z] = l.0;
    let mut E = Matrix6(Z.0.map(|row| row.map(|v| -v)));
    for i in 0..6 {
        E.0[i][i] += T::ONE;
    }
    E.0[0][4] -= z;
    E.0[0][5] += y;
    E.0[1][3] += z;
    E.0[1][5] -= x;
    E.0[2][3] -= y;
    E.0[2][4] += x;
    E
}
