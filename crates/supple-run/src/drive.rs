//! What acts in a scenario, in the engine's terms.

use supple::integrate::Drive;
use supple::spatial::{Force, Vector3};
use supple::{EquationMotion, Inputs, Model, State, Workspace, Wrench, inverse_dynamics};
use supple_bodies::rigid::rigid_system;
use supple_control::{Signal, Trajectory};
use supple_io::scenario_file::Scenario;

/// Motions, torques, feedforward and wrenches of a scenario.
pub struct ScenarioDrive {
    model: Model,
    /// Speeds that move as told, with the coordinate's motion; and their bodies.
    motions: Vec<(usize, Trajectory)>,
    moved: Vec<bool>,
    /// Speeds with the torques that act on them.
    torques: Vec<(usize, Signal)>,
    feedforward: Option<Feedforward>,
    /// Nodes with the components of force and moment.
    wrenches: Vec<(Wrench, [[Signal; 3]; 2])>,
    breaks: Vec<f64>,
    /// Equations of closures that move as prescribed, and motors with their forces.
    closures: Vec<(usize, Trajectory)>,
    motors: Vec<(usize, Signal)>,
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

impl ScenarioDrive {
    /// From a scenario that has been read.
    pub fn new(scenario: &Scenario) -> Result<Self, String> {
        let model = &scenario.model.model;
        let mut moved = vec![false; model.body_count()];
        let mut motions = Vec::new();
        for motion in &scenario.motions {
            moved[motion.body.0] = true;
            motions
                .push((model.hinge_speeds(motion.body).start, scenario.trajectory(motion).map_err(|e| e.to_string())?));
        }
        let mut torques = Vec::new();
        for torque in &scenario.torques {
            let at = model.hinge_speeds(torque.body).start + torque.speed;
            torques.push((at, torque.curve.signal().map_err(|e| e.to_string())?));
        }
        let mut wrenches = Vec::new();
        for told in &scenario.wrenches {
            let wrench = Wrench { body: told.body, node: told.node, frame: told.frame, force: Force::ZERO };
            wrenches.push((wrench, told.curve.signals().map_err(|e| e.to_string())?));
        }
        let feedforward = Feedforward::new(scenario)?;
        let mut breaks: Vec<f64> = motions.iter().flat_map(|(_, motion)| motion.breaks().to_vec()).collect();
        breaks.extend(torques.iter().flat_map(|(_, signal)| signal.breaks().to_vec()));
        breaks.extend(
            wrenches.iter().flat_map(|(_, signals)| signals.iter().flatten().flat_map(|s| s.breaks().to_vec())),
        );
        let mut closures = Vec::new();
        for motion in &scenario.closure_motions {
            closures.push((motion.equation, scenario.closure_trajectory(motion).map_err(|e| e.to_string())?));
        }
        let mut driven = Vec::new();
        for force in &scenario.motor_forces {
            driven.push((force.motor, force.curve.signal().map_err(|e| e.to_string())?));
        }
        breaks.extend(closures.iter().flat_map(|(_, motion)| motion.breaks().to_vec()));
        breaks.extend(driven.iter().flat_map(|(_, signal)| signal.breaks().to_vec()));
        breaks.extend(feedforward.iter().flat_map(|f| f.motions.iter().flat_map(|m| m.3.breaks().to_vec())));
        breaks.retain(|time| *time > scenario.initial.time);
        breaks.sort_by(f64::total_cmp);
        breaks.dedup();
        Ok(Self {
            model: model.clone(),
            motions,
            moved,
            torques,
            feedforward,
            wrenches,
            breaks,
            closures,
            motors: driven,
        })
    }

    /// The initial state of a scenario, with the hinges that move as told where their motion starts and at its speed.
    pub fn start(&self, scenario: &Scenario) -> State {
        let mut state = scenario.initial.clone();
        for (motion, (speed, trajectory)) in scenario.motions.iter().zip(&self.motions) {
            let at = trajectory.at(state.time);
            state.coordinates[self.model.hinge_coordinates(motion.body).start] = at.position;
            state.speeds[*speed] = at.speed;
        }
        state
    }

    /// Per speed, whether a torque may act on it.
    pub fn acting(&self) -> Vec<bool> {
        let mut acting = vec![false; self.model.speed_count()];
        let fed = self.feedforward.iter().flat_map(|feedforward| feedforward.motions.iter().map(|motion| motion.2));
        self.torques.iter().map(|(speed, _)| *speed).chain(fed).for_each(|speed| acting[speed] = true);
        acting
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
            let trajectory = scenario.trajectory(motion).map_err(|error| error.to_string())?;
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

impl Drive for ScenarioDrive {
    fn drive(&mut self, state: &State, inputs: &mut Inputs) {
        let time = state.time;
        inputs.forces.fill(0.0);
        for (speed, signal) in &self.torques {
            inputs.forces[*speed] += signal.value(time);
        }
        if let Some(feedforward) = &mut self.feedforward {
            feedforward.add(time, &mut inputs.forces);
        }
        for (speed, motion) in &self.motions {
            inputs.accelerations[*speed] = motion.at(time).acceleration;
        }
        for (equation, motion) in &self.closures {
            let at = motion.at(time);
            inputs.closure_motions[*equation] =
                EquationMotion { displacement: at.position, speed: at.speed, acceleration: at.acceleration };
        }
        for (motor, signal) in &self.motors {
            inputs.element_forces[*motor] = signal.value(time);
        }
        if inputs.wrenches.len() != self.wrenches.len() {
            inputs.wrenches = self.wrenches.iter().map(|(wrench, _)| *wrench).collect();
        }
        for (wrench, (_, signals)) in inputs.wrenches.iter_mut().zip(&self.wrenches) {
            let [force, moment] = [0, 1].map(|part| Vector3(std::array::from_fn(|i| signals[part][i].value(time))));
            wrench.force = Force::new(moment, force);
        }
        debug_assert_eq!(inputs.forces.len(), self.model.speed_count());
    }

    fn breaks(&self) -> &[f64] {
        &self.breaks
    }
}
