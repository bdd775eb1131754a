//! Inputs and outputs of linear models by name.
//!
//! | input                                   | is                                                             |
//! |-----------------------------------------|----------------------------------------------------------------|
//! | `force.HINGE`                           | force in a hinge, N m or N                                     |
//! | `motor.NAME`                            | force of a motor, at its hinge                                 |
//! | `mode_force.BODY.NUMBER`                | force on a mode                                                |
//! | `wrench.BODY.NODE.force.x`, `.moment.x` | on a node, in inertial axes                                    |
//! | `acceleration.HINGE`                    | of a hinge that moves as prescribed                            |
//!
//! Each may begin with `input.`, as the model's own [variables](supple::Model::variables) do.
//!
//! | output                                             | is                                                  |
//! |----------------------------------------------------|-----------------------------------------------------|
//! | `hinge.`, `mode.`, `speed.`, `mode_speed.`, `acceleration.`, `mode_acceleration.` | coordinates and their rates |
//! | `node.BODY.NODE.x`, `.rx`, `.qx`                   | position, small rotation, attitude                  |
//! | `node.BODY.NODE.vx`, `.wx`, `.ax`, `.alphax`       | velocity, angular velocity, and their rates         |
//! | `deflection.BODY.NODE.x`                           | displacement by deformation, in body axes           |
//! | `strain.BODY.NODE.curvature_z`                     | strains of a beam                                   |
//! | `gyro.BODY.NODE.x`, `accelerometer.BODY.NODE.x`    | readings of inertial sensors, in node axes          |
//! | `force.HINGE`                                      | of the drive: an input, or what moves a locked hinge |
//! | `reaction.HINGE.force.x`, `wrench.BODY.NODE.force.x`, `closure.NAME.force.x` | wrenches, as the model's variables |
//! | `momentum.x`, `angular_momentum.x`, `centre_of_mass.x` | of the system                                   |
//!
//! `*` in a name stands for any number of characters.

use supple::model::{Variable, VariableKind};
use supple::{BodyIndex, ClosureHandle, HingeHandle, Model, NodeHandle, NodeIndex, nearest};

use crate::coordinates::Coordinates;
use crate::locks::matches;
use crate::{LinearError, Signal};

/// A node of a body.
pub(crate) type Place = (BodyIndex, NodeIndex);

/// What an input changes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Input {
    /// A generalized force, at a speed.
    Force(usize),
    /// A force of [`Inputs::element_forces`](supple::Inputs::element_forces).
    Element(usize),
    /// A component of a wrench on a node: moment, then force, in inertial axes.
    Wrench(Place, usize),
    /// The acceleration of a prescribed speed.
    Acceleration(usize),
}

/// What an output measures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Output {
    /// A variable of the model by its kind and place.
    Variable(VariableKind, usize),
    /// A tangent coordinate of a hinge with a quaternion.
    Displacement(usize),
    /// A number of the motion of a node.
    Node(Place, NodeMotion, usize),
    /// A component of the wrench of a hinge, in body axes.
    HingeWrench(HingeHandle, usize),
    /// A component of the wrench on a node, in body axes.
    NodeWrench(NodeHandle, usize),
    /// A component of the wrench of a closure on its frame `b`, in inertial axes.
    ClosureWrench(ClosureHandle, usize),
    /// The force of a coupling.
    ClosureForce(ClosureHandle),
}

/// Which of a node's motions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NodeMotion {
    Position,
    Rotation,
    Quaternion,
    Velocity,
    AngularVelocity,
    Acceleration,
    AngularAcceleration,
    Deflection,
    Strain,
    Gyro,
    Accelerometer,
}

/// A name with what it means.
type Known<S> = (Signal, S);

/// Every input that a model has.
pub(crate) fn inputs(model: &Model) -> Vec<Known<Input>> {
    let mut list = Vec::new();
    let mut add = |name: String, unit: &str, input: Input| list.push((Signal { name, unit: unit.into() }, input));
    let variables = model.variables();
    for Variable { name, unit, kind, index, .. } in &variables {
        match kind {
            VariableKind::HingeForceInput | VariableKind::ModalForceInput => {
                add(name.clone(), unit, Input::Force(*index))
            }
            VariableKind::HingeAccelerationInput => add(name.clone(), unit, Input::Acceleration(*index)),
            _ => {}
        }
    }
    for actuator in model.actuators() {
        let Ok(motor) = model.motor(&actuator.name) else { continue };
        let at = |v: &&Variable| v.kind == VariableKind::HingeForceInput && v.index == motor.speed();
        let unit = variables.iter().find(at).map_or("N m", |v| v.unit);
        add(format!("input.motor.{}", actuator.name), unit, Input::Force(motor.speed()));
    }
    let elements = model.forces().iter().filter(|element| element.as_law().has_input());
    for (i, element) in elements.enumerate() {
        let name = element.name.clone().unwrap_or_else(|| i.to_string());
        add(format!("input.motor.{name}"), "N m", Input::Element(i));
    }
    for (node, name) in nodes(model) {
        let place = (node.body(), node.node());
        for (component, (part, unit)) in wrench_parts().into_iter().enumerate() {
            add(format!("input.wrench.{name}.{part}"), unit, Input::Wrench(place, component));
        }
    }
    list
}

/// Every output that a model has.
pub(crate) fn outputs(model: &Model) -> Vec<Known<Output>> {
    use VariableKind as Kind;
    let (hinges, closures): (Vec<_>, Vec<_>) = (model.hinges().collect(), model.closure_handles().collect());
    let mut list = Vec::new();
    let mut add = |name: String, unit: &str, output: Output| list.push((Signal { name, unit: unit.into() }, output));
    for Variable { name, unit, kind, index, .. } in model.variables() {
        let output = match kind {
            Kind::HingeCoordinate
            | Kind::ModalCoordinate
            | Kind::HingeSpeed
            | Kind::ModalSpeed
            | Kind::HingeAcceleration
            | Kind::ModalAcceleration
            | Kind::DriveForce
            | Kind::Momentum => Some(Output::Variable(kind, index)),
            Kind::Reaction => hinges.get(index / 6).map(|hinge| Output::HingeWrench(*hinge, index % 6)),
            Kind::ClosureWrench => closures.get(index / 6).map(|closure| Output::ClosureWrench(*closure, index % 6)),
            Kind::ClosureForce => closures.get(index).map(|closure| Output::ClosureForce(*closure)),
            _ => None,
        };
        if let Some(output) = output {
            add(name, unit, output);
        }
    }
    let coordinates = Coordinates::of(model);
    for hinge in model.hinges().filter(|hinge| hinge.coordinates().len() != hinge.speeds().len()) {
        for i in hinge.speeds() {
            let Signal { name, unit } = coordinates.displacements[i].clone();
            add(name, &unit, Output::Displacement(i));
        }
    }
    for (node, name) in nodes(model) {
        let place = (node.body(), node.node());
        for (motion, prefix, endings, unit) in NODE_MOTIONS {
            for (i, ending) in endings.iter().enumerate() {
                add(format!("{prefix}.{name}.{ending}"), unit, Output::Node(place, motion, i));
            }
        }
        for variable in model.node_variables(node).into_iter().filter(|v| v.kind == Kind::Strain) {
            add(variable.name, variable.unit, Output::Node(place, NodeMotion::Strain, variable.index));
        }
        for (component, (part, unit)) in wrench_parts().into_iter().enumerate() {
            add(format!("wrench.{name}.{part}"), unit, Output::NodeWrench(node, component));
        }
    }
    list
}

/// Prefix, endings and unit of the motions of a node.
const NODE_MOTIONS: [(NodeMotion, &str, &[&str], &str); 10] = [
    (NodeMotion::Position, "node", &["x", "y", "z"], "m"),
    (NodeMotion::Rotation, "node", &["rx", "ry", "rz"], "rad"),
    (NodeMotion::Quaternion, "node", &["qx", "qy", "qz", "qw"], "1"),
    (NodeMotion::Velocity, "node", &["vx", "vy", "vz"], "m/s"),
    (NodeMotion::AngularVelocity, "node", &["wx", "wy", "wz"], "rad/s"),
    (NodeMotion::Acceleration, "node", &["ax", "ay", "az"], "m/s²"),
    (NodeMotion::AngularAcceleration, "node", &["alphax", "alphay", "alphaz"], "rad/s²"),
    (NodeMotion::Deflection, "deflection", &["x", "y", "z"], "m"),
    (NodeMotion::Gyro, "gyro", &["x", "y", "z"], "rad/s"),
    (NodeMotion::Accelerometer, "accelerometer", &["x", "y", "z"], "m/s²"),
];

/// Components of a wrench by name, with units.
fn wrench_parts() -> [(&'static str, &'static str); 6] {
    [
        ("moment.x", "N m"),
        ("moment.y", "N m"),
        ("moment.z", "N m"),
        ("force.x", "N"),
        ("force.y", "N"),
        ("force.z", "N"),
    ]
}

/// All nodes with their names.
pub(crate) fn nodes(model: &Model) -> Vec<(NodeHandle, String)> {
    let of = |body: BodyIndex| {
        let name = move |node| format!("{}.{}", model.name(body), model.node_name(node).unwrap_or_default());
        model.nodes_of(body).map(move |node| (node, name(node)))
    };
    model.body_indices().flat_map(of).collect()
}

/// The signals that names and patterns choose, in their order. Names are looked for as they are, then with `prefix` in front; of a pattern's signals,
/// those that `takes` declines are left out.
pub(crate) fn choose<S: Copy + PartialEq>(
    list: &'static str,
    prefix: &str,
    known: &[Known<S>],
    names: &[String],
    takes: impl Fn(S) -> bool,
) -> Result<Vec<Known<S>>, LinearError> {
    let mut chosen: Vec<Known<S>> = Vec::new();
    for name in names {
        let fits = |signal: &Signal| {
            matches(name, &signal.name) || signal.name.strip_prefix(prefix).is_some_and(|short| matches(name, short))
        };
        let pattern = name.contains('*');
        let found: Vec<&Known<S>> =
            known.iter().filter(|(signal, what)| fits(signal) && (!pattern || takes(*what))).collect();
        if found.is_empty() {
            return Err(unknown(list, prefix, known, name));
        }
        for signal in found {
            if !chosen.iter().any(|(other, _)| other.name == signal.0.name) {
                chosen.push(signal.clone());
            } else if !pattern {
                return Err(LinearError::RepeatedSignal { list, name: name.clone() });
            }
        }
    }
    Ok(chosen)
}

fn unknown<S>(list: &'static str, prefix: &str, known: &[Known<S>], name: &str) -> LinearError {
    let short = |(signal, _): &Known<S>| signal.name.strip_prefix(prefix).unwrap_or(&signal.name).to_owned();
    let names: Vec<String> = known.iter().map(short).collect();
    let asked = name.strip_prefix(prefix).unwrap_or(name);
    LinearError::UnknownSignal {
        list,
        name: name.into(),
        nearest: nearest(asked, names.iter().map(String::as_str)).map(Into::into),
        known: names.into_iter().take(6).collect(),
    }
}
