//! Steps across one hinge, written once for each class of hinge.
//!
//! | class    | joint map                                              | file          |
//! |----------|--------------------------------------------------------|---------------|
//! | one axis | a unit vector of `F_k`, known when compiled            | `one_axis.rs` |
//! | ball     | the three turns of `F_k`                               | `ball.rs`     |
//! | general  | columns in the workspace; prescribed hinges of any kind | `general.rs` |
//!
//! | step         | sweep   | what it does                                             |
//! |--------------|---------|----------------------------------------------------------|
//! | `place`      | outward | `R = A R_J` and `x + A d_J`                              |
//! | `add_motion` | outward | `V + H* β`, and `α + H* β̇`                               |
//! | `add_turning`| outward | what `a_mR` keeps of the hinge                           |
//! | `release`    | inward  | `D_R`, `G_R`, `P⁺` into `Γ`                 [JR92 (63)]  |
//! | `innovate`   | inward  | `ε_R`, `ν_R`, `z⁺`                          [JR92 (64)]  |
//! | `accelerate` | outward | `β̇`, `α⁺ + H* β̇`                            [JR92 (64)]  |
//!
//! One-axis hinges and balls sit at `F_k`; others may sit elsewhere, and are eliminated at `O`, where their joint map is sparsest.

#![allow(non_snake_case)] // symbols as printed, see docs/notation.md

pub(crate) mod ball;
pub(crate) mod general;
pub(crate) mod one_axis;
pub(crate) mod released;

pub(crate) use one_axis::{OneAxis, Pivot, by_axis};

use crate::model::Model;
use crate::model::topology::BodyTopology;
use crate::state::State;
use crate::workspace::{Articulated, Configuration, Residual};
use supple_spatial::{ArticulatedInertia, Force, Matrix3, Motion, Scalar, Vector3};

/// Writes `A R_J` and `x + A d_J` of a hinge, elastic rotations left aside, and the joint map of a general one.
#[inline(always)]
pub(crate) fn place<T: Scalar>(model: &Model<T>, state: &State<T>, k: usize, at: &mut Configuration<T>) {
    let (body, hinge) = (&model.topology.bodies[k], &model.bodies[k].hinge);
    let theta = &state.coordinates[body.theta()];
    by_axis!(body.axis,
        Axis => (at.rotation[k], at.offset[k]) = Axis::place(&hinge.rotation, hinge.position, theta[0]),
        Ball => (at.rotation[k], at.offset[k]) = ball::place(hinge, theta),
        _ => (at.rotation[k], at.offset[k]) = general::place(hinge, theta, &mut at.hinge_map[body.hinge.clone()])
    );
}

/// The step `release` of a hinge that is not free, or of the general class.
#[inline(never)]
pub(crate) fn release_other<T: Scalar>(model: &Model<T>, k: usize, at: &Configuration<T>, out: &mut Articulated<T>) {
    let body = &model.topology.bodies[k];
    by_axis!(body.axis,
        Axis if out.is_driven(k) => {
            one_axis::release::<T, Axis, true>(body, k, at, out);
        },
        _ => match out.is_prescribed(k) {
            true => general::hold(model, k, at, out),
            false => general::release(model, k, at, out),
        }
    );
}

/// The steps `release` and `innovate` of such a hinge, from `z.current`.
#[allow(clippy::too_many_arguments)] // one by one they are known not to overlap
#[inline(never)]
pub(crate) fn release_and_innovate_other<T: Scalar>(
    model: &Model<T>,
    k: usize,
    at: &Configuration<T>,
    forces: &[T],
    accelerations: &[T],
    P: &mut Articulated<T>,
    z: &mut Residual<T>,
) -> Force<T> {
    let body = &model.topology.bodies[k];
    by_axis!(body.axis,
        Axis if P.is_driven(k) => {
            let pivot = one_axis::release::<T, Axis, true>(body, k, at, P);
            one_axis::innovate::<T, Axis>(body, pivot, forces, z.current, &mut z.hinge)
        },
        _ => {
            release_other(model, k, at, P);
            general::innovate(model, k, at, P, forces, accelerations, z.current, z)
        }
    )
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

/// `z⁺(t) ← z⁺(t) + φ(t,O) z⁺`, with that of the body in its axes                             [JR92 (64)]
#[inline(always)]
pub(crate) fn arrive_force<T: Scalar>(
    body: &BodyTopology,
    z_plus: Force<T>,
    R: &Matrix3<T>,
    offset: Vector3<T>,
    carrier: &mut Force<T>,
) {
    let arriving = z_plus.rotate(R).shift(offset);
    *carrier = if body.first_on_carrier { arriving } else { *carrier + arriving };
}

/// The inertia at `O` of one at `F_k`.
#[inline(always)]
pub(crate) fn inertia_at_hinge<T: Scalar>(
    model: &Model<T>,
    k: usize,
    at: &Configuration<T>,
    P: ArticulatedInertia<T>,
) -> ArticulatedInertia<T> {
    if model.bodies[k].hinge_at_origin { P } else { P.shift(-at.inboard[k].position) }
}

/// The force at `O` of one at `F_k`.
#[inline(always)]
pub(crate) fn force_at_hinge<T: Scalar>(model: &Model<T>, k: usize, at: &Configuration<T>, f: Force<T>) -> Force<T> {
    if model.bodies[k].hinge_at_origin { f } else { f.shift(-at.inboard[k].position) }
}

/// `φ*(O,k) α(O)`.
#[inline(always)]
pub(crate) fn from_hinge<T: Scalar>(model: &Model<T>, k: usize, at: &Configuration<T>, alpha: Motion<T>) -> Motion<T> {
    if model.bodies[k].hinge_at_origin { alpha } else { alpha.shift(-at.inboard[k].position) }
}
