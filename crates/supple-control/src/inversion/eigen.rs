//! `K φ = λ M φ` of small symmetric matrices: a Cholesky factor of `M`, then Jacobi's rotations.

/// Matrices by rows.
type Rows = Vec<Vec<f64>>;

/// Solves `K φ = λ M φ` of small symmetric matrices, by rows: eigenvalues in increasing order, and eigenvectors with `φ* M φ = 1`, one in each row. `None` where `M` is not positive definite or a number is not
/// finite.
pub fn symmetric_eigen(stiffness: &[Vec<f64>], mass: &[Vec<f64>]) -> Option<(Vec<f64>, Vec<Vec<f64>>)> {
    let n = mass.len();
    let factor = cholesky(mass)?;
    // A = L⁻¹ K L⁻*
    let mut a: Rows = stiffness.iter().map(|row| solve_lower(&factor, row)).collect();
    a = (0..n).map(|j| solve_lower(&factor, &a.iter().map(|row| row[j]).collect::<Vec<_>>())).collect();
    let mut vectors: Rows = (0..n).map(|i| (0..n).map(|j| f64::from(u8::from(i == j))).collect()).collect();
    for _ in 0..60 {
        let off: f64 = (0..n).flat_map(|i| (0..i).map(move |j| (i, j))).map(|(i, j)| a[i][j] * a[i][j]).sum();
        let all: f64 = a.iter().flatten().map(|x| x * x).sum();
        if !all.is_finite() {
            return None;
        }
        if off <= 1e-32 * all {
            break;
        }
        (0..n).flat_map(|q| (0..q).map(move |p| (p, q))).for_each(|(p, q)| rotate(&mut a, &mut vectors, p, q));
    }
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|i, j| a[*i][*i].total_cmp(&a[*j][*j]));
    let back = |vector: &Vec<f64>| solve_upper(&factor, vector);
    Some((order.iter().map(|i| a[*i][*i]).collect(), order.iter().map(|i| back(&vectors[*i])).collect()))
}

/// Turns rows and columns `p` and `q` until their entry is zero; `vectors` has eigenvectors as rows.
fn rotate(a: &mut Rows, vectors: &mut Rows, p: usize, q: usize) {
    if a[p][q] == 0.0 {
        return;
    }
    let ratio = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
    let t = ratio.signum() / (ratio.abs() + ratio.hypot(1.0));
    let c = t.hypot(1.0).recip();
    let s = t * c;
    for row in a.iter_mut() {
        (row[p], row[q]) = (c * row[p] - s * row[q], s * row[p] + c * row[q]);
    }
    for list in [a, vectors] {
        for k in 0..list.len() {
            (list[p][k], list[q][k]) = (c * list[p][k] - s * list[q][k], s * list[p][k] + c * list[q][k]);
        }
    }
}

fn cholesky(mass: &[Vec<f64>]) -> Option<Rows> {
    let n = mass.len();
    let mut l = vec![vec![0.0; n]; n];
    for i in 0..n {
        for j in 0..=i {
            let rest = mass[i][j] - (0..j).map(|k| l[i][k] * l[j][k]).sum::<f64>();
            l[i][j] = if i == j { rest.sqrt() } else { rest / l[j][j] };
        }
        if !(l[i][i] > 0.0 && l[i][i].is_finite()) {
            return None;
        }
    }
    Some(l)
}

fn solve_lower(l: &Rows, b: &[f64]) -> Vec<f64> {
    let mut x = b.to_vec();
    for i in 0..x.len() {
        x[i] = (x[i] - (0..i).map(|k| l[i][k] * x[k]).sum::<f64>()) / l[i][i];
    }
    x
}

fn solve_upper(l: &Rows, b: &[f64]) -> Vec<f64> {
    let mut x = b.to_vec();
    for i in (0..x.len()).rev() {
        x[i] = (x[i] - (i + 1..x.len()).map(|k| l[k][i] * x[k]).sum::<f64>()) / l[i][i];
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_solve_their_equation() {
        let mass = vec![vec![4.0, 1.0, 0.5], vec![1.0, 3.0, 0.2], vec![0.5, 0.2, 2.0]];
        let stiffness = vec![vec![0.0, 0.0, 0.0], vec![0.0, 500.0, 30.0], vec![0.0, 30.0, 9.0]];
        let (values, vectors) = symmetric_eigen(&stiffness, &mass).unwrap();
        assert!(values[0].abs() < 1e-12 && values.windows(2).all(|pair| pair[0] <= pair[1]));
        for (value, vector) in values.iter().zip(&vectors) {
            for i in 0..3 {
                let left: f64 = (0..3).map(|j| stiffness[i][j] * vector[j]).sum();
                let right: f64 = (0..3).map(|j| mass[i][j] * vector[j]).sum();
                assert!((left - value * right).abs() < 1e-10, "{values:?}");
            }
        }
        assert_eq!(symmetric_eigen(&stiffness, &vec![vec![0.0; 3]; 3]), None);
    }
}
