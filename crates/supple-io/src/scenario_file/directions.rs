//! Which hinges, closures, motors and quantities of a model turn, and which slide.

use supple::force::Port;
use supple::{BodyIndex, Constraint};

use crate::document::convert::{Directions, HingeSenses, closure_senses};
use crate::model_file::{self, ModelFile};

/// What hinges, closures, motors and quantities of a model are, by name: the units of their numbers depend on it.
pub(super) fn of(file: &ModelFile) -> Directions {
    let mut directions = Directions::default();
    let system = &file.system;
    // Names of hinges come before those of bodies.
    for body in &system.bodies {
        directions.hinges.insert(body.name.clone(), HingeSenses::of(&body.hinge.kind));
    }
    for body in &system.bodies {
        if let Some(name) = &body.hinge.name {
            directions.hinges.insert(name.clone(), HingeSenses::of(&body.hinge.kind));
        }
    }
    let sense = |body: BodyIndex, speed: usize| HingeSenses::of(&system.bodies[body.0].hinge.kind).speed(speed);
    for closure in &system.closures {
        let first = match &closure.constraint {
            Constraint::Coupling { hinges, .. } => hinges.first().and_then(|first| sense(first.body, first.speed)),
            _ => None,
        };
        let senses = closure_senses(model_file::closure_word(&closure.constraint), first);
        directions.closures.extend(closure.name.clone().map(|name| (name, senses)));
    }
    for element in system.forces.iter().filter(|element| element.as_law().has_input()) {
        let found = match element.ports.first() {
            Some(Port::Hinge { body, speed }) => sense(*body, *speed),
            Some(Port::Closure { closure, coordinate }) => {
                let name = system.closures.get(*closure).and_then(|closure| closure.name.as_ref());
                name.and_then(|name| directions.closures.get(name)?.get(*coordinate).copied())
            }
            _ => None,
        };
        directions.motors.extend(element.name.clone().zip(found));
    }
    directions.quantities = file.model.variables().into_iter().map(|variable| (variable.name, variable.unit)).collect();
    directions
}
