//! Dense linear equations.

/// The solution of `a x = b` by elimination with partial pivoting, or nothing where a pivot vanishes.
pub fn solve(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Option<Vec<f64>> {
    let n = b.len();
    for k in 0..n {
        let pivot = (k..n).max_by(|&i, &j| a[i][k].abs().total_cmp(&a[j][k].abs()))?;
        // Written so that a pivot that is not a number fails too.
        if !(a[pivot][k].abs() > 0.0 && a[pivot][k].is_finite()) {
            return None;
        }
        a.swap(k, pivot);
        b.swap(k, pivot);
        let (upper, lower) = a.split_at_mut(k + 1);
        for (i, row) in lower.iter_mut().enumerate() {
            let factor = row[k] / upper[k][k];
            (k..n).for_each(|j| row[j] -= factor * upper[k][j]);
            b[k + 1 + i] -= factor * b[k];
        }
    }
    for k in (0..n).rev() {
        let known: f64 = (k + 1..n).map(|j| a[k][j] * b[j]).sum();
        b[k] = (b[k] - known) / a[k][k];
    }
    Some(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pivots_are_exchanged_and_singular_matrices_told() {
        let x = solve(vec![vec![0.0, 2.0], vec![4.0, 1.0]], vec![6.0, 11.0]);
        assert_eq!(x, Some(vec![2.0, 3.0]));
        assert_eq!(solve(vec![vec![1.0, 2.0], vec![2.0, 4.0]], vec![1.0, 1.0]), None);
    }
}
