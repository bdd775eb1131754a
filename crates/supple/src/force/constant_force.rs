//! A constant force and moment on a node, in inertial axes.

use super::law::{ForceLaw, Rule};
use super::port::{Effect, Measured, PortKind};
use supple_spatial::{Force, Scalar, Vector3};

/// A force and a moment that keep their directions in inertial axes. The force stores `-F·x`; the moment has no potential and supplies power.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConstantForce {
    /// Force, N.
    pub force: [f64; 3],
    /// Moment, N m.
    pub moment: [f64; 3],
}

impl ForceLaw for ConstantForce {
    const NAME: &'static str = "constant force";
    const PORTS: &'static [PortKind] = &[PortKind::Node];

    fn parameters(&self) -> Vec<f64> {
        [self.force, self.moment].concat()
    }

    fn rules(&self) -> Vec<Rule> {
        let finite = |quantity, values: [f64; 3]| values.map(|x| Rule::finite(quantity, x));
        [finite("force", self.force), finite("moment", self.moment)].concat()
    }

    fn evaluate<T: Scalar>(p: &[T], at: &Measured<'_, T>, out: &mut Effect<'_, T>) {
        let (force, moment) = (Vector3([p[0], p[1], p[2]]), Vector3([p[3], p[4], p[5]]));
        out.apply(0, Force::new(moment, force));
        out.store(-force.dot(at.position(0)));
        out.supply(moment.dot(at.velocity(0).angular));
    }
}
