//! A linear spring in a hinge.

use super::law::{ForceLaw, Rule};
use super::port::{Effect, Measured, PortKind};
use supple_spatial::Scalar;

/// Force `-k (θ - θ₀)`; stores `½ k (θ - θ₀)²`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HingeSpring {
    /// Stiffness `k`, N m/rad or N/m.
    pub stiffness: f64,
    /// Coordinate `θ₀` at which it is relaxed, rad or m.
    pub rest: f64,
}

impl ForceLaw for HingeSpring {
    const NAME: &'static str = "hinge spring";
    const PORTS: &'static [PortKind] = &[PortKind::Coordinate];

    fn parameters(&self) -> Vec<f64> {
        vec![self.stiffness, self.rest]
    }

    fn rules(&self) -> Vec<Rule> {
        vec![
            Rule::finite("spring stiffness", self.stiffness),
            Rule::not_negative("spring stiffness", self.stiffness),
            Rule::finite("rest position of the spring", self.rest),
        ]
    }

    fn evaluate<T: Scalar>(p: &[T], at: &Measured<'_, T>, out: &mut Effect<'_, T>) {
        let (k, turn) = (p[0], at.coordinate(0) - p[1]);
        out.push(0, -(k * turn));
        out.store(T::from_f64(0.5) * k * (turn * turn));
    }
}
