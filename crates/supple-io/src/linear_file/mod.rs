//! Linear models as files: JSON, NumPy's `.npz`, MATLAB's `.mat`.
//!
//! All have the matrices `A`, `B`, `C`, `D`, the sampling period `dt` (0 in continuous time), names and units of states, inputs and outputs, and the
//! operating point that deviations count from.
//!
//! | module | format                                                                       |
//! |--------|------------------------------------------------------------------------------|
//! | `json` | one object                                                                   |
//! | `npz`  | arrays in an archive, names as arrays of strings                             |
//! | `mat`  | level 5, which MATLAB, Octave and SciPy read; names as cell arrays           |

mod json;
mod mat;
mod npz;

/// A dense matrix.
#[derive(Clone, Copy, Debug)]
pub struct Array<'m> {
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
    /// Row after row.
    pub numbers: &'m [f64],
}

impl<'m> Array<'m> {
    /// A column.
    pub fn column(numbers: &'m [f64]) -> Self {
        Self { rows: numbers.len(), columns: 1, numbers }
    }

    /// The rows.
    fn rows(self) -> impl Iterator<Item = &'m [f64]> {
        (0..self.rows).map(move |i| &self.numbers[i * self.columns..(i + 1) * self.columns])
    }
}

/// A state, input or output.
#[derive(Clone, Copy, Debug)]
pub struct Named<'m> {
    /// Name.
    pub name: &'m str,
    /// Unit in SI, "1" for pure numbers.
    pub unit: &'m str,
}

/// A linear model `ẋ = A x + B u`, `y = C x + D u`, or with `dt` above zero `x⁺ = A x + B u`.
#[derive(Clone, Debug)]
pub struct LinearModel<'m> {
    /// `A`, `B`, `C` and `D`.
    pub matrices: [Array<'m>; 4],
    /// Sampling period, s; 0 in continuous time.
    pub dt: f64,
    /// What the entries of `x`, `u` and `y` are.
    pub signals: [Vec<Named<'m>>; 3],
    /// Values of `x`, `u` and `y` where the model was linearised.
    pub operating_point: [&'m [f64]; 3],
}

/// Names of the matrices.
const MATRICES: [&str; 4] = ["A", "B", "C", "D"];
/// Names of the lists of signals, and of their units where these are lists of their own.
const SIGNALS: [[&str; 2]; 3] = [["states", "state_units"], ["inputs", "input_units"], ["outputs", "output_units"]];
/// Parts of the operating point.
const POINT: [&str; 3] = ["x", "u", "y"];
