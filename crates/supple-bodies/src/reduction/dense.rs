//! Dense symmetric eigenproblems.

use super::eigen::ShiftedInverse;
use super::{ReductionError, dot};
use faer::linalg::solvers::SelfAdjointEigen;
use faer::{Mat, Side};

/// Eigenvalues in ascending order with unit eigenvectors of a symmetric matrix given by `at(i, j)`, `j ≤ i`.
pub(super) fn symmetric(n: usize, at: impl Fn(usize, usize) -> f64) -> Result<Vec<(f64, Vec<f64>)>, ReductionError> {
    let a = Mat::from_fn(n, n, |i, j| if j <= i { at(i, j) } else { at(j, i) });
    let eigen = SelfAdjointEigen::new(a.as_ref(), Side::Lower).map_err(|_| ReductionError::NotFinite)?;
    let (values, vectors) = (eigen.S().column_vector(), eigen.U());
    let mut pairs: Vec<(f64, Vec<f64>)> =
        (0..n).map(|j| (values[j], (0..n).map(|i| vectors[(i, j)]).collect())).collect();
    pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
    Ok(pairs)
}

/// The `count` largest pairs of the operator, largest first.
pub(super) fn largest(operator: &ShiftedInverse<'_>, count: usize) -> Result<Vec<(f64, Vec<f64>)>, ReductionError> {
    let n = operator.mass.size();
    let columns: Vec<Vec<f64>> = (0..n)
        .map(|j| {
            let mut unit = vec![0.0; n];
            unit[j] = 1.0;
            operator.apply(&unit)
        })
        .collect();
    let mut pairs = symmetric(n, |i, j| 0.5 * (columns[j][i] + columns[i][j]))?;
    pairs.reverse();
    pairs.truncate(count);
    Ok(pairs)
}

/// `(x* A y)` of every pair of vectors, given `A y` of each.
pub(super) fn products(vectors: &[Vec<f64>], images: &[Vec<f64>]) -> Vec<Vec<f64>> {
    vectors.iter().map(|x| images.iter().map(|y| dot(x, y)).collect()).collect()
}

/// Combinations `Σ c_j v_j`.
pub(super) fn combined(vectors: &[Vec<f64>], coefficients: &[f64]) -> Vec<f64> {
    let mut out = vec![0.0; vectors.first().map_or(0, Vec::len)];
    for (v, &c) in vectors.iter().zip(coefficients) {
        super::add_scaled(&mut out, c, v);
    }
    out
}
