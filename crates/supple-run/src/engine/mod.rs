//! What integrates a run: methods of one step, or of many.

#[cfg_attr(not(feature = "multistep"), path = "without_multistep.rs")]
mod multistep;
mod one_step;

use std::ops::ControlFlow;

use supple::integrate::{
    IntegrationError, Ledger, Limits, Scheme, SimulationCheckpoint, Statistics, Stepping, Tolerance,
};
use supple::{Departure, DynamicsError, Inputs, State};
use supple_io::results::IntegratorSummary;
use supple_io::scenario_file::{Method, Scenario};

use crate::drive::ScenarioDrive;
use crate::{Formulation, RunError};
use one_step::OneStep;

/// A step that was accepted.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// Where it started and ended.
    pub covers: [f64; 2],
    /// Whether steps that were too long were tried before it.
    pub shrunk: bool,
}

/// Why an engine came back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// At the end asked for.
    End,
    /// At an event that stops the motion, by its number.
    Event(usize),
    /// Where it was told to.
    Halted,
}

/// A model in motion, as the loop of a run drives it.
pub trait Engine {
    /// Integrates to `end`, to an event that stops the motion, or to where `after`, which is shown each step, breaks.
    fn advance(
        &mut self,
        end: f64,
        after: &mut dyn FnMut(Step) -> ControlFlow<()>,
    ) -> Result<Arrival, IntegrationError>;

    /// The state reached.
    fn state(&self) -> &State;

    /// Accelerations and drive forces at the state reached.
    fn dynamics(&mut self) -> Result<(&[f64], &[f64]), DynamicsError>;

    /// What acted there, as [`dynamics`](Self::dynamics) saw it last.
    fn inputs(&self) -> &Inputs;

    /// The energy ledger at the state reached.
    fn ledger(&mut self) -> Result<Ledger, DynamicsError>;

    /// Work done so far on the speeds of each body.
    fn body_works(&self) -> &[f64];

    /// Work of the integrator so far.
    fn statistics(&self) -> Statistics;

    /// Where the motion left the range of its model.
    fn departures(&self) -> &[Departure];

    /// Events since this was asked last: time and number.
    fn take_events(&mut self) -> Vec<(f64, usize)>;

    /// Whether what goes on from a checkpoint is the same, to the bit, as what goes on without it, wherever it is made. Otherwise both must go on
    /// from [`lay_aside`](Self::lay_aside).
    fn checkpoints_leave_no_trace(&self) -> bool;

    /// All numbers that are needed to go on from here. This engine goes on from them as well.
    fn lay_aside(&mut self) -> SimulationCheckpoint;

    /// Goes back to a checkpoint.
    fn restore(&mut self, from: &SimulationCheckpoint) -> Result<(), IntegrationError>;
}

/// What every engine starts from.
struct Start<'s> {
    scenario: &'s Scenario,
    drive: ScenarioDrive<'s>,
    initial: State,
    prescribed: Vec<bool>,
    limits: Limits,
}

/// The engine of a scenario at its start, and what the summary tells of it.
pub fn start(
    scenario: &Scenario,
    formulation: Formulation,
) -> Result<(Box<dyn Engine + '_>, IntegratorSummary), RunError> {
    let told = &scenario.integrator;
    let drive = ScenarioDrive::new(scenario).map_err(RunError::cannot_begin)?;
    let tolerance = tolerance(scenario);
    let limits = Limits {
        steps: told.max_steps.map_or(Limits::default().steps, |steps| steps as u64),
        greatest_step: told.greatest_step.unwrap_or(f64::INFINITY),
        ..Limits::default()
    };
    let (prescribed, initial) = (drive.prescribed(), drive.start(scenario));
    let start = Start { scenario, drive, initial, prescribed, limits };
    let adaptive = told.step.is_none();
    let mut summary = IntegratorSummary {
        name: String::new(),
        relative_tolerance: adaptive.then_some(tolerance.relative),
        absolute_tolerance: adaptive.then_some(tolerance.absolute),
        step: told.step,
    };
    let engine: Box<dyn Engine> = match scheme(scenario) {
        Some(scheme) => {
            summary.name = format!("{scheme:?}");
            let stepping = told.step.map_or(Stepping::Adaptive(tolerance), Stepping::Fixed);
            Box::new(OneStep::new(start, scheme, stepping, formulation)?)
        }
        None => {
            if let Some(other) = formulation.other() {
                let message = format!("method {:?} does not support --formulation {other}", told.method);
                return Err(RunError::unsupported(message).with_remedy("use a one-step method"));
            }
            summary.name = format!("{:?}", told.method);
            multistep::start(start)?
        }
    };
    Ok((engine, summary))
}

/// The tolerance of a scenario.
fn tolerance(scenario: &Scenario) -> Tolerance {
    let told = &scenario.integrator;
    Tolerance { relative: told.relative_tolerance, absolute: told.absolute_tolerance }
}

/// The scheme for the method of a scenario; none for multistep methods.
fn scheme(scenario: &Scenario) -> Option<Scheme> {
    let told = &scenario.integrator;
    Some(match told.method {
        Method::DormandPrince => Scheme::DormandPrince,
        Method::PrinceDormand8 => Scheme::PrinceDormand8,
        Method::RungeKutta4 => Scheme::RungeKutta4,
        Method::GeneralizedAlpha => Scheme::GeneralizedAlpha { spectral_radius: told.spectral_radius },
        Method::LinearlyImplicit => Scheme::LinearlyImplicit,
        Method::Exponential => Scheme::Exponential,
        Method::ExponentialAdams => Scheme::ExponentialAdams,
        Method::Gauss => Scheme::Gauss { stages: told.stages, tolerance: told.iteration_tolerance },
        _ => return None,
    })
}

/// Why the motion cannot begin.
fn cannot_begin(error: impl std::fmt::Display) -> RunError {
    RunError::cannot_begin(format!("the run cannot begin: {error}"))
}
