//! Force elements and actuators of a description: from ports to places in a state, and from rotors to hinges.

use super::description::System;
use super::problem::{Acting, BuildError, Problem};
use super::topology::Topology;
use super::{BodyIndex, NodeIndex};
use crate::force::{ElementData, Elements, ForceElement, Port, PortPlace};
use std::borrow::Cow;
use supple_spatial::Vector3;

/// The system with the rotors of its actuators in its hinges.
pub(super) fn with_rotors(system: &System) -> Cow<'_, System> {
    let mut system = Cow::Borrowed(system);
    for i in 0..system.actuators.len() {
        let (body, speed) = (system.actuators[i].body.0, system.actuators[i].speed);
        let inertia = system.actuators[i].reflected_inertia();
        if inertia != 0.0 {
            let hinge = &mut system.to_mut().bodies[body].hinge;
            hinge.rotor_inertia.resize(hinge.kind.sizes().1, 0.0);
            hinge.rotor_inertia[speed] += inertia;
        }
    }
    system
}

/// The elements of a checked system, with their places. `weighs` tells which bodies have mass.
pub(super) fn elements(
    system: &System,
    top: &Topology,
    weighs: impl Fn(usize) -> bool,
) -> Result<Elements<f64>, BuildError> {
    let mut list = Vec::new();
    for (i, element) in system.forces.iter().enumerate() {
        let every_body = element.ports.contains(&Port::EveryBody);
        let bodies = (0..system.bodies.len()).filter(|k| every_body && weighs(*k));
        let copies: Vec<usize> = if every_body { bodies.collect() } else { vec![0] };
        for body in copies {
            let ports = element.ports.iter().map(|port| place(top, *port, body)).collect();
            let made = ElementData::new(i, element, ports);
            list.push(made.map_err(|error| {
                BuildError::new(vec![Problem::ForcePort {
                    element: acting(system, i),
                    port: 0,
                    reason: error.to_string(),
                    remedy: "make its law with the macro force_element!",
                }])
            })?);
        }
    }
    Ok(Elements::new(list))
}

/// The element that a finding is about.
pub(super) fn acting(system: &System, index: usize) -> Box<Acting> {
    let body = body_of(system, &system.forces[index]).map(str::to_owned);
    Box::new(Acting { name: called(system, index), index: Some(index), body })
}

/// How messages call an element: by its name, or by its number and kind.
fn called(system: &System, index: usize) -> String {
    let element: &ForceElement = &system.forces[index];
    let kind = element.as_law().name();
    match &element.name {
        Some(name) => format!("{kind} '{name}'"),
        None => {
            let of = body_of(system, element).map_or(String::new(), |body| format!(" of body '{body}'"));
            format!("force element {index}, {kind}{of}")
        }
    }
}

/// The body of the first port that has one, by name.
fn body_of<'s>(system: &'s System, element: &ForceElement) -> Option<&'s str> {
    let body = element.ports.iter().find_map(|port| match port {
        Port::Hinge { body, .. } | Port::Node { body, .. } | Port::Body { body } => system.bodies.get(body.0),
        Port::Ground { .. } | Port::EveryBody => None,
    });
    body.map(|body| body.name.as_str())
}

/// Where a checked port is; `every` is the body that stands for every body.
fn place(top: &Topology, port: Port, every: usize) -> PortPlace<f64> {
    match port {
        Port::Hinge { body, speed } => {
            let body = &top.bodies[body.0];
            let single = body.theta().len() == body.beta().len();
            PortPlace::Hinge {
                coordinate: single.then(|| body.theta().start + speed),
                speed: body.beta().start + speed,
            }
        }
        Port::Node { body, node } => {
            PortPlace::Node { body: body.0, node: node.0, attitude: attitude(top, body, node) }
        }
        Port::Ground { position } => PortPlace::Ground(Vector3(position)),
        Port::Body { body } => PortPlace::Body(body.0),
        Port::EveryBody => PortPlace::Body(every),
    }
}

/// The attitude state of a node, where it has one.
fn attitude(top: &Topology, body: BodyIndex, node: NodeIndex) -> Option<usize> {
    top.attitude_nodes.iter().position(|at| *at == (body, node))
}
