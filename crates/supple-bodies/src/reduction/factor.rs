//! Sparse `L D L*` in halves: what symmetrises an eigenproblem, solves static problems and counts eigenvalues.

use super::SparseSymmetric;
use faer::Par;
use faer::Side;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::sparse::SparseColMatRef;
use faer::sparse::SymbolicSparseColMatRef;
use faer::sparse::linalg::SupernodalThreshold;
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, SymbolicCholesky, SymbolicCholeskyRaw, SymmetricOrdering, factorize_symbolic_cholesky,
};

/// `P A P* = L D L*` with unit lower triangular `L`.
#[derive(Debug)]
pub(super) struct Factor {
    /// Row of `A` that became row `i` of the factor.
    order: Vec<usize>,
    starts: Vec<usize>,
    rows: Vec<usize>,
    values: Vec<f64>,
    pivots: Vec<f64>,
}

impl Factor {
    /// Factors a symmetric matrix without pivoting; nothing if a pivot is zero or an entry not finite.
    pub fn new(a: &SparseSymmetric) -> Option<Self> {
        let n = a.size();
        if !a.is_finite() {
            return None;
        }
        if n == 0 {
            return Some(Self { order: vec![], starts: vec![0], rows: vec![], values: vec![], pivots: vec![] });
        }
        let pattern = SymbolicSparseColMatRef::new_checked(n, n, &a.starts, None, &a.rows);
        let symbolic = analysed(pattern)?;
        let mut values = vec![0.0; symbolic.len_val()];
        let request = symbolic.factorize_numeric_ldlt_scratch::<f64>(Par::Seq, Default::default());
        let mut memory = MemBuffer::new(request);
        symbolic
            .factorize_numeric_ldlt(
                &mut values,
                SparseColMatRef::new(pattern, &a.values),
                Side::Lower,
                Default::default(),
                Par::Seq,
                MemStack::new(&mut memory),
                Default::default(),
            )
            .ok()?;
        let SymbolicCholeskyRaw::Simplicial(l) = symbolic.raw() else { return None };
        let order = symbolic.perm().map_or_else(|| (0..n).collect(), |p| p.arrays().0.to_vec());
        let (starts, rows) = (l.col_ptr().to_vec(), l.row_idx().to_vec());
        // The pivot is the first entry of its column.
        let pivots: Vec<f64> = (0..n).map(|j| values[starts[j]]).collect();
        let sound = pivots.iter().all(|d| d.is_finite() && *d != 0.0);
        sound.then_some(Self { order, starts, rows, values, pivots })
    }

    /// Pivots below zero: eigenvalues of `A` below zero (Sylvester).
    pub fn negative(&self) -> usize {
        self.pivots.iter().filter(|&&d| d < 0.0).count()
    }

    /// The row whose pivot is smallest against the diagonal of `a`, with that ratio.
    pub fn weakest(&self, a: &SparseSymmetric) -> Option<(usize, f64)> {
        let diagonal = a.diagonal();
        let ratio = |(i, d): (usize, &f64)| (self.order[i], d / diagonal[self.order[i]].abs());
        self.pivots.iter().enumerate().map(ratio).min_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// `|D|^-½ L⁻¹ P x`.
    pub fn half_solve(&self, x: &[f64]) -> Vec<f64> {
        let mut y: Vec<f64> = self.order.iter().map(|&i| x[i]).collect();
        for j in 0..y.len() {
            let yj = y[j];
            for p in self.starts[j] + 1..self.starts[j + 1] {
                y[self.rows[p]] -= self.values[p] * yj;
            }
        }
        y.iter_mut().zip(&self.pivots).for_each(|(y, d)| *y /= d.abs().sqrt());
        y
    }

    /// `P* L⁻* |D|^-½ y`.
    pub fn half_solve_transposed(&self, y: &[f64]) -> Vec<f64> {
        let mut y: Vec<f64> = y.iter().zip(&self.pivots).map(|(y, d)| y / d.abs().sqrt()).collect();
        for j in (0..y.len()).rev() {
            let sum: f64 = (self.starts[j] + 1..self.starts[j + 1]).map(|p| self.values[p] * y[self.rows[p]]).sum();
            y[j] -= sum;
        }
        let mut x = vec![0.0; y.len()];
        self.order.iter().zip(&y).for_each(|(&i, &v)| x[i] = v);
        x
    }

    /// `A⁻¹ x` where `A` is positive definite.
    pub fn solve(&self, x: &[f64]) -> Vec<f64> {
        self.half_solve_transposed(&self.half_solve(x))
    }
}

/// Fill-reducing order and pattern of the factor, always entry by entry so that the factor can be read.
fn analysed(pattern: SymbolicSparseColMatRef<'_, usize>) -> Option<SymbolicCholesky<usize>> {
    let parameters = CholeskySymbolicParams {
        supernodal_flop_ratio_threshold: SupernodalThreshold::FORCE_SIMPLICIAL,
        ..Default::default()
    };
    factorize_symbolic_cholesky(pattern, Side::Lower, SymmetricOrdering::Amd, parameters).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A chain of springs: the factor solves it, and counts the eigenvalues below a shift.
    #[test]
    fn solves_and_counts() {
        let n = 30;
        let mut entries = Vec::new();
        for i in 0..n {
            entries.push((i, i, 2.0));
            if i > 0 {
                entries.extend([(i, i - 1, -1.0), (i - 1, i, -1.0)]);
            }
        }
        let a = SparseSymmetric::from_triplets(n, &entries);
        let factor = Factor::new(&a).unwrap();
        let b: Vec<f64> = (0..n).map(|i| (i as f64).sin()).collect();
        let residual = a.mul(&factor.solve(&b));
        assert!(residual.iter().zip(&b).all(|(r, b)| (r - b).abs() < 1e-12));
        // Eigenvalues 2 - 2 cos(kπ/31).
        let unit = SparseSymmetric::from_triplets(n, &(0..n).map(|i| (i, i, 1.0)).collect::<Vec<_>>());
        let below = (1..=n).filter(|&k| 2.0 - 2.0 * (k as f64 * std::f64::consts::PI / 31.0).cos() < 1.3).count();
        assert_eq!(Factor::new(&a.plus(-1.3, &unit)).unwrap().negative(), below);
    }
}
