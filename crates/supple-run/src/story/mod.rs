//! What happens in a run, watched row by row in bounded memory: see [`Story`].

mod commands;
mod efforts;
mod elements;
mod loads;
mod points;
mod residual;
mod tracking;
mod truncation;

use serde::{Deserialize, Serialize};
use supple::integrate::Simulation;
use supple::model::{Variable, VariableKind};
use supple::{DynamicsError, Workspace};
use supple_io::results::{HingeStory, Story};
use supple_io::scenario_file::Scenario;

use crate::effort::EffortWatch;
use commands::Commands;
use efforts::Efforts;
use elements::Elements;
use loads::Loads;
use points::Points;
use tracking::Tracking;
use truncation::Truncation;

pub use efforts::{clamp, is_driven};
pub use tracking::{coordinate_of, measured, references};

/// Coordinates of hinges that are followed.
const MOST_HINGES: usize = 64;

/// Looks at every row.
pub struct StoryWatch {
    commands: Commands,
    /// Coordinates with name, unit and place, and hinges that turn freely with the place of their quaternion.
    hinges: Vec<(String, &'static str, usize)>,
    balls: Vec<(String, usize)>,
    points: Points,
    efforts: Efforts,
    loads: Loads,
    elements: Elements,
    tracking: Tracking,
    truncation: Truncation,
    record: StoryRecord,
}

/// What was seen so far, for checkpoints.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct StoryRecord {
    /// When something that is commanded and only known as it comes changed last.
    changed: Option<f64>,
    /// When an event last changed the system.
    disturbed: Option<f64>,
    /// Of each coordinate: at the start, now, least, greatest.
    hinges: Vec<[f64; 4]>,
    /// Attitudes at the start of hinges that turn freely, and angles from there: now, greatest.
    attitudes: Vec<[f64; 4]>,
    turned: Vec<[f64; 2]>,
    points: points::PointsRecord,
    efforts: Vec<efforts::EffortRecord>,
    loads: Vec<loads::LoadRecord>,
    elements: Vec<elements::ElementRecord>,
    tracking: Vec<tracking::TrackingRecord>,
    truncation: truncation::TruncationRecord,
    /// Gravitational energy at the start, and the greatest energy turned over.
    gravitational: Option<f64>,
    energy: f64,
    /// Time of the last row.
    time: Option<f64>,
}

impl StoryWatch {
    /// Of a scenario at its start.
    pub fn new(scenario: &Scenario) -> Self {
        let variables = scenario.model.model.variables();
        let coordinate = |v: &&Variable| v.kind == VariableKind::HingeCoordinate && v.unit != "1";
        let name = |name: &str| name.trim_start_matches("hinge.").to_owned();
        let hinges = variables.iter().filter(coordinate).take(MOST_HINGES);
        Self {
            commands: Commands::new(scenario),
            hinges: hinges.map(|v| (name(&v.name), v.unit, v.index)).collect(),
            balls: balls(&variables),
            points: Points::new(scenario),
            efforts: Efforts::new(scenario, &variables),
            loads: Loads::new(scenario),
            elements: Elements::new(scenario, &variables),
            tracking: Tracking::new(scenario, &variables),
            truncation: Truncation::new(scenario),
            record: StoryRecord::default(),
        }
    }

    /// Looks at the row that the run has reached.
    ///
    /// # Errors
    /// A state that cannot be evaluated.
    pub fn observe(&mut self, scenario: &Scenario, run: &mut Simulation) -> Result<(), DynamicsError> {
        let Self { commands, hinges, balls, points, efforts, loads, elements, tracking, truncation, record } = self;
        let time = run.state().time;
        let state = run.state();
        let now: Vec<f64> = hinges.iter().map(|(_, _, place)| state.coordinates[*place]).collect();
        if record.hinges.len() != now.len() {
            record.hinges = now.iter().map(|x| [*x; 4]).collect();
        }
        for (seen, x) in record.hinges.iter_mut().zip(&now) {
            *seen = [seen[0], *x, seen[2].min(*x), seen[3].max(*x)];
        }
        let attitude = |place: usize| -> [f64; 4] { std::array::from_fn(|i| state.coordinates[place + i]) };
        if record.attitudes.len() != balls.len() {
            record.attitudes = balls.iter().map(|(_, place)| attitude(*place)).collect();
            record.turned = vec![[0.0; 2]; balls.len()];
        }
        for (((_, place), start), seen) in balls.iter().zip(&record.attitudes).zip(&mut record.turned) {
            let angle = angle_between(&attitude(*place), start);
            *seen = [angle, seen[1].max(angle)];
        }
        if tracking.observe(run, &mut record.tracking) {
            record.changed = Some(time);
        }
        let since = commands.end_now([record.changed, record.disturbed]);
        tracking.settle(time, since, &mut record.tracking);
        points.observe((scenario, run.state()), since, &mut record.points)?;
        loads.observe(time, record.time, &mut record.loads);
        elements.observe((&scenario.model.model, run.state()), &mut record.elements)?;
        truncation.observe((&scenario.model.model, run.state()), &mut record.truncation);
        efforts.observe(run, record.time, &mut record.efforts)?;
        let l = run.ledger()?;
        let start = *record.gravitational.get_or_insert(l.energy.gravitational);
        let held = l.energy.kinetic + l.energy.elastic + l.energy.stored + (l.energy.gravitational - start).abs();
        let flows = [l.work, l.wrench_work, l.dissipated, l.hinge_dissipated, l.impact_loss];
        record.energy = flows.iter().fold(record.energy.max(held), |most, x| most.max(x.abs()));
        record.time = Some(time);
        Ok(())
    }

    /// An event has changed the system: what moves from then on is its answer.
    pub fn disturb(&mut self, time: f64) {
        self.record.disturbed = Some(time);
    }

    /// What was seen.
    pub fn story(&self, scenario: &Scenario, motors: &EffortWatch) -> Story {
        let Self { commands, hinges, balls, points, efforts, loads, elements, tracking, truncation, record } = self;
        let until = record.time.unwrap_or(scenario.initial.time);
        let (end, basis) = commands.told([record.changed, record.disturbed], until);
        let hinge = |((name, unit, _), seen): (&(String, &'static str, usize), &[f64; 4])| HingeStory {
            hinge: name.clone(),
            unit: (*unit).to_owned(),
            from_to: [seen[0], seen[1]],
            range: [seen[2], seen[3]],
        };
        let mut hinges: Vec<HingeStory> = hinges.iter().zip(&record.hinges).map(hinge).collect();
        let ball = |((name, _), seen): (&(String, usize), &[f64; 2])| HingeStory {
            hinge: format!("{name}, attitude"),
            unit: "rad".to_owned(),
            from_to: [0.0, seen[0]],
            range: [0.0, seen[1]],
        };
        hinges.extend(balls.iter().zip(&record.turned).map(ball));
        hinges.sort_by(|a, b| b.travel().total_cmp(&a.travel()));
        Story {
            motion_end: end,
            motion_end_basis: basis,
            hinges,
            deflections: points.told(scenario, (end, commands.turning()), &record.points),
            motors: efforts.told(&record.efforts, &motors.record()),
            loads: loads.told(&record.loads),
            elements: elements.told(&record.elements),
            modes: truncation.told(&record.truncation),
            tracking: tracking.told(&record.tracking, end),
            energy: record.energy,
        }
    }

    /// For a checkpoint.
    pub fn record(&self) -> &StoryRecord {
        &self.record
    }

    /// Goes on from a checkpoint.
    pub fn restore(&mut self, record: &StoryRecord) {
        self.record = record.clone();
    }
}

/// Hinges with quaternions: their names and where these start.
fn balls(variables: &[Variable]) -> Vec<(String, usize)> {
    let first = |v: &&Variable| v.kind == VariableKind::HingeCoordinate && v.unit == "1" && v.name.ends_with(".qx");
    let name = |name: &str| name.trim_start_matches("hinge.").trim_end_matches(".qx").to_owned();
    variables.iter().filter(first).take(MOST_HINGES).map(|v| (name(&v.name), v.index)).collect()
}

/// The angle between two attitudes.
fn angle_between(a: &[f64; 4], b: &[f64; 4]) -> f64 {
    let dot: f64 = a.iter().zip(b).map(|(x, y)| x * y).sum();
    let apart: f64 = a.iter().zip(b).map(|(x, y)| (x - dot.signum() * y).powi(2)).sum();
    4.0 * (0.5 * apart.sqrt()).min(1.0).asin()
}

/// A value with the time of it, the greatest of those seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Peak {
    pub value: f64,
    pub time: f64,
}

impl Peak {
    /// One more value, zero or above.
    pub fn see(&mut self, value: f64, time: f64) {
        if value > self.value {
            *self = Self { value, time };
        }
    }
}

/// A workspace for poses.
fn workspace(scenario: &Scenario) -> Workspace {
    Workspace::new(&scenario.model.model)
}
