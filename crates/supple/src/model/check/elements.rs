//! Checks of force elements and actuators.

use super::super::closure::Constraint;
use super::super::description::{HingeKind, System};
use super::super::elements::acting;
use super::super::label::Acting;
use super::super::problem::Problem;
use super::super::{BodyIndex, NodeIndex};
use crate::force::{MOST_PORTS, Port, PortKind, Rule};

/// Everything that is wrong with the force elements and actuators.
pub(super) fn elements(system: &System, found: &mut Vec<Problem>) {
    for i in 0..system.forces.len() {
        ports(system, i, found);
        parameters(system, i, found);
    }
    for i in 0..system.actuators.len() {
        actuator(system, i, found);
    }
}

fn ports(system: &System, index: usize, found: &mut Vec<Problem>) {
    let element = &system.forces[index];
    let kinds = element.as_law().ports();
    let mut wrong = |port: usize, reason: String, remedy: &'static str| {
        found.push(Problem::ForcePort { element: acting(system, index), port, reason, remedy });
    };
    if element.ports.len() != kinds.len() {
        let reason = format!("it has {} port(s), its law needs {}", element.ports.len(), kinds.len());
        wrong(element.ports.len().min(kinds.len()), reason, "give it one port for each that the law lists");
        return;
    }
    let joined = element.ports.iter().position(|port| matches!(port, Port::Closure { .. }));
    if let Some(port) = joined.filter(|_| element.ports.len() > MOST_PORTS) {
        let reason = format!("an element at a closure has {} ports", element.ports.len());
        wrong(port, reason, "give elements at closures at most four ports");
    }
    for (i, (port, kind)) in element.ports.iter().zip(kinds).enumerate() {
        let sound = match (port, kind) {
            (Port::Hinge { body, speed }, PortKind::Coordinate | PortKind::Speed) => {
                hinge(system, *body, *speed, *kind == PortKind::Coordinate)
            }
            (Port::Node { body, node }, PortKind::Node) => node_exists(system, *body, *node),
            (Port::Ground { position }, PortKind::Node) if position.iter().all(|x| x.is_finite()) => Ok(()),
            (Port::Ground { position }, PortKind::Node) => {
                Err((format!("the position {position:?} is not finite"), "give three finite numbers"))
            }
            (Port::Body { body }, PortKind::Body) => body_exists(system, *body),
            (Port::EveryBody, PortKind::Body) => Ok(()),
            (Port::Closure { closure, coordinate }, PortKind::Coordinate | PortKind::Speed) => {
                closure_coordinate(system, *closure, *coordinate)
            }
            (port, kind) => {
                let needs = match kind {
                    PortKind::Coordinate | PortKind::Speed => "give it Port::Hinge or Port::Closure",
                    PortKind::Node => "give it Port::Node or Port::Ground",
                    PortKind::Body => "give it Port::Body or Port::EveryBody",
                };
                Err((format!("{port:?} is not what its law measures there"), needs))
            }
        };
        if let Err((reason, remedy)) = sound {
            wrong(i, reason, remedy);
        }
    }
}

pub(super) type Sound = Result<(), (String, &'static str)>;

fn body_exists(system: &System, body: BodyIndex) -> Sound {
    let bodies = system.bodies.len();
    let reason = || format!("there is no body number {}; the system has {bodies}", body.0);
    if body.0 < bodies { Ok(()) } else { Err((reason(), "name a body of the system")) }
}

fn closure_coordinate(system: &System, closure: usize, coordinate: usize) -> Sound {
    let count = system.closures.len();
    let Some(described) = system.closures.get(closure) else {
        return Err((
            format!("there is no closure number {closure}; the system has {count}"),
            "name a closure of the system",
        ));
    };
    let coordinates = match &described.constraint {
        Constraint::Joint { kind, .. } => kind.coordinates().len(),
        Constraint::Coupling { .. } => 0,
    };
    let reason = || format!("the closure has {coordinates} coordinate(s), there is no coordinate {coordinate}");
    let remedy = "take a closure with an axis or a plane, and a coordinate that it has";
    if coordinate < coordinates { Ok(()) } else { Err((reason(), remedy)) }
}

pub(super) fn node_exists(system: &System, body: BodyIndex, node: NodeIndex) -> Sound {
    body_exists(system, body)?;
    let owner = &system.bodies[body.0];
    let reason = || format!("body '{}' has {} node(s), there is no node {}", owner.name, owner.nodes.len(), node.0);
    if node.0 < owner.nodes.len() { Ok(()) } else { Err((reason(), "name a node of the body, or add one")) }
}

pub(super) fn hinge(system: &System, body: BodyIndex, speed: usize, needs_coordinate: bool) -> Sound {
    body_exists(system, body)?;
    let owner = &system.bodies[body.0];
    let speeds = owner.hinge.kind.sizes().1;
    if speed >= speeds {
        let reason = format!("the hinge of body '{}' has {speeds} speed(s), there is no speed {speed}", owner.name);
        return Err((reason, "name a direction in which the hinge moves"));
    }
    if needs_coordinate && matches!(owner.hinge.kind, HingeKind::Spherical | HingeKind::Free) {
        let reason =
            format!("the hinge of body '{}' turns by a quaternion: its directions have no coordinate", owner.name);
        return Err((reason, "use damping, a bushing between nodes, or a hinge of single axes"));
    }
    Ok(())
}

fn parameters(system: &System, index: usize, found: &mut Vec<Problem>) {
    let law = system.forces[index].as_law();
    let broken: Vec<Rule> = law.rules().into_iter().filter(|rule| !rule.holds).collect();
    let mut report = |quantity: &str, value: f64, rule: &'static str, remedy: &'static str| {
        let (element, quantity) = (acting(system, index), quantity.into());
        found.push(Problem::ForceParameter { element, quantity, value, rule, remedy });
    };
    for rule in &broken {
        report(rule.quantity, rule.value, rule.rule, rule.remedy);
    }
    if broken.is_empty() {
        for (i, value) in law.parameters().into_iter().enumerate().filter(|(_, value)| value.is_nan()) {
            report(&format!("parameter {i}"), value, "be a number", "give a number");
        }
    }
}

fn actuator(system: &System, index: usize, found: &mut Vec<Problem>) {
    let actuator = &system.actuators[index];
    let element = || {
        let body = system.bodies.get(actuator.body.0).map(|body| body.name.clone());
        Box::new(Acting { name: format!("actuator '{}'", actuator.name), index: None, body })
    };
    if actuator.name.is_empty() {
        let (reason, remedy) =
            (format!("actuator number {index} has an empty name"), "names identify motors in results");
        found.push(Problem::ForcePort { element: element(), port: 0, reason, remedy });
    }
    if let Err((reason, remedy)) = hinge(system, actuator.body, actuator.speed, false) {
        found.push(Problem::ForcePort { element: element(), port: 0, reason, remedy });
    }
    let reflected = actuator.reflected_inertia();
    let limits = [("effort limit", actuator.effort_limit), ("speed limit", actuator.speed_limit)];
    let mut rules = vec![
        Rule::finite("gear ratio", actuator.gear_ratio),
        Rule::finite("rotor inertia", actuator.rotor_inertia),
        Rule::not_negative("rotor inertia", actuator.rotor_inertia),
    ];
    if rules.iter().all(|rule| rule.holds) {
        rules.push(Rule::finite("reflected rotor inertia", reflected));
    }
    for (quantity, limit) in limits {
        rules.extend(limit.map(|limit| Rule::not_negative(quantity, limit)));
    }
    for Rule { quantity, value, rule, remedy, .. } in rules.into_iter().filter(|rule| !rule.holds) {
        let (element, quantity) = (element(), quantity.into());
        found.push(Problem::ForceParameter { element, quantity, value, rule, remedy });
    }
}
