//! Flexible bodies whose nodes lie on a line, between their nodes.

use supple::spatial::Vector3;

use super::quantity::Quantity;
use crate::scene::SceneBody;

/// Fewest points that a line is drawn by.
const FEWEST_SAMPLES: usize = 49;

/// A line of a body at many places, with its shapes there.
pub struct LineShape<'s> {
    body: &'s SceneBody,
    columns: usize,
    places: Vec<[f64; 3]>,
    /// Per place and shape: displacement.
    displacement: Vec<f64>,
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
        // Between nodes as many places as keep them about evenly apart.
        let steps = |k: usize| {
            let share = (along[k + 1] - along[k]) / length;
            ((share * (FEWEST_SAMPLES - 1) as f64).ceil().clamp(1.0, 1e3) as usize).max(1)
        };
        let inner = |k: usize| (0..steps(k)).map(move |i| (k, i as f64 / steps(k) as f64));
        let samples: Vec<(usize, f64)> = (0..line.len() - 1).flat_map(inner).chain([(line.len() - 2, 1.0)]).collect();
        let mut own = Self { body, columns, places: Vec::new(), displacement: Vec::new(), strain: Vec::new() };
        for (k, w) in samples {
            let (a, b) = (at(k), at(k + 1));
            own.places.push(std::array::from_fn(|i| a[i] + w * (b[i] - a[i])));
            for r in 0..columns {
                for i in 3..6 {
                    let value = |n: usize| f64::from(body.influence.0[6 * (line[n] * columns + r) + i]);
                    own.displacement.push(smooth(&along, value, k, w));
                }
            }
            if let Some(strain) = &body.strain {
                // Values between nodes in proportion: a cubic would overshoot where the curvature jumps.
                let value = |n: usize, c: usize| f64::from(strain.shapes.0[3 * n * body.modes + c]);
                own.strain.extend((0..3 * body.modes).map(|c| (1.0 - w) * value(k, c) + w * value(k + 1, c)));
            }
        }
        Some(own)
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

    /// Where the deformation puts a place, in the body frame.
    pub fn place(&self, i: usize, amplitudes: &[f64]) -> Vector3<f64> {
        let u = self.displacement(i, amplitudes);
        Vector3(std::array::from_fn(|c| self.places[i][c] + u[c]))
    }

    /// The value of a quantity at a place, by amplitudes as they are.
    pub fn value(&self, i: usize, quantity: Quantity, amplitudes: &[f64]) -> Option<f64> {
        if quantity == Quantity::Deflection {
            let u = self.displacement(i, amplitudes);
            return Some(u[0].hypot(u[1]).hypot(u[2]));
        }
        let modes = self.body.modes;
        let own = self.strain.get(3 * modes * i..3 * modes * (i + 1))?;
        let mut told = [0.0; 3];
        for (shape, eta) in own.chunks(3).zip(amplitudes) {
            (0..3).for_each(|c| told[c] += shape[c] * eta);
        }
        quantity.of_strain(self.body, told)
    }

    fn displacement(&self, i: usize, amplitudes: &[f64]) -> [f64; 3] {
        let mut u = [0.0; 3];
        for (r, amplitude) in amplitudes.iter().enumerate().take(self.columns) {
            let at = 3 * (i * self.columns + r);
            (0..3).for_each(|c| u[c] += self.displacement[at + c] * amplitude);
        }
        u
    }
}

/// Between values `k` and `k + 1`: the cubic with the slopes of a parabola through three neighbours.
fn smooth(along: &[f64], value: impl Fn(usize) -> f64, k: usize, w: f64) -> f64 {
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
    (2.0 * w3 - 3.0 * w2 + 1.0) * p + (w3 - 2.0 * w2 + w) * m + (3.0 * w2 - 2.0 * w3) * q + (w3 - w2) * n
}
