//! What acts on a system, as callers give it: arrays, dictionaries by name, wrenches at nodes.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use supple::spatial::{Force, Vector3};
use supple::{Freedom, Inputs, Wrench, WrenchFrame};

use crate::arrays;
use crate::errors::{OrRaise, bad_argument};
use crate::model::Model;

/// Forces or accelerations of all speeds into `into`: nothing, an array, or a dictionary by the names of hinges and motors.
pub fn numbers(model: &Model, quantity: &str, from: Option<&Bound<'_, PyAny>>, into: &mut [f64]) -> PyResult<()> {
    let Some(from) = from else {
        into.fill(0.0);
        return Ok(());
    };
    let py = from.py();
    let Ok(named) = from.cast::<PyDict>() else { return arrays::read(py, quantity, from, into) };
    into.fill(0.0);
    for (name, value) in named.iter() {
        let name: String = name.extract()?;
        let engine = &model.engine;
        let speeds = match engine.motor(&name) {
            Ok(motor) => Freedom::from(motor).speeds(),
            Err(_) => engine.hinge(&name).or_raise(py)?.speeds(),
        };
        match value.extract::<f64>() {
            Ok(value) if speeds.len() == 1 => into[speeds.start] = value,
            _ => arrays::read(py, &format!("{quantity} of '{name}'"), &value, &mut into[speeds])?,
        }
    }
    Ok(())
}

/// Wrenches at nodes: a dictionary from `body.node` to moment and force, six numbers in inertial axes; or to a pair of those and "body" for body axes.
pub fn wrenches(model: &Model, from: Option<&Bound<'_, PyDict>>, inputs: &mut Inputs) -> PyResult<()> {
    inputs.wrenches.clear();
    for (name, value) in from.into_iter().flat_map(|named| named.iter()) {
        let py = name.py();
        let name: String = name.extract()?;
        let (body, node) = model.node_at(py, &name)?;
        let (value, frame) = match value.extract::<(Bound<'_, PyAny>, String)>() {
            Ok((value, frame)) => (value, frame_of(py, &frame)?),
            Err(_) => (value, WrenchFrame::Inertial),
        };
        let mut six = [0.0; 6];
        arrays::read(py, &format!("wrench at '{name}'"), &value, &mut six)?;
        let [a, b, c, d, e, f] = six;
        let force = Force::new(Vector3([a, b, c]), Vector3([d, e, f]));
        inputs.wrenches.push(Wrench { body, node, frame, force });
    }
    Ok(())
}

fn frame_of(py: Python<'_>, word: &str) -> PyResult<WrenchFrame> {
    match word {
        "inertial" => Ok(WrenchFrame::Inertial),
        "body" => Ok(WrenchFrame::Body),
        _ => Err(bad_argument(py, format!("unknown axes '{word}'"), "write \"inertial\" or \"body\"")),
    }
}

/// Hinges whose accelerations are prescribed: by name.
pub fn prescribed(model: &Model, names: &[String], py: Python<'_>, inputs: &mut Inputs) -> PyResult<()> {
    inputs.prescribed.fill(false);
    for name in names {
        inputs.prescribed[model.engine.hinge(name).or_raise(py)?.body().0] = true;
    }
    Ok(())
}
