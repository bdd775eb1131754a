//! Matrices of finite-element codes from files.
//!
//! | module            | reads and writes                                                        |
//! |-------------------|-------------------------------------------------------------------------|
//! | [`matrix_market`] | Matrix Market text: coordinate or array, real or integer, general or symmetric |
//! | [`npy`]           | NumPy arrays of one or two dimensions, `f8`, `f4` or integers           |
//!
//! Both give a [`MatrixData`], which becomes a [`SparseSymmetric`] if it is square and symmetric. Sizes are limited, and checked before
//! anything is allocated.

pub mod error;
pub mod matrix_market;
pub mod npy;

pub use error::{MatrixFileError, MatrixRule, Place};

use crate::reduction::SparseSymmetric;

/// Most rows or columns that are read.
pub const SIZE_LIMIT: usize = 10_000_000;

/// A matrix as a list of its entries.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct MatrixData {
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
    /// Row, column and value of every entry that is not zero, each once.
    pub entries: Vec<(usize, usize, f64)>,
}

/// Entries may differ from those across the diagonal by this fraction of the entries and of the diagonal.
pub const ASYMMETRY: f64 = 1e-9;

impl MatrixData {
    /// As a symmetric matrix. Rounding of up to 1e-9 across the diagonal is averaged.
    ///
    /// # Errors
    /// [`MatrixFileError`] with [`MatrixRule::Square`] or [`MatrixRule::Symmetric`], which names the entry.
    pub fn symmetric(&self) -> Result<SparseSymmetric, MatrixFileError> {
        if self.rows != self.columns {
            let size = format!("{} x {}", self.rows, self.columns);
            return Err(MatrixFileError::new(Place::Whole, "size", &size, MatrixRule::Square));
        }
        if let Some((i, j, x)) =
            self.entries.iter().find(|e| e.0 >= self.rows || e.1 >= self.columns || !e.2.is_finite())
        {
            let value = format!("{x} at ({}, {})", i + 1, j + 1);
            return Err(MatrixFileError::new(Place::Whole, "entry", &value, MatrixRule::FiniteNumber));
        }
        let given = SparseSymmetric::from_triplets(self.rows, &self.entries);
        let diagonal = given.diagonal();
        let mut halves = Vec::with_capacity(2 * self.entries.len());
        for (i, j, x) in given.entries() {
            if i != j {
                let across = given.get(j, i);
                let scale = (diagonal[i] * diagonal[j]).abs().sqrt().max(x.abs()).max(across.abs());
                if (x - across).abs() > ASYMMETRY * scale {
                    let value = format!("({}, {}) is {x}, ({}, {}) is {across}", i + 1, j + 1, j + 1, i + 1);
                    return Err(MatrixFileError::new(Place::Whole, "entry", &value, MatrixRule::Symmetric));
                }
            }
            halves.extend([(i, j, 0.5 * x), (j, i, 0.5 * x)]);
        }
        Ok(SparseSymmetric::from_triplets(self.rows, &halves))
    }
}
