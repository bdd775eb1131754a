//! System modes as a motion for a page: one mode after the other, magnified and in slow motion.

use std::f64::consts::TAU;

use serde::{Deserialize, Serialize};
use supple::{DynamicsError, Model, State};
use supple_io::results::{Column, EventSummary, ResultsError};

use crate::columns::ColumnRecorder;
use crate::motion::{Motion, MotionRecorder};
use crate::recording::{Origin, Recording};
use crate::report::Run;
use crate::scene::Scene;
use crate::still;

/// Most modes that are shown.
const MOST_MODES: usize = 20;
/// Seconds of the page that a period takes, periods of each mode, frames of a period.
const PERIOD: f64 = 2.0;
const PERIODS: usize = 2;
const FRAMES: usize = 40;
/// The greatest displacement of a node as a part of the size of the system, and the greatest rotation of a node, rad.
const AMPLITUDE: f64 = 0.08;
const ROTATION: f64 = 0.5;

/// A mode to show.
#[derive(Clone, Debug, PartialEq)]
pub struct ModeShape {
    /// Frequency, Hz.
    pub frequency: f64,
    /// Damping ratio.
    pub damping_ratio: f64,
    /// Real and imaginary part of the displacement of every speed.
    pub shape: Vec<[f64; 2]>,
    /// The greatest rotation and the greatest displacement of a node at this scale.
    pub reach: [f64; 2],
}

/// A mode of the whole system in a report: one period of it in frames.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShownMode {
    /// Frequency, Hz.
    pub frequency: f64,
    /// Damping ratio.
    pub damping_ratio: f64,
    /// Bodies with most of the kinetic energy, in words.
    pub members: String,
    /// Bodies, or springs, with most of the strain energy, in words.
    #[serde(default)]
    pub strained: String,
    /// Frames of a period that lasts a second, the last the same as the first.
    pub motion: Motion,
}

/// Modes of a system in a report, and what they are about.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ShownModes {
    /// The modes, lowest first.
    pub modes: Vec<ShownMode>,
    /// What they are about, or why there are none; nothing where none were looked for.
    pub about: Option<ModesAbout>,
}

/// The state that modes are about.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ModesAbout {
    /// It, and what hinges do there, in words.
    pub state: String,
    /// The command that finds the same modes; none where no file has the system as it is there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// Why there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub none: Option<String>,
}

impl ModeShape {
    /// Of a mode by how far it moves every speed and every node, rotation first.
    pub fn new(
        [frequency, damping_ratio]: [f64; 2],
        shape: Vec<[f64; 2]>,
        nodes: impl Iterator<Item = [f64; 6]>,
    ) -> Self {
        let size = |u: &[f64]| u.iter().map(|x| x * x).sum::<f64>().sqrt();
        let reach = nodes.fold([0.0_f64; 2], |[a, b], u| [a.max(size(&u[..3])), b.max(size(&u[3..]))]);
        Self { frequency, damping_ratio, shape, reach }
    }

    /// One period about a state, magnified: frames at equal parts of a second, the last the same as the first.
    ///
    /// # Errors
    /// A state that cannot be placed.
    pub fn period(&self, scene: &Scene, (model, state): (&Model, &State)) -> Result<Motion, DynamicsError> {
        let (mut recorder, scale) = (MotionRecorder::new(scene, model), self.scale(scene.reach()));
        for frame in 0..=FRAMES {
            let mut moved = self.displaced((model, state), scale, TAU * frame as f64 / FRAMES as f64);
            moved.time = frame as f64 / FRAMES as f64;
            recorder.take(scene, model, &moved)?;
        }
        Ok(recorder.motion().clone())
    }

    /// What makes it large enough to be seen.
    fn scale(&self, size: f64) -> f64 {
        let [turns, moves] = self.reach;
        let by = |most: f64, own: f64| if own > 0.0 { most / own } else { f64::INFINITY };
        let scale = by(ROTATION, turns).min(if size > 0.0 { by(AMPLITUDE * size, moves) } else { f64::INFINITY });
        if scale.is_finite() { scale } else { 0.0 }
    }

    /// A state displaced by the mode at a phase.
    fn displaced(&self, (model, state): (&Model, &State), scale: f64, phase: f64) -> State {
        let (sin, cos) = phase.sin_cos();
        let displacement: Vec<f64> = self.shape.iter().map(|[re, im]| scale * (re * sin + im * cos)).collect();
        let mut moved = state.clone();
        moved.displace(model, &displacement);
        moved
    }
}

/// A run whose motion shows the first modes about a state, each from an event with its frequency on.
///
/// # Errors
/// A state that cannot be placed.
pub fn animation(
    scene: Scene,
    (model, state): (&Model, &State),
    modes: &[ModeShape],
    origin: Origin,
) -> Result<Run, AnimationError> {
    let shown = &modes[..modes.len().min(MOST_MODES)];
    let columns = vec![
        Column::new("time", "s", "time of the animation"),
        Column::new("mode", "1", "number of the mode"),
        Column::new("frequency", "Hz", "its frequency"),
        Column::new("damping_ratio", "1", "its damping ratio"),
    ];
    let mut summary = still::summary("system modes", &scene, model, &columns)?;
    let (mut recorder, mut rows) = (MotionRecorder::new(&scene, model), ColumnRecorder::new(&columns));
    let size = scene.reach();
    for (k, mode) in shown.iter().enumerate() {
        let start = (k * PERIODS) as f64 * PERIOD;
        let told = format!("mode {}: {:.5} Hz, damping ratio {:.4}", k + 1, mode.frequency, mode.damping_ratio);
        summary.events.push(EventSummary::new(start, told));
        let scale = mode.scale(size);
        for frame in 0..PERIODS * FRAMES {
            let mut moved = mode.displaced((model, state), scale, TAU * frame as f64 / FRAMES as f64);
            moved.time = start + PERIOD * frame as f64 / FRAMES as f64;
            recorder.take(&scene, model, &moved)?;
            rows.take(&[moved.time, (k + 1) as f64, mode.frequency, mode.damping_ratio]);
        }
    }
    summary.end_time = (shown.len() * PERIODS) as f64 * PERIOD;
    let label = format!("system modes of {}", scene.name);
    let recording = Recording::new(scene, recorder.motion().clone(), origin);
    Ok(Run { label, summary, recording, table: rows.columns() })
}

/// Why modes cannot be shown.
#[derive(Debug)]
#[non_exhaustive]
pub enum AnimationError {
    /// A state that cannot be placed.
    Dynamics(DynamicsError),
    /// A table that cannot be made.
    Table(ResultsError),
}

impl std::fmt::Display for AnimationError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Dynamics(error) => error.fmt(f),
            Self::Table(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for AnimationError {}

impl From<DynamicsError> for AnimationError {
    fn from(error: DynamicsError) -> Self {
        Self::Dynamics(error)
    }
}

impl From<ResultsError> for AnimationError {
    fn from(error: ResultsError) -> Self {
        Self::Table(error)
    }
}
