//! A beam element of 12 degrees of freedom: stretch, twist and bending in two planes.
//!
//! All matrices are sums over the element's Gauss points, which know the section there: a tapered element is no special case, and the
//! mass of the engine's nodes, placed at the same points, is the consistent mass to rounding.

use super::shape::{PlaneShape, RodShape};
use crate::quadrature::gauss_legendre;
use crate::section::BeamProperties;

/// Coefficients of a quantity by the 12 degrees of freedom `[θ_a, u_a, θ_b, u_b]` of an element.
pub type Row = [f64; 12];
/// A matrix of an element.
pub type ElementMatrix = [[f64; 12]; 12];

/// What a section does under shear.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theory {
    /// Sections stay normal to the axis.
    #[default]
    EulerBernoulli,
    /// Sections turn by themselves, held by `κGA`.
    Timoshenko,
}

/// A Gauss point of an element.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Place from 0 to 1 along the element.
    pub xi: f64,
    /// Length that the point stands for.
    pub weight: f64,
    /// Section and material there.
    pub properties: BeamProperties,
}

/// An element between two stations.
#[derive(Clone, Debug, PartialEq)]
pub struct Element {
    length: f64,
    offsets: [[f64; 3]; 2],
    theory: Theory,
    points: Vec<Point>,
    rods: [RodShape; 2],
    planes: [PlaneShape; 2],
}

/// Gauss points of an element: exact for the product of two cubics and a linear section.
pub const POINTS: usize = 4;

impl Element {
    /// An element of length `length` whose section at `x` from its start is `at(x)`.
    pub fn new(length: f64, theory: Theory, at: impl Fn(f64) -> BeamProperties) -> Self {
        let points = gauss_legendre(POINTS, length)
            .into_iter()
            .map(|(x, weight)| Point { xi: x / length, weight, properties: at(x) })
            .collect();
        Self::from_points(length, [[0.0; 3]; 2], theory, points)
    }

    fn from_points(length: f64, offsets: [[f64; 3]; 2], theory: Theory, points: Vec<Point>) -> Self {
        let xi: Vec<f64> = points.iter().map(|p| p.xi).collect();
        let compliance =
            |f: fn(&BeamProperties) -> f64| -> Vec<f64> { points.iter().map(|p| 1.0 / f(&p.properties)).collect() };
        let shear = match theory {
            Theory::EulerBernoulli => vec![0.0; points.len()],
            Theory::Timoshenko => compliance(|p| p.shear),
        };
        let rod = |f: fn(&BeamProperties) -> f64| RodShape::new(length, &xi, &compliance(f));
        let plane = |f: fn(&BeamProperties) -> f64| PlaneShape::new(length, &xi, &compliance(f), &shear);
        let rods = [rod(|p| p.torsion), rod(|p| p.axial)];
        let planes = [plane(|p| p.bending_y), plane(|p| p.bending_z)];
        Self { length, offsets, theory, points, rods, planes }
    }

    /// The same element by another theory.
    pub fn with_theory(self, theory: Theory) -> Self {
        Self::from_points(self.length, self.offsets, theory, self.points)
    }

    /// The same element with another length and rigid offsets from its stations; the section keeps its course along `ξ`.
    pub fn with_offsets(self, length: f64, offsets: [[f64; 3]; 2]) -> Self {
        let ratio = length / self.length;
        let points = self.points.into_iter().map(|p| Point { weight: p.weight * ratio, ..p }).collect();
        Self::from_points(length, offsets, self.theory, points)
    }

    /// Length of the elastic part.
    pub fn length(&self) -> f64 {
        self.length
    }

    /// From each station to the element's end, rigid.
    pub fn offsets(&self) -> [[f64; 3]; 2] {
        self.offsets
    }

    /// Gauss points.
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// Rotation and displacement `[θ_x, θ_y, θ_z, u, v, w]` at `xi`.
    pub fn motion(&self, xi: f64) -> [Row; 6] {
        let [y, z] = &self.planes;
        [
            self.rod(0, self.rods[0].value(xi)),
            // The rotation of the x-z plane is -θ_y.
            self.plane_z(z.rotation(xi).map(|x| -x)),
            self.plane_y(y.rotation(xi)),
            self.rod(3, self.rods[1].value(xi)),
            self.plane_y(y.deflection(xi)),
            self.plane_z(z.deflection(xi)),
        ]
    }

    /// Strains at `xi`: twist rate `θ_x'`, stretch `u'`, curvatures in the x-y and x-z planes, shear strains in the two planes.
    pub fn strain(&self, xi: f64) -> [Row; 6] {
        let [y, z] = &self.planes;
        [
            self.rod(0, self.rods[0].strain(xi)),
            self.rod(3, self.rods[1].strain(xi)),
            self.plane_y(y.curvature(xi)),
            self.plane_z(z.curvature(xi)),
            self.plane_y(y.shear(xi)),
            self.plane_z(z.shear(xi)),
        ]
    }

    /// Derivatives of the displacement along the axis at `xi`: `[u', v', w']`.
    pub fn displacement_slope(&self, xi: f64) -> [Row; 3] {
        let [y, z] = &self.planes;
        [self.rod(3, self.rods[1].strain(xi)), self.plane_y(y.slope(xi)), self.plane_z(z.slope(xi))]
    }

    /// Internal forces at `xi`: torque, axial force, moments in the x-y and x-z planes, shear forces in the two planes.
    pub fn force(&self, xi: f64) -> [Row; 6] {
        let [y, z] = &self.planes;
        [
            self.rod(0, self.rods[0].force()),
            self.rod(3, self.rods[1].force()),
            self.plane_y(y.moment(xi)),
            self.plane_z(z.moment(xi)),
            self.plane_y(y.shear_force()),
            self.plane_z(z.shear_force()),
        ]
    }

    /// Stiffness `Σ w F* D⁻¹ F` of internal forces and compliances.
    pub fn stiffness(&self) -> ElementMatrix {
        let mut out = [[0.0; 12]; 12];
        for point in &self.points {
            let p = &point.properties;
            let shear = if self.theory == Theory::Timoshenko { 1.0 / p.shear } else { 0.0 };
            let compliances = [1.0 / p.torsion, 1.0 / p.axial, 1.0 / p.bending_y, 1.0 / p.bending_z, shear, shear];
            for (row, compliance) in self.force(point.xi).iter().zip(compliances) {
                add_square(&mut out, row, point.weight * compliance);
            }
        }
        out
    }

    /// Consistent mass `Σ w N* diag(rotary, mass) N`; bending has rotary inertia only where `rotary` is set.
    pub fn consistent_mass(&self, rotary: bool) -> ElementMatrix {
        let mut out = [[0.0; 12]; 12];
        for point in &self.points {
            let inertia = rotary_inertia(&point.properties, rotary);
            let m = point.properties.mass;
            let densities = [inertia[0], inertia[1], inertia[2], m, m, m];
            for (row, density) in self.motion(point.xi).iter().zip(densities) {
                add_square(&mut out, row, point.weight * density);
            }
        }
        out
    }

    /// Geometric stiffness `Σ w N (v'* v' + w'* w')` under an axial force, tension positive.
    pub fn geometric_stiffness(&self, axial_force: f64) -> ElementMatrix {
        let mut out = [[0.0; 12]; 12];
        for point in &self.points {
            let [_, v, w] = self.displacement_slope(point.xi);
            add_square(&mut out, &v, point.weight * axial_force);
            add_square(&mut out, &w, point.weight * axial_force);
        }
        out
    }

    /// Coefficients of the degree of freedom `dof` of both ends.
    fn rod(&self, dof: usize, c: [f64; 2]) -> Row {
        let mut row = [0.0; 12];
        (row[dof], row[dof + 6]) = (c[0], c[1]);
        self.carried(row)
    }

    /// Coefficients of the x-y plane: `v` and `θ_z`.
    fn plane_y(&self, c: [f64; 4]) -> Row {
        let mut row = [0.0; 12];
        (row[4], row[2], row[10], row[8]) = (c[0], c[1], c[2], c[3]);
        self.carried(row)
    }

    /// Coefficients of the x-z plane: `w` and `-θ_y`.
    fn plane_z(&self, c: [f64; 4]) -> Row {
        let mut row = [0.0; 12];
        (row[5], row[1], row[11], row[7]) = (c[0], -c[1], c[2], -c[3]);
        self.carried(row)
    }

    /// From the element's ends to the stations: `u_end = u + θ × o`, so a coefficient `b` of `u` adds `o × b` to that of `θ`.
    fn carried(&self, mut row: Row) -> Row {
        for end in 0..2 {
            let [x, y, z] = self.offsets[end];
            let i = 6 * end;
            let (a, b, c) = (row[i + 3], row[i + 4], row[i + 5]);
            row[i] += y * c - z * b;
            row[i + 1] += z * a - x * c;
            row[i + 2] += x * b - y * a;
        }
        row
    }
}

/// Rotary inertia per length: twist always has its own.
pub(super) fn rotary_inertia(p: &BeamProperties, rotary: bool) -> [f64; 3] {
    if rotary { p.rotary } else { [p.rotary[0], 0.0, 0.0] }
}

fn add_square(out: &mut ElementMatrix, row: &Row, factor: f64) {
    for i in 0..12 {
        if row[i] != 0.0 {
            for j in 0..12 {
                out[i][j] += factor * row[i] * row[j];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The textbook stiffness of a Timoshenko element.
    #[test]
    fn textbook_stiffness() {
        let p = BeamProperties {
            mass: 2.0,
            axial: 3.0e3,
            bending_y: 70.0,
            bending_z: 50.0,
            torsion: 40.0,
            shear: 900.0,
            rotary: [0.1, 0.05, 0.05],
        };
        let l = 0.7;
        for theory in [Theory::EulerBernoulli, Theory::Timoshenko] {
            let element = Element::new(l, theory, |_| p);
            let k = element.stiffness();
            let phi = if theory == Theory::Timoshenko { 12.0 * p.bending_y / (p.shear * l * l) } else { 0.0 };
            let c = p.bending_y / (l.powi(3) * (1.0 + phi));
            let close = |a: f64, b: f64| assert!((a / b - 1.0).abs() < 1e-13, "{a} {b}");
            close(k[4][4], 12.0 * c);
            close(k[4][2], 6.0 * l * c);
            close(k[2][2], (4.0 + phi) * l * l * c);
            close(k[2][8], (2.0 - phi) * l * l * c);
            close(k[3][9], -p.axial / l);
            close(k[0][0], p.torsion / l);
            let z = p.bending_z / (l.powi(3) * (1.0 + phi * p.bending_z / p.bending_y));
            close(k[5][1], -6.0 * l * z);
        }
        // Consistent mass and geometric stiffness of Euler-Bernoulli.
        let element = Element::new(l, Theory::EulerBernoulli, |_| p);
        let m = element.consistent_mass(false);
        assert!((m[4][4] / (156.0 / 420.0 * p.mass * l) - 1.0).abs() < 1e-13);
        assert!((m[2][8] / (-3.0 / 420.0 * p.mass * l.powi(3)) - 1.0).abs() < 1e-12);
        let g = element.geometric_stiffness(5.0);
        assert!((g[4][4] / (5.0 * 36.0 / (30.0 * l)) - 1.0).abs() < 1e-13);
        assert!((g[2][8] / (-5.0 * l / 30.0) - 1.0).abs() < 1e-12);
    }
}
