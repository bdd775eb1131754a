//! Rows of states for batches, and what their scalar runs give.

use supple::batch::{States, StatesMut};
use supple::testkit::{Generator, Prepared};
use supple::{DenseWorkspace, DynamicsError, Model, Workspace, forward_dynamics, inverse_dynamics, mass_matrix};

/// States and inputs of many instances.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rows {
    pub coordinates: Vec<f64>,
    pub speeds: Vec<f64>,
    pub attitudes: Vec<[f64; 4]>,
    pub forces: Vec<f64>,
    pub accelerations: Vec<f64>,
}

impl Rows {
    /// `count` states near that of `at`.
    pub fn new(at: &Prepared, count: usize, seed: u64) -> Self {
        let mut rng = Generator::new(seed);
        let mut rows = Self::default();
        for _ in 0..count {
            rows.push(&vary(at, &mut rng));
        }
        rows
    }

    pub fn push(&mut self, at: &Prepared) {
        self.coordinates.extend(&at.state.coordinates);
        self.speeds.extend(&at.state.speeds);
        self.attitudes.extend(at.state.attitudes.iter().map(|q| q.0));
        self.forces.extend(&at.inputs.forces);
        self.accelerations.extend(&at.inputs.accelerations);
    }

    /// The first `count` states.
    pub fn states(&self, model: &Model, count: usize) -> States<'_> {
        States {
            coordinates: &self.coordinates[..count * model.coordinate_count()],
            speeds: &self.speeds[..count * model.speed_count()],
            attitudes: &self.attitudes[..count * model.attitude_nodes().len()],
        }
    }

    /// All states, to be changed, and the forces.
    pub fn step_in_place(&mut self) -> (StatesMut<'_>, &[f64]) {
        let Self { coordinates, speeds, attitudes, forces, .. } = self;
        (StatesMut { coordinates, speeds, attitudes }, forces)
    }

    /// Instance `i` of `model`.
    pub fn instance(&self, model: &Model, i: usize) -> Prepared {
        let row = |list: &[f64], width: usize| list[i * width..(i + 1) * width].to_vec();
        let (nq, nv, na) = (model.coordinate_count(), model.speed_count(), model.attitude_nodes().len());
        let mut state = supple::State::new(model);
        let mut inputs = supple::Inputs::new(model);
        state.coordinates = row(&self.coordinates, nq);
        state.speeds = row(&self.speeds, nv);
        for (q, given) in state.attitudes.iter_mut().zip(&self.attitudes[i * na..(i + 1) * na]) {
            q.0 = *given;
        }
        inputs.forces = row(&self.forces, nv);
        inputs.accelerations = row(&self.accelerations, nv);
        Prepared { model: model.clone(), state, inputs }
    }

    /// The same numbers for one instance alone.
    pub fn only(&self, model: &Model, i: usize) -> Self {
        let mut one = Self::default();
        one.push(&self.instance(model, i));
        one
    }

    /// All numbers of the states as bits.
    pub fn bits(&self) -> Vec<u64> {
        bits(self.coordinates.iter().chain(&self.speeds).chain(self.attitudes.iter().flatten()))
    }
}

/// Another state of the same model, its quaternions of unit length.
pub fn vary(at: &Prepared, rng: &mut Generator) -> Prepared {
    let mut other = at.clone();
    let wobble = |q: &mut [f64], rng: &mut Generator| {
        q.iter_mut().for_each(|x| *x += rng.between(-0.1, 0.1));
        let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
        q.iter_mut().for_each(|x| *x /= length);
    };
    for body in at.model.body_indices() {
        let hinge = at.model.hinge_coordinates(body);
        // Four or seven coordinates are, or start with, a quaternion.
        let turns = if hinge.len() >= 4 { 4 } else { 0 };
        wobble(&mut other.state.coordinates[hinge.start..hinge.start + turns], rng);
        let rest = at.model.modal_coordinates(body).chain(hinge.start + turns..hinge.end);
        rest.for_each(|i| other.state.coordinates[i] *= rng.between(-1.0, 1.0));
    }
    other.state.attitudes.iter_mut().for_each(|q| wobble(&mut q.0, rng));
    let scaled = other.state.speeds.iter_mut().chain(&mut other.inputs.forces).chain(&mut other.inputs.accelerations);
    scaled.for_each(|x| *x *= rng.between(-1.0, 1.0));
    other.inputs.wrenches.clear();
    other
}

/// What scalar runs say of one instance.
#[derive(Debug)]
pub struct Scalar {
    pub accelerations: Result<Vec<f64>, DynamicsError>,
    pub forces: Result<Vec<f64>, DynamicsError>,
    pub matrix: Result<Vec<f64>, DynamicsError>,
}

impl Scalar {
    pub fn run(at: &Prepared) -> Self {
        let (mut ws, mut dense) = (Workspace::new(&at.model), DenseWorkspace::new(&at.model));
        let forward = forward_dynamics(&at.model, &at.state, &at.inputs, &mut ws);
        let accelerations = forward.map(|s| s.accelerations().to_vec());
        let inverse = inverse_dynamics(&at.model, &at.state, &at.inputs, &mut ws);
        let forces = inverse.map(|s| s.forces().to_vec());
        let mut matrix = vec![0.0; at.model.speed_count().pow(2)];
        let done = mass_matrix(&at.model, &at.state, &mut ws, &mut dense, &mut matrix);
        Self { accelerations, forces, matrix: done.map(|()| matrix) }
    }
}

/// Bits of numbers.
pub fn bits<'a>(numbers: impl IntoIterator<Item = &'a f64>) -> Vec<u64> {
    numbers.into_iter().map(|x| x.to_bits()).collect()
}
