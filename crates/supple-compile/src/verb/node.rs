//! Kinematics of a node.

use super::NodeName;
use crate::program::Signal;
use crate::recorder::{RecordError, Recorder};
use supple::spatial::{Scalar, Traced};
use supple::{Model, NodeHandle, Workspace, generic};

const AXES: [&str; 3] = ["x", "y", "z"];
const MOTION: [(&str, &str); 2] = [("angular_velocity", "rad/s"), ("velocity", "m/s")];

fn handle(recorder: &Recorder<'_>, name: &NodeName) -> Result<NodeHandle, RecordError> {
    Ok(recorder.model.node(&name.body, &name.node)?)
}

pub(super) fn pose(model: &Model<Traced>, name: &NodeName, recorder: &mut Recorder<'_>) -> Result<(), RecordError> {
    let node = handle(recorder, name)?;
    let state = recorder.configuration(model);
    let mut workspace = Workspace::new(model);
    let kinematics = generic::kinematics(model, &state, &mut workspace)?;
    let position = kinematics.node_position(node.body(), node.node());
    let rotation = kinematics.node_attitude(node.body(), node.node());
    let prefix = format!("node.{}.{}", name.body, name.node);
    for (axis, x) in AXES.iter().zip(position.0) {
        recorder.output(Signal::new(format!("{prefix}.position.{axis}"), "m"), x);
    }
    for (row, entries) in AXES.iter().zip(rotation.0) {
        for (column, x) in AXES.iter().zip(entries) {
            recorder.output(Signal::new(format!("{prefix}.rotation.{row}{column}"), "1"), x);
        }
    }
    Ok(())
}

pub(super) fn velocity(model: &Model<Traced>, name: &NodeName, recorder: &mut Recorder<'_>) -> Result<(), RecordError> {
    let node = handle(recorder, name)?;
    let state = recorder.motion(model);
    let mut workspace = Workspace::new(model);
    let kinematics = generic::kinematics(model, &state, &mut workspace)?;
    let velocity = kinematics.node_velocity(node.body(), node.node()).to_array();
    for (signal, x) in components(name).into_iter().zip(velocity) {
        recorder.output(signal, x);
    }
    Ok(())
}

/// Names and units of angular velocity and velocity.
fn components(name: &NodeName) -> Vec<Signal> {
    let component = |(what, unit): (&str, &str), axis: &str| {
        Signal::new(format!("node.{}.{}.{what}.{axis}", name.body, name.node), unit)
    };
    MOTION.iter().flat_map(|what| AXES.iter().map(move |axis| component(*what, axis))).collect()
}

pub(super) fn jacobian(model: &Model<Traced>, name: &NodeName, recorder: &mut Recorder<'_>) -> Result<(), RecordError> {
    let node = handle(recorder, name)?;
    let state = recorder.configuration(model);
    let mut matrix = vec![Traced::ZERO; 6 * model.speed_count()];
    generic::node_jacobian(model, &state, (node.body(), node.node()), &mut Workspace::new(model), &mut matrix)?;
    let speeds = recorder.speeds();
    let signals = components(name).iter().flat_map(|row| speeds.iter().map(|column| row.per(column))).collect();
    recorder.list(signals, &matrix);
    Ok(())
}
