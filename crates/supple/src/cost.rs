//! Operation counts of the real code on a standard chain.

/// One row of the cost table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CostRow {
    /// Algorithm.
    pub algorithm: &'static str,
    /// Stage of the algorithm.
    pub stage: &'static str,
    /// Number of bodies.
    pub bodies: usize,
    /// Number of modes of each body.
    pub modes: usize,
    /// Multiplications.
    pub multiplications: u64,
    /// Additions and subtractions.
    pub additions: u64,
    /// Divisions, square roots, sines, cosines, logarithms.
    pub other: u64,
}
