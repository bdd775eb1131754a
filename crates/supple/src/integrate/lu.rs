//! Dense linear systems by Gaussian elimination with row exchanges.

/// A factored matrix.
#[derive(Clone, Debug)]
pub(super) struct Lu {
    n: usize,
    /// Rows of both triangles.
    rows: Vec<f64>,
    /// The row exchanged with each.
    exchanges: Vec<usize>,
}

impl Lu {
    /// Room for matrices of up to `most` rows.
    pub fn new(most: usize) -> Self {
        Self { n: 0, rows: vec![0.0; most * most], exchanges: vec![0; most] }
    }

    /// Factors the matrix of `n` rows with entries `entry(row, column)`. Whether it is regular.
    pub fn factor(&mut self, n: usize, entry: impl Fn(usize, usize) -> f64) -> bool {
        self.n = n;
        let Self { rows, exchanges, .. } = self;
        let rows = &mut rows[..n * n];
        for i in 0..n {
            for j in 0..n {
                rows[i * n + j] = entry(i, j);
            }
        }
        for k in 0..n {
            let size = |i: &usize| rows[i * n + k].abs();
            let pivot = (k..n).max_by(|a, b| size(a).total_cmp(&size(b))).unwrap_or(k);
            exchanges[k] = pivot;
            if pivot != k {
                let (above, below) = rows.split_at_mut(pivot * n);
                above[k * n..(k + 1) * n].swap_with_slice(&mut below[..n]);
            }
            let (above, below) = rows.split_at_mut((k + 1) * n);
            let row = &above[k * n..];
            if row[k] == 0.0 || !row[k].is_finite() {
                return false;
            }
            for other in below.chunks_exact_mut(n) {
                let factor = other[k] / row[k];
                other[k] = factor;
                if factor != 0.0 {
                    other[k + 1..].iter_mut().zip(&row[k + 1..]).for_each(|(x, y)| *x -= factor * y);
                }
            }
        }
        true
    }

    /// Solves in place.
    pub fn solve(&self, x: &mut [f64]) {
        let n = self.n;
        for (k, other) in self.exchanges[..n].iter().enumerate() {
            x.swap(k, *other);
        }
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        for i in 1..n {
            x[i] -= dot(&self.rows[i * n..i * n + i], &x[..i]);
        }
        for i in (0..n).rev() {
            x[i] = (x[i] - dot(&self.rows[i * n + i + 1..(i + 1) * n], &x[i + 1..n])) / self.rows[i * n + i];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solutions_obey_their_equations() {
        let a = [[0.0, 2.0, -1.0, 0.5], [3.0, 1e-9, 4.0, 0.0], [1.0, -2.0, 0.0, 7.0], [0.25, 0.0, 1.0, 1.0]];
        let mut lu = Lu::new(4);
        assert!(lu.factor(4, |i, j| a[i][j]));
        let right = [1.0, -2.0, 3.0, 0.5];
        let mut x = right;
        lu.solve(&mut x);
        for i in 0..4 {
            let sum: f64 = (0..4).map(|j| a[i][j] * x[j]).sum();
            assert!((sum - right[i]).abs() < 1e-13, "{i}: {sum}");
        }
        assert!(!lu.factor(4, |i, j| (i * j) as f64), "a singular matrix has no factor");
    }
}
