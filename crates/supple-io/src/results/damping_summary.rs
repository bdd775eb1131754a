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
    /// What grows, fastest first: the system is not stable where there is any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub growing: Vec<GrowthSummary>,
}

/// A vibration.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModeSummary {
    /// Frequency, Hz.
    pub frequency: f64,
    /// Damping ratio.
    pub damping_ratio: f64,
}

/// A motion that grows.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct GrowthSummary {
    /// Time in which it doubles, s.
    pub doubling_time: f64,
    /// Frequency at which it swings meanwhile, Hz; zero where it does not swing.
    pub frequency: f64,
}

/// The first modes in one line, and what grows.
impl fmt::Display for DampingSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "damping ratios, {}:{}", self.hinges, if self.modes.is_empty() { " no vibration" } else { "" })?;
        for (i, mode) in self.modes.iter().take(FIRST).enumerate() {
            let ratio = if mode.damping_ratio.abs() < 5e-7 { 0.0 } else { mode.damping_ratio };
            write!(f, "{}{ratio:.4} at {:.4} Hz", if i == 0 { " " } else { ", " }, mode.frequency)?;
        }
        if self.modes.len() > FIRST {
            f.write_str(", …")?;
        }
        let Some(GrowthSummary { doubling_time, frequency }) = self.growing.first() else { return Ok(()) };
        let swinging = if *frequency > 0.0 { format!(", swinging at {frequency:.4} Hz") } else { String::new() };
        let others = match self.growing.len() {
            1 => String::new(),
            many => format!(" (the fastest of {many})"),
        };
        write!(f, "; unstable there: a motion doubles every {doubling_time:.3} s{swinging}{others}")
    }
}
