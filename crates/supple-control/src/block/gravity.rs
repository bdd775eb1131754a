//! Gravity compensation: the efforts that hold the plant at rest where it is.

use super::kind::{Hinges, Input, Kind, Needs, Otherwise, Output, Setting, SettingError};
use super::plant::Plant;
use supple::integrate::{Measured, Role, Sampled};
use supple::inverse_dynamics;

struct Gravity(Plant);

/// The kind.
pub static KIND: Kind = Kind {
    name: "gravity-compensation",
    role: Role::Controller,
    about: "efforts that hold the plant at rest where it is: gravity and springs, by inverse dynamics of the controller's model",
    parameters: &[],
    inputs: &[Input {
        key: "measured",
        otherwise: Otherwise::Coordinate,
        meaning: "coordinates; default: those of the hinges, without error",
    }],
    outputs: &[Output { name: "effort", unit: "N m, N", meaning: "effort that holds" }],
    hinges: Hinges::Several,
    needs: Needs::Model,
    gives_states: false,
    make,
};

fn make(setting: &Setting) -> Result<Box<dyn Sampled>, SettingError> {
    Ok(Box::new(Gravity(Plant::new(setting)?)))
}

impl Sampled for Gravity {
    fn sample(&mut self, measured: &Measured<'_>, outputs: &mut [f64]) {
        let plant = &mut self.0;
        plant.take(measured, measured.signals, &[]);
        plant.state.speeds.fill(0.0);
        let solution = inverse_dynamics(&plant.own.model, &plant.state, &plant.inputs, &mut plant.workspace);
        for (output, place) in outputs.iter_mut().zip(&plant.hinges) {
            // What is not finite is reported by the network, with the name of the block.
            *output = solution.as_ref().map_or(f64::NAN, |solution| solution.forces()[place.own[1]]);
        }
    }
}
