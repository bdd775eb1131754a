//! A spring and damper between two hinges: a belt, a cable, a differential.

use super::law::{ForceLaw, Rule};
use super::port::{Effect, Measured, PortKind};
use supple_spatial::Scalar;

/// A spring and a damper on `δ = θ_a - i θ_b - δ₀`: forces `-(k δ + c δ̇)` on the first hinge and `i (k δ + c δ̇)` on the second; stores
/// `½ k δ²`, takes `c δ̇²`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HingeCoupling {
    /// Ratio `i`.
    pub ratio: f64,
    /// Offset `δ₀`, in units of the first coordinate.
    pub offset: f64,
    /// Stiffness `k`, N m/rad or N/m.
    pub stiffness: f64,
    /// Damping `c`, N m s/rad or N s/m.
    pub damping: f64,
}

impl ForceLaw for HingeCoupling {
    const NAME: &'static str = "coupling";
    const PORTS: &'static [PortKind] = &[PortKind::Coordinate, PortKind::Coordinate];

    fn parameters(&self) -> Vec<f64> {
        vec![self.ratio, self.offset, self.stiffness, self.damping]
    }

    fn rules(&self) -> Vec<Rule> {
        vec![
            Rule::finite("ratio", self.ratio),
            Rule::finite("offset", self.offset),
            Rule::finite("stiffness", self.stiffness),
            Rule::not_negative("stiffness", self.stiffness),
            Rule::finite("damping", self.damping),
            Rule::not_negative("damping", self.damping),
        ]
    }

    fn evaluate<T: Scalar>(p: &[T], at: &Measured<'_, T>, out: &mut Effect<'_, T>) {
        let (ratio, k, c) = (p[0], p[2], p[3]);
        let delta = at.coordinate(0) - ratio * at.coordinate(1) - p[1];
        let rate = at.speed(0) - ratio * at.speed(1);
        let force = k * delta + c * rate;
        out.push(0, -force);
        out.push(1, ratio * force);
        out.store(T::from_f64(0.5) * k * (delta * delta));
        out.dissipate(c * rate * rate);
    }
}
