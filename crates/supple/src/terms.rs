//! Which parts of the generalized bias force to include.

/// Parts of `𝓒` in `𝓜 χ̇ + 𝓒 = T`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// Coriolis, centrifugal and gyroscopic terms.
    pub velocity: bool,
    /// Elastic forces of the modes.
    pub elastic: bool,
    /// Damping of the modes.
    pub damping: bool,
    /// Gravity, with a minus sign.
    pub gravity: bool,
    /// External wrenches, with a minus sign.
    pub external: bool,
    /// Force elements of the model, with a minus sign.
    pub elements: bool,
}

impl Terms {
    /// Everything.
    pub const ALL: Self =
        Self { velocity: true, elastic: true, damping: true, gravity: true, external: true, elements: true };
    /// Nothing.
    pub const NONE: Self =
        Self { velocity: false, elastic: false, damping: false, gravity: false, external: false, elements: false };
}
