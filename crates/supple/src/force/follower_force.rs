//! A constant force and moment in the axes of a node: a thruster.

use super::law::{ForceLaw, Rule};
use super::port::{Effect, Measured, PortKind};
use supple_spatial::{Force, Scalar, Vector3};

/// A force and a moment that turn with the node; both supply power.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FollowerForce {
    /// Force, N.
    pub force: [f64; 3],
    /// Moment, N m.
    pub moment: [f64; 3],
}

impl ForceLaw for FollowerForce {
    const NAME: &'static str = "follower force";
    const PORTS: &'static [PortKind] = &[PortKind::Node];

    fn parameters(&self) -> Vec<f64> {
        [self.force, self.moment].concat()
    }

    fn rules(&self) -> Vec<Rule> {
        let finite = |quantity, values: [f64; 3]| values.map(|x| Rule::finite(quantity, x));
        [finite("force", self.force), finite("moment", self.moment)].concat()
    }

    fn evaluate<T: Scalar>(p: &[T], at: &Measured<'_, T>, out: &mut Effect<'_, T>) {
        let wrench = Force::new(Vector3([p[3], p[4], p[5]]), Vector3([p[0], p[1], p[2]])).rotate(&at.attitude(0));
        out.apply(0, wrench);
        out.supply(at.velocity(0).dot(wrench));
    }
}
