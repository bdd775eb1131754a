//! What a scenario must hold before its first step.

use supple::State;
use supple::model::VariableKind;
use supple_io::scenario_file::{Scenario, stops};

use crate::RunError;

/// How far beyond a stop a hinge may start, relative to one radian or metre: rounding.
const STOP_TOLERANCE: f64 = 1e-9;
/// Hinges that the message lists one by one.
const MOST_TOLD: usize = 4;

/// Times of rows, checkpoints and the end must be such; programs may have set them after the file was read.
pub fn check_times(scenario: &Scenario) -> Result<(), RunError> {
    let times = [
        ("duration", Some(scenario.duration)),
        ("output_interval", Some(scenario.output_interval)),
        ("checkpoint_interval", scenario.checkpoint_interval),
    ];
    for (name, time) in times.into_iter().filter_map(|(name, time)| Some((name, time?))) {
        if !(time.is_finite() && time > 0.0) {
            let message = format!("`{name}` is {time} s; it must be finite and positive");
            return Err(RunError::cannot_begin(message).with_remedy("give a time in seconds"));
        }
    }
    match scenario.initial.time.is_finite() {
        true => Ok(()),
        false => {
            Err(RunError::cannot_begin(format!("the initial time is {}; it must be finite", scenario.initial.time))
                .with_remedy("give a time in seconds"))
        }
    }
}

/// Hinges start between their stops: the energy stored in a stop would set the system in motion.
pub fn check_stops(scenario: &Scenario, start: &State) -> Result<(), RunError> {
    let (system, model) = (&scenario.model.system, &scenario.model.model);
    let variables = model.variables();
    let mut told = Vec::new();
    let mut remedy = String::new();
    for stop in stops(system, model) {
        let at = start.coordinates[stop.coordinate];
        let Some((limit, excess)) = stop.beyond(at) else { continue };
        if excess <= STOP_TOLERANCE * limit.abs().max(1.0) {
            continue;
        }
        let body = &system.bodies[stop.body.0];
        let hinge = body.hinge.name.as_ref().unwrap_or(&body.name);
        let of_coordinate =
            |v: &&supple::model::Variable| v.kind == VariableKind::HingeCoordinate && v.index == stop.coordinate;
        let unit = variables.iter().find(of_coordinate).map_or("", |variable| variable.unit);
        if told.is_empty() {
            let between = format!("between {} and {}", stop.lower, stop.upper);
            remedy = match scenario.motions.iter().any(|motion| motion.body == stop.body) {
                true => format!("start its motion {between}"),
                false => format!(
                    "set `initial.hinges.\"{hinge}\"` {between}, or `initial.inside_stops = true` to start at the stop"
                ),
            };
        }
        let side = if at < stop.lower { "lower" } else { "upper" };
        told.push(format!(
            "hinge `{hinge}` starts at {at} {unit}, beyond its {side} stop at {limit} {unit} by {excess:.6} {unit}"
        ));
    }
    if told.is_empty() {
        return Ok(());
    }
    let more = told.len().saturating_sub(MOST_TOLD);
    told.truncate(MOST_TOLD);
    if more > 0 {
        told.push(format!("and {more} more"));
    }
    Err(RunError::cannot_begin(told.join("; ")).with_remedy(remedy))
}
