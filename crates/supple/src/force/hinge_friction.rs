//! Coulomb friction in a hinge, smoothed.

use super::law::{ForceLaw, Rule};
use super::port::{Effect, Measured, PortKind};
use supple_spatial::Scalar;

/// Force `-f tanh(β / s)`; takes `f β tanh(β / s)`.
///
/// Friction is smoothed over the speed `s`, so that integrators meet no jump; below it the hinge creeps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HingeFriction {
    /// Greatest friction `f`, N m or N.
    pub force: f64,
    /// Speed `s` at which 76 % of it is reached, rad/s or m/s.
    pub speed: f64,
}

impl ForceLaw for HingeFriction {
    const NAME: &'static str = "hinge friction";
    const PORTS: &'static [PortKind] = &[PortKind::Speed];

    fn parameters(&self) -> Vec<f64> {
        vec![self.force, self.speed]
    }

    fn rules(&self) -> Vec<Rule> {
        vec![
            Rule::finite("friction", self.force),
            Rule::not_negative("friction", self.force),
            Rule::finite("smoothing speed of the friction", self.speed),
            Rule::positive("smoothing speed of the friction", self.speed),
        ]
    }

    fn evaluate<T: Scalar>(p: &[T], at: &Measured<'_, T>, out: &mut Effect<'_, T>) {
        let beta = at.speed(0);
        let friction = p[0] * (beta / p[1]).tanh();
        out.push(0, -friction);
        out.dissipate(friction * beta);
    }
}
