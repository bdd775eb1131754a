//! What a run leaves in a sweep.

use std::fmt;

use super::Value;

/// How a run of a sweep ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RunStatus {
    /// It reached its end.
    Finished,
    /// An event ended it, as the scenario asks.
    Stopped,
    /// It did not begin, ended early, or a number could not be taken.
    Failed,
}

impl RunStatus {
    /// The word in tables.
    pub fn word(self) -> &'static str {
        match self {
            Self::Finished => "finished",
            Self::Stopped => "stopped",
            Self::Failed => "failed",
        }
    }

    /// The status of a word.
    pub fn of_word(word: &str) -> Option<Self> {
        [Self::Finished, Self::Stopped, Self::Failed].into_iter().find(|status| status.word() == word)
    }
}

impl fmt::Display for RunStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// One run of a sweep.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Its number, from zero.
    pub run: u64,
    /// What varies, in the order of the study.
    pub values: Vec<Value>,
    /// The extracted numbers, in the order of the study; NaN where there is none.
    pub numbers: Vec<f64>,
    /// How it ended.
    pub status: RunStatus,
    /// Why it failed, or which event ended it; empty otherwise.
    pub message: String,
}
