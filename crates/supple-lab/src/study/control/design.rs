//! What the controllers are made of: joint servos by the rigid arm, and around them shaper and reference by the controller's own flexible model.

use std::error::Error;

use supple::integrate::{Scheme, Simulation, Tolerance};
use supple::{DenseWorkspace, Inputs, Model, State, Workspace, inverse_dynamics, mass_matrix};
use supple_bodies::catalogue::shuttle_arm::LINKS;
use supple_control::{Mode, Shaper, ShaperKind, Trajectory};
use supple_linear::system_modes;

use super::arm::{Arm, Gains, KNOWN_MODES, NO_MODES, NOMINAL_PAYLOAD, places, posed, tip};

/// Damping ratio of the joint servos.
const DAMPING: f64 = 0.7;
/// Period of the modal feedback, s.
pub const PERIOD: f64 = 0.05;
/// Modes that commands are shaped for; faster ones are hardly excited in 20 s.
const SHAPED: usize = 4;
/// Damping ratio of the modes in the reference: what the shaper leaves of their vibration is not to be followed.
const DAMPED: f64 = 0.3;
/// The pose that the shaper is designed for.
const HALF_WAY: f64 = 0.5;
/// Angle by which every hinge turns, rad, and the time of manoeuvre I-f, s.
pub const TURN: f64 = 0.4;
pub const DURATION: f64 = 20.0;

/// Frequencies with all hinges locked, rad/s, lowest first.
pub fn locked_frequencies(model: &Model, pose: &[f64; LINKS]) -> Result<Vec<f64>, Box<dyn Error>> {
    let mut inputs = Inputs::new(model);
    inputs.prescribed.fill(true);
    let modes = system_modes(model, &posed(model, pose), &inputs)?;
    Ok(modes.modes.iter().map(|mode| mode.eigenvalue.abs()).collect())
}

/// The pose a part of the way.
pub fn on_the_way(start: &[f64; LINKS], part: f64) -> [f64; LINKS] {
    start.map(|angle| angle + part * TURN)
}

/// PD at each hinge for which the slowest motion of the rigid arm has this bandwidth, rad/s, and damping.
pub fn servos(payload: f64, pose: &[f64; LINKS], bandwidth: f64) -> Result<[Gains; LINKS], Box<dyn Error>> {
    let rigid = Arm { payload, stiffness: 1.0, modes: NO_MODES, damping: 0.0, servos: None }.build()?;
    let state = posed(&rigid, pose);
    let mut mass = vec![0.0; LINKS * LINKS];
    mass_matrix(&rigid, &state, &mut Workspace::new(&rigid), &mut DenseWorkspace::new(&rigid), &mut mass)?;
    let at = |i: usize, j: usize| mass[i * LINKS + j];
    // Greatest eigenvalue of the mass matrix scaled to a unit diagonal: what the slowest motion has more of than each hinge alone.
    let mut x = [1.0; LINKS];
    let mut greatest = 1.0;
    for _ in 0..500 {
        let y: [f64; LINKS] =
            std::array::from_fn(|i| (0..LINKS).map(|j| at(i, j) * x[j] / (at(i, i) * at(j, j)).sqrt()).sum());
        greatest = y.iter().map(|y| y * y).sum::<f64>().sqrt();
        x = y.map(|y| y / greatest);
    }
    Ok(std::array::from_fn(|i| {
        let inertia = greatest * at(i, i);
        Gains { p: bandwidth * bandwidth * inertia, d: 2.0 * DAMPING * bandwidth * inertia }
    }))
}

/// Torques of the hinges, N m: drives of shoulder, elbow and wrist that are just strong enough for manoeuvre I-f with the rigid arm and its nominal
/// payload, in 20 s.
pub fn limits() -> Result<[f64; LINKS], Box<dyn Error>> {
    let rigid =
        Arm { payload: NOMINAL_PAYLOAD, stiffness: 1.0, modes: NO_MODES, damping: 0.0, servos: None }.build()?;
    let motion = Trajectory::cycloidal([0.0, DURATION], [0.0, TURN])?;
    let (mut state, mut inputs, mut workspace) = (State::new(&rigid), Inputs::new(&rigid), Workspace::new(&rigid));
    let mut peaks = [0.0_f64; LINKS];
    for k in 0..=200 {
        let at = motion.at(DURATION * f64::from(k) / 200.0);
        state.coordinates.fill(at.position);
        state.speeds.fill(at.speed);
        inputs.accelerations.fill(at.acceleration);
        let solution = inverse_dynamics(&rigid, &state, &inputs, &mut workspace)?;
        peaks.iter_mut().zip(solution.forces()).for_each(|(peak, force)| *peak = peak.max(force.abs()));
    }
    let [yaw, pitch, elbow, wrist @ ..] = peaks;
    let (shoulder, wrist) = (yaw.max(pitch), wrist.iter().copied().fold(0.0, f64::max));
    Ok([shoulder, shoulder, elbow, wrist, wrist, wrist])
}

/// What the controller knows: a model with fewer modes, and its errors.
pub struct Knowledge {
    pub payload: f64,
    pub stiffness: f64,
}

impl Knowledge {
    /// The arm as the controller knows it.
    pub fn arm(&self, servos: Option<[Gains; LINKS]>) -> Arm {
        Arm { payload: self.payload, stiffness: self.stiffness, modes: KNOWN_MODES, damping: 0.0, servos }
    }

    /// The first locked frequency of the controller's model, rad/s.
    pub fn first_frequency(&self, pose: &[f64; LINKS]) -> Result<f64, Box<dyn Error>> {
        Ok(locked_frequencies(&self.arm(None).build()?, pose)?[0])
    }

    /// A shaper for the slowest modes of the controller's model half way.
    pub fn shaper(&self, start: &[f64; LINKS]) -> Result<Shaper, Box<dyn Error>> {
        let frequencies = locked_frequencies(&self.arm(None).build()?, &on_the_way(start, HALF_WAY))?;
        let modes: Vec<Mode> = frequencies
            .iter()
            .take(SHAPED)
            .map(|w| Mode { frequency: w / std::f64::consts::TAU, damping: 0.0 })
            .collect();
        Ok(Shaper::for_modes(ShaperKind::Zvdd, &modes)?)
    }

    /// The motion of the controller's model along commands of its hinges, instant by instant.
    pub fn reference(&self, commands: &[Trajectory; LINKS], end: f64) -> Result<Reference, Box<dyn Error>> {
        let model = Arm { damping: DAMPED, ..self.arm(None) }.build()?;
        let places = places(&model);
        let mut state = State::new(&model);
        for (place, command) in places.iter().zip(commands) {
            state.coordinates[place[0]] = command.at(0.0).position;
        }
        let driven = commands.clone();
        let drive = move |state: &State, inputs: &mut Inputs| {
            for (place, command) in places.iter().zip(&driven) {
                inputs.accelerations[place[1]] = command.at(state.time).acceleration;
            }
        };
        let tolerance = Tolerance { relative: 1e-7, absolute: 1e-9 };
        let mut run = Simulation::new(&model, state, drive, Scheme::ExponentialAdams, tolerance)?;
        run.prescribe(&vec![true; model.body_count()])?;
        let mut out = Reference { places, states: Vec::new(), torques: Vec::new(), deflections: Vec::new() };
        let mut workspace = Workspace::new(&model);
        for k in 0..=(end / PERIOD).ceil() as usize {
            run.advance(k as f64 * PERIOD)?;
            let forces = run.dynamics()?.1;
            out.torques.push(places.map(|place| forces[place[1]]));
            let state = run.state();
            out.states.push(state.coordinates.iter().chain(&state.speeds).copied().collect());
            out.deflections.push(deflections(&model, state, &mut workspace)?);
        }
        Ok(out)
    }
}

/// What the controller's model does on the way.
#[derive(Clone)]
pub struct Reference {
    /// Places of the hinges among coordinates and speeds.
    pub places: [[usize; 2]; LINKS],
    /// Coordinates, then speeds.
    pub states: Vec<Vec<f64>>,
    /// Torques at the hinges.
    pub torques: Vec<[f64; LINKS]>,
    /// Deflections of the booms' tips.
    pub deflections: Vec<[f64; 4]>,
}

/// Deflections of the tips of both booms across their axes, as strain gauges give them.
pub fn deflections(model: &Model, state: &State, workspace: &mut Workspace) -> Result<[f64; 4], supple::DynamicsError> {
    let motion = supple::kinematics(model, state, workspace)?;
    let of = |link: usize| {
        let (body, node) = tip(model, link);
        motion.node_deflection(body, node).0
    };
    let ([_, a, b], [_, c, d]) = (of(1), of(2));
    Ok([a, b, c, d])
}
