//! Computed torque: the efforts that give the hinges the accelerations wanted, on the model of the controller.
//!
//! ```text
//! β̇_d = reference_acceleration + d (reference_speed - measured_speed) + p (reference - measured)
//! ```
//!
//! Hybrid dynamics of the controller's model gives the efforts in O(bodies), with its modes and other hinges free. On the rigid model
//! this is computed torque as for rigid arms; on the flexible one it inverts the hinges with their modes as they are.

use super::kind::{Bound, Hinges, Input, Kind, Needs, Otherwise, Output, Parameter, Setting, SettingError, Takes};
use super::plant::Plant;
use supple::hybrid_dynamics;
use supple::integrate::{Measured, Role, Sampled};

struct ComputedTorque {
    plant: Plant,
    gains: Vec<[f64; 2]>,
}

/// Gains of acceleration, as of a unit mass.
pub(super) static GAINS: [Parameter; 2] = [
    Parameter {
        key: "p",
        takes: Takes::NumberOr(Bound::NotNegative, 0.0),
        meaning: "acceleration for each error of the coordinate, 1/s²; default: 0",
    },
    Parameter {
        key: "d",
        takes: Takes::NumberOr(Bound::NotNegative, 0.0),
        meaning: "acceleration for each error of the speed, 1/s; default: 0",
    },
];

/// Desired and measured motion of each hinge.
pub(super) static MOTION: [Input; 5] = [
    Input { key: "reference", otherwise: Otherwise::Number(0.0), meaning: "desired coordinates; default: 0" },
    Input {
        key: "measured",
        otherwise: Otherwise::Coordinate,
        meaning: "coordinates; default: those of the hinges, without error",
    },
    Input {
        key: "reference_speed",
        otherwise: Otherwise::Number(0.0),
        meaning: "desired speeds; default: those of `reference`, or 0",
    },
    Input {
        key: "measured_speed",
        otherwise: Otherwise::Speed,
        meaning: "speeds; default: those of the hinges, without error",
    },
    Input {
        key: "reference_acceleration",
        otherwise: Otherwise::Number(0.0),
        meaning: "desired accelerations; default: those of `reference`, or 0",
    },
];

/// The kind.
pub static KIND: Kind = Kind {
    name: "computed-torque",
    role: Role::Controller,
    about: "efforts that give the hinges the accelerations wanted, on the rigid or the flexible model of the controller",
    parameters: &GAINS,
    inputs: &MOTION,
    outputs: &[Output { name: "effort", unit: "N m, N", meaning: "effort of the controller" }],
    hinges: Hinges::Several,
    needs: Needs::Model,
    gives_states: false,
    make,
};

fn make(setting: &Setting) -> Result<Box<dyn Sampled>, SettingError> {
    let mut plant = Plant::new(setting)?;
    plant.prescribe();
    Ok(Box::new(ComputedTorque { gains: gains(setting)?, plant }))
}

/// `p` and `d` of each hinge.
pub(super) fn gains(setting: &Setting) -> Result<Vec<[f64; 2]>, SettingError> {
    let each = [setting.not_negative_or("p", 0.0)?, setting.not_negative_or("d", 0.0)?];
    Ok(vec![each; setting.hinges.len()])
}

/// Takes the state of an instant, and writes the accelerations wanted into the inputs of the model.
pub(super) fn desire(plant: &mut Plant, gains: &[[f64; 2]], measured: &Measured<'_>) {
    let n = plant.hinges.len();
    let part = |i: usize| &measured.signals[i * n..(i + 1) * n];
    let [reference, coordinate, reference_speed, speed, acceleration] = [0, 1, 2, 3, 4].map(part);
    plant.take(measured, coordinate, speed);
    for (j, place) in plant.hinges.iter().enumerate() {
        let [p, d] = gains[j];
        let wanted = acceleration[j] + d * (reference_speed[j] - speed[j]) + p * (reference[j] - coordinate[j]);
        plant.inputs.accelerations[place.own[1]] = wanted;
    }
}

impl Sampled for ComputedTorque {
    fn sample(&mut self, measured: &Measured<'_>, outputs: &mut [f64]) {
        desire(&mut self.plant, &self.gains, measured);
        let Plant { own, state, inputs, workspace, hinges } = &mut self.plant;
        let solution = hybrid_dynamics(&own.model, state, inputs, workspace);
        for (output, place) in outputs.iter_mut().zip(hinges) {
            *output = solution.as_ref().map_or(f64::NAN, |solution| solution.forces()[place.own[1]]);
        }
    }
}
