//! Elastic stops of a hinge.

use super::law::{ForceLaw, Rule};
use super::port::{Effect, Measured, PortKind};
use supple_spatial::Scalar;

/// Force `∓k d (1 + e ḋ)`, never pulling, at the depth `d > 0` in one of two stops; stores `½ k d²`, takes `k d e ḋ²`.
///
/// The damping grows with the depth, so that contact begins without a jump.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HingeStops {
    /// Coordinate of the lower stop, rad or m; minus infinity without one.
    pub lower: f64,
    /// Coordinate of the upper stop; infinity without one.
    pub upper: f64,
    /// Stiffness `k`, N m/rad or N/m.
    pub stiffness: f64,
    /// Damping `e` of the contact, s/rad or s/m.
    pub damping: f64,
}

impl ForceLaw for HingeStops {
    const NAME: &'static str = "hinge stops";
    const PORTS: &'static [PortKind] = &[PortKind::Coordinate];

    fn parameters(&self) -> Vec<f64> {
        vec![self.lower, self.upper, self.stiffness, self.damping]
    }

    fn rules(&self) -> Vec<Rule> {
        vec![
            Rule::finite("stiffness of the stops", self.stiffness),
            Rule::not_negative("stiffness of the stops", self.stiffness),
            Rule::finite("damping of the stops", self.damping),
            Rule::not_negative("damping of the stops", self.damping),
            Rule {
                quantity: "lower stop",
                value: self.lower,
                holds: self.lower <= self.upper,
                rule: "not be above the upper stop",
                remedy: "swap the stops",
            },
        ]
    }

    fn kinks(&self) -> Vec<f64> {
        vec![self.lower, self.upper]
    }

    fn evaluate<T: Scalar>(p: &[T], at: &Measured<'_, T>, out: &mut Effect<'_, T>) {
        let (theta, beta) = (at.coordinate(0), at.speed(0));
        // Depth and its rate, and the direction that leads out.
        for (depth, rate, leads_out) in [(p[0] - theta, -beta, T::ONE), (theta - p[1], beta, -T::ONE)] {
            let touches = T::ZERO.less_than(depth);
            let depth = T::select(touches, depth, T::ZERO);
            let elastic = p[2] * depth;
            let force = elastic * (T::ONE + p[3] * rate);
            let push = T::select(T::ZERO.less_than(force), force, T::ZERO);
            out.push(0, leads_out * push);
            out.store(T::from_f64(0.5) * elastic * depth);
            out.dissipate((push - elastic) * rate);
        }
    }
}
