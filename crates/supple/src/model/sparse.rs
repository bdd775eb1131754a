//! Constant matrices of small blocks, stored by rows without their zero blocks.

use super::cast::Cast;
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

    /// Whether the same blocks are kept.
    pub fn has_pattern_of(&self, other: &Self) -> bool {
        self.starts == other.starts && self.entries.iter().map(|e| e.0).eq(other.entries.iter().map(|e| e.0))
    }

    /// The pattern of the first, which all share, with their blocks in lanes.
    pub fn join<L, E, const N: usize>(
        all: [&Self; N],
        f: impl Fn([&S; N]) -> Result<L, E>,
    ) -> Result<SparseRows<S, L>, E> {
        let first = all[0];
        let equal = all.iter().all(|rows| rows.entries == first.entries);
        let joined = |i: usize| f(all.map(|rows| &rows.entries[i].1));
        let lanes =
            if equal { Box::default() } else { (0..first.entries.len()).map(joined).collect::<Result<_, E>>()? };
        Ok(SparseRows { starts: first.starts.clone(), entries: first.entries.clone(), lanes })
    }
}

impl<S: Copy + Cast<U>, U> Cast<U> for SparseRows<S, S> {
    type Output = SparseRows<S, S::Output>;
    fn cast(&self) -> Self::Output {
        SparseRows { starts: self.starts.clone(), entries: self.entries.clone(), lanes: Box::default() }
    }
}
