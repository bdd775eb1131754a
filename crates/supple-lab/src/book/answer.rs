//! Answers to a reference case by Book's formulation.

use super::BookDynamics;
use crate::LabError;
use serde::Serialize;
use std::io::{self, Write};
use supple::Energy;
use supple_io::case::{Case, EvaluateError, MAX_SPEEDS, Prepared};

/// What Book's formulation says of a case, in the order of the file. Members mean what they mean in [`Answer`](supple_io::case::Answer).
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct BookAnswer {
    /// Inertia matrix, by rows.
    #[serde(rename = "M")]
    pub mass_matrix: Vec<Vec<f64>>,
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
    pub energy: BookEnergy,
}

/// Energy of a case by Book's formulation.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct BookEnergy {
    /// Kinetic.
    pub kinetic: f64,
    /// Elastic.
    pub elastic: f64,
    /// Potential in the gravity field.
    pub gravity: f64,
    /// All three.
    pub total: f64,
}

impl BookAnswer {
    /// Evaluates a case; `source` names it in errors.
    ///
    /// # Errors
    /// A system that the formulation does not carry, and what [`evaluate`](supple_io::case::evaluate()) refuses.
    pub fn of(case: &Case, source: &str) -> Result<Self, LabError> {
        let failed = |error: EvaluateError| LabError::failed(source, error);
        let size = case.forces().len();
        if size > MAX_SPEEDS {
            return Err(failed(EvaluateError::TooLarge { speeds: size, limit: MAX_SPEEDS }));
        }
        let Prepared { model, state, inputs, speeds, .. } = case.prepare().map_err(|error| failed(error.into()))?;
        let mut book =
            BookDynamics::new(&case.system(), &model).map_err(|error| LabError::unsupported(source, error))?;
        let Energy { kinetic, elastic, gravitational, .. } =
            book.energy(&state).map_err(|error| failed(error.into()))?;
        let solution = book.accelerations(&state, &inputs).map_err(|error| failed(error.into()))?;
        let free = solution.accelerations().to_vec();
        let packed = book.inertia_matrix(&state).map_err(|error| failed(error.into()))?;
        let entry = |i: usize, j: usize| packed[i.max(j) * (i.max(j) + 1) / 2 + i.min(j)];
        let times = |i: usize, x: &[f64]| (0..size).map(|j| entry(i, j) * x[j]).sum::<f64>();
        // C = T - M udot, and the forces for udot_in from it
        let bias = |i: usize| inputs.forces[i] - times(i, &free);
        let total = kinetic + elastic + gravitational;
        let answer = Self {
            mass_matrix: speeds.iter().map(|&i| speeds.iter().map(|&j| entry(i, j)).collect()).collect(),
            bias: speeds.iter().map(|&i| bias(i)).collect(),
            accelerations: speeds.iter().map(|&i| free[i]).collect(),
            inverse_forces: speeds.iter().map(|&i| times(i, &inputs.accelerations) + bias(i)).collect(),
            energy: BookEnergy { kinetic, elastic, gravity: gravitational, total },
        };
        match answer.member_that_overflowed() {
            Some(member) => Err(failed(EvaluateError::NotFinite { member })),
            None => Ok(answer),
        }
    }

    /// Writes the answer as one JSON object.
    ///
    /// # Errors
    /// What the writer reports.
    pub fn write_json(&self, out: impl Write) -> io::Result<()> {
        serde_json::to_writer(out, self).map_err(io::Error::from)
    }

    /// The first member with an entry that is infinite or not a number.
    fn member_that_overflowed(&self) -> Option<&'static str> {
        let finite = |list: &[f64]| list.iter().all(|x| x.is_finite());
        let members = [
            ("M", self.mass_matrix.iter().all(|row| finite(row))),
            ("C", finite(&self.bias)),
            ("inverse_T", finite(&self.inverse_forces)),
            ("energy", self.energy.total.is_finite()),
        ];
        members.into_iter().find_map(|(member, finite)| (!finite).then_some(member))
    }
}
