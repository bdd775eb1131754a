//! `min |b - A x|` for a few columns that may depend on each other, by modified Gram-Schmidt with the largest column first.
//!
//! Columns whose remainder is small beside what they were count as dependent: their numbers are zero.

/// A column is dependent below this part of its own length.
const DEPENDENT: f64 = 1e-11;

/// `A` as `Q R`, made anew by [`factor`](Self::factor) without allocation.
#[derive(Debug)]
pub(super) struct LeastSquares {
    rows: usize,
    /// By columns: `A`, then `Q` in the order of `order`.
    columns: Vec<f64>,
    /// `R` by rows, in the order of `order`.
    triangle: Vec<f64>,
    /// Columns in the order in which they were taken.
    order: Vec<usize>,
    /// How many are independent.
    rank: usize,
    /// Length of each column of `A`.
    lengths: Vec<f64>,
    solution: Vec<f64>,
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

impl LeastSquares {
    pub(super) fn new(rows: usize, columns: usize) -> Self {
        Self {
            rows,
            columns: vec![0.0; rows * columns],
            triangle: vec![0.0; columns * columns],
            order: (0..columns).collect(),
            rank: 0,
            lengths: vec![0.0; columns],
            solution: vec![0.0; columns],
        }
    }

    /// A column of `A`, to be written before [`factor`](Self::factor).
    pub(super) fn column_mut(&mut self, j: usize) -> &mut [f64] {
        &mut self.columns[j * self.rows..(j + 1) * self.rows]
    }

    fn column(&self, j: usize) -> &[f64] {
        &self.columns[j * self.rows..(j + 1) * self.rows]
    }

    /// `A = Q R`, column after column.
    pub(super) fn factor(&mut self) {
        let n = self.order.len();
        for j in 0..n {
            self.order[j] = j;
            self.lengths[j] = dot(self.column(j), self.column(j)).sqrt();
        }
        self.rank = 0;
        for step in 0..n {
            let length = |j: usize| dot(self.column(j), self.column(j)).sqrt();
            let remains = |place: &usize| length(self.order[*place]);
            let Some(largest) = (step..n).max_by(|a, b| remains(a).total_cmp(&remains(b))) else { return };
            self.order.swap(step, largest);
            let taken = self.order[step];
            let size = dot(self.column(taken), self.column(taken)).sqrt();
            // Columns before it have rows in the triangle: they are swapped with it.
            (0..step).for_each(|row| self.triangle.swap(row * n + step, row * n + largest));
            if size <= DEPENDENT * self.lengths[taken] || size == 0.0 {
                return;
            }
            self.column_mut(taken).iter_mut().for_each(|x| *x /= size);
            self.triangle[step * n + step] = size;
            for place in step + 1..n {
                let other = self.order[place];
                let along = dot(self.column(taken), self.column(other));
                self.triangle[step * n + place] = along;
                for row in 0..self.rows {
                    self.columns[other * self.rows + row] -= along * self.columns[taken * self.rows + row];
                }
            }
            self.rank += 1;
        }
    }

    /// The `x` of `b`, which becomes `b - A x`.
    pub(super) fn solve(&mut self, b: &mut [f64]) -> &[f64] {
        let n = self.order.len();
        self.solution.fill(0.0);
        for step in 0..self.rank {
            let q = &self.columns[self.order[step] * self.rows..][..self.rows];
            let along = dot(q, b);
            b.iter_mut().zip(q).for_each(|(b, q)| *b -= along * q);
            self.solution[self.order[step]] = along;
        }
        for step in (0..self.rank).rev() {
            let later = (step + 1..self.rank).map(|k| self.triangle[step * n + k] * self.solution[self.order[k]]);
            let rest: f64 = later.sum();
            let x = &mut self.solution[self.order[step]];
            *x = (*x - rest) / self.triangle[step * n + step];
        }
        &self.solution
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn solve(columns: &[&[f64]], b: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let mut system = LeastSquares::new(b.len(), columns.len());
        for (j, column) in columns.iter().enumerate() {
            system.column_mut(j).copy_from_slice(column);
        }
        system.factor();
        let mut rest = b.to_vec();
        (system.solve(&mut rest).to_vec(), rest)
    }

    /// What is left is at right angles to every column, and an exact system leaves nothing.
    #[test]
    fn what_is_left_is_orthogonal() {
        let columns: [&[f64]; 3] = [&[1.0, 2.0, -1.0, 0.5], &[0.1, 40.0, 3.0, 2.0], &[-2.0, 0.0, 1.0, 1.0]];
        let b = [1.0, -1.0, 2.0, 3.0];
        let (x, rest) = solve(&columns, &b);
        for column in columns {
            assert!(dot(column, &rest).abs() < 1e-13);
        }
        for (row, left) in rest.iter().enumerate() {
            let image: f64 = columns.iter().zip(&x).map(|(column, x)| column[row] * x).sum();
            assert!((b[row] - image - left).abs() < 1e-13);
        }
        let (x, rest) = solve(&columns.map(|column| &column[..3]), &b[..3]);
        assert!(rest.iter().all(|left| left.abs() < 1e-13), "{x:?} {rest:?}");
    }

    /// A column that says nothing new gets nothing to do, nor does one of zeros.
    #[test]
    fn dependent_columns_are_left_out() {
        let (x, rest) = solve(&[&[1.0, 2.0], &[2.0, 4.0], &[0.0, 0.0]], &[1.0, 2.0]);
        assert!((x[0] + 2.0 * x[1] - 1.0).abs() < 1e-14 && x[2] == 0.0, "{x:?}");
        assert!(x[0] == 0.0 || x[1] == 0.0);
        assert!(rest.iter().all(|left| left.abs() < 1e-14));
    }
}
