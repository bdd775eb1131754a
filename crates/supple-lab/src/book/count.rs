//! Operation counts: the paper's polynomials, and those of this code by counting numbers.

use super::{BookDynamics, BookError, BookTerms};
use crate::cost::moving_state;
use supple::spatial::{Counted, Operations};
use supple::{Inputs, Model, System};

/// The arms that the paper counts: joints, some links flexible with equal numbers of modes, the first one among them and the last one
/// not [B83 6].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CountedArm {
    /// Joints, one for each link.
    pub joints: usize,
    /// Flexible links.
    pub flexible: usize,
    /// Modes of each flexible link.
    pub modes: usize,
}

impl CountedArm {
    /// Multiplications of the paper's polynomial for `J` and `R`, the solution not included [B83 6].
    pub fn paper_multiplications(self) -> f64 {
        let [n, f, m] = [self.joints, self.flexible, self.modes].map(|x| x as f64);
        6.0 * (f * m).powi(2)
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

    /// Additions of the paper's polynomial; its third term is read with the square of `f`, as in the multiplications [B83 6].
    pub fn paper_additions(self) -> f64 {
        let [n, f, m] = [self.joints, self.flexible, self.modes].map(|x| x as f64);
        6.5 * (f * m).powi(2)
            + 19.0 * f * m * m
            + 115.5 * f * f * m
            + 68.0 * n * f * m
            + 123.0 * f * m
            + 85.0 * n * n
            + 80.0 * n * f
            + 329.0 * n
            + 111.0 * f
            - 91.0
    }
}

/// Operations of one evaluation, by what they are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookOperations {
    /// Transformations, their rates, and `D`, `G`.
    pub kinematics: Operations,
    /// The inertia matrix.
    pub inertia: Operations,
    /// The right-hand side.
    pub rest: Operations,
    /// Factor and solution.
    pub solution: Operations,
}

impl BookOperations {
    /// What the paper counts: all but the solution.
    pub fn counted(&self) -> Operations {
        self.kinematics + self.inertia + self.rest
    }

    /// Counts one evaluation of `model`, which is built from `system`, by running it. Counts do not depend on values.
    ///
    /// # Errors
    /// A model that the formulation does not carry.
    pub fn of(system: &System, model: &Model) -> Result<Self, BookError> {
        Self::with_terms(system, model, BookTerms::default())
    }

    /// The same with other terms than those that hold.
    ///
    /// # Errors
    /// A model that the formulation does not carry.
    pub fn with_terms(system: &System, model: &Model, kept: BookTerms) -> Result<Self, BookError> {
        let mut book = BookDynamics::<Counted>::new(system, model)?.with_terms(kept);
        let model = model.cast::<Counted>();
        let (state, inputs) = (moving_state(&model), Inputs::new(&model));
        let mut last = Counted::operations();
        let mut since = || {
            let now = Counted::operations();
            now - std::mem::replace(&mut last, now)
        };
        // The state fits the model and is finite, and the arm has mass everywhere.
        let placed = book.place(&state);
        let kinematics = since();
        book.assemble_matrix();
        let inertia = since();
        book.assemble_rest(&state, &inputs);
        let rest = since();
        let solved = book.equation.solve(&book.model, &inputs);
        let solution = since();
        // Without the squares of deflections the matrix need not be positive where they are large, as here.
        debug_assert!(placed.is_ok() && (solved.is_ok() || kept != BookTerms::default()));
        Ok(Self { kinematics, inertia, rest, solution })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The polynomial as it can be read does not give the number of the text, 12,009; which of its terms is misprinted cannot be told.
    #[test]
    fn the_printed_polynomial_gives_648_less_than_the_text() {
        let arm = CountedArm { joints: 6, flexible: 2, modes: 3 };
        assert_eq!(arm.paper_multiplications(), 12_009.0 - 648.0);
    }
}
