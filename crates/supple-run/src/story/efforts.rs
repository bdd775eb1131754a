//! What driven hinges take: the greatest effort and the root of its mean square.

use serde::{Deserialize, Serialize};
use supple::integrate::Simulation;
use supple::model::{Variable, VariableKind};
use supple::{BodyIndex, DynamicsError};
use supple_control::block::Value;
use supple_io::results::MotorStory;
use supple_io::scenario_file::Scenario;

use super::Peak;
use crate::effort::MotorRecord;

/// Drives that are followed.
const MOST_DRIVES: usize = 64;

/// Speeds that something drives.
pub struct Efforts {
    driven: Vec<Driven>,
}

struct Driven {
    hinge: String,
    unit: &'static str,
    speed: usize,
    body: usize,
    limit: Option<f64>,
    /// Whether the limit is that of its controller.
    clamped: bool,
    prescribed: bool,
}

/// What was seen of one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EffortRecord {
    peak: Peak,
    /// Integral of the square, by the rule of trapezoids, and the time it is taken over.
    squares: f64,
    seconds: f64,
    last: f64,
    /// Time at the limit.
    limited: f64,
}

/// Whether something drives a speed of the hinge of a body: a motion, a torque, a motor or a controller.
pub fn is_driven(scenario: &Scenario, body: BodyIndex, speed: usize) -> bool {
    let within = speed - scenario.model.model.hinge_speeds(body).start;
    scenario.motions.iter().chain(&scenario.feedforward).any(|motion| motion.body == body)
        || scenario.model.system.actuators.iter().any(|motor| motor.body == body && motor.speed == within)
        || scenario.torques.iter().any(|torque| torque.body == body && torque.speed == within)
        || scenario.blocks.iter().any(|block| block.acts.contains(&speed))
}

/// The limit that the controller of a speed keeps, where one alone acts there and has one.
pub fn clamp(scenario: &Scenario, speed: usize) -> Option<f64> {
    let mut acting = scenario.blocks.iter().filter(|block| block.acts.contains(&speed));
    let block = acting.next()?;
    match (acting.next(), block.setting.values.get("u_clamp")) {
        (None, Some(Value::Number(limit))) if *limit > 0.0 => Some(*limit),
        _ => None,
    }
}

impl Efforts {
    /// Those of a scenario.
    pub fn new(scenario: &Scenario, variables: &[Variable]) -> Self {
        let model = &scenario.model.model;
        let motors = &scenario.model.system.actuators;
        let driven = |v: &Variable| {
            let body = v.body?;
            let within = v.index - model.hinge_speeds(body).start;
            let motor = motors.iter().find(|motor| motor.body == body && motor.speed == within);
            let prescribed = scenario.motions.iter().any(|motion| motion.body == body);
            let motor_limit = motor.and_then(|motor| motor.effort_limit);
            let clamp = clamp(scenario, v.index).filter(|clamp| motor_limit.is_none_or(|limit| *clamp < limit));
            is_driven(scenario, body, v.index).then(|| Driven {
                hinge: v.name.trim_start_matches("force.").to_owned(),
                unit: v.unit,
                speed: v.index,
                body: body.0,
                limit: clamp.or(motor_limit),
                clamped: clamp.is_some(),
                prescribed,
            })
        };
        let forces = variables.iter().filter(|v| v.kind == VariableKind::DriveForce);
        Self { driven: forces.filter_map(driven).take(MOST_DRIVES).collect() }
    }

    /// Looks at what acts in the row that a run has reached; the one before was at `last`.
    pub fn observe(
        &self,
        run: &mut Simulation,
        last: Option<f64>,
        records: &mut Vec<EffortRecord>,
    ) -> Result<(), DynamicsError> {
        if self.driven.is_empty() {
            return Ok(());
        }
        records.resize(self.driven.len(), EffortRecord::default());
        let time = run.state().time;
        let passed = last.map_or(0.0, |last| time - last);
        let forces = run.dynamics()?.1;
        for (own, record) in self.driven.iter().zip(records) {
            let effort = forces[own.speed];
            record.peak.see(effort.abs(), time);
            record.squares += 0.5 * passed * (effort * effort + record.last * record.last);
            record.seconds += passed;
            if own.limit.is_some_and(|limit| effort.abs() >= limit * (1.0 - 1e-9)) {
                record.limited += passed;
            }
            record.last = effort;
        }
        Ok(())
    }

    /// What was seen, with what motors were asked for beyond their limits; those nearest to their limits first, then by size.
    pub fn told(&self, records: &[EffortRecord], asked: &[MotorRecord]) -> Vec<MotorStory> {
        let told = |(own, record): (&Driven, &EffortRecord)| {
            let beyond = asked.iter().find(|motor| motor.body == own.body && own.limit.is_some() && !own.clamped);
            MotorStory {
                hinge: own.hinge.clone(),
                unit: own.unit.to_owned(),
                peak: record.peak.value,
                time: record.peak.time,
                rms: if record.seconds > 0.0 { (record.squares / record.seconds).sqrt() } else { record.last.abs() },
                limit: own.limit,
                clamped: own.clamped,
                // The watch of motors looks at every step and at what is asked for.
                seconds_beyond: beyond.map_or(record.limited, |motor| motor.seconds),
                prescribed: own.prescribed,
            }
        };
        let mut all: Vec<MotorStory> = self.driven.iter().zip(records).map(told).collect();
        let load = |motor: &MotorStory| motor.load().unwrap_or(-1.0);
        all.sort_by(|a, b| load(b).total_cmp(&load(a)).then(b.peak.total_cmp(&a.peak)));
        all
    }
}
