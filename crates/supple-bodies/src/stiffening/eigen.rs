//! Eigenvalues of small symmetric matrices by Jacobi's rotations.

/// Eigenvalues and unit eigenvectors (one per row of the second result) of a symmetric matrix.
pub(super) fn symmetric(mut a: Vec<Vec<f64>>) -> (Vec<f64>, Vec<Vec<f64>>) {
    let n = a.len();
    let mut vectors: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|j| f64::from(i == j)).collect()).collect();
    // Convergence is quadratic; a few dozen sweeps are more than any matrix needs.
    for _ in 0..60 {
        let size: f64 = a.iter().flatten().map(|x| x * x).sum();
        let off: f64 = (0..n).flat_map(|i| (0..i).map(move |j| (i, j))).map(|(i, j)| a[i][j] * a[i][j]).sum();
        if off <= 1e-34 * size || !size.is_finite() {
            break;
        }
        for p in 0..n {
            for q in p + 1..n {
                if a[p][q] == 0.0 {
                    continue;
                }
                let theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
                let t = theta.signum() / (theta.abs() + theta.hypot(1.0));
                let c = 1.0 / t.hypot(1.0);
                let s = t * c;
                for row in a.iter_mut() {
                    (row[p], row[q]) = (c * row[p] - s * row[q], s * row[p] + c * row[q]);
                }
                turn(&mut a, p, q, c, s);
                turn(&mut vectors, p, q, c, s);
            }
        }
    }
    ((0..n).map(|i| a[i][i]).collect(), vectors)
}

/// Turns rows `p` and `q`.
fn turn(a: &mut [Vec<f64>], p: usize, q: usize, c: f64, s: f64) {
    let (head, tail) = a.split_at_mut(q);
    for (x, y) in head[p].iter_mut().zip(tail[0].iter_mut()) {
        (*x, *y) = (c * *x - s * *y, s * *x + c * *y);
    }
}

/// `f(A)` by its eigenvalues.
pub(super) fn function(a: Vec<Vec<f64>>, f: impl Fn(f64) -> f64) -> Vec<Vec<f64>> {
    let n = a.len();
    let (values, vectors) = symmetric(a);
    let mut out = vec![vec![0.0; n]; n];
    for (value, v) in values.iter().zip(&vectors) {
        let y = f(*value);
        for i in 0..n {
            for j in 0..n {
                out[i][j] += y * v[i] * v[j];
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decomposition_gives_the_matrix_back() {
        let n = 7;
        let a: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|j| ((i * j + i + j) % 5) as f64 - 1.5).collect()).collect();
        let back = function(a.clone(), |x| x);
        let error = a.iter().flatten().zip(back.iter().flatten()).fold(0.0_f64, |m, (x, y)| m.max((x - y).abs()));
        assert!(error < 1e-13, "{error:e}");
        let square = function(a.clone(), |x| x * x);
        let direct: f64 = (0..n).map(|k| a[2][k] * a[k][4]).sum();
        assert!((square[2][4] - direct).abs() < 1e-12);
    }
}
