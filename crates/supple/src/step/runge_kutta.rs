//! One step of the classical Runge-Kutta scheme of order four.
//!
//! ```text
//! k₁ = f(y), k₂ = f(y + h/2 k₁), k₃ = f(y + h/2 k₂), k₄ = f(y + h k₃)
//! y ← y + h/6 (k₁ + 2 k₂ + 2 k₃ + k₄)
//! ```
//!
//! with `y` the coordinates, speeds and attitudes. Quaternions are brought back to unit length after every stage.

use super::{StageInputs, StepWorkspace, copy, fits, normalise};
use crate::error::DynamicsError;
use crate::forward_dynamics::accelerations;
use crate::inputs::Inputs;
use crate::model::Model;
use crate::state::State;
use crate::workspace::Workspace;
use supple_spatial::{Quaternion, Scalar};

/// Per stage: its share of the step in the sum, and how far the next stage is from the start.
pub const RUNGE_KUTTA_STAGES: [(f64, f64); 4] =
    [(1.0 / 6.0, 0.5), (1.0 / 3.0, 0.5), (1.0 / 3.0, 1.0), (1.0 / 6.0, 0.0)];

/// Where in a step its stages are.
pub const RUNGE_KUTTA_PLACES: [f64; 4] = [0.0, 0.5, 0.5, 1.0];

/// The points of a step.
#[derive(Debug)]
pub struct RungeKuttaPoints<'a, T: Scalar> {
    /// Where it starts.
    pub start: &'a State<T>,
    /// Where the stage is; where the next one will be.
    pub state: &'a mut State<T>,
    /// The weighted sum so far: the start, then what each stage adds.
    pub sum: &'a mut State<T>,
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

/// Moves `state` by one step of length `step`. No allocation.
///
/// # Errors
/// As [`forward_dynamics`](crate::forward_dynamics); a step too long for its numbers to stay finite.
pub fn runge_kutta_step<T: Scalar>(
    model: &Model<T>,
    (state, step): (&mut State<T>, T),
    inputs: StageInputs<'_, T>,
    workspace: &mut Workspace<T>,
    memory: &mut StepWorkspace<T>,
) -> Result<(), DynamicsError> {
    fits(model, &memory.start, workspace)?;
    let StepWorkspace { start, sum, rates, turns, .. } = memory;
    state.check(model)?;
    copy(start, state);
    copy(sum, state);
    for (i, (share, next)) in RUNGE_KUTTA_STAGES.into_iter().enumerate() {
        let points = RungeKuttaPoints { start, state: &mut *state, sum: &mut *sum };
        let share = T::from_f64(share) * step;
        // Nothing comes after the last stage.
        let next = (i + 1 < RUNGE_KUTTA_STAGES.len()).then(|| T::from_f64(next) * step);
        stage(model, points, (share, next), inputs.at(i), workspace, (rates, turns))?;
    }
    std::mem::swap(state, sum);
    state.time += step;
    runge_kutta_end(model, state, workspace)
}

/// One stage: adds `share` times the rates at `state` to the sum, and moves `state` to the start and `next` times the rates.
///
/// # Errors
/// As [`forward_dynamics`](crate::forward_dynamics).
pub fn runge_kutta_stage<T: Scalar>(
    model: &Model<T>,
    points: RungeKuttaPoints<'_, T>,
    [share, next]: [T; 2],
    inputs: &Inputs<T>,
    workspace: &mut Workspace<T>,
    memory: &mut StepWorkspace<T>,
) -> Result<(), DynamicsError> {
    stage(model, points, (share, Some(next)), inputs, workspace, (&mut memory.rates, &mut memory.turns))
}

/// What follows the last stage, with the sum as the state.
///
/// # Errors
/// A step too long for the numbers of this instance.
pub fn runge_kutta_end<T: Scalar>(
    model: &Model<T>,
    state: &mut State<T>,
    workspace: &Workspace<T>,
) -> Result<(), DynamicsError> {
    normalise(model, state);
    fits(model, state, workspace)
}

fn stage<T: Scalar>(
    model: &Model<T>,
    points: RungeKuttaPoints<'_, T>,
    (share, next): (T, Option<T>),
    inputs: &Inputs<T>,
    workspace: &mut Workspace<T>,
    (rates, turns): (&mut [T], &mut [Quaternion<T>]),
) -> Result<(), DynamicsError> {
    let RungeKuttaPoints { start, state, sum } = points;
    state.coordinate_rates(model, rates, turns);
    let accelerations = accelerations(model, state, inputs, workspace)?;
    add(&mut sum.coordinates, share, rates);
    add(&mut sum.speeds, share, accelerations);
    for (q, turn) in sum.attitudes.iter_mut().zip(turns.iter()) {
        add(&mut q.0, share, &turn.0);
    }
    let Some(next) = next else { return Ok(()) };
    advance(&mut state.coordinates, &start.coordinates, next, rates);
    advance(&mut state.speeds, &start.speeds, next, accelerations);
    for ((q, from), turn) in state.attitudes.iter_mut().zip(&start.attitudes).zip(turns.iter()) {
        advance(&mut q.0, &from.0, next, &turn.0);
    }
    normalise(model, state);
    Ok(())
}
