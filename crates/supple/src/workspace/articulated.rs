//! Filled by `sweep::articulation`.

use crate::method::Method;
use crate::model::Model;
use crate::model::body::Elimination;
use crate::model::topology::Topology;
use supple_spatial::{ArticulatedInertia, Force, Scalar};

/// How the hinge of a body takes part in the inward sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HingeRole {
    /// Eliminated, with the inertia of the bodies alone.
    Free,
    /// Eliminated, with `hinge_inertia` in `D`.
    Driven,
    /// Its acceleration is given: not eliminated.
    Prescribed,
}

/// Articulated inertias and what is kept of the eliminations.
#[derive(Clone, Debug)]
pub(crate) struct Articulated<T: Scalar> {
    /// By which method `elimination` was chosen, where no hinge is prescribed.
    pub chosen: Option<Method>,
    /// Per body: how its modes, if any, are eliminated.
    pub elimination: Vec<Elimination>,
    /// Per body: how its hinge is eliminated, if at all.
    pub role: Vec<HingeRole>,
    /// Whether `modal_shift` is to be added to the modal mass.
    pub shifted: bool,
    /// Packed: what is added to `M'_ff` of every body, by `implicit::ShiftedMass`; empty elsewhere.
    pub modal_shift: Vec<T>,
    /// Per carrier: `Γ`, inertia that arrives at the node.
    pub gamma: Vec<ArticulatedInertia<T>>,
    /// Per body: whether `hinge_inertia` adds to `D` of its hinge, where that is eliminated.
    pub driven: Vec<bool>,
    /// Per hinge speed: inertia that resists this speed alone, such as that of a rotor behind a gear.
    pub hinge_inertia: Vec<T>,
    /// `P_R`, articulated inertia at `F_k` with the modes free, of the body that the sweep is at: one place stays near the processor.
    pub current: ArticulatedInertia<T>,
    /// Per body: the same, where its hinge is prescribed.
    pub inertia: Vec<ArticulatedInertia<T>>,
    /// Per hinge speed: `P_R H*` at `O`, of hinges that are prescribed or have neither one axis nor a ball.
    pub hinge_force: Vec<Force<T>>,
    /// Per hinge speed: column of the gain `G = P_R H* D⁻¹` at `O`.
    pub gain: Vec<Force<T>>,
    /// Packed: factor `L D L*` of `D = H P_R H*`.
    pub hinge_factor: Vec<T>,
    /// Packed: factor of `D_f` (explicit).
    pub modal_factor: Vec<T>,
    /// Packed: `D_f⁻¹` (indirect).
    pub modal_inverse: Vec<T>,
    /// Per mode: row of `G = D⁻¹ L⁻¹ μ*` (explicit) or of `g*` (indirect).
    pub modal_gain: Vec<Force<T>>,
    /// Packed: factor of `I + Σ C* Γ C` (condensed, indirect).
    pub tip_factor: Vec<T>,
    /// Per tip mode: row of `G = D⁻¹ L⁻¹ (B + Σ φ Γ C)*` (condensed, indirect).
    pub tip_gain: Vec<Force<T>>,
    /// Per mode and tip mode: rows of `L⁻* Q`, solved with the factor of `I + Σ C* Γ C` (indirect).
    pub tip_rows: Vec<T>,
    /// One force per tip mode of a body (indirect).
    pub tip_column: Vec<Force<T>>,
    /// Per body: whether every pivot so far was positive.
    pub definite: Vec<T::Mask>,
}

/// Residual forces of the inward sweep.
#[derive(Clone, Debug)]
pub(crate) struct Residual<T> {
    /// Per carrier: `z⁺`, force that arrives at the node.
    pub carrier: Vec<Force<T>>,
    /// `z` at `F_k`, after its modes, of the body that the sweep is at.
    pub current: Force<T>,
    /// Per body: `z` at `F_k`, after its modes, where its hinge is prescribed.
    pub body: Vec<Force<T>>,
    /// Per hinge speed: `ε`, then `ν = D⁻¹ ε`.
    pub hinge: Vec<T>,
    /// Per mode: `L⁻¹ ε_f` (explicit), or `N (T_f - b_f)` (condensed), or `T_f - b_f` (indirect).
    pub modal: Vec<T>,
    /// Per tip mode: `Q* L⁻¹ (T_f - b_f)` (condensed).
    pub tip_load: Vec<T>,
    /// Per tip mode: `D⁻¹ L⁻¹ ε_a` (condensed) or `(I + Σ C*ΓC)⁻¹ Σ C* z⁺` (indirect).
    pub tip: Vec<T>,
    /// Per tip mode: `ä`, written by the outward sweep (condensed).
    pub tip_acceleration: Vec<T>,
}

impl HingeRole {
    pub(crate) fn of(prescribed: bool, driven: bool) -> Self {
        match (prescribed, driven) {
            (true, _) => Self::Prescribed,
            (false, true) => Self::Driven,
            (false, false) => Self::Free,
        }
    }
}

impl<T: Scalar> Articulated<T> {
    /// Whether the hinge of body `k` is eliminated, without an inertia of its own.
    #[inline(always)]
    pub(crate) fn is_free(&self, k: usize) -> bool {
        self.role[k] == HingeRole::Free
    }

    /// Whether the hinge of body `k` is prescribed.
    #[inline(always)]
    pub(crate) fn is_prescribed(&self, k: usize) -> bool {
        self.role[k] == HingeRole::Prescribed
    }

    /// Whether the hinge of body `k` is eliminated with an inertia of its own.
    #[inline(always)]
    pub(crate) fn is_driven(&self, k: usize) -> bool {
        self.role[k] == HingeRole::Driven
    }

    pub(crate) fn new(model: &Model<T>) -> Self {
        let top = &*model.topology;
        let (bodies, carriers, sizes) = (top.bodies.len(), top.carriers.len(), top.sizes);
        let mut hinge_inertia = vec![T::ZERO; sizes.hinge];
        for (body, data) in top.bodies.iter().zip(model.bodies.iter()) {
            hinge_inertia[body.hinge.clone()][..data.rotor.len()].copy_from_slice(&data.rotor);
        }
        let driven: Vec<bool> = model.bodies.iter().map(|data| !data.rotor.is_empty()).collect();
        Self {
            chosen: None,
            elimination: vec![Elimination::Explicit; bodies],
            role: driven.iter().map(|driven| HingeRole::of(false, *driven)).collect(),
            shifted: false,
            modal_shift: Vec::new(),
            gamma: vec![ArticulatedInertia::ZERO; carriers],
            driven,
            hinge_inertia,
            current: ArticulatedInertia::ZERO,
            inertia: vec![ArticulatedInertia::ZERO; bodies],
            hinge_force: vec![Force::ZERO; sizes.hinge],
            gain: vec![Force::ZERO; sizes.hinge],
            hinge_factor: vec![T::ZERO; sizes.hinge_triangle],
            modal_factor: vec![T::ZERO; sizes.modal_triangle],
            modal_inverse: vec![T::ZERO; sizes.modal_triangle],
            modal_gain: vec![Force::ZERO; sizes.modal],
            tip_factor: vec![T::ZERO; sizes.tip_triangle],
            tip_gain: vec![Force::ZERO; sizes.tip],
            tip_rows: vec![T::ZERO; sizes.tip_shapes],
            tip_column: vec![Force::ZERO; top.bodies.iter().map(|b| b.rank).max().unwrap_or(0)],
            definite: vec![<T::Mask as supple_spatial::Mask>::splat(true); bodies],
        }
    }
}

impl<T: Scalar> Residual<T> {
    /// No memory.
    pub(crate) const EMPTY: Self = Self {
        carrier: Vec::new(),
        current: Force::ZERO,
        body: Vec::new(),
        hinge: Vec::new(),
        modal: Vec::new(),
        tip_load: Vec::new(),
        tip: Vec::new(),
        tip_acceleration: Vec::new(),
    };

    pub(crate) fn new(top: &Topology) -> Self {
        let sizes = top.sizes;
        Self {
            carrier: vec![Force::ZERO; top.carriers.len()],
            current: Force::ZERO,
            body: vec![Force::ZERO; top.bodies.len()],
            hinge: vec![T::ZERO; sizes.hinge],
            modal: vec![T::ZERO; sizes.modal],
            tip_load: vec![T::ZERO; sizes.tip],
            tip: vec![T::ZERO; sizes.tip],
            tip_acceleration: vec![T::ZERO; sizes.tip],
        }
    }
}
