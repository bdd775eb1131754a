//! Viscous damping in a hinge.

use super::law::{ForceLaw, Rule};
use super::port::{Effect, Measured, PortKind};
use supple_spatial::Scalar;

/// Force `-c β`; takes `c β²`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HingeDamping {
    /// Damping `c`, N m s/rad or N s/m.
    pub damping: f64,
}

impl ForceLaw for HingeDamping {
    const NAME: &'static str = "hinge damping";
    const PORTS: &'static [PortKind] = &[PortKind::Speed];

    fn parameters(&self) -> Vec<f64> {
        vec![self.damping]
    }

    fn rules(&self) -> Vec<Rule> {
        vec![Rule::finite("damping", self.damping), Rule::not_negative("damping", self.damping)]
    }

    fn evaluate<T: Scalar>(p: &[T], at: &Measured<'_, T>, out: &mut Effect<'_, T>) {
        let (c, beta) = (p[0], at.speed(0));
        out.push(0, -(c * beta));
        out.dissipate(c * beta * beta);
    }
}
