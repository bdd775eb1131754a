//! Limits of what drives and sampled blocks make act together: the motors of hinges.

use super::blocks::BlockIndex;
use super::error::IntegrationError;
use super::model_equations::ModelEquations;
use super::simulation::Simulation;
use crate::error::DynamicsError;

impl ModelEquations {
    /// Sets the limits of efforts.
    pub fn limit(&mut self, limits: &[(usize, f64)]) -> Result<(), IntegrationError> {
        for (speed, limit) in limits {
            if *speed >= self.state.speeds.len() {
                let reason = "efforts are limited at a speed that the model does not have";
                return Err(IntegrationError::BadRequest { reason, value: *speed as f64 });
            }
            if limit.is_nan() || *limit < 0.0 {
                return Err(IntegrationError::BadRequest {
                    reason: "a limit of efforts must not be negative",
                    value: *limit,
                });
            }
        }
        self.limits = limits.to_vec();
        Ok(())
    }
}

impl Simulation {
    /// Tells blocks what of their outputs is beyond the limits of efforts.
    pub(super) fn tell_limits(&mut self) -> Result<(), IntegrationError> {
        if self.equations.limits.is_empty() {
            return Ok(());
        }
        let time = self.equations.state.time;
        self.equations.drive_here().map_err(|source| IntegrationError::Dynamics { time, source })?;
        if let Some(network) = &mut self.equations.network {
            network.tell_limits(&self.equations.asked);
        }
        Ok(())
    }

    /// Limits what drive and sampled blocks together make act at some speeds: each with the greatest force, either way. Blocks are told what of
    /// their outputs is beyond it. To be set before [`set_blocks`](Self::set_blocks).
    ///
    /// # Errors
    /// [`IntegrationError::BadRequest`] for a speed that the model does not have, or a limit below zero; the old limits stay.
    pub fn limit_efforts(&mut self, limits: &[(usize, f64)]) -> Result<(), IntegrationError> {
        self.equations.limit(limits)?;
        if let Some(network) = &mut self.equations.network {
            network.limit(limits);
        }
        Ok(())
    }

    /// What drive and sampled blocks ask for at each speed in the state reached, before any [limit](Self::limit_efforts).
    ///
    /// # Errors
    /// A drive that writes inputs of another size.
    pub fn asked_efforts(&mut self) -> Result<&[f64], DynamicsError> {
        self.equations.drive_here()?;
        let Self { equations, .. } = self;
        Ok(if equations.limits.is_empty() { &equations.inputs.forces } else { &equations.asked })
    }

    /// The error that a sampled block integrates, where it does: zero when the loop is at rest.
    pub fn integrated_error(&self, block: BlockIndex) -> Option<f64> {
        self.equations.network.as_ref()?.integrated_error(block)
    }
}
