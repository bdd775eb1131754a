//! Verbs of a model as programs.

use crate::program::{Program, Signal};
use std::fmt;
use supple::model::VariableKind;
use supple::spatial::{Quaternion, Scalar, Traced};
use supple::{DenseWorkspace, DynamicsError, Inputs, Model, State, Workspace, generic};

/// What a program computes from a state and inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verb {
    /// Accelerations from forces: [`forward_dynamics`](supple::forward_dynamics).
    ForwardDynamics,
    /// Forces from accelerations: [`inverse_dynamics`](supple::inverse_dynamics).
    InverseDynamics,
    /// The mass matrix by rows: [`mass_matrix`](supple::mass_matrix).
    MassMatrix,
    /// Kinetic, elastic, gravitational and stored energy: [`energy`](supple::energy).
    Energy,
}

/// Why a verb did not become a program.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum RecordError {
    /// The verb refused the sample state.
    Dynamics(DynamicsError),
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Dynamics(error) => write!(f, "the verb cannot be recorded at the sample state: {error}"),
        }
    }
}

impl std::error::Error for RecordError {}

impl From<DynamicsError> for RecordError {
    fn from(error: DynamicsError) -> Self {
        Self::Dynamics(error)
    }
}

impl Verb {
    /// All verbs.
    pub const ALL: [Self; 4] = [Self::ForwardDynamics, Self::InverseDynamics, Self::MassMatrix, Self::Energy];

    /// Its name in commands and in code.
    pub fn name(self) -> &'static str {
        match self {
            Self::ForwardDynamics => "forward_dynamics",
            Self::InverseDynamics => "inverse_dynamics",
            Self::MassMatrix => "mass_matrix",
            Self::Energy => "energy",
        }
    }

    /// Whether speeds go in.
    fn takes_speeds(self) -> bool {
        self != Self::MassMatrix
    }
}

/// The program of a verb on trees and on closed systems whose closures all act in the state of [`State::new`]; see [`record_at`] for others.
///
/// # Errors
/// A state that the verb refuses.
pub fn record(model: &Model, verb: Verb) -> Result<Program, RecordError> {
    record_at(model, &sample(model), verb)
}

/// The program of a verb. `state` tells which closures act, and which of their equations count is decided there; a tree may have any.
///
/// Inputs: coordinates, components of attitudes, speeds where the verb takes them, then forces or accelerations, then what motors among the
/// force elements exert.
///
/// # Errors
/// A state that the verb refuses.
pub fn record_at(model: &Model, state: &State, verb: Verb) -> Result<Program, RecordError> {
    let traced = model.cast::<Traced>();
    let mut workspace = Workspace::new(&traced);
    let (results, graph) = Traced::record(|| -> Result<Vec<u32>, DynamicsError> {
        let mut at = State::new(&traced);
        let mut inputs = Inputs::new(&traced);
        symbols(&mut at.coordinates, &state.coordinates);
        for (symbol, quaternion) in at.attitudes.iter_mut().zip(&state.attitudes) {
            *symbol = Quaternion(quaternion.0.map(Traced::input));
        }
        at.closed.copy_from_slice(&state.closed);
        if verb.takes_speeds() {
            symbols(&mut at.speeds, &state.speeds);
        }
        match verb {
            Verb::ForwardDynamics => inputs.forces.iter_mut().for_each(|x| *x = Traced::input(0.0)),
            Verb::InverseDynamics => inputs.accelerations.iter_mut().for_each(|x| *x = Traced::input(0.0)),
            Verb::MassMatrix | Verb::Energy => {}
        }
        if matches!(verb, Verb::ForwardDynamics | Verb::InverseDynamics) {
            inputs.element_forces.iter_mut().for_each(|x| *x = Traced::input(0.0));
        }
        let results = evaluate(verb, &traced, &at, &inputs, &mut workspace)?;
        Ok(results.into_iter().map(Traced::operation).collect())
    });
    let (inputs, outputs) = signals(model, verb);
    Ok(Program::new(verb.name(), inputs, outputs, &graph, &results?))
}

fn symbols(symbols: &mut [Traced], sample: &[f64]) {
    symbols.iter_mut().zip(sample).for_each(|(symbol, value)| *symbol = Traced::input(*value));
}

fn evaluate(
    verb: Verb,
    model: &Model<Traced>,
    state: &State<Traced>,
    inputs: &Inputs<Traced>,
    workspace: &mut Workspace<Traced>,
) -> Result<Vec<Traced>, DynamicsError> {
    match verb {
        Verb::ForwardDynamics => {
            Ok(generic::forward_dynamics(model, state, inputs, workspace)?.accelerations().to_vec())
        }
        Verb::InverseDynamics => Ok(generic::inverse_dynamics(model, state, inputs, workspace)?.forces().to_vec()),
        Verb::MassMatrix => {
            let mut matrix = vec![Traced::ZERO; model.speed_count() * model.speed_count()];
            generic::mass_matrix(model, state, workspace, &mut DenseWorkspace::new(model), &mut matrix)?;
            Ok(matrix)
        }
        Verb::Energy => {
            let energy = generic::energy(model, state, workspace)?;
            Ok(vec![energy.kinetic, energy.elastic, energy.gravitational, energy.stored])
        }
    }
}

/// A state in general position: nothing is zero, straight or aligned.
fn sample(model: &Model) -> State {
    let mut state = State::new(model);
    let spread = |i: usize| (1.0 + 0.618_034 * i as f64).fract();
    for body in model.body_indices() {
        for i in model.modal_coordinates(body) {
            state.coordinates[i] = 1e-3 * (spread(i) - 0.5);
        }
        // Quaternions keep the length that `State::new` gives them.
        let hinge = model.hinge_coordinates(body);
        if hinge.len() == model.hinge_speeds(body).len() {
            hinge.for_each(|i| state.coordinates[i] = 0.2 + 0.5 * spread(i));
        }
    }
    state.speeds.iter_mut().enumerate().for_each(|(i, u)| *u = 0.1 * (spread(i) - 0.3));
    state.turn_nodes(model);
    state
}

/// Names and units of what goes in and comes out.
fn signals(model: &Model, verb: Verb) -> (Vec<Signal>, Vec<Signal>) {
    let variables = model.variables();
    let list = |kinds: &[VariableKind]| {
        let mut found: Vec<_> = variables.iter().filter(|v| kinds.contains(&v.kind)).collect();
        found.sort_by_key(|v| v.index);
        found.into_iter().map(|v| Signal { name: v.name.clone(), unit: v.unit.into() }).collect::<Vec<_>>()
    };
    use VariableKind as Kind;
    let mut inputs = list(&[Kind::HingeCoordinate, Kind::ModalCoordinate]);
    inputs.extend(list(&[Kind::Attitude]));
    if verb.takes_speeds() {
        inputs.extend(list(&[Kind::HingeSpeed, Kind::ModalSpeed]));
    }
    let forces = list(&[Kind::HingeForceInput, Kind::ModalForceInput]);
    let accelerations = list(&[Kind::HingeAcceleration, Kind::ModalAcceleration]);
    let outputs = match verb {
        Verb::ForwardDynamics => {
            inputs.extend(forces);
            accelerations
        }
        Verb::InverseDynamics => {
            inputs.extend(accelerations);
            forces
        }
        Verb::MassMatrix => {
            let speeds = list(&[Kind::HingeSpeed, Kind::ModalSpeed]);
            let entry = |row: &Signal, column: &Signal| Signal {
                name: format!("mass[{}, {}]", row.name, column.name),
                unit: "J s²".into(),
            };
            speeds.iter().flat_map(|row| speeds.iter().map(move |column| entry(row, column))).collect()
        }
        Verb::Energy => {
            let names = ["kinetic", "elastic", "gravitational", "stored"];
            names.map(|name| Signal { name: format!("energy.{name}"), unit: "J".into() }).into()
        }
    };
    if matches!(verb, Verb::ForwardDynamics | Verb::InverseDynamics) {
        let motors = Inputs::new(model).element_forces.len();
        inputs.extend((1..=motors).map(|i| Signal { name: format!("input.element_force.{i}"), unit: "N".into() }));
    }
    (inputs, outputs)
}
