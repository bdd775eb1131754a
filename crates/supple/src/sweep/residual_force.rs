//! Inward sweep: residual forces `z` and innovations `ε` [JR92 (64)].
//!
//! With `LOADS`, forces on bodies and modes act too; without them the sweep is the operator `[I - HψK]` on the generalized forces
//! [JR92 (56)]. Forward dynamics has it within `articulation`, with what velocities add.

#![allow(non_snake_case)] // symbols as printed, see docs/notation.md

use super::articulated_inertia::power;
use super::count::{Count, by_count};
use super::elimination::{self, Context};
use super::one_axis::{OneAxis, by_axis};
use crate::model::Model;
use crate::model::topology::BodyTopology;
use crate::workspace::{Articulated, Bias, Configuration, Modal, Residual};
use supple_spatial::block::cholesky;
use supple_spatial::{Force, Matrix3, Scalar, Vector3};

/// Fills `out` for the generalized forces `forces`, and the loads of `bias` where there are `LOADS`; of prescribed hinges `accelerations` is
/// read instead.
#[inline(always)]
pub(crate) fn residual_force<T: Scalar, const LOADS: bool>(
    context: (&Model<T>, &Configuration<T>, &Modal<T>),
    P: &Articulated<T>,
    bias: &Bias<T>,
    forces: &[T],
    accelerations: &[T],
    out: &mut Residual<T>,
) {
    let (model, at, modal) = context;
    sweep::<T, LOADS>(model, at, modal, P, bias, forces, accelerations, out);
}

#[allow(clippy::too_many_arguments)] // one by one they are known not to overlap
#[inline(never)]
fn sweep<T: Scalar, const LOADS: bool>(
    model: &Model<T>,
    at: &Configuration<T>,
    modal: &Modal<T>,
    P: &Articulated<T>,
    bias: &Bias<T>,
    forces: &[T],
    accelerations: &[T],
    out: &mut Residual<T>,
) {
    for (k, body) in model.topology.bodies.iter().enumerate().rev() {
        let b = if LOADS { bias.force[k] } else { Force::ZERO };
        let z = if body.modes > 0 {
            by_count!(T, body.modes, n => modal_residual::<T, LOADS>(n, body, modal, bias, forces, b, out));
            elimination::residual(Context { model, k, at, modal }, P, b, out)
        } else if body.carriers.is_empty() {
            b
        } else {
            b + out.carrier[body.carriers.start]
        };
        // ε_R = T_R - H z_R,  ν_R = D_R⁻¹ ε_R,  z⁺ = z_R + G_R ε_R                      [JR92 (64)]
        let z_plus = by_axis!(body.axis,
            Axis if !P.prescribed[k] => {
                let (h, inverse) = (body.hinge.start, P.hinge_factor[body.hinge_triangle.start]);
                let epsilon = forces[body.beta().start] - Axis::power(z);
                out.hinge[h] = epsilon * inverse;
                if body.parent.is_some() { P.gain[h].scale_add(epsilon, z) } else { z }
            },
            Ball if !P.prescribed[k] => across_ball(model, k, P, forces, z, out),
            _ => across_hinge(model, k, at, P, forces, accelerations, z, out)
        );
        if body.parent.is_some() {
            arrive(body, z_plus, &at.rotation[k], at.offset[k], &mut out.carrier[body.carrier]);
        }
    }
}

/// `z⁺(t) ← z⁺(t) + φ(t,O) z⁺`, with that of the body in its axes                             [JR92 (64)]
#[inline(always)]
pub(crate) fn arrive<T: Scalar>(
    body: &BodyTopology,
    z_plus: Force<T>,
    R: &Matrix3<T>,
    offset: Vector3<T>,
    carrier: &mut Force<T>,
) {
    let arriving = z_plus.rotate(R).shift(offset);
    *carrier = if body.first_on_carrier { arriving } else { *carrier + arriving };
}

/// `T_f - b_f + Π_F* b_r` into `out.modal`                                                    [JR92 (64)]
#[inline(always)]
pub(crate) fn modal_residual<T: Scalar, const LOADS: bool>(
    n: impl Count,
    body: &BodyTopology,
    modal: &Modal<T>,
    bias: &Bias<T>,
    forces: &[T],
    b: Force<T>,
    out: &mut Residual<T>,
) {
    let epsilon_f = &mut out.modal[body.modal.start..][..n.get()];
    epsilon_f.copy_from_slice(&forces[body.eta_dot().start..][..n.get()]);
    if LOADS {
        for (e, b_f) in epsilon_f.iter_mut().zip(&bias.modal[body.modal.start..][..n.get()]) {
            *e -= *b_f;
        }
        if body.free_free {
            for (e, Pi) in epsilon_f.iter_mut().zip(&modal.inboard[body.modal.clone()]) {
                *e += Pi.dot(b);
            }
        }
    }
}

/// `z⁺` and `ν` of a ball, whose gain is `[I; …]`: the moment that passes is the one given.
#[inline(never)]
pub(crate) fn across_ball<T: Scalar>(
    model: &Model<T>,
    k: usize,
    P: &Articulated<T>,
    forces: &[T],
    z: Force<T>,
    out: &mut Residual<T>,
) -> Force<T> {
    let body = &model.topology.bodies[k];
    let (h, speed) = (body.hinge.start, body.beta().start);
    let moment = Vector3([forces[speed], forces[speed + 1], forces[speed + 2]]);
    let epsilon = moment - z.angular;
    let nu = &mut out.hinge[h..h + 3];
    nu.copy_from_slice(&epsilon.0);
    cholesky::solve(&P.hinge_factor[body.hinge_triangle.start..][..6], nu);
    let gain = P.gain[h..h + 3].iter().zip(epsilon.0);
    Force::new(moment, gain.fold(z.linear, |f, (G, epsilon)| G.linear.scale_add(epsilon, f)))
}

/// `z⁺` at `O`, and `ν`, of a hinge of any kind; of prescribed ones with their accelerations instead.
#[allow(clippy::too_many_arguments)] // the quantities of one equation
#[inline(never)]
pub(crate) fn across_hinge<T: Scalar>(
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
    if P.prescribed[k] {
        out.body[k] = z;
        for (U, x) in P.hinge_force[hinge].iter().zip(&accelerations[body.beta()]) {
            z_plus = U.scale_add(*x, z_plus);
        }
    } else {
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

/// The force at `O` of one at `F_k`.
#[inline(always)]
pub(crate) fn force_at_hinge<T: Scalar>(model: &Model<T>, k: usize, at: &Configuration<T>, f: Force<T>) -> Force<T> {
    if model.bodies[k].hinge_at_origin { f } else { f.shift(-at.inboard[k].position) }
}
