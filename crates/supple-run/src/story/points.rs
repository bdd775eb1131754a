//! Deflections: of the softest place of every flexible body from where the body would have it undeformed, mostly its far end, and of what an arm carries from
//! where the same hinge coordinates would have it if nothing bent.

use serde::{Deserialize, Serialize};
use supple::spatial::Vector3;
use supple::{Body, BodyIndex, DynamicsError, ModalMatrix, NodeIndex, Parent, State, System, Workspace, kinematics};
use supple_io::results::DeflectionStory;
use supple_io::scenario_file::Scenario;

use super::commands::Turning;
use super::residual::{self, After};
use super::{Peak, workspace};

/// Places that are followed, of bodies and of arms.
const MOST_BODIES: usize = 24;
const MOST_ENDS: usize = 8;
/// Rows after the end of the motion that are kept.
const MOST_ROWS: usize = 4096;

/// Places whose deflections are followed.
pub struct Points {
    points: Vec<Point>,
    interval: f64,
    workspaces: [Workspace; 2],
    /// The same hinge coordinates, nothing deformed.
    rigid: State,
}

struct Point {
    body: BodyIndex,
    node: NodeIndex,
    whole_arm: bool,
    /// Its place in words, and the length of the body from the hinge to the far end.
    place: String,
    length: f64,
}

/// What was seen.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PointsRecord {
    peaks: Vec<Peak>,
    /// Times of the first and last row after the end of the motion.
    span: Option<[f64; 2]>,
    /// Deflections in these rows, place by place.
    rows: Vec<Vec<[f64; 3]>>,
}

impl Points {
    /// Of a scenario.
    pub fn new(scenario: &Scenario) -> Self {
        let (system, model) = (&scenario.model.system, &scenario.model.model);
        let flexible = |k: usize| system.bodies[k].modes.count > 0;
        let own = (0..system.bodies.len()).filter(|k| flexible(*k)).take(MOST_BODIES);
        let mut points: Vec<Point> = own.map(|k| Point::softest(system, k)).collect();
        if system.closures.is_empty() {
            let carries = |k: usize| system.bodies.iter().any(|b| matches!(b.parent, Parent::Body(p, _) if p.0 == k));
            let ends = (0..system.bodies.len()).filter(|k| !carries(*k) && carried_by_flexible(system, *k));
            points.extend(ends.take(MOST_ENDS).map(|k| Point::end(system, k)));
        }
        Self {
            points,
            interval: scenario.output_interval,
            workspaces: [workspace(scenario), workspace(scenario)],
            rigid: State::new(model),
        }
    }

    /// Looks at a state; the motion ended at `since`, as far as is known.
    pub fn observe(
        &mut self,
        (scenario, state): (&Scenario, &State),
        since: Option<f64>,
        record: &mut PointsRecord,
    ) -> Result<(), DynamicsError> {
        if self.points.is_empty() {
            return Ok(());
        }
        let now = self.deflections(scenario, state)?;
        let time = state.time;
        record.peaks.resize(now.len(), Peak::default());
        for (peak, u) in record.peaks.iter_mut().zip(&now) {
            peak.see(u.iter().map(|x| x * x).sum::<f64>().sqrt(), time);
        }
        record.rows.resize(now.len(), Vec::new());
        let close = 1e-6 * self.interval;
        // What was seen before the last change is no free vibration.
        if record.span.is_some_and(|[from, _]| since.is_none_or(|since| from < since - close)) {
            record.span = None;
            record.rows.iter_mut().for_each(Vec::clear);
        }
        if since.is_none_or(|since| time < since - close) || record.rows[0].len() >= MOST_ROWS {
            return Ok(());
        }
        let regular = record.span.is_none_or(|[_, last]| (time - last - self.interval).abs() < 1e-3 * self.interval);
        if regular {
            record.span = Some([record.span.map_or(time, |[from, _]| from), time]);
            record.rows.iter_mut().zip(now).for_each(|(rows, u)| rows.push(u));
        }
        Ok(())
    }

    /// Deflections of all places: in body axes, of arms in the axes of the body where the rigid arm has it.
    fn deflections(&mut self, scenario: &Scenario, state: &State) -> Result<Vec<[f64; 3]>, DynamicsError> {
        let model = &scenario.model.model;
        let Self { points, workspaces: [own, other], rigid, .. } = self;
        let bent = kinematics(model, state, own)?;
        let mut straight = None;
        if points.iter().any(|point| point.whole_arm) {
            for body in model.body_indices() {
                let hinge = model.hinge_coordinates(body);
                rigid.coordinates[hinge.clone()].copy_from_slice(&state.coordinates[hinge]);
            }
            straight = Some(kinematics(model, rigid, other)?);
        }
        let deflection = |point: &Point| match (&straight, point.whole_arm) {
            (Some(straight), true) => {
                let away: Vector3<f64> =
                    bent.node_position(point.body, point.node) - straight.node_position(point.body, point.node);
                (straight.body_attitude(point.body).transpose() * away).0
            }
            _ => bent.node_deflection(point.body, point.node).0,
        };
        Ok(points.iter().map(deflection).collect())
    }

    /// What was seen, the greatest deflections first.
    pub fn told(
        &self,
        scenario: &Scenario,
        (end, turning): (Option<f64>, Option<&Turning>),
        record: &PointsRecord,
    ) -> Vec<DeflectionStory> {
        let system = &scenario.model.system;
        let told = |(i, (point, peak)): (usize, (&Point, &Peak))| {
            let body = &system.bodies[point.body.0];
            let rows = record.rows.get(i).map_or(&[][..], Vec::as_slice);
            let after = end.zip(record.span).filter(|_| !rows.is_empty());
            DeflectionStory {
                body: body.name.clone(),
                node: point.place.clone(),
                whole_arm: point.whole_arm,
                peak: peak.value,
                time: peak.time,
                share_of_length: (!point.whole_arm && point.length > 0.0).then(|| peak.value / point.length),
                residual: after.map(|(end, span)| {
                    residual::of(&After { rows, span, interval: self.interval, end, turning }, peak.value)
                }),
            }
        };
        let mut all: Vec<DeflectionStory> = self.points.iter().zip(&record.peaks).enumerate().map(told).collect();
        all.sort_by(|a, b| b.peak.total_cmp(&a.peak));
        all
    }
}

impl Point {
    /// The node of a body that gives way most: with the greatest sum of squares of shapes over stiffnesses; the far end where it gives way as much.
    fn softest(system: &System, k: usize) -> Self {
        let body = &system.bodies[k];
        let stiffness = |r: usize| match &body.modes.stiffness {
            ModalMatrix::Zero => 0.0,
            ModalMatrix::Diagonal(entries) => entries[r],
            ModalMatrix::Full(rows) => rows[r][r],
        };
        let soft: Vec<(usize, f64)> =
            (0..body.modes.count).map(|r| (r, stiffness(r))).filter(|(_, k)| *k > 0.0).collect();
        let squared = |u: &[f64; 6]| u[3..].iter().map(|x| x * x).sum::<f64>();
        let compliance = |n: usize| -> f64 {
            soft.iter().map(|(r, k)| body.nodes[n].influence.get(*r).map_or(0.0, |u| squared(u) / k)).sum()
        };
        let (far, all) = (far_end(body), 0..body.nodes.len());
        let most = all.max_by(|a, b| compliance(*a).total_cmp(&compliance(*b))).unwrap_or(far);
        Self::at(body, k, if compliance(far) >= 0.99 * compliance(most) { far } else { most }, false)
    }

    /// The far end of a body that an arm carries.
    fn end(system: &System, k: usize) -> Self {
        Self::at(&system.bodies[k], k, far_end(&system.bodies[k]), true)
    }

    fn at(body: &Body, k: usize, node: usize, whole_arm: bool) -> Self {
        let far = far_end(body);
        let length = distance(body, far);
        let place = match &body.nodes[node].name {
            Some(name) => name.clone(),
            None if node == far => "far end".to_owned(),
            None => format!("at {:.0} % of its length", 100.0 * distance(body, node) / length),
        };
        Self { body: BodyIndex(k), node: NodeIndex(node), whole_arm, place, length }
    }
}

/// How far a node is from the hinge of its body, undeformed.
fn distance(body: &Body, node: usize) -> f64 {
    let inboard = body.nodes[body.inboard_node.0].position;
    (0..3).map(|i| (body.nodes[node].position[i] - inboard[i]).powi(2)).sum::<f64>().sqrt()
}

/// The node of a body that is farthest from its hinge, the first of those that are equally far.
fn far_end(body: &Body) -> usize {
    let nodes = (0..body.nodes.len()).rev();
    nodes.max_by(|a, b| distance(body, *a).total_cmp(&distance(body, *b))).unwrap_or(0)
}

/// Whether a body that carries this one, near or far, is flexible.
fn carried_by_flexible(system: &System, k: usize) -> bool {
    let mut at = system.bodies[k].parent;
    while let Parent::Body(parent, _) = at {
        if system.bodies[parent.0].modes.count > 0 {
            return true;
        }
        at = system.bodies[parent.0].parent;
    }
    false
}
