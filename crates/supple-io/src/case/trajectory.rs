//! Cases of kind `trajectory`: a motion from a state under a drive, sampled at given times.

use std::collections::BTreeMap;
use std::f64::consts::TAU;

use serde::Serialize;
use supple::integrate::{Drive, Scheme, Simulation, Tolerance};
use supple::{HingeKind, Inputs, State, Workspace, Wrench, energy, inverse_dynamics};

use super::Case;
use super::answer::Answer;
use super::error::ReadError;
use super::evaluate::{EvaluateError, evaluate};
use super::reading;
use super::system::Prepared;

/// Two orders below the tightest tolerance that references ask for, so that what remains is theirs.
const TOLERANCE: Tolerance = Tolerance { relative: 1e-11, absolute: 1e-13 };

/// What drives the motion of a trajectory case.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum CaseTorque {
    /// Generalized forces that do not change.
    Constant {
        /// One per speed, in the order of the file.
        forces: Vec<f64>,
    },
    /// `J ω/T (1 - cos(2π t/T))` up to `T`, then nothing.
    SpinUp {
        /// The speed it acts on.
        index: usize,
        /// Inertia `J`.
        inertia: f64,
        /// Final rate `ω`.
        rate: f64,
        /// Duration `T`.
        duration: f64,
    },
    /// Inverse dynamics of a rigid model on the cycloid `θ = θ_d (t/T - sin(2π t/T)/2π)` of every hinge.
    RigidInverse {
        /// The rigid model; its state has no part.
        rigid: Box<Case>,
        /// Final angle `θ_d`.
        angle: f64,
        /// Duration `T`.
        duration: f64,
        /// The speed that each hinge force acts on.
        indices: Vec<usize>,
    },
}

/// A sound case of kind `trajectory`.
#[derive(Clone, Debug, PartialEq)]
pub struct TrajectoryCase {
    pub(super) start: Case,
    pub(super) torque: CaseTorque,
    pub(super) breaks: Vec<f64>,
    pub(super) sample_times: Vec<f64>,
    pub(super) channel_tolerances: BTreeMap<String, f64>,
}

/// A case of any kind that can be evaluated.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum AnyCase {
    /// Answers in one state, of a tree or a closed system.
    Tree(Case),
    /// A motion.
    Trajectory(TrajectoryCase),
}

impl AnyCase {
    /// Reads a case of either kind.
    ///
    /// # Errors
    /// As [`Case::from_bytes`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ReadError> {
        reading::read_any(reading::text_of(bytes)?)
    }

    /// Reads a case of either kind.
    ///
    /// # Errors
    /// As [`Case::from_json`].
    pub fn from_json(text: &str) -> Result<Self, ReadError> {
        reading::read_any(text)
    }

    /// The answers, whatever the kind.
    ///
    /// # Errors
    /// As [`evaluate`] and [`TrajectoryCase::evaluate`].
    pub fn evaluate(&self) -> Result<AnyAnswer, EvaluateError> {
        match self {
            Self::Tree(case) => evaluate(case).map(|answer| AnyAnswer::Tree(Box::new(answer))),
            Self::Trajectory(case) => case.evaluate().map(AnyAnswer::Trajectory),
        }
    }
}

/// The answers to a case of any kind.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum AnyAnswer {
    /// In one state.
    Tree(Box<Answer>),
    /// Along a motion.
    Trajectory(TrajectoryAnswer),
}

impl AnyAnswer {
    /// Writes the answer as one JSON object, without keeping the text in memory.
    ///
    /// # Errors
    /// What the writer reports.
    pub fn write_json(&self, out: impl std::io::Write) -> std::io::Result<()> {
        serde_json::to_writer(out, self).map_err(std::io::Error::from)
    }
}

/// The motion at the times asked for: `energy`, and `eta_k`, `etad_k`, `theta_k`, `beta_k` of body `k` of the file where there are some.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct TrajectoryAnswer {
    /// Channels by name, each a list over the times.
    pub samples: BTreeMap<String, Vec<Channel>>,
}

/// One sample of a channel.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Channel {
    /// A number.
    Number(f64),
    /// A list.
    List(Vec<f64>),
}

impl TrajectoryCase {
    /// System, initial state and constant wrenches.
    pub fn start(&self) -> &Case {
        &self.start
    }

    /// What drives it.
    pub fn torque(&self) -> &CaseTorque {
        &self.torque
    }

    /// Tolerances that the file states for its channels, relative to their largest values.
    pub fn channel_tolerances(&self) -> &BTreeMap<String, f64> {
        &self.channel_tolerances
    }

    /// Integrates the motion and samples it.
    ///
    /// # Errors
    /// [`EvaluateError`], where the engine refuses the system or the motion cannot be followed.
    pub fn evaluate(&self) -> Result<TrajectoryAnswer, EvaluateError> {
        let start = self.start.prepare()?;
        let drive = CaseDrive::new(self, &start)?;
        let model = &start.model;
        let mut simulation = Simulation::new(model, start.state.clone(), drive, Scheme::PrinceDormand8, TOLERANCE)?;
        let mut workspace = Workspace::new(model);
        let mut answer = TrajectoryAnswer::default();
        for &time in &self.sample_times {
            simulation.advance(time)?;
            let state = simulation.state();
            let total = energy(model, state, &mut workspace)?.total();
            let mut channel = |name: String, sample| answer.samples.entry(name).or_default().push(sample);
            channel("energy".into(), Channel::Number(total));
            for (k, &body) in start.bodies.iter().enumerate() {
                let mut theta = state.coordinates[model.hinge_coordinates(body)].to_vec();
                if matches!(self.start.model.bodies[k].joint, HingeKind::Spherical | HingeKind::Free) {
                    theta[..4].rotate_right(1);
                }
                let lists = [
                    ("eta", state.coordinates[model.modal_coordinates(body)].to_vec()),
                    ("etad", state.speeds[model.modal_speeds(body)].to_vec()),
                    ("theta", theta),
                    ("beta", state.speeds[model.hinge_speeds(body)].to_vec()),
                ];
                for (name, list) in lists.into_iter().filter(|(_, list)| !list.is_empty()) {
                    channel(format!("{name}_{k}"), Channel::List(list));
                }
            }
        }
        Ok(answer)
    }
}

/// The drive of a case in the engine's terms.
struct CaseDrive {
    torque: CaseTorque,
    /// Constant wrenches, and the engine's speed for each speed of the file.
    wrenches: Vec<Wrench>,
    speeds: Vec<usize>,
    rigid: Option<Rigid>,
    breaks: Vec<f64>,
}

/// The rigid model whose inverse dynamics gives the forces.
struct Rigid {
    at: Prepared,
    workspace: Workspace,
}

impl CaseDrive {
    fn new(case: &TrajectoryCase, start: &Prepared) -> Result<Self, EvaluateError> {
        let (mut breaks, mut rigid) = (case.breaks.clone(), None);
        match &case.torque {
            CaseTorque::SpinUp { duration, .. } => breaks.push(*duration),
            CaseTorque::RigidInverse { rigid: model, .. } => {
                let at = model.prepare()?;
                rigid = Some(Rigid { workspace: Workspace::new(&at.model), at });
            }
            CaseTorque::Constant { .. } => {}
        }
        breaks.sort_by(f64::total_cmp);
        breaks.dedup();
        let (torque, wrenches, speeds) = (case.torque.clone(), start.inputs.wrenches.clone(), start.speeds.clone());
        Ok(Self { torque, wrenches, speeds, rigid, breaks })
    }
}

impl Drive for CaseDrive {
    fn drive(&mut self, state: &State, inputs: &mut Inputs) {
        let (t, speeds) = (state.time, &self.speeds);
        if inputs.wrenches.len() != self.wrenches.len() {
            inputs.wrenches.clone_from(&self.wrenches);
        }
        match &self.torque {
            CaseTorque::Constant { forces } => {
                speeds.iter().zip(forces).for_each(|(&at, force)| inputs.forces[at] = *force);
            }
            CaseTorque::SpinUp { index, inertia, rate, duration } => {
                let wave = 1.0 - (TAU * t / duration).cos();
                inputs.forces[speeds[*index]] = if t < *duration { inertia * rate / duration * wave } else { 0.0 };
            }
            CaseTorque::RigidInverse { angle, duration, indices, .. } => {
                let Some(Rigid { at, workspace }) = &mut self.rigid else { return };
                let phase = TAU * t / duration;
                at.state.coordinates.fill(angle * (t / duration - phase.sin() / TAU));
                at.state.speeds.fill(angle / duration * (1.0 - phase.cos()));
                at.inputs.accelerations.fill(angle * TAU / duration.powi(2) * phase.sin());
                let forces = inverse_dynamics(&at.model, &at.state, &at.inputs, workspace);
                for (i, &index) in indices.iter().enumerate() {
                    // A force that is not finite is refused by the engine, with the time.
                    inputs.forces[speeds[index]] =
                        forces.as_ref().map_or(f64::NAN, |solution| solution.forces()[at.speeds[i]]);
                }
            }
        }
    }

    fn breaks(&self) -> &[f64] {
        &self.breaks
    }
}
