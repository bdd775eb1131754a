//! Symmetric sparse matrices, both triangles stored by columns.

/// A symmetric sparse matrix.
#[derive(Clone, Debug, PartialEq)]
pub struct SparseSymmetric {
    pub(super) starts: Vec<usize>,
    pub(super) rows: Vec<usize>,
    pub(super) values: Vec<f64>,
}

impl SparseSymmetric {
    /// From entries `(row, column, value)` of both triangles; entries of one place add up.
    ///
    /// # Panics
    /// If an entry lies outside the matrix.
    #[track_caller]
    pub fn from_triplets(size: usize, entries: &[(usize, usize, f64)]) -> Self {
        assert!(entries.iter().all(|e| e.0 < size && e.1 < size), "entry outside the matrix");
        let mut sorted = entries.to_vec();
        sorted.sort_by_key(|e| (e.1, e.0));
        let (mut starts, mut rows, mut values) = (vec![0; size + 1], Vec::new(), Vec::<f64>::new());
        let mut last = None;
        for (i, j, value) in sorted {
            if last == Some((i, j)) {
                if let Some(v) = values.last_mut() {
                    *v += value;
                }
                continue;
            }
            last = Some((i, j));
            rows.push(i);
            values.push(value);
            starts[j + 1] = rows.len();
        }
        for j in 0..size {
            starts[j + 1] = starts[j + 1].max(starts[j]);
        }
        Self { starts, rows, values }
    }

    /// Number of rows and columns.
    pub fn size(&self) -> usize {
        self.starts.len() - 1
    }

    /// Rows and values of a column.
    ///
    /// # Panics
    /// For a column that the matrix does not have.
    pub fn column(&self, j: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        (self.starts[j]..self.starts[j + 1]).map(|p| (self.rows[p], self.values[p]))
    }

    /// All entries `(row, column, value)`, by columns.
    pub fn entries(&self) -> impl Iterator<Item = (usize, usize, f64)> + '_ {
        (0..self.size()).flat_map(|j| self.column(j).map(move |(i, v)| (i, j, v)))
    }

    /// One entry.
    ///
    /// # Panics
    /// For a column that the matrix does not have.
    pub fn get(&self, i: usize, j: usize) -> f64 {
        let (start, end) = (self.starts[j], self.starts[j + 1]);
        self.rows[start..end].binary_search(&i).map_or(0.0, |p| self.values[start + p])
    }

    /// Diagonal.
    pub fn diagonal(&self) -> Vec<f64> {
        (0..self.size()).map(|j| self.get(j, j)).collect()
    }

    /// The matrix times a vector.
    ///
    /// # Panics
    /// Where the vector is shorter than the matrix.
    pub fn mul(&self, x: &[f64]) -> Vec<f64> {
        (0..self.size()).map(|j| self.column(j).map(|(i, v)| v * x[i]).sum()).collect()
    }

    /// `self + factor · other`.
    ///
    /// # Panics
    /// Where the other matrix is larger.
    pub fn plus(&self, factor: f64, other: &Self) -> Self {
        let scaled = other.entries().map(|(i, j, v)| (i, j, factor * v));
        Self::from_triplets(self.size(), &self.entries().chain(scaled).collect::<Vec<_>>())
    }

    /// Rows and columns `kept`, in that order.
    ///
    /// # Panics
    /// For a row that the matrix does not have.
    pub fn restricted(&self, kept: &[usize]) -> Self {
        let mut place = vec![None; self.size()];
        kept.iter().enumerate().for_each(|(new, &old)| place[old] = Some(new));
        let entries: Vec<_> = self.entries().filter_map(|(i, j, v)| Some((place[i]?, place[j]?, v))).collect();
        Self::from_triplets(kept.len(), &entries)
    }

    /// True if every entry is finite.
    pub fn is_finite(&self) -> bool {
        self.values.iter().all(|v| v.is_finite())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_add_up_and_restrict() {
        let a = SparseSymmetric::from_triplets(3, &[(0, 0, 1.0), (2, 0, 3.0), (0, 2, 3.0), (0, 0, 1.5), (2, 2, 4.0)]);
        assert_eq!(a.mul(&[1.0, 1.0, 2.0]), vec![8.5, 0.0, 11.0]);
        let b = a.restricted(&[2, 0]);
        assert_eq!(b.mul(&[1.0, 0.0]), vec![4.0, 3.0]);
        assert_eq!(a.plus(-2.0, &a).get(2, 0), -3.0);
    }
}
