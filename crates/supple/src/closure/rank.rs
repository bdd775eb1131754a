//! Which equations of closures depend on others.

use super::response::{factor, look};
use crate::error::DynamicsError;
use crate::inputs::Inputs;
use crate::model::closing::ClosureData;
use crate::model::joint::{Slide, Turn};
use crate::model::{ClosureHandle, Model};
use crate::state::State;
use crate::workspace::Workspace;

/// An equation that depends on those before it: its force is not determined, see [`reactions`](crate::reactions()).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RedundantEquation {
    /// Its closure.
    pub closure: ClosureHandle,
    /// Its place among the equations of the closure.
    pub equation: usize,
    /// What it holds, in words: of frame `a`, whose z is along the axis of the closure, if it has one.
    pub holds: &'static str,
}

/// Degrees of freedom of a closed system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClosureRank {
    /// Speeds that are free: all but those of prescribed hinges.
    pub speeds: usize,
    /// Equations of the active closures.
    pub equations: usize,
    /// Those of them that depend on others.
    pub redundant: Vec<RedundantEquation>,
    /// Per equation of all closures, those of one at [`ClosureHandle::rows`]: whether it takes part. Verbs on other scalars, or whose operations
    /// are recorded, take it as [`Inputs::closure_rows`](crate::Inputs::closure_rows).
    pub independent: Vec<bool>,
}

impl ClosureRank {
    /// Degrees of freedom as counted by Grübler and Kutzbach; negative where redundant equations outweigh.
    pub fn counted(&self) -> isize {
        self.speeds as isize - self.equations as isize
    }

    /// Degrees of freedom by the rank of the equations.
    pub fn freedoms(&self) -> usize {
        self.speeds + self.redundant.len() - self.equations
    }

    /// Refuses equations that depend on others.
    ///
    /// # Errors
    /// [`DynamicsError::Redundant`] with the first of them and their number.
    pub fn require_independent(&self, model: &Model) -> Result<(), DynamicsError> {
        let Some(first) = self.redundant.first() else { return Ok(()) };
        let (closure, equation, holds) = (first.closure.closure(), first.equation, first.holds);
        let name = model.closures().get(closure).and_then(|described| described.name.clone());
        Err(DynamicsError::Redundant { closure, name, equation, holds, count: self.redundant.len() })
    }
}

/// Which equations of the active closures depend on others at a state, hinges that `inputs` prescribe held.
///
/// # Errors
/// Sizes that do not fit, numbers that are not finite, or a singular mass matrix.
pub fn closure_rank(
    model: &Model,
    state: &State,
    inputs: &Inputs,
    workspace: &mut Workspace,
) -> Result<ClosureRank, DynamicsError> {
    look(model, state, inputs, workspace)?;
    factor(model, state, inputs, workspace)?;
    let held = model.topology.bodies.iter().zip(&inputs.prescribed).filter(|(_, flag)| **flag);
    let speeds = model.speed_count() - held.map(|(body, _)| body.hinge_speeds()).sum::<usize>();
    let active = || model.closure_handles().filter(|closure| state.closed[closure.closure()]);
    let equations = active().map(|closure| closure.rows().len()).sum();
    let independent = &workspace.closing.rows;
    let redundant = active().flat_map(|closure| {
        let of = closure.rows().enumerate().filter(|(_, row)| !independent[*row]);
        let data = &model.closing[closure.closure()];
        of.map(move |(equation, _)| RedundantEquation { closure, equation, holds: holds(data, equation) })
    });
    let redundant = redundant.collect();
    Ok(ClosureRank { speeds, equations, redundant, independent: independent.clone() })
}

/// What an equation holds.
fn holds(closure: &ClosureData<f64>, equation: usize) -> &'static str {
    const TURNS: [&str; 3] = ["rotation about x", "rotation about y", "rotation about z"];
    const SLIDES: [&str; 3] = ["translation along x", "translation along y", "translation along z"];
    let ClosureData::Joint(joint, _) = closure else { return "the sum of the coordinates" };
    match joint.turns.get(equation) {
        Some(Turn::About(i) | Turn::Tilt(i)) => return TURNS[*i],
        Some(Turn::Angle) => return TURNS[2],
        Some(Turn::Between) => return "rotation across both axes",
        None => {}
    }
    match joint.slides[equation - joint.turns.len()] {
        Slide::Along(i) | Slide::Across(i) => SLIDES[i],
        Slide::Advance => "advance along z",
        Slide::Distance => "the distance",
    }
}
