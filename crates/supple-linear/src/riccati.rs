//! Riccati's equations, by structure-preserving doubling (Chu, Fan, Lin and Wang, 2004).
//!
//! ```text
//! discrete:    X = A* X (1 + G X)⁻¹ A + H                   G = B R⁻¹ B*, H = Q
//! continuous:  A* X + X A - X G X + H = 0
//! ```
//!
//! A doubling step makes of `A, G, H` those of two samples: `H` tends to the stabilising solution, its error squared from step to step. The
//! continuous equation becomes a discrete one with the same solution by Cayley's map of the half plane onto the disc. What rounding leaves of the
//! continuous equation is taken away by Newton's iteration, a Lyapunov equation each (Kleinman).

use faer::Mat;
use faer::linalg::solvers::Solve;

use crate::AnalysisError;
use crate::balance::balance;
use crate::sign::lyapunov;

/// Doublings; the last ones double the digits.
const MOST_DOUBLINGS: usize = 60;
/// Doubling ends where `H` changes by less than this part.
const CONVERGED: f64 = 1e-15;
/// Newton's steps on the continuous equation.
const MOST_NEWTON: usize = 12;
/// What the equation may leave, relative to the sizes of its terms.
const RESIDUAL: f64 = 1e-8;

/// The matrices of an equation.
pub(crate) struct Riccati {
    /// `A`.
    pub a: Mat<f64>,
    /// `G`, symmetric and not negative.
    pub g: Mat<f64>,
    /// `H`, symmetric and not negative.
    pub h: Mat<f64>,
}

impl Riccati {
    /// The stabilising solution: of the continuous equation, or with `sampled` of the discrete one.
    pub fn solve(&self, sampled: bool) -> Result<Mat<f64>, AnalysisError> {
        let n = self.a.nrows();
        if n == 0 {
            return Ok(Mat::zeros(0, 0));
        }
        // States of like size, and terms of like size: x = T ξ, X = s T⁻¹ Ξ T⁻¹.
        let mut a = self.a.clone();
        let t = balance(&mut a);
        let g = Mat::from_fn(n, n, |i, j| self.g[(i, j)] / (t[i] * t[j]));
        let h = Mat::from_fn(n, n, |i, j| self.h[(i, j)] * t[i] * t[j]);
        let s = match (h.norm_l2() / g.norm_l2()).sqrt() {
            s if s.is_finite() && s > 0.0 => s,
            _ => 1.0,
        };
        let scaled = Self { a, g: g * faer::Scale(s), h: h * faer::Scale(1.0 / s) };
        let x = if sampled { scaled.double()? } else { scaled.continuous()? };
        if scaled.residual(&x, sampled) > RESIDUAL {
            return Err(AnalysisError::NoRegulator);
        }
        Ok(Mat::from_fn(n, n, |i, j| s * x[(i, j)] / (t[i] * t[j])))
    }

    /// What a solution leaves of the equation, relative to its terms.
    fn residual(&self, x: &Mat<f64>, sampled: bool) -> f64 {
        let (n, a) = (x.nrows(), self.a.as_ref());
        let (terms, rest) = if sampled {
            let w = Mat::<f64>::identity(n, n) + &self.g * x;
            let carried = a.transpose() * x * w.partial_piv_lu().solve(a);
            (x.norm_l2(), carried + &self.h - x)
        } else {
            let (ax, xgx) = (a.transpose() * x, x * &self.g * x);
            let terms = ax.norm_l2() + xgx.norm_l2() + self.h.norm_l2();
            (terms, &ax + ax.transpose() - xgx + &self.h)
        };
        let part = rest.norm_l2() / terms.max(f64::MIN_POSITIVE);
        if part.is_nan() { f64::INFINITY } else { part }
    }

    /// Doubling.
    fn double(&self) -> Result<Mat<f64>, AnalysisError> {
        let n = self.a.nrows();
        let (mut a, mut g, mut h) = (self.a.clone(), self.g.clone(), self.h.clone());
        for _ in 0..MOST_DOUBLINGS {
            let w = (Mat::<f64>::identity(n, n) + &g * &h).partial_piv_lu();
            let (wa, wg) = (w.solve(&a), w.solve(&g));
            // A ← A W⁻¹ A, G ← G + A W⁻¹ G A*, H ← H + A* H W⁻¹ A
            let grown = symmetric(&(a.transpose() * &h * &wa));
            g = symmetric(&(&g + &a * &wg * a.transpose()));
            a = &a * &wa;
            let change = grown.norm_l2();
            h = &h + grown;
            if !(change.is_finite() && g.norm_l2().is_finite()) {
                return Err(AnalysisError::NoRegulator);
            }
            if change <= CONVERGED * h.norm_l2() {
                return Ok(h);
            }
        }
        Err(AnalysisError::NoRegulator)
    }

    /// The continuous equation: Cayley's map, doubling, Newton's iteration.
    fn continuous(&self) -> Result<Mat<f64>, AnalysisError> {
        let mut x = self.cayley()?.double()?;
        let mut best = self.residual(&x, false);
        for _ in 0..MOST_NEWTON {
            // Ac* X + X Ac + H + X G X = 0 with Ac = A - G X.
            let closed = &self.a - &self.g * &x;
            let loads = &self.h + &x * &self.g * &x;
            let Ok(next) = lyapunov(&closed.transpose().to_owned(), &symmetric(&loads)) else { break };
            let left = self.residual(&next, false);
            if left >= best {
                break;
            }
            (x, best) = (next, left);
        }
        Ok(x)
    }

    /// The discrete equation with the same solution, by `z = (s + γ) / (s - γ)`.
    fn cayley(&self) -> Result<Self, AnalysisError> {
        let n = self.a.nrows();
        let one = Mat::<f64>::identity(n, n);
        // Beyond every real pole: the shifted matrix has an inverse.
        let gamma = 1.3 * self.a.norm_l2().max(self.g.norm_l2().min(self.h.norm_l2())).max(f64::MIN_POSITIVE);
        let shifted = &self.a - &one * faer::Scale(gamma);
        let lu = shifted.partial_piv_lu();
        let inverse = lu.solve(&one);
        // W = A_γ* + H A_γ⁻¹ G
        let w = shifted.transpose() + &self.h * &inverse * &self.g;
        let w = w.partial_piv_lu().solve(&one);
        let twice = faer::Scale(2.0 * gamma);
        let out = Self {
            a: &one + w.transpose() * twice,
            g: symmetric(&(&inverse * &self.g * &w * twice)),
            h: symmetric(&(&w * &self.h * &inverse * twice)),
        };
        let sizes = [out.a.norm_l2(), out.g.norm_l2(), out.h.norm_l2()];
        if sizes.iter().all(|size| size.is_finite()) { Ok(out) } else { Err(AnalysisError::NoRegulator) }
    }
}

/// The symmetric part.
pub(crate) fn symmetric(m: &Mat<f64>) -> Mat<f64> {
    Mat::from_fn(m.nrows(), m.ncols(), |i, j| 0.5 * (m[(i, j)] + m[(j, i)]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(rows: &[&[f64]]) -> Mat<f64> {
        Mat::from_fn(rows.len(), rows[0].len(), |i, j| rows[i][j])
    }

    /// One state: a quadratic equation.
    #[test]
    fn one_state_has_a_closed_form() {
        for (a, g, h) in [(-3.0, 2.0, 5.0), (4.0, 1e-3, 7.0), (0.0, 1.0, 1e4), (1e3, 1e6, 1e-6)] {
            let of = |x: f64| Mat::from_fn(1, 1, |_, _| x);
            let equation = Riccati { a: of(a), g: of(g), h: of(h) };
            let x = equation.solve(false).unwrap()[(0, 0)];
            let expected = (a + f64::sqrt(a * a + g * h)) / g;
            assert!((x / expected - 1.0).abs() < 1e-11, "{x} {expected}");
            // Discrete: g x² + (1 - a² - g h) x - h = 0.
            let a = a / (1.0 + a.abs());
            let x = Riccati { a: of(a), g: of(g), h: of(h) }.solve(true).unwrap()[(0, 0)];
            let b = 1.0 - a * a - g * h;
            let expected = (-b + (b * b + 4.0 * g * h).sqrt()) / (2.0 * g);
            assert!((x / expected - 1.0).abs() < 1e-9, "{x} {expected}");
        }
    }

    /// A double integrator with Q = diag(1, 0), R = 1: X = [√2 1; 1 √2].
    #[test]
    fn a_double_integrator_has_a_closed_form() {
        let equation = Riccati {
            a: matrix(&[&[0.0, 1.0], &[0.0, 0.0]]),
            g: matrix(&[&[0.0, 0.0], &[0.0, 1.0]]),
            h: matrix(&[&[1.0, 0.0], &[0.0, 0.0]]),
        };
        let x = equation.solve(false).unwrap();
        let root = 2.0_f64.sqrt();
        for (i, j, expected) in [(0, 0, root), (0, 1, 1.0), (1, 0, 1.0), (1, 1, root)] {
            assert!((x[(i, j)] - expected).abs() < 1e-12, "{x:?}");
        }
    }

    /// Modes from 0.1 to 1e4 rad/s, lightly damped, in uneven units, one of them not stable: both equations hold.
    #[test]
    fn stiff_systems_leave_little_of_the_equations() {
        let n = 12;
        let unit = |i: usize| 10.0_f64.powi((i % 5) as i32 - 2);
        let frequency = |k: usize| 0.1 * 10.0_f64.powi(k as i32);
        let a = Mat::from_fn(n, n, |i, j| {
            let (k, l) = (i / 2, j / 2);
            let of = match (i % 2, j % 2) {
                _ if k != l => 0.0,
                (0, 1) => 1.0,
                (1, 0) => -frequency(k).powi(2),
                (1, 1) => -2e-3 * frequency(k) * if k == 2 { -1.0 } else { 1.0 },
                _ => 0.0,
            };
            of * unit(i) / unit(j)
        });
        let b = Mat::from_fn(n, 2, |i, j| if i % 2 == 1 { unit(i) * (1.0 + ((i + 3 * j) % 4) as f64) } else { 0.0 });
        let g = &b * b.transpose();
        let h = Mat::from_fn(n, n, |i, j| f64::from(u8::from(i == j)) / (unit(i) * unit(j)));
        let equation = Riccati { a: a.clone(), g: g.clone(), h: h.clone() };
        let x = equation.solve(false).unwrap();
        assert!(equation.residual(&x, false) < 1e-9, "{:e}", equation.residual(&x, false));
        let phi = crate::exponential::exponential(&(&a * faer::Scale(1e-3)));
        let sampled = Riccati { a: phi, g: g * faer::Scale(1e-6), h };
        let x = sampled.solve(true).unwrap();
        assert!(sampled.residual(&x, true) < 1e-9, "{:e}", sampled.residual(&x, true));
    }

    #[test]
    fn what_cannot_be_held_is_refused() {
        let equation = Riccati { a: matrix(&[&[1.0]]), g: matrix(&[&[0.0]]), h: matrix(&[&[1.0]]) };
        assert_eq!(equation.solve(false).unwrap_err(), AnalysisError::NoRegulator);
        assert_eq!(equation.solve(true).unwrap_err(), AnalysisError::NoRegulator);
    }
}
