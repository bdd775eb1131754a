//! Dense symmetric matrices by rows: Cholesky solution, eigenvalues, condition number.

/// The lower Cholesky factor, or nothing where the matrix is not positive definite.
pub fn cholesky(matrix: &[Vec<f64>]) -> Option<Vec<Vec<f64>>> {
    let n = matrix.len();
    let mut factor = vec![vec![0.0; n]; n];
    for i in 0..n {
        for j in 0..=i {
            let (row, other) = (&factor[i], &factor[j]);
            let mut sum = matrix[i][j];
            for k in 0..j {
                sum -= row[k] * other[k];
            }
            if i > j {
                factor[i][j] = sum / factor[j][j];
            } else if sum > 0.0 {
                factor[i][i] = sum.sqrt();
            } else {
                return None;
            }
        }
    }
    Some(factor)
}

/// The solution of `matrix · x = right`, refined once, or nothing where the matrix is not positive
/// definite.
pub fn solve(matrix: &[Vec<f64>], right: &[f64]) -> Option<Vec<f64>> {
    let factor = cholesky(matrix)?;
    let mut x = substitute(&factor, right);
    let residual: Vec<f64> = matrix
        .iter()
        .zip(right)
        .map(|(row, b)| row.iter().zip(&x).fold(*b, |sum, (&a, &x)| (-a).mul_add(x, sum)))
        .collect();
    for (x, correction) in x.iter_mut().zip(substitute(&factor, &residual)) {
        *x += correction;
    }
    Some(x)
}

fn substitute(factor: &[Vec<f64>], right: &[f64]) -> Vec<f64> {
    let n = right.len();
    let mut x = right.to_vec();
    for i in 0..n {
        for k in 0..i {
            x[i] -= factor[i][k] * x[k];
        }
        x[i] /= factor[i][i];
    }
    for i in (0..n).rev() {
        x[i] /= factor[i][i];
        for k in 0..i {
            x[k] -= factor[i][k] * x[i];
        }
    }
    x
}

/// Eigenvalues of a symmetric matrix in ascending order, by Jacobi's rotations.
pub fn eigenvalues(matrix: &[Vec<f64>]) -> Vec<f64> {
    let n = matrix.len();
    let mut a = matrix.to_vec();
    for _ in 0..30 {
        let mut largest = 0.0_f64;
        for p in 0..n {
            for q in p + 1..n {
                // Relative to the diagonal, so that small eigenvalues come out as well.
                let size = (a[p][p] * a[q][q]).abs().sqrt();
                let off = a[p][q].abs();
                if off > f64::EPSILON * size && off > 0.0 {
                    largest = largest.max(off / size);
                    rotate(&mut a, p, q);
                }
            }
        }
        if largest < 1e-12 {
            break;
        }
    }
    let mut values: Vec<f64> = (0..n).map(|i| a[i][i]).collect();
    values.sort_by(f64::total_cmp);
    values
}

/// The rotation of rows and columns `p`, `q` that makes entry `(p, q)` zero.
fn rotate(a: &mut [Vec<f64>], p: usize, q: usize) {
    let ratio = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
    let t = ratio.signum() / (ratio.abs() + ratio.hypot(1.0));
    let cosine = 1.0 / t.hypot(1.0);
    let sine = t * cosine;
    let off = a[p][q];
    a[p][p] -= t * off;
    a[q][q] += t * off;
    a[p][q] = 0.0;
    a[q][p] = 0.0;
    for k in (0..a.len()).filter(|&k| k != p && k != q) {
        let (x, y) = (a[p][k], a[q][k]);
        a[p][k] = cosine * x - sine * y;
        a[q][k] = sine * x + cosine * y;
        a[k][p] = a[p][k];
        a[k][q] = a[q][k];
    }
}

/// Condition number of a symmetric matrix scaled to unit diagonal; infinite where that matrix is not
/// positive definite to rounding.
pub fn condition_number(matrix: &[Vec<f64>]) -> f64 {
    let scale: Vec<f64> = (0..matrix.len()).map(|i| matrix[i][i].sqrt()).collect();
    let scaled: Vec<Vec<f64>> = (matrix.iter().zip(&scale))
        .map(|(row, s)| row.iter().zip(&scale).map(|(x, t)| x / (s * t)).collect())
        .collect();
    let values = eigenvalues(&scaled);
    match (values.first(), values.last()) {
        (Some(&least), Some(&largest)) if least > 0.0 => largest / least,
        (None, None) => 1.0,
        _ => f64::INFINITY,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hilbert_matrix_of_order_four() {
        let h: Vec<Vec<f64>> = (0..4).map(|i| (0..4).map(|j| 1.0 / f64::from(i + j + 1)).collect()).collect();
        let values = eigenvalues(&h);
        assert!((values[3] - 1.500_214_280_059_242_6).abs() < 1e-14, "{values:?}");
        assert!((values[0] / 9.670_230_402_258_69e-5 - 1.0).abs() < 1e-11, "{values:?}");
        let right: Vec<f64> = h.iter().map(|row| row.iter().sum()).collect();
        for x in solve(&h, &right).unwrap() {
            assert!((x - 1.0).abs() < 1e-12, "{x}");
        }
    }

    #[test]
    fn indefinite_matrices_have_no_factor() {
        assert_eq!(cholesky(&[vec![1.0, 2.0], vec![2.0, 1.0]]), None);
        assert_eq!(condition_number(&[vec![1.0, 2.0], vec![2.0, 1.0]]), f64::INFINITY);
    }
}
