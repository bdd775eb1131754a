//! Shapes of a beam: a function along it, and the way in which it moves the sections.

use super::bending::BendingMode;
use super::rod::RodMode;

/// What a shape does to the sections of a beam.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Family {
    /// Bending in the x-y plane.
    BendingY,
    /// Bending in the x-z plane.
    BendingZ,
    /// Stretch.
    Stretch,
    /// Twist.
    Twist,
}

/// A function that a profile is made of.
#[derive(Clone, Copy, Debug)]
pub(super) enum Term {
    /// An exact bending mode.
    Bending(BendingMode),
    /// An exact mode of stretch or twist.
    Rod(RodMode),
    /// `c₀ + c₁ x + c₂ x² + c₃ x³`.
    Polynomial([f64; 4]),
}

impl Term {
    fn derivative(&self, order: i32, x: f64) -> f64 {
        match self {
            Self::Bending(mode) => mode.derivative(order, x),
            Self::Rod(mode) => mode.derivative(order, x),
            Self::Polynomial([a, b, c, d]) => match order {
                0 => a + x * (b + x * (c + x * d)),
                1 => b + x * (2.0 * c + 3.0 * x * d),
                2 => 2.0 * c + 6.0 * x * d,
                _ => 6.0 * d,
            },
        }
    }
}

/// A sum of functions along a beam, each with its factor.
#[derive(Clone, Debug)]
pub(super) struct Profile(pub Vec<(f64, Term)>);

impl Profile {
    /// Derivative of order `order` at `x`; up to the first for modes of stretch and twist.
    pub fn derivative(&self, order: i32, x: f64) -> f64 {
        self.0.iter().map(|(factor, term)| term.derivative(order, x) * factor).sum()
    }

    /// The same function times `factor`.
    pub fn times(mut self, factor: f64) -> Self {
        self.0.iter_mut().for_each(|(own, _)| *own *= factor);
        self
    }
}

/// A shape of a beam.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    /// How the sections move.
    pub family: Family,
    /// How far.
    pub profile: Profile,
}

impl Shape {
    /// Column `[λ; γ]` at `x`.
    pub fn influence(&self, x: f64) -> [f64; 6] {
        let d = |order: i32| self.profile.derivative(order, x);
        match self.family {
            Family::BendingY => [0.0, 0.0, d(1), 0.0, d(0), 0.0],
            Family::BendingZ => [0.0, -d(1), 0.0, 0.0, 0.0, d(0)],
            Family::Stretch => [0.0, 0.0, 0.0, d(0), 0.0, 0.0],
            Family::Twist => [d(0), 0.0, 0.0, 0.0, 0.0, 0.0],
        }
    }

    /// Axial strain `u'` at `x`.
    pub fn stretch(&self, x: f64) -> f64 {
        if self.family == Family::Stretch { self.profile.derivative(1, x) } else { 0.0 }
    }

    /// Slopes `v'`, `w'` at `x`.
    pub fn slope(&self, x: f64) -> [f64; 2] {
        match self.family {
            Family::BendingY => [self.profile.derivative(1, x), 0.0],
            Family::BendingZ => [0.0, self.profile.derivative(1, x)],
            _ => [0.0; 2],
        }
    }

    /// Curvatures, stretch and twist that store energy with `EI_z`, `EI_y`, `EA`, `GJ`.
    pub fn strains(&self, x: f64) -> [f64; 4] {
        let d = |order: i32| self.profile.derivative(order, x);
        match self.family {
            Family::BendingY => [d(2), 0.0, 0.0, 0.0],
            Family::BendingZ => [0.0, d(2), 0.0, 0.0],
            Family::Stretch => [0.0, 0.0, d(1), 0.0],
            Family::Twist => [0.0, 0.0, 0.0, d(1)],
        }
    }

    /// Strain at `x` as a node tells it: `u'`, `θ_y'`, `θ_z'`, `θ_x'`.
    pub fn node_strain(&self, x: f64) -> [f64; 4] {
        let [v, w, stretch, twist] = self.strains(x);
        [stretch, -w, v, twist]
    }

    /// The shape or its negative: a positive tip, so that coordinates read like deflections, and alike in both planes.
    pub fn with_positive_tip(self, length: f64) -> Self {
        let slope = if matches!(self.family, Family::BendingY | Family::BendingZ) { 1 } else { 0 };
        let tip: f64 = (0..=slope).map(|order| self.profile.derivative(order, length)).sum();
        if tip < 0.0 { Self { profile: self.profile.times(-1.0), ..self } } else { self }
    }
}
