//! Inward sweep of forward dynamics: articulated inertia and residual force of one body after the other [JR92 (63), (64)].
//!
//! The same as `articulated_inertia` and `residual_force` one after the other; tables of symbols are there.

#![allow(non_snake_case)] // symbols as printed, see docs/notation.md

use super::articulated_inertia::{arrive, release_ball, release_hinge};
use super::elimination::{self, Context};
use super::modal_mass::refresh_hinge;
use super::one_axis::{OneAxis, by_axis};
use super::residual_force::{self, across_ball, across_hinge};
use crate::model::Model;
use crate::model::hinge::HingeAxis;
use crate::state::State;
use crate::workspace::{Articulated, Bias, Configuration, Modal, Residual};
use supple_spatial::{Mask, Scalar};

/// Fills `P`, whose `elimination` and `prescribed` must be set, and `z` for the generalized forces `forces`; of prescribed hinges
/// `accelerations` is read instead. Tells whether all pivots were positive; where one was not, `definite` tells of which body.
#[allow(clippy::too_many_arguments)] // one by one they are known not to overlap
#[inline(never)]
pub(crate) fn articulation<T: Scalar>(
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
            elimination::both(Context { model, k, at, modal }, bias, forces, P, z);
        } else {
            // All that arrives at a body without modes arrives at F_k.
            let (own, b) = (&modal.inertia[k], bias.force[k]);
            P.definite[k] = T::Mask::splat(true);
            (P.at_hand, z.at_hand) = match body.carriers.is_empty() {
                true => (own.to_articulated(), b),
                false => (own.added_to(&P.gamma[body.carriers.start]), b + z.carrier[body.carriers.start]),
            };
        }
        // z_R = … + P_R a_mR, of which nothing is left where the hinge turns about axes of the ground  [JR92 (64)]
        if body.parent.is_some() || body.axis == HingeAxis::Other {
            z.at_hand += P.at_hand.mul(bias.acceleration[k]);
        }

        let z_plus = by_axis!(body.axis,
            Axis if !P.prescribed[k] => {
                let h = body.hinge.start;
                // D_R = H P_R H*,  G_R = P_R H* D_R⁻¹                                   [JR92 (63)]
                let U = Axis::column(&P.at_hand);
                let D = Axis::power(U);
                let inverse = D.recip();
                let G = U * inverse;
                P.gain[h] = G;
                P.definite[k] = P.definite[k] & T::ZERO.less_than(D) & inverse.less_than(T::from_f64(f64::INFINITY));
                // ε_R = T_R - H z_R,  ν_R = D_R⁻¹ ε_R                                   [JR92 (64)]
                let epsilon = forces[body.beta().start] - Axis::power(z.at_hand);
                z.hinge[h] = epsilon * inverse;
                // P⁺ = P_R - G_R H P_R,  z⁺ = z_R + G_R ε_R                             [JR92 (63), (64)]
                if body.parent.is_none() {
                    all_definite = all_definite & P.definite[k];
                    continue;
                }
                let P_plus = Axis::released(&P.at_hand, G, U, &at.rotation[k]);
                arrive(body, &P_plus, at.offset[k], &mut P.gamma[body.carrier]);
                G.scale_add(epsilon, z.at_hand)
            },
            Ball if !P.prescribed[k] => {
                release_ball(body, k, at, P);
                across_ball(model, k, P, forces, z.at_hand, z)
            },
            _ => {
                release_hinge(model, k, at, P);
                across_hinge(model, k, at, P, forces, accelerations, z.at_hand, z)
            }
        );
        if body.parent.is_some() {
            residual_force::arrive(body, z_plus, &at.rotation[k], at.offset[k], &mut z.carrier[body.carrier]);
        }
        all_definite = all_definite & P.definite[k];
    }
    all_definite
}
