//! Constant matrices of small blocks, stored by rows without their zero blocks.

use supple_spatial::Scalar;
use supple_spatial::block::Linear;

/// Rows of blocks `R` (numbers, vectors or symmetric matrices).
#[derive(Clone, Debug, Default)]
pub(crate) struct SparseRows<R> {
    starts: Box<[usize]>,
    columns: Box<[u32]>,
    blocks: Box<[R]>,
}

impl<R: Copy> SparseRows<R> {
    /// From `entry(row, column)`, keeping the blocks that `is_zero` does not drop.
    pub fn new(rows: usize, columns: usize, entry: impl Fn(usize, usize) -> R, is_zero: impl Fn(&R) -> bool) -> Self {
        let (mut starts, mut places, mut blocks) = (vec![0], vec![], vec![]);
        for r in 0..rows {
            for c in 0..columns {
                let block = entry(r, c);
                if !is_zero(&block) {
                    places.push(c as u32);
                    blocks.push(block);
                }
            }
            starts.push(blocks.len());
        }
        Self { starts: starts.into(), columns: places.into(), blocks: blocks.into() }
    }

    /// No block at all.
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// `Σ_c block(row, c) x_c + start`.
    #[inline(always)]
    pub fn row_mul_add<T: Scalar>(&self, row: usize, x: &[T], start: R) -> R
    where
        R: Linear<T>,
    {
        let range = self.starts[row]..self.starts[row + 1];
        let mut sum = start;
        for (&c, block) in self.columns[range.clone()].iter().zip(&self.blocks[range]) {
            sum = block.scale_add(x[c as usize], sum);
        }
        sum
    }

    /// Whether the same blocks are kept.
    pub fn has_pattern_of(&self, other: &Self) -> bool {
        self.starts == other.starts && self.columns == other.columns
    }

    /// The pattern of the first, which all share, with their blocks joined.
    pub fn join<S, E, const N: usize>(
        all: [&Self; N],
        f: impl Fn([&R; N]) -> Result<S, E>,
    ) -> Result<SparseRows<S>, E> {
        let blocks = (0..all[0].blocks.len()).map(|i| f(all.map(|rows| &rows.blocks[i])));
        Ok(SparseRows {
            starts: all[0].starts.clone(),
            columns: all[0].columns.clone(),
            blocks: blocks.collect::<Result<_, E>>()?,
        })
    }

    /// The same pattern with every block mapped.
    pub fn map<S>(&self, f: impl Fn(&R) -> S) -> SparseRows<S> {
        SparseRows {
            starts: self.starts.clone(),
            columns: self.columns.clone(),
            blocks: self.blocks.iter().map(f).collect(),
        }
    }
}
