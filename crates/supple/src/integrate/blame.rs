//! Numbers that act and make any motion overflow: the cause of errors that look like the integrator's.

use super::error::IntegrationError;
use super::model_equations::ModelEquations;
use crate::inputs::Inputs;

/// Forces beyond this make any motion overflow.
const HUGE: f64 = 1e100;

impl ModelEquations {
    /// The cause of an error of the integrator, where that is a number that acts: what follows from it fails in many ways.
    pub fn blame(&self, error: IntegrationError) -> IntegrationError {
        let time = match &error {
            IntegrationError::StepUnderflow { time, .. }
            | IntegrationError::NotFinite { time, .. }
            | IntegrationError::NoConvergence { time, .. }
            | IntegrationError::StepTooLong { time, .. }
            | IntegrationError::Dynamics { time, .. } => *time,
            _ => return error,
        };
        let Inputs { forces, accelerations, wrenches, element_forces, .. } = &self.inputs;
        let huge = |x: &f64| x.is_finite() && x.abs() > HUGE;
        let all = [("forces", forces), ("accelerations", accelerations), ("element forces", element_forces)];
        for (quantity, numbers) in all {
            if let Some(index) = numbers.iter().position(huge) {
                return IntegrationError::HugeInput { time, quantity, index, value: numbers[index] };
            }
        }
        for (index, wrench) in wrenches.iter().enumerate() {
            if let Some(&value) = wrench.force.to_array().iter().find(|x| huge(x)) {
                return IntegrationError::HugeInput { time, quantity: "wrenches", index, value };
            }
        }
        error
    }
}
