//! The Coriolis acceleration `a_mR` across a hinge and its orders in the deformation, in the form that holds.

use super::nodes::orders;
use supple::spatial::{Motion, Vector3};

type V = Vector3<f64>;

/// What moves between the frame of a parent and that of its child, in axes common to all. The deformations are those of two nodes: `t` of the parent, which
/// carries the hinge, and `d` of the child.
#[derive(Clone, Debug, PartialEq)]
pub struct Crossing {
    /// Angular velocity of the parent's frame.
    pub omega: V,
    /// From the parent's frame to node `t`, undeformed.
    pub l0: V,
    /// From node `t` to `O`.
    pub arm: V,
    /// From `O`, at node `d`, to the child's frame, undeformed.
    pub y0: V,
    /// Relative velocity of the hinge, whose axes are fixed in `O`.
    pub hinge: Motion<f64>,
    /// Translation of node `t`, and rates of its slope and translation.
    pub outboard: (V, Motion<f64>),
    /// The same of node `d`.
    pub inboard: (V, Motion<f64>),
}

impl Crossing {
    /// `a_mR` [US508 (89)].
    pub fn acceleration(&self) -> Motion<f64> {
        self.scaled(1.0)
    }

    fn scaled(&self, scale: f64) -> Motion<f64> {
        let (w, arm) = (self.omega, self.arm);
        let (l, y) = (self.l0 + self.outboard.0 * scale, self.y0 - self.inboard.0 * scale);
        let (t, d, across) = (self.outboard.1 * scale, self.inboard.1 * scale, self.hinge);
        let w_t = w + t.angular;
        let w_O = w_t + across.angular;
        let w_k = w_O - d.angular;
        let a = w.cross(t.angular) + w_O.cross(across.angular) - w_k.cross(d.angular);
        let carried = w.cross(w.cross(l) + t.linear * 2.0) + w.cross(t.angular).cross(arm) + w_t.cross(w_t.cross(arm));
        let moved = w_t.cross(across.linear) * 2.0 + across.angular.cross(across.linear);
        Motion::new(a, carried + moved + a.cross(y) + w_k.cross(w_k.cross(y)) - w_k.cross(d.linear) * 2.0)
    }

    /// `a⁰` to `a³`, by the order in the deformation and its rate [US508 (89), (90), (91)].
    pub fn orders(&self) -> [Motion<f64>; 4] {
        orders(|scale| self.scaled(scale).to_array().to_vec())
            .map(|order| Motion::from_array(std::array::from_fn(|i| order[i])))
    }
}
