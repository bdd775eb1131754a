//! Least squares by Householder's reflections with column pivots, in memory that is there.

/// What is left of a column below this depends on those before it; columns are about of unit length.
const DEPENDENT: f64 = 1e-9;

/// A matrix, column after column, on its way to upper triangular form.
#[derive(Clone, Debug)]
pub(super) struct Columns {
    rows: usize,
    numbers: Vec<f64>,
    /// Which column of the problem stands where.
    pub order: Vec<usize>,
    rank: usize,
}

impl Columns {
    /// Room for so many rows and columns.
    pub fn new(rows: usize, columns: usize) -> Self {
        Self { rows, numbers: vec![0.0; rows * columns], order: (0..columns).collect(), rank: 0 }
    }

    /// An empty matrix of another size, within the room that there is.
    pub fn resize(&mut self, rows: usize, columns: usize) {
        self.rows = rows;
        self.numbers.truncate(0);
        self.numbers.resize(rows * columns, 0.0);
        self.order.truncate(0);
        self.order.extend(0..columns);
        self.rank = 0;
    }

    pub fn column(&self, j: usize) -> &[f64] {
        &self.numbers[j * self.rows..(j + 1) * self.rows]
    }

    pub fn column_mut(&mut self, j: usize) -> &mut [f64] {
        &mut self.numbers[j * self.rows..(j + 1) * self.rows]
    }

    /// Keeps the columns given, in that order.
    pub fn keep(&mut self, columns: &[usize], scratch: &mut Vec<f64>) {
        scratch.clear();
        columns.iter().for_each(|j| scratch.extend_from_slice(self.column(*j)));
        std::mem::swap(&mut self.numbers, scratch);
        self.order.truncate(0);
        self.order.extend(0..columns.len());
    }

    /// Number of columns that do not depend on others, after [`triangularize`](Self::triangularize): the first ones.
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// Makes the matrix upper triangular, largest columns first, and turns `right` with it.
    pub fn triangularize(&mut self, right: &mut [f64]) {
        let (rows, columns) = (self.rows, self.order.len());
        for k in 0..rows.min(columns) {
            let size = |j: usize| self.column(j)[k..].iter().map(|x| x * x).sum::<f64>();
            let Some(pivot) = (k..columns).max_by(|&i, &j| size(i).total_cmp(&size(j))) else { return };
            let norm = size(pivot).sqrt();
            if norm <= DEPENDENT {
                return;
            }
            if pivot != k {
                (0..rows).for_each(|i| self.numbers.swap(k * rows + i, pivot * rows + i));
                self.order.swap(k, pivot);
            }
            let (before, after) = self.numbers.split_at_mut((k + 1) * rows);
            let v = &mut before[k * rows + k..];
            let end = if v[0] > 0.0 { -norm } else { norm };
            v[0] -= end;
            let square = v.iter().map(|x| x * x).sum::<f64>();
            let reflect = |x: &mut [f64]| {
                let s = 2.0 * v.iter().zip(x.iter()).map(|(v, x)| v * x).sum::<f64>() / square;
                x.iter_mut().zip(v.iter()).for_each(|(x, v)| *x -= s * v);
            };
            after.chunks_exact_mut(rows).for_each(|column| reflect(&mut column[k..]));
            reflect(&mut right[k..rows]);
            v.fill(0.0);
            v[0] = end;
            self.rank = k + 1;
        }
    }

    /// Solves with the leading triangle, in place of the first numbers of `x`.
    pub fn solve(&self, x: &mut [f64]) {
        for i in (0..self.rank).rev() {
            let known = (i + 1..self.rank).map(|j| self.column(j)[i] * x[j]).sum::<f64>();
            x[i] = (x[i] - known) / self.column(i)[i];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Columns that depend on others stay out, and the residual of the rest is across the matrix.
    #[test]
    fn the_residual_is_across_the_columns() {
        let rows = [[1.0, 2.0, 3.0], [0.5, -1.0, -0.5], [2.0, 0.25, 2.25], [-1.0, 3.0, 2.0]];
        let wanted = [1.0, -2.0, 0.5, 4.0];
        let mut columns = Columns::new(4, 3);
        for (i, row) in rows.iter().enumerate() {
            row.iter().enumerate().for_each(|(j, x)| columns.column_mut(j)[i] = *x);
        }
        let mut right = wanted;
        columns.triangularize(&mut right);
        assert_eq!(columns.rank(), 2);
        columns.solve(&mut right);
        let mut x = [0.0; 3];
        (0..2).for_each(|i| x[columns.order[i]] = right[i]);
        let miss: Vec<f64> =
            rows.iter().zip(wanted).map(|(row, b)| b - row.iter().zip(x).map(|(a, x)| a * x).sum::<f64>()).collect();
        for j in 0..3 {
            let across: f64 = rows.iter().zip(&miss).map(|(row, r)| row[j] * r).sum();
            assert!(across.abs() < 1e-14, "{across:e}");
        }
    }
}
