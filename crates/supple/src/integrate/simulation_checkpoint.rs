//! Checkpoints of a simulation.

use super::checkpoint::Checkpoint;
use super::error::IntegrationError;
use super::flat_state::unpack;
use super::model_equations::ModelEquations;
use super::simulation::Simulation;
use crate::check;
use crate::closure::Hold;
use crate::state::State;
use crate::validity::Departure;

/// A checkpoint of a simulation: all its numbers. Model, drive, scheme and events, past ones included, are not in it.
#[derive(Clone, Debug, PartialEq)]
pub struct SimulationCheckpoint {
    /// Of the integrator, the ledger with the state.
    pub integrator: Checkpoint,
    /// Total energy at the start.
    pub start_energy: f64,
    /// Whether the hinge of each body is prescribed.
    pub prescribed: Vec<bool>,
    /// Signs of the functions of the events.
    pub signs: Vec<i8>,
    /// Where the motion left the range of its model; empty where nobody watches.
    pub departures: Vec<Departure>,
    /// Numbers of the sampled blocks, outputs on their way included; empty where there are none.
    pub blocks: Vec<f64>,
    /// Whether each closure acts.
    pub closed: Vec<bool>,
    /// Where closures hold their frames that do not where the model says: the closure, and the numbers of its [`Hold`].
    pub held: Vec<(usize, [f64; 8])>,
}

/// Makes closures hold their frames as a checkpoint says.
fn hold_as(state: &mut State, held: &[(usize, [f64; 8])]) {
    state.held.fill(None);
    held.iter().for_each(|(closure, numbers)| state.held[*closure] = Some(Hold::from_array(*numbers)));
}

impl Simulation {
    /// All numbers that are needed to go on from here.
    pub fn checkpoint(&self) -> SimulationCheckpoint {
        SimulationCheckpoint {
            integrator: self.integrator.checkpoint(),
            start_energy: self.start,
            prescribed: self.equations.inputs.prescribed.clone(),
            signs: self.events.iter().map(|event| event.sign).collect(),
            departures: self.departures().to_vec(),
            blocks: self.equations.network.as_ref().map_or_else(Vec::new, |network| network.save()),
            closed: self.equations.state.closed.clone(),
            held: (self.equations.state.held.iter().enumerate())
                .filter_map(|(i, held)| held.map(|hold| (i, hold.to_array())))
                .collect(),
        }
    }

    /// Goes back to a checkpoint of a simulation of the same model, drive, scheme and events, bit by bit.
    ///
    /// # Errors
    /// [`IntegrationError::BadRequest`] where sizes do not fit or numbers are not finite, [`IntegrationError::Dynamics`] where a quaternion is
    /// not of unit length; nothing is changed then.
    pub fn restore(&mut self, from: &SimulationCheckpoint) -> Result<(), IntegrationError> {
        let bad = |reason, value| Err(IntegrationError::BadRequest { reason, value });
        if from.prescribed.len() != self.equations.inputs.prescribed.len() {
            return bad("the checkpoint is of another model, bodies found", from.prescribed.len() as f64);
        }
        if from.signs.len() != self.events.len() {
            return bad("the checkpoint has another number of events", from.signs.len() as f64);
        }
        if from.closed.len() != self.equations.state.closed.len() {
            return bad("the checkpoint is of another model, closures found", from.closed.len() as f64);
        }
        if let Some((closure, _)) = from.held.iter().find(|(closure, _)| *closure >= from.closed.len()) {
            return bad("the checkpoint holds a closure that the model does not have", *closure as f64);
        }
        if !from.start_energy.is_finite() {
            return bad("a checkpoint must be finite", from.start_energy);
        }
        self.check_units(from)?;
        self.restore_blocks_and_integrator(from)?;
        self.prescribe(&from.prescribed)?;
        self.equations.state.closed.copy_from_slice(&from.closed);
        hold_as(&mut self.equations.state, &from.held);
        self.sampled.closed.copy_from_slice(&from.closed);
        hold_as(&mut self.sampled, &from.held);
        self.equations.settle_closures();
        self.start = from.start_energy;
        for (event, sign) in self.events.iter_mut().zip(&from.signs) {
            event.sign = sign.signum();
        }
        if let Some(validity) = &mut self.validity {
            validity.restore(&from.departures);
        }
        self.settle();
        Ok(())
    }

    /// Both, or none of them.
    fn restore_blocks_and_integrator(&mut self, from: &SimulationCheckpoint) -> Result<(), IntegrationError> {
        let Some(network) = &mut self.equations.network else {
            if from.blocks.is_empty() {
                return self.integrator.restore(&from.integrator);
            }
            let reason = "the checkpoint is of a simulation with sampled blocks, numbers found";
            return Err(IntegrationError::BadRequest { reason, value: from.blocks.len() as f64 });
        };
        let before = network.save();
        let restored = match network.load(&from.blocks) {
            true => self.integrator.restore(&from.integrator),
            false => {
                let reason = "the checkpoint is of other sampled blocks, numbers found";
                Err(IntegrationError::BadRequest { reason, value: from.blocks.len() as f64 })
            }
        };
        if restored.is_err() {
            network.load(&before);
        }
        restored
    }

    /// Whether the quaternions of a checkpoint are of unit length: integrators rely on that.
    fn check_units(&self, from: &SimulationCheckpoint) -> Result<(), IntegrationError> {
        let Checkpoint { y, time, .. } = &from.integrator;
        if y.len() != self.y.len() || y.iter().any(|x| !x.is_finite()) {
            return Ok(()); // reported by the integrator
        }
        let ModelEquations { model, state, workspace, .. } = &self.equations;
        let mut state = state.clone();
        unpack(&mut state, y);
        hold_as(&mut state, &from.held);
        check::state(model, &state, workspace.stamp)
            .map_err(|source| IntegrationError::Dynamics { time: *time, source })
    }
}
