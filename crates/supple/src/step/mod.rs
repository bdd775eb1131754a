//! One step of an integrator for any scalar, without branches: what a batch does with lanes and what a recording follows.
//!
//! Forces are held over a step. Nothing brings the state back onto closures here; see [`settle`](crate::generic::settle).

mod linearly_implicit;
mod runge_kutta;

pub use linearly_implicit::linearly_implicit_step;
pub use runge_kutta::{RUNGE_KUTTA_STAGES, RungeKuttaPoints, runge_kutta_end, runge_kutta_stage, runge_kutta_step};

use crate::implicit::ShiftedModes;
use crate::model::Model;
use crate::state::State;
use crate::workspace::Workspace;
use supple_spatial::{Quaternion, Scalar};

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
    /// No hinge is prescribed.
    free: Vec<bool>,
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
