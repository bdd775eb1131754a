//! Impedance at a node: the hinges act as if a spring and a damper held the node where it is wanted.
//!
//! ```text
//! F = K (x_d - x) - C ẋ                τ = J* F
//! ```
//!
//! `J` is the Jacobian of the node's position by the speeds of the block's hinges.

use super::kind::{Hinges, Input, Kind, Needs, Otherwise, Output, Parameter, Setting, SettingError, Takes};
use super::plant::Plant;
use supple::integrate::{Measured, Role, Sampled};
use supple::{BodyIndex, NodeIndex, kinematics, node_jacobian};

struct Impedance {
    plant: Plant,
    node: (BodyIndex, NodeIndex),
    stiffness: [f64; 3],
    damping: [f64; 3],
    /// Axes whose place is not given: they stay where they start.
    holds: [bool; 3],
    start: [f64; 3],
    begun: bool,
    jacobian: Vec<f64>,
}

/// The kind.
pub static KIND: Kind = Kind {
    name: "impedance",
    role: Role::Controller,
    about: "a spring and a damper between a node and where it is wanted, by the efforts of the hinges: τ = J*(K(x_d - x) - C ẋ)",
    parameters: &[
        Parameter {
            key: "stiffness",
            takes: Takes::Numbers,
            meaning: "of the spring along the inertial axes, or one number for all, N/m",
        },
        Parameter {
            key: "damping",
            takes: Takes::Numbers,
            meaning: "of the damper along the inertial axes, or one number for all, N s/m",
        },
    ],
    inputs: &[
        Input {
            key: "x",
            otherwise: Otherwise::Place(0),
            meaning: "wanted x of the node, m; default: where it starts",
        },
        Input {
            key: "y",
            otherwise: Otherwise::Place(1),
            meaning: "wanted y of the node, m; default: where it starts",
        },
        Input {
            key: "z",
            otherwise: Otherwise::Place(2),
            meaning: "wanted z of the node, m; default: where it starts",
        },
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
    ],
    outputs: &[Output { name: "effort", unit: "N m, N", meaning: "effort of the controller" }],
    hinges: Hinges::Several,
    needs: Needs::Node,
    gives_states: false,
    make,
};

fn make(setting: &Setting) -> Result<Box<dyn Sampled>, SettingError> {
    let plant = Plant::new(setting)?;
    let Some(node) = plant.own.node else {
        return Err(SettingError::new("node", "there is no node", "the node that the spring holds"));
    };
    let three = |key: &'static str| -> Result<[f64; 3], SettingError> {
        let numbers = setting.numbers(key, 3)?;
        match numbers.iter().find(|x| **x < 0.0) {
            None => Ok([numbers[0], numbers[1], numbers[2]]),
            Some(x) => Err(SettingError::new(key, format!("a number is {x}"), "numbers not below zero")),
        }
    };
    let jacobian = vec![0.0; 6 * plant.own.model.speed_count()];
    Ok(Box::new(Impedance {
        node,
        stiffness: three("stiffness")?,
        damping: three("damping")?,
        holds: ["x", "y", "z"].map(|key| !setting.is_connected(key)),
        start: [0.0; 3],
        begun: false,
        jacobian,
        plant,
    }))
}

impl Sampled for Impedance {
    fn sample(&mut self, measured: &Measured<'_>, outputs: &mut [f64]) {
        let (wanted, rest) = measured.signals.split_at(3);
        let (coordinates, speeds) = rest.split_at(self.plant.hinges.len());
        self.plant.take(measured, coordinates, speeds);
        let Plant { own, state, workspace, hinges, .. } = &mut self.plant;
        let position =
            kinematics(&own.model, state, workspace).map(|found| found.node_position(self.node.0, self.node.1).0);
        let jacobian = node_jacobian(&own.model, state, self.node, workspace, &mut self.jacobian);
        let (Ok(position), Ok(())) = (position, jacobian) else { return outputs.fill(f64::NAN) };
        if !self.begun {
            (self.start, self.begun) = (position, true);
        }
        let n = own.model.speed_count();
        let row = |axis: usize| &self.jacobian[(3 + axis) * n..(4 + axis) * n];
        let force: [f64; 3] = std::array::from_fn(|axis| {
            let place = if self.holds[axis] { self.start[axis] } else { wanted[axis] };
            let speed: f64 = row(axis).iter().zip(&state.speeds).map(|(j, speed)| j * speed).sum();
            self.stiffness[axis] * (place - position[axis]) - self.damping[axis] * speed
        });
        for (output, place) in outputs.iter_mut().zip(hinges) {
            *output = (0..3).map(|axis| row(axis)[place.own[1]] * force[axis]).sum();
        }
    }

    fn save(&self) -> Vec<f64> {
        self.start.into_iter().chain([f64::from(u8::from(self.begun))]).collect()
    }

    fn load(&mut self, from: &[f64]) -> bool {
        let [x, y, z, begun] = from else { return false };
        (self.start, self.begun) = ([*x, *y, *z], *begun != 0.0);
        true
    }
}
