//! Dense matrices for proofs: every operation is the one of the textbook.

use std::ops::{Add, Mul, Range, Sub};

/// A matrix by rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Dense {
    rows: usize,
    columns: usize,
    entries: Vec<f64>,
}

impl Dense {
    /// All entries zero.
    pub fn zeros(rows: usize, columns: usize) -> Self {
        Self { rows, columns, entries: vec![0.0; rows * columns] }
    }

    /// The identity.
    pub fn identity(n: usize) -> Self {
        Self::from_fn(n, n, |i, j| f64::from(i == j))
    }

    /// Entry by entry.
    pub fn from_fn(rows: usize, columns: usize, entry: impl Fn(usize, usize) -> f64) -> Self {
        let entries = (0..rows * columns).map(|at| entry(at / columns, at % columns)).collect();
        Self { rows, columns, entries }
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// An entry.
    pub fn at(&self, i: usize, j: usize) -> f64 {
        self.entries[i * self.columns + j]
    }

    /// The transpose.
    pub fn transpose(&self) -> Self {
        Self::from_fn(self.columns, self.rows, |i, j| self.at(j, i))
    }

    /// Some rows and columns.
    pub fn block(&self, rows: Range<usize>, columns: Range<usize>) -> Self {
        Self::from_fn(rows.len(), columns.len(), |i, j| self.at(rows.start + i, columns.start + j))
    }

    /// Puts a block at a row and a column.
    pub fn put(&mut self, row: usize, column: usize, block: &Self) {
        for i in 0..block.rows {
            for j in 0..block.columns {
                self.entries[(row + i) * self.columns + column + j] = block.at(i, j);
            }
        }
    }

    /// The product with a vector.
    pub fn times(&self, x: &[f64]) -> Vec<f64> {
        let row = |i: usize| (0..self.columns).map(|j| self.at(i, j) * x[j]).sum();
        (0..self.rows).map(row).collect()
    }

    /// The inverse by elimination with the largest pivot of each column; `None` for a singular matrix.
    pub fn inverse(&self) -> Option<Self> {
        let n = self.rows;
        let (mut left, mut right) = (self.clone(), Self::identity(n));
        for i in 0..n {
            let pivot = (i..n).max_by(|&a, &b| left.at(a, i).abs().total_cmp(&left.at(b, i).abs()))?;
            left.swap(i, pivot);
            right.swap(i, pivot);
            let inverse = left.at(i, i).recip();
            if !inverse.is_finite() {
                return None;
            }
            left.scale(i, inverse);
            right.scale(i, inverse);
            for k in (0..n).filter(|k| *k != i) {
                let factor = left.at(k, i);
                left.subtract(k, i, factor);
                right.subtract(k, i, factor);
            }
        }
        Some(right)
    }

    /// The greatest entry in size.
    pub fn size(&self) -> f64 {
        self.entries.iter().fold(0.0, |most, x| most.max(x.abs()))
    }

    fn swap(&mut self, i: usize, k: usize) {
        for j in 0..self.columns {
            self.entries.swap(i * self.columns + j, k * self.columns + j);
        }
    }

    fn scale(&mut self, i: usize, factor: f64) {
        self.entries[i * self.columns..][..self.columns].iter_mut().for_each(|x| *x *= factor);
    }

    fn subtract(&mut self, k: usize, i: usize, factor: f64) {
        for j in 0..self.columns {
            self.entries[k * self.columns + j] -= factor * self.entries[i * self.columns + j];
        }
    }
}

impl Mul for &Dense {
    type Output = Dense;

    fn mul(self, other: Self) -> Dense {
        assert_eq!(self.columns, other.rows, "sizes of a product");
        let mut out = Dense::zeros(self.rows, other.columns);
        for i in 0..self.rows {
            for k in (0..self.columns).filter(|k| self.at(i, *k) != 0.0) {
                out.subtract_from(i, other, k, -self.at(i, k));
            }
        }
        out
    }
}

impl Dense {
    fn subtract_from(&mut self, i: usize, other: &Self, k: usize, factor: f64) {
        for j in 0..self.columns {
            self.entries[i * self.columns + j] -= factor * other.at(k, j);
        }
    }
}

impl Add for &Dense {
    type Output = Dense;

    fn add(self, other: Self) -> Dense {
        assert_eq!((self.rows, self.columns), (other.rows, other.columns), "sizes of a sum");
        Dense::from_fn(self.rows, self.columns, |i, j| self.at(i, j) + other.at(i, j))
    }
}

impl Sub for &Dense {
    type Output = Dense;

    fn sub(self, other: Self) -> Dense {
        assert_eq!((self.rows, self.columns), (other.rows, other.columns), "sizes of a difference");
        Dense::from_fn(self.rows, self.columns, |i, j| self.at(i, j) - other.at(i, j))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_inverse_needs_its_pivots() {
        let a = Dense::from_fn(3, 3, |i, j| [[0.0, 2.0, 1.0], [1.0, 0.0, 3.0], [2.0, 1.0, 0.0]][i][j]);
        assert!((&(&a * &a.inverse().unwrap()) - &Dense::identity(3)).size() < 1e-15);
        assert!(Dense::from_fn(2, 2, |i, _| i as f64).inverse().is_none());
    }
}
