//! Where a scenario starts, and what acts there.

use supple::integrate::Drive;
use supple::{Inputs, Model, State};
use supple_io::scenario_file::{Scenario, StartAt};
use supple_linear::equilibrium;

use crate::RunError;
use crate::closed_loop::ClosedLoop;
use crate::control::Begin;
use crate::drive::ScenarioDrive;
use crate::effort;

/// The start of a scenario. Unless it is an equilibrium, closures are as the file says, not closed yet: see
/// [`close_pose`](crate::close_pose).
#[derive(Clone, Debug)]
pub struct Start {
    /// The initial state, or the equilibrium near it. Hinges with a prescribed motion are where it starts, at its speed.
    pub state: State,
    /// Torques, wrenches and prescribed motions at that time; at an equilibrium also the efforts by which controllers hold it.
    pub inputs: Inputs,
    /// What is doubtful about it.
    pub doubts: Vec<String>,
    /// How much more each block gives by what it integrates, where the run starts at rest.
    pub(crate) begin: Option<Vec<f64>>,
}

impl Start {
    /// The undeformed state of a model at rest, where nothing acts.
    pub fn undriven(model: &Model) -> Self {
        Self { state: State::new(model), inputs: Inputs::new(model), doubts: Vec::new(), begin: None }
    }

    /// The same in another state, at which nothing was at rest before.
    #[must_use]
    pub fn moved_to(self, state: State) -> Self {
        let begin = self.begin.filter(|_| state.coordinates == self.state.coordinates);
        Self { state, begin, ..self }
    }

    /// How its blocks begin.
    pub(crate) fn begin(&self) -> Begin<'_> {
        self.begin.as_deref().map_or(Begin::Fresh, Begin::AtRest)
    }

    /// Of a scenario that has been read.
    ///
    /// # Errors
    /// A scenario whose drives cannot act, such as a feedforward whose rigid model cannot be built, or that has no equilibrium to start at.
    pub fn of(scenario: &Scenario) -> Result<Self, RunError> {
        let mut drive = ScenarioDrive::new(scenario).map_err(RunError::cannot_begin)?;
        Self::driven(&mut drive, scenario)
    }

    /// The same with the drives of the scenario given.
    pub(crate) fn driven(drive: &mut ScenarioDrive, scenario: &Scenario) -> Result<Self, RunError> {
        let state = drive.start(scenario);
        let mut inputs = Inputs { prescribed: drive.prescribed(), ..Inputs::new(&scenario.model.model) };
        drive.drive(&state, &mut inputs);
        let start = Self { state, inputs, doubts: Vec::new(), begin: None };
        let settled = match scenario.start {
            StartAt::Initial => Ok(start),
            StartAt::Equilibrium if scenario.blocks.is_empty() => start.limited(scenario).settled(scenario),
            StartAt::Equilibrium => ClosedLoop::new(scenario, &start)?.settled(start),
        };
        settled.map(|start| start.limited(scenario))
    }

    /// With no more than motors give.
    fn limited(mut self, scenario: &Scenario) -> Self {
        for (speed, limit) in effort::limits(scenario) {
            self.inputs.forces[speed] = self.inputs.forces[speed].clamp(-limit, limit);
        }
        self
    }

    /// At the equilibrium near it: hinges with a prescribed motion are held, or turn steadily; torques and wrenches act as at the start.
    pub(crate) fn settled(self, scenario: &Scenario) -> Result<Self, RunError> {
        let found = equilibrium(&scenario.model.model, &self.state, &self.inputs).map_err(no_equilibrium)?;
        let unstable = format!(
            "the equilibrium at the start is not stable: small motions about it grow at a rate of {:.3e} 1/s",
            found.growth
        );
        let doubts = if found.stable { Vec::new() } else { vec![unstable] };
        Ok(Self { state: found.state, doubts, ..self })
    }
}

/// A run that has no equilibrium to start at.
pub(crate) fn no_equilibrium(error: impl std::fmt::Display) -> RunError {
    RunError::cannot_begin(format!("the run cannot start at an equilibrium: {error}"))
}
