//! Eigenvalues of small symmetric matrices by Jacobi's rotations.

/// A square matrix by rows.
type Matrix = Vec<Vec<f64>>;

/// Eigenvalues and unit eigenvectors (one per row of the second result) of a symmetric matrix.
///
/// # Panics
/// Where the matrix is not square.
pub fn symmetric(mut a: Vec<Vec<f64>>) -> (Vec<f64>, Vec<Vec<f64>>) {
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

/// Squares `ω²` of the frequencies and vectors `v` (one per row of the second result) of `K v = ω² M v`, `v* M v = 1`, lowest first.
///
/// None where the mass is not definite: a combination of the coordinates moves no mass to speak of.
///
/// # Panics
/// If the two matrices are not square and of one size.
#[track_caller]
pub fn generalised(stiffness: &[Vec<f64>], mass: &[Vec<f64>]) -> Option<(Vec<f64>, Matrix)> {
    let n = mass.len();
    assert!(stiffness.len() == n, "stiffness and mass of one size");
    // Coordinates of unit mass first: the factor then tells lack of mass from units.
    let scale: Vec<f64> = (0..n).map(|i| mass[i][i].sqrt().recip()).collect();
    if !scale.iter().all(|s| s.is_finite()) {
        return None;
    }
    let scaled = |a: &[Vec<f64>]| -> Matrix {
        (0..n).map(|i| (0..n).map(|j| scale[i] * 0.5 * (a[i][j] + a[j][i]) * scale[j]).collect()).collect()
    };
    let l = factor(scaled(mass))?;
    // A = L⁻¹ K L⁻*: L⁻¹ on the rows, then, A being symmetric, on the columns as rows.
    let mut a = scaled(stiffness);
    for _ in 0..2 {
        solve_rows(&l, &mut a);
        a = (0..n).map(|i| (0..n).map(|j| a[j][i]).collect()).collect();
    }
    let (squares, vectors) = symmetric(a);
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&i, &j| squares[i].total_cmp(&squares[j]));
    let back = |&k: &usize| -> Vec<f64> {
        // L* x = y, then v = S x.
        let mut x = vectors[k].clone();
        for i in (0..n).rev() {
            x[i] = (x[i] - (i + 1..n).map(|j| l[j][i] * x[j]).sum::<f64>()) / l[i][i];
        }
        x.iter().zip(&scale).map(|(x, s)| x * s).collect()
    };
    Some((order.iter().map(|&k| squares[k]).collect(), order.iter().map(back).collect()))
}

/// Cholesky's factor of a matrix of unit diagonal; None where a pivot is no more than rounding.
fn factor(mut a: Matrix) -> Option<Matrix> {
    let n = a.len();
    for j in 0..n {
        for i in j..n {
            let sum: f64 = (0..j).map(|k| a[i][k] * a[j][k]).sum();
            a[i][j] -= sum;
            if i == j {
                if a[j][j].is_nan() || a[j][j] <= 16.0 * f64::EPSILON * n as f64 {
                    return None;
                }
                a[j][j] = a[j][j].sqrt();
            } else {
                a[i][j] /= a[j][j];
            }
        }
    }
    Some(a)
}

/// Rows of `L⁻¹ A`, from the first on.
fn solve_rows(l: &[Vec<f64>], a: &mut [Vec<f64>]) {
    for i in 0..a.len() {
        let (done, rest) = a.split_at_mut(i);
        for (row, k) in done.iter().zip(&l[i]) {
            rest[0].iter_mut().zip(row).for_each(|(x, y)| *x -= k * y);
        }
        rest[0].iter_mut().for_each(|x| *x /= l[i][i]);
    }
}

/// `f(A)` by its eigenvalues.
pub(crate) fn function(a: Vec<Vec<f64>>, f: impl Fn(f64) -> f64) -> Vec<Vec<f64>> {
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
    /// A chain of three masses on springs, in coordinates that couple both matrices: `ω² = 2 - 2 cos(kπ/4)` whatever the coordinates.
    #[test]
    fn frequencies_do_not_depend_on_the_coordinates() {
        let k = [[2.0, -1.0, 0.0], [-1.0, 2.0, -1.0], [0.0, -1.0, 2.0]];
        let t = [[1e3, 2e-3, 0.0], [0.0, 1e-3, 5.0], [2e3, 0.0, 1.0]];
        let turned = |a: &dyn Fn(usize, usize) -> f64| -> Vec<Vec<f64>> {
            let entry = |r: usize, s: usize| (0..9).map(|p| t[p / 3][r] * a(p / 3, p % 3) * t[p % 3][s]).sum();
            (0..3).map(|r| (0..3).map(|s| entry(r, s)).collect()).collect()
        };
        let mass = turned(&|i, j| f64::from(i == j));
        let (squares, vectors) = generalised(&turned(&|i, j| k[i][j]), &mass).unwrap();
        for (i, square) in squares.iter().enumerate() {
            let exact = 2.0 - 2.0 * ((i + 1) as f64 * std::f64::consts::FRAC_PI_4).cos();
            assert!((square - exact).abs() < 1e-13 * exact, "{square} {exact}");
            for j in 0..3 {
                let product: f64 = (0..9).map(|p| vectors[i][p / 3] * mass[p / 3][p % 3] * vectors[j][p % 3]).sum();
                assert!((product - f64::from(i == j)).abs() < 1e-12, "{product}");
            }
        }
    }

    #[test]
    fn coordinates_without_mass_have_no_frequencies() {
        let one = vec![vec![1.0, 0.0], vec![0.0, 1.0]];
        assert!(generalised(&one, &[vec![1.0, 0.0], vec![0.0, 0.0]]).is_none());
        assert!(generalised(&one, &[vec![4.0, 2.0], vec![2.0, 1.0]]).is_none());
        assert!(generalised(&[], &[]).is_some());
    }
}
