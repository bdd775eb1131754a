//! Strain feedback: the hinge gives way to the bending of its link, and so damps it.
//!
//! ```text
//! ε = h λ / l                 τ = gain ε + rate_gain ε̇
//! ```
//!
//! `λ` is the slope of a node about an axis of its body, `l` its distance from the hinge and `h` that of the gauge from the neutral axis: `ε` is the mean
//! strain of the fibre from the root to the node.

use super::kind::{Bound, Hinges, Input, Kind, Needs, Otherwise, Output, Parameter, Setting, SettingError, Takes};
use super::plant::Plant;
use supple::integrate::{Measured, Role, Sampled};
use supple::{BodyIndex, NodeIndex, kinematics};

struct StrainFeedback {
    plant: Plant,
    node: (BodyIndex, NodeIndex),
    axis: usize,
    /// Strain per slope.
    gauge: f64,
    gains: [f64; 2],
}

static PARAMETERS: [Parameter; 4] = [
    Parameter {
        key: "gain",
        takes: Takes::NumberOr(Bound::Any, 0.0),
        meaning: "effort for each unit of strain, N m; default: 0",
    },
    Parameter {
        key: "rate_gain",
        takes: Takes::NumberOr(Bound::Any, 0.0),
        meaning: "effort for each unit of its rate, N m s; above zero it damps; default: 0",
    },
    Parameter {
        key: "height",
        takes: Takes::Number(Bound::Positive),
        meaning: "distance of the gauge from the neutral axis, m",
    },
    Parameter {
        key: "bending",
        takes: Takes::Word(&[("about-z", "about the z axis of the body"), ("about-y", "about its y axis")]),
        meaning: "which bending is measured; default: about-z",
    },
];

/// Hinge coordinate and speed, as they are known.
pub(super) static KNOWN: [Input; 2] = [
    Input {
        key: "measured",
        otherwise: Otherwise::Coordinate,
        meaning: "coordinates; default: those of the hinges, without error",
    },
    Input {
        key: "measured_speed",
        otherwise: Otherwise::Speed,
        meaning: "speeds; default: those of the hinges, without error",
    },
];

/// The kind.
pub static KIND: Kind = Kind {
    name: "strain-feedback",
    role: Role::Controller,
    about: "effort from the mean strain of a link between its root and a node, and from its rate",
    parameters: &PARAMETERS,
    inputs: &KNOWN,
    outputs: &[
        Output { name: "effort", unit: "N m, N", meaning: "effort of the controller" },
        Output { name: "strain", unit: "1", meaning: "mean strain of the fibre from the root to the node" },
    ],
    hinges: Hinges::One,
    needs: Needs::Node,
    gives_states: false,
    make,
};

fn make(setting: &Setting) -> Result<Box<dyn Sampled>, SettingError> {
    let mut plant = Plant::new(setting)?;
    let Some((body, node)) = plant.own.node else {
        return Err(SettingError::new("node", "there is no node", "the node to which the gauge reaches"));
    };
    if plant.own.model.modes(body) == 0 {
        let what = format!("`{}` does not deform in the controller's model", plant.own.model.name(body));
        return Err(SettingError::new("body", what, "a body with modes, and `model = \"flexible\"`"));
    }
    let undeformed = kinematics(&plant.own.model, &plant.state, &mut plant.workspace)
        .map_err(|error| SettingError::new("model", format!("{error}"), "a model whose kinematics are finite"))?;
    let arm = undeformed.node_position(body, node) - undeformed.body_position(body);
    let length = arm.dot(arm).sqrt();
    if length == 0.0 {
        return Err(SettingError::new("node", "it is where the hinge is", "a node further along the body"));
    }
    let axis = if setting.word("bending", "about-z") == "about-y" { 1 } else { 2 };
    let gains = [setting.number_or("gain", 0.0)?, setting.number_or("rate_gain", 0.0)?];
    Ok(Box::new(StrainFeedback { plant, node: (body, node), axis, gauge: setting.positive("height")? / length, gains }))
}

impl Sampled for StrainFeedback {
    fn sample(&mut self, measured: &Measured<'_>, outputs: &mut [f64]) {
        let (coordinates, speeds) = measured.signals.split_at(1);
        self.plant.take(measured, coordinates, speeds);
        let Plant { own, state, workspace, .. } = &mut self.plant;
        let Ok(motion) = kinematics(&own.model, state, workspace) else { return outputs.fill(f64::NAN) };
        let strain = self.gauge * motion.node_deformation(self.node.0, self.node.1).angular[self.axis];
        let rate = self.gauge * motion.node_deformation_rate(self.node.0, self.node.1).angular[self.axis];
        outputs.copy_from_slice(&[self.gains[0] * strain + self.gains[1] * rate, strain]);
    }
}
