//! Elimination of the modes of one body from its articulated inertia, in three ways.
//!
//! Each way has three steps, called by the sweeps for every body with modes: `inertia` (inward), `residual` (inward) and
//! `accelerations` (outward). All give the same `P_R`, `z_R` and `η̈`.
//!
//! | way         | cost in modes                         | file           |
//! |-------------|---------------------------------------|----------------|
//! | explicit    | cubic, factor of `D_f`                | `explicit.rs`  |
//! | indirect    | quadratic, `D_f⁻¹` by eq. 77          | `indirect.rs`  |
//! | condensed   | linear, `D_f` never appears           | `condensed.rs` |
//!
//! Every way works on `M'`, `ζ` of `workspace::Modal`, in which free-free modes look like cantilever ones: the
//! hinge-side acceleration is `α' = α(k) + Π_F η̈`.

#![allow(non_snake_case)] // symbols as printed, see docs/notation.md

pub(crate) mod condensed;
pub(crate) mod explicit;
pub(crate) mod indirect;
pub(crate) mod tip;

use crate::model::Model;
use crate::model::body::Elimination;
use crate::model::topology::BodyTopology;
use crate::sweep::count::{Count, by_count};
use crate::workspace::{Articulated, Bias, Configuration, Modal, Residual};
use supple_spatial::{Force, Motion, Scalar};

/// What the eliminations of a body read.
#[derive(Clone, Copy)]
pub(crate) struct Context<'a, T> {
    /// The model.
    pub model: &'a Model<T>,
    /// The body.
    pub k: usize,
    /// Lever arms.
    pub at: &'a Configuration<T>,
    /// Modal mass.
    pub modal: &'a Modal<T>,
}

/// [`inertia`] and [`force`], with loads, into `z.current` in one go.
#[inline(always)]
pub(crate) fn inertia_and_force<T: Scalar>(
    context: Context<'_, T>,
    bias: &Bias<T>,
    forces: &[T],
    P: &mut Articulated<T>,
    z: &mut Residual<T>,
) {
    match P.elimination[context.k] {
        Elimination::Explicit => explicit::inertia_and_force(context, bias, forces, P, z),
        _ => one_by_one(context, bias, forces, P, z),
    }
}

#[inline(never)]
fn one_by_one<T: Scalar>(
    context: Context<'_, T>,
    bias: &Bias<T>,
    forces: &[T],
    P: &mut Articulated<T>,
    z: &mut Residual<T>,
) {
    let Context { model, k, modal, .. } = context;
    let (body, b) = (&model.topology.bodies[k], bias.force[k]);
    inertia(context, P);
    modal_residual::<T, true>(body.modes, body, modal, bias, forces, b, z);
    z.current = residual(context, P, b, z);
}

/// `P_R` at `F_k`, with the articulated inertias `Γ` of the carriers.
pub(crate) fn inertia<T: Scalar>(context: Context<'_, T>, out: &mut Articulated<T>) {
    match out.elimination[context.k] {
        Elimination::Explicit => explicit::inertia(context, out),
        Elimination::Indirect => indirect::inertia(context, out),
        Elimination::Condensed => condensed::inertia(context, out),
    }
}

/// `z_R` at `F_k` less `P_R a_mR`, from the rigid bias `b`, the modal forces `T_f - b_f + Π_F* b` and `z⁺`.
#[inline(always)]
pub(crate) fn force<T: Scalar, const LOADS: bool>(
    context: Context<'_, T>,
    P: &Articulated<T>,
    bias: &Bias<T>,
    forces: &[T],
    b: Force<T>,
    out: &mut Residual<T>,
) -> Force<T> {
    let Context { model, k, modal, .. } = context;
    let body = &model.topology.bodies[k];
    by_count!(T, body.modes, n => modal_residual::<T, LOADS>(n, body, modal, bias, forces, b, out));
    residual(context, P, b, out)
}

/// `T_f - b_f + Π_F* b` into `out.modal`                                                      [JR92 (64)]
#[inline(always)]
fn modal_residual<T: Scalar, const LOADS: bool>(
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

/// The same from the modal forces in `out.modal` (`T_f - b_f`, overwritten) and `z⁺`.
fn residual<T: Scalar>(context: Context<'_, T>, P: &Articulated<T>, b: Force<T>, out: &mut Residual<T>) -> Force<T> {
    match P.elimination[context.k] {
        Elimination::Explicit => explicit::residual(context, P, b, out),
        Elimination::Indirect => indirect::residual(context, P, b, out),
        Elimination::Condensed => condensed::residual(context, P, b, out),
    }
}

/// `η̈` into `result` and the accelerations of its carriers into `carriers`, for the hinge-side acceleration `alpha`.
#[inline(always)]
pub(crate) fn accelerations<T: Scalar>(
    context: Context<'_, T>,
    P: &Articulated<T>,
    z: &mut Residual<T>,
    alpha: &Motion<T>,
    carriers: &mut [Motion<T>],
    result: &mut [T],
) {
    match P.elimination[context.k] {
        Elimination::Explicit => explicit::accelerations(context, P, z, alpha, carriers, result),
        _ => other_accelerations(context, P, z, alpha, carriers, result),
    }
}

#[inline(never)]
fn other_accelerations<T: Scalar>(
    context: Context<'_, T>,
    P: &Articulated<T>,
    z: &mut Residual<T>,
    alpha: &Motion<T>,
    carriers: &mut [Motion<T>],
    result: &mut [T],
) {
    let body = &context.model.topology.bodies[context.k];
    let (eta_ddot, carriers) = (&mut result[body.eta_dot()], &mut carriers[body.carriers.clone()]);
    if P.elimination[context.k] == Elimination::Indirect {
        indirect::accelerations(context, P, z, *alpha, eta_ddot);
        tip::carrier_accelerations(context, *alpha, eta_ddot, carriers);
    } else {
        condensed::accelerations(context, P, z, *alpha, eta_ddot, carriers);
    }
}
