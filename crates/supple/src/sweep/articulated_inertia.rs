//! Inward sweep: articulated-body inertia of every body, modes and hinge eliminated apart [JR92 (63)].
//!
//! | paper | here          | size  | meaning                                                       |
//! |-------|---------------|-------|---------------------------------------------------------------|
//! | `P_R` | `inertia`     | 6 × 6 | articulated inertia at `F_k`, modes free                      |
//! | `D_R` | `D`           | r × r | `H P_R H*`, kept as its Cholesky factor                       |
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
use crate::workspace::{Articulated, Configuration, Modal};
use supple_spatial::block::cholesky::{self, row_start};
use supple_spatial::{ArticulatedInertia, Force, Motion, Scalar};

/// Fills `out`; its `elimination` and `prescribed` must be set. Pivots that are not positive are recorded in `definite`.
pub(crate) fn articulated_inertia<T: Scalar>(
    model: &Model<T>,
    at: &Configuration<T>,
    modal: &Modal<T>,
    out: &mut Articulated<T>,
) {
    for (k, body) in model.topology.bodies.iter().enumerate().rev() {
        elimination::inertia(Context { model, k, at, modal }, out);
        let arriving = by_axis!(body.axis,
            Axis if !out.prescribed[k] => release_axis::<T, Axis>(model, k, at, out),
            _ => release_hinge(model, k, at, out)
        );
        if body.parent.is_some() {
            // Γ = Σ φ(t,O) P⁺ φ*(t,O)                                                   [JR92 (63)]
            let arriving = arriving.shift(at.offset[k]);
            let gamma = &mut out.gamma[body.carrier];
            *gamma = if body.first_on_carrier { arriving } else { *gamma + arriving };
        }
    }
}

/// Eliminates a hinge with one axis; gives `P⁺` at `O` in the parent's axes, unless the parent is the ground.
#[inline(always)]
fn release_axis<T: Scalar, Axis: OneAxis>(
    model: &Model<T>,
    k: usize,
    at: &Configuration<T>,
    out: &mut Articulated<T>,
) -> ArticulatedInertia<T> {
    let body = &model.topology.bodies[k];
    let P = &out.inertia[k];
    // D_R = H P_R H*,  G_R = P_R H* D_R⁻¹                                               [JR92 (63)]
    let U = Axis::column(P);
    let D = Axis::power(U);
    let inverse = D.recip();
    let G = U * inverse;
    out.definite[k] = out.definite[k] & T::ZERO.less_than(D) & inverse.is_finite();
    out.hinge_factor[body.hinge_triangle.start] = inverse.sqrt();
    out.hinge_force[body.hinge.start] = U;
    out.gain[body.hinge.start] = G;
    // P⁺ = P_R - G_R H P_R                                                              [JR92 (63)]
    if body.parent.is_some() { Axis::released(P, G, U, &at.rotation[k]) } else { ArticulatedInertia::ZERO }
}

/// Eliminates a hinge of any kind, unless it is prescribed; gives `P⁺` likewise.
fn release_hinge<T: Scalar>(
    model: &Model<T>,
    k: usize,
    at: &Configuration<T>,
    out: &mut Articulated<T>,
) -> ArticulatedInertia<T> {
    let body = &model.topology.bodies[k];
    let mut P = at_hinge(model, k, at, out.inertia[k]);
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
            *G = *G * (D[0] * D[0]);
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
    if body.parent.is_some() { P.rotate(&at.rotation[k]) } else { ArticulatedInertia::ZERO }
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
