//! What makes the results of a run doubtful.

use serde::{Deserialize, Serialize};

/// A warning, with the simulated time at which it came.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Warning {
    /// Simulated time, s.
    pub time: f64,
    /// What is doubtful, since when, and what to do about it.
    pub text: String,
}
