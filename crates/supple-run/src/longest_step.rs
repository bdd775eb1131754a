//! The longest fixed step that works, and what does not bear a longer one: found by trying, the same way for every scheme.

use std::ops::ControlFlow;

use supple::State;
use supple_bodies::frequencies;
use supple_io::scenario_file::{Method, Scenario};

use crate::engine::{self, Arrival};
use crate::movers::{self, Mover};
use crate::{Formulation, RunError};

/// Steps that a trial may take.
const MOST_STEPS: u64 = 100_000;
/// Steps of the size that failed, and part of the time before, by which a trial goes beyond the failure.
const BEYOND: (f64, f64) = (100.0, 0.5);
/// How often the step is halved, and then the gap between a step that works and one that does not.
const HALVINGS: (u32, u32) = (16, 3);
/// Times the energy of the finest trial that a step may end with.
const GROWN: f64 = 4.0;
/// Room below what was found: a trial is shorter than a run.
const ROOM: f64 = 0.9;

/// What a run is told that failed at its fixed step after `time`; none where no shorter step helps, or where that takes too long to find out.
pub fn explain(scenario: &Scenario, formulation: Formulation, time: f64) -> Option<String> {
    // Rows cut a longer one.
    let step = scenario.integrator.step?.min(scenario.output_interval);
    let start = scenario.initial.time;
    let end = (time + (BEYOND.0 * step).max(BEYOND.1 * (time - start))).min(scenario.duration);
    let trial = |step: f64, end: f64| Trial::new(scenario, formulation, step, end);
    let (mut bad, mut good) = (step, step);
    let mut worked = None;
    for _ in 0..HALVINGS.0 {
        good *= 0.5;
        let (coarse, fine) = (trial(good, end)?, trial(0.5 * good, end)?);
        if fine.is_complete && coarse.is_complete && coarse.energy <= GROWN * fine.energy {
            worked = Some(fine.energy);
            break;
        }
        bad = good;
    }
    let energy = worked?;
    for _ in 0..HALVINGS.1 {
        let middle = (good * bad).sqrt();
        let tried = trial(middle, end)?;
        match tried.is_complete && tried.energy <= GROWN * energy {
            true => good = middle,
            false => bad = middle,
        }
    }
    // What the step that is just too long drives away from the motion.
    let failed = trial(bad, end)?.state;
    let reached = if failed.time > start { failed } else { trial(good, start + good)?.state };
    let sound = trial(0.5 * good, reached.time)?.state;
    let difference: Vec<f64> = reached.speeds.iter().zip(&sound.speeds).map(|(a, b)| a - b).collect();
    let culprit = movers::most_energetic(scenario, &sound, &difference)?;
    Some(describe(scenario, step, ROOM * good, &culprit))
}

fn describe(scenario: &Scenario, step: f64, longest: f64, culprit: &Mover) -> String {
    let name = match culprit.is_mode {
        true => {
            let bodies = scenario.model.system.bodies.iter().filter(|body| body.modes.count > 0);
            let fastest = bodies.filter_map(frequencies::of_body).flatten().fold(0.0, f64::max);
            let hertz = fastest / std::f64::consts::TAU;
            format!("{} (modes reach {hertz:.4} Hz with their bodies alone and hinges held)", culprit.name)
        }
        false => culprit.name.clone(),
    };
    let is_explicit =
        matches!(scenario.integrator.method, Method::RungeKutta4 | Method::DormandPrince | Method::PrinceDormand8);
    let other = match is_explicit && culprit.is_mode {
        true => "`exponential` or `linearly-implicit`, which bear fast modes",
        false => "`automatic`, which chooses its steps",
    };
    format!(
        "the fixed step of {step:?} s is too long for {name}: the longest that works is about {}; make `step` smaller, or take {other}",
        rounded_down(longest)
    )
}

/// With two digits.
fn rounded_down(step: f64) -> String {
    let unit = 10f64.powf(step.log10().floor() - 1.0);
    format!("{:.1e} s", (step / unit).floor() * unit)
}

/// A short run with another fixed step.
struct Trial {
    is_complete: bool,
    /// The last state, and its kinetic, elastic and stored energy.
    state: State,
    energy: f64,
}

impl Trial {
    /// None where it would take too many steps.
    fn new(scenario: &Scenario, formulation: Formulation, step: f64, end: f64) -> Option<Self> {
        if (end - scenario.initial.time) / step > MOST_STEPS as f64 {
            return None;
        }
        let mut other = scenario.clone();
        other.integrator.step = Some(step);
        other.events.clear();
        let started: Result<_, RunError> = engine::start(&other, formulation);
        let (mut simulation, _) = started.ok()?;
        let mut after = |_: &_, _| ControlFlow::Continue(());
        let arrival = engine::advance(&mut simulation, end, &mut after);
        let energy = simulation.ledger().map_or(f64::INFINITY, |ledger| {
            let energy = ledger.energy;
            energy.kinetic + energy.elastic + energy.stored
        });
        Some(Self { is_complete: arrival == Ok(Arrival::End), state: simulation.state().clone(), energy })
    }
}
