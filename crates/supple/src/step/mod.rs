//! One step of an integrator for any scalar, without branches: what a batch does with lanes and what a recording follows.
//!
//! Inputs are held over a step, or given for each of its stages. Nothing brings the state back onto closures here; see [`settle`](crate::generic::settle).

mod linearly_implicit;
mod runge_kutta;

pub use linearly_implicit::{LINEARLY_IMPLICIT_PLACES, linearly_implicit_step};
pub use runge_kutta::{
    RUNGE_KUTTA_PLACES, RUNGE_KUTTA_STAGES, RungeKuttaPoints, runge_kutta_end, runge_kutta_stage, runge_kutta_step,
};

use crate::implicit::ShiftedModes;
use crate::inputs::Inputs;
use crate::model::Model;
use crate::state::State;
use crate::workspace::Workspace;
use supple_spatial::{Quaternion, Scalar};

/// What acts over a step. Hinges that are prescribed are so in all of it.
#[derive(Clone, Copy, Debug)]
pub struct StageInputs<'a, T: Scalar = f64> {
    first: &'a Inputs<T>,
    others: &'a [Inputs<T>],
}

impl<'a, T: Scalar> StageInputs<'a, T> {
    /// The same from its start to its end.
    pub fn held(inputs: &'a Inputs<T>) -> Self {
        Self { first: inputs, others: &[] }
    }

    /// Other inputs at each stage, those of the first apart; the last of them serve the stages after them.
    pub fn each(first: &'a Inputs<T>, others: &'a [Inputs<T>]) -> Self {
        Self { first, others }
    }

    fn at(&self, stage: usize) -> &'a Inputs<T> {
        let own = stage.checked_sub(1).and_then(|i| self.others.get(i).or(self.others.last()));
        own.unwrap_or(self.first)
    }
}

/// Memory of steps.
#[derive(Clone, Debug)]
pub struct StepWorkspace<T: Scalar = f64> {
    /// The state at the start, and the weighted sum of the rates.
    start: State<T>,
    sum: State<T>,
    rates: Vec<T>,
    turns: Vec<Quaternion<T>>,
    /// Of the linearly implicit step.
    implicit: Option<Box<Implicit<T>>>,
}

/// Memory of the linearly implicit step; lists of numbers are `[coordinates, attitudes, speeds]`.
#[derive(Clone, Debug)]
struct Implicit<T: Scalar> {
    modes: ShiftedModes<T>,
    /// Rates of the stages, and `A Z` there.
    rates: Vec<Vec<T>>,
    linear: Vec<Vec<T>>,
    right: Vec<T>,
}

impl<T: Scalar> StepWorkspace<T> {
    /// Memory for `model`.
    pub fn new(model: &Model<T>) -> Self {
        let start = State::new(model);
        Self {
            rates: vec![T::ZERO; model.coordinate_count()],
            turns: vec![Quaternion::IDENTITY; model.attitude_nodes().len()],
            sum: start.clone(),
            start,
            implicit: None,
        }
    }
}

/// `to ← from`, into the memory that is there.
pub(crate) fn copy<T: Scalar>(to: &mut State<T>, from: &State<T>) {
    to.time = from.time;
    to.coordinates.copy_from_slice(&from.coordinates);
    to.speeds.copy_from_slice(&from.speeds);
    to.attitudes.copy_from_slice(&from.attitudes);
    to.closed.copy_from_slice(&from.closed);
    to.held.copy_from_slice(&from.held);
}

/// Quaternions of hinges and nodes to unit length.
fn normalise<T: Scalar>(model: &Model<T>, state: &mut State<T>) {
    for &at in &model.topology.quaternions {
        let q = &mut state.coordinates[at..at + 4];
        q.copy_from_slice(&Quaternion([q[0], q[1], q[2], q[3]]).normalized().0);
    }
    state.attitudes.iter_mut().for_each(|q| *q = q.normalized());
}

/// Whether state and memory are of the model.
fn fits<T: Scalar>(model: &Model<T>, state: &State<T>, workspace: &Workspace<T>) -> Result<(), crate::DynamicsError> {
    crate::check::state(model, state, workspace.stamp)
}
