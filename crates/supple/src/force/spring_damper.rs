//! A spring and damper along the line between two nodes.

use super::law::{ForceLaw, Rule};
use super::port::{Effect, Measured, PortKind};
use supple_spatial::{Force, Scalar, Vector3};

/// A tension `P + k (L - L₀) + c L̇` along the line of length `L` between two nodes, or a node and a point of the ground; stores
/// `P (L - L₀) + ½ k (L - L₀)²`, takes `c L̇²`. Where the ends coincide there is no line, and no force.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpringDamper {
    /// Free length `L₀`, m.
    pub length: f64,
    /// Stiffness `k`, N/m.
    pub stiffness: f64,
    /// Damping `c`, N s/m.
    pub damping: f64,
    /// Tension `P` at the free length, N.
    pub preload: f64,
}

impl ForceLaw for SpringDamper {
    const NAME: &'static str = "spring-damper";
    const PORTS: &'static [PortKind] = &[PortKind::Node, PortKind::Node];

    fn parameters(&self) -> Vec<f64> {
        vec![self.length, self.stiffness, self.damping, self.preload]
    }

    fn rules(&self) -> Vec<Rule> {
        vec![
            Rule::finite("free length", self.length),
            Rule::not_negative("free length", self.length),
            Rule::finite("stiffness", self.stiffness),
            Rule::not_negative("stiffness", self.stiffness),
            Rule::finite("damping", self.damping),
            Rule::not_negative("damping", self.damping),
            Rule::finite("preload", self.preload),
        ]
    }

    fn evaluate<T: Scalar>(p: &[T], at: &Measured<'_, T>, out: &mut Effect<'_, T>) {
        let (k, c, preload) = (p[1], p[2], p[3]);
        let r = at.position(1) - at.position(0);
        let square = r.norm_squared();
        let apart = T::ZERO.less_than(square);
        let length = T::select(apart, square, T::ONE).sqrt();
        let n = r * T::select(apart, length.recip(), T::ZERO);
        let rate = n.dot(at.velocity(1).linear - at.velocity(0).linear);
        let stretch = T::select(apart, length, T::ZERO) - p[0];
        let tension = preload + k * stretch + c * rate;
        out.apply(0, Force::new(Vector3::ZERO, n * tension));
        out.apply(1, Force::new(Vector3::ZERO, -(n * tension)));
        out.store(preload * stretch + T::from_f64(0.5) * k * (stretch * stretch));
        out.dissipate(c * rate * rate);
    }
}
