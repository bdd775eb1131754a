//! Steps that are computed elsewhere, by code generated for the model, in the place of those of a scheme.
//!
//! Everything around a step stays: sampled blocks at their instants, events, closures. The ledger is not integrated.

use super::equations::Equations;
use super::error::{Failure, IntegrationError};
use super::last_step::LastStep;
use super::model_equations::ModelEquations;
use super::settings::Stepping;
use super::simulation::Simulation;
use super::stepper::{Attempt, Reached, Stepper};
use crate::error::DynamicsError;
use crate::inputs::Inputs;
use crate::model::ModelStamp;
use crate::state::State;
use crate::step::copy;

/// A step of a model. Nothing is to be allocated after construction.
pub trait GivenStep {
    /// The model that it was made for.
    fn stamp(&self) -> ModelStamp;

    /// Writes coordinates, attitudes and speeds after a step of length `h` from `state`, with `inputs` held over it.
    ///
    /// # Errors
    /// A state in which it cannot be computed.
    fn step(&mut self, state: &State, inputs: &Inputs, h: f64, end: &mut [f64]) -> Result<(), DynamicsError>;
}

/// A given step, and from where it went last.
pub(super) struct Given {
    law: Box<dyn GivenStep + Send>,
    state: State,
    inputs: Inputs,
    /// What takes the steps while these do not, and the other way round.
    idle: Box<dyn Stepper>,
    is_at_work: bool,
}

impl Simulation {
    /// Takes fixed steps from elsewhere from here on: what the drive writes at the start of each is held over it. While
    /// [brakes](super::Block::brakes) are engaged, of which they do not know, the scheme takes the steps. The
    /// [ledger](Self::ledger) is not kept from then on.
    ///
    /// # Errors
    /// [`IntegrationError::BadRequest`] where steps are not fixed; steps of another model.
    pub fn set_step(&mut self, law: Box<dyn GivenStep + Send>) -> Result<(), IntegrationError> {
        if let Stepping::Adaptive(tolerance) = self.integrator.stepping {
            let reason = "steps from elsewhere have a fixed size, tolerance found";
            return Err(IntegrationError::BadRequest { reason, value: tolerance.relative });
        }
        let ModelEquations { model, state, inputs, given, .. } = &mut self.equations;
        if law.stamp() != model.stamp() {
            return Err(IntegrationError::Dynamics {
                time: state.time,
                source: DynamicsError::OtherModel { what: "step" },
            });
        }
        let (state, inputs) = (state.clone(), inputs.clone());
        let idle = std::mem::replace(&mut self.integrator.stepper, Box::new(GivenSteps));
        *given = Some(Box::new(Given { law, state, inputs, idle, is_at_work: true }));
        self.integrator.restart();
        Ok(())
    }

    /// Lets the scheme take the next step where brakes are engaged, and given steps otherwise.
    pub(super) fn choose_steps(&mut self) {
        let Some(given) = &mut self.equations.given else { return };
        let is_free = !self.equations.network.as_ref().is_some_and(|network| network.is_braking());
        if given.is_at_work != is_free {
            given.is_at_work = is_free;
            std::mem::swap(&mut self.integrator.stepper, &mut given.idle);
            self.integrator.restart();
        }
    }

    /// Whether the ledger is integrated with the motion.
    pub fn keeps_ledger(&self) -> bool {
        self.equations.given.is_none()
    }
}

impl ModelEquations {
    /// A step of `h` from `start`, or once more from where the last one began; writes coordinates, attitudes and speeds.
    pub fn take_given_step(
        &mut self,
        start: Option<(f64, &[f64])>,
        h: f64,
        end: &mut [f64],
    ) -> Result<(), DynamicsError> {
        let Some(mut given) = self.given.take() else { return Err(DynamicsError::OtherModel { what: "step" }) };
        let driven = start.map_or(Ok(()), |(t, y)| {
            self.drive_at(t, y)?;
            copy(&mut given.state, &self.state);
            given.inputs.copy_from(&self.inputs);
            Ok(())
        });
        let motion = end.len() - Self::ledger_size(&self.model);
        let Given { law, state, inputs, .. } = &mut *given;
        let done = driven.and_then(|()| law.step(state, inputs, h, &mut end[..motion]));
        self.given = Some(given);
        done
    }
}

/// The scheme that takes given steps.
struct GivenSteps;

impl Stepper for GivenSteps {
    fn attempt(&mut self, step: &mut Attempt<'_>, equations: &mut dyn Equations) -> Result<f64, Failure> {
        step.trial.copy_from_slice(step.y);
        equations.given_step(Some((step.time, step.y)), step.h, step.trial)?;
        Ok(0.0)
    }

    fn accept(&mut self, _: &LastStep, _: &Reached<'_>) -> Option<&[f64]> {
        None
    }

    fn estimate_order(&self) -> f64 {
        1.0
    }

    fn extends_by_rates(&self) -> bool {
        false
    }

    /// A shorter step from the same start.
    fn within(&mut self, x: f64, last: &LastStep, _: &[f64], equations: &mut dyn Equations, out: &mut [f64]) -> bool {
        out.copy_from_slice(&last.y);
        if equations.given_step(None, x * last.h, out).is_err() {
            // What cannot be computed is seen by whoever looks.
            out.fill(f64::NAN);
        }
        true
    }
}
