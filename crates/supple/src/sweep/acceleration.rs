//! Outward sweep: accelerations from the innovations [JR92 (64)].
//!
//! With `BIAS` the ground accelerates by `-g` and links keep their `a_mR`; without it the sweep is the operator
//! `[I - HψK]*` on `ν` [JR92 (56)].

#![allow(non_snake_case)] // symbols as printed, see docs/notation.md

use super::articulated_inertia::power;
use super::elimination::{self, Context};
use super::one_axis::{OneAxis, by_axis};
use super::residual_force::force_at_hinge;
use crate::model::Model;
use crate::model::topology::BodyTopology;
use crate::workspace::{Acceleration, Articulated, Bias, Configuration, Modal, Residual};
use supple_spatial::block::linear::combination;
use supple_spatial::{Motion, Scalar, Vector3};

/// Fills `out` and the generalized accelerations `result`; those of prescribed hinges are read from it.
#[inline(always)]
pub(crate) fn acceleration<T: Scalar, const BIAS: bool>(
    context: (&Model<T>, &Configuration<T>, &Modal<T>),
    P: &Articulated<T>,
    z: &mut Residual<T>,
    bias: &Bias<T>,
    out: &mut Acceleration<T>,
    result: &mut [T],
) {
    let (model, at, modal) = context;
    sweep::<T, BIAS>(model, at, modal, P, z, bias, out, result);
}

#[allow(clippy::too_many_arguments)] // one by one they are known not to overlap
#[inline(never)]
fn sweep<T: Scalar, const BIAS: bool>(
    model: &Model<T>,
    at: &Configuration<T>,
    modal: &Modal<T>,
    P: &Articulated<T>,
    z: &mut Residual<T>,
    bias: &Bias<T>,
    out: &mut Acceleration<T>,
    result: &mut [T],
) {
    for (k, body) in model.topology.bodies.iter().enumerate() {
        // α⁺ = φ*(t,O) α(t), in the body's axes
        let alpha_plus = carried::<T, BIAS>(model, k, at, out);
        // β̇ = ν_R - G_R* α⁺,  α_R = α⁺ + H* β̇ + a_mR                                   [JR92 (64)]
        let mut alpha = by_axis!(body.axis,
            Axis if !P.prescribed[k] => {
                let beta_dot = z.hinge[body.hinge.start] - alpha_plus.dot(P.gain[body.hinge.start]);
                result[body.beta().start] = beta_dot;
                Axis::add(alpha_plus, beta_dot)
            },
            Ball if !P.prescribed[k] => {
                out.body[k] = alpha_plus;
                across_ball(model, k, P, z, &mut out.body[k], result);
                out.body[k]
            },
            _ => {
                out.body[k] = alpha_plus;
                across_hinge(model, k, at, P, z, &mut out.body[k], result);
                out.body[k]
            }
        );
        if BIAS {
            alpha += bias.acceleration[k];
        }
        out.body[k] = alpha;

        if body.modes > 0 {
            let (alpha, carriers) = (&out.body[k], &mut out.carrier);
            elimination::accelerations(Context { model, k, at, modal }, P, z, alpha, carriers, result);
            if body.free_free {
                subtract_inboard(body, k, modal, result, out);
            }
        } else if !body.carriers.is_empty() {
            out.carrier[body.carriers.start] = alpha;
        }
    }
}

/// `α_m = [η̈; α_R - Π_F η̈]`                                                                   [JR92 (64)]
#[inline(never)]
fn subtract_inboard<T: Scalar>(
    body: &BodyTopology,
    k: usize,
    modal: &Modal<T>,
    result: &[T],
    out: &mut Acceleration<T>,
) {
    out.body[k] -= combination(&modal.inboard[body.modal.clone()], &result[body.eta_dot()]);
}

/// `β̇` of a ball, whose gain is `[I; …]`, and `α⁺ + H* β̇` in place of `α⁺`.
#[inline(never)]
fn across_ball<T: Scalar>(
    model: &Model<T>,
    k: usize,
    P: &Articulated<T>,
    z: &Residual<T>,
    alpha: &mut Motion<T>,
    result: &mut [T],
) {
    let body = &model.topology.bodies[k];
    let alpha_plus = *alpha;
    let columns = z.hinge[body.hinge.clone()].iter().zip(&P.gain[body.hinge.clone()]);
    for (i, (nu, G)) in columns.enumerate() {
        let beta_dot = *nu - alpha_plus.angular[i] - alpha_plus.linear.dot(G.linear);
        result[body.beta().start + i] = beta_dot;
        alpha.angular[i] += beta_dot;
    }
}

/// `β̇` of a hinge of any kind and `φ*(O,k) (α⁺ + H* β̇)` in place of `α⁺`; prescribed ones have their `β̇` already.
#[inline(never)]
fn across_hinge<T: Scalar>(
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
    if !P.prescribed[k] {
        for i in 0..hinge.len() {
            result[body.beta().start + i] = z.hinge[hinge.start + i] - alpha_plus.dot(P.gain[hinge.start + i]);
        }
    }
    for (h, x) in at.hinge_map[hinge].iter().zip(&result[body.beta()]) {
        *alpha = add_hinge_motion(motion, *h, *x, *alpha);
    }
    *alpha = from_hinge(model, k, at, *alpha);
}

/// Acceleration of `O` that the parent gives, in the body's axes.
#[inline(always)]
pub(crate) fn carried<T: Scalar, const BIAS: bool>(
    model: &Model<T>,
    k: usize,
    at: &Configuration<T>,
    out: &Acceleration<T>,
) -> Motion<T> {
    let body = &model.topology.bodies[k];
    match body.parent {
        Some(_) => out.carrier[body.carrier].shift(at.offset[k]).rotate_back(&at.rotation[k]),
        None if BIAS => Motion::new(Vector3::ZERO, at.rotation[k].transpose_mul(-model.gravity)),
        None => Motion::ZERO,
    }
}

/// `φ*(O,k) α(O)`.
#[inline(always)]
pub(crate) fn from_hinge<T: Scalar>(model: &Model<T>, k: usize, at: &Configuration<T>, alpha: Motion<T>) -> Motion<T> {
    if model.bodies[k].hinge_at_origin { alpha } else { alpha.shift(-at.inboard[k].position) }
}

/// `α + h x`, with one-axis hinges by their only block.
#[inline(always)]
pub(crate) fn add_hinge_motion<T: Scalar>(
    motion: &crate::model::hinge::HingeMotion<T>,
    h: Motion<T>,
    x: T,
    alpha: Motion<T>,
) -> Motion<T> {
    use crate::model::hinge::HingeMotion;
    match motion {
        HingeMotion::Revolute(_) => Motion::new(h.angular.scale_add(x, alpha.angular), alpha.linear),
        HingeMotion::Prismatic(_) => Motion::new(alpha.angular, h.linear.scale_add(x, alpha.linear)),
        _ => h.scale_add(x, alpha),
    }
}

/// Forces of prescribed hinges after [`acceleration`]: `T_R = H (P_R α_R + z_R)`                 [S4]
pub(crate) fn prescribed_forces<T: Scalar>(
    context: (&Model<T>, &Configuration<T>, &Modal<T>),
    P: &Articulated<T>,
    z: &Residual<T>,
    accelerations: (&Acceleration<T>, &Bias<T>),
    result: &[T],
    forces: &mut [T],
) {
    let (model, at, modal) = context;
    let (alpha, bias) = accelerations;
    for (k, body) in model.topology.bodies.iter().enumerate().filter(|(k, _)| P.prescribed[*k]) {
        // Hinge-side acceleration without a_mR, which z_R already holds.
        let mut a = alpha.body[k] - bias.acceleration[k];
        if body.free_free {
            a += combination(&modal.inboard[body.modal.clone()], &result[body.eta_dot()]);
        }
        let f = force_at_hinge(model, k, at, P.inertia[k].mul(a) + z.body[k]);
        for (i, h) in at.hinge_map[body.hinge.clone()].iter().enumerate() {
            forces[body.beta().start + i] = power(&model.bodies[k].hinge.motion, *h, f);
        }
        for (i, rotor) in model.bodies[k].rotor.iter().enumerate() {
            let at = body.beta().start + i;
            forces[at] = rotor.mul_add(result[at], forces[at]);
        }
    }
}
