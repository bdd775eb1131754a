//! Dense matrices as this crate takes and gives them: plain numbers, row after row. What is calculated with them is faer's.

use faer::Mat;

/// A dense matrix.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Matrix {
    rows: usize,
    columns: usize,
    /// Row after row.
    numbers: Vec<f64>,
}

impl Matrix {
    /// All zero.
    pub fn zeros(rows: usize, columns: usize) -> Self {
        Self { rows, columns, numbers: vec![0.0; rows * columns] }
    }

    /// Of `n` rows, ones on the diagonal.
    pub fn identity(n: usize) -> Self {
        Self::from_fn(n, n, |i, j| f64::from(u8::from(i == j)))
    }

    /// With the entry `entry(i, j)` in row `i` and column `j`.
    pub fn from_fn(rows: usize, columns: usize, entry: impl Fn(usize, usize) -> f64) -> Self {
        let numbers = (0..rows * columns).map(|k| entry(k / columns, k % columns)).collect();
        Self { rows, columns, numbers }
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// All entries, row after row.
    pub fn as_slice(&self) -> &[f64] {
        &self.numbers
    }

    /// Row `i`.
    ///
    /// # Panics
    /// For a row that the matrix has not.
    pub fn row(&self, i: usize) -> &[f64] {
        &self.numbers[i * self.columns..(i + 1) * self.columns]
    }

    pub(crate) fn to_faer(&self) -> Mat<f64> {
        Mat::from_fn(self.rows, self.columns, |i, j| self[(i, j)])
    }

    pub(crate) fn from_faer(matrix: faer::MatRef<'_, f64>) -> Self {
        Self::from_fn(matrix.nrows(), matrix.ncols(), |i, j| matrix[(i, j)])
    }
}

impl std::ops::Index<(usize, usize)> for Matrix {
    type Output = f64;

    fn index(&self, (i, j): (usize, usize)) -> &f64 {
        &self.row(i)[j]
    }
}

impl std::ops::IndexMut<(usize, usize)> for Matrix {
    fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut f64 {
        &mut self.numbers[i * self.columns..(i + 1) * self.columns][j]
    }
}
