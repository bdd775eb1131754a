//! The exponential of a matrix: Padé's approximant of degree 13, with scaling and squaring (Higham, 2005).

use faer::Mat;
use faer::linalg::solvers::Solve;

use crate::balance::balance;

/// Coefficients of the numerator; those of the denominator have alternating signs.
const PADE: [f64; 14] = [
    64_764_752_532_480_000.0,
    32_382_376_266_240_000.0,
    7_771_770_303_897_600.0,
    1_187_353_796_428_800.0,
    129_060_195_264_000.0,
    10_559_470_521_600.0,
    670_442_572_800.0,
    33_522_128_640.0,
    1_323_241_920.0,
    40_840_800.0,
    960_960.0,
    16_380.0,
    182.0,
    1.0,
];
/// Greatest norm for which the approximant is exact to rounding.
const GREATEST_NORM: f64 = 5.371_920_351_148_152;

/// `exp(M)` for finite entries; entries of the result that are too large are infinite or none.
pub(crate) fn exponential(m: &Mat<f64>) -> Mat<f64> {
    let n = m.nrows();
    let mut m = m.clone();
    let scales = balance(&mut m);
    let squarings = (norm(&m) / GREATEST_NORM).log2().ceil().clamp(0.0, 1100.0) as i32;
    let m = scaled(&m, 0.5_f64.powi(squarings));
    let mut e = pade(&m);
    for _ in 0..squarings {
        e = &e * &e;
    }
    Mat::from_fn(n, n, |i, j| scales[i] * e[(i, j)] / scales[j])
}

fn pade(m: &Mat<f64>) -> Mat<f64> {
    let n = m.nrows();
    let one = Mat::<f64>::identity(n, n);
    let m2 = m * m;
    let m4 = &m2 * &m2;
    let m6 = &m4 * &m2;
    let sum = |first: usize| {
        let high = scaled(&m6, PADE[first + 12]) + scaled(&m4, PADE[first + 10]) + scaled(&m2, PADE[first + 8]);
        let low = scaled(&m6, PADE[first + 6]) + scaled(&m4, PADE[first + 4]) + scaled(&m2, PADE[first + 2]);
        &m6 * &high + low + scaled(&one, PADE[first])
    };
    let (even, odd) = (sum(0), m * &sum(1));
    // p(M) / p(−M) = 1 + 2 (even − odd)⁻¹ odd.
    let quotient = (&even - &odd).partial_piv_lu().solve(&odd);
    one + scaled(&quotient, 2.0)
}

/// Greatest sum of a column.
fn norm(m: &Mat<f64>) -> f64 {
    let column = |j: usize| (0..m.nrows()).map(|i| m[(i, j)].abs()).sum::<f64>();
    (0..m.ncols()).map(column).fold(0.0, f64::max)
}

fn scaled(m: &Mat<f64>, factor: f64) -> Mat<f64> {
    Mat::from_fn(m.nrows(), m.ncols(), |i, j| factor * m[(i, j)])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(rows: &[&[f64]]) -> Mat<f64> {
        exponential(&Mat::from_fn(rows.len(), rows.len(), |i, j| rows[i][j]))
    }

    #[test]
    fn closed_forms() {
        // A nilpotent matrix: the series ends.
        let e = of(&[&[0.0, 2.0, 0.0], &[0.0, 0.0, 3.0], &[0.0, 0.0, 0.0]]);
        for (i, j, expected) in [(0, 0, 1.0), (0, 1, 2.0), (0, 2, 3.0), (1, 2, 3.0), (2, 0, 0.0)] {
            assert!((e[(i, j)] - expected).abs() < 1e-14, "{i} {j} {}", e[(i, j)]);
        }
        // A rotation by a large angle, in uneven units.
        let (w, t) = (1e4_f64, 0.0123);
        let e = of(&[&[0.0, t], &[-w * w * t, 0.0]]);
        assert!((e[(0, 0)] - (w * t).cos()).abs() < 1e-11);
        assert!((w * e[(0, 1)] - (w * t).sin()).abs() < 1e-11);
        // Decay far below rounding.
        let e = of(&[&[-1000.0, 1.0], &[0.0, -1.0]]);
        assert!((e[(1, 1)] - (-1.0_f64).exp()).abs() < 1e-13);
        assert!((e[(0, 1)] - (-1.0_f64).exp() / 999.0).abs() < 1e-15);
        assert_eq!(exponential(&Mat::zeros(0, 0)).nrows(), 0);
    }
}
