//! Recording: a verb run on symbols.

use crate::parameter::{self, Parameter};
use crate::program::{Program, Signal};
use crate::reference::general_state;
use crate::verb::{Differentiation, Verb, step};
use std::borrow::Borrow;
use std::fmt;
use supple::force::UnlistedScalar;
use supple::model::{NameError, Variable, VariableKind as Kind};
use supple::spatial::scalar::traced::Graph;
use supple::spatial::{Mask, Quaternion, Scalar, Traced};
use supple::{DifferentStructure, DynamicsError, Inputs, Model, State};

/// Why a verb did not become a program.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum RecordError {
    /// The verb refused the sample state.
    Dynamics(DynamicsError),
    /// A name that the model does not have.
    Name(NameError),
    /// A force element that cannot be recorded.
    Element(UnlistedScalar),
    /// A parameter that the model does not have.
    Parameter {
        /// The parameter.
        parameter: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The analytic recursion of derivatives does not cover the model.
    NoRecursion,
    /// Models that cannot share a program.
    Structure(DifferentStructure),
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Dynamics(error) => write!(f, "the verb cannot be recorded at the sample state: {error}"),
            Self::Name(error) => error.fmt(f),
            Self::Element(error) => error.fmt(f),
            Self::Parameter { parameter, reason } => write!(f, "parameter {parameter}: {reason}"),
            Self::NoRecursion => write!(
                f,
                "the analytic recursion covers no force elements, closures and elastic rotations that are not rotations; take \
                 linearization:dual"
            ),
            Self::Structure(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for RecordError {}

impl From<DynamicsError> for RecordError {
    fn from(error: DynamicsError) -> Self {
        Self::Dynamics(error)
    }
}

impl From<DifferentStructure> for RecordError {
    fn from(error: DifferentStructure) -> Self {
        Self::Structure(error)
    }
}

impl From<NameError> for RecordError {
    fn from(error: NameError) -> Self {
        Self::Name(error)
    }
}

/// Most speeds of models whose derivatives are recorded both ways.
const SPEEDS: usize = 8;

/// What becomes a program.
#[derive(Clone, Copy, Debug)]
pub struct Recording<'m> {
    /// The model.
    pub model: &'m Model,
    /// The state that decides which closures act and which of their equations count; a tree may have any. `None` for one in general
    /// position, with all closures as [`State::new`] has them.
    pub state: Option<&'m State>,
    /// The verb.
    pub verb: &'m Verb,
    /// Numbers of the model that stay symbols.
    pub parameters: &'m [Parameter],
}

impl Recording<'_> {
    /// The program. Inputs: coordinates, components of attitudes, speeds where the verb takes them, then forces or accelerations, then what
    /// motors among the force elements exert, then the length of a step, then the parameters.
    ///
    /// # Errors
    /// A state that the verb refuses; names that the model does not have.
    pub fn program(&self) -> Result<Program, RecordError> {
        match self.verb {
            Verb::Linearization(Differentiation::Fewest) => self.shortest(),
            _ => self.recorded(),
        }
    }

    /// Of both ways to derivatives, the one with fewer operations.
    fn shortest(&self) -> Result<Program, RecordError> {
        // Whichever it is, it has the name that was asked for.
        let named = |program| Program { name: self.verb.code_name(), ..program };
        let by = |way| Recording { verb: &Verb::Linearization(way), ..*self }.recorded().map(named);
        let recursion = match by(Differentiation::Recursion) {
            Err(RecordError::NoRecursion) => return by(Differentiation::Dual),
            recursion => recursion?,
        };
        // With more speeds than this dual numbers have never had fewer.
        if self.model.speed_count() > SPEEDS {
            return Ok(recursion);
        }
        let dual = by(Differentiation::Dual)?;
        Ok(if dual.counts().total() < recursion.counts().total() { dual } else { recursion })
    }

    fn recorded(&self) -> Result<Program, RecordError> {
        let trace = |model, recorder: &mut Recorder<'_>| self.verb.trace(model, recorder);
        self.traced(&self.verb.code_name(), trace, !self.verb.checks_outputs())
    }

    /// A step of the classical Runge-Kutta scheme in two programs: one for a stage, done four times, and one for what follows. The verb
    /// of the recording does not count.
    ///
    /// # Errors
    /// As [`program`](Self::program).
    pub fn runge_kutta(&self) -> Result<RungeKutta, RecordError> {
        Ok(RungeKutta {
            stage: self.traced("stage", |model, recorder| step::stage(&model, recorder), true)?,
            end: self.traced("end", |model, recorder| step::end(&model, recorder), true)?,
        })
    }

    fn traced(
        &self,
        name: &str,
        trace: impl FnOnce(Model<Traced>, &mut Recorder<'_>) -> Result<(), RecordError>,
        suppose_finite: bool,
    ) -> Result<Program, RecordError> {
        let sample = self.state.map_or_else(|| general_state(self.model, 0), State::clone);
        let recorder = Recorder::new(self.model, &sample, self.parameters);
        recorder.record(name, |recorder| {
            let values = recorder.parameters()?;
            let model = recorder.model_of::<Traced>(&values)?;
            trace(model, recorder)?;
            if suppose_finite {
                recorder.suppose_finite();
            }
            Ok(())
        })
    }
}

/// A step of the classical Runge-Kutta scheme for code that loops over its stages: a quarter of the instructions. A frame of numbers serves both
/// programs: point, start, next point, sum (coordinates, attitudes and speeds each), forces, share, next, parameters, where `share` and `next` are
/// the numbers of [`RUNGE_KUTTA_STAGES`](supple::generic::RUNGE_KUTTA_STAGES) times the length of the step.
#[derive(Clone, Debug)]
pub struct RungeKutta {
    /// From the whole frame; gives next point and sum.
    pub stage: Program,
    /// From the frame without what stands before the sum; gives the state after the step.
    pub end: Program,
}

/// The program of a verb on trees and on closed systems whose closures all act in the state of [`State::new`]; see [`record_at`] for others.
///
/// # Errors
/// As [`Recording::program`].
pub fn record(model: &Model, verb: impl Borrow<Verb>) -> Result<Program, RecordError> {
    Recording { model, state: None, verb: verb.borrow(), parameters: &[] }.program()
}

/// The program of a verb, with the closures that act in `state` and those of their equations that count there.
///
/// # Errors
/// As [`Recording::program`].
pub fn record_at(model: &Model, state: &State, verb: impl Borrow<Verb>) -> Result<Program, RecordError> {
    Recording { model, state: Some(state), verb: verb.borrow(), parameters: &[] }.program()
}

/// Gathers what goes in and what comes out while a verb is traced.
pub(crate) struct Recorder<'m> {
    /// The model.
    pub model: &'m Model,
    /// The state at which decisions are taken.
    pub sample: &'m State,
    parameters: &'m [Parameter],
    symbols: Vec<Traced>,
    variables: Vec<Variable>,
    inputs: Vec<Signal>,
    outputs: Vec<Signal>,
    results: Vec<Traced>,
}

impl<'m> Recorder<'m> {
    pub fn new(model: &'m Model, sample: &'m State, parameters: &'m [Parameter]) -> Self {
        Self {
            model,
            sample,
            parameters,
            symbols: Vec::new(),
            variables: model.variables(),
            inputs: Vec::new(),
            outputs: Vec::new(),
            results: Vec::new(),
        }
    }

    /// The program of what `trace` does.
    pub fn record(
        mut self,
        name: &str,
        trace: impl FnOnce(&mut Self) -> Result<(), RecordError>,
    ) -> Result<Program, RecordError> {
        let (done, graph) = Traced::record(|| -> Result<Vec<u32>, RecordError> {
            trace(&mut self)?;
            Ok(self.results.iter().map(|x| x.operation()).collect())
        });
        Ok(self.finish(name, &graph, &done?))
    }

    /// A number of the model that stays a symbol. All of them are made before anything else goes in, and stand last.
    pub fn number(&mut self, signal: Signal, sample: f64) -> Traced {
        let symbol = self.input(signal, sample);
        self.symbols.push(symbol);
        symbol
    }

    /// Symbols of the parameters.
    fn parameters(&mut self) -> Result<Vec<Traced>, RecordError> {
        for parameter in self.parameters {
            let (signal, value) = parameter.signal(self.model)?;
            self.number(signal, value);
        }
        Ok(self.symbols.clone())
    }

    /// The model in another scalar, with these numbers for the parameters.
    pub fn model_of<T: Scalar>(&self, values: &[T]) -> Result<Model<T>, RecordError> {
        // Turns by π/2 that rounding left a hair beside would cost as much as any other.
        let model = self.model.clone().with_exact_quarter_turns().try_cast::<T>().map_err(RecordError::Element)?;
        parameter::with(self.model, model, self.parameters, values)
    }

    /// The parameters as symbols.
    pub fn symbols(&self) -> &[Traced] {
        &self.symbols
    }

    /// One number that goes in.
    pub fn input(&mut self, signal: Signal, sample: f64) -> Traced {
        self.inputs.push(signal);
        Traced::input(sample)
    }

    /// One number that comes out.
    pub fn output(&mut self, signal: Signal, value: Traced) {
        self.outputs.push(signal);
        self.results.push(value);
    }

    /// Numbers that come out.
    pub fn list(&mut self, signals: Vec<Signal>, values: &[Traced]) {
        signals.into_iter().zip(values).for_each(|(signal, value)| self.output(signal, *value));
    }

    /// Variables of these kinds by place.
    pub fn signals(&self, kinds: &[Kind]) -> Vec<Signal> {
        let mut found: Vec<_> = self.variables.iter().filter(|v| kinds.contains(&v.kind)).collect();
        found.sort_by_key(|v| v.index);
        found.into_iter().map(|v| Signal { name: v.name.clone(), unit: v.unit.into() }).collect()
    }

    /// Names and units of speeds.
    pub fn speeds(&self) -> Vec<Signal> {
        self.signals(&[Kind::HingeSpeed, Kind::ModalSpeed])
    }

    /// Names and units of forces.
    pub fn forces(&self) -> Vec<Signal> {
        self.signals(&[Kind::HingeForceInput, Kind::ModalForceInput])
    }

    /// Names and units of accelerations.
    pub fn accelerations(&self) -> Vec<Signal> {
        self.signals(&[Kind::HingeAcceleration, Kind::ModalAcceleration])
    }

    fn take(&mut self, signals: Vec<Signal>, to: &mut [Traced], sample: impl Iterator<Item = f64>) {
        for ((signal, to), sample) in signals.into_iter().zip(to).zip(sample) {
            *to = self.input(signal, sample);
        }
    }

    /// Takes the coordinates and attitudes of a state.
    pub fn configuration(&mut self, model: &Model<Traced>) -> State<Traced> {
        let (mut state, sample) = (State::new(model), self.sample);
        state.closed.copy_from_slice(&sample.closed);
        for (held, of) in state.held.iter_mut().zip(&sample.held) {
            *held = of.map(|hold| supple::Hold::from_array(hold.to_array().map(Traced::from_f64)));
        }
        let signals = self.signals(&[Kind::HingeCoordinate, Kind::ModalCoordinate]);
        self.take(signals, &mut state.coordinates, sample.coordinates.iter().copied());
        let mut attitudes = vec![Traced::ZERO; 4 * sample.attitudes.len()];
        let signals = self.signals(&[Kind::Attitude]);
        self.take(signals, &mut attitudes, sample.attitudes.iter().flat_map(|q| q.0));
        for (q, of) in state.attitudes.iter_mut().zip(attitudes.chunks_exact(4)) {
            *q = Quaternion([of[0], of[1], of[2], of[3]]);
        }
        state
    }

    /// Takes a state with its speeds.
    pub fn motion(&mut self, model: &Model<Traced>) -> State<Traced> {
        let mut state = self.configuration(model);
        self.take(self.speeds(), &mut state.speeds, self.sample.speeds.iter().copied());
        state
    }

    /// Takes forces and what motors exert.
    pub fn loads(&mut self, model: &Model<Traced>) -> Inputs<Traced> {
        let mut inputs = Inputs::new(model);
        self.take(self.forces(), &mut inputs.forces, std::iter::repeat(0.0));
        self.motors(&mut inputs);
        inputs
    }

    /// Takes accelerations and what motors exert.
    pub fn wanted(&mut self, model: &Model<Traced>) -> Inputs<Traced> {
        let mut inputs = Inputs::new(model);
        self.take(self.accelerations(), &mut inputs.accelerations, std::iter::repeat(0.0));
        self.motors(&mut inputs);
        inputs
    }

    /// Takes what motors among the force elements exert.
    pub fn motors(&mut self, inputs: &mut Inputs<Traced>) {
        let name = |i: usize| Signal::new(format!("input.element_force.{i}"), "N");
        let signals = (1..=inputs.element_forces.len()).map(name).collect();
        self.take(signals, &mut inputs.element_forces, std::iter::repeat(0.0));
    }

    /// Supposes that the outputs are finite: their sum is not where one of them is not.
    pub fn suppose_finite(&self) {
        let mut numbers: Vec<(u32, Traced)> = self.results.iter().map(|x| (x.operation(), *x)).collect();
        numbers.sort_by_key(|(at, _)| *at);
        numbers.dedup_by_key(|(at, _)| *at);
        // In several sums: one waits for each of its additions.
        let mut sums = [Traced::ZERO; 4];
        numbers.into_iter().enumerate().for_each(|(i, (_, x))| sums[i % 4] += x);
        let sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
        // What matters is that the recording asks.
        let _ = sum.is_finite().all();
    }

    fn finish(mut self, name: &str, graph: &Graph, results: &[u32]) -> Program {
        let numbers = self.symbols.len();
        self.inputs.rotate_left(numbers);
        Program::new(name, (self.inputs, numbers), self.outputs, graph, results)
    }
}
