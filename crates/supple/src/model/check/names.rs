//! Names that are empty or used twice.

use super::super::description::System;
use super::super::problem::Problem;
use std::collections::HashSet;

/// Names of bodies, hinges, nodes, force elements, actuators and closures.
pub(super) fn names(system: &System, found: &mut Vec<Problem>) {
    let (mut bodies, mut hinges) = (HashSet::new(), HashSet::new());
    for (k, body) in system.bodies.iter().enumerate() {
        if body.name.is_empty() {
            found.push(Problem::EmptyName { body: k });
        } else if !bodies.insert(&body.name) {
            found.push(Problem::DuplicateName { kind: "body".into(), name: body.name.clone() });
        }
        if let Some(name) = &body.hinge.name
            && !hinges.insert(name)
        {
            found.push(Problem::DuplicateName { kind: "hinge".into(), name: name.clone() });
        }
        let mut nodes = HashSet::new();
        for name in body.nodes.iter().filter_map(|n| n.name.as_ref()) {
            if !nodes.insert(name) {
                let kind = format!("node of body '{}':", body.name);
                found.push(Problem::DuplicateName { kind, name: name.clone() });
            }
        }
    }
    let forces = system.forces.iter().filter_map(|f| Some(("force element", f.name.as_ref()?)));
    let actuators = system.actuators.iter().map(|a| ("actuator", &a.name));
    let closures = system.closures.iter().filter_map(|c| Some(("closure", c.name.as_ref()?)));
    let mut taken = HashSet::new();
    for (kind, name) in forces.chain(actuators).chain(closures) {
        if !taken.insert((kind, name)) {
            found.push(Problem::DuplicateName { kind: kind.into(), name: name.clone() });
        }
    }
}
