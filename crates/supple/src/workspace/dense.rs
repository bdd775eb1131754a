//! Memory of the verbs whose result is a matrix.

use crate::model::Model;
use supple_spatial::block::cholesky::packed_len;
use supple_spatial::{ArticulatedInertia, Force, Scalar};

/// Scratch memory quadratic in the number of speeds, kept apart from [`Workspace`](crate::Workspace).
#[derive(Clone, Debug)]
pub struct DenseWorkspace<T = f64> {
    pub(crate) stamp: u64,
    /// Per carrier: composite inertia that arrives at the node.
    pub(crate) composite: Vec<ArticulatedInertia<T>>,
    /// Columns that travel inward, one per speed of a body.
    pub(crate) columns: Vec<Force<T>>,
    /// Packed: `R_ff` of one body.
    pub(crate) triangle: Vec<T>,
    /// Packed mass matrix, then its Cholesky factor.
    pub(crate) matrix: Vec<T>,
}

impl<T: Scalar> DenseWorkspace<T> {
    /// Memory for `model`.
    pub fn new(model: &Model<T>) -> Self {
        let top = &*model.topology;
        let most = top.bodies.iter().map(|b| b.speeds.len()).max().unwrap_or(0);
        Self {
            stamp: top.stamp,
            composite: vec![ArticulatedInertia::ZERO; top.carriers.len()],
            columns: vec![Force::ZERO; most],
            triangle: vec![T::ZERO; packed_len(top.sizes.most_modes)],
            matrix: vec![T::ZERO; packed_len(top.sizes.speeds)],
        }
    }
}
