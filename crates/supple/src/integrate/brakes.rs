//! Brakes of hinges, worked by sampled blocks, part of the continuous motion.
//!
//! A brake that holds prescribes the acceleration `-r v` of its hinge: the speed decays at rate `r`, then the hinge is locked and bears its load. At
//! every instant the effort that this takes is found; a brake that had to exert more than it can slips, and one that had to push lets go, both until the next instant.

use super::error::IntegrationError;
use super::network::Network;
use super::simulation::Simulation;
use crate::inputs::Inputs;
use crate::model::BodyIndex;
use crate::state::State;

/// A brake of a hinge of one degree of freedom; see [`Block::brakes`](super::Block::brakes).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Brake {
    /// The body whose hinge it brakes.
    pub body: BodyIndex,
    /// Greatest effort, N m or N.
    pub most: f64,
    /// Speed below which the hinge counts as held, rad/s or m/s: the brake may then also push.
    pub slow: f64,
}

/// What a brake does until the next instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Grip {
    Free,
    Holds,
    /// Exerts this effort alone.
    Slips(f64),
}

impl Grip {
    /// As numbers of a checkpoint.
    pub fn save(self) -> [f64; 2] {
        match self {
            Self::Free => [0.0, 0.0],
            Self::Holds => [1.0, 0.0],
            Self::Slips(effort) => [2.0, effort],
        }
    }

    /// From the numbers of a checkpoint.
    pub fn load(from: &[f64]) -> Option<Self> {
        match *from {
            [0.0, _] => Some(Self::Free),
            [1.0, _] => Some(Self::Holds),
            [2.0, effort] => Some(Self::Slips(effort)),
            _ => None,
        }
    }
}

/// A brake, the output that works it, and the speed of its hinge.
#[derive(Clone, Copy, Debug)]
pub(super) struct WorkedBrake {
    pub block: usize,
    pub output: usize,
    pub speed: usize,
    pub brake: Brake,
    pub grip: Grip,
}

impl WorkedBrake {
    /// How much too much it would take to hold, relative to what there is; none where the brake can.
    fn excess(&self, effort: f64, speed: f64) -> Option<f64> {
        let excess = effort.abs() / self.brake.most;
        (excess > 1.0 || self.pushes(effort, speed)).then_some(excess)
    }

    fn pushes(&self, effort: f64, speed: f64) -> bool {
        effort * speed > 0.0 && speed.abs() > self.brake.slow
    }
}

impl Network {
    /// Whether a brake is engaged: it holds or slips.
    pub(super) fn is_braking(&self) -> bool {
        self.brakes.iter().any(|own| own.grip != Grip::Free)
    }

    /// Lets every brake hold that is to, and frees all others; whether any holds. Hinges that the drive prescribes are left to it.
    fn engage(&mut self, inputs: &mut Inputs) -> bool {
        for own in &mut self.brakes {
            let prescribed = &mut inputs.prescribed[own.brake.body.0];
            if own.grip == Grip::Holds {
                *prescribed = false;
            }
            let engages = self.held[own.block][own.output] > 0.0 && !*prescribed;
            own.grip = if engages { Grip::Holds } else { Grip::Free };
        }
        self.brakes.iter().any(|own| own.grip == Grip::Holds)
    }

    /// Lets the brake slip that holds what it can least; false where all can. `forces` are those that the motion takes, of which `inputs` has all but those of brakes.
    fn let_slip(&mut self, state: &State, forces: &[f64], inputs: &mut Inputs) -> bool {
        let holding = self.brakes.iter_mut().filter(|own| own.grip == Grip::Holds);
        let excessive = holding.filter_map(|own| {
            let effort = forces[own.speed] - inputs.forces[own.speed];
            own.excess(effort, state.speeds[own.speed]).map(|excess| (own, effort, excess))
        });
        let Some((own, effort, _)) = excessive.max_by(|a, b| a.2.total_cmp(&b.2)) else { return false };
        let most = own.brake.most;
        let pushes = own.pushes(effort, state.speeds[own.speed]);
        own.grip = Grip::Slips(if pushes { 0.0 } else { effort.clamp(-most, most) });
        inputs.prescribed[own.brake.body.0] = false;
        true
    }

    /// Lets brakes act.
    pub(super) fn brake(&self, state: &State, inputs: &mut Inputs) {
        for own in &self.brakes {
            match own.grip {
                Grip::Free => {}
                Grip::Holds => {
                    inputs.prescribed[own.brake.body.0] = true;
                    inputs.accelerations[own.speed] = -self.held[own.block][own.output] * state.speeds[own.speed];
                }
                Grip::Slips(effort) => inputs.forces[own.speed] += effort,
            }
        }
    }
}

impl Simulation {
    /// Decides at an instant which brakes hold, and which slip.
    pub(super) fn set_brakes(&mut self) -> Result<(), IntegrationError> {
        let equations = &mut self.equations;
        let Some(network) = &mut equations.network else { return Ok(()) };
        if !network.engage(&mut equations.inputs) {
            return Ok(());
        }
        self.settle();
        let time = self.equations.state.time;
        loop {
            self.equations.evaluate().map_err(|source| IntegrationError::Dynamics { time, source })?;
            let equations = &mut self.equations;
            let Some(network) = &mut equations.network else { return Ok(()) };
            // One less holds every time.
            if !network.let_slip(&equations.state, &equations.forces, &mut equations.inputs) {
                return Ok(());
            }
        }
    }
}
