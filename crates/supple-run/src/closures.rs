//! Closures of a run: its start is closed, and how far they open later is watched.

use supple::{Model, State, Workspace, assemble, closure_deviations, closure_rank};
use supple_io::results::ClosureSummary;

use crate::RunError;

/// Movements below this are rounding, rad or m.
const MOVED: f64 = 1e-9;
/// Coordinates or equations that a message lists one by one.
const MOST_TOLD: usize = 4;

/// Moves the start so that its closures are closed, hinges that the scenario has `placed` last. What there is to warn of: what moved, and
/// equations that depend on others.
pub fn close_start(
    model: &Model,
    start: &mut State,
    prescribed: &[bool],
    placed: &[bool],
) -> Result<Vec<String>, RunError> {
    if model.closures().is_empty() {
        return Ok(Vec::new());
    }
    let cannot_begin = |error: supple::DynamicsError| RunError::cannot_begin(format!("the run cannot begin: {error}"));
    let held: Vec<bool> = prescribed.iter().zip(placed).map(|(a, b)| *a || *b).collect();
    let assembly =
        assemble(model, start, &held).or_else(|_| assemble(model, start, prescribed)).map_err(cannot_begin)?;
    let mut moved: Vec<(usize, f64)> =
        assembly.moved.iter().copied().enumerate().filter(|(_, x)| x.abs() > MOVED).collect();
    moved.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
    let mut told = Vec::new();
    if !moved.is_empty() {
        let list = listed(moved.iter().map(|(i, x)| format!("{} by {x:.3e}", owner(model, *i))));
        told.push(format!("the initial state was moved to close the closures: {list}"));
    }
    let rank = closure_rank(model, start, prescribed, &mut Workspace::new(model)).map_err(cannot_begin)?;
    if !rank.redundant.is_empty() {
        let name = |i: usize| model.closures()[i].name.clone().unwrap_or_else(|| i.to_string());
        let list =
            listed(rank.redundant.iter().map(|r| format!("{} of closure '{}'", r.holds, name(r.closure.closure()))));
        told.push(format!(
            "{} of {} closure equations depend on others, which leaves {} degrees of freedom: {list}; their forces are not determined and \
             taken as zero",
            rank.redundant.len(),
            rank.equations,
            rank.freedoms()
        ));
    }
    Ok(told)
}

/// Keeps the greatest deviations of closures that are closed.
pub struct ClosureWatch {
    /// Greatest so far: deviation, m or rad, and its rate.
    pub greatest: [f64; 2],
    /// Of one state, per equation.
    positions: Vec<f64>,
    speeds: Vec<f64>,
    workspace: Workspace,
}

impl ClosureWatch {
    /// From the start of a run; none for a model without closures.
    pub fn new(model: &Model) -> Option<Self> {
        let n = model.equation_count();
        let buffer = || vec![0.0; n];
        let workspace = || Workspace::new(model);
        (n > 0).then(|| Self { greatest: [0.0; 2], positions: buffer(), speeds: buffer(), workspace: workspace() })
    }

    /// Looks at a state.
    pub fn observe(&mut self, model: &Model, state: &State) {
        let Self { greatest, positions, speeds, workspace } = self;
        // A state without deviations is reported by the row of the same time.
        if closure_deviations(model, state, workspace, positions, speeds).is_err() {
            return;
        }
        let mut first = 0;
        for (closure, closed) in model.closures().iter().zip(&state.closed) {
            let rows = first..first + closure.constraint.equations();
            first = rows.end;
            if *closed {
                let largest = |values: &[f64]| values[rows.clone()].iter().fold(0.0_f64, |m, x| m.max(x.abs()));
                *greatest = [greatest[0].max(largest(positions)), greatest[1].max(largest(speeds))];
            }
        }
    }

    /// What the summary reports.
    pub fn summary(&self) -> ClosureSummary {
        ClosureSummary { position_deviation: self.greatest[0], speed_deviation: self.greatest[1] }
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
        watch.observe(&model, &state);
        assert_eq!(watch.summary(), ClosureSummary::default());
        for (angle, speed) in [(0.1, 0.2), (0.0, 0.3), (0.05, 0.0)] {
            (state.coordinates[0], state.speeds[0]) = (angle, speed);
            watch.observe(&model, &state);
        }
        let found = watch.summary();
        assert!((found.position_deviation - 0.1_f64.sin()).abs() < 1e-15, "{found:?}");
        assert!((found.speed_deviation - 0.3).abs() < 1e-15, "{found:?}");
        (state.coordinates[0], state.closed[0]) = (1.0, false);
        watch.observe(&model, &state);
        assert_eq!(watch.summary(), found);
    }
}
