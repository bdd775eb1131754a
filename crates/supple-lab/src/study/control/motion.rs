//! A controlled motion of the plant, and what is measured of it.

use std::error::Error;
use std::sync::{Arc, Mutex};

use supple::integrate::{Block, Blocks, Measured, Role, Sampled, Scheme, Simulation, Stepping};
use supple::{Inputs, Model, State, Workspace};
use supple_bodies::catalogue::shuttle_arm::LINKS;
use supple_control::Trajectory;
use supple_control::linear::{Estimate, LinearDesign, subtract};

use super::arm::{Gains, places, tip};
use super::design::{PERIOD, Reference, TURN, deflections};
use super::feedback::POSES;

/// Steps of the integrator, s: the one that does for most cases, and the shortest that is tried where it does not.
const STEPS: [f64; 2] = [0.0125, 0.0125 / 16.0];
/// Samples of the tip, s.
const LOOK: f64 = 0.05;

/// What a run has shown.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Outcome {
    /// Twice the greatest distance of the tip from its mean after the arrival, m.
    pub residual: f64,
    /// Greatest torque of all hinges, each in units of its limit.
    pub torque: f64,
    /// Root mean square of the errors of all hinges from start to end, rad.
    pub tracking: f64,
}

/// A run to be made.
pub struct Motion {
    /// The plant with its servos.
    pub plant: Model,
    pub start: [f64; LINKS],
    pub servos: [Gains; LINKS],
    pub commands: [Trajectory; LINKS],
    /// Where the arm is to have arrived, and the end, s.
    pub times: [f64; 2],
    /// Torques that the hinges have, N m.
    pub limits: [f64; LINKS],
}

/// Designs at poses on the way, and the motion to follow.
pub type Feedback = ([LinearDesign; POSES.len()], Reference);

/// Torques that the modal feedback last asked for.
type Asked = Arc<Mutex<[f64; LINKS]>>;

impl Motion {
    /// Runs with the servos alone, or with modal feedback around them.
    pub fn run(&self, feedback: Option<Feedback>) -> Result<Outcome, Box<dyn Error>> {
        let [mut step, shortest] = STEPS;
        loop {
            match self.run_by(step, feedback.clone()) {
                Err(_) if step > shortest => step *= 0.5,
                done => return done,
            }
        }
    }

    fn run_by(&self, step: f64, feedback: Option<Feedback>) -> Result<Outcome, Box<dyn Error>> {
        let places = places(&self.plant);
        let mut state = State::new(&self.plant);
        for (place, angle) in places.iter().zip(self.start) {
            state.coordinates[place[0]] = angle;
        }
        // Servos are springs and dampers in the hinges; what they hold moves.
        let (gains, commands) = (self.servos, self.commands.clone());
        let drive = move |state: &State, inputs: &mut Inputs| {
            for ((place, gains), command) in places.iter().zip(&gains).zip(&commands) {
                let wanted = command.at(state.time);
                inputs.forces[place[1]] = gains.p * wanted.position + gains.d * wanted.speed;
            }
        };
        let mut run = Simulation::new(&self.plant, state, drive, Scheme::LinearlyImplicit, Stepping::Fixed(step))?;
        let asked = Asked::default();
        if let Some((designs, reference)) = feedback {
            let law = ModalFeedback::new(&self.plant, designs, reference, asked.clone());
            let mut block = Block::new("modal feedback", Role::Controller, PERIOD, LINKS, law);
            for (output, place) in places.iter().enumerate() {
                block = block.acts(output, place[1]);
            }
            let mut blocks = Blocks::new();
            blocks.add(block);
            run.set_blocks(blocks)?;
        }
        self.watch(&mut run, &asked)
    }

    /// Runs to the end and measures on the way.
    fn watch(&self, run: &mut Simulation, asked: &Asked) -> Result<Outcome, Box<dyn Error>> {
        let (places, tip) = (places(&self.plant), tip(&self.plant, LINKS - 1));
        let mut workspace = Workspace::new(&self.plant);
        let [arrival, end] = self.times;
        let mut tips: Vec<[f64; 3]> = Vec::new();
        let (mut worst, mut squares) = (0.0_f64, 0.0);
        let count = (end / LOOK).ceil() as usize;
        for k in 0..=count {
            let time = (k as f64 * LOOK).min(end);
            run.advance(time)?;
            let state = run.state();
            let outer = asked.lock().map_or([f64::NAN; LINKS], |asked| *asked);
            for (i, place) in places.iter().enumerate() {
                let wanted = self.commands[i].at(time);
                let error = wanted.position - state.coordinates[place[0]];
                let rate = wanted.speed - state.speeds[place[1]];
                let torque = self.servos[i].p * error + self.servos[i].d * rate + outer[i];
                worst = worst.max(torque.abs() / self.limits[i]);
                squares += error * error;
            }
            if time >= arrival {
                tips.push(supple::kinematics(&self.plant, state, &mut workspace)?.node_position(tip.0, tip.1).0);
            }
        }
        let mean: [f64; 3] = std::array::from_fn(|i| tips.iter().map(|p| p[i]).sum::<f64>() / tips.len() as f64);
        let away = |p: &[f64; 3]| (0..3).map(|i| (p[i] - mean[i]).powi(2)).sum::<f64>().sqrt();
        Ok(Outcome {
            residual: 2.0 * tips.iter().map(away).fold(0.0, f64::max),
            torque: worst,
            tracking: (squares / (LINKS * (count + 1)) as f64).sqrt(),
        })
    }
}

/// Feed-forward of the controller's model, and state feedback of what the plant does otherwise: hinges and modes as a Kalman filter sees them in
/// encoders, tachometers and the deflections of the booms. The filters of all poses watch; the regulator of the nearest one acts.
struct ModalFeedback {
    plant: Model,
    workspace: Workspace,
    designs: [LinearDesign; POSES.len()],
    estimates: [Estimate; POSES.len()],
    reference: Reference,
    /// What the feedback added last.
    added: [f64; LINKS],
    measured: Vec<f64>,
    asked: Asked,
}

impl ModalFeedback {
    fn new(plant: &Model, designs: [LinearDesign; POSES.len()], reference: Reference, asked: Asked) -> Self {
        Self {
            plant: plant.clone(),
            workspace: Workspace::new(plant),
            estimates: designs.each_ref().map(|design| Estimate::new(design.sizes)),
            measured: vec![0.0; designs[0].sizes.outputs],
            designs,
            reference,
            added: [0.0; LINKS],
            asked,
        }
    }
}

impl Sampled for ModalFeedback {
    fn sample(&mut self, measured: &Measured<'_>, outputs: &mut [f64]) {
        let k = (measured.instant as usize).min(self.reference.states.len() - 1);
        let (wanted, held) = (&self.reference.states[k], &self.reference.deflections[k]);
        let places = places(&self.plant);
        let (n, own) = (wanted.len() / 2, &self.reference.places);
        let bent = deflections(&self.plant, measured.state, &mut self.workspace).unwrap_or([f64::NAN; 4]);
        for i in 0..LINKS {
            self.measured[i] = measured.state.coordinates[places[i][0]] - wanted[own[i][0]];
            self.measured[LINKS + i] = measured.state.speeds[places[i][1]] - wanted[n + own[i][1]];
        }
        for i in 0..4 {
            self.measured[2 * LINKS + i] = bent[i] - held[i];
        }
        for (design, estimate) in self.designs.iter().zip(&mut self.estimates) {
            estimate.correct(design, &self.added, &self.measured);
        }
        let done = (wanted[own[0][0]] - self.reference.states[0][own[0][0]]) / TURN;
        let nearest = (0..POSES.len()).min_by(|i, j| (POSES[*i] - done).abs().total_cmp(&(POSES[*j] - done).abs()));
        let acting = nearest.unwrap_or(0);
        self.added = [0.0; LINKS];
        subtract(&self.designs[acting].feedback, &self.estimates[acting].state, &mut self.added);
        for (design, estimate) in self.designs.iter().zip(&mut self.estimates) {
            estimate.predict(design, &self.added);
        }
        for i in 0..LINKS {
            outputs[i] = self.reference.torques[k][i] + self.added[i];
        }
        if let Ok(mut asked) = self.asked.lock() {
            asked.copy_from_slice(outputs);
        }
    }
}
