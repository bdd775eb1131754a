//! Steps that collapse: a run that will hardly end says so while it goes on, with the likely reason.
//!
//! A collapse is [`MANY`] steps, rejected ones included, within [`SLICE`] of the run: as many all along would be five million. Only steps
//! are counted, no clock: the same run always tells it at the same time. What reverses its speed most often over the next
//! [`COUNTED`] steps, hinges that turn far or fast, and stops that are pressed are the likely reasons.

use std::f64::consts::TAU;

use serde::{Deserialize, Serialize};
use supple::State;
use supple::integrate::Simulation;
use supple_io::scenario_file::{Method, Scenario, stops};

use crate::movers::{self, Mover};

/// Steps within a slice from which on they have collapsed.
const MANY: u64 = 5000;
/// Part of the run that is a slice.
const SLICE: f64 = 1e-3;
/// Steps over which reversals are counted.
const COUNTED: u64 = 1000;

/// Watches the steps of a run; all of it is in a checkpoint.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CollapseWatch {
    /// Where the slice began: time, and steps before it.
    slice: Option<(f64, u64)>,
    reversals: Option<Reversals>,
    told: bool,
}

/// How often speeds change their sign.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Reversals {
    /// Where counting began: time, and steps before it.
    since: (f64, u64),
    /// Per speed the last sign and the count.
    speeds: Vec<(bool, u32)>,
}

impl CollapseWatch {
    /// Looks at a run after a step; the warning where its steps have collapsed. Fixed steps cannot.
    pub fn observe(&mut self, scenario: &Scenario, run: &Simulation) -> Option<String> {
        if self.told || scenario.integrator.step.is_some() {
            return None;
        }
        let (state, statistics) = (run.state(), run.statistics());
        let steps = statistics.accepted + statistics.rejected;
        if let Some(reversals) = &mut self.reversals {
            for ((sign, count), speed) in reversals.speeds.iter_mut().zip(&state.speeds) {
                let now = *speed >= 0.0;
                *count += u32::from(now != *sign);
                *sign = now;
            }
            if steps.saturating_sub(reversals.since.1) < COUNTED {
                return None;
            }
            self.told = true;
            return self.reversals.take().map(|reversals| describe(scenario, state, steps, &reversals));
        }
        let (from, before) = *self.slice.get_or_insert((state.time, steps));
        if state.time - from >= SLICE * (scenario.duration - scenario.initial.time) {
            self.slice = Some((state.time, steps));
        } else if steps.saturating_sub(before) >= MANY {
            let speeds = state.speeds.iter().map(|speed| (*speed >= 0.0, 0)).collect();
            self.reversals = Some(Reversals { since: (state.time, steps), speeds });
        }
        None
    }
}

fn describe(scenario: &Scenario, state: &State, steps: u64, reversals: &Reversals) -> String {
    let (from, before) = reversals.since;
    let passed = state.time - from;
    let mean = passed / steps.saturating_sub(before).max(1) as f64;
    let left = (scenario.duration - state.time) / mean / 1e6;
    let movers = movers::all(scenario);
    let mut reasons = Vec::new();
    let count = |mover: &Mover| reversals.speeds.get(mover.speed).map_or(0, |(_, count)| *count);
    if let Some(fastest) = movers.iter().max_by_key(|mover| count(mover)).filter(|mover| count(mover) > 1) {
        let frequency = 0.5 * f64::from(count(fastest)) / passed;
        reasons.push(format!("{} oscillates at {frequency:.3e} Hz", fastest.name));
    }
    reasons.extend(pressed_stop(scenario, state));
    reasons.extend(far_turn(scenario, state, &movers));
    if reasons.is_empty() {
        reasons.push("the motion is singular or diverges".to_owned());
    }
    let other = match scenario.integrator.method {
        Method::Automatic => "or loosen the tolerance",
        _ => "loosen the tolerance, or take `automatic`",
    };
    format!(
        "at t = {:.6} s the steps have collapsed to {mean:.1e} s on average, the rest would take {left:.1} million of them: {}; \
         check model and loads, {other}",
        state.time,
        reasons.join("; ")
    )
}

/// The stop that a hinge is farthest beyond.
fn pressed_stop(scenario: &Scenario, state: &State) -> Option<String> {
    let (system, model) = (&scenario.model.system, &scenario.model.model);
    let pressed = stops(system, model).into_iter().filter_map(|stop| {
        let (limit, excess) = stop.beyond(state.coordinates[stop.coordinate])?;
        Some((stop.body, limit, excess))
    });
    let (body, limit, excess) = pressed.max_by(|a, b| a.2.total_cmp(&b.2))?;
    let body = &system.bodies[body.0];
    let hinge = body.hinge.name.as_ref().unwrap_or(&body.name);
    Some(format!("hinge '{hinge}' is pressed {excess:.2e} beyond its stop at {limit}"))
}

/// The hinge that turns fastest or farthest, where that is more than once around, or once around per second.
fn far_turn(scenario: &Scenario, state: &State, movers: &[Mover]) -> Option<String> {
    let rate = |mover: &Mover| state.speeds[mover.speed].abs();
    let turning = movers.iter().filter(|mover| mover.turns);
    let fastest = turning.max_by(|a, b| rate(a).total_cmp(&rate(b))).filter(|mover| rate(mover) > TAU);
    let model = &scenario.model.model;
    let asked = scenario.motions.iter().chain(&scenario.feedforward).filter_map(|motion| {
        let trajectory = scenario.trajectory(motion).ok()?;
        let [start, end] = [scenario.initial.time, scenario.duration].map(|time| trajectory.at(time).position);
        let speed = model.hinge_speeds(motion.body).start;
        let mover = movers.iter().find(|mover| mover.speed == speed && mover.turns)?;
        Some((mover, (end - start).abs()))
    });
    let farthest = asked.max_by(|a, b| a.1.total_cmp(&b.1)).filter(|(_, angle)| *angle > TAU);
    let told = match (farthest, fastest) {
        (Some((mover, angle)), _) => format!("{} is prescribed to turn by {angle:.4} rad", mover.name),
        (None, Some(mover)) => format!("{} turns at {:.4} rad/s", mover.name, rate(mover)),
        (None, None) => return None,
    };
    Some(format!("{told} (were degrees written for radians?)"))
}
