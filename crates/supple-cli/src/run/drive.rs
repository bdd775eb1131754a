//! What acts in a scenario, in the engine's terms.

use supple::integrate::Drive;
use supple::spatial::{Force, Vector3};
use supple::{Inputs, Model, State, Workspace, Wrench, inverse_dynamics};
use supple_bodies::rigid::rigid_system;
use supple_control::{ProfileError, Sample, Signal, SplineEnds, Trajectory};
use supple_io::scenario_file::{Curve, Motion, MotionCurve, Scenario, WrenchCurve};

/// Motions, torques, feedforward and wrenches of a scenario.
pub struct ScenarioDrive<'s> {
    model: &'s Model,
    /// Speeds that move as told, with the coordinate's motion; and their bodies.
    motions: Vec<(usize, Trajectory)>,
    moved: Vec<bool>,
    /// Speeds with the torques that act on them.
    torques: Vec<(usize, Signal)>,
    feedforward: Option<Feedforward>,
    /// Nodes with the components of moment and force.
    wrenches: Vec<(Wrench, [Signal; 6])>,
    /// Greatest torque of the motor at a speed.
    effort: Vec<(usize, f64)>,
    breaks: Vec<f64>,
}

/// The model without flexibility, whose inverse dynamics gives the torques.
struct Feedforward {
    model: Model,
    state: State,
    inputs: Inputs,
    workspace: Workspace,
    /// Coordinate and speed of the rigid model, speed of the model, and the motion.
    motions: Vec<(usize, usize, usize, Trajectory)>,
}

impl<'s> ScenarioDrive<'s> {
    /// From a scenario that has been read.
    pub fn new(scenario: &'s Scenario) -> Result<Self, String> {
        let model = &scenario.model.model;
        let mut moved = vec![false; model.body_count()];
        let mut motions = Vec::new();
        for motion in &scenario.motions {
            moved[motion.body.0] = true;
            motions.push((
                model.hinge_speeds(motion.body).start,
                trajectory(motion, scenario).map_err(|e| e.to_string())?,
            ));
        }
        let mut torques = Vec::new();
        for torque in &scenario.torques {
            let at = model.hinge_speeds(torque.body).start + torque.speed;
            torques.push((at, signal(&torque.curve).map_err(|e| e.to_string())?));
        }
        let mut wrenches = Vec::new();
        for told in &scenario.wrenches {
            let wrench = Wrench { body: told.body, node: told.node, frame: told.frame, force: Force::ZERO };
            wrenches.push((wrench, signals(&told.curve).map_err(|e| e.to_string())?));
        }
        let motors = scenario.model.elements.iter().filter_map(|e| Some((e.body, e.motor.as_ref()?.effort_limit?)));
        let effort = motors.map(|(body, limit)| (model.hinge_speeds(supple::BodyIndex(body)).start, limit)).collect();
        let feedforward = Feedforward::new(scenario)?;
        let mut breaks: Vec<f64> = motions.iter().flat_map(|(_, motion)| motion.breaks().to_vec()).collect();
        breaks.extend(torques.iter().flat_map(|(_, signal)| signal.breaks().to_vec()));
        breaks.extend(wrenches.iter().flat_map(|(_, signals)| signals.iter().flat_map(|s| s.breaks().to_vec())));
        breaks.extend(feedforward.iter().flat_map(|f| f.motions.iter().flat_map(|m| m.3.breaks().to_vec())));
        breaks.retain(|time| *time > scenario.initial.time);
        breaks.sort_by(f64::total_cmp);
        breaks.dedup();
        Ok(Self { model, motions, moved, torques, feedforward, wrenches, effort, breaks })
    }

    /// Whether the hinge of each body moves as told.
    pub fn prescribed(&self) -> Vec<bool> {
        self.moved.clone()
    }
}

impl Feedforward {
    fn new(scenario: &Scenario) -> Result<Option<Self>, String> {
        if scenario.feedforward.is_empty() {
            return Ok(None);
        }
        let model = Model::build(&rigid_system(&scenario.model.system))
            .map_err(|error| format!("feedforward: the model without flexibility cannot be built: {error}"))?;
        let mut state = State::new(&model);
        let flexible = &scenario.model.model;
        for body in model.body_indices() {
            let told = &scenario.initial.coordinates[flexible.hinge_coordinates(body)];
            state.coordinates[model.hinge_coordinates(body)].copy_from_slice(told);
        }
        let mut motions = Vec::new();
        for motion in &scenario.feedforward {
            let trajectory = trajectory(motion, scenario).map_err(|error| error.to_string())?;
            let body = motion.body;
            let (theta, beta) = (model.hinge_coordinates(body).start, model.hinge_speeds(body).start);
            motions.push((theta, beta, flexible.hinge_speeds(body).start, trajectory));
        }
        let (inputs, workspace) = (Inputs::new(&model), Workspace::new(&model));
        Ok(Some(Self { model, state, inputs, workspace, motions }))
    }

    /// Adds the torques that the rigid model needs.
    fn add(&mut self, time: f64, forces: &mut [f64]) {
        for (theta, beta, _, motion) in &self.motions {
            let at = motion.at(time);
            self.state.coordinates[*theta] = at.position;
            self.state.speeds[*beta] = at.speed;
            self.inputs.accelerations[*beta] = at.acceleration;
        }
        let solution = inverse_dynamics(&self.model, &self.state, &self.inputs, &mut self.workspace);
        for (_, beta, own, _) in &self.motions {
            // A torque that is not finite is found and reported by the engine, with the time.
            forces[*own] += solution.as_ref().map_or(f64::NAN, |solution| solution.forces()[*beta]);
        }
    }
}

impl Drive for ScenarioDrive<'_> {
    fn drive(&mut self, state: &State, inputs: &mut Inputs) {
        let time = state.time;
        inputs.forces.fill(0.0);
        for (speed, signal) in &self.torques {
            inputs.forces[*speed] += signal.value(time);
        }
        if let Some(feedforward) = &mut self.feedforward {
            feedforward.add(time, &mut inputs.forces);
        }
        for (speed, limit) in &self.effort {
            inputs.forces[*speed] = inputs.forces[*speed].clamp(-limit, *limit);
        }
        for (speed, motion) in &self.motions {
            inputs.accelerations[*speed] = motion.at(time).acceleration;
        }
        if inputs.wrenches.len() != self.wrenches.len() {
            inputs.wrenches = self.wrenches.iter().map(|(wrench, _)| *wrench).collect();
        }
        for (wrench, (_, signals)) in inputs.wrenches.iter_mut().zip(&self.wrenches) {
            let at = |i: usize| signals[i].value(time);
            wrench.force = Force::new(Vector3([at(0), at(1), at(2)]), Vector3([at(3), at(4), at(5)]));
        }
        debug_assert_eq!(inputs.forces.len(), self.model.speed_count());
    }

    fn breaks(&self) -> &[f64] {
        &self.breaks
    }
}

fn trajectory(motion: &Motion, scenario: &Scenario) -> Result<Trajectory, ProfileError> {
    let initial = scenario.initial.coordinates[scenario.model.model.hinge_coordinates(motion.body).start];
    match &motion.curve {
        MotionCurve::Cycloid(m) => {
            Trajectory::cycloidal([m.start, m.start + m.duration], [m.from.unwrap_or(initial), m.to])
        }
        MotionCurve::Quintic(m) => {
            let ends = [m.from.unwrap_or(initial), m.to].map(Sample::at_rest);
            Trajectory::quintic([m.start, m.start + m.duration], ends)
        }
        MotionCurve::Rate(rate) => {
            Trajectory::constant_rate([scenario.initial.time, scenario.duration + 1.0], initial, *rate)
        }
        MotionCurve::Table(samples) => Trajectory::table(&samples.times, &samples.values, SplineEnds::Natural),
        _ => Trajectory::table(&[], &[], SplineEnds::Natural),
    }
}

fn signal(curve: &Curve) -> Result<Signal, ProfileError> {
    match curve {
        Curve::Constant(value) => Signal::constant(*value),
        Curve::Steps(samples) => Signal::steps(&samples.times, &samples.values),
        Curve::Table(samples) => Signal::table(&samples.times, &samples.values),
        _ => Signal::steps(&[], &[]),
    }
}

fn signals(curve: &WrenchCurve) -> Result<[Signal; 6], ProfileError> {
    // Moment, then force.
    let part = |value: &[[f64; 3]; 2], i: usize| value[usize::from(i < 3)][i % 3];
    let one = |i: usize| match curve {
        WrenchCurve::Constant(value) => Signal::constant(part(value, i)),
        WrenchCurve::Steps(s) => Signal::steps(&s.times, &s.values.iter().map(|v| part(v, i)).collect::<Vec<_>>()),
        WrenchCurve::Table(s) => Signal::table(&s.times, &s.values.iter().map(|v| part(v, i)).collect::<Vec<_>>()),
        _ => Signal::steps(&[], &[]),
    };
    Ok([one(0)?, one(1)?, one(2)?, one(3)?, one(4)?, one(5)?])
}
