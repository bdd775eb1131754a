//! Filled by `sweep::modal_mass`; constant blocks when the workspace is made.

use crate::model::topology::Topology;
use supple_spatial::{ArticulatedInertia, Force, Matrix6, Motion, RigidInertia, Scalar, Symmetric3};

/// Modal mass of every body, as its hinge sees it.
///
/// For free-free modes the hinge does not sit still under the modes: with `Π_F` the motion of the hinge
/// seen from `F_k`, `H_f = [I, -Π_F*]` turns the modal mass into that of equivalent cantilever modes.
#[derive(Clone, Debug)]
pub(crate) struct Modal<T> {
    /// Per body: `M_rr`.
    pub inertia: Vec<RigidInertia<T>>,
    /// Per mode: column of `M_rf`.
    pub coupling: Vec<Force<T>>,
    /// Per mode: `D(r) = ∂J/∂η_r`.
    pub inertia_rate: Vec<Symmetric3<T>>,
    /// Per mode: column of `Π_F`; zero for cantilever modes.
    pub inboard: Vec<Motion<T>>,
    /// Per mode: column of `M'_rf = [M_rf, M_rr] H_f*`.
    pub hinge_coupling: Vec<Force<T>>,
    /// Packed: `M'_ff = H_f M_m H_f*`.
    pub mass: Vec<T>,
    /// Packed: Cholesky factor of `M'_ff` of free-free modes.
    pub mass_factor: Vec<T>,
    /// Packed: `N = M'_ff⁻¹`, for the indirect elimination.
    pub mass_inverse: Vec<T>,
    /// One column of `N` at a time.
    pub column: Vec<T>,
    /// One motion per mode of a body, for operators at any node.
    pub rows: Vec<Motion<T>>,
    /// Per carrier and mode: column of `ζ* = A* H_f*`, the motion of the carrier per mode.
    pub influence: Vec<Motion<T>>,
    /// Per carrier and mode: row of `Y = N ζ`.
    pub inverse_influence: Vec<Motion<T>>,
    /// Per mode: row of `N M'_fr`.
    pub inverse_coupling: Vec<Force<T>>,
    /// Per carrier and mode, the first `rank` of each carrier: column of `C`, `Θ = C C*`.
    pub compliance_factor: Vec<Motion<T>>,
    /// Per carrier: `Θ = ζ* N ζ`, only where it is the body's only carrier.
    pub compliance: Vec<ArticulatedInertia<T>>,
    /// Per carrier: `Z = M'_rf Y`.
    pub tip_coupling: Vec<Matrix6<T>>,
    /// Per body: `M_rr - W`, `W = M'_rf N M'_fr`.
    pub condensed_inertia: Vec<ArticulatedInertia<T>>,
}

impl<T: Scalar> Modal<T> {
    pub(crate) fn new(top: &Topology) -> Self {
        let (bodies, carriers, sizes) = (top.bodies.len(), top.carriers.len(), top.sizes);
        Self {
            inertia: vec![RigidInertia::ZERO; bodies],
            coupling: vec![Force::ZERO; sizes.modal],
            inertia_rate: vec![Symmetric3::ZERO; sizes.modal],
            inboard: vec![Motion::ZERO; sizes.modal],
            hinge_coupling: vec![Force::ZERO; sizes.modal],
            mass: vec![T::ZERO; sizes.modal_triangle],
            mass_factor: vec![T::ZERO; sizes.modal_triangle],
            mass_inverse: vec![T::ZERO; sizes.modal_triangle],
            column: vec![T::ZERO; sizes.most_modes],
            rows: vec![Motion::ZERO; sizes.most_modes],
            influence: vec![Motion::ZERO; sizes.carried_modes],
            inverse_influence: vec![Motion::ZERO; sizes.carried_modes],
            inverse_coupling: vec![Force::ZERO; sizes.modal],
            compliance_factor: vec![Motion::ZERO; sizes.carried_modes],
            compliance: vec![ArticulatedInertia::ZERO; carriers],
            tip_coupling: vec![Matrix6::ZERO; carriers],
            condensed_inertia: vec![ArticulatedInertia::ZERO; bodies],
        }
    }
}
