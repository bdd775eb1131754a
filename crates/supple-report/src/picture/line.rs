//! Flexible bodies whose nodes lie on a line, between their nodes.

use supple::spatial::Vector3;
use supple::spatial::rotation::rotation_vector;

use super::quantity::Quantity;
use crate::pose::Pose;
use crate::scene::SceneBody;

/// Fewest points that a line is drawn by.
const FEWEST_SAMPLES: usize = 49;
/// Numbers per place and shape: rotation and displacement.
const NUMBERS: usize = 6;

/// A line of a body at many places, with its shapes there.
pub struct LineShape<'s> {
    body: &'s SceneBody,
    columns: usize,
    places: Vec<[f64; 3]>,
    /// Of each place the node of the line before it and the part of the way to the next, and how far along it is.
    between: Vec<(usize, f64)>,
    along: Vec<f64>,
    axis: Vector3<f64>,
    /// Per place and shape: rotation and displacement.
    influence: Vec<f64>,
    /// Per place and mode: stretch and curvatures; empty where there are none.
    strain: Vec<f64>,
}

impl<'s> LineShape<'s> {
    /// None where the nodes do not lie on a line.
    pub fn new(body: &'s SceneBody) -> Option<Self> {
        let line = body.line.as_ref().filter(|line| line.len() > 1)?;
        let columns = body.modes + body.second_order.len();
        let at = |n: usize| -> [f64; 3] { std::array::from_fn(|i| f64::from(body.positions.0[3 * line[n] + i])) };
        let (first, end) = (at(0), at(line.len() - 1));
        let distance = |p: [f64; 3]| (0..3).map(|i| (p[i] - first[i]).powi(2)).sum::<f64>().sqrt();
        let along: Vec<f64> = (0..line.len()).map(|n| distance(at(n))).collect();
        let length = distance(end);
        let axis = Vector3(std::array::from_fn(|i| (end[i] - first[i]) / length));
        // Between nodes as many places as keep them about evenly apart.
        let steps = |k: usize| {
            let share = (along[k + 1] - along[k]) / length;
            ((share * (FEWEST_SAMPLES - 1) as f64).ceil().clamp(1.0, 1e3) as usize).max(1)
        };
        let inner = |k: usize| (0..steps(k)).map(move |i| (k, i as f64 / steps(k) as f64));
        let between: Vec<(usize, f64)> = (0..line.len() - 1).flat_map(inner).chain([(line.len() - 2, 1.0)]).collect();
        let places = between.iter().map(|(k, w)| {
            let (a, b) = (at(*k), at(k + 1));
            std::array::from_fn(|i| a[i] + w * (b[i] - a[i]))
        });
        let places = places.collect();
        let own = between.iter().map(|(k, w)| (1.0 - w) * along[*k] + w * along[k + 1]).collect();
        let mut out = Self { body, columns, places, between, along: own, axis, influence: vec![], strain: vec![] };
        out.interpolate(line, &along);
        Some(out)
    }

    /// Shapes at all places, from those at the nodes.
    fn interpolate(&mut self, line: &[usize], along: &[f64]) {
        let (body, columns) = (self.body, self.columns);
        let number = |n: usize, r: usize, i: usize| f64::from(body.influence.0[NUMBERS * (line[n] * columns + r) + i]);
        let turns: Vec<bool> =
            (0..line.len()).map(|n| (0..columns).any(|r| (0..3).any(|i| number(n, r, i) != 0.0))).collect();
        let last = line.len() - 2;
        for &(k, w) in &self.between {
            let turning = (turns[k] || k == 0) && (turns[k + 1] || k == last);
            for r in 0..columns {
                let found: [[f64; 2]; NUMBERS] = std::array::from_fn(|i| smooth(along, |n| number(n, r, i), k, w));
                let mut rotation = Vector3(std::array::from_fn(|i| found[i][0]));
                if !turning {
                    // Where nodes tell no rotations, sections stay at right angles to the line: θ = t × u′.
                    let slope = Vector3(std::array::from_fn(|i| found[3 + i][1]));
                    rotation = self.axis * self.axis.dot(rotation) + self.axis.cross(slope);
                }
                self.influence.extend(rotation.0.into_iter().chain((3..NUMBERS).map(|i| found[i][0])));
            }
            if let Some(strain) = &body.strain {
                // Values between nodes in proportion: a cubic would overshoot where the curvature jumps.
                let value = |n: usize, c: usize| f64::from(strain.shapes.0[3 * n * body.modes + c]);
                self.strain.extend((0..3 * body.modes).map(|c| (1.0 - w) * value(k, c) + w * value(k + 1, c)));
            }
        }
    }

    /// Number of places.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Length of the longest piece between places, undeformed.
    pub fn piece(&self) -> f64 {
        let length = |pair: &[[f64; 3]]| (0..3).map(|i| (pair[1][i] - pair[0][i]).powi(2)).sum::<f64>().sqrt();
        self.places.windows(2).map(length).fold(0.0, f64::max)
    }

    /// Half the size of the section along its y and z and its rotation about the line; none where it is not known.
    pub fn size(&self, i: usize) -> Option<[f64; 3]> {
        let (k, part) = self.between[i];
        self.body.section.as_ref()?.between(k, part)
    }

    /// Where the deformation puts a place and how it turns the section there, in the body frame.
    pub fn section(&self, i: usize, amplitudes: &[f64]) -> Pose {
        let u = self.motion(i, amplitudes);
        Pose {
            position: Vector3(std::array::from_fn(|c| self.places[i][c] + u[3 + c])),
            attitude: rotation_vector(Vector3([u[0], u[1], u[2]])).rotation,
        }
    }

    /// Sections of all places at once, as [`carry`](Self::carry) needs them.
    pub fn sections(&self, amplitudes: &[f64]) -> Vec<Pose> {
        (0..self.len()).map(|i| self.section(i, amplitudes)).collect()
    }

    /// The places before and after a point of the undeformed body, and the part of the way to the latter; points beyond an end belong to it.
    pub fn nearest(&self, point: Vector3<f64>) -> (usize, f64) {
        let s = (point - Vector3(self.places[0])).dot(self.axis);
        let after = self.along.partition_point(|x| *x <= s).clamp(1, self.len() - 1);
        let (a, b) = (self.along[after - 1], self.along[after]);
        (after - 1, ((s - a) / (b - a)).clamp(0.0, 1.0))
    }

    /// Where sections take a point of the undeformed body: those before and after it in proportion.
    pub fn carry(&self, point: Vector3<f64>, sections: &[Pose]) -> Vector3<f64> {
        let (i, w) = self.nearest(point);
        let by = |i: usize| sections[i].attitude * (point - Vector3(self.places[i])) + sections[i].position;
        by(i) * (1.0 - w) + by(i + 1) * w
    }

    /// The value of a quantity at a place, by amplitudes as they are.
    pub fn value(&self, i: usize, quantity: Quantity, amplitudes: &[f64]) -> Option<f64> {
        if quantity == Quantity::Deflection {
            let u = self.motion(i, amplitudes);
            return Some(u[3].hypot(u[4]).hypot(u[5]));
        }
        let modes = self.body.modes;
        let own = self.strain.get(3 * modes * i..3 * modes * (i + 1))?;
        let mut told = [0.0; 3];
        for (shape, eta) in own.chunks(3).zip(amplitudes) {
            (0..3).for_each(|c| told[c] += shape[c] * eta);
        }
        quantity.of_strain(self.body, told)
    }

    /// Rotation and displacement of a place.
    fn motion(&self, i: usize, amplitudes: &[f64]) -> [f64; NUMBERS] {
        let mut u = [0.0; NUMBERS];
        for (r, amplitude) in amplitudes.iter().enumerate().take(self.columns) {
            let at = NUMBERS * (i * self.columns + r);
            (0..NUMBERS).for_each(|c| u[c] += self.influence[at + c] * amplitude);
        }
        u
    }
}

/// Between values `k` and `k + 1`: the cubic with the slopes of a parabola through three neighbours, and its own slope.
fn smooth(along: &[f64], value: impl Fn(usize) -> f64, k: usize, w: f64) -> [f64; 2] {
    let slope = |n: usize| {
        let (a, b) = (n.saturating_sub(1), (n + 1).min(along.len() - 1));
        if a == n || b == n {
            return (value(b) - value(a)) / (along[b] - along[a]);
        }
        let (h, g) = (along[n] - along[a], along[b] - along[n]);
        ((value(n) - value(a)) / h * g + (value(b) - value(n)) / g * h) / (h + g)
    };
    let h = along[k + 1] - along[k];
    let (p, q, m, n) = (value(k), value(k + 1), h * slope(k), h * slope(k + 1));
    let (w2, w3) = (w * w, w * w * w);
    let own = (2.0 * w3 - 3.0 * w2 + 1.0) * p + (w3 - 2.0 * w2 + w) * m + (3.0 * w2 - 2.0 * w3) * q + (w3 - w2) * n;
    let rate = (6.0 * w2 - 6.0 * w) * (p - q) + (3.0 * w2 - 4.0 * w + 1.0) * m + (3.0 * w2 - 2.0 * w) * n;
    [own, rate / h]
}
