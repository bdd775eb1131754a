//! Closures of a run: closed at the start, with what there is to say about them, and watched from row to row.

use supple::{ClosureRank, DynamicsError, Inputs, Model, State, Workspace, assemble, closure_rank, closure_separation};
use supple_io::results::ClosuresSummary;
use supple_io::scenario_file::Scenario;

use crate::RunError;

/// Movements below this are rounding, rad or m.
const MOVED: f64 = 1e-9;
/// Coordinates or equations that a message lists one by one.
const MOST_TOLD: usize = 4;

/// A pose whose closures have been closed.
pub struct ClosedPose {
    /// Hinges and modes that moved, and by how much along their speeds, rad or m; the farthest first.
    pub moved: Vec<(String, f64)>,
    /// Degrees of freedom, and the equations that depend on others.
    pub rank: ClosureRank,
}

/// Moves `pose` so that its closures are closed and move as `inputs` prescribe, hinges that are `placed` last and prescribed ones never.
///
/// # Errors
/// The closure that stays open farthest; `pose` is not changed then.
pub fn close_pose(
    model: &Model,
    pose: &mut State,
    inputs: &Inputs,
    placed: &[bool],
) -> Result<ClosedPose, DynamicsError> {
    let prescribed = inputs.prescribed.iter().zip(placed).map(|(a, b)| *a || *b).collect();
    let held = Inputs { prescribed, ..inputs.clone() };
    let assembly = assemble(model, pose, &held).or_else(|_| assemble(model, pose, inputs))?;
    let mut moved: Vec<(usize, f64)> =
        assembly.moved.iter().copied().enumerate().filter(|(_, x)| x.abs() > MOVED).collect();
    moved.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
    let rank = closure_rank(model, pose, inputs, &mut Workspace::new(model))?;
    Ok(ClosedPose { moved: moved.into_iter().map(|(i, x)| (owner(model, i), x)).collect(), rank })
}

/// Closes the start of a run. What there is to warn of: what moved, and equations that depend on others.
pub fn close_start(scenario: &Scenario, start: &mut State, inputs: &Inputs) -> Result<Vec<String>, RunError> {
    let model = &scenario.model.model;
    if model.closures().is_empty() {
        return Ok(Vec::new());
    }
    let cannot_begin = |error: DynamicsError| RunError::cannot_begin(format!("the run cannot begin: {error}"));
    let ClosedPose { moved, rank } = close_pose(model, start, inputs, &scenario.placed).map_err(cannot_begin)?;
    let mut told = Vec::new();
    if !moved.is_empty() {
        let list = listed(moved.iter().map(|(what, x)| format!("{what} by {x:.3e}")));
        told.push(format!("the initial state was moved to close the closures: {list}"));
    }
    if scenario.refuses_redundant {
        rank.require_independent(model).map_err(cannot_begin)?;
    }
    if !rank.redundant.is_empty() {
        let name = |i: usize| model.closures()[i].name.clone().unwrap_or_else(|| i.to_string());
        let list =
            listed(rank.redundant.iter().map(|r| format!("{} of closure '{}'", r.holds, name(r.closure.closure()))));
        told.push(format!(
            "{} of {} closure equations depend on others, which leaves {} degrees of freedom: {list}; their forces are not uniquely determined, and columns show the smallest",
            rank.redundant.len(),
            rank.equations,
            rank.freedoms()
        ));
    }
    Ok(told)
}

/// How closely the closures that act are kept, from row to row.
pub struct ClosureWatch {
    /// Greatest deviation and greatest rate of one so far.
    pub greatest: [f64; 2],
    workspace: Workspace,
}

impl ClosureWatch {
    /// None where there are no closures.
    pub fn new(model: &Model) -> Option<Self> {
        (!model.closures().is_empty()).then(|| Self { greatest: [0.0; 2], workspace: Workspace::new(model) })
    }

    /// Looks at a state.
    pub fn observe(&mut self, model: &Model, (state, inputs): (&State, &Inputs)) {
        for closure in model.closure_handles().filter(|closure| state.closed[closure.closure()]) {
            // A state that cannot be placed is reported by the row of the same time.
            let Ok(apart) = closure_separation(model, state, inputs, closure, &mut self.workspace) else { return };
            let [deviation, speed] = self.greatest;
            self.greatest = [deviation.max(apart.deviation), speed.max(apart.speed)];
        }
    }

    /// What the summary tells.
    pub fn summary(&self) -> ClosuresSummary {
        let [deviation, speed] = self.greatest;
        ClosuresSummary { deviation, speed }
    }
}

/// The hinge or mode of a speed.
fn owner(model: &Model, speed: usize) -> String {
    let hinge = model.hinges().find(|hinge| hinge.speeds().contains(&speed)).and_then(|hinge| model.hinge_name(hinge));
    let modes = || model.body_indices().flat_map(|body| model.modes_of(body));
    match (hinge, modes().find(|mode| mode.speed() == speed)) {
        (Some(hinge), _) => format!("hinge '{hinge}'"),
        (None, Some(mode)) => format!("mode {} of '{}'", mode.number(), model.name(mode.body())),
        (None, None) => format!("speed {speed}"),
    }
}

fn listed(items: impl ExactSizeIterator<Item = String>) -> String {
    let more = items.len().saturating_sub(MOST_TOLD);
    let mut told: Vec<String> = items.take(MOST_TOLD).collect();
    if more > 0 {
        told.push(format!("and {more} more"));
    }
    told.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use supple::{Body, BodyIndex, Closure, ClosureKind, Hinge, HingeKind, ModelBuilder, Mount, NodeIndex, Parent};

    /// A bar of 1 m on a revolute hinge whose end is held at its place along x.
    #[test]
    fn the_watch_keeps_the_greatest_deviation_of_what_is_closed() {
        let hinge = Hinge::new(HingeKind::Revolute { axis: [0.0, 0.0, 1.0] });
        let inertia = [[0.1, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let mut builder = ModelBuilder::new();
        builder.body(Body::rigid("bar", Parent::Ground, hinge, 1.0, [0.5, 0.0, 0.0], inertia));
        let end = Mount::node(BodyIndex(0), NodeIndex(0)).at([1.0, 0.0, 0.0]);
        builder.closure(Closure::joint(ClosureKind::Ball, Mount::ground().at([1.0, 0.0, 0.0]), end));
        let model = builder.build().unwrap();
        let mut watch = ClosureWatch::new(&model).unwrap();
        let mut state = State::new(&model);
        watch.observe(&model, (&state, &Inputs::new(&model)));
        assert_eq!(watch.summary(), ClosuresSummary { deviation: 0.0, speed: 0.0 });
        for (angle, speed) in [(0.1, 0.2), (0.0, 0.3), (0.05, 0.0)] {
            (state.coordinates[0], state.speeds[0]) = (angle, speed);
            watch.observe(&model, (&state, &Inputs::new(&model)));
        }
        let found = watch.summary();
        assert!((found.deviation - 0.1_f64.sin()).abs() < 1e-15, "{found:?}");
        assert!((found.speed - 0.3).abs() < 1e-15, "{found:?}");
        (state.coordinates[0], state.closed[0]) = (1.0, false);
        watch.observe(&model, (&state, &Inputs::new(&model)));
        assert_eq!(watch.summary(), found);
    }
}
