//! Balls: `H*` is the three turns of `F_k`, so that products with it are reads of one block.

#![allow(non_snake_case)] // symbols as printed, see docs/notation.md

use super::arrive;
use crate::model::hinge::HingeData;
use crate::model::topology::BodyTopology;
use crate::workspace::{Articulated, Configuration, Residual};
use supple_spatial::block::cholesky::{self, unrolled};
use supple_spatial::{ArticulatedInertia, Force, Matrix3, Motion, Quaternion, Scalar, Vector3};

/// `R = A R_J` and `x` at the quaternion `theta`.
#[inline(always)]
pub(crate) fn place<T: Scalar>(hinge: &HingeData<T>, theta: &[T]) -> (Matrix3<T>, Vector3<T>) {
    (hinge.rotation * Quaternion([theta[0], theta[1], theta[2], theta[3]]).to_matrix(), hinge.position)
}

/// `V + H* x`.
#[inline(always)]
pub(crate) fn add_motion<T: Scalar>(V: Motion<T>, x: &[T]) -> Motion<T> {
    Motion::new(V.angular + Vector3([x[0], x[1], x[2]]), V.linear)
}

/// `a` and what it keeps of `H* x` at the angular velocity `ω`: `ω × x`.
#[inline(always)]
pub(crate) fn add_turning<T: Scalar>(a: Motion<T>, w: Vector3<T>, x: &[T]) -> Motion<T> {
    Motion::new(w.cross_add(Vector3([x[0], x[1], x[2]]), a.angular), a.linear)
}

/// With `P_R = [J, C; C*, M]`: `D = J`, `G = [I; C* J⁻¹]`, and all that is left of `P⁺` is `M - C* J⁻¹ C`      [JR92 (63)]
#[inline(never)]
pub(crate) fn release<T: Scalar>(body: &BodyTopology, k: usize, at: &Configuration<T>, out: &mut Articulated<T>) {
    let P = &out.current;
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

/// `ν_R` and `z⁺`; the gain is `[I; …]`, so that the moment that passes is the one given             [JR92 (64)]
#[inline(never)]
pub(crate) fn innovate<T: Scalar>(
    body: &BodyTopology,
    P: &Articulated<T>,
    forces: &[T],
    z: Force<T>,
    out: &mut Residual<T>,
) -> Force<T> {
    let (h, speed) = (body.hinge.start, body.beta().start);
    let moment = Vector3([forces[speed], forces[speed + 1], forces[speed + 2]]);
    let epsilon = moment - z.angular;
    let nu = &mut out.hinge[h..h + 3];
    nu.copy_from_slice(&epsilon.0);
    cholesky::solve(&P.hinge_factor[body.hinge_triangle.start..][..6], nu);
    let gain = P.gain[h..h + 3].iter().zip(epsilon.0);
    Force::new(moment, gain.fold(z.linear, |f, (G, epsilon)| G.linear.scale_add(epsilon, f)))
}

/// `β̇`, and `α⁺ + H* β̇` in place of `α⁺`                                                            [JR92 (64)]
#[inline(never)]
pub(crate) fn accelerate<T: Scalar>(
    body: &BodyTopology,
    P: &Articulated<T>,
    z: &Residual<T>,
    alpha: &mut Motion<T>,
    result: &mut [T],
) {
    let alpha_plus = *alpha;
    let columns = z.hinge[body.hinge.clone()].iter().zip(&P.gain[body.hinge.clone()]);
    for (i, (nu, G)) in columns.enumerate() {
        let beta_dot = *nu - alpha_plus.angular[i] - alpha_plus.linear.dot(G.linear);
        result[body.beta().start + i] = beta_dot;
        alpha.angular[i] += beta_dot;
    }
}
