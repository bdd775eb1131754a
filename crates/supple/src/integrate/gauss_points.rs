//! Gauss points of a step, and what damped oscillators make of polynomials through them.

use super::damped::{COUNT, Functions};

/// Most points that the functions `φ_k` suffice for.
pub(super) const MOST: usize = COUNT - 1;

/// Gauss points of the step and the polynomials that go with them.
#[derive(Clone, Debug, Default)]
pub(super) struct Points {
    pub places: Vec<f64>,
    /// `m! ·` the coefficient of `σᵐ` of `ℓ_j`: row `j`, column `m`.
    polynomials: Vec<[f64; MOST]>,
}

impl Points {
    /// The roots of Legendre's polynomial of degree `s`, by Newton's method, brought to `[0, 1]`.
    pub fn new(s: usize) -> Self {
        let root = |i: usize| {
            let mut x = -((i as f64 + 0.75) / (s as f64 + 0.5) * std::f64::consts::PI).cos();
            for _ in 0..20 {
                let (mut before, mut p) = (0.0, 1.0);
                for k in 0..s {
                    let k = k as f64;
                    (before, p) = (p, ((2.0 * k + 1.0) * x * p - k * before) / (k + 1.0));
                }
                x -= p * (1.0 - x * x) / (s as f64 * (before - x * p));
            }
            0.5 * (1.0 + x)
        };
        let places: Vec<f64> = (0..s).map(root).collect();
        let polynomials = (0..s).map(|j| polynomial(&places, j)).collect();
        Self { places, polynomials }
    }

    /// `ℓ_j` at `x`.
    pub fn basis(&self, j: usize, x: f64) -> f64 {
        let others = self.places.iter().enumerate().filter(|(k, _)| *k != j);
        others.map(|(_, c)| (x - c) / (self.places[j] - c)).product()
    }

    /// Writes `α_j` and `β_j` at the place `x` of the step for an oscillator of `(ω h)² = square` and `d h = damping`.
    pub fn weights(&self, x: f64, [square, damping]: [f64; 2], mut write: impl FnMut(usize, [f64; 2])) {
        let functions = Functions::new(x * x * square, x * damping);
        for (j, polynomial) in self.polynomials.iter().enumerate() {
            let (mut alpha, mut beta, mut power) = (0.0, 0.0, x);
            for m in 0..self.places.len() {
                alpha += polynomial[m] * power * functions.alpha[m + 1];
                power *= x;
                beta += polynomial[m] * power * functions.beta[m + 1];
            }
            write(j, [alpha, beta]);
        }
    }
}

/// `m! ·` the coefficients of the polynomial that is one at place `j` and zero at the others.
fn polynomial(places: &[f64], j: usize) -> [f64; MOST] {
    let mut out = [0.0; MOST];
    out[0] = 1.0;
    for (k, c) in places.iter().enumerate().filter(|(k, _)| *k != j) {
        let scale = 1.0 / (places[j] - places[k]);
        for m in (0..MOST).rev() {
            let below = if m > 0 { out[m - 1] } else { 0.0 };
            out[m] = scale * (below - c * out[m]);
        }
    }
    let mut factorial = 1.0;
    for (m, x) in out.iter_mut().enumerate() {
        factorial *= m.max(1) as f64;
        *x *= factorial;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `Σ α_j p(c_j) = ∫₀ˣ α₀ p` and `Σ β_j p(c_j) = ∫₀ˣ (x - σ) β₀ p` for polynomials through the points, by a fine midpoint rule with
    /// one extrapolation.
    #[test]
    fn weights_integrate_what_an_oscillator_answers() {
        for s in 1..=MOST {
            let points = Points::new(s);
            let oscillators = [[0.0, 0.0], [2.5, 0.0], [90.0, 0.0], [90.0, 3.0], [1.0, 30.0], [0.0, 8.0]];
            for (x, oscillator) in points.places.iter().chain(&[1.0]).flat_map(|x| oscillators.map(|q| (*x, q))) {
                for k in 0..s as i32 {
                    let mut found = [0.0; 2];
                    points.weights(x, oscillator, |j, weights| {
                        let p = points.places[j].powi(k);
                        found = std::array::from_fn(|i| found[i] + weights[i] * p);
                    });
                    let rule = |cells: usize| {
                        let width = x / cells as f64;
                        (0..cells).fold([0.0; 2], |sum, i| {
                            let at = (i as f64 + 0.5) * width;
                            let f = Functions::new((x - at) * (x - at) * oscillator[0], (x - at) * oscillator[1]);
                            let p = at.powi(k) * width;
                            [sum[0] + f.alpha[0] * p, sum[1] + (x - at) * f.beta[0] * p]
                        })
                    };
                    let (coarse, fine) = (rule(1000), rule(2000));
                    for i in 0..2 {
                        let expected = fine[i] + (fine[i] - coarse[i]) / 3.0;
                        assert!(
                            (found[i] - expected).abs() < 1e-10,
                            "{s} {x} {oscillator:?} {k}: {} {expected}",
                            found[i]
                        );
                    }
                }
            }
        }
    }

    /// At the end of the step polynomials of twice the degree are integrated exactly: that is the order.
    #[test]
    fn the_end_is_of_twice_the_order() {
        for s in 1..=MOST {
            let points = Points::new(s);
            for k in 0..2 * s as i32 {
                let mut sum = 0.0;
                points.weights(1.0, [0.0; 2], |j, [alpha, _]| sum += alpha * points.places[j].powi(k));
                assert!((sum - 1.0 / f64::from(k + 1)).abs() < 1e-13, "{s} {k}: {sum}");
            }
            let mut sum = 0.0;
            points.weights(1.0, [0.0; 2], |j, [alpha, _]| sum += alpha * points.places[j].powi(2 * s as i32));
            assert!((sum - 1.0 / (2.0 * s as f64 + 1.0)).abs() > 1e-9, "{s}: more than its order");
        }
    }
}
