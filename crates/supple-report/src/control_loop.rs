//! What a controller does to a hinge, by the names of the columns that show it.

use serde::{Deserialize, Serialize};

/// A hinge under control. Columns are named whether they are recorded or not.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ControlLoop {
    /// The controller.
    pub controller: String,
    /// Its kind.
    pub kind: String,
    /// The hinge that it drives.
    pub hinge: String,
    /// Unit of the coordinate that it measures.
    pub unit: String,
    /// Where it should be; none where the controller has no reference.
    pub reference: Option<Reference>,
    /// Column of the coordinate that it measures, mostly that of the hinge.
    pub measured: String,
    /// Column of what the controller asks for.
    pub effort: String,
    /// Column of what acts in the hinge.
    pub force: String,
    /// Unit of both.
    pub effort_unit: String,
    /// The limit of the motor.
    pub limit: Option<f64>,
    /// Columns of estimates of an observer, with those of what they estimate.
    pub estimates: Vec<(String, String)>,
}

/// Where a hinge should be.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Reference {
    /// A column.
    Column(String),
    /// Always the same.
    Constant(f64),
}
