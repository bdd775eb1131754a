//! Elimination of the modes of one body from its articulated inertia, in three ways.
//!
//! Each way has three steps, called by the sweeps for every body with modes: `inertia` (inward), `residual` (inward) and
//! `accelerations` (outward); `both` does the first two. All give the same `P_R`, `z_R` and `η̈`.
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
mod tip;

use crate::model::Model;
use crate::model::body::Elimination;
use crate::sweep::residual_force::modal_residual;
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

/// [`inertia`], the modal forces, and [`residual`] into `z.at_hand` in one go.
#[inline(always)]
pub(crate) fn both<T: Scalar>(
    context: Context<'_, T>,
    bias: &Bias<T>,
    forces: &[T],
    P: &mut Articulated<T>,
    z: &mut Residual<T>,
) {
    match P.elimination[context.k] {
        Elimination::Explicit => explicit::both(context, bias, forces, P, z),
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
    z.at_hand = residual(context, P, b, z);
}

/// `P_R` at `F_k`, with the articulated inertias `Γ` of the carriers.
pub(crate) fn inertia<T: Scalar>(context: Context<'_, T>, out: &mut Articulated<T>) {
    match out.elimination[context.k] {
        Elimination::Explicit => explicit::inertia(context, out),
        Elimination::Indirect => indirect::inertia(context, out),
        Elimination::Condensed => condensed::inertia(context, out),
    }
}

/// `z_R` at `F_k` less `P_R a_mR`, from the rigid bias `b`, the modal forces in `out.modal` (`T_f - b_f`, overwritten) and `z⁺`.
pub(crate) fn residual<T: Scalar>(
    context: Context<'_, T>,
    P: &Articulated<T>,
    b: Force<T>,
    out: &mut Residual<T>,
) -> Force<T> {
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
