//! Inward sweep: modes, then hinge, of one body after the other eliminated from the articulated inertia [JR92 (63)], and the residual
//! forces that this leaves [JR92 (64)].
//!
//! | paper | here        | size  | meaning                                                       |
//! |-------|-------------|-------|---------------------------------------------------------------|
//! | `P_R` | `P.current` | 6 × 6 | articulated inertia at `F_k`, modes free                      |
//! | `D_R` | `D`         | r × r | `H P_R H*`, kept as its factor                                |
//! | `G_R` | `G`         | 6 × r | gain `P_R H* D_R⁻¹`                                           |
//! | `P⁺`  | `P_plus`    | 6 × 6 | `P_R - G_R H P_R`, hinge free                                 |
//! | `Γ`   | `gamma`     | 6 × 6 | sum of the `P⁺` that arrive at a carrier                      |
//! | `z_R` | `z.current` | 6     | residual force at `F_k`, modes free                           |
//! | `z⁺`  | `z_plus`    | 6     | `z_R + G_R ε_R`, hinge free                                   |
//!
//! Three loops over the same steps, which are in `elimination` (modes) and `hinge`: [`factor`] for the inertias alone, [`solve`] for the
//! forces alone, [`factor_and_solve`] for both. After any that factors, what [`solve`] and `acceleration` need is there.

#![allow(non_snake_case)] // symbols as printed, see docs/notation.md

use super::elimination::{self, Context};
use super::hinge::{Pivot, arrive_force, ball, by_axis, general, one_axis, release_and_innovate_other, release_other};
use super::modal_mass::refresh_hinge;
use crate::model::Model;
use crate::model::hinge::HingeAxis;
use crate::model::topology::BodyTopology;
use crate::state::State;
use crate::workspace::{Articulated, Bias, Configuration, Modal, Residual};
use supple_spatial::{Force, Mask, Scalar};

/// Fills `P`, whose `elimination` and `role` must be set [JR92 (63)]. Tells whether all pivots were positive; where one was not,
/// `definite` tells of which body.
#[inline(never)] // a function of its own: its arguments are known not to overlap
pub(crate) fn factor<T: Scalar>(
    model: &Model<T>,
    state: &State<T>,
    at: &Configuration<T>,
    modal: &mut Modal<T>,
    P: &mut Articulated<T>,
) -> T::Mask {
    let mut all_definite = T::Mask::splat(true);
    for (k, body) in model.topology.bodies.iter().enumerate().rev() {
        if body.modes > 0 {
            refresh_hinge(model, k, state, at, P.elimination[k], modal);
            elimination::inertia(Context { model, k, at, modal }, P);
        } else {
            rigid_inertia(body, k, modal, P);
        }
        by_axis!(body.axis,
            Axis if P.is_free(k) => {
                one_axis::release::<T, Axis, false>(body, k, at, P);
            },
            Ball if P.is_free(k) => ball::release(body, k, at, P),
            _ => release_other(model, k, at, P)
        );
        all_definite = all_definite & P.definite[k];
    }
    all_definite
}

/// Fills `z` for the generalized forces `forces`, and the loads of `bias` where there are `LOADS` [JR92 (64)]; of prescribed hinges
/// `accelerations` is read instead. Velocities are zero: without loads this is the operator `[I - HψK]` on the generalized
/// forces [JR92 (56)].
#[allow(clippy::too_many_arguments)] // one by one they are known not to overlap
#[inline(never)]
pub(crate) fn solve<T: Scalar, const LOADS: bool>(
    model: &Model<T>,
    at: &Configuration<T>,
    modal: &Modal<T>,
    P: &Articulated<T>,
    bias: &Bias<T>,
    forces: &[T],
    accelerations: &[T],
    z: &mut Residual<T>,
) {
    for (k, body) in model.topology.bodies.iter().enumerate().rev() {
        let b = if LOADS { bias.force[k] } else { Force::ZERO };
        let z_R = if body.modes > 0 {
            elimination::force::<T, LOADS>(Context { model, k, at, modal }, P, bias, forces, b, z)
        } else {
            rigid_force(body, b, z)
        };
        let z_plus = by_axis!(body.axis,
            Axis if !P.is_prescribed(k) => one_axis::innovate::<T, Axis>(body, Pivot::of(body, P), forces, z_R, &mut z.hinge),
            Ball if P.is_free(k) => ball::innovate(body, P, forces, z_R, z),
            _ => general::innovate(model, k, at, P, forces, accelerations, z_R, z)
        );
        if body.parent.is_some() {
            arrive_force(body, z_plus, &at.rotation[k], at.offset[k], &mut z.carrier[body.carrier]);
        }
    }
}

/// [`factor`] and [`solve`] in one loop, with loads and what velocities add: the inward sweep of forward dynamics [JR92 (63), (64)].
#[allow(clippy::too_many_arguments)] // one by one they are known not to overlap
#[inline(never)]
pub(crate) fn factor_and_solve<T: Scalar>(
    model: &Model<T>,
    state: &State<T>,
    at: &Configuration<T>,
    bias: &Bias<T>,
    forces: &[T],
    accelerations: &[T],
    modal: &mut Modal<T>,
    P: &mut Articulated<T>,
    z: &mut Residual<T>,
) -> T::Mask {
    let mut all_definite = T::Mask::splat(true);
    for (k, body) in model.topology.bodies.iter().enumerate().rev() {
        if body.modes > 0 {
            refresh_hinge(model, k, state, at, P.elimination[k], modal);
            elimination::inertia_and_force(Context { model, k, at, modal }, bias, forces, P, z);
        } else {
            rigid_inertia(body, k, modal, P);
            z.current = rigid_force(body, bias.force[k], z);
        }
        // z_R = … + P_R a_mR, of which nothing is left where the hinge turns about axes of the ground  [JR92 (64)]
        if body.parent.is_some() || body.axis == HingeAxis::Other {
            z.current += P.current.mul(bias.acceleration[k]);
        }
        let z_plus = by_axis!(body.axis,
            Axis if P.is_free(k) => {
                let pivot = one_axis::release::<T, Axis, false>(body, k, at, P);
                one_axis::innovate::<T, Axis>(body, pivot, forces, z.current, &mut z.hinge)
            },
            Ball if P.is_free(k) => {
                ball::release(body, k, at, P);
                ball::innovate(body, P, forces, z.current, z)
            },
            _ => release_and_innovate_other(model, k, at, forces, accelerations, P, z)
        );
        if body.parent.is_some() {
            arrive_force(body, z_plus, &at.rotation[k], at.offset[k], &mut z.carrier[body.carrier]);
        }
        all_definite = all_definite & P.definite[k];
    }
    all_definite
}

/// `P_R` of a body without modes: all that arrives at it arrives at `F_k`.
#[inline(always)]
fn rigid_inertia<T: Scalar>(body: &BodyTopology, k: usize, modal: &Modal<T>, out: &mut Articulated<T>) {
    let own = &modal.inertia[k];
    out.definite[k] = T::Mask::splat(true);
    out.current = match body.carriers.is_empty() {
        true => own.to_articulated(),
        false => own.added_to(&out.gamma[body.carriers.start]),
    };
}

/// `z_R` of a body without modes, from its bias `b`.
#[inline(always)]
fn rigid_force<T: Scalar>(body: &BodyTopology, b: Force<T>, z: &Residual<T>) -> Force<T> {
    if body.carriers.is_empty() { b } else { b + z.carrier[body.carriers.start] }
}
