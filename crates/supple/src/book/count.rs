//! Operation counts of the formulation: the paper's polynomials, and those of this code by counting numbers.

use super::{BookDynamics, BookError};
use crate::cost::CostRow;
use crate::inputs::Inputs;
use crate::model::Model;
use crate::state::State;
use supple_spatial::{Counted, Operations};

/// The paper's arm: joints, and flexible links with equal numbers of modes [B83 6].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookCount {
    /// Joints, all links together.
    pub joints: usize,
    /// Flexible links.
    pub flexible: usize,
    /// Modes of each flexible link.
    pub modes: usize,
}

/// Multiplications that the paper gives for one evaluation of `J` and `R`, the solution not included [B83 6].
pub fn paper_multiplications(arm: BookCount) -> f64 {
    let [n, f, m] = [arm.joints, arm.flexible, arm.modes].map(|x| x as f64);
    6.0 * f * f * m * m
        + 17.5 * f * m * m
        + 118.0 * f * f * m
        + 74.0 * n * f * m
        + 137.5 * f * m
        + 84.0 * n * n
        + 86.0 * n * f
        + 279.0 * n
        + 126.0 * f
        - 57.0
}

/// Additions that the paper gives, term by term as printed: its third has `n_f` where that of the multiplications has `n_f²` [B83 6].
pub fn paper_additions(arm: BookCount) -> f64 {
    let [n, f, m] = [arm.joints, arm.flexible, arm.modes].map(|x| x as f64);
    6.5 * f * f * m * m
        + 19.0 * f * m * m
        + 115.5 * f * m
        + 68.0 * n * f * m
        + 123.0 * f * m
        + 85.0 * n * n
        + 80.0 * n * f
        + 329.0 * n
        + 111.0 * f
        - 91.0
}
