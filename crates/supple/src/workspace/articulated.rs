//! Filled by `sweep::articulated_inertia` and `sweep::residual_force`.

use crate::model::body::Elimination;
use crate::model::topology::Topology;
use supple_spatial::{ArticulatedInertia, Force, Matrix6, Motion, Scalar};

/// Articulated inertias and what is kept of the eliminations.
#[derive(Clone, Debug)]
pub(crate) struct Articulated<T: Scalar> {
    /// Per body: how its modes are eliminated.
    pub elimination: Vec<Elimination>,
    /// Per body: whether its hinge is prescribed, so that it is not eliminated.
    pub prescribed: Vec<bool>,
    /// Per carrier: `Γ`, inertia that arrives at the node.
    pub gamma: Vec<ArticulatedInertia<T>>,
    /// Per body: `P_R`, articulated inertia at `F_k` with the modes free.
    pub inertia: Vec<ArticulatedInertia<T>>,
    /// Per hinge speed: `P_R H*` at `O`.
    pub hinge_force: Vec<Force<T>>,
    /// Per hinge speed: column of the gain `G = P_R H* D⁻¹` at `O`.
    pub gain: Vec<Force<T>>,
    /// Packed: Cholesky factor of `D = H P_R H*`.
    pub hinge_factor: Vec<T>,
    /// Packed: factor of `D_f` (explicit) or of `I + C* Γ C` (condensed, indirect; size `rank`).
    pub modal_factor: Vec<T>,
    /// Packed: `D_f⁻¹` (indirect).
    pub modal_inverse: Vec<T>,
    /// Per mode: row of `X = L⁻¹ μ*` (explicit) or of `g*` (indirect).
    pub modal_gain: Vec<Force<T>>,
    /// Per mode: column of `μ` (indirect).
    pub modal_column: Vec<Force<T>>,
    /// Per carrier and mode: `Γ C`, then row of `L⁻¹ C* Γ` (condensed); `Γ ζ*` (explicit).
    pub tip_rows: Vec<Force<T>>,
    /// Per carrier: `S = Γ (I + Θ Γ)⁻¹`, where it is the body's only carrier.
    pub series: Vec<ArticulatedInertia<T>>,
    /// Per carrier: `E = φ(k,t) - Z`.
    pub flexible_shift: Vec<Matrix6<T>>,
    /// Per body: whether every pivot so far was positive.
    pub definite: Vec<T::Mask>,
}

/// Residual forces of the inward sweep.
#[derive(Clone, Debug)]
pub(crate) struct Residual<T> {
    /// Per carrier: `z⁺`, force that arrives at the node.
    pub carrier: Vec<Force<T>>,
    /// Per body: `z` at `F_k`, after its modes.
    pub body: Vec<Force<T>>,
    /// Per hinge speed: `ε`, then `ν = D⁻¹ ε`.
    pub hinge: Vec<T>,
    /// Per mode: `L⁻¹ ε_f` (explicit), `D_f⁻¹ ε_f` (indirect) or `e = N ε_f` (condensed).
    pub modal: Vec<T>,
    /// Per carrier: `y - Θ z⁺`, acceleration of the node before the body moves (condensed).
    pub tip: Vec<Motion<T>>,
}

impl<T: Scalar> Articulated<T> {
    pub(crate) fn new(top: &Topology) -> Self {
        let (bodies, carriers, sizes) = (top.bodies.len(), top.carriers.len(), top.sizes);
        Self {
            elimination: vec![Elimination::Rigid; bodies],
            prescribed: vec![false; bodies],
            gamma: vec![ArticulatedInertia::ZERO; carriers],
            inertia: vec![ArticulatedInertia::ZERO; bodies],
            hinge_force: vec![Force::ZERO; sizes.hinge],
            gain: vec![Force::ZERO; sizes.hinge],
            hinge_factor: vec![T::ZERO; sizes.hinge_triangle],
            modal_factor: vec![T::ZERO; sizes.modal_triangle],
            modal_inverse: vec![T::ZERO; sizes.modal_triangle],
            modal_gain: vec![Force::ZERO; sizes.modal],
            modal_column: vec![Force::ZERO; sizes.modal],
            tip_rows: vec![Force::ZERO; sizes.carried_modes],
            series: vec![ArticulatedInertia::ZERO; carriers],
            flexible_shift: vec![Matrix6::ZERO; carriers],
            definite: vec![<T::Mask as supple_spatial::Mask>::splat(true); bodies],
        }
    }
}

impl<T: Scalar> Residual<T> {
    pub(crate) fn new(top: &Topology) -> Self {
        let sizes = top.sizes;
        Self {
            carrier: vec![Force::ZERO; top.carriers.len()],
            body: vec![Force::ZERO; top.bodies.len()],
            hinge: vec![T::ZERO; sizes.hinge],
            modal: vec![T::ZERO; sizes.modal],
            tip: vec![Motion::ZERO; top.carriers.len()],
        }
    }
}
