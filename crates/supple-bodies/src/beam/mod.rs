//! Beams along the x axis of their body.

pub mod bending;
mod interface;
pub mod modal_beam;
pub mod rod;
mod root;
mod shape;
pub mod strain;
pub mod varying;

pub use modal_beam::{Fitting, ModalBeam, ModeCounts};
use supple::{Modes, SHAPE_LIMIT, SecondOrderShape};

/// Modes of a beam that has more than a body may have: none but their number, so that building a model of it fails and says why.
fn too_many(count: usize, pairs: usize) -> Modes {
    // No longer list than it takes to be refused.
    let pairs = pairs.min(SHAPE_LIMIT * SHAPE_LIMIT);
    Modes { count, second_order: vec![SecondOrderShape::default(); pairs], ..Modes::default() }
}

/// Boundary conditions of the modes of a beam.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Support {
    /// Clamped at the root: cantilever modes.
    ClampedFree,
    /// Clamped at the root, with a mass and inertia at the tip.
    ClampedLoaded,
    /// Free at both ends.
    FreeFree,
    /// Pinned at the root.
    PinnedFree,
    /// Pinned at both ends.
    PinnedPinned,
    /// Clamped at the root, pinned at the tip.
    ClampedPinned,
    /// Clamped at the root, for whatever hangs on the tip: static shapes of unit motions of the tip, then modes with the tip clamped as
    /// well. Numbers of modes count the latter.
    ClampedInterface,
}

/// What holds one end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Clamped,
    Pinned,
    Free,
    Loaded,
}

impl Support {
    pub(crate) fn bending_ends(self) -> (End, End) {
        match self {
            Self::ClampedFree => (End::Clamped, End::Free),
            Self::ClampedLoaded => (End::Clamped, End::Loaded),
            Self::FreeFree => (End::Free, End::Free),
            Self::PinnedFree => (End::Pinned, End::Free),
            Self::PinnedPinned => (End::Pinned, End::Pinned),
            Self::ClampedPinned => (End::Clamped, End::Pinned),
            Self::ClampedInterface => (End::Clamped, End::Clamped),
        }
    }

    /// Whether the root neither moves nor rotates in the shapes.
    pub fn holds_the_root(self) -> bool {
        self.bending_ends().0 == End::Clamped
    }

    /// In stretch and twist a pin fixes the root and leaves the tip free.
    pub(crate) fn rod_ends(self) -> (End, End) {
        match self {
            Self::ClampedLoaded => (End::Clamped, End::Loaded),
            Self::FreeFree => (End::Free, End::Free),
            Self::ClampedInterface => (End::Clamped, End::Clamped),
            _ => (End::Clamped, End::Free),
        }
    }
}
