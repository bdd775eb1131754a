//! One step of the classical Runge-Kutta scheme of order four, for any scalar.
//!
//! ```text
//! k₁ = f(y), k₂ = f(y + h/2 k₁), k₃ = f(y + h/2 k₂), k₄ = f(y + h k₃)
//! y ← y + h/6 (k₁ + 2 k₂ + 2 k₃ + k₄)
//! ```
//!
//! with `y` the coordinates, speeds and attitudes; forces are held over the step. Quaternions are brought back to unit length
//! after every stage, and the state onto the closures of the model, all of which act, after every step.

use super::memory::Memory;
use super::verb::Verb;
use crate::closure;
use crate::error::DynamicsError;
use crate::generic::forward_dynamics;
use crate::model::Model;
use crate::state::State;
use supple_spatial::{Quaternion, Scalar};

/// A step of length `0`.
pub(super) struct Step(pub f64);

/// The state at the start, the rates of a stage and their weighted sum.
#[derive(Debug)]
pub(super) struct StepMemory<T> {
    start: State<T>,
    rates: Vec<T>,
    turns: Vec<Quaternion<T>>,
    sum: State<T>,
}

impl<T: Scalar> StepMemory<T> {
    fn new(model: &Model<T>) -> Self {
        let start = State::new(model);
        Self {
            rates: vec![T::ZERO; model.coordinate_count()],
            turns: vec![Quaternion::IDENTITY; model.attitude_nodes().len()],
            sum: start.clone(),
            start,
        }
    }
}

/// `to ← from`, into the memory that is there.
fn copy<T: Scalar>(to: &mut State<T>, from: &State<T>) {
    to.time = from.time;
    to.coordinates.copy_from_slice(&from.coordinates);
    to.speeds.copy_from_slice(&from.speeds);
    to.attitudes.copy_from_slice(&from.attitudes);
}

/// `to ← from + weight · rates`.
fn advance<T: Scalar>(to: &mut [T], from: &[T], weight: T, rates: &[T]) {
    for ((to, from), rate) in to.iter_mut().zip(from).zip(rates) {
        *to = rate.mul_add(weight, *from);
    }
}

/// `to ← to + weight · rates`.
fn add<T: Scalar>(to: &mut [T], weight: T, rates: &[T]) {
    for (to, rate) in to.iter_mut().zip(rates) {
        *to = rate.mul_add(weight, *to);
    }
}

/// Quaternions of hinges and nodes to unit length.
fn normalise<T: Scalar>(model: &Model<T>, state: &mut State<T>) {
    for &at in &model.topology.quaternions {
        let q = &mut state.coordinates[at..at + 4];
        q.copy_from_slice(&Quaternion([q[0], q[1], q[2], q[3]]).normalized().0);
    }
    state.attitudes.iter_mut().for_each(|q| *q = q.normalized());
}

impl Verb for Step {
    fn prepare<T: Scalar>(&self, memory: &mut Memory<T>) {
        memory.step.get_or_insert_with(|| StepMemory::new(&memory.model));
    }

    /// The state of the memory is the result.
    fn run<T: Scalar>(&self, memory: &mut Memory<T>) -> Result<(), DynamicsError> {
        let Memory { model, state, inputs, workspace, step, .. } = memory;
        let StepMemory { start, rates, turns, sum } = step.get_or_insert_with(|| StepMemory::new(model));
        let h = self.0;
        copy(start, state);
        copy(sum, state);
        // Share of the step in the sum, and how far the next stage is from the start.
        for (share, next) in [(1.0 / 6.0, Some(0.5)), (1.0 / 3.0, Some(0.5)), (1.0 / 3.0, Some(1.0)), (1.0 / 6.0, None)]
        {
            state.coordinate_rates(model, rates, turns);
            let solution = forward_dynamics(model, state, inputs, workspace)?;
            let weight = T::from_f64(share * h);
            add(&mut sum.coordinates, weight, rates);
            add(&mut sum.speeds, weight, solution.accelerations());
            for (q, turn) in sum.attitudes.iter_mut().zip(turns.iter()) {
                add(&mut q.0, weight, &turn.0);
            }
            if let Some(next) = next {
                let weight = T::from_f64(next * h);
                advance(&mut state.coordinates, &start.coordinates, weight, rates);
                advance(&mut state.speeds, &start.speeds, weight, solution.accelerations());
                for ((q, from), turn) in state.attitudes.iter_mut().zip(&start.attitudes).zip(turns.iter()) {
                    advance(&mut q.0, &from.0, weight, &turn.0);
                }
                normalise(model, state);
            }
        }
        std::mem::swap(state, sum);
        normalise(model, state);
        if !model.closing.is_empty() {
            closure::project(model, state, inputs, workspace)?;
        }
        // A step too long for the numbers of this instance.
        crate::check::state(model, state, workspace.stamp)
    }
}
