//! A move on the model: efforts during it, how far nodes are from their places afterwards, and how both change with each knot.

use faer::Mat;
use supple::integrate::{Drive, IntegrationError, Response, Sensitivities, Variation};
use supple::{BodyIndex, Inputs, State, Workspace, kinematics};
use supple_io::change::Change;
use supple_io::optimisation_file::{HingeMove, Optimisation, ResidualLimit};
use supple_io::scenario_file::{Motion, MotionCurve, Scenario};
use supple_linear::equilibrium;

use super::plan::Plan;
use crate::closures::close_start;
use crate::drive::ScenarioDrive;
use crate::engine;
use crate::start::no_equilibrium;
use crate::{Interrupt, RunError, RunErrorKind, Start};

/// Samples of the efforts per piece of a move, and of the nodes afterwards.
const PER_PIECE: usize = 2;
const AFTERWARDS: usize = 120;

/// A scenario whose hinges are to be moved.
pub(super) struct Rehearsal<'r> {
    pub problem: &'r Optimisation,
    pub scenario: Scenario,
    state: State,
    prescribed: Vec<bool>,
    interrupt: Interrupt,
    /// Per move: its speed, and the coordinate that it starts at.
    pub speeds: Vec<usize>,
    pub from: Vec<f64>,
    /// Efforts, then the coordinates of the nodes that must be still.
    responses: Vec<Response>,
    /// Where these nodes come to rest.
    rest: Vec<[f64; 3]>,
}

/// What a move does.
pub(super) struct Played {
    /// Efforts by sample and hinge, and how they change with the knots: a row per sample and hinge.
    pub efforts: Vec<Vec<f64>>,
    pub effort_slopes: Mat<f64>,
    /// Displacements of the nodes afterwards, by sample and node, and how they change: three rows for each.
    pub displacements: Vec<Vec<[f64; 3]>>,
    pub displacement_slopes: Mat<f64>,
}

impl<'r> Rehearsal<'r> {
    pub fn new(problem: &'r Optimisation, changes: &[Change], interrupt: &Interrupt) -> Result<Self, RunError> {
        let mut scenario = crate::read_changed(&problem.scenario, changes)?;
        if !scenario.blocks.is_empty() || !scenario.feedforward.is_empty() {
            let what = "the scenario has controllers or a feedforward, which would act in addition to the move";
            return Err(RunError::unsupported(what).with_remedy("leave them out: hinges of [[move]] follow it exactly"));
        }
        let (mut speeds, mut coordinates) = (Vec::new(), Vec::new());
        for told in &problem.moves {
            let body = hinge(&scenario, told)?;
            // Held at the start; the move replaces the acceleration.
            scenario.motions.push(Motion { body, curve: MotionCurve::Rate(0.0) });
            speeds.push(scenario.model.model.hinge_speeds(body).start);
            coordinates.push(scenario.model.model.hinge_coordinates(body).start);
        }
        let mut drive = ScenarioDrive::new(&scenario).map_err(RunError::cannot_begin)?;
        let Start { mut state, inputs, .. } = Start::driven(&mut drive, &scenario)?;
        close_start(&scenario, &mut state, &inputs)?;
        let model = &scenario.model.model;
        let mut responses: Vec<Response> = speeds.iter().map(|speed| Response::DriveForce(*speed)).collect();
        for limit in &problem.residuals {
            for axis in ["x", "y", "z"] {
                let found = Response::find(model, &format!("node.{}.{}.{axis}", limit.body, limit.node));
                responses.push(found.ok_or_else(|| no_node(&scenario, limit))?);
            }
        }
        let mut last = state.clone();
        for (told, at) in problem.moves.iter().zip(&coordinates) {
            last.coordinates[*at] = told.to;
        }
        let settled = equilibrium(model, &last, &inputs).map_err(no_equilibrium)?.state;
        let rest = places(model, &settled, &problem.residuals)?;
        let from = coordinates.iter().map(|at| state.coordinates[*at]).collect();
        let (prescribed, interrupt) = (inputs.prescribed, interrupt.clone());
        Ok(Self { problem, state, prescribed, interrupt, speeds, from, responses, rest, scenario })
    }

    /// Times at which efforts are sampled during a move of a duration.
    pub fn effort_times(&self, duration: f64) -> Vec<f64> {
        let count = PER_PIECE * self.problem.knots;
        (0..=count).map(|i| duration * i as f64 / count as f64).collect()
    }

    /// Whether the user has ended it.
    pub fn is_interrupted(&self) -> bool {
        self.interrupt.is_set()
    }

    /// Plays a move; slopes only where asked for.
    pub fn play(&self, plans: &[Plan], slopes: bool) -> Result<Played, RunError> {
        let failed = |error: IntegrationError| RunError::new(RunErrorKind::EndedEarly, error);
        let (model, duration) = (&self.scenario.model.model, plans[0].duration);
        let knots = plans[0].inner.len();
        let mut variations = Vec::new();
        for (plan, speed) in plans.iter().zip(&self.speeds).filter(|_| slopes) {
            for which in 0..knots {
                let drive = Bump { speed: *speed, plan: plan.unit(which) };
                variations.push(Variation { drive: Some(Box::new(drive)), ..Variation::none(model) });
            }
        }
        let count = variations.len();
        let base = ScenarioDrive::new(&self.scenario).map_err(RunError::cannot_begin)?;
        let drive = Planned::new(base, self.speeds.iter().copied().zip(plans.iter().cloned()).collect());
        let method = engine::sensitivity_method(&self.scenario);
        let mut run = Sensitivities::new(model, self.state.clone(), drive, variations, method).map_err(failed)?;
        run.prescribe(&self.prescribed).map_err(failed)?;
        let times = self.effort_times(duration);
        let (hinges, nodes) = (plans.len(), self.rest.len());
        let window = self.problem.residuals.iter().map(|limit| limit.time).fold(0.0, f64::max);
        let after: Vec<f64> = (0..AFTERWARDS).map(|i| duration + window * i as f64 / (AFTERWARDS - 1) as f64).collect();
        let after: &[f64] = if nodes == 0 { &[] } else { &after };
        let mut played = Played {
            efforts: Vec::new(),
            effort_slopes: Mat::zeros(times.len() * hinges, count),
            displacements: Vec::new(),
            displacement_slopes: Mat::zeros(3 * after.len() * nodes, count),
        };
        let (mut values, mut change) = (vec![0.0; self.responses.len()], vec![0.0; self.responses.len() * count]);
        let start = self.state.time;
        for (sample, time) in times.iter().chain(after).enumerate() {
            if self.interrupt.is_set() {
                return Err(RunError::new(RunErrorKind::EndedEarly, "the optimisation was interrupted"));
            }
            run.advance(start + time).map_err(failed)?;
            run.read(&self.responses, &mut values, &mut change)
                .map_err(|error| RunError::new(RunErrorKind::EndedEarly, format!("at t = {time}: {error}")))?;
            match sample.checked_sub(times.len()) {
                None => {
                    played.efforts.push(values[..hinges].to_vec());
                    let rows = (0..hinges).map(|h| (sample * hinges + h, h));
                    copy_rows(&mut played.effort_slopes, rows, &change, count);
                }
                Some(later) => {
                    let place = |n: usize, i: usize| values[hinges + 3 * n + i] - self.rest[n][i];
                    played.displacements.push((0..nodes).map(|n| std::array::from_fn(|i| place(n, i))).collect());
                    let rows = (0..3 * nodes).map(|r| (later * 3 * nodes + r, hinges + r));
                    copy_rows(&mut played.displacement_slopes, rows, &change, count);
                }
            }
        }
        Ok(played)
    }
}

/// Copies rows of a list of rows into a matrix: pairs of where to and where from.
fn copy_rows(out: &mut Mat<f64>, rows: impl Iterator<Item = (usize, usize)>, from: &[f64], count: usize) {
    for (to, row) in rows {
        (0..count).for_each(|p| out[(to, p)] = from[row * count + p]);
    }
}

/// The body of a hinge that can be moved.
fn hinge(scenario: &Scenario, told: &HingeMove) -> Result<BodyIndex, RunError> {
    let model = &scenario.model.model;
    let named =
        model.hinges().find(|h| model.hinge_name(*h) == Some(&told.hinge) || model.name(h.body()) == told.hinge);
    let wrong =
        |what: String, remedy: String| Err(RunError::cannot_begin(what).on_line(Some(told.line)).with_remedy(remedy));
    let known: Vec<&str> = model.hinges().filter_map(|hinge| model.hinge_name(hinge)).collect();
    let Some(hinge) = named else {
        return wrong(format!("there is no hinge `{}`", told.hinge), format!("there are {}", known.join(", ")));
    };
    let moved = scenario.motions.iter().any(|motion| motion.body == hinge.body());
    let driven = scenario.torques.iter().any(|torque| torque.body == hinge.body());
    match hinge.speeds().len() {
        1 if moved || driven => wrong(
            format!("the hinge `{}` moves or is driven already", told.hinge),
            "leave its [[motion]] or [[torque]] out of the scenario, and name it once".into(),
        ),
        1 => Ok(hinge.body()),
        count => wrong(
            format!("the hinge `{}` has {count} speeds", told.hinge),
            "name a hinge with one degree of freedom".into(),
        ),
    }
}

fn no_node(scenario: &Scenario, limit: &ResidualLimit) -> RunError {
    let model = &scenario.model.model;
    let known: Vec<String> = (model.body_indices().flat_map(|body| model.nodes_of(body)))
        .filter_map(|node| Some(format!("{}.{}", model.name(node.body()), model.node_name(node)?)))
        .collect();
    RunError::cannot_begin(format!("there is no node `{}` of a body `{}`", limit.node, limit.body))
        .on_line(Some(limit.line))
        .with_remedy(format!("there are {}", known.join(", ")))
}

/// Where the nodes of some limits are.
fn places(model: &supple::Model, state: &State, limits: &[ResidualLimit]) -> Result<Vec<[f64; 3]>, RunError> {
    let mut workspace = Workspace::new(model);
    let motion = kinematics(model, state, &mut workspace).map_err(RunError::cannot_begin)?;
    let nodes = || model.body_indices().flat_map(|body| model.nodes_of(body));
    let place = |limit: &ResidualLimit| {
        let found = nodes().find(|n| model.name(n.body()) == limit.body && model.node_name(*n) == Some(&limit.node));
        found.map(|node| motion.node_position(node.body(), node.node()).0)
    };
    Ok(limits.iter().filter_map(place).collect())
}

/// What acts in a scenario, with some hinges as planned.
struct Planned {
    base: ScenarioDrive,
    plans: Vec<(usize, Plan)>,
    breaks: Vec<f64>,
}

impl Planned {
    fn new(base: ScenarioDrive, plans: Vec<(usize, Plan)>) -> Self {
        let mut breaks = base.breaks().to_vec();
        if let Some((_, plan)) = plans.first() {
            breaks.extend((1..=plan.pieces()).map(|k| plan.step() * k as f64));
        }
        breaks.sort_by(f64::total_cmp);
        breaks.dedup_by(|a, b| (*a - *b).abs() < 1e-12);
        Self { base, plans, breaks }
    }
}

impl Drive for Planned {
    fn drive(&mut self, state: &State, inputs: &mut Inputs) {
        self.base.drive(state, inputs);
        for (speed, plan) in &self.plans {
            inputs.accelerations[*speed] = plan.acceleration(state.time);
        }
    }

    fn breaks(&self) -> &[f64] {
        &self.breaks
    }
}

/// What a unit of acceleration at one knot does.
struct Bump {
    speed: usize,
    plan: Plan,
}

impl Drive for Bump {
    fn drive(&mut self, state: &State, inputs: &mut Inputs) {
        inputs.accelerations[self.speed] = self.plan.acceleration(state.time);
    }
}
