//! Answers to a case by Book's formulation.

use serde::Serialize;
use supple::book::{BookDynamics, BookError};

use super::answer::{CaseEnergy, Matrix};
use super::evaluate::{EvaluateError, MAX_SPEEDS};
use super::{Case, Prepared};

/// What Book's formulation says of a case, in the order of the file. Members mean what they mean in [`Answer`](super::Answer).
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct BookAnswer {
    /// Inertia matrix.
    #[serde(rename = "M")]
    pub mass_matrix: Matrix,
    /// Everything in the equations of motion but `M udot` and `T`.
    #[serde(rename = "C")]
    pub bias: Vec<f64>,
    /// Accelerations under the forces `T`.
    #[serde(rename = "udot")]
    pub accelerations: Vec<f64>,
    /// Forces that give the accelerations `udot_in`.
    #[serde(rename = "inverse_T")]
    pub inverse_forces: Vec<f64>,
    /// Energy.
    pub energy: CaseEnergy,
}

impl BookAnswer {
    /// Writes the answer as one JSON object.
    ///
    /// # Errors
    /// What the writer reports.
    pub fn write_json(&self, out: impl std::io::Write) -> std::io::Result<()> {
        serde_json::to_writer(out, self).map_err(std::io::Error::from)
    }
}

impl From<BookError> for EvaluateError {
    fn from(error: BookError) -> Self {
        Self::Book(error)
    }
}

/// Evaluates a case by Book's formulation.
///
/// # Errors
/// As [`evaluate`](super::evaluate()), and [`EvaluateError::Book`] for systems that the formulation does not carry.
pub fn evaluate_by_book(case: &Case) -> Result<BookAnswer, EvaluateError> {
    let size = case.forces().len();
    if size > MAX_SPEEDS {
        return Err(EvaluateError::TooLarge { speeds: size, limit: MAX_SPEEDS });
    }
    let Prepared { model, state, inputs, speeds, .. } = case.prepare()?;
    let mut book = BookDynamics::new(&model)?;
    let energy = book.energy(&state)?;
    let free = book.accelerations(&state, &inputs)?.accelerations().to_vec();
    let packed = book.inertia_matrix(&state)?;
    let entry = |i: usize, j: usize| packed[i.max(j) * (i.max(j) + 1) / 2 + i.min(j)];
    let times = |i: usize, x: &[f64]| (0..size).map(|j| entry(i, j) * x[j]).sum::<f64>();
    // C = T - M udot, and the forces for udot_in from it
    let bias = |i: usize| inputs.forces[i] - times(i, &free);
    let answer = BookAnswer {
        mass_matrix: Matrix::new(size, speeds.iter().flat_map(|&i| speeds.iter().map(move |&j| entry(i, j))).collect()),
        bias: speeds.iter().map(|&i| bias(i)).collect(),
        accelerations: speeds.iter().map(|&i| free[i]).collect(),
        inverse_forces: speeds.iter().map(|&i| times(i, &inputs.accelerations) + bias(i)).collect(),
        energy: CaseEnergy {
            kinetic: energy.kinetic,
            elastic: energy.elastic,
            gravity: energy.gravitational,
            total: energy.total(),
        },
    };
    let finite = |list: &[f64]| list.iter().all(|x| x.is_finite());
    let members = [
        ("M", finite(answer.mass_matrix.entries())),
        ("C", finite(&answer.bias)),
        ("inverse_T", finite(&answer.inverse_forces)),
        ("energy", answer.energy.total.is_finite()),
    ];
    match members.into_iter().find(|(_, finite)| !finite) {
        Some((member, _)) => Err(EvaluateError::NotFinite { member }),
        None => Ok(answer),
    }
}
