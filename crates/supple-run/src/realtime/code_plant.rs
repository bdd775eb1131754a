//! The plant of a rehearsal as generated code: blocks at their instants, and between them the step of the integrator, compiled for the model.

use supple::integrate::{Drive, Network};
use supple::{Inputs, State};
use supple_compile::native::{Build, Compiled, Memory};
use supple_compile::{Recording, Verb};
use supple_io::scenario_file::{Method, Scenario};

use crate::closures::close_start;
use crate::control::{self, Part};
use crate::drive::ScenarioDrive;
use crate::{RunError, RunErrorKind, Start, effort};

/// Steps shorter than this, relative to the whole ones, are left to rounding.
const ROUNDING: f64 = 1e-9;

/// A plant in motion. Allocates nothing after a few instants.
pub(super) struct CodePlant {
    network: Network,
    drive: ScenarioDrive,
    state: State,
    inputs: Inputs,
    limits: Vec<(usize, f64)>,
    code: Compiled,
    memory: Memory,
    step: f64,
}

impl CodePlant {
    /// Of a scenario at its start.
    ///
    /// # Errors
    /// An integrator whose steps do not become code, and what acts otherwise than by forces in hinges; no C compiler.
    pub fn new(scenario: &Scenario, part: Part<'_>) -> Result<Self, RunError> {
        let model = &scenario.model.model;
        let (verb, step) = verb(scenario)?;
        let start = Start::of(scenario)?;
        let (mut state, inputs) = (start.state.clone(), start.inputs.clone());
        close_start(scenario, &mut state, &inputs)?;
        let recording = Recording { model, state: Some(&state), verb: &verb, parameters: &[] };
        let code = Build::default().compiled(&recording).map_err(RunError::cannot_begin)?;
        let blocks = control::blocks(scenario, (&state, &inputs), start.begin(), part)?;
        let mut network = Network::new(blocks, model, state.time).map_err(RunError::cannot_begin)?;
        let (drive, limits) = (ScenarioDrive::new(scenario).map_err(RunError::cannot_begin)?, effort::limits(scenario));
        network.limit(&limits);
        let memory = code.memory();
        let mut own = Self { network, drive, state, inputs, limits, code, memory, step };
        own.act().map(|()| own)
    }

    /// The state reached.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Goes to a time.
    ///
    /// # Errors
    /// A motion that cannot go on.
    pub fn advance(&mut self, end: f64) -> Result<(), RunError> {
        while self.state.time < end {
            let instant = self.network.next_time().filter(|next| *next <= end);
            self.steps_to(instant.unwrap_or(end))?;
            if instant.is_some() {
                self.act()?;
            }
        }
        Ok(())
    }

    /// Blocks whose instant it is, and what acts from now on.
    fn act(&mut self) -> Result<(), RunError> {
        self.network.run(&self.state, &[]).map(drop).map_err(|error| ended(&error))
    }

    /// Whole steps, the last one cut short; what the scenario makes act is held over each.
    fn steps_to(&mut self, end: f64) -> Result<(), RunError> {
        let begun = self.state.time;
        let count = ((end - begun) / self.step - ROUNDING).ceil().max(1.0);
        for k in 1..=count as u64 {
            let next = if k as f64 == count { end } else { begun + k as f64 * self.step };
            self.drive.drive(&self.state, &mut self.inputs);
            self.network.act(&mut self.inputs);
            for &(speed, limit) in &self.limits {
                self.inputs.forces[speed] = self.inputs.forces[speed].clamp(-limit, limit);
            }
            self.memory.step = next - self.state.time;
            let reached = self.code.call(&self.state, &self.inputs, &mut self.memory).map_err(|error| ended(&error))?;
            let (coordinates, rest) = reached.split_at(self.state.coordinates.len());
            let (attitudes, speeds) = rest.split_at(4 * self.state.attitudes.len());
            self.state.coordinates.copy_from_slice(coordinates);
            for (own, parts) in self.state.attitudes.iter_mut().zip(attitudes.as_chunks().0) {
                own.0 = *parts;
            }
            self.state.speeds.copy_from_slice(speeds);
            self.state.time = next;
        }
        Ok(())
    }
}

fn ended(error: &dyn std::fmt::Display) -> RunError {
    RunError::new(RunErrorKind::CannotBegin, format!("the rehearsal ended early: {error}"))
}

/// The step as a verb, and its length.
fn verb(scenario: &Scenario) -> Result<(Verb, f64), RunError> {
    let verb = match scenario.integrator.method {
        Method::RungeKutta4 => Verb::Rk4Step,
        Method::LinearlyImplicit => Verb::LinearlyImplicitStep,
        other => {
            return Err(RunError::unsupported(format!("steps of the integrator {other:?} do not become code"))
                .with_remedy("choose rk4 or linearly-implicit, or leave out --compiled"));
        }
    };
    let others = [
        ("motions", scenario.motions.is_empty() && scenario.closure_motions.is_empty()),
        ("wrenches", scenario.wrenches.is_empty()),
        ("closures that are held", scenario.held.is_empty()),
    ];
    if let Some((what, _)) = others.iter().find(|(_, is_empty)| !is_empty) {
        return Err(RunError::unsupported(format!("{what} of a scenario do not become code"))
            .with_remedy("leave out --compiled"));
    }
    let step = scenario.integrator.step.ok_or_else(|| RunError::unsupported("generated code needs a fixed step"))?;
    Ok((verb, step))
}
