//! The sign of a matrix, by Newton's iteration `S ← (c S + (c S)⁻¹) / 2` with scaled steps (Roberts, 1980).
//!
//! Eigenvalues of the sign are 1 on the right of the imaginary axis and −1 on its left. A second matrix that rides along solves Lyapunov's
//! equation.

use faer::Mat;
use faer::linalg::solvers::Solve;

use crate::AnalysisError;

/// Steps; the last ones double the digits.
const MOST_STEPS: usize = 200;
/// Scaling of the steps ends where they change the sign by less than this part.
const NEAR: f64 = 1e-2;
/// The iteration ends here.
const CONVERGED: f64 = 1e-15;

/// `sign(A)`. None of the eigenvalues may be on the imaginary axis.
pub(crate) fn sign(a: &Mat<f64>) -> Result<Mat<f64>, AnalysisError> {
    iterate(a, None).map(|(sign, _)| sign)
}

/// `X` with `A X + X A* + Q = 0`, `Q` symmetric, for a stable `A`.
pub(crate) fn lyapunov(a: &Mat<f64>, q: &Mat<f64>) -> Result<Mat<f64>, AnalysisError> {
    let n = a.nrows();
    let solve = |q: &Mat<f64>| {
        let (_, x) = iterate(a, Some(q))?;
        // 2 X, made symmetric.
        Ok::<_, AnalysisError>(Mat::from_fn(n, n, |i, j| 0.25 * (x[(i, j)] + x[(j, i)])))
    };
    let x = solve(q)?;
    // What rounding left of the equation is solved for once more.
    let ax = a * &x;
    let rest = Mat::from_fn(n, n, |i, j| ax[(i, j)] + ax[(j, i)] + q[(i, j)]);
    Ok(x + solve(&rest)?)
}

/// The sign of `A`, and what becomes of the matrix `q` that rides along.
fn iterate(a: &Mat<f64>, q: Option<&Mat<f64>>) -> Result<(Mat<f64>, Mat<f64>), AnalysisError> {
    let n = a.nrows();
    let (mut s, mut x) = (a.clone(), q.cloned().unwrap_or_else(|| Mat::zeros(n, n)));
    let (mut near, mut last) = (n == 0, f64::INFINITY);
    for _ in 0..MOST_STEPS {
        let inverse = s.partial_piv_lu().solve(Mat::<f64>::identity(n, n));
        let (size, size_of_inverse) = (s.norm_l2(), inverse.norm_l2());
        if !(size.is_finite() && size_of_inverse.is_finite()) {
            return Err(AnalysisError::NoConvergence);
        }
        let c = if near { 1.0 } else { (size_of_inverse / size).sqrt() };
        let mean =
            |old: &Mat<f64>, new: &Mat<f64>| Mat::from_fn(n, n, |i, j| 0.5 * (c * old[(i, j)] + new[(i, j)] / c));
        let next = mean(&s, &inverse);
        if q.is_some() {
            x = mean(&x, &(&inverse * &x * inverse.transpose()));
        }
        let change = (&next - &s).norm_l2() / next.norm_l2().max(f64::MIN_POSITIVE);
        s = next;
        // Steps that no longer shrink are rounding.
        if near && (change < CONVERGED || change >= last) {
            return Ok((s, x));
        }
        if near {
            last = change;
        }
        near |= change < NEAR;
    }
    Err(AnalysisError::NoConvergence)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lyapunov_of_a_lightly_damped_oscillator_has_a_closed_form() {
        // Variance of an oscillator under white noise: S / (4 ζ ω³) of the displacement, S / (4 ζ ω) of the rate.
        let (w, zeta) = (30.0_f64, 1e-4);
        let a = Mat::from_fn(2, 2, |i, j| [[0.0, 1.0], [-w * w, -2.0 * zeta * w]][i][j]);
        let q = Mat::from_fn(2, 2, |i, j| if i == 1 && j == 1 { 1.0 } else { 0.0 });
        let x = lyapunov(&a, &q).unwrap();
        let expected = 1.0 / (4.0 * zeta * w);
        assert!((x[(1, 1)] / expected - 1.0).abs() < 1e-10, "{}", x[(1, 1)]);
        assert!((x[(0, 0)] * w * w / expected - 1.0).abs() < 1e-10, "{}", x[(0, 0)]);
    }

    #[test]
    fn the_sign_of_a_triangle_is_known() {
        let s = sign(&Mat::from_fn(2, 2, |i, j| [[-2.0, 3.0], [0.0, 5.0]][i][j])).unwrap();
        for (i, j, expected) in [(0, 0, -1.0), (1, 1, 1.0), (1, 0, 0.0), (0, 1, 6.0 / 7.0)] {
            assert!((s[(i, j)] - expected).abs() < 1e-14, "{i} {j} {}", s[(i, j)]);
        }
        assert!(sign(&Mat::zeros(2, 2)).is_err());
    }
}
