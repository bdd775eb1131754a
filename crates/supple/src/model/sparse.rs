//! Constant matrices of small blocks, stored by rows without their zero blocks.

use super::cast::Cast;
use std::collections::BTreeSet;
use supple_spatial::block::Linear;
use supple_spatial::{Scalar, Symmetric3, Vector3};

/// Rows of blocks `R` (numbers, vectors or symmetric matrices) of a scalar.
///
/// Numbers are kept as `f64` blocks `S` and converted when they are used: tables of lanes that share their numbers are a quarter
/// or an eighth as long, and stay near the processor.
#[derive(Clone, Debug, Default)]
pub(crate) struct SparseRows<S, R> {
    starts: Box<[usize]>,
    /// Column and block, of the first lane.
    entries: Box<[(u32, S)]>,
    /// Blocks where lanes differ; empty elsewhere.
    lanes: Box<[R]>,
}

/// Rows of numbers.
pub(crate) type SparseNumbers<T> = SparseRows<f64, T>;
/// Rows of vectors.
pub(crate) type SparseVectors<T> = SparseRows<Vector3<f64>, Vector3<T>>;
/// Rows of symmetric matrices.
pub(crate) type SparseMatrices<T> = SparseRows<Symmetric3<f64>, Symmetric3<T>>;

impl<S: Copy + PartialEq, R> SparseRows<S, R> {
    /// From `entry(row, column)`, keeping the blocks that `is_zero` does not drop.
    pub fn new(rows: usize, columns: usize, entry: impl Fn(usize, usize) -> S, is_zero: impl Fn(&S) -> bool) -> Self {
        let (mut starts, mut entries) = (vec![0], vec![]);
        for r in 0..rows {
            for c in 0..columns {
                let block = entry(r, c);
                if !is_zero(&block) {
                    entries.push((c as u32, block));
                }
            }
            starts.push(entries.len());
        }
        Self { starts: starts.into(), entries: entries.into(), lanes: Box::default() }
    }

    /// No block at all.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// `Σ_c block(row, c) x_c + start`.
    #[inline(always)]
    pub fn row_mul_add<T: Scalar>(&self, row: usize, x: &[T], start: R) -> R
    where
        S: Cast<T, Output = R>,
        R: Linear<T>,
    {
        let mut sum = start;
        let row = self.starts[row]..self.starts[row + 1];
        // Known when compiled for `f64`; lanes that differ are of `f64` too.
        if size_of::<S>() == size_of::<R>() || self.lanes.is_empty() {
            for (c, block) in &self.entries[row] {
                sum = block.cast().scale_add(x[*c as usize], sum);
            }
        } else {
            for ((c, _), block) in self.entries[row.clone()].iter().zip(&self.lanes[row]) {
                sum = block.scale_add(x[*c as usize], sum);
            }
        }
        sum
    }

    /// Columns and blocks of a row.
    #[inline(always)]
    pub fn blocks<T: Scalar>(&self, row: usize) -> impl Iterator<Item = (usize, R)> + '_
    where
        S: Cast<T, Output = R>,
        R: Copy,
    {
        let row = self.starts[row]..self.starts[row + 1];
        row.map(|i| {
            (self.entries[i].0 as usize, self.lanes.get(i).copied().unwrap_or_else(|| self.entries[i].1.cast()))
        })
    }

    /// How many rows there are.
    pub fn row_count(&self) -> usize {
        self.starts.len() - 1
    }

    fn row(&self, r: usize) -> &[(u32, S)] {
        &self.entries[self.starts[r]..self.starts[r + 1]]
    }

    /// The block at a place, where one is kept.
    fn block(&self, row: usize, column: u32) -> Option<S> {
        let row = self.row(row);
        row.binary_search_by_key(&column, |entry| entry.0).ok().map(|i| row[i].1)
    }

    /// The blocks of matrices of one size in lanes, with zeros for those that one keeps and another does not.
    pub fn join<L, E, const N: usize>(
        all: [&Self; N],
        f: impl Fn([&S; N]) -> Result<L, E>,
    ) -> Result<SparseRows<S, L>, E>
    where
        S: Linear<f64>,
    {
        let first = all[0];
        if all.iter().all(|rows| rows.starts == first.starts && rows.entries == first.entries) {
            let (starts, entries) = (first.starts.clone(), first.entries.clone());
            return Ok(SparseRows { starts, entries, lanes: Box::default() });
        }
        let (mut starts, mut entries, mut lanes) = (vec![0], vec![], vec![]);
        for r in 0..first.row_count() {
            let columns: BTreeSet<u32> = all.iter().flat_map(|rows| rows.row(r)).map(|entry| entry.0).collect();
            for c in columns {
                let blocks = all.map(|rows| rows.block(r, c).unwrap_or(S::ZERO));
                entries.push((c, blocks[0]));
                lanes.push(f(blocks.each_ref())?);
            }
            starts.push(entries.len());
        }
        Ok(SparseRows { starts: starts.into(), entries: entries.into(), lanes: lanes.into() })
    }
}

impl<T: Scalar> SparseNumbers<T> {
    /// `x* B y`.
    #[inline(always)]
    pub fn form(&self, x: &[T], y: &[T]) -> T {
        x.iter().enumerate().fold(T::ZERO, |sum, (r, x)| self.row_mul_add(r, y, T::ZERO).mul_add(*x, sum))
    }
}

impl<S: Copy + Cast<U>, U> Cast<U> for SparseRows<S, S> {
    type Output = SparseRows<S, S::Output>;
    fn cast(&self) -> Self::Output {
        SparseRows { starts: self.starts.clone(), entries: self.entries.clone(), lanes: Box::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use supple_spatial::Lanes;

    /// Each lane of joined matrices gives what its own matrix gives, whichever blocks they keep.
    #[test]
    fn lanes_may_keep_different_blocks() {
        let tables: [[[f64; 3]; 3]; 3] = [
            [[1.0, 0.0, 2.0], [0.0, 0.0, 0.0], [0.0, 3.0, 0.0]],
            [[0.0, 5.0, 2.5], [0.0, 0.0, 0.0], [7.0, 0.0, 0.0]],
            [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 4.0]],
        ];
        let alone = tables.map(|t| SparseNumbers::<f64>::new(3, 3, |r, c| t[r][c], |x| *x == 0.0));
        let joined: SparseNumbers<Lanes<f64, 3>> =
            SparseRows::join(alone.each_ref(), |x| Ok::<_, ()>(Lanes(x.map(|x| *x)))).unwrap();
        assert_eq!(joined.entries.iter().map(|entry| entry.0).collect::<Vec<_>>(), [0, 1, 2, 0, 1, 2]);
        let x = [0.3, -1.1, 0.7];
        for r in 0..3 {
            let lanes = joined.row_mul_add(r, &x.map(Lanes::splat), Lanes::splat(0.5));
            assert_eq!(lanes.0, alone.each_ref().map(|table| table.row_mul_add(r, &x, 0.5)), "row {r}");
        }
        let shared = SparseRows::join([&alone[0]; 3], |x| Ok::<_, ()>(Lanes(x.map(|x| *x)))).unwrap();
        assert!(shared.lanes.is_empty());
    }
}
