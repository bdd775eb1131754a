//! What the report leaves out and this formulation keeps.

/// Terms that are kept. All are, unless said otherwise: without them the equations of motion derive from no energy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookTerms {
    /// Squares of deflections in the inertia of a link: (29) has them, (37) does not   [B83 (37)]
    pub squares: bool,
    /// Transformations of bent links in traces of pairs of modes, where the report takes them for rotations   [B83 (72) to (75)]
    pub bent_axes: bool,
}

impl Default for BookTerms {
    fn default() -> Self {
        Self { squares: true, bent_axes: true }
    }
}

impl BookTerms {
    /// As the report prints its equations.
    pub const PRINTED: Self = Self { squares: false, bent_axes: false };
}
