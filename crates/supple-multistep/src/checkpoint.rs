//! A multistep simulation laid aside.

use supple::integrate::{IntegrationError, Statistics};

/// Where a multistep simulation stands, without the history of its method: what goes on from here starts the method anew.
///
/// A run that lays itself aside calls [`restart`](crate::MultistepSimulation::restart) at the same time, so that the run that was interrupted
/// and the one that was not are the same, bit by bit.
#[derive(Clone, Debug, PartialEq)]
pub struct MultistepCheckpoint {
    /// Time reached.
    pub time: f64,
    /// State, the ledger with it.
    pub y: Vec<f64>,
    /// Total energy at the start.
    pub start_energy: f64,
    /// Whether the hinge of each body is prescribed.
    pub prescribed: Vec<bool>,
    /// Work done so far.
    pub statistics: Statistics,
}

impl MultistepCheckpoint {
    /// Whether it may be of a simulation with `size` numbers and `bodies` bodies.
    pub(crate) fn check(&self, size: usize, bodies: usize) -> Result<(), IntegrationError> {
        let bad = |reason, value| Err(IntegrationError::BadRequest { reason, value });
        if self.y.len() != size {
            return bad("the checkpoint is of another model, numbers found", self.y.len() as f64);
        }
        if self.prescribed.len() != bodies {
            return bad("the checkpoint is of another model, bodies found", self.prescribed.len() as f64);
        }
        match self.y.iter().chain([&self.time, &self.start_energy]).find(|x| !x.is_finite()) {
            Some(&value) => bad("a checkpoint must be finite", value),
            None => Ok(()),
        }
    }
}
