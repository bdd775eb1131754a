//! The sweeps of forward dynamics with what neighbours sent one step ago: `P⁺`, `z⁺` and `α` of the last step (claims 6, 21 and 36 of US
//! patent 5,546,508).
//!
//! The steps of a body are those of [`articulation`](super::articulation) and [`acceleration`](super::acceleration). Only the order of the bodies
//! differs: inward quantities are taken from base to tip and outward ones from tip to base, so that each body finds what its neighbour left
//! at the last step. No body waits for another; all could be computed at once.
//!
//! In a state that stands still the tip's `P⁺` and `z⁺` are right after one step, those of the base after as many as there are bodies on the
//! longest path, and all accelerations after twice as many.

#![allow(non_snake_case)] // symbols as printed, see docs/notation.md

use super::acceleration::carried;
use super::elimination::{self, Context};
use super::hinge::released::released;
use super::hinge::{arrive, arrive_force, ball, by_axis, general, one_axis, release_and_innovate_other};
use super::modal_mass::refresh_hinge;
use crate::model::Model;
use crate::state::State;
use crate::workspace::Workspace;
use supple_spatial::block::linear::combination;
use supple_spatial::{ArticulatedInertia, Force, Mask, Scalar};

/// What the bodies left for the next step, per body: `P⁺` and `z⁺` at `O`, in the axes of the body. `α` stays in the workspace.
#[derive(Clone, Debug)]
pub(crate) struct Left<T> {
    pub inertia: Vec<ArticulatedInertia<T>>,
    pub force: Vec<Force<T>>,
}

/// Accelerations into `result`, of the configuration, velocities and loads that are in `workspace`. Tells whether all pivots were positive.
pub(crate) fn lagged<T: Scalar>(
    model: &Model<T>,
    state: &State<T>,
    forces: &[T],
    workspace: &mut Workspace<T>,
    left: &mut Left<T>,
) -> T::Mask {
    arrive_from_last_step(model, workspace, left);
    let definite = articulate(model, state, forces, workspace, left);
    accelerate(model, workspace);
    definite
}

/// `Γ = Σ φ P⁺ φ*` and `Σ φ z⁺` with `P⁺` and `z⁺` of the last step and `φ` of this one.
fn arrive_from_last_step<T: Scalar>(model: &Model<T>, workspace: &mut Workspace<T>, left: &Left<T>) {
    let Workspace { configuration: at, articulated: P, residual: z, .. } = workspace;
    for (k, body) in model.topology.bodies.iter().enumerate().rev().filter(|(_, body)| body.parent.is_some()) {
        let (R, offset) = (&at.rotation[k], at.offset[k]);
        arrive(body, &left.inertia[k].rotate(R), offset, &mut P.gamma[body.carrier]);
        arrive_force(body, left.force[k], R, offset, &mut z.carrier[body.carrier]);
    }
}

/// `P_R`, `D`, `G`, `ε` and `ν` of each body, base to tip; then its `P⁺` and `z⁺`, for the next step                 [JR92 (63), (64)]
fn articulate<T: Scalar>(
    model: &Model<T>,
    state: &State<T>,
    forces: &[T],
    workspace: &mut Workspace<T>,
    left: &mut Left<T>,
) -> T::Mask {
    let Workspace { configuration: at, modal, bias, articulated: P, residual: z, .. } = workspace;
    let mut all_definite = T::Mask::splat(true);
    for (k, body) in model.topology.bodies.iter().enumerate() {
        if body.modes > 0 {
            refresh_hinge(model, k, state, at, P.elimination[k], modal);
            elimination::inertia_and_force(Context { model, k, at, modal }, bias, forces, P, z);
        } else {
            P.definite[k] = T::Mask::splat(true);
            P.current = modal.inertia[k].to_articulated();
            z.current = bias.force[k];
            if !body.carriers.is_empty() {
                P.current += P.gamma[body.carriers.start];
                z.current += z.carrier[body.carriers.start];
            }
        }
        z.current += P.current.mul(bias.acceleration[k]);
        // What `release` adds to the parent's node comes too late: the parent has been there.
        left.force[k] = by_axis!(body.axis,
            Axis if P.is_free(k) => {
                let pivot = one_axis::release::<T, Axis, false>(body, k, at, P);
                one_axis::innovate::<T, Axis>(body, pivot, forces, z.current, &mut z.hinge)
            },
            Ball if P.is_free(k) => {
                ball::release(body, k, at, P);
                ball::innovate(body, P, forces, z.current, z)
            },
            _ => release_and_innovate_other(model, k, at, forces, forces, P, z)
        );
        left.inertia[k] = released(model, k, at, P.current, &P.gain[body.hinge.clone()]);
        all_definite = all_definite & P.definite[k];
    }
    all_definite
}

/// `β̇`, `η̈` and `α` of each body, tip to base: the parent's `α` is that of the last step                              [JR92 (64)]
fn accelerate<T: Scalar>(model: &Model<T>, workspace: &mut Workspace<T>) {
    let Workspace { configuration: at, modal, bias, articulated: P, residual: z, acceleration: out, result, .. } =
        workspace;
    for (k, body) in model.topology.bodies.iter().enumerate().rev() {
        out.body[k] = carried::<T, true>(model, k, at, out);
        let alpha_plus = out.body[k];
        by_axis!(body.axis,
            Axis => out.body[k] = one_axis::accelerate::<T, Axis>(body, P, z, alpha_plus, result),
            Ball if P.is_free(k) => ball::accelerate(body, P, z, &mut out.body[k], result),
            _ => general::accelerate(model, k, at, P, z, &mut out.body[k], result)
        );
        out.body[k] += bias.acceleration[k];
        if body.modes > 0 {
            let (alpha, carriers) = (&out.body[k], &mut out.carrier);
            elimination::accelerations(Context { model, k, at, modal }, P, z, alpha, carriers, result);
            if body.free_free {
                out.body[k] -= combination(&modal.inboard[body.modal.clone()], &result[body.eta_dot()]);
            }
        } else if !body.carriers.is_empty() {
            out.carrier[body.carriers.start] = out.body[k];
        }
    }
}
