//! What a scenario must hold before its first step.

use supple::State;
use supple_io::scenario_file::{Scenario, beyond_stops};

use crate::RunError;

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

/// Hinges start between their stops; programs may have moved them after the file was read.
pub fn check_stops(scenario: &Scenario, start: &State) -> Result<(), RunError> {
    let beyond = beyond_stops(&scenario.model.system, &scenario.model.model, start);
    let Some(first) = beyond.first() else { return Ok(()) };
    let is_prescribed = scenario.motions.iter().any(|motion| motion.body == first.stop.body);
    let more = beyond.len().saturating_sub(MOST_TOLD);
    let mut told: Vec<String> = beyond.iter().take(MOST_TOLD).map(ToString::to_string).collect();
    if more > 0 {
        told.push(format!("and {more} more"));
    }
    Err(RunError::cannot_begin(told.join("; ")).with_remedy(first.remedy(is_prescribed)))
}
