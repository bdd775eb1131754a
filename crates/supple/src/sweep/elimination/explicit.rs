//! Modes eliminated by a factor of `D_f`: cubic in the modes [JR92 (63), (64)].
//!
//! | paper | here         | meaning                                                                |
//! |-------|--------------|------------------------------------------------------------------------|
//! | `D_f` | `D`          | `M'_ff + Σ ζ Γ ζ*`, then its factor `L D L*`                           |
//! | `μ`   | rows of `X`  | `M'_rf + Σ φ Γ ζ*`, then `X = L⁻¹ μ*`                                  |
//! | `g`   | rows of `G`  | kept as `G = D⁻¹ L⁻¹ μ*`, so that `g = G* L⁻¹` is never formed         |
//!
//! The paper inverts `D_f`; a factor serves the same equations with fewer operations.

#![allow(non_snake_case)] // symbols as printed, see docs/notation.md

use super::{Context, modal_residual, tip};
use crate::model::topology::BodyTopology;
use crate::sweep::count::{Count, by_count};
use crate::workspace::{Articulated, Bias, Configuration, Modal, Residual};
use supple_spatial::block::cholesky::{self, packed_len, row_start, unrolled};
use supple_spatial::block::linear::combination_add;
use supple_spatial::{ArticulatedInertia, Force, InertiaRows, Motion, Scalar, Vector3};

pub(crate) fn inertia<T: Scalar>(context: Context<'_, T>, out: &mut Articulated<T>) {
    let Context { model, k, at, modal } = context;
    let body = &model.topology.bodies[k];
    by_count!(T, body.modes, n => eliminate_alone(n, body, k, at, modal, out));
}

/// [`inertia`], the modal forces `T_f - b_f + Π_F* b_r` into `z.modal`, and [`residual`] into `z.current` in one go.
#[inline(always)]
pub(crate) fn inertia_and_force<T: Scalar>(
    context: Context<'_, T>,
    bias: &Bias<T>,
    forces: &[T],
    P: &mut Articulated<T>,
    z: &mut Residual<T>,
) {
    let Context { model, k, at, modal } = context;
    let body = &model.topology.bodies[k];
    by_count!(T, body.modes, n => eliminate_and_innovate(n, body, k, at, modal, bias, forces, P, z));
}

#[allow(clippy::too_many_arguments)] // one by one they are known not to overlap
#[inline(never)]
fn eliminate_and_innovate<T: Scalar>(
    n: impl Count,
    body: &BodyTopology,
    k: usize,
    at: &Configuration<T>,
    modal: &Modal<T>,
    bias: &Bias<T>,
    forces: &[T],
    P: &mut Articulated<T>,
    z: &mut Residual<T>,
) {
    let b = bias.force[k];
    eliminate(n, body, k, at, modal, P);
    modal_residual::<T, true>(n, body, modal, bias, forces, b, z);
    z.current = innovate(n, body, at, modal, P, b, z);
}

#[inline(never)]
fn eliminate_alone<T: Scalar>(
    n: impl Count,
    body: &BodyTopology,
    k: usize,
    at: &Configuration<T>,
    modal: &Modal<T>,
    out: &mut Articulated<T>,
) {
    eliminate(n, body, k, at, modal, out);
}

#[inline(always)]
fn eliminate<T: Scalar>(
    n: impl Count,
    body: &BodyTopology,
    k: usize,
    at: &Configuration<T>,
    modal: &Modal<T>,
    out: &mut Articulated<T>,
) {
    let (first, triangle) = (body.modal.start, body.modal_triangle.start);
    let D = &mut out.modal_factor[triangle..][..packed_len(n.get())];
    let X = &mut out.modal_gain[first..][..n.get()];
    let own = (&modal.mass[triangle..][..packed_len(n.get())], &modal.hinge_coupling(body)[..n.get()]);
    let mut rest = body.carriers.clone();
    let carrier = |c: usize, before: Option<_>, D: &mut [T], X: &mut [Force<T>]| {
        let zeta = &modal.influence[body.modes_of_carrier(c).start..][..n.get()];
        arrive(n, zeta, &out.gamma[c], at.carrier[c].position, before, D, X);
    };
    match rest.next() {
        Some(c) => carrier(c, Some(own), D, X),
        None => {
            D.copy_from_slice(own.0);
            X.copy_from_slice(own.1);
        }
    }
    for c in rest {
        carrier(c, None, D, X);
    }
    if out.shifted {
        // M'_ff + c C + k K                                                              [S4]
        for (D, shift) in D.iter_mut().zip(&out.modal_shift[triangle..]) {
            *D += *shift;
        }
    }
    let P = tip::frozen_inertia(modal.inertia[k], body.carriers.clone(), at, &out.gamma);
    (out.current, out.definite[k]) = release(n, D, X, P);
}

/// `D_f = M'_ff + Σ ζ Γ ζ*`, `μ = M'_rf + Σ φ(k,t) Γ ζ*`: what one carrier adds, to `before` or else to what is there        [JR92 (63)]
#[inline(always)]
fn arrive<T: Scalar>(
    n: impl Count,
    zeta: &[Motion<T>],
    gamma: &ArticulatedInertia<T>,
    l: Vector3<T>,
    before: Option<(&[T], &[Force<T>])>,
    D: &mut [T],
    X: &mut [Force<T>],
) {
    for r in 0..n.get() {
        let row = gamma.mul(zeta[r]);
        for s in 0..=r {
            let i = row_start(r) + s;
            D[i] = zeta[s].dot_add(row, before.map_or(D[i], |(mass, _)| mass[i]));
        }
        X[r] = before.map_or(X[r], |(_, coupling)| coupling[r]) + row.shift(l);
    }
}

/// `P_R = P_rr - μ D_f⁻¹ μ*`, with `L D L*` in place of `D_f` and `G` in place of `μ*`            [JR92 (63)]
#[inline(always)]
fn release<T: Scalar>(
    n: impl Count,
    D: &mut [T],
    X: &mut [Force<T>],
    P: ArticulatedInertia<T>,
) -> (ArticulatedInertia<T>, T::Mask) {
    let definite = unrolled::factor_in_place(D, n.get());
    unrolled::solve_lower(D, X);
    let mut P = InertiaRows::new(&P);
    for r in 0..n.get() {
        let G = X[r] * cholesky::pivot_inverse(D, r);
        P.sub_outer(G, X[r]);
        X[r] = G;
    }
    (P.to_articulated(), definite)
}

pub(crate) fn residual<T: Scalar>(
    context: Context<'_, T>,
    P: &Articulated<T>,
    b: Force<T>,
    out: &mut Residual<T>,
) -> Force<T> {
    let Context { model, k, at, modal } = context;
    let body = &model.topology.bodies[k];
    by_count!(T, body.modes, n => innovate_alone(n, body, at, modal, P, b, out))
}

#[inline(never)]
fn innovate_alone<T: Scalar>(
    n: impl Count,
    body: &BodyTopology,
    at: &Configuration<T>,
    modal: &Modal<T>,
    P: &Articulated<T>,
    b: Force<T>,
    out: &mut Residual<T>,
) -> Force<T> {
    innovate(n, body, at, modal, P, b, out)
}

#[inline(always)]
fn innovate<T: Scalar>(
    n: impl Count,
    body: &BodyTopology,
    at: &Configuration<T>,
    modal: &Modal<T>,
    P: &Articulated<T>,
    b: Force<T>,
    out: &mut Residual<T>,
) -> Force<T> {
    let (first, triangle) = (body.modal.start, body.modal_triangle.start);
    let epsilon = &mut out.modal[first..][..n.get()];
    let D = &P.modal_factor[triangle..][..packed_len(n.get())];
    let G = &P.modal_gain[first..][..n.get()];
    // ε_f = T_f - b_f - Σ ζ z⁺, in place of the modal forces                            [JR92 (64)]
    let mut z = b;
    for c in body.carriers.clone() {
        let (zeta, z_plus) = (&modal.influence[body.modes_of_carrier(c).start..][..n.get()], out.carrier[c]);
        for (e, zeta) in epsilon.iter_mut().zip(zeta) {
            *e = zeta.dot_add(-z_plus, *e);
        }
        z += z_plus.shift(at.carrier[c].position);
    }
    // z_R = z_r + g ε_f = z_r + G* (L⁻¹ ε_f),  then D⁻¹ L⁻¹ ε_f                        [JR92 (64)]
    unrolled::solve_lower(D, epsilon);
    z = combination_add(G, epsilon, z);
    cholesky::solve_diagonal(D, epsilon);
    z
}

#[inline(always)]
pub(crate) fn accelerations<T: Scalar>(
    context: Context<'_, T>,
    P: &Articulated<T>,
    z: &Residual<T>,
    alpha: &Motion<T>,
    carriers: &mut [Motion<T>],
    result: &mut [T],
) {
    let Context { model, k, at, modal } = context;
    let body = &model.topology.bodies[k];
    by_count!(T, body.modes, n => move_modes(n, body, at, modal, P, z, alpha, carriers, result));
}

#[allow(clippy::too_many_arguments)] // one by one they are known not to overlap
#[inline(never)]
fn move_modes<T: Scalar>(
    n: impl Count,
    body: &BodyTopology,
    at: &Configuration<T>,
    modal: &Modal<T>,
    P: &Articulated<T>,
    z: &Residual<T>,
    alpha: &Motion<T>,
    carriers: &mut [Motion<T>],
    result: &mut [T],
) {
    let (first, triangle) = (body.modal.start, body.modal_triangle.start);
    let D = &P.modal_factor[triangle..][..packed_len(n.get())];
    let (nu, G) = (&z.modal[first..][..n.get()], &P.modal_gain[first..][..n.get()]);
    let eta_ddot = &mut result[body.speeds.start..][..n.get()];
    // η̈ = ν_f - g* α_R = L⁻* (D⁻¹ L⁻¹ ε_f - G α_R)                                    [JR92 (64)]
    for r in 0..n.get() {
        eta_ddot[r] = (-*alpha).dot_add(G[r], nu[r]);
    }
    cholesky::solve_upper(D, eta_ddot);
    // α(t) = φ*(k,t) α' + ζ* η̈
    for c in body.carriers.clone() {
        let zeta = &modal.influence[body.modes_of_carrier(c).start..][..n.get()];
        carriers[c] = combination_add(zeta, eta_ddot, alpha.shift(at.carrier[c].position));
    }
}
