//! `P⁺` of one body by its definition, for those who want it apart from what arrives at the parent.

#![allow(non_snake_case)] // symbols as printed, see docs/notation.md

use super::inertia_at_hinge;
use crate::model::Model;
use crate::workspace::Configuration;
use supple_spatial::{ArticulatedInertia, Force, Scalar};

/// `P⁺ = P_R - G_R H P_R` at `O`, in the axes of the body, of `P_R` at `F_k`                      [JR92 (63)]
pub(crate) fn released<T: Scalar>(
    model: &Model<T>,
    k: usize,
    at: &Configuration<T>,
    P_R: ArticulatedInertia<T>,
    G: &[Force<T>],
) -> ArticulatedInertia<T> {
    let P_R = inertia_at_hinge(model, k, at, P_R);
    let columns = G.iter().zip(&at.hinge_map[model.topology.bodies[k].hinge.clone()]);
    columns.fold(P_R, |P_plus, (G, H)| P_plus.less_outer(*G, P_R.mul(*H)))
}
