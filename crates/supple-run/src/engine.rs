//! The simulation of a scenario, as the loop of a run drives it.

use std::ops::ControlFlow;

use supple::integrate::{
    AtEvent, Crossing, IntegrationError, Limits, Network, Scheme, Simulation, Stepping, Stop, Tolerance,
};
use supple::{Inputs, Measurement, Model, State, ValidityLimits, Workspace, closure_deviations, closure_separation};
use supple_io::results::{DampingSummary, IntegratorSummary};
use supple_io::scenario_file::{Direction, Event, EventAction, Method, Scenario, Trigger, Watched};

use crate::closures::close_start;
use crate::control::{self, Begin, Part};
use crate::drive::ScenarioDrive;
use crate::effort;
use crate::{Asked, DampingRatios, Driven, Formulation, RunError, Start};

/// A step that was accepted.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// Where it started and ended.
    pub covers: [f64; 2],
    /// Whether steps that were too long were tried before it.
    pub shrunk: bool,
}

/// Why [`advance`] came back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// At the end asked for.
    End,
    /// At an event that stops the motion.
    Event,
    /// Where `after` broke.
    Halted,
}

/// Integrates to `end`, to an event that stops the motion, or to where `after`, which is shown each step, breaks.
pub fn advance(
    simulation: &mut Simulation,
    end: f64,
    after: &mut dyn FnMut(&mut Simulation, Step) -> ControlFlow<()>,
) -> Result<Arrival, IntegrationError> {
    while simulation.state().time < end {
        let rejected = simulation.statistics().rejected;
        let stop = simulation.advance_step(end)?;
        let step = Step { covers: simulation.covered(), shrunk: simulation.statistics().rejected > rejected };
        let flow = after(simulation, step);
        if let Stop::Event(_) = stop {
            return Ok(Arrival::Event);
        }
        if flow.is_break() {
            return Ok(Arrival::Halted);
        }
    }
    Ok(Arrival::End)
}

/// Events since this was asked last: time and number.
pub fn take_events(simulation: &mut Simulation) -> Vec<(f64, usize)> {
    let events = simulation.occurrences().iter().map(|o| (o.state.time, o.event)).collect();
    simulation.clear_occurrences();
    events
}

/// What there is to say of a start.
pub struct Doubtful {
    /// What to warn of.
    pub doubts: Vec<String>,
    /// Damping ratios, where the model asks for any.
    pub damping: Vec<DampingSummary>,
}

/// The simulation of a scenario at its start with some of its blocks, what the summary tells of it, and what there is to warn of.
pub fn start(
    scenario: &Scenario,
    formulation: &Formulation,
    mut part: Part<'_>,
) -> Result<(Simulation, IntegratorSummary, Doubtful), RunError> {
    let told = &scenario.integrator;
    let model = &scenario.model.model;
    let mut drive = ScenarioDrive::new(scenario).map_err(RunError::cannot_begin)?;
    let tolerance = Tolerance { relative: told.relative_tolerance, absolute: told.absolute_tolerance };
    let limits = Limits {
        steps: told.max_steps.map_or(Limits::default().steps, |steps| steps as u64),
        greatest_step: told.greatest_step.unwrap_or(f64::INFINITY),
        ..Limits::default()
    };
    let Start { state: mut initial, inputs, mut doubts, begin } = Start::driven(&mut drive, scenario)?;
    doubts.extend(close_start(scenario, &mut initial, &inputs)?);
    let (mut scheme, mut method) = (scheme(scenario), told.method);
    if scheme == Scheme::Automatic && formulation.is_explicit_only() {
        // Implicit steps need more than accelerations.
        (scheme, method) = (Scheme::PrinceDormand8, Method::PrinceDormand8);
    }
    let stepping = told.step.map_or(Stepping::Adaptive(tolerance), Stepping::Fixed);
    let cannot_begin = |error: IntegrationError| RunError::cannot_begin(format!("the run cannot begin: {error}"));
    let mut simulation = Simulation::new(model, initial, drive, scheme, stepping).map_err(cannot_begin)?;
    simulation.prescribe(&inputs.prescribed).map_err(RunError::cannot_begin)?;
    simulation.limit_efforts(&effort::limits(scenario)).map_err(RunError::cannot_begin)?;
    let other = match formulation {
        Formulation::SpatialOperators => None,
        Formulation::Other { make, .. } => Some(make(&scenario.model.system, model).map_err(RunError::unsupported)?),
        Formulation::Compiled(code) => code.equations(scenario, simulation.state(), &inputs)?,
    };
    if let Some(other) = other {
        simulation.set_formulation(other).map_err(RunError::unsupported)?;
    }
    simulation.watch_validity(ValidityLimits::default());
    simulation.set_limits(limits).map_err(RunError::cannot_begin)?;
    for closure in model.closure_handles().filter(|closure| scenario.held.contains(&closure.closure())) {
        simulation.hold(closure).map_err(cannot_begin)?;
    }
    if let Some(steps) = part.take_steps() {
        simulation.set_step(steps).map_err(cannot_begin)?;
    }
    if !scenario.blocks.is_empty() {
        let start = simulation.state().clone();
        let begin = begin.as_deref().map_or(Begin::Fresh, Begin::AtRest);
        let blocks = control::blocks(scenario, (&start, &inputs), begin, part)?;
        simulation.set_blocks(blocks).map_err(cannot_begin)?;
    }
    watch_events(&mut simulation, scenario);
    // Hinges that are locked are held by now.
    let damping = Asked::of(scenario.model.damping.as_ref(), &scenario.model.beams)
        .map(|asked| DampingRatios::new(model, asked, Some(driven(scenario, simulation.state(), &inputs))));
    doubts.extend(damping.iter().flat_map(DampingRatios::warnings));
    let damping = damping.map_or(Vec::new(), |ratios| ratios.cases);
    let adaptive = told.step.is_none();
    let summary = IntegratorSummary {
        name: method.word().into(),
        relative_tolerance: adaptive.then_some(tolerance.relative),
        absolute_tolerance: adaptive.then_some(tolerance.absolute),
        step: told.step,
    };
    Ok((simulation, summary, Doubtful { doubts, damping }))
}

/// What drives it at its start: the blocks once more, to be asked what they would do.
fn driven<'d>(scenario: &Scenario, state: &'d State, inputs: &'d Inputs) -> Driven<'d> {
    let network = || -> Result<Network, String> {
        let blocks = control::blocks(scenario, (state, inputs), Begin::Smooth, Part::Whole)
            .map_err(|error| error.to_string())?;
        Network::new(blocks, &scenario.model.model, state.time).map_err(|error| error.to_string())
    };
    Driven { state, inputs, blocks: (!scenario.blocks.is_empty()).then(network) }
}

/// Watches the events of a scenario, each by its own number. The run stops at those that act.
fn watch_events(simulation: &mut Simulation, scenario: &Scenario) {
    for event in &scenario.events {
        let Trigger::Crossing { watched, value, direction } = event.trigger else {
            // The run goes to its time; the number stays.
            simulation.watch(Crossing::Either, AtEvent::Record, |_: &State| f64::NAN);
            continue;
        };
        let crossing = match direction {
            Direction::Rising => Crossing::Rising,
            Direction::Falling => Crossing::Falling,
            Direction::Both => Crossing::Either,
        };
        let stops = event.action == EventAction::Stop || !event.switch.is_empty();
        let action = if stops { AtEvent::Stop } else { AtEvent::Record };
        let mut quantity = quantity(&scenario.model.model, watched);
        let Event { switch, .. } = event.clone();
        simulation.watch(crossing, action, move |state: &State| {
            // An event that has nothing left to do has no sign.
            if !switch.is_empty() && switch.is_done(&state.closed) { f64::NAN } else { quantity(state) - value }
        });
    }
}

/// A quantity of the state.
fn quantity(model: &Model, watched: Watched) -> Box<dyn FnMut(&State) -> f64 + Send> {
    let of_closure = |closure: usize, is_angle: bool| -> Box<dyn FnMut(&State) -> f64 + Send> {
        let (model, inputs, mut workspace) = (model.clone(), Inputs::new(model), Workspace::new(model));
        let Some(closure) = model.closure_handles().nth(closure) else { return Box::new(|_| f64::NAN) };
        Box::new(move |state| {
            let apart = closure_separation(&model, state, &inputs, closure, &mut workspace);
            apart.map_or(f64::NAN, |apart| if is_angle { apart.angle } else { apart.distance })
        })
    };
    match watched {
        Watched::Measured(Measurement::Coordinate(i)) => Box::new(move |state| state.coordinates[i]),
        Watched::Measured(Measurement::Speed(i)) => Box::new(move |state| state.speeds[i]),
        Watched::Measured(measurement) => {
            let (model, mut workspace) = (model.clone(), Workspace::new(model));
            Box::new(move |state| measurement.value(&model, state, &[], &mut workspace).unwrap_or(f64::NAN))
        }
        Watched::Distance(closure) => of_closure(closure, false),
        Watched::Angle(closure) => of_closure(closure, true),
        Watched::Deviation(equation) => {
            let (model, inputs, mut workspace) = (model.clone(), Inputs::new(model), Workspace::new(model));
            let mut numbers = [vec![0.0; model.equation_count()], vec![0.0; model.equation_count()]];
            Box::new(move |state| {
                let [deviations, speeds] = &mut numbers;
                let found = closure_deviations(&model, state, &inputs, &mut workspace, deviations, speeds);
                found.map_or(f64::NAN, |()| deviations[equation])
            })
        }
        _ => Box::new(|_| f64::NAN),
    }
}

/// The scheme for the method of a scenario.
pub fn scheme(scenario: &Scenario) -> Scheme {
    let told = &scenario.integrator;
    match told.method {
        Method::Automatic => Scheme::Automatic,
        Method::DormandPrince => Scheme::DormandPrince,
        Method::PrinceDormand8 => Scheme::PrinceDormand8,
        Method::RungeKutta4 => Scheme::RungeKutta4,
        Method::GeneralizedAlpha => {
            let (spectral_radius, corrections) = (told.spectral_radius, told.corrections);
            Scheme::GeneralizedAlpha { spectral_radius, corrections }
        }
        Method::LinearlyImplicit => Scheme::LinearlyImplicit,
        Method::Exponential => Scheme::Exponential,
        Method::ExponentialAdams => Scheme::ExponentialAdams,
        Method::Gauss => Scheme::Gauss { stages: told.stages, tolerance: told.iteration_tolerance },
        Method::Adams => Scheme::Adams,
        Method::Bdf => Scheme::Bdf,
    }
}

/// The scheme and the steps of a scenario for motions with sensitivities: its own, where it has them.
pub fn sensitivity_method(scenario: &Scenario) -> (Scheme, Stepping) {
    let told = &scenario.integrator;
    let tolerance = Tolerance { relative: told.relative_tolerance, absolute: told.absolute_tolerance };
    match scheme(scenario) {
        Scheme::GeneralizedAlpha { .. } => (Scheme::Automatic, Stepping::Adaptive(tolerance)),
        scheme => (scheme, told.step.map_or(Stepping::Adaptive(tolerance), Stepping::Fixed)),
    }
}
