//! Bodies of uniform density: volume and inertia.

use crate::visual::Shape;

/// Mass, mass centre, and inertia about the mass centre.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Solid {
    pub(super) mass: f64,
    pub(super) centre: [f64; 3],
    pub(super) inertia: [[f64; 3]; 3],
}

impl Solid {
    /// The same shape with another mass.
    pub(super) fn with_mass(self, mass: f64) -> Self {
        let factor = if self.mass > 0.0 { mass / self.mass } else { 0.0 };
        Self { mass, inertia: self.inertia.map(|row| row.map(|x| x * factor)), ..self }
    }
}

/// A shape of density 1; meshes have a file of their own.
pub(super) fn of(shape: &Shape) -> Solid {
    let pi = std::f64::consts::PI;
    let (mass, [x, y, z]) = match *shape {
        Shape::Box { sides: [a, b, c] } => {
            let m = a * b * c;
            (m, [b * b + c * c, a * a + c * c, a * a + b * b].map(|square| m * square / 12.0))
        }
        Shape::Ellipsoid { radii: [a, b, c] } => {
            let m = 4.0 / 3.0 * pi * a * b * c;
            (m, [b * b + c * c, a * a + c * c, a * a + b * b].map(|square| m * square / 5.0))
        }
        Shape::Cylinder { radius: r, length: h } => {
            let m = pi * r * r * h;
            let across = m * (3.0 * r * r + h * h) / 12.0;
            (m, [across, across, m * r * r / 2.0])
        }
        Shape::Capsule { radius: r, length: h } => {
            let (middle, ends) = (pi * r * r * h, 4.0 / 3.0 * pi * r * r * r);
            let along = middle * r * r / 2.0 + ends * 0.4 * r * r;
            let across = middle * (3.0 * r * r + h * h) / 12.0 + ends * (0.4 * r * r + 0.375 * r * h + 0.25 * h * h);
            (middle + ends, [across, across, along])
        }
        Shape::Mesh(_) => return Solid::default(),
    };
    Solid { mass, centre: [0.0; 3], inertia: [[x, 0.0, 0.0], [0.0, y, 0.0], [0.0, 0.0, z]] }
}
