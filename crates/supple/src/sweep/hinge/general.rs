//! Hinges of any kind, by the columns of their joint map at `O`; prescribed hinges too, which are not eliminated.

#![allow(non_snake_case)] // symbols as printed, see docs/notation.md

use super::{arrive, force_at_hinge, from_hinge, inertia_at_hinge};
use crate::model::Model;
use crate::model::hinge::{HingeData, HingeMotion};
use crate::workspace::{Articulated, Configuration, Residual};
use supple_spatial::block::cholesky::{self, row_start};
use supple_spatial::{ArticulatedInertia, Force, Matrix3, Motion, Scalar, Vector3};

/// `A R_J` and `x + A d_J` at the coordinates `theta`, and the joint map in `O` axes.
#[inline(always)]
pub(crate) fn place<T: Scalar>(hinge: &HingeData<T>, theta: &[T], H: &mut [Motion<T>]) -> (Matrix3<T>, Vector3<T>) {
    let place = hinge.motion.place(theta);
    hinge.motion.map(theta, &place, H);
    (hinge.rotation * place.rotation, hinge.rotation.mul_add(place.displacement, hinge.position))
}

/// `D_R`, `G_R`, and `P⁺` into `Γ`                                                                    [JR92 (63)]
#[inline(never)]
pub(crate) fn release<T: Scalar>(model: &Model<T>, k: usize, at: &Configuration<T>, out: &mut Articulated<T>) {
    let (body, motion) = (&model.topology.bodies[k], &model.bodies[k].hinge.motion);
    let driven = out.is_driven(k);
    let mut P = inertia_at_hinge(model, k, at, out.current);
    let H = &at.hinge_map[body.hinge.clone()];
    let U = &mut out.hinge_force[body.hinge.clone()];
    hinge_forces(motion, &P, H, U);
    // D_R = H P_R H* (and what the drive adds),  G_R = P_R H* D_R⁻¹                     [JR92 (63)]
    let D = &mut out.hinge_factor[body.hinge_triangle.clone()];
    for i in 0..H.len() {
        for j in 0..=i {
            D[row_start(i) + j] = power(motion, H[j], U[i]);
        }
    }
    if driven {
        for (i, own) in out.hinge_inertia[body.hinge.clone()].iter().enumerate() {
            D[row_start(i) + i] += *own;
        }
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
    // P⁺ = P_R - G_R H P_R                                                              [JR92 (63)]
    if body.parent.is_some() {
        for (G, U) in G.iter().zip(U.iter()) {
            P.sub_outer(*G, *U);
        }
        arrive(body, &P.rotate(&at.rotation[k]), at.offset[k], &mut out.gamma[body.carrier]);
    }
}

/// The step [`release`] of a prescribed hinge of any class: it stays as it is, and `P_R` passes whole.
#[inline(never)]
pub(crate) fn hold<T: Scalar>(model: &Model<T>, k: usize, at: &Configuration<T>, out: &mut Articulated<T>) {
    let body = &model.topology.bodies[k];
    out.inertia[k] = out.current;
    let P = inertia_at_hinge(model, k, at, out.current);
    let (H, U) = (&at.hinge_map[body.hinge.clone()], &mut out.hinge_force[body.hinge.clone()]);
    hinge_forces(&model.bodies[k].hinge.motion, &P, H, U);
    if body.parent.is_some() {
        arrive(body, &P.rotate(&at.rotation[k]), at.offset[k], &mut out.gamma[body.carrier]);
    }
}

/// `ν_R` and `z⁺` at `O`; of prescribed hinges `z⁺` with their accelerations instead                   [JR92 (64)]
#[allow(clippy::too_many_arguments)] // the quantities of one equation
#[inline(never)]
pub(crate) fn innovate<T: Scalar>(
    model: &Model<T>,
    k: usize,
    at: &Configuration<T>,
    P: &Articulated<T>,
    forces: &[T],
    accelerations: &[T],
    z: Force<T>,
    out: &mut Residual<T>,
) -> Force<T> {
    let body = &model.topology.bodies[k];
    let mut z_plus = force_at_hinge(model, k, at, z);
    let hinge = body.hinge.clone();
    if P.is_prescribed(k) {
        out.body[k] = z;
        for (U, x) in P.hinge_force[hinge].iter().zip(&accelerations[body.beta()]) {
            z_plus = U.scale_add(*x, z_plus);
        }
    } else {
        // ε_R = T_R - H z_R,  ν_R = D_R⁻¹ ε_R,  z⁺ = z_R + G_R ε_R                      [JR92 (64)]
        let motion = &model.bodies[k].hinge.motion;
        let z_O = z_plus;
        let nu = &mut out.hinge[hinge.clone()];
        for (i, h) in at.hinge_map[hinge.clone()].iter().enumerate() {
            nu[i] = forces[body.beta().start + i] - power(motion, *h, z_O);
            if body.parent.is_some() {
                z_plus = P.gain[hinge.start + i].scale_add(nu[i], z_plus);
            }
        }
        cholesky::solve(&P.hinge_factor[body.hinge_triangle.clone()], nu);
    }
    z_plus
}

/// `β̇`, and `φ*(O,k) (α⁺ + H* β̇)` in place of `α⁺`; prescribed hinges have their `β̇` already            [JR92 (64)]
#[inline(never)]
pub(crate) fn accelerate<T: Scalar>(
    model: &Model<T>,
    k: usize,
    at: &Configuration<T>,
    P: &Articulated<T>,
    z: &Residual<T>,
    alpha: &mut Motion<T>,
    result: &mut [T],
) {
    let body = &model.topology.bodies[k];
    let (hinge, motion) = (body.hinge.clone(), &model.bodies[k].hinge.motion);
    let alpha_plus = *alpha;
    if !P.is_prescribed(k) {
        for i in 0..hinge.len() {
            result[body.beta().start + i] = z.hinge[hinge.start + i] - alpha_plus.dot(P.gain[hinge.start + i]);
        }
    }
    for (h, x) in at.hinge_map[hinge].iter().zip(&result[body.beta()]) {
        *alpha = add_hinge_motion(motion, *h, *x, *alpha);
    }
    *alpha = from_hinge(model, k, at, *alpha);
}

/// `P H*`, with one-axis hinges by their only block.
#[inline(always)]
fn hinge_forces<T: Scalar>(motion: &HingeMotion<T>, P: &ArticulatedInertia<T>, H: &[Motion<T>], U: &mut [Force<T>]) {
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

/// `α + h x`, with one-axis hinges by their only block.
#[inline(always)]
fn add_hinge_motion<T: Scalar>(motion: &HingeMotion<T>, h: Motion<T>, x: T, alpha: Motion<T>) -> Motion<T> {
    match motion {
        HingeMotion::Revolute(_) => Motion::new(h.angular.scale_add(x, alpha.angular), alpha.linear),
        HingeMotion::Prismatic(_) => Motion::new(alpha.angular, h.linear.scale_add(x, alpha.linear)),
        _ => h.scale_add(x, alpha),
    }
}
