//! Motors that are asked for more than their `effort_limit`: told once for each hinge.

use supple::integrate::Drive;
use supple::{BodyIndex, DynamicsError, Inputs};
use supple_io::scenario_file::{Scenario, speed_names};

use crate::drive::ScenarioDrive;
use supple::integrate::Simulation;

/// Looks at the rows of a run; what lies between two rows may pass unseen.
pub struct EffortWatch {
    motors: Vec<Motor>,
    /// What the scenario asks for, without limits.
    drive: Option<ScenarioDrive>,
    inputs: Inputs,
}

/// A motor with a limit.
struct Motor {
    body: usize,
    speed: usize,
    hinge: String,
    unit: &'static str,
    limit: f64,
    /// Whether its hinge moves as told, whatever it takes.
    moved: bool,
    /// When it was asked for more than the limit, and for how much.
    told: Option<(f64, f64)>,
}

impl EffortWatch {
    /// The motors of a scenario.
    pub fn new(scenario: &Scenario) -> Self {
        let (model, system) = (&scenario.model.model, &scenario.model.system);
        let limited =
            system.actuators.iter().filter_map(|motor| Some((motor.body.0, motor.speed, motor.effort_limit?)));
        let motors: Vec<Motor> = limited
            .map(|(body, speed, limit)| {
                let told = &system.bodies[body];
                let turns = speed_names(&told.hinge.kind).get(speed).is_none_or(|(_, turns)| *turns);
                Motor {
                    body,
                    speed: model.hinge_speeds(BodyIndex(body)).start + speed,
                    hinge: told.hinge.name.clone().unwrap_or_else(|| told.name.clone()),
                    unit: if turns { "N m" } else { "N" },
                    limit,
                    moved: scenario.motions.iter().any(|motion| motion.body.0 == body),
                    told: None,
                }
            })
            .collect();
        let driven = motors.iter().any(|motor| !motor.moved);
        // A drive that cannot be made is told by the engine, which needs it too.
        let drive = if driven { ScenarioDrive::new(scenario).ok().map(ScenarioDrive::without_limits) } else { None };
        Self { motors, drive, inputs: Inputs::new(model) }
    }

    /// Looks at the state reached; the warnings that are new.
    pub fn observe(&mut self, run: &mut Simulation) -> Result<Vec<String>, DynamicsError> {
        let time = run.state().time;
        let known: Vec<bool> = self.motors.iter().map(|motor| motor.told.is_some()).collect();
        if self.is_waiting(false)
            && let Some(drive) = &mut self.drive
        {
            drive.drive(run.state(), &mut self.inputs);
            self.motors.iter_mut().filter(|motor| !motor.moved).for_each(|motor| motor.see(time, &self.inputs.forces));
        }
        if self.is_waiting(true) {
            let forces = run.dynamics()?.1;
            self.motors.iter_mut().filter(|motor| motor.moved).for_each(|motor| motor.see(time, forces));
        }
        Ok(self.motors.iter().zip(known).filter(|(_, known)| !known).filter_map(|(motor, _)| motor.warning()).collect())
    }

    /// Whether there is a motor left that nothing has been told of.
    fn is_waiting(&self, moved: bool) -> bool {
        self.motors.iter().any(|motor| motor.moved == moved && motor.told.is_none())
    }

    /// What was told, for a checkpoint: body, time, effort.
    pub fn record(&self) -> Vec<(usize, f64, f64)> {
        self.motors.iter().filter_map(|motor| motor.told.map(|(time, effort)| (motor.body, time, effort))).collect()
    }

    /// What was told before a checkpoint.
    pub fn restore(&mut self, record: &[(usize, f64, f64)]) {
        for (body, time, effort) in record {
            self.motors.iter_mut().filter(|m| m.body == *body).for_each(|m| m.told = Some((*time, *effort)));
        }
    }
}

impl Motor {
    /// In words, where it was asked for too much.
    fn warning(&self) -> Option<String> {
        let Self { hinge, unit, limit, moved, told, .. } = self;
        let (time, effort) = (*told)?;
        let asked = format!("at t = {time:.6} s hinge '{hinge}' requires {effort:.4} {unit}");
        Some(if *moved {
            format!(
                "{asked}, more than its effort_limit of {limit} {unit}, which does not limit a prescribed motion; move more slowly, or drive it by torques"
            )
        } else {
            format!(
                "{asked} and is limited to its effort_limit of {limit} {unit}; it will not follow the planned motion"
            )
        })
    }

    fn see(&mut self, time: f64, forces: &[f64]) {
        let effort = forces.get(self.speed).copied().unwrap_or_default();
        if self.told.is_none() && effort.abs() > self.limit {
            self.told = Some((time, effort));
        }
    }
}
