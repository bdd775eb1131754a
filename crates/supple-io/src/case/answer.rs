//! The answers to a case.

use serde::ser::SerializeSeq;
use serde::{Serialize, Serializer};

/// Everything the schema asks about a system in one state, in the order of the file: bodies as listed there,
/// speeds of a body modes first, hinge after.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Answer {
    /// Mass matrix.
    #[serde(rename = "M")]
    pub mass_matrix: Matrix,
    /// Everything in the equations of motion but `M udot` and `T`.
    #[serde(rename = "C")]
    pub bias: Vec<f64>,
    /// The parts that add up to it.
    #[serde(rename = "C_parts")]
    pub bias_parts: BiasParts,
    /// Accelerations under the forces `T` and those of the loops.
    #[serde(rename = "udot")]
    pub accelerations: Vec<f64>,
    /// Forces that give the accelerations `udot_in`.
    #[serde(rename = "inverse_T")]
    pub inverse_forces: Vec<f64>,
    /// Energy.
    pub energy: CaseEnergy,
    /// Linear momentum, inertial axes.
    pub linear_momentum: [f64; 3],
    /// Angular momentum about the inertial origin, inertial axes.
    pub angular_momentum: [f64; 3],
    /// Mass centre, inertial axes.
    #[serde(rename = "com")]
    pub centre_of_mass: [f64; 3],
    /// Positions of the nodes of each body, inertial axes.
    pub node_positions: Vec<Vec<[f64; 3]>>,
    /// Velocities of the nodes of each body, angular first, inertial axes.
    pub node_velocities: Vec<Vec<[f64; 6]>>,
    /// Wrench of each loop on its side `a`: moment about the origin of the frame, then force, inertial axes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub closure_wrench_on_a: Vec<[f64; 6]>,
}

/// Parts of the bias, each with the sign it has in the sum.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct BiasParts {
    /// Coriolis and gyroscopic forces.
    pub velocity: Vec<f64>,
    /// Elastic forces.
    pub elastic: Vec<f64>,
    /// Modal damping.
    pub damping: Vec<f64>,
    /// Weights, negative.
    pub gravity: Vec<f64>,
    /// External wrenches, negative.
    pub external: Vec<f64>,
}

/// Energy of the system.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct CaseEnergy {
    /// Kinetic.
    pub kinetic: f64,
    /// Elastic.
    pub elastic: f64,
    /// Potential in the gravity field.
    pub gravity: f64,
    /// All three.
    pub total: f64,
}

/// A square matrix, by rows; written as a list of rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Matrix {
    size: usize,
    entries: Vec<f64>,
}

impl Matrix {
    /// From `size * size` entries by rows.
    pub(super) fn new(size: usize, entries: Vec<f64>) -> Self {
        debug_assert_eq!(entries.len(), size * size);
        Self { size, entries }
    }

    /// Number of rows.
    pub fn size(&self) -> usize {
        self.size
    }

    /// The rows.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[f64]> {
        self.entries.chunks_exact(self.size.max(1))
    }

    /// All entries by rows.
    pub fn entries(&self) -> &[f64] {
        &self.entries
    }
}

impl Serialize for Matrix {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        let mut list = out.serialize_seq(Some(self.size))?;
        for row in self.rows() {
            list.serialize_element(row)?;
        }
        list.end()
    }
}

impl Answer {
    /// The answer as one JSON object. Numbers have the digits that give the same bits again.
    pub fn to_json(&self) -> String {
        // Lists, numbers and fixed names: nothing here can fail to be written.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Writes the answer as one JSON object, without keeping the text in memory.
    ///
    /// # Errors
    /// What the writer reports.
    pub fn write_json(&self, out: impl std::io::Write) -> std::io::Result<()> {
        serde_json::to_writer(out, self).map_err(std::io::Error::from)
    }

    /// The first member with an entry that is infinite or not a number.
    pub(super) fn member_that_overflowed(&self) -> Option<&'static str> {
        let finite = |list: &[f64]| list.iter().all(|x| x.is_finite());
        let energy = self.energy;
        [
            ("M", finite(self.mass_matrix.entries())),
            ("C", finite(&self.bias)),
            ("C_parts.velocity", finite(&self.bias_parts.velocity)),
            ("C_parts.elastic", finite(&self.bias_parts.elastic)),
            ("C_parts.damping", finite(&self.bias_parts.damping)),
            ("C_parts.gravity", finite(&self.bias_parts.gravity)),
            ("C_parts.external", finite(&self.bias_parts.external)),
            ("udot", finite(&self.accelerations)),
            ("inverse_T", finite(&self.inverse_forces)),
            ("energy", finite(&[energy.kinetic, energy.elastic, energy.gravity, energy.total])),
            ("linear_momentum", finite(&self.linear_momentum)),
            ("angular_momentum", finite(&self.angular_momentum)),
            ("com", finite(&self.centre_of_mass)),
            ("node_positions", self.node_positions.iter().flatten().all(|x| finite(x))),
            ("closure_wrench_on_a", self.closure_wrench_on_a.iter().all(|x| finite(x))),
            ("node_velocities", self.node_velocities.iter().flatten().all(|x| finite(x))),
        ]
        .into_iter()
        .find_map(|(member, finite)| (!finite).then_some(member))
    }
}
