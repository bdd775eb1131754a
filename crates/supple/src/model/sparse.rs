//! Constant matrices of small blocks, stored by rows without their zero blocks.

use supple_spatial::Scalar;
use supple_spatial::block::Linear;

/// Rows of blocks `R` (numbers, vectors or symmetric matrices).
#[derive(Clone, Debug, Default)]
pub(crate) struct SparseRows<R> {
    starts: Box<[usize]>,
    /// Column and block.
    entries: Box<[(u32, R)]>,
}

impl<R: Copy> SparseRows<R> {
    /// From `entry(row, column)`, keeping the blocks that `is_zero` does not drop.
    pub fn new(rows: usize, columns: usize, entry: impl Fn(usize, usize) -> R, is_zero: impl Fn(&R) -> bool) -> Self {
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
        Self { starts: starts.into(), entries: entries.into() }
    }

    /// No block at all.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// `Σ_c block(row, c) x_c + start`.
    #[inline(always)]
    pub fn row_mul_add<T: Scalar>(&self, row: usize, x: &[T], start: R) -> R
    where
        R: Linear<T>,
    {
        let mut sum = start;
        for (c, block) in &self.entries[self.starts[row]..self.starts[row + 1]] {
            sum = block.scale_add(x[*c as usize], sum);
        }
        sum
    }

    /// Whether the same blocks are kept.
    pub fn has_pattern_of(&self, other: &Self) -> bool {
        self.starts == other.starts && self.entries.iter().map(|e| e.0).eq(other.entries.iter().map(|e| e.0))
    }

    /// The pattern of the first, which all share, with their blocks joined.
    pub fn join<S, E, const N: usize>(
        all: [&Self; N],
        f: impl Fn([&R; N]) -> Result<S, E>,
    ) -> Result<SparseRows<S>, E> {
        let columns = all[0].entries.iter().map(|e| e.0);
        let entries = columns.enumerate().map(|(i, c)| Ok((c, f(all.map(|rows| &rows.entries[i].1))?)));
        Ok(SparseRows { starts: all[0].starts.clone(), entries: entries.collect::<Result<_, E>>()? })
    }

    /// The same pattern with every block mapped.
    pub fn map<S>(&self, f: impl Fn(&R) -> S) -> SparseRows<S> {
        SparseRows {
            starts: self.starts.clone(),
            entries: self.entries.iter().map(|(c, block)| (*c, f(block))).collect(),
        }
    }
}
