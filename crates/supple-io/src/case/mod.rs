//! Reference cases: a system, a state, loads, and the answers to compare with.
//!
//! ```no_run
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use supple_io::case::{Case, evaluate};
//! let case = Case::from_json(&std::fs::read_to_string("case.json")?)?;
//! println!("{}", evaluate(&case)?.to_json());
//! # Ok(())
//! # }
//! ```
//!
//! The schema is `supple-oracle-1`, described next to the cases in `references/PROVENANCE.md`.
//! Differences from the engine: quaternions are `(w, x, y, z)` in files and `(x, y, z, w)` in the
//! engine; bodies may come in any order, and answers come in the order of the file.

mod answer;
mod error;
mod evaluate;
mod nodal_momentum;
mod reading;
mod rule;
mod schema;
mod system;
mod trajectory;
mod words;

pub use answer::{Answer, BiasParts, CaseEnergy, Matrix};
pub use error::{Place, Problem, ReadError, Rule};
pub use evaluate::{EvaluateError, MAX_SPEEDS, evaluate};
pub use schema::{
    BodyState, CaseBody, CaseFrame, CaseLoop, CaseModel, CaseNode, CaseSide, CaseState, CaseWrench, MAX_BYTES,
    MAX_LOOPS, MAX_MODES, NodeAttitude, SCHEMA,
};

pub use system::Prepared;
pub use trajectory::{AnyAnswer, AnyCase, CaseTorque, Channel, TrajectoryAnswer, TrajectoryCase};

use serde::Serialize;

/// A sound case of kind `tree` or `closed`, in the order of the file.
///
/// Only [`from_json`](Self::from_json) makes one, so every list has its length and every index
/// points somewhere. Whether masses, inertias and modes make sense, the engine decides.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    name: Option<String>,
    features: Vec<String>,
    note: Option<String>,
    condition: Option<f64>,
    model: CaseModel,
    /// Bodies with parents first, as indices of the file.
    order: Vec<usize>,
    state: CaseState,
    wrenches: Vec<CaseWrench>,
    forces: Vec<f64>,
    accelerations: Vec<f64>,
    expected: Option<serde_json::Value>,
}

impl Case {
    /// Reads a case.
    ///
    /// A pure function of the text that returns for any text, so that a fuzzer can call it
    /// directly. Unknown members are refused. Absent `nm`, `p`, `J`, `Pi`, `Km`, `Dm` and
    /// `hinge_pos` are zero, `hinge_rot` is the identity, `inertia` is `newton_euler` and
    /// `tip_rotation` is `integrated`; `K3`, `K4`, `wrenches` and `node_attitudes` are empty. So it is with `pos`
    /// and `rot` of the sides of loops; only kind `closed` has loops.
    ///
    /// # Errors
    /// [`ReadError::Unsupported`] for kinds other than `tree` and `closed` (see [`AnyCase`]); the other kinds of
    /// [`ReadError`] for texts that are not sound cases, with all problems at once.
    pub fn from_json(text: &str) -> Result<Self, ReadError> {
        reading::read(text)
    }

    /// Reads a case from bytes.
    ///
    /// # Errors
    /// As [`from_json`](Self::from_json), and [`ReadError::NotUtf8`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ReadError> {
        Self::from_json(reading::text_of(bytes)?)
    }

    /// Writes the case so that reading it again gives an equal one, bit for bit.
    pub fn to_json(&self) -> String {
        let file = CaseFile {
            schema: SCHEMA,
            kind: if self.model.loops.is_empty() { "tree" } else { "closed" },
            name: &self.name,
            features: &self.features,
            note: &self.note,
            condition: self.condition,
            model: &self.model,
            state: &self.state,
            wrenches: &self.wrenches,
            forces: &self.forces,
            accelerations: &self.accelerations,
            expected: &self.expected,
        };
        // Joints outside the schema are the only thing that cannot be written, and no case has one.
        serde_json::to_string(&file).unwrap_or_default()
    }

    /// Name.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Words that say what the case exercises.
    pub fn features(&self) -> &[String] {
        &self.features
    }

    /// Remark.
    pub fn note(&self) -> Option<&str> {
        self.note.as_deref()
    }

    /// Condition number of the mass matrix, as given in the file.
    pub fn condition(&self) -> Option<f64> {
        self.condition
    }

    /// The system.
    pub fn model(&self) -> &CaseModel {
        &self.model
    }

    /// Where it is and how it moves.
    pub fn state(&self) -> &CaseState {
        &self.state
    }

    /// External wrenches.
    pub fn wrenches(&self) -> &[CaseWrench] {
        &self.wrenches
    }

    /// Generalized forces `T`: bodies in the order of the file, modes before hinge.
    pub fn forces(&self) -> &[f64] {
        &self.forces
    }

    /// Accelerations `udot_in` for the inverse dynamics, in the order of [`forces`](Self::forces).
    pub fn accelerations(&self) -> &[f64] {
        &self.accelerations
    }

    /// Answers to compare with, as they are in the file.
    pub fn expected(&self) -> Option<&serde_json::Value> {
        self.expected.as_ref()
    }
}

/// The members of the file, in the order in which they are written.
#[derive(Serialize)]
struct CaseFile<'a> {
    schema: &'static str,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: &'a Option<String>,
    features: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    note: &'a Option<String>,
    #[serde(rename = "cond_M", skip_serializing_if = "Option::is_none")]
    condition: Option<f64>,
    model: &'a CaseModel,
    state: &'a CaseState,
    wrenches: &'a [CaseWrench],
    #[serde(rename = "T")]
    forces: &'a [f64],
    #[serde(rename = "udot_in")]
    accelerations: &'a [f64],
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: &'a Option<serde_json::Value>,
}
