//! Requests to close, hold and open closures: of sampled blocks at their instants, and of events.

use super::error::IntegrationError;
use super::simulation::Simulation;
use crate::closure::Impact;
use crate::error::DynamicsError;
use crate::model::{ClosureHandle, Model};

/// What is asked of a closure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Request {
    /// To close where the model says, see [`Simulation::close`].
    Close {
        /// The closure.
        closure: ClosureHandle,
        /// Coefficient of restitution, from 0 to 1.
        restitution: f64,
    },
    /// To close with its frames where they are, see [`Simulation::hold`].
    Hold {
        /// The closure.
        closure: ClosureHandle,
    },
    /// To open, see [`Simulation::open`].
    Open {
        /// The closure.
        closure: ClosureHandle,
    },
}

/// A request that was carried out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Switched {
    /// When.
    pub time: f64,
    /// What was asked for.
    pub request: Request,
    /// What it did to the speeds; none where the closure opened.
    pub impact: Option<Impact>,
}

impl Request {
    /// The closure.
    pub fn closure(self) -> ClosureHandle {
        match self {
            Self::Close { closure, .. } | Self::Hold { closure } | Self::Open { closure } => closure,
        }
    }

    /// As numbers of a checkpoint.
    pub(super) fn save(self) -> [f64; 3] {
        let (kind, restitution) = match self {
            Self::Close { restitution, .. } => (0.0, restitution),
            Self::Hold { .. } => (1.0, 0.0),
            Self::Open { .. } => (2.0, 0.0),
        };
        [kind, self.closure().closure() as f64, restitution]
    }

    /// From the numbers of a checkpoint; none where they are no request of this model.
    pub(super) fn load([kind, closure, restitution]: [f64; 3], closures: &[ClosureHandle]) -> Option<Self> {
        let closure = closures.iter().copied().find(|known| known.closure() as f64 == closure)?;
        Some(match kind {
            0.0 if (0.0..=1.0).contains(&restitution) => Self::Close { closure, restitution },
            1.0 => Self::Hold { closure },
            2.0 => Self::Open { closure },
            _ => return None,
        })
    }

    pub(super) fn check(self, model: &Model) -> Result<(), DynamicsError> {
        if self.closure().stamp() != model.stamp() {
            return Err(DynamicsError::OtherModel { what: "closure" });
        }
        match self {
            Self::Close { restitution, .. } if !(0.0..=1.0).contains(&restitution) => {
                Err(DynamicsError::Restitution { value: restitution })
            }
            _ => Ok(()),
        }
    }

    /// Whether closures that are `closed` are as it wants them.
    fn is_met(self, closed: &[bool]) -> bool {
        closed[self.closure().closure()] != matches!(self, Self::Open { .. })
    }
}

impl Simulation {
    /// Carries out requests here and now: closures open first, then others are held, then others close, each group in the order given. So
    /// the speeds jump by the balance of momentum with the closures that act afterwards, and with no other. What is so already stays so.
    ///
    /// # Errors
    /// As [`close`](Self::close), [`hold`](Self::hold) and [`open`](Self::open). Nothing is changed where a closure belongs to another
    /// model or a restitution is out of range.
    pub fn switch(&mut self, requests: &[Request]) -> Result<(), IntegrationError> {
        let time = self.integrator.time();
        for request in requests {
            request.check(&self.equations.model).map_err(|source| IntegrationError::Dynamics { time, source })?;
        }
        for group in 0..3 {
            for &request in requests {
                let own = match request {
                    Request::Open { .. } => 0,
                    Request::Hold { .. } => 1,
                    Request::Close { .. } => 2,
                };
                if own != group || request.is_met(&self.equations.state.closed) {
                    continue;
                }
                let impact = match request {
                    Request::Open { closure } => self.open(closure).map(|()| None),
                    Request::Hold { closure } => self.hold(closure).map(Some),
                    Request::Close { closure, restitution } => self.close(closure, restitution).map(Some),
                }?;
                self.switched.push(Switched { time, request, impact });
            }
        }
        Ok(())
    }

    /// Requests that were carried out so far, those of [sampled blocks](super::Sampled::ask) and of [`switch`](Self::switch), in the order of
    /// time.
    pub fn switched(&self) -> &[Switched] {
        &self.switched
    }

    /// Forgets the requests so far, so that a long run need not keep them all.
    pub fn clear_switched(&mut self) {
        self.switched.clear();
    }

    /// After a rebound at an event: its function goes back to the side that it came from, which is no crossing.
    pub fn turn_back(&mut self, event: usize) {
        if let Some(event) = self.events.get_mut(event) {
            event.sign = -event.sign;
        }
    }
}
