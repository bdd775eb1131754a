//! Modes of a whole system.

pub mod film;
pub mod json;
pub mod page;
pub mod relaxing;
pub mod text;

use supple::model::VariableKind;
use supple::{DynamicsError, Inputs, Model, State, Workspace, close_speeds, nearest};
use supple_linear::{LinearError, SystemModes, equilibrium, system_modes};

use crate::linear::status;
use crate::options::{AtOptions, HingeOptions, Setting, Usual};
use crate::output::{UNSUPPORTED, fail};
use crate::status::Status;

/// Most speeds: work grows with the cube.
const MOST_SPEEDS: usize = 2000;

/// The configuration whose modes are asked for.
#[derive(clap::Args, Default)]
pub struct ConfigurationOptions {
    #[command(flatten)]
    pub at: AtOptions,
    #[command(flatten)]
    pub hinges: HingeOptions,
    /// With --system: steady rotation of hinges, in rad/s, e.g. hub=3; refused if the coefficients depend on the angle.
    #[arg(long, value_name = "HINGE=RATE", value_delimiter = ',', value_parser = Setting::parse)]
    pub spin: Vec<Setting>,
    /// With --system: find the equilibrium under gravity, springs and spin first, with locked hinges held where they are.
    #[arg(long)]
    pub trim: bool,
}

/// Why there are no modes.
pub enum NoModes {
    /// A mistake on the command line.
    Asked(String),
    /// What the linearisation says.
    Linear(LinearError),
}

impl NoModes {
    /// Says it on standard error.
    pub fn tell(&self, source: &str) -> Status {
        match self {
            Self::Asked(told) => fail(UNSUPPORTED, source, told),
            Self::Linear(error) => fail(status(error), source, error),
        }
    }
}

impl From<LinearError> for NoModes {
    fn from(error: LinearError) -> Self {
        Self::Linear(error)
    }
}

impl From<DynamicsError> for NoModes {
    fn from(error: DynamicsError) -> Self {
        Self::Linear(error.into())
    }
}

impl ConfigurationOptions {
    /// Modes about a state, hinges locked unless they are freed, and that state. A system in which nothing can move has none.
    pub fn modes(&self, model: &Model, state: &State, inputs: &Inputs) -> Result<(SystemModes, State), NoModes> {
        let speeds = model.speed_count();
        if speeds > MOST_SPEEDS {
            let told =
                format!("{speeds} speeds are too many for a dense eigenvalue problem, the limit is {MOST_SPEEDS}");
            return Err(NoModes::Asked(told));
        }
        let (mut state, mut inputs) = (state.clone(), inputs.clone());
        self.hinges.apply(model, &mut inputs, Usual::Locked)?;
        // What a scenario starts with does not go on; only what is asked for turns.
        state.speeds.fill(0.0);
        inputs.accelerations.fill(0.0);
        self.at.apply(model, &mut state).map_err(NoModes::Asked)?;
        self.turn(model, &mut state, &mut inputs)?;
        if state.closed.contains(&true) && state.speeds.iter().any(|speed| *speed != 0.0) {
            close_speeds(model, &mut state, &inputs, &mut Workspace::new(model))?;
        }
        if self.trim {
            state = equilibrium(model, &state, &inputs)?.state;
        }
        match system_modes(model, &state, &inputs) {
            Err(LinearError::NoFreedom) => Ok((nothing_moves(model), state)),
            found => Ok((found?, state)),
        }
    }

    /// Hinges that turn steadily do so whatever acts on them.
    fn turn(&self, model: &Model, state: &mut State, inputs: &mut Inputs) -> Result<(), NoModes> {
        let variables = model.variables();
        let named = |v: &&supple::model::Variable| v.kind == VariableKind::HingeSpeed;
        for Setting { name, value } in &self.spin {
            let full = format!("speed.{name}");
            let Some(found) = variables.iter().filter(named).find(|v| v.name == full) else {
                let known: Vec<&str> =
                    variables.iter().filter(named).filter_map(|v| v.name.strip_prefix("speed.")).collect();
                let meant = nearest(name, known.iter().copied()).map(|near| format!("; did you mean '{near}'?"));
                let told = format!("--spin: no hinge that turns is called '{name}'{}", meant.unwrap_or_default());
                return Err(NoModes::Asked(told));
            };
            state.speeds[found.index] = *value;
            if let Some(body) = found.body {
                inputs.prescribed[body.0] = true;
            }
        }
        Ok(())
    }
}

fn nothing_moves(model: &Model) -> SystemModes {
    let bodies = model.body_indices().map(|body| model.name(body).to_owned()).collect();
    SystemModes { modes: Vec::new(), coordinates: Vec::new(), bodies, nodes: Vec::new() }
}
