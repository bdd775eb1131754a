//! The inverse-square field of a point mass, with its gradient over each body.

#![allow(non_snake_case)] // symbols as printed

use super::law::{ForceLaw, Rule};
use super::port::{Effect, Measured, PortKind};
use supple_spatial::{Force, Scalar, Symmetric3, Vector3};

/// Gravity of a point mass: on every body acts the potential
///
/// ```text
/// V = -μ m / R - μ / (2 R³) (tr J_c - 3 n·J_c n)
/// ```
///
/// with `R n` from the point mass to the mass centre of the deformed body and `J_c` its inertia there. Force, gravity-gradient moment and
/// forces on modes are the exact derivatives of `V`. What `V` leaves out of the field is of the order (size of the body / R)³ of its first term.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointMassField {
    /// Gravitational parameter `μ`, m³/s².
    pub mu: f64,
    /// Where the point mass is, in inertial axes, m.
    pub position: [f64; 3],
}

impl ForceLaw for PointMassField {
    const NAME: &'static str = "point-mass field";
    const PORTS: &'static [PortKind] = &[PortKind::Body];
    const STIFF: bool = false;

    fn parameters(&self) -> Vec<f64> {
        let [x, y, z] = self.position;
        vec![self.mu, x, y, z]
    }

    fn rules(&self) -> Vec<Rule> {
        let mut rules = vec![
            Rule::finite("gravitational parameter", self.mu),
            Rule::not_negative("gravitational parameter", self.mu),
        ];
        rules.extend(self.position.map(|x| Rule::finite("position of the point mass", x)));
        rules
    }

    fn evaluate<T: Scalar>(p: &[T], at: &Measured<'_, T>, out: &mut Effect<'_, T>) {
        let (mu, A, body) = (p[0], at.attitude(0), at.inertia(0));
        let (m, c, half) = (body.mass, body.moment, T::from_f64(0.5));
        // In the axes of the body: the point mass to the origin of the frame, and to the mass centre.
        let x = A.transpose_mul(at.position(0) - Vector3([p[1], p[2], p[3]]));
        let d = c.scale_add(m.recip(), x);
        let J = body.inertia - Symmetric3::lever(c, c) * m.recip();
        let trace = J.0[0] + J.0[1] + J.0[2];
        let Jd = J * d;
        let s = d.norm_squared().recip();
        let (s1, s3) = (s.sqrt(), s * s.sqrt());
        let dJd = d.dot(Jd) * s;
        let quadrupole = half * mu * s3 * (trace - T::from_f64(3.0) * dJd);
        out.store(-(mu * m * s1) - quadrupole);
        // g = ∂V/∂d = μ m d / R³ + 3 μ / (2 R⁵) (tr J d + 2 J d - 5 (n·J n) d)
        let gradient = d * (trace - T::from_f64(5.0) * dJd) + Jd + Jd;
        let g = gradient.scale_add(T::from_f64(1.5) * mu * s3 * s, d * (mu * m * s3));
        // G = ∂V/∂J_c = -μ / (2 R³) (I - 3 n nᵀ), without a trace, so that ∂V/∂c = (g + 2 G c) / m
        let G = (Symmetric3::isotropic(T::ONE) - Symmetric3::outer(d, d) * (T::from_f64(3.0) * s)) * -(half * mu * s3);
        let on_moment = (g + (G * c) * T::from_f64(2.0)) * -m.recip();
        out.apply_to_body(0, Force::new(x.cross(g), -g).rotate(&A), on_moment, -G);
    }
}
