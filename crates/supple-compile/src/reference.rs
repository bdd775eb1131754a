//! Reference vectors: numbers that go into a program, and what the engine gives for them.
//!
//! States of trees are in general position; those of closed systems satisfy their closures, as another set of equations counts elsewhere.

use crate::engine::{Engine, Point};
use crate::parameter::{self, Parameter};
use crate::program::Program;
use crate::recorder::{RecordError, Recording};
use crate::verb::Verb;
use supple::{DenseWorkspace, Inputs, Model, State, Workspace, assemble, mass_matrix};

/// Numbers that go in, and those that come out.
#[derive(Clone, Debug, PartialEq)]
pub struct Vector {
    /// What goes in.
    pub inputs: Vec<f64>,
    /// What the engine gives.
    pub outputs: Vec<f64>,
}

/// Vectors, and how far a program may be from them.
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    /// The vectors.
    pub vectors: Vec<Vector>,
    /// Difference that rounding explains, relative to the largest number of a vector: `max(1e-10, 1000 eps κ)` with `κ` the condition number of
    /// the mass matrix scaled to unit diagonal.
    pub allowed: f64,
    /// Numbers of a vector that are all smaller than this count as large: a node that nothing moves has a Jacobian of rounding alone.
    pub floor: f64,
}

impl Reference {
    /// The largest difference of numbers from those of a vector, relative to the largest of these; not a number where one is not.
    pub fn difference(&self, found: &[f64], vector: &Vector) -> f64 {
        let (mut size, mut worst) = (self.floor, 0.0_f64);
        for (x, y) in found.iter().zip(&vector.outputs) {
            let difference = if x == y { 0.0 } else { (x - y).abs() };
            if y.is_finite() {
                size = size.max(y.abs());
            }
            if difference.is_nan() || difference > worst {
                worst = difference;
            }
        }
        worst / if size > 0.0 { size } else { 1.0 }
    }
}

/// Step of the reference vectors of steps, s.
const STEP: f64 = 1e-3;
/// How often a state that is refused is brought nearer to the one at which the program was recorded.
const HALVINGS: usize = 12;

impl Recording<'_> {
    /// Vectors for a program of this recording, guarded or not, in so many states and for as many values of its parameters.
    ///
    /// # Errors
    /// The engine refuses the state of the recording itself.
    pub fn reference(&self, program: &Program, count: usize) -> Result<Reference, RecordError> {
        let mut interpreter = program.interpreter();
        let mut found = vec![0.0; program.outputs.len()];
        let (mut vectors, mut condition) = (Vec::with_capacity(count), 1.0_f64);
        for seed in 0..count {
            let mut spread = 1.0;
            let mut trial = self.vector(seed, spread);
            for _ in 0..HALVINGS {
                if trial.as_ref().is_ok_and(|(vector, _)| interpreter.run(&vector.inputs, &mut found).is_ok()) {
                    break;
                }
                spread *= 0.5;
                trial = self.vector(seed, spread);
            }
            let (mut vector, of_mass) = trial.or_else(|_| self.vector(seed, 0.0))?;
            if program.outputs.len() > vector.outputs.len() {
                // Status and smallest pivot, which the engine does not tell.
                let _ = interpreter.run(&vector.inputs, &mut found);
                vector.outputs.extend(&found[vector.outputs.len()..]);
            }
            condition = condition.max(of_mass);
            vectors.push(vector);
        }
        let floor = if matches!(self.verb, Verb::NodeJacobian(_)) { 1.0 } else { 0.0 };
        Ok(Reference { vectors, allowed: (1000.0 * f64::EPSILON * condition).max(1e-10), floor })
    }

    /// One vector, and the condition number of the mass matrix there. Without spread a closed system is in the state of the recording.
    fn vector(&self, seed: usize, spread: f64) -> Result<(Vector, f64), RecordError> {
        let values = self.values(seed, spread)?;
        let model = parameter::with(self.model, self.model.clone(), self.parameters, &values)?;
        let inputs = loads(&model, seed);
        let mut state = match self.state {
            Some(state) => moved(&model, state, seed, spread),
            None => general_state(&model, seed),
        };
        if state.closed.contains(&true) {
            assemble(&model, &mut state, &Inputs::new(&model))?;
        }
        let condition = condition(&model, &state)?;
        let (at, engine) = (Point { state, inputs, step: STEP }, Engine { model: &model, verb: self.verb });
        let mut numbers = engine.numbers(&at)?;
        numbers.extend(&values);
        Ok((Vector { inputs: numbers, outputs: engine.answer(&at)? }, condition))
    }

    /// Values of the parameters, those of the model first and then around them.
    fn values(&self, seed: usize, spread: f64) -> Result<Vec<f64>, RecordError> {
        let vary = |(i, parameter): (usize, &Parameter)| {
            let (_, value) = parameter.signal(self.model)?;
            let by = if seed == 0 { 0.0 } else { spread * (spread_of(3 * i + 1, seed) - 0.5) };
            // What is zero has no size of its own.
            let size = match parameter {
                _ if value != 0.0 => 0.2 * value,
                Parameter::Gravity(_) => 1.0,
                Parameter::HingePosition { .. } => 0.05,
                _ => 0.0,
            };
            Ok(value + by * size)
        };
        self.parameters.iter().enumerate().map(vary).collect()
    }
}

/// A number from 0 to 1 that is irregular in `i` and `seed`.
fn spread_of(i: usize, seed: usize) -> f64 {
    (1.0 + 0.618_034 * i as f64 + 0.414_214 * seed as f64).fract()
}

/// A state in general position: nothing is zero, straight or aligned. Quaternions of hinges are turned but for the first seed.
pub(crate) fn general_state(model: &Model, seed: usize) -> State {
    let mut state = State::new(model);
    for body in model.body_indices() {
        for i in model.modal_coordinates(body) {
            state.coordinates[i] = 1e-3 * (spread_of(i, seed) - 0.5);
        }
        let hinge = model.hinge_coordinates(body);
        let turned = if hinge.len() > model.hinge_speeds(body).len() { 4 } else { 0 };
        let (quaternion, rest) = state.coordinates[hinge.clone()].split_at_mut(turned);
        rest.iter_mut().enumerate().for_each(|(i, x)| *x = 0.2 + 0.5 * spread_of(hinge.start + turned + i, seed));
        if seed > 0 {
            quaternion.iter_mut().enumerate().for_each(|(i, x)| *x += spread_of(hinge.start + i, seed) - 0.5);
            normalise(quaternion);
        }
    }
    state.speeds.iter_mut().enumerate().for_each(|(i, u)| *u = 0.1 * (spread_of(i, seed) - 0.3));
    state.turn_nodes(model);
    state
}

/// A state near another, not on its closures.
fn moved(model: &Model, of: &State, seed: usize, spread: f64) -> State {
    let mut state = of.clone();
    let by = |i: usize, size: f64| spread * size * (spread_of(i, seed) - 0.5);
    for body in model.body_indices() {
        model.modal_coordinates(body).for_each(|i| state.coordinates[i] += by(i, 1e-4));
        let hinge = model.hinge_coordinates(body);
        let turned = if hinge.len() > model.hinge_speeds(body).len() { 4 } else { 0 };
        hinge.clone().for_each(|i| state.coordinates[i] += by(i, 0.1));
        normalise(&mut state.coordinates[hinge.start..hinge.start + turned]);
    }
    state.speeds.iter_mut().enumerate().for_each(|(i, u)| *u += by(i, 0.1));
    if spread > 0.0 {
        state.turn_nodes(model);
    }
    state
}

fn normalise(quaternion: &mut [f64]) {
    let length = quaternion.iter().map(|x| x * x).sum::<f64>().sqrt();
    quaternion.iter_mut().for_each(|x| *x /= length);
}

/// Forces and accelerations of the size of one.
fn loads(model: &Model, seed: usize) -> Inputs {
    let mut inputs = Inputs::new(model);
    let lists = [&mut inputs.forces, &mut inputs.accelerations, &mut inputs.element_forces];
    for (list, offset) in lists.into_iter().zip([0, 5, 11]) {
        list.iter_mut().enumerate().for_each(|(i, x)| *x = 2.0 * spread_of(i + offset, seed) - 1.0);
    }
    inputs
}

/// Condition number of the mass matrix scaled to unit diagonal; one where it is not positive definite: verbs refuse such states themselves.
fn condition(model: &Model, state: &State) -> Result<f64, RecordError> {
    let n = model.speed_count();
    let mut mass = vec![0.0; n * n];
    mass_matrix(model, state, &mut Workspace::new(model), &mut DenseWorkspace::new(model), &mut mass)?;
    let scale: Vec<f64> = (0..n).map(|i| mass[i * n + i].sqrt()).collect();
    mass.iter_mut().enumerate().for_each(|(at, x)| *x /= scale[at / n] * scale[at % n]);
    let Some(factor) = cholesky(&mass, n) else { return Ok(1.0) };
    let largest = growth(n, |x| (0..n).map(|i| (0..n).map(|j| mass[i * n + j] * x[j]).sum()).collect());
    let inverse = growth(n, |x| solved(&factor, x));
    Ok(largest * inverse)
}

/// The largest eigenvalue of a symmetric positive definite operator, by as many turns of the power method as its size needs for a part in ten.
fn growth(n: usize, apply: impl Fn(&[f64]) -> Vec<f64>) -> f64 {
    let mut x: Vec<f64> = (0..n).map(|i| spread_of(i, 1) + 0.1).collect();
    let mut rate = 1.0;
    for _ in 0..40 {
        let y = apply(&x);
        rate = y.iter().map(|x| x * x).sum::<f64>().sqrt();
        if rate == 0.0 || !rate.is_finite() {
            return 1.0;
        }
        x = y.into_iter().map(|y| y / rate).collect();
    }
    rate
}

/// The lower factor by rows, where there is one.
fn cholesky(matrix: &[f64], n: usize) -> Option<Vec<f64>> {
    let mut factor = vec![0.0; n * n];
    for i in 0..n {
        for j in 0..=i {
            let sum: f64 = (0..j).map(|k| factor[i * n + k] * factor[j * n + k]).sum();
            let rest = matrix[i * n + j] - sum;
            factor[i * n + j] = if i > j { rest / factor[j * n + j] } else { rest.sqrt() };
        }
        if factor[i * n + i].is_nan() || factor[i * n + i] <= 0.0 {
            return None;
        }
    }
    Some(factor)
}

fn solved(factor: &[f64], right: &[f64]) -> Vec<f64> {
    let n = right.len();
    let mut x = right.to_vec();
    for i in 0..n {
        let sum: f64 = (0..i).map(|k| factor[i * n + k] * x[k]).sum();
        x[i] = (x[i] - sum) / factor[i * n + i];
    }
    for i in (0..n).rev() {
        let sum: f64 = (i + 1..n).map(|k| factor[k * n + i] * x[k]).sum();
        x[i] = (x[i] - sum) / factor[i * n + i];
    }
    x
}
