//! The longest fixed step that works, and what does not bear a longer one: found by trying, the same way for every scheme.

use std::ops::ControlFlow;

use supple::State;
use supple::integrate::{Ledger, Simulation};
use supple_bodies::frequencies;
use supple_io::scenario_file::{Method, Scenario};

use crate::control::Part;
use crate::engine::{self, Arrival};
use crate::movers::{self, Mover};
use crate::{Formulation, RunError};

/// Steps that a trial may take.
const MOST_STEPS: u64 = 100_000;
/// Steps of the size that failed, and part of the time before, by which a trial goes beyond the failure.
const BEYOND: (f64, f64) = (100.0, 0.5);
/// How often the step is halved, and then the gap between a step that works and one that does not.
const HALVINGS: (u32, u32) = (16, 3);
/// Part of the energy by which the end of a trial may differ from that of a finer one.
const CLOSE: f64 = 0.25;
/// Times the speeds of the motion at which a trial has gone astray.
const ASTRAY: f64 = 10.0;
/// Room below what was found: a trial is shorter than a run.
const ROOM: f64 = 0.9;

/// What a run is told that failed at its fixed step after `time`; none where no shorter step helps, or where that takes too long to find out.
pub fn explain(scenario: &Scenario, formulation: &Formulation, time: f64) -> Option<String> {
    // Rows cut a longer one.
    let step = scenario.integrator.step?.min(scenario.output_interval);
    let start = scenario.initial.time;
    let end = (time + (BEYOND.0 * step).max(BEYOND.1 * (time - start))).min(scenario.duration);
    let trial = |step: f64, end: f64| Trial::new(scenario, formulation, step, end, f64::INFINITY);
    let (mut bad, mut good) = (step, step);
    let mut reference = None;
    for _ in 0..HALVINGS.0 {
        good *= 0.5;
        let (coarse, fine) = (trial(good, end)?, trial(0.5 * good, end)?);
        if coarse.is_close_to(&fine) {
            reference = Some(fine);
            break;
        }
        bad = good;
    }
    let reference = reference?;
    for _ in 0..HALVINGS.1 {
        let middle = (good * bad).sqrt();
        match trial(middle, end)?.is_close_to(&reference) {
            true => good = middle,
            false => bad = middle,
        }
    }
    // What the step that is just too long drives away from the motion, before all the rest follows.
    let bound = ASTRAY * size(&reference.state).max(size(&scenario.initial));
    let failed = loop {
        let tried = Trial::new(scenario, formulation, bad, end, bound)?;
        if !tried.is_complete || bad >= step {
            break tried.state;
        }
        bad = (1.5 * bad).min(step);
    };
    let reached = if failed.time > start { failed } else { trial(good, start + good)?.state };
    let sound = trial(0.5 * good, reached.time)?.state;
    let culprit = movers::most_different(scenario, &sound, &reached)?;
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
        true => "`exponential` or `linearly-implicit`, which fast modes do not limit",
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
    /// The last state.
    state: State,
    /// Kinetic, elastic and stored energy at the start and there.
    energies: [f64; 2],
}

impl Trial {
    /// To the end, or to where speeds are beyond a bound; none where it would take too many steps.
    fn new(scenario: &Scenario, formulation: &Formulation, step: f64, end: f64, bound: f64) -> Option<Self> {
        if (end - scenario.initial.time) / step > MOST_STEPS as f64 {
            return None;
        }
        let mut other = scenario.clone();
        other.integrator.step = Some(step);
        other.events.clear();
        let started: Result<_, RunError> = engine::start(&other, formulation, Part::Whole);
        let (mut simulation, _, _) = started.ok()?;
        let first = energy(&mut simulation);
        let mut after = |run: &mut Simulation, _| match size(run.state()) > bound {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        let arrival = engine::advance(&mut simulation, end, &mut after);
        let energies = [first, energy(&mut simulation)];
        Some(Self { is_complete: arrival == Ok(Arrival::End), state: simulation.state().clone(), energies })
    }

    /// Whether both are complete and end alike.
    fn is_close_to(&self, finer: &Self) -> bool {
        let [first, last] = finer.energies;
        self.is_complete && finer.is_complete && (self.energies[1] - last).abs() <= CLOSE * last.max(first)
    }
}

/// The largest speed.
fn size(state: &State) -> f64 {
    state.speeds.iter().fold(0.0, |size, speed| size.max(speed.abs()))
}

fn energy(simulation: &mut Simulation) -> f64 {
    simulation.ledger().map_or(f64::INFINITY, |Ledger { energy, .. }| energy.kinetic + energy.elastic + energy.stored)
}
