//! The limits of motors, `effort_limit`: what acts in a hinge is no more; who asks for more is told of it, once when it begins and once at the end.

use serde::{Deserialize, Serialize};
use supple::integrate::Simulation;
use supple::{BodyIndex, DynamicsError};
use supple_io::scenario_file::{Scenario, speed_names};

/// Speeds at which a scenario limits what torques, feedforward and controllers make act together, with the limits.
pub fn limits(scenario: &Scenario) -> Vec<(usize, f64)> {
    let model = &scenario.model.model;
    let limited = model.actuators().iter().filter_map(|motor| Some((motor, motor.effort_limit?)));
    let at = limited.map(|(motor, limit)| (model.hinge_speeds(motor.body).start + motor.speed, limit));
    if scenario.effort_limits { at.collect() } else { Vec::new() }
}

/// Looks at every step of a run; at rows where a hinge moves as told.
pub struct EffortWatch {
    motors: Vec<Motor>,
    /// Whether limits are kept.
    enforced: bool,
}

/// A motor with a limit.
struct Motor {
    speed: usize,
    hinge: String,
    unit: &'static str,
    limit: f64,
    /// Whether its hinge moves as told, whatever it takes.
    moved: bool,
    record: MotorRecord,
}

/// What a motor was asked for so far.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MotorRecord {
    /// Its body.
    pub body: usize,
    /// When it was first asked for more than the limit, and for how much.
    pub first: Option<(f64, f64)>,
    /// How long, s.
    pub seconds: f64,
    /// For how much at most, either way.
    pub most: f64,
    /// When it was looked at last, where it was asked for more then.
    pub since: Option<f64>,
}

impl EffortWatch {
    /// The motors of a scenario.
    pub fn new(scenario: &Scenario) -> Self {
        let (model, system) = (&scenario.model.model, &scenario.model.system);
        let limited =
            system.actuators.iter().filter_map(|motor| Some((motor.body.0, motor.speed, motor.effort_limit?)));
        let motor = |(body, speed, limit): (usize, usize, f64)| {
            let told = &system.bodies[body];
            let turns = speed_names(&told.hinge.kind).get(speed).is_none_or(|(_, turns)| *turns);
            Motor {
                speed: model.hinge_speeds(BodyIndex(body)).start + speed,
                hinge: told.hinge.name.clone().unwrap_or_else(|| told.name.clone()),
                unit: if turns { "N m" } else { "N" },
                limit,
                moved: scenario.motions.iter().any(|motion| motion.body.0 == body),
                record: MotorRecord { body, ..MotorRecord::default() },
            }
        };
        Self { motors: limited.map(motor).collect(), enforced: scenario.effort_limits }
    }

    /// Looks at what is asked for in the state reached; the warnings that are new.
    pub fn observe(&mut self, run: &mut Simulation) -> Result<Vec<String>, DynamicsError> {
        self.look(run, false, |run| Ok(run.asked_efforts()?.to_vec()))
    }

    /// The same of hinges that move as told.
    pub fn observe_moved(&mut self, run: &mut Simulation) -> Result<Vec<String>, DynamicsError> {
        match self.motors.iter().any(|motor| motor.moved && motor.record.first.is_none()) {
            true => self.look(run, true, |run| Ok(run.dynamics()?.1.to_vec())),
            false => Ok(Vec::new()),
        }
    }

    fn look(
        &mut self,
        run: &mut Simulation,
        moved: bool,
        forces: impl Fn(&mut Simulation) -> Result<Vec<f64>, DynamicsError>,
    ) -> Result<Vec<String>, DynamicsError> {
        let mut motors = self.motors.iter_mut().filter(|motor| motor.moved == moved).peekable();
        if motors.peek().is_none() {
            return Ok(Vec::new());
        }
        let (time, forces) = (run.state().time, forces(run)?);
        Ok(motors
            .filter_map(|motor| motor.see(time, forces[motor.speed]).then(|| motor.warning(self.enforced)))
            .collect())
    }

    /// How long motors gave less than they were asked for.
    pub fn totals(&self) -> Vec<String> {
        let limited = self.motors.iter().filter(|motor| self.enforced && !motor.moved && motor.record.seconds > 0.0);
        limited.filter_map(Motor::total).collect()
    }

    /// What was seen, for a checkpoint.
    pub fn record(&self) -> Vec<MotorRecord> {
        self.motors.iter().map(|motor| motor.record.clone()).collect()
    }

    /// What was seen before a checkpoint.
    pub fn restore(&mut self, record: &[MotorRecord]) {
        if record.len() == self.motors.len() {
            self.motors.iter_mut().zip(record).for_each(|(motor, record)| motor.record = record.clone());
        }
    }
}

impl Motor {
    /// Whether it is asked for too much for the first time.
    fn see(&mut self, time: f64, effort: f64) -> bool {
        let record = &mut self.record;
        let known = record.first.is_some();
        if let Some(since) = record.since {
            record.seconds += time - since;
        }
        let over = effort.abs() > self.limit;
        record.since = over.then_some(time);
        if over {
            record.first.get_or_insert((time, effort));
            record.most = record.most.max(effort.abs());
        }
        over && !known
    }

    /// In words, where it was asked for too much.
    fn warning(&self, enforced: bool) -> String {
        let Self { hinge, unit, limit, moved, record, .. } = self;
        let (time, effort) = record.first.unwrap_or_default();
        let asked = format!("at t = {time:.6} s hinge '{hinge}' requires {effort:.4} {unit}");
        if *moved {
            format!(
                "{asked}, more than its effort_limit of {limit} {unit}, which does not limit a prescribed motion; move more slowly, or drive it by torques"
            )
        } else if enforced {
            format!(
                "{asked} and is limited to its effort_limit of {limit} {unit}; it will not follow the planned motion"
            )
        } else {
            format!(
                "{asked}, more than its effort_limit of {limit} {unit}, which this scenario does not enforce: `effort_limits = false`"
            )
        }
    }

    /// In words, how long it gave less than it was asked for.
    fn total(&self) -> Option<String> {
        let Self { hinge, unit, limit, record, .. } = self;
        let (first, seconds, most) = (record.first?.0, record.seconds, record.most);
        Some(format!(
            "hinge '{hinge}' was at its effort_limit of {limit} {unit} for {seconds:.4} s in all, first at t = {first:.6} s; up to {most:.4} {unit} was commanded"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The time beyond the limit is that between looks, from the first one that finds it.
    #[test]
    fn the_time_at_the_limit_adds_up() {
        let mut motor = Motor {
            speed: 0,
            hinge: "elbow".into(),
            unit: "N m",
            limit: 2.0,
            moved: false,
            record: MotorRecord::default(),
        };
        let looks = [(0.0, 1.0), (0.1, 3.0), (0.3, -5.0), (0.4, 2.0), (0.5, 2.5), (0.75, 0.0)];
        let new: Vec<bool> = looks.iter().map(|(time, effort)| motor.see(*time, *effort)).collect();
        assert_eq!(new, [false, true, false, false, false, false]);
        assert!((motor.record.seconds - 0.55).abs() < 1e-15);
        assert_eq!((motor.record.first, motor.record.most), (Some((0.1, 3.0)), 5.0));
    }
}
