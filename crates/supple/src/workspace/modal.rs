//! Filled by `sweep::modal_mass` or `sweep::bias`; constant blocks when the workspace is made.

use crate::model::topology::{BodyTopology, Topology};
use supple_spatial::{ArticulatedInertia, Force, Motion, RigidInertia, Scalar, Symmetric3};

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
    /// Per mode and second-order shape: `D(r) = ∂J/∂η_r`.
    pub inertia_rate: Vec<Symmetric3<T>>,
    /// Per mode and second-order shape: column of `M_rf` of the deformed body, where the mass is constant and the bias is not, or before it is
    /// projected on the modes.
    pub deformed_coupling: Vec<Force<T>>,
    /// Packed: `M_ff` of bodies with second-order shapes.
    pub own_mass: Vec<T>,
    /// Per second-order shape and mode: row of `M̄ T`.
    pub slave_product: Vec<T>,
    /// `[η; a]` of one body.
    pub augmented: Vec<T>,
    /// Per mode: column of `Π_F`; zero for cantilever modes.
    pub inboard: Vec<Motion<T>>,
    /// Per mode of bodies whose hinge moves with modes: column of `M'_rf = [M_rf, M_rr] H_f*`; see [`hinge_coupling`](Self::hinge_coupling).
    pub free_coupling: Vec<Force<T>>,
    /// Packed: `M'_ff = H_f M_m H_f*`.
    pub mass: Vec<T>,
    /// Packed: `N - L⁻*Q Q*L⁻¹`, inverse mass of all but the tip modes.
    pub complement: Vec<T>,
    /// One column of `N` at a time.
    pub column: Vec<T>,
    /// One motion per mode of a body, for operators at any node.
    pub rows: Vec<Motion<T>>,
    /// Per carrier and mode: column of `ζ* = A* H_f*`, the motion of the carrier per mode.
    pub influence: Vec<Motion<T>>,
    /// Per mode: row of `N M'_fr`.
    pub inverse_coupling: Vec<Force<T>>,
    /// Per mode and tip mode: `L⁻* Q`.
    pub tip_shapes: Vec<T>,
    /// Per carrier and tip mode: `C`, motion of the carrier per tip mode.
    pub tip_motions: Vec<Motion<T>>,
    /// Per tip mode: `B = M'_rf L⁻* Q`.
    pub tip_coupling: Vec<Force<T>>,
    /// Per body: `M_rr - M'_rf N M'_fr + B B*`, inertia with all but the tip modes free.
    pub condensed_inertia: Vec<ArticulatedInertia<T>>,
}

impl<T> Modal<T> {
    /// Per mode of a body: column of `M'_rf`, which is that of `M_rf` where no mode moves the hinge.
    #[inline(always)]
    pub(crate) fn hinge_coupling(&self, body: &BodyTopology) -> &[Force<T>] {
        let columns = if body.free_free { &self.free_coupling } else { &self.coupling };
        &columns[body.modal.clone()]
    }
}

impl<T: Scalar> Modal<T> {
    pub(crate) fn new(top: &Topology) -> Self {
        let (bodies, sizes) = (top.bodies.len(), top.sizes);
        Self {
            inertia: vec![RigidInertia::ZERO; bodies],
            coupling: vec![Force::ZERO; sizes.modal],
            inertia_rate: vec![Symmetric3::ZERO; sizes.augmented],
            deformed_coupling: vec![Force::ZERO; sizes.augmented],
            own_mass: vec![T::ZERO; sizes.modal_triangle],
            slave_product: vec![T::ZERO; sizes.slave_gain],
            augmented: vec![T::ZERO; sizes.most_augmented],
            inboard: vec![Motion::ZERO; sizes.modal],
            free_coupling: vec![Force::ZERO; sizes.modal],
            mass: vec![T::ZERO; sizes.modal_triangle],
            complement: vec![T::ZERO; sizes.modal_triangle],
            column: vec![T::ZERO; sizes.most_modes],
            rows: vec![Motion::ZERO; sizes.most_modes],
            influence: vec![Motion::ZERO; sizes.carried_modes],
            inverse_coupling: vec![Force::ZERO; sizes.modal],
            tip_shapes: vec![T::ZERO; sizes.tip_shapes],
            tip_motions: vec![Motion::ZERO; sizes.carried_tip],
            tip_coupling: vec![Force::ZERO; sizes.tip],
            condensed_inertia: vec![ArticulatedInertia::ZERO; bodies],
        }
    }
}
