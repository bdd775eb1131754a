//! Closures that become active while their frames move: the jump of the speeds, from the balance of momentum.
//!
//! ```text
//! A u⁺ = -e A u⁻,   𝓜 (u⁺ - u⁻) = J* A* p,   so (A Λ A*) p = -(1 + e) A u⁻
//! ```
//!
//! with a coefficient of restitution `e` for the closures that close now, and none for those that were closed.

use super::response::{answer, factor, look};
use crate::error::DynamicsError;
use crate::inputs::Inputs;
use crate::model::{ClosureHandle, Model};
use crate::state::State;
use crate::workspace::Workspace;

/// What an impact did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impact {
    /// Largest speed of the equations of the closure before, m/s or rad/s.
    pub closing_speed: f64,
    /// Kinetic energy that was lost, J: `-p·(A u⁻ + A u⁺) / 2`.
    pub lost: f64,
}

/// Closes `closure`: its speed jumps to `-restitution` times what it was, by an impulse that leaves momentum and all other active closures as
/// they are. With a restitution of zero the closure is active afterwards; with more it rebounds and stays open.
///
/// It acts where the frames are: that they have come together is for the caller to see, see [`assemble`](super::assemble). No allocation.
///
/// # Errors
/// [`DynamicsError::OtherModel`] for a closure of another model, [`DynamicsError::Restitution`] for a number outside of 0 to 1; sizes that do
/// not fit, numbers that are not finite, or a singular mass matrix. Nothing is changed then.
pub fn strike(
    model: &Model,
    state: &mut State,
    closure: ClosureHandle,
    restitution: f64,
    inputs: &Inputs,
    workspace: &mut Workspace,
) -> Result<Impact, DynamicsError> {
    if closure.stamp() != model.stamp() {
        return Err(DynamicsError::OtherModel { what: "closure" });
    }
    if !(0.0..=1.0).contains(&restitution) {
        return Err(DynamicsError::Restitution { value: restitution });
    }
    state.check(model)?;
    let before = std::mem::replace(&mut state.closed[closure.closure()], true);
    let jump = jump(model, state, closure, restitution, inputs, workspace);
    state.closed[closure.closure()] = match jump {
        Ok(_) => restitution == 0.0,
        Err(_) => before,
    };
    let impact = jump?;
    state.speeds.iter_mut().zip(&workspace.result).for_each(|(u, change)| *u += change);
    Ok(impact)
}

fn jump(
    model: &Model,
    state: &State,
    closure: ClosureHandle,
    restitution: f64,
    inputs: &Inputs,
    workspace: &mut Workspace,
) -> Result<Impact, DynamicsError> {
    look(model, state, inputs, workspace)?;
    factor(model, state, inputs, workspace)?;
    let closing = &mut workspace.closing;
    for (force, speed) in closing.force.iter_mut().zip(&closing.speed) {
        *force = -speed;
    }
    let rows = closure.rows();
    for row in rows.clone() {
        closing.force[row] *= 1.0 + restitution;
    }
    answer(model, state, workspace);
    let closing = &workspace.closing;
    let speeds = closing.speed[rows.clone()].iter();
    let lost = closing.force.iter().zip(&closing.speed).enumerate().map(|(row, (p, before))| {
        let after = if rows.contains(&row) { -restitution * before } else { 0.0 };
        -0.5 * p * (before + after)
    });
    Ok(Impact { closing_speed: speeds.fold(0.0, |m, x| m.max(x.abs())), lost: lost.sum() })
}
