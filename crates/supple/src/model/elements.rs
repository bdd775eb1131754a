//! Force elements and actuators of a description: from ports to places in a state, and from rotors to hinges.

use super::build_error::BuildError;
use super::builder::take;
use super::closing::axes_to_z;
use super::closure::{Constraint, Mount};
use super::description::{Parent, System};
use super::label::Acting;
use super::problem::Problem;
use super::topology::Topology;
use super::{BodyIndex, NodeIndex};
use crate::force::{ElementData, Elements, ForceElement, JointPort, Port, PortPlace, SeenPort};
use std::borrow::Cow;
use supple_spatial::{Matrix3, Vector3};

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
    let (mut list, mut inputs) = (Vec::new(), 0);
    for (i, element) in system.forces.iter().enumerate() {
        let every_body = element.ports.contains(&Port::EveryBody);
        let bodies = (0..system.bodies.len()).filter(|k| every_body && weighs(*k));
        let copies: Vec<usize> = if every_body { bodies.collect() } else { vec![0] };
        for body in copies {
            let (ports, seen) = places(system, top, element, body);
            let input = element.as_law().has_input().then(|| take(&mut inputs, 1).start);
            let made = ElementData::new(i, element, ports, seen, input);
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
        Port::Ground { .. } | Port::EveryBody | Port::Closure { .. } => None,
    });
    body.map(|body| body.name.as_str())
}

/// Where checked ports are, and how the law sees them if not so; `every` is the body that stands for every body.
fn places(
    system: &System,
    top: &Topology,
    element: &ForceElement,
    every: usize,
) -> (Vec<PortPlace<f64>>, Option<Vec<SeenPort<f64>>>) {
    let (mut ports, mut seen) = (Vec::new(), Vec::new());
    for port in &element.ports {
        let first = ports.len();
        let Port::Closure { closure, coordinate } = *port else {
            ports.push(place(top, *port, every));
            seen.push(SeenPort::Plain(first));
            continue;
        };
        let Constraint::Joint { kind, a, b } = &system.closures[closure].constraint else { continue };
        let (_, turns) = axes_to_z(kind);
        let frame = |mount: &Mount, turn: Matrix3<f64>| match mount.parent {
            // The point is where the frame is.
            Parent::Ground => (Vector3::ZERO, Matrix3(mount.rotation) * turn),
            Parent::Body(..) => (Vector3(mount.position), Matrix3(mount.rotation) * turn),
        };
        for mount in [a, b] {
            ports.push(match mount.parent {
                Parent::Ground => PortPlace::Ground(Vector3(mount.position)),
                Parent::Body(body, node) => place(top, Port::Node { body, node }, every),
            });
        }
        let frames = [frame(a, turns[0]), frame(b, turns[1])];
        let coordinate = kind.coordinates()[coordinate];
        seen.push(SeenPort::Joint(JointPort { closure, first, frames, coordinate }));
    }
    let joined = seen.iter().any(|port| matches!(port, SeenPort::Joint(_)));
    (ports, joined.then_some(seen))
}

/// The place of a port of the model.
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
        Port::Closure { .. } => unreachable!("two ports of the model"),
    }
}

/// The attitude state of a node, where it has one.
fn attitude(top: &Topology, body: BodyIndex, node: NodeIndex) -> Option<usize> {
    top.attitude_nodes.iter().position(|at| *at == (body, node))
}
