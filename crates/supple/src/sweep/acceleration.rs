//! Outward sweep: accelerations from the innovations [JR92 (64)].
//!
//! With `BIAS` the ground accelerates by `-g` and links keep their `a_mR`; without it the sweep is the operator
//! `[I - HψK]*` on `ν` [JR92 (56)].

#![allow(non_snake_case)] // symbols as printed, see docs/notation.md

use super::elimination::{self, Context};
use super::hinge::{ball, by_axis, force_at_hinge, general, one_axis};
use crate::model::Model;
use crate::model::topology::BodyTopology;
use crate::workspace::{Acceleration, Articulated, Bias, Configuration, Modal, Residual};
use supple_spatial::block::linear::combination;
use supple_spatial::{Motion, Scalar, Vector3};

/// Fills `out` and the generalized accelerations `result`; those of prescribed hinges are read from it.
#[allow(clippy::too_many_arguments)] // one by one they are known not to overlap
#[inline(never)]
pub(crate) fn acceleration<T: Scalar, const BIAS: bool>(
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
            Axis if !P.is_prescribed(k) => one_axis::accelerate::<T, Axis>(body, P, z, alpha_plus, result),
            Ball if P.is_free(k) => {
                out.body[k] = alpha_plus;
                ball::accelerate(body, P, z, &mut out.body[k], result);
                out.body[k]
            },
            _ => {
                out.body[k] = alpha_plus;
                general::accelerate(model, k, at, P, z, &mut out.body[k], result);
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

/// Forces of prescribed hinges after [`acceleration`]: `T_R = H (P_R α_R + z_R)`                 [S4]
pub(crate) fn prescribed_forces<T: Scalar>(
    model: &Model<T>,
    (at, modal, bias): (&Configuration<T>, &Modal<T>, &Bias<T>),
    (P, z): (&Articulated<T>, &Residual<T>),
    alpha: &Acceleration<T>,
    result: &[T],
    forces: &mut [T],
) {
    for (k, body) in model.topology.bodies.iter().enumerate().filter(|(k, _)| P.is_prescribed(*k)) {
        // Hinge-side acceleration without a_mR, which z_R already holds.
        let mut a = alpha.body[k] - bias.acceleration[k];
        if body.free_free {
            a += combination(&modal.inboard[body.modal.clone()], &result[body.eta_dot()]);
        }
        let f = force_at_hinge(model, k, at, P.inertia[k].mul(a) + z.body[k]);
        for (i, h) in at.hinge_map[body.hinge.clone()].iter().enumerate() {
            forces[body.beta().start + i] = general::power(&model.bodies[k].hinge.motion, *h, f);
        }
        for (i, rotor) in model.bodies[k].rotor.iter().enumerate() {
            let at = body.beta().start + i;
            forces[at] = rotor.mul_add(result[at], forces[at]);
        }
    }
}
