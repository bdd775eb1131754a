//! A linear bushing between two nodes.

use super::law::{ForceLaw, Rule};
use super::port::{Effect, Measured, PortKind};
use supple_spatial::rotation::rotation_vector;
use supple_spatial::{Force, Matrix3, Quaternion, Scalar, Vector3};

/// Springs and dampers along and about the axes of the first node, on the displacement `d = R₁* (x₂ - x₁)` and the rotation vector `θ` of
/// `R₁* R₂`, `|θ| < π`: stores `½ d·K d + ½ θ·Kθ θ`, takes `ḋ·C ḋ + θ̇·Cθ θ̇`. Its forces are the derivatives of these for rotations of any
/// size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bushing {
    /// Stiffness along the axes, N/m.
    pub stiffness: [f64; 3],
    /// Stiffness about the axes, N m/rad.
    pub angular_stiffness: [f64; 3],
    /// Damping along the axes, N s/m.
    pub damping: [f64; 3],
    /// Damping about the axes, N m s/rad.
    pub angular_damping: [f64; 3],
}

impl ForceLaw for Bushing {
    const NAME: &'static str = "bushing";
    const PORTS: &'static [PortKind] = &[PortKind::Node, PortKind::Node];

    fn parameters(&self) -> Vec<f64> {
        [self.stiffness, self.angular_stiffness, self.damping, self.angular_damping].concat()
    }

    fn rules(&self) -> Vec<Rule> {
        let groups = [
            ("stiffness", self.stiffness),
            ("angular stiffness", self.angular_stiffness),
            ("damping", self.damping),
            ("angular damping", self.angular_damping),
        ];
        let rules = |(quantity, values): (&'static str, [f64; 3])| {
            values.into_iter().flat_map(move |x| [Rule::finite(quantity, x), Rule::not_negative(quantity, x)])
        };
        groups.into_iter().flat_map(rules).collect()
    }

    fn evaluate<T: Scalar>(p: &[T], at: &Measured<'_, T>, out: &mut Effect<'_, T>) {
        let diagonal = |i: usize, v: Vector3<T>| Vector3([p[i] * v[0], p[i + 1] * v[1], p[i + 2] * v[2]]);
        let (axes, v1, v2) = (at.attitude(0), at.velocity(0), at.velocity(1));
        let r = at.position(1) - at.position(0);
        let d = axes.transpose_mul(r);
        let d_dot = axes.transpose_mul(v2.linear - v1.linear - v1.angular.cross(r));
        let theta = Quaternion::from_matrix(&(axes.transpose() * at.attitude(1))).logarithm();
        // θ̇ = E⁻¹ ω in the axes of the first node
        let inverse = inverse(&rotation_vector(theta).rate);
        let theta_dot = inverse * axes.transpose_mul(v2.angular - v1.angular);
        let (elastic, viscous) = (diagonal(0, d), diagonal(6, d_dot));
        let (elastic_turn, viscous_turn) = (diagonal(3, theta), diagonal(9, theta_dot));
        let force = axes * (elastic + viscous);
        let moment = axes * inverse.transpose_mul(elastic_turn + viscous_turn);
        out.apply(0, Force::new(moment + r.cross(force), force));
        out.apply(1, Force::new(-moment, -force));
        out.store(T::from_f64(0.5) * (d.dot(elastic) + theta.dot(elastic_turn)));
        out.dissipate(d_dot.dot(viscous) + theta_dot.dot(viscous_turn));
    }
}

/// The inverse of a 3 × 3 matrix, by cross products of its columns.
fn inverse<T: Scalar>(m: &Matrix3<T>) -> Matrix3<T> {
    let (x, y, z) = (m.column(0), m.column(1), m.column(2));
    let (yz, zx, xy) = (y.cross(z), z.cross(x), x.cross(y));
    let scale = x.dot(yz).recip();
    Matrix3([(yz * scale).0, (zx * scale).0, (xy * scale).0])
}
