//! Feedback of a node's acceleration: the hinges resist it as if the node carried more mass.
//!
//! ```text
//! τ = -J* m ẍ
//! ```
//!
//! `ẍ` is the mean acceleration of the node since the last call, as an accelerometer that is read at the rate of the block gives it; `J` the Jacobian of the
//! node's position by the speeds of the hinges.

use super::kind::{Hinges, Kind, Needs, Output, Parameter, Setting, SettingError, Takes};
use super::plant::Plant;
use super::strain_feedback::KNOWN;
use supple::integrate::{Measured, Role, Sampled};
use supple::{BodyIndex, NodeIndex, node_jacobian};

struct AccelerationFeedback {
    plant: Plant,
    node: (BodyIndex, NodeIndex),
    mass: [f64; 3],
    period: f64,
    /// Velocity of the node at the last call.
    last: Option<[f64; 3]>,
    jacobian: Vec<f64>,
}

/// The kind.
pub static KIND: Kind = Kind {
    name: "acceleration-feedback",
    role: Role::Controller,
    about: "efforts against the acceleration of a node, as if it carried more mass: τ = -J* m ẍ",
    parameters: &[Parameter {
        key: "mass",
        takes: Takes::Numbers,
        meaning: "additional mass that the node seems to carry along the inertial axes, or one number for all, kg",
    }],
    inputs: &KNOWN,
    outputs: &[Output { name: "effort", unit: "N m, N", meaning: "effort of the controller" }],
    hinges: Hinges::Several,
    needs: Needs::Node,
    gives_states: false,
    make,
};

fn make(setting: &Setting) -> Result<Box<dyn Sampled>, SettingError> {
    let plant = Plant::new(setting)?;
    let Some(node) = plant.own.node else {
        return Err(SettingError::new("node", "there is no node", "the node that carries the accelerometer"));
    };
    let mass = setting.numbers("mass", 3)?;
    let jacobian = vec![0.0; 6 * plant.own.model.speed_count()];
    let mass = [mass[0], mass[1], mass[2]];
    Ok(Box::new(AccelerationFeedback { plant, node, mass, period: setting.period, last: None, jacobian }))
}

impl Sampled for AccelerationFeedback {
    fn sample(&mut self, measured: &Measured<'_>, outputs: &mut [f64]) {
        let (coordinates, speeds) = measured.signals.split_at(self.plant.hinges.len());
        self.plant.take(measured, coordinates, speeds);
        let Plant { own, state, workspace, hinges, .. } = &mut self.plant;
        if node_jacobian(&own.model, state, self.node, workspace, &mut self.jacobian).is_err() {
            return outputs.fill(f64::NAN);
        }
        let n = own.model.speed_count();
        let row = |axis: usize| &self.jacobian[(3 + axis) * n..(4 + axis) * n];
        let velocity = [0, 1, 2].map(|axis| row(axis).iter().zip(&state.speeds).map(|(j, u)| j * u).sum::<f64>());
        let before = self.last.replace(velocity).unwrap_or(velocity);
        let force: [f64; 3] =
            std::array::from_fn(|axis| -self.mass[axis] * (velocity[axis] - before[axis]) / self.period);
        for (output, place) in outputs.iter_mut().zip(hinges) {
            *output = (0..3).map(|axis| row(axis)[place.own[1]] * force[axis]).sum();
        }
    }

    fn save(&self) -> Vec<f64> {
        self.last.map_or(Vec::new(), Vec::from)
    }

    fn load(&mut self, from: &[f64]) -> bool {
        match *from {
            [] => self.last = None,
            [x, y, z] => self.last = Some([x, y, z]),
            _ => return false,
        }
        true
    }
}
