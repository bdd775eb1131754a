//! Damping ratios of a system in the summary of a run.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Modes that a line lists.
const FIRST: usize = 6;

/// The vibrations of a system in one way of holding its hinges.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DampingSummary {
    /// What the hinges do, in words.
    pub hinges: String,
    /// The modes, lowest first.
    pub modes: Vec<ModeSummary>,
}

/// A vibration.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModeSummary {
    /// Frequency, Hz.
    pub frequency: f64,
    /// Damping ratio.
    pub damping_ratio: f64,
}

/// The first modes in one line.
impl fmt::Display for DampingSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "damping ratios, {}:", self.hinges)?;
        for (i, mode) in self.modes.iter().take(FIRST).enumerate() {
            let ratio = if mode.damping_ratio.abs() < 5e-7 { 0.0 } else { mode.damping_ratio };
            write!(f, "{}{ratio:.4} at {:.4} Hz", if i == 0 { " " } else { ", " }, mode.frequency)?;
        }
        if self.modes.len() > FIRST { f.write_str(", …") } else { Ok(()) }
    }
}
