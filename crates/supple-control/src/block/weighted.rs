//! Correction with weights as a controller: efforts that give the hinges the accelerations wanted and a node a damped deformation, as far as
//! both can be had.
//!
//! ```text
//! β̇_d = that of computed torque          ü_d = -node_d u̇ - node_p u
//! ```
//!
//! `u` is the displacement of the node in its body, along the axes of the body. See [`WeightedCorrection`].

use super::computed_torque::{GAINS, MOTION, desire, gains};
use super::correction::{LAW, law_of};
use super::kind::{Bound, Hinges, Kind, Needs, Output, Parameter, Setting, SettingError, Takes};
use super::plant::Plant;
use crate::correction::{Target, TargetError, Weighted, WeightedCorrection};
use supple::integrate::{Measured, Role, Sampled};
use supple::{BodyIndex, NodeIndex, kinematics};

struct WeightedAccelerations {
    plant: Plant,
    gains: Vec<[f64; 2]>,
    node: (BodyIndex, NodeIndex),
    /// Axes of the node's body that have a weight.
    axes: Vec<usize>,
    /// Deformation to acceleration, rate of it to acceleration.
    node_gains: [f64; 2],
    correction: WeightedCorrection,
    /// Hinges, then axes of the node.
    desired: Vec<f64>,
}

static PARAMETERS: [Parameter; 8] = [
    GAINS[0],
    GAINS[1],
    Parameter {
        key: "node_weight",
        takes: Takes::Numbers,
        meaning: "weight of 1 m/s² of the node's deformation along the axes of its body, compared with 1 rad/s² of a hinge: three numbers, or one for all",
    },
    Parameter {
        key: "node_p",
        takes: Takes::NumberOr(Bound::NotNegative, 0.0),
        meaning: "acceleration against each displacement of the node in its body, 1/s²; default: 0",
    },
    Parameter {
        key: "node_d",
        takes: Takes::NumberOr(Bound::NotNegative, 0.0),
        meaning: "acceleration against each rate of the node in its body, 1/s; default: 0",
    },
    LAW[0],
    LAW[1],
    LAW[2],
];

/// The kind.
pub static KIND: Kind = Kind {
    name: "weighted-correction",
    role: Role::Controller,
    about: "efforts that give hinges the accelerations wanted and damp the deformation of a node, weighted: what cannot be had at once is shared",
    parameters: &PARAMETERS,
    inputs: &MOTION,
    outputs: &[
        Output { name: "effort", unit: "N m, N", meaning: "effort of the controller" },
        Output { name: "left", unit: "rad/s², m/s²", meaning: "acceleration of the hinge that is left to be wished" },
        Output {
            name: "node_left",
            unit: "m/s²",
            meaning: "greatest acceleration of the node that is left to be wished",
        },
    ],
    hinges: Hinges::Several,
    needs: Needs::Node,
    gives_states: false,
    make,
};

fn make(setting: &Setting) -> Result<Box<dyn Sampled>, SettingError> {
    let plant = Plant::new(setting)?;
    let Some((body, node)) = plant.own.node else {
        return Err(SettingError::new("node", "there is no node", "the node whose deformation is damped"));
    };
    let weights = setting.numbers("node_weight", 3)?;
    let (law, bounds) = law_of(setting)?;
    let actuators: Vec<usize> = plant.hinges.iter().map(|place| place.own[1]).collect();
    let hinges = actuators.iter().map(|speed| Weighted { target: Target::Hinge { speed: *speed }, weight: 1.0 });
    let axes: Vec<usize> = (0..3).filter(|axis| weights[*axis] != 0.0).collect();
    let of_node = axes
        .iter()
        .map(|axis| Weighted { target: Target::Node { body, node, component: 3 + axis }, weight: weights[*axis] });
    let targets: Vec<Weighted> = hinges.chain(of_node).collect();
    let correction = WeightedCorrection::new(&plant.own.model, &actuators, &targets, law, bounds).map_err(refused)?;
    let node_gains = [setting.not_negative_or("node_p", 0.0)?, setting.not_negative_or("node_d", 0.0)?];
    let desired = vec![0.0; targets.len()];
    let gains = gains(setting)?;
    Ok(Box::new(WeightedAccelerations { plant, gains, node: (body, node), axes, node_gains, correction, desired }))
}

fn refused(error: TargetError) -> SettingError {
    match error {
        TargetError::Weight { value } => {
            SettingError::new("node_weight", format!("a number is {value}"), "numbers not below zero")
        }
        TargetError::Rigid { name } => {
            let what = format!("`{name}` does not deform in the controller's model");
            SettingError::new("body", what, "a body with modes, and `model = \"flexible\"`")
        }
        other => SettingError::new("node", other.to_string(), "a node of a flexible body"),
    }
}

impl WeightedAccelerations {
    /// Writes what is desired of hinges and node.
    fn desire(&mut self, measured: &Measured<'_>) -> Option<()> {
        desire(&mut self.plant, &self.gains, measured);
        let Plant { own, state, inputs, workspace, hinges } = &mut self.plant;
        let (of_hinges, of_node) = self.desired.split_at_mut(hinges.len());
        for (desired, place) in of_hinges.iter_mut().zip(&*hinges) {
            *desired = inputs.accelerations[place.own[1]];
        }
        let motion = kinematics(&own.model, state, workspace).ok()?;
        let (u, u_dot) =
            (motion.node_deformation(self.node.0, self.node.1), motion.node_deformation_rate(self.node.0, self.node.1));
        let [p, d] = self.node_gains;
        for (desired, axis) in of_node.iter_mut().zip(&self.axes) {
            *desired = -p * u.linear[*axis] - d * u_dot.linear[*axis];
        }
        Some(())
    }
}

impl Sampled for WeightedAccelerations {
    fn sample(&mut self, measured: &Measured<'_>, outputs: &mut [f64]) {
        if self.desire(measured).is_none() {
            return outputs.fill(f64::NAN);
        }
        let Plant { own, state, inputs, workspace, hinges } = &mut self.plant;
        if self.correction.correct(&own.model, state, &self.desired, inputs, workspace).is_err() {
            return outputs.fill(f64::NAN);
        }
        let n = hinges.len();
        for (j, (place, left)) in hinges.iter().zip(self.correction.left()).enumerate() {
            outputs[j] = inputs.forces[place.own[1]];
            outputs[n + j] = left;
        }
        outputs[2 * n..].fill(self.correction.left().skip(n).map(f64::abs).fold(0.0, f64::max));
    }

    fn save(&self) -> Vec<f64> {
        self.plant.hinges.iter().map(|place| self.plant.inputs.forces[place.own[1]]).collect()
    }

    fn load(&mut self, from: &[f64]) -> bool {
        if from.len() != self.plant.hinges.len() {
            return false;
        }
        for (place, force) in self.plant.hinges.iter().zip(from) {
            self.plant.inputs.forces[place.own[1]] = *force;
        }
        true
    }
}
