//! The line of a beam, and the motion of its sections that stress resultants along it make.
//!
//! ```text
//! r' = t,  F' = F κ̂₀,  R = F Rx(twist)                     the line without load: F carries its axes along, R those of the sections
//! [γ; κ] = S σ                                              strains of stress resultants σ, both in section axes
//! θ' = R κ,  u' = θ × t + R γ                               rotations and displacements, in the axes of the root
//! ```
//!
//! Stress resultants, not displacements, are the unknowns: a load at the tip has them exactly, whatever the sections are, and what is rigid has no
//! strain. The root is at rest by construction.

use super::law::{SectionLaw, Sections};
use crate::quadrature::gauss_legendre;

type Vector = [f64; 3];
pub(super) type Matrix3 = [[f64; 3]; 3];

/// Points inside each interval between places.
const INSIDE: usize = 3;
/// Fewest intervals of a beam.
const INTERVALS: usize = 60;

/// A distribution of stress resultants along a beam.
#[derive(Clone, Copy, Debug)]
pub(super) enum Field {
    /// Of a unit force (0 to 2) or moment (3 to 5) at the tip, along an axis of the root.
    Tip(usize),
    /// One stress resultant as a Legendre polynomial: which, of which degree.
    Polynomial(usize, usize),
}

/// A point of the line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Point {
    pub x: f64,
    pub position: Vector,
    /// Axes of the section as columns.
    pub axes: Matrix3,
    pub law: SectionLaw,
    /// Curvature of the line, in the axes that it carries along.
    curvature: [f64; 2],
    /// Axes that the line carries along.
    carried: Matrix3,
}

/// The line of a beam: places that were asked for, and points between them for integrals.
pub(super) struct Line {
    length: f64,
    places: Vec<Point>,
    /// Before each place but the first: points and weights.
    inside: Vec<Vec<(Point, f64)>>,
}

/// What a field does at a place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Motion {
    /// `[θ; u]`.
    pub column: [f64; 6],
    /// `u'` across the line.
    pub slope: Vector,
}

impl Line {
    /// The line of `sections` from `start` on, with the `places` from there, in rising order; the first is 0 and the last the length.
    pub fn new(sections: &Sections, start: f64, places: &[f64]) -> Self {
        let length = places[places.len() - 1];
        let breaks = sections.breaks().map(|x| x - start);
        let even = (1..INTERVALS).map(|k| length * k as f64 / INTERVALS as f64);
        let mut all: Vec<f64> = places.iter().copied().chain(breaks).chain(even).collect();
        all.retain(|x| (0.0..=length).contains(x));
        all.sort_by(f64::total_cmp);
        all.dedup_by(|a, b| *a - *b <= 1e-12 * length);
        let at = |x: f64, position: Vector, carried: Matrix3| {
            let local = sections.at(start + x);
            Point {
                x,
                position,
                axes: turned(&carried, local.twist),
                law: local.law,
                curvature: local.curvature,
                carried,
            }
        };
        let identity = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let mut here = at(0.0, [0.0; 3], identity);
        let (mut out, mut inside) = (vec![here], Vec::new());
        for pair in all.windows(2) {
            let mut between = Vec::new();
            for (x, weight) in gauss_legendre(INSIDE, pair[1] - pair[0]) {
                let (position, carried) = advance(sections, start, &here, pair[0] + x);
                here = at(pair[0] + x, position, carried);
                between.push((here, weight));
            }
            let (position, carried) = advance(sections, start, &here, pair[1]);
            // At a break the sections are those before it.
            here = at(pair[1], position, carried);
            inside.push(between);
            out.push(here);
        }
        Self { length, places: out, inside }
    }

    /// The last place.
    pub fn tip(&self) -> &Point {
        &self.places[self.places.len() - 1]
    }

    /// The place nearest to `x`: places that were asked for are met.
    pub fn place(&self, x: f64) -> usize {
        let after = self.places.partition_point(|place| place.x < x).min(self.places.len() - 1);
        match after.checked_sub(1) {
            Some(before) if x - self.places[before].x < self.places[after].x - x => before,
            _ => after,
        }
    }

    /// A place.
    pub fn point(&self, place: usize) -> &Point {
        &self.places[place]
    }

    /// Stress resultants of a field at a point, in section axes.
    pub fn stress(&self, field: Field, point: &Point) -> [f64; 6] {
        match field {
            Field::Polynomial(component, degree) => {
                let mut out = [0.0; 6];
                out[component] = legendre(degree, 2.0 * point.x / self.length - 1.0);
                out
            }
            Field::Tip(axis) => {
                let (mut force, mut moment) = ([0.0; 3], [0.0; 3]);
                if axis < 3 {
                    force[axis] = 1.0
                } else {
                    moment[axis - 3] = 1.0
                }
                let lever = cross(minus(self.tip().position, point.position), force);
                let moment = std::array::from_fn(|i| moment[i] + lever[i]);
                let (n, m) = (into(&point.axes, force), into(&point.axes, moment));
                [n[0], n[1], n[2], m[0], m[1], m[2]]
            }
        }
    }

    /// What a field does at every place.
    pub fn motions(&self, field: Field) -> Vec<Motion> {
        let (mut theta, mut u) = ([0.0; 3], [0.0; 3]);
        let mut out = Vec::with_capacity(self.places.len());
        out.push(self.motion(field, &self.places[0], theta, u));
        for (k, inside) in self.inside.iter().enumerate() {
            let (from, to) = (&self.places[k], &self.places[k + 1]);
            let carried = cross(theta, minus(to.position, from.position));
            let mut bent = [0.0; 3];
            (0..3).for_each(|i| u[i] += carried[i]);
            for (point, weight) in inside {
                let (gamma, kappa) = self.strains(field, point);
                let lever = cross(kappa, minus(to.position, point.position));
                for i in 0..3 {
                    u[i] += weight * (gamma[i] + lever[i]);
                    bent[i] += weight * kappa[i];
                }
            }
            (0..3).for_each(|i| theta[i] += bent[i]);
            out.push(self.motion(field, to, theta, u));
        }
        out
    }

    fn motion(&self, field: Field, point: &Point, theta: Vector, u: Vector) -> Motion {
        let tangent = column(&point.axes, 0);
        let (gamma, _) = self.strains(field, point);
        let sheared: f64 = (0..3).map(|i| gamma[i] * tangent[i]).sum();
        let turned = cross(theta, tangent);
        let slope = std::array::from_fn(|i| turned[i] + gamma[i] - sheared * tangent[i]);
        Motion { column: [theta[0], theta[1], theta[2], u[0], u[1], u[2]], slope }
    }

    /// `R γ` and `R κ`.
    fn strains(&self, field: Field, point: &Point) -> (Vector, Vector) {
        let strain = strain(&point.law, &self.stress(field, point));
        let [a, b, c, d, e, f] = strain;
        (out_of(&point.axes, [a, b, c]), out_of(&point.axes, [d, e, f]))
    }

    /// `∫ σ_a* S σ_b dx` for all pairs of fields.
    pub fn energies(&self, fields: &[Field]) -> Vec<Vec<f64>> {
        let n = fields.len();
        let mut out = vec![vec![0.0; n]; n];
        for (point, weight) in self.inside.iter().flatten() {
            let stresses: Vec<[f64; 6]> = fields.iter().map(|field| self.stress(*field, point)).collect();
            let strains: Vec<[f64; 6]> = stresses.iter().map(|stress| strain(&point.law, stress)).collect();
            for (row, stress) in out.iter_mut().zip(&stresses) {
                for (entry, strain) in row.iter_mut().zip(&strains) {
                    *entry += weight * (0..6).map(|i| stress[i] * strain[i]).sum::<f64>();
                }
            }
        }
        out
    }

    /// `-∫ a·b t dx` up to every place, by the trapezoidal rule corrected at the ends of each interval: how far bending draws the places in.
    pub fn drawn_in(&self, inner: impl Fn(usize) -> f64, slopes: impl Fn(usize) -> f64) -> Vec<Vector> {
        let mut sum = [0.0; 3];
        let mut out = vec![sum];
        for k in 0..self.inside.len() {
            let (a, b) = (&self.places[k], &self.places[k + 1]);
            let h = b.x - a.x;
            // Hermite's cubic through both ends.
            let integral = 0.5 * h * (inner(k) + inner(k + 1)) + h * h / 12.0 * (slopes(k) - slopes(k + 1));
            let (start, end) = (column(&a.axes, 0), column(&b.axes, 0));
            (0..3).for_each(|i| sum[i] -= 0.5 * integral * (start[i] + end[i]));
            out.push(sum);
        }
        out
    }

    /// `κ × t`: how a field bends the line.
    pub fn bend(&self, field: Field, place: usize) -> Vector {
        let point = &self.places[place];
        let (_, kappa) = self.strains(field, point);
        cross(kappa, column(&point.axes, 0))
    }
}

impl Line {
    /// `θ × t'`: what a rotation does to a line that is curved.
    pub fn carried_along(&self, motion: &Motion, place: usize) -> Vector {
        let point = &self.places[place];
        let [y, z] = point.curvature;
        // t' = F (κ₀ × x)
        let change = out_of(&point.carried, [0.0, z, -y]);
        cross([motion.column[0], motion.column[1], motion.column[2]], change)
    }
}

fn strain(law: &SectionLaw, stress: &[f64; 6]) -> [f64; 6] {
    std::array::from_fn(|i| (0..6).map(|j| law.compliance[i][j] * stress[j]).sum())
}

/// Position and carried axes at `x`, from a point before it: Magnus' expansion of order 4 for the axes, Simpson's rule for the position.
fn advance(sections: &Sections, start: f64, from: &Point, x: f64) -> (Vector, Matrix3) {
    let h = x - from.x;
    let turn = |part: f64| {
        let (offset, half) = (3.0_f64.sqrt() / 6.0, 0.5 * part * h);
        let at = |q: f64| {
            let [y, z] = sections.at(start + from.x + q * part * h).curvature;
            [0.0, y, z]
        };
        let (a, b) = (at(0.5 - offset), at(0.5 + offset));
        let c = cross(a, b);
        let w = std::array::from_fn(|i| half * (a[i] + b[i]) + 3.0_f64.sqrt() / 12.0 * (part * h).powi(2) * c[i]);
        times(&from.carried, &exponential(w))
    };
    let (middle, end) = (turn(0.5), turn(1.0));
    let tangents = [column(&from.carried, 0), column(&middle, 0), column(&end, 0)];
    let position =
        std::array::from_fn(|i| from.position[i] + h / 6.0 * (tangents[0][i] + 4.0 * tangents[1][i] + tangents[2][i]));
    (position, end)
}

/// Rodrigues' formula.
fn exponential(w: Vector) -> Matrix3 {
    let angle = w.iter().map(|x| x * x).sum::<f64>().sqrt();
    let (a, b) = if angle < 1e-4 {
        (1.0 - angle * angle / 6.0, 0.5 - angle * angle / 24.0)
    } else {
        (angle.sin() / angle, (1.0 - angle.cos()) / (angle * angle))
    };
    let hat = [[0.0, -w[2], w[1]], [w[2], 0.0, -w[0]], [-w[1], w[0], 0.0]];
    let square = times(&hat, &hat);
    std::array::from_fn(|i| std::array::from_fn(|j| f64::from(i == j) + a * hat[i][j] + b * square[i][j]))
}

/// Axes turned about their own x.
fn turned(axes: &Matrix3, angle: f64) -> Matrix3 {
    let (s, c) = angle.sin_cos();
    times(axes, &[[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])
}

fn times(a: &Matrix3, b: &Matrix3) -> Matrix3 {
    std::array::from_fn(|i| std::array::from_fn(|j| (0..3).map(|k| a[i][k] * b[k][j]).sum()))
}

fn column(a: &Matrix3, j: usize) -> Vector {
    [a[0][j], a[1][j], a[2][j]]
}

/// Into the axes whose columns are given, and out of them.
fn into(axes: &Matrix3, v: Vector) -> Vector {
    std::array::from_fn(|i| (0..3).map(|k| axes[k][i] * v[k]).sum())
}

pub(super) fn out_of(axes: &Matrix3, v: Vector) -> Vector {
    std::array::from_fn(|i| (0..3).map(|k| axes[i][k] * v[k]).sum())
}

fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn minus(a: Vector, b: Vector) -> Vector {
    std::array::from_fn(|i| a[i] - b[i])
}

fn legendre(degree: usize, x: f64) -> f64 {
    let (mut before, mut value) = (1.0, x);
    if degree == 0 {
        return 1.0;
    }
    for k in 2..=degree {
        let k = k as f64;
        (before, value) = (value, ((2.0 * k - 1.0) * x * value - (k - 1.0) * before) / k);
    }
    value
}
