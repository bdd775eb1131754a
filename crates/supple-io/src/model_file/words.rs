//! Words of model files and what they stand for.

use supple::{ElasticRotation, Fidelity, InertiaConvention};
use supple_bodies::beam::Support;

/// Pairs of words and meanings, read in both directions.
type Words<T> = &'static [(&'static str, T)];

pub(crate) const ELASTIC_ROTATIONS: Words<ElasticRotation> = &[
    ("integrated", ElasticRotation::Integrated),
    ("rotation-vector", ElasticRotation::RotationVector),
    ("euler-321", ElasticRotation::Euler321),
    ("euler-123", ElasticRotation::Euler123),
    ("first-order", ElasticRotation::FirstOrder),
    ("none", ElasticRotation::None),
];
pub(crate) const CONVENTIONS: Words<InertiaConvention> =
    &[("lagrange", InertiaConvention::Lagrange), ("newton-euler", InertiaConvention::NewtonEuler)];
pub(crate) const FIDELITIES: Words<Fidelity> = &[
    ("stiffened", Fidelity::Stiffened),
    ("exact", Fidelity::Exact),
    ("consistent", Fidelity::Consistent),
    ("inconsistent", Fidelity::Inconsistent),
    ("inconsistent-constant-mass", Fidelity::InconsistentConstantMass),
    ("ruthless", Fidelity::Ruthless),
    ("ruthless-constant", Fidelity::RuthlessConstant),
];
pub(crate) const BASES: Words<Support> = &[("tip", Support::ClampedInterface), ("cantilever", Support::ClampedFree)];
pub(crate) const SUPPORTS: Words<Support> = &[
    ("clamped-free", Support::ClampedFree),
    ("clamped-loaded", Support::ClampedLoaded),
    ("clamped-pinned", Support::ClampedPinned),
    ("pinned-free", Support::PinnedFree),
    ("pinned-pinned", Support::PinnedPinned),
    ("free-free", Support::FreeFree),
];

/// The meaning of a word.
pub(crate) fn meaning<T: Copy>(words: Words<T>, word: Option<&str>) -> Option<T> {
    words.iter().find(|(known, _)| Some(*known) == word).map(|(_, meaning)| *meaning)
}

/// The word for a meaning.
pub(crate) fn word<T: PartialEq>(words: Words<T>, meaning: &T) -> &'static str {
    words.iter().find(|(_, known)| known == meaning).map_or("", |(word, _)| word)
}
