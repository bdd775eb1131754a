//! The cubic spline through points.
//!
//! The acceleration is linear between points. Continuous speed gives one equation per inner point, with `hᵢ` the times
//! and `sᵢ` the mean speeds between points:
//!
//! ```text
//! hᵢ₋₁ aᵢ₋₁ + 2 (hᵢ₋₁ + hᵢ) aᵢ + hᵢ aᵢ₊₁ = 6 (sᵢ - sᵢ₋₁)
//! ```
//!
//! and the ends add `2 h₀ a₀ + h₀ a₁ = 6 (s₀ - v₀)` where the speed is given, `a₀ = 0` where it is not. The matrix is
//! strictly diagonally dominant, so elimination needs no pivoting.

use super::Sample;
use crate::error::ProfileError;
use crate::rules;
use supple::spatial::Scalar;

/// What a spline does at its ends.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub enum SplineEnds {
    /// No acceleration; the speeds are what the points make them.
    Natural,
    /// The speeds given.
    Clamped {
        /// At the first point.
        start: f64,
        /// At the last point.
        end: f64,
    },
    /// Clamped with no speed: nothing jumps at the ends but the acceleration.
    #[default]
    AtRest,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Spline {
    pub times: Vec<f64>,
    positions: Vec<f64>,
    accelerations: Vec<f64>,
}

/// Position at the share `b` of an interval of length `h` with values `x` and accelerations `a` at its ends.
fn position<T: Scalar>(b: T, h: f64, x: [f64; 2], a: [f64; 2]) -> T {
    let c = T::ONE - b;
    let [x0, x1, a0, a1] = [x[0], x[1], a[0] * h * h / 6.0, a[1] * h * h / 6.0].map(T::from_f64);
    c * x0 + b * x1 + (c * c * c - c) * a0 + (b * b * b - b) * a1
}

impl Spline {
    pub fn new(times: &[f64], positions: &[f64], ends: SplineEnds) -> Result<Self, ProfileError> {
        rules::table(times, "positions", positions, 2)?;
        let speeds = match ends {
            SplineEnds::Natural => None,
            SplineEnds::Clamped { start, end } => Some([start, end]),
            SplineEnds::AtRest => Some([0.0, 0.0]),
        };
        if let Some(speeds) = speeds {
            rules::finite("speed", &speeds)?;
        }
        let accelerations = accelerations(times, positions, speeds);
        for i in 0..times.len() - 1 {
            let h = times[i + 1] - times[i];
            let way = positions[i + 1] - positions[i];
            let size = accelerations[i].abs() + accelerations[i + 1].abs();
            rules::representable("acceleration", times[i], &[h, way, way / h, size, size * h, size * h * h])?;
        }
        Ok(Self { times: times.to_vec(), positions: positions.to_vec(), accelerations })
    }

    pub fn at(&self, time: f64) -> Sample {
        let last = self.times.len() - 2;
        let i = self.times.partition_point(|t| *t <= time).saturating_sub(1).min(last);
        let h = self.times[i + 1] - self.times[i];
        let x = [self.positions[i], self.positions[i + 1]];
        let a = [self.accelerations[i], self.accelerations[i + 1]];
        let b = (time - self.times[i]) / h;
        let c = 1.0 - b;
        Sample {
            position: position(b, h, x, a),
            speed: (x[1] - x[0]) / h + h / 6.0 * ((3.0 * b * b - 1.0) * a[1] - (3.0 * c * c - 1.0) * a[0]),
            acceleration: c * a[0] + b * a[1],
        }
    }
}

/// Solves for the accelerations at the points; end speeds where they are given.
fn accelerations(times: &[f64], positions: &[f64], speeds: Option<[f64; 2]>) -> Vec<f64> {
    let n = times.len();
    let h = |i: usize| times[i + 1] - times[i];
    let s = |i: usize| (positions[i + 1] - positions[i]) / h(i);
    // Below the diagonal, on it, above it, right side.
    let row = |i: usize| match speeds {
        None if i == 0 || i == n - 1 => (0.0, 1.0, 0.0, 0.0),
        Some([start, _]) if i == 0 => (0.0, 2.0 * h(0), h(0), 6.0 * (s(0) - start)),
        Some([_, end]) if i == n - 1 => (h(n - 2), 2.0 * h(n - 2), 0.0, 6.0 * (end - s(n - 2))),
        _ => (h(i - 1), 2.0 * (h(i - 1) + h(i)), h(i), 6.0 * (s(i) - s(i - 1))),
    };
    let (mut above, mut right) = (vec![0.0; n], vec![0.0; n]);
    for i in 0..n {
        let (a, b, c, d) = row(i);
        let (above_before, right_before) = if i == 0 { (0.0, 0.0) } else { (above[i - 1], right[i - 1]) };
        let pivot = b - a * above_before;
        above[i] = c / pivot;
        right[i] = (d - a * right_before) / pivot;
    }
    for i in (0..n - 1).rev() {
        right[i] -= above[i] * right[i + 1];
    }
    right
}

#[cfg(test)]
mod tests {
    use super::*;
    use supple::spatial::Dual;

    #[test]
    fn speed_and_acceleration_are_the_derivatives_of_the_position() {
        let (h, x, a) = (0.5, [0.3, -0.2], [1.5, -0.7]);
        let spline = Spline { times: vec![0.0, h], positions: x.to_vec(), accelerations: a.to_vec() };
        for i in 0..=64 {
            let b = f64::from(i) / 64.0;
            let p = position(Dual::variable(Dual::variable(b)), h, x, a);
            let found = spline.at(b * h);
            assert!((found.position - p.value.value).abs() < 4.0 * f64::EPSILON, "{b}");
            assert!((found.speed - p.derivative.value / h).abs() < 8.0 * f64::EPSILON, "{b}");
            assert!((found.acceleration - p.derivative.derivative / h / h).abs() < 16.0 * f64::EPSILON, "{b}");
        }
    }
}
