//! Inward sweep: articulated-body inertia of every body, modes and hinge eliminated apart [JR92 (63)].
//!
//! | paper | here          | size  | meaning                                                       |
//! |-------|---------------|-------|---------------------------------------------------------------|
//! | `P_R` | `at_hand`     | 6 × 6 | articulated inertia at `F_k`, modes free                      |
//! | `D_R` | `D`           | r × r | `H P_R H*`, kept as its factor                                |
//! | `G_R` | `G`           | 6 × r | gain `P_R H* D_R⁻¹`                                           |
//! | `P⁺`  | `P_plus`      | 6 × 6 | `P_R - G_R H P_R`, hinge free                                 |
//! | `Γ`   | `gamma`       | 6 × 6 | sum of the `P⁺` that arrive at a carrier                      |
//!
//! The hinge is eliminated at `O`, where its joint map is sparsest.

#![allow(non_snake_case)] // symbols as printed, see docs/notation.md

use super::elimination::{self, Context};
use super::one_axis::{OneAxis, by_axis};
use crate::model::Model;
use crate::model::hinge::HingeMotion;
use crate::model::topology::BodyTopology;
use crate::workspace::{Articulated, Configuration, Modal};
use supple_spatial::block::cholesky::{self, row_start, unrolled};
use supple_spatial::{ArticulatedInertia, Force, Mask, Matrix3, Motion, Scalar, Vector3};

/// Fills `out`; its `elimination` and `prescribed` must be set. Pivots that are not positive are recorded in `definite`.
#[inline(never)] // a function of its own: its arguments are known not to overlap
pub(crate) fn articulated_inertia<T: Scalar>(
    model: &Model<T>,
    at: &Configuration<T>,
    modal: &Modal<T>,
    out: &mut Articulated<T>,
) {
    for (k, body) in model.topology.bodies.iter().enumerate().rev() {
        if body.modes == 0 {
            // All that arrives at a body without modes arrives at F_k.
            let own = &modal.inertia[k];
            let P = match body.carriers.is_empty() {
                true => own.to_articulated(),
                false => own.added_to(&out.gamma[body.carriers.start]),
            };
            out.at_hand = P;
            out.definite[k] = T::Mask::splat(true);
        } else {
            elimination::inertia(Context { model, k, at, modal }, out);
        }
        by_axis!(body.axis,
            Axis if !out.prescribed[k] => release_axis::<T, Axis>(body, k, at, out),
            Ball if !out.prescribed[k] => release_ball(body, k, at, out),
            _ => release_hinge(model, k, at, out)
        );
    }
}

/// `Γ ← Γ + φ(t,O) P⁺ φ*(t,O)`, with `P⁺` in the parent's axes                                   [JR92 (63)]
#[inline(always)]
pub(crate) fn arrive<T: Scalar>(
    body: &BodyTopology,
    P_plus: &ArticulatedInertia<T>,
    offset: Vector3<T>,
    gamma: &mut ArticulatedInertia<T>,
) {
    let arriving = P_plus.shift(offset);
    *gamma = if body.first_on_carrier { arriving } else { *gamma + arriving };
}

/// Eliminates a hinge with one axis.
#[inline(always)]
fn release_axis<T: Scalar, Axis: OneAxis>(
    body: &BodyTopology,
    k: usize,
    at: &Configuration<T>,
    out: &mut Articulated<T>,
) {
    let (h, P) = (body.hinge.start, &out.at_hand);
    // D_R = H P_R H*,  G_R = P_R H* D_R⁻¹                                               [JR92 (63)]
    let U = Axis::column(P);
    let D = Axis::power(U);
    let inverse = D.recip();
    let G = U * inverse;
    // P⁺ = P_R - G_R H P_R                                                              [JR92 (63)]
    if body.parent.is_some() {
        let P_plus = Axis::released(P, G, U, &at.rotation[k]);
        arrive(body, &P_plus, at.offset[k], &mut out.gamma[body.carrier]);
    }
    out.gain[h] = G;
    out.hinge_factor[body.hinge_triangle.start] = inverse;
    let infinity = T::from_f64(f64::INFINITY);
    out.definite[k] = out.definite[k] & T::ZERO.less_than(D) & inverse.less_than(infinity);
}

/// Eliminates a ball hinge at `F_k`: with `P = [J, C; C*, M]`, `D = J`, `G = [I; C* J⁻¹]` and all that is left of `P⁺` is `M - C* J⁻¹ C`.
#[inline(never)]
pub(crate) fn release_ball<T: Scalar>(body: &BodyTopology, k: usize, at: &Configuration<T>, out: &mut Articulated<T>) {
    let P = &out.at_hand;
    let first = body.hinge.start;
    let [xx, yy, zz, xy, xz, yz] = P.angular.0;
    let mut L = [xx, xy, yy, xz, yz, zz];
    out.definite[k] = out.definite[k] & unrolled::factor_in_place(&mut L, 3);
    out.hinge_factor[body.hinge_triangle.start..][..6].copy_from_slice(&L);
    let mut X = [P.coupling.row(0), P.coupling.row(1), P.coupling.row(2)];
    unrolled::solve_lower(&L, &mut X);
    let Y = X;
    cholesky::solve_diagonal(&L, &mut X);
    let M = X.iter().zip(&Y).fold(P.linear, |M, (x, y)| M.sub_outer(*x, *y));
    cholesky::solve_upper(&L, &mut X);
    for (i, row) in X.iter().enumerate() {
        out.gain[first + i] = Force::new(Matrix3::IDENTITY.row(i), *row);
    }
    if body.parent.is_some() {
        let P_plus = ArticulatedInertia { linear: M.congruence(&at.rotation[k]), ..ArticulatedInertia::ZERO };
        arrive(body, &P_plus, at.offset[k], &mut out.gamma[body.carrier]);
    }
}

/// Eliminates a hinge of any kind, unless it is prescribed.
#[inline(never)]
pub(crate) fn release_hinge<T: Scalar>(model: &Model<T>, k: usize, at: &Configuration<T>, out: &mut Articulated<T>) {
    let body = &model.topology.bodies[k];
    if out.prescribed[k] {
        out.inertia[k] = out.at_hand;
    }
    let mut P = at_hinge(model, k, at, out.at_hand);
    let H = &at.hinge_map[body.hinge.clone()];
    let U = &mut out.hinge_force[body.hinge.clone()];
    hinge_forces(&model.bodies[k].hinge.motion, &P, H, U);
    if !out.prescribed[k] {
        // D_R = H P_R H* (and what the drive adds),  G_R = P_R H* D_R⁻¹                 [JR92 (63)]
        let D = &mut out.hinge_factor[body.hinge_triangle.clone()];
        for i in 0..H.len() {
            for j in 0..=i {
                D[row_start(i) + j] = power(&model.bodies[k].hinge.motion, H[j], U[i]);
            }
        }
        for (i, rotor) in model.bodies[k].rotor.iter().enumerate() {
            D[row_start(i) + i] += *rotor;
        }
        let definite = cholesky::factor_in_place(D, H.len());
        out.definite[k] = out.definite[k] & definite;
        let G = &mut out.gain[body.hinge.clone()];
        G.copy_from_slice(U);
        if let [G] = G {
            *G = *G * D[0];
        } else {
            cholesky::solve(D, G);
        }
        // P⁺ = P_R - G_R H P_R                                                          [JR92 (63)]
        if body.parent.is_some() {
            for (G, U) in G.iter().zip(U.iter()) {
                P.sub_outer(*G, *U);
            }
        }
    }
    if body.parent.is_some() {
        arrive(body, &P.rotate(&at.rotation[k]), at.offset[k], &mut out.gamma[body.carrier]);
    }
}

/// The inertia at `O` of one at `F_k`.
#[inline(always)]
pub(crate) fn at_hinge<T: Scalar>(
    model: &Model<T>,
    k: usize,
    at: &Configuration<T>,
    P: ArticulatedInertia<T>,
) -> ArticulatedInertia<T> {
    if model.bodies[k].hinge_at_origin { P } else { P.shift(-at.inboard[k].position) }
}

/// `P H*`, with one-axis hinges by their only block.
#[inline(always)]
pub(crate) fn hinge_forces<T: Scalar>(
    motion: &HingeMotion<T>,
    P: &ArticulatedInertia<T>,
    H: &[Motion<T>],
    U: &mut [Force<T>],
) {
    match motion {
        HingeMotion::Revolute(_) => U[0] = P.mul_angular(H[0].angular),
        HingeMotion::Prismatic(_) => U[0] = P.mul_linear(H[0].linear),
        _ => U.iter_mut().zip(H).for_each(|(u, h)| *u = P.mul(*h)),
    }
}

/// `h · f`, with one-axis hinges by their only block.
#[inline(always)]
pub(crate) fn power<T: Scalar>(motion: &HingeMotion<T>, h: Motion<T>, f: Force<T>) -> T {
    match motion {
        HingeMotion::Revolute(_) => h.angular.dot(f.angular),
        HingeMotion::Prismatic(_) => h.linear.dot(f.linear),
        _ => h.dot(f),
    }
}
