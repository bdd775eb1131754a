//! One step of the classical Runge-Kutta scheme of order four.
//!
//! ```text
//! k₁ = f(y), k₂ = f(y + h/2 k₁), k₃ = f(y + h/2 k₂), k₄ = f(y + h k₃)
//! y ← y + h/6 (k₁ + 2 k₂ + 2 k₃ + k₄)
//! ```
//!
//! with `y` the coordinates, speeds and attitudes. Quaternions are brought back to unit length after every stage.

use super::{StepWorkspace, copy, fits, normalise};
use crate::error::DynamicsError;
use crate::generic::forward_dynamics;
use crate::inputs::Inputs;
use crate::model::Model;
use crate::state::State;
use crate::workspace::Workspace;
use supple_spatial::Scalar;

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
    inputs: &Inputs<T>,
    workspace: &mut Workspace<T>,
    memory: &mut StepWorkspace<T>,
) -> Result<(), DynamicsError> {
    fits(model, &memory.start, workspace)?;
    let StepWorkspace { start, sum, rates, turns, .. } = memory;
    state.check(model)?;
    copy(start, state);
    copy(sum, state);
    // Share of the step in the sum, and how far the next stage is from the start.
    for (share, next) in [(1.0 / 6.0, Some(0.5)), (1.0 / 3.0, Some(0.5)), (1.0 / 3.0, Some(1.0)), (1.0 / 6.0, None)] {
        state.coordinate_rates(model, rates, turns);
        let solution = forward_dynamics(model, state, inputs, workspace)?;
        let weight = T::from_f64(share) * step;
        add(&mut sum.coordinates, weight, rates);
        add(&mut sum.speeds, weight, solution.accelerations());
        for (q, turn) in sum.attitudes.iter_mut().zip(turns.iter()) {
            add(&mut q.0, weight, &turn.0);
        }
        if let Some(next) = next {
            let weight = T::from_f64(next) * step;
            advance(&mut state.coordinates, &start.coordinates, weight, rates);
            advance(&mut state.speeds, &start.speeds, weight, solution.accelerations());
            for ((q, from), turn) in state.attitudes.iter_mut().zip(&start.attitudes).zip(turns.iter()) {
                advance(&mut q.0, &from.0, weight, &turn.0);
            }
            normalise(model, state);
        }
    }
    std::mem::swap(state, sum);
    state.time += step;
    normalise(model, state);
    // A step too long for the numbers of this instance.
    fits(model, state, workspace)
}
