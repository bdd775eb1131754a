//! Events of a run in its summary.

use serde::{Deserialize, Serialize};
use std::fmt;

/// An event that happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct EventSummary {
    /// When.
    pub time: f64,
    /// Its name.
    pub name: String,
    /// What it did to closures and hinges.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub actions: Vec<ActionSummary>,
}

impl EventSummary {
    /// One that did nothing but happen.
    pub fn new(time: f64, name: String) -> Self {
        Self { time, name, actions: Vec::new() }
    }

    /// The same with what it did.
    pub fn with_actions(self, actions: Vec<ActionSummary>) -> Self {
        Self { actions, ..self }
    }
}

impl fmt::Display for EventSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        self.actions.iter().enumerate().try_for_each(|(i, action)| {
            let separator = if i == 0 { ": " } else { "; " };
            write!(f, "{separator}{action}")
        })
    }
}

/// What happened to a closure. The lock of a hinge is a closure named `lock of` and the hinge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ActionKind {
    /// It closed where the model says.
    Closed,
    /// It closed with its frames where they were.
    Held,
    /// It opened.
    Opened,
    /// Its frames struck each other, and it stays open.
    Rebounded,
}

/// What an event did to a closure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ActionSummary {
    /// Its name.
    pub closure: String,
    /// What happened to it.
    pub kind: ActionKind,
    /// Largest speed of its equations before, m/s or rad/s; none where it opened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closing_speed: Option<f64>,
    /// Kinetic energy that was lost, J; none where it opened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub energy_lost: Option<f64>,
}

impl fmt::Display for ActionSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = match self.kind {
            ActionKind::Closed => "closed",
            ActionKind::Held => "held",
            ActionKind::Opened => "opened",
            ActionKind::Rebounded => "rebounded",
        };
        write!(f, "`{}` {word}", self.closure)?;
        if let (Some(speed), Some(lost)) = (self.closing_speed, self.energy_lost) {
            write!(f, " at {speed:.3e} (m/s or rad/s), {lost:.3e} J lost")?;
        }
        Ok(())
    }
}
