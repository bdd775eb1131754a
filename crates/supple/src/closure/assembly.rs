//! Closing what is open: coordinates and speeds brought onto the closures by the least motion in the norm of kinetic energy.

use super::projection::{cannot_close, closed_within, openness, speed_of, step_of};
use super::response::{answer, factor, look};
use crate::error::DynamicsError;
use crate::inputs::Inputs;
use crate::model::Model;
use crate::state::State;
use crate::workspace::Workspace;

/// An assembly takes this time, s: modes that are faster hardly move.
const STIFF: f64 = 100.0;
/// Steps of Newton's method that an assembly may take.
const MOST_STEPS: usize = 100;

/// What [`assemble`] did.
#[derive(Clone, Debug, PartialEq)]
pub struct Assembly {
    /// Steps of Newton's method.
    pub steps: usize,
    /// Per closure: how far it was open at the start, the largest of its equations, m or rad.
    pub opened: Vec<f64>,
    /// Per speed: how far it moved, along it.
    pub moved: Vec<f64>,
}

/// Moves `state` so that its active closures are closed, hinges that `inputs` prescribe held and equations of closures where they prescribe them; then its speeds so that they stay closed.
/// Says how far each coordinate moved.
///
/// Newton's method with the least motion in the norm of kinetic energy, in which modes resist with their stiffness: hinges move rather than
/// bodies bend. A step that opens the closures further is halved.
///
/// # Errors
/// [`DynamicsError::CannotClose`] with the closure that stays open farthest; `state` is not changed then. Sizes that do not fit, numbers
/// that are not finite, or a singular mass matrix.
pub fn assemble(model: &Model, state: &mut State, inputs: &Inputs) -> Result<Assembly, DynamicsError> {
    state.check(model)?;
    let workspace = &mut stiff_workspace(model);
    let mut trial = state.clone();
    look(model, &trial, inputs, workspace)?;
    let opened = |workspace: &Workspace| {
        let closing = &workspace.closing;
        let largest =
            |rows: std::ops::Range<usize>| closing.deviation[rows].iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        model.topology.closures.iter().map(|top| largest(top.rows.clone())).collect::<Vec<_>>()
    };
    let mut report = Assembly { steps: 0, opened: opened(workspace), moved: vec![0.0; model.speed_count()] };
    let mut open = openness(model, &trial, workspace);
    'closing: while open > closed_within(model, workspace) {
        if report.steps == MOST_STEPS {
            return Err(cannot_close(model, &trial, workspace));
        }
        report.steps += 1;
        factor(model, &trial, inputs, workspace)?;
        step_of(workspace);
        answer(model, &trial, workspace);
        let step = workspace.result.clone();
        let mut fraction = 1.0;
        loop {
            let mut next = trial.clone();
            let part: Vec<f64> = step.iter().map(|x| x * fraction).collect();
            next.displace(model, &part);
            let looked = next.check(model).and_then(|()| look(model, &next, inputs, workspace));
            let now = if looked.is_ok() { openness(model, &next, workspace) } else { f64::INFINITY };
            if now < open {
                report.moved.iter_mut().zip(&part).for_each(|(moved, x)| *moved += x);
                (trial, open) = (next, now);
                break;
            }
            fraction *= 0.5;
            if fraction < 1e-6 {
                look(model, &trial, inputs, workspace)?;
                // Rounding sets the end, where it is near.
                if open < 100.0 * closed_within(model, workspace) {
                    break 'closing;
                }
                return Err(cannot_close(model, &trial, workspace));
            }
        }
    }
    close_speeds(model, &mut trial, inputs, &mut Workspace::new(model))?;
    *state = trial;
    Ok(report)
}

/// A workspace in which modes have the stiffness of the undeformed body, times a square of a time, besides their mass.
fn stiff_workspace(model: &Model) -> Workspace {
    let mut workspace = Workspace::new(model);
    let articulated = &mut workspace.articulated;
    articulated.shifted = true;
    articulated.modal_shift = vec![0.0; model.topology.sizes.modal_triangle];
    for (body, data) in model.topology.bodies.iter().zip(model.bodies.iter()) {
        let Some(flexible) = &data.flexible else { continue };
        let stiffness = &mut articulated.modal_shift[body.modal_triangle.clone()];
        flexible.elastic.tangent(&vec![0.0; body.modes], stiffness);
        stiffness.iter_mut().for_each(|k| *k *= STIFF.powi(2));
    }
    workspace
}

/// Changes the speeds of a state so that its active closures stay closed: the least change in the norm of kinetic energy. Hinges that `inputs`
/// prescribe keep theirs. No allocation.
///
/// # Errors
/// Sizes that do not fit, numbers that are not finite, or a singular mass matrix.
pub fn close_speeds(
    model: &Model,
    state: &mut State,
    inputs: &Inputs,
    workspace: &mut Workspace,
) -> Result<(), DynamicsError> {
    for _ in 0..2 {
        look(model, state, inputs, workspace)?;
        factor(model, state, inputs, workspace)?;
        speed_of(workspace);
        answer(model, state, workspace);
        state.speeds.iter_mut().zip(&workspace.result).for_each(|(u, change)| *u += change);
    }
    Ok(())
}
