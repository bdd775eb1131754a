//! What a run was and how it went, as one JSON object.

use super::damping_summary::DampingSummary;
use super::error::ResultsError;
use super::event_summary::EventSummary;
use super::file::{self, Existing};
use super::sink::Written;
use super::story::Story;
use super::table::{Column, Table};
use serde::{Deserialize, Deserializer, Serialize};
use std::path::Path;
use supple::integrate::{Ledger, Statistics};
use supple::{BodyPhysics, Model};

/// The summary of a run. Times are in s, energies in J; numbers that are not finite are written as `null`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Version of this library.
    pub supple: String,
    /// Name of the model.
    pub model: String,
    /// Name of the scenario.
    pub scenario: String,
    /// How the run ended.
    pub outcome: Outcome,
    /// Simulated time at the start.
    #[serde(deserialize_with = "number")]
    pub start_time: f64,
    /// Simulated time reached.
    #[serde(deserialize_with = "number")]
    pub end_time: f64,
    /// Time the computer took.
    #[serde(deserialize_with = "number")]
    pub wall_time: f64,
    /// Simulated time over wall time.
    #[serde(deserialize_with = "number")]
    pub real_time_factor: f64,
    /// Which integrator, with which tolerances.
    pub integrator: IntegratorSummary,
    /// What it did.
    pub statistics: StatisticsSummary,
    /// Where the energy went, if it was followed.
    pub ledger: Option<LedgerSummary>,
    /// Momentum, where nothing external acted.
    #[serde(default)]
    pub momentum: Option<MomentumSummary>,
    /// How closely the equations of closures were kept, where there are any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closures: Option<ClosuresSummary>,
    /// Events in the order of time, as far as they are listed.
    #[serde(default)]
    pub events: Vec<EventSummary>,
    /// How many events are not listed.
    #[serde(default)]
    pub events_not_listed: u64,
    /// The physics of the model.
    pub physics: PhysicsSummary,
    /// Damping ratios that the system has, where its file asks for any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub damping: Vec<DampingSummary>,
    /// What happened; none before the run has ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub story: Option<Story>,
    /// What to be careful about.
    pub warnings: Vec<String>,
    /// Files written, other than this one.
    pub files: Vec<FileSummary>,
    /// Columns of the tables.
    pub columns: Vec<Column>,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "state", content = "reason")]
#[non_exhaustive]
pub enum Outcome {
    /// It has not ended: what a killed run leaves.
    Running,
    /// At the end asked for.
    Finished,
    /// By an event that ends it, which is named.
    Stopped(String),
    /// By its user, before the end.
    Interrupted,
    /// By an error, whose message it has.
    Failed(String),
}

/// An integrator and its settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct IntegratorSummary {
    /// Its name.
    pub name: String,
    /// Relative tolerance, where it has one.
    pub relative_tolerance: Option<f64>,
    /// Absolute tolerance, where it has one.
    pub absolute_tolerance: Option<f64>,
    /// Step, where it is fixed.
    pub step: Option<f64>,
}

/// Work of an integrator.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatisticsSummary {
    /// Steps accepted.
    pub accepted_steps: u64,
    /// Steps rejected.
    pub rejected_steps: u64,
    /// Evaluations of the equations of motion.
    pub evaluations: u64,
}

impl From<Statistics> for StatisticsSummary {
    fn from(statistics: Statistics) -> Self {
        Self {
            accepted_steps: statistics.accepted,
            rejected_steps: statistics.rejected,
            evaluations: statistics.evaluations,
        }
    }
}

/// Energies at the end and where they came from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LedgerSummary {
    /// Total energy at the start.
    #[serde(deserialize_with = "number")]
    pub start: f64,
    /// Kinetic energy.
    #[serde(deserialize_with = "number")]
    pub kinetic: f64,
    /// Elastic energy.
    #[serde(deserialize_with = "number")]
    pub elastic: f64,
    /// Gravitational energy.
    #[serde(deserialize_with = "number")]
    pub gravitational: f64,
    /// Work of generalized forces and of prescribed hinges.
    #[serde(deserialize_with = "number")]
    pub work: f64,
    /// Work of external wrenches.
    #[serde(deserialize_with = "number")]
    pub wrench_work: f64,
    /// Stored in springs and stops of hinges.
    #[serde(deserialize_with = "number")]
    pub stored: f64,
    /// Energy taken by modal damping.
    #[serde(deserialize_with = "number")]
    pub dissipated: f64,
    /// Energy taken by damping, friction and stops of hinges.
    #[serde(deserialize_with = "number")]
    pub hinge_dissipated: f64,
    /// Energy that came with bringing the state back onto closures; zero in files of versions that had none.
    #[serde(default, deserialize_with = "number")]
    pub projection_work: f64,
    /// Energy lost where closures closed while their frames moved.
    #[serde(default, deserialize_with = "number")]
    pub impact_loss: f64,
    /// Largest deviation of the closures that act at the end, m or rad.
    #[serde(default, deserialize_with = "number")]
    pub deviation: f64,
    /// Largest rate of one.
    #[serde(default, deserialize_with = "number")]
    pub deviation_rate: f64,
    /// What does not balance.
    #[serde(deserialize_with = "number")]
    pub balance_error: f64,
}

impl From<Ledger> for LedgerSummary {
    fn from(ledger: Ledger) -> Self {
        Self {
            start: ledger.start,
            kinetic: ledger.energy.kinetic,
            elastic: ledger.energy.elastic,
            gravitational: ledger.energy.gravitational,
            work: ledger.work,
            wrench_work: ledger.wrench_work,
            stored: ledger.energy.stored,
            dissipated: ledger.dissipated,
            hinge_dissipated: ledger.hinge_dissipated,
            projection_work: ledger.projection_work,
            impact_loss: ledger.impact_loss,
            deviation: ledger.deviation,
            deviation_rate: ledger.deviation_rate,
            balance_error: ledger.balance_error(),
        }
    }
}

/// Momentum of a system on which nothing external acts, and what it changed by.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MomentumSummary {
    /// Linear momentum at the start, kg m/s.
    pub linear: [f64; 3],
    /// Angular momentum at the start about the inertial origin, kg m²/s.
    pub angular: [f64; 3],
    /// Greatest change of the linear momentum among the rows.
    #[serde(deserialize_with = "number")]
    pub linear_drift: f64,
    /// Greatest change of the angular momentum among the rows.
    #[serde(deserialize_with = "number")]
    pub angular_drift: f64,
}

/// How closely the equations of the closures that acted were kept.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClosuresSummary {
    /// Greatest deviation among the rows, m or rad.
    #[serde(deserialize_with = "number")]
    pub deviation: f64,
    /// Greatest rate of a deviation among the rows, m/s or rad/s.
    #[serde(deserialize_with = "number")]
    pub speed: f64,
}

/// Which terms the equations of motion had.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PhysicsSummary {
    /// The equations of motion: `spatial-operators`, or the name of another formulation, as `book` for Book's recursive Lagrangian.
    #[serde(default = "spatial_operators")]
    pub formulation: String,
    /// How elastic rotations turn what nodes carry.
    pub elastic_rotation: String,
    /// Which equations nodal inertias obey.
    pub inertia: String,
    /// Flexible bodies.
    pub bodies: Vec<BodySummary>,
}

/// What the equations of motion are where nothing else is said.
fn spatial_operators() -> String {
    "spatial-operators".into()
}

/// The physics of a flexible body.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BodySummary {
    /// Its name.
    pub body: String,
    /// Number of modes.
    pub modes: usize,
    /// The terms it carries, in words.
    pub terms: String,
}

/// A file of the results.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileSummary {
    /// Its name in the folder of results.
    pub name: String,
    /// Rows in it.
    pub rows: u64,
}

impl From<&Written> for FileSummary {
    fn from(written: &Written) -> Self {
        let name = written.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Self { name, rows: written.rows }
    }
}

impl Summary {
    /// A run that has not begun.
    pub fn new(scenario: impl Into<String>, table: &Table, integrator: IntegratorSummary) -> Self {
        Self {
            supple: env!("CARGO_PKG_VERSION").to_owned(),
            model: table.model().to_owned(),
            scenario: scenario.into(),
            outcome: Outcome::Running,
            start_time: 0.0,
            end_time: 0.0,
            wall_time: 0.0,
            real_time_factor: 0.0,
            integrator,
            statistics: StatisticsSummary::default(),
            ledger: None,
            momentum: None,
            closures: None,
            events: Vec::new(),
            events_not_listed: 0,
            physics: PhysicsSummary::default(),
            damping: Vec::new(),
            story: None,
            warnings: Vec::new(),
            files: Vec::new(),
            columns: table.columns().to_vec(),
        }
    }

    /// Tells the physics of a model.
    pub fn set_physics(&mut self, model: &Model) {
        let told = |physics: &BodyPhysics| BodySummary {
            body: model.name(physics.body).to_owned(),
            modes: physics.modes,
            terms: physics.to_string(),
        };
        self.physics = PhysicsSummary {
            formulation: spatial_operators(),
            elastic_rotation: model.elastic_rotation().to_string(),
            inertia: model.inertia_convention().to_string(),
            bodies: model.physics().iter().map(told).collect(),
        };
    }

    /// Sets wall time and real-time factor; a run that took no time has none.
    pub fn set_wall_time(&mut self, seconds: f64) {
        self.wall_time = seconds;
        self.real_time_factor = if seconds > 0.0 { (self.end_time - self.start_time) / seconds } else { f64::INFINITY };
    }

    /// Writes the summary, whole or not at all; a run may do so again and again.
    ///
    /// # Errors
    /// A file that exists and may not be replaced; a place that cannot be written.
    pub fn write(&self, path: &Path, existing: Existing) -> Result<(), ResultsError> {
        let wrong =
            |error: serde_json::Error| ResultsError::Format { path: path.to_path_buf(), reason: error.to_string() };
        let mut text = serde_json::to_vec_pretty(self).map_err(wrong)?;
        text.push(b'\n');
        file::write_whole(path, existing, &text)
    }
}

/// A number, or `null` for one that was not finite.
fn number<'de, D: Deserializer<'de>>(input: D) -> Result<f64, D::Error> {
    Ok(Option::<f64>::deserialize(input)?.unwrap_or(f64::NAN))
}
