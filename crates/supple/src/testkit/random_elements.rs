//! Random force elements of every kind, and motors.

use super::Generator;
use crate::force::{
    Bushing, ConstantForce, FollowerForce, ForceElement, HingeCoupling, HingeDamping, HingeFriction, HingeSpring,
    HingeStops, PointMassField, Port, SpringDamper,
};
use crate::model::{Actuator, BodyIndex, HingeKind, NodeIndex, System};

/// Number of kinds of force elements in random systems.
pub const ELEMENT_KINDS: usize = 10;

/// Adds elements of every kind that the system can carry, once or twice each, and motors.
///
/// Moments follow the attitudes of bodies, which the options without orthogonal rotations do not have.
pub(super) fn add_elements(rng: &mut Generator, system: &mut System) {
    let mass: f64 = system.bodies.iter().flat_map(|body| &body.nodes).map(|node| node.mass).sum();
    let size = mass / system.bodies.len() as f64;
    let turns = system.elastic_rotation.is_orthogonal();
    for kind in 0..ELEMENT_KINDS {
        for _ in 0..1 + rng.below(2) {
            let element = element(rng, system, kind, size, turns);
            system.forces.extend(element);
        }
    }
    for k in 0..system.bodies.len() {
        let speeds = system.bodies[k].hinge.kind.sizes().1;
        if speeds > 0 && system.bodies[k].hinge.kind != HingeKind::Free && rng.chance(0.2) {
            system.actuators.push(Actuator {
                speed: rng.below(speeds),
                gear_ratio: rng.between(1.0, 5.0),
                rotor_inertia: 0.01 * size,
                ..Actuator::new(format!("motor {k}"), BodyIndex(k))
            });
        }
    }
}

fn element(rng: &mut Generator, system: &System, kind: usize, size: f64, turns: bool) -> Option<ForceElement> {
    let positive = |rng: &mut Generator| size * rng.between(0.5, 3.0);
    let three = |rng: &mut Generator| [positive(rng), positive(rng), positive(rng)];
    Some(match kind {
        0 => {
            let law = HingeSpring { stiffness: positive(rng), rest: rng.between(-1.0, 1.0) };
            ForceElement::new(law, [coordinate(rng, system)?])
        }
        1 => ForceElement::new(HingeDamping { damping: positive(rng) }, [speed(rng, system)?]),
        2 => {
            let law = HingeFriction { force: positive(rng), speed: rng.between(0.1, 1.0) };
            ForceElement::new(law, [speed(rng, system)?])
        }
        3 => {
            let (lower, upper) = (rng.between(-0.5, 0.0), rng.between(0.0, 0.5));
            let law = HingeStops { lower, upper, stiffness: 10.0 * size, damping: rng.between(0.0, 1.0) };
            ForceElement::new(law, [coordinate(rng, system)?])
        }
        4 => {
            let (ratio, offset) = (rng.between(-2.0, 2.0), rng.between(-1.0, 1.0));
            let law = HingeCoupling { ratio, offset, stiffness: positive(rng), damping: positive(rng) };
            ForceElement::new(law, [coordinate(rng, system)?, coordinate(rng, system)?])
        }
        5 => {
            let (length, preload) = (rng.between(0.0, 2.0), size * rng.between(-1.0, 1.0));
            let law = SpringDamper { length, stiffness: positive(rng), damping: positive(rng), preload };
            let (from, to) = (end(rng, system), node(rng, system));
            ForceElement::new(law, [apart(rng, from, to), to])
        }
        6 if turns => {
            let (stiffness, angular_stiffness) = (three(rng), three(rng));
            let (damping, angular_damping) = (three(rng), three(rng));
            let law = Bushing { stiffness, angular_stiffness, damping, angular_damping };
            let (from, to) = (node(rng, system), end(rng, system));
            ForceElement::new(law, [from, apart(rng, to, from)])
        }
        7 => {
            let moment = if turns { rng.vector(size) } else { [0.0; 3] };
            ForceElement::new(ConstantForce { force: rng.vector(size), moment }, [node(rng, system)])
        }
        8 if turns => {
            let law = FollowerForce { force: rng.vector(size), moment: rng.vector(size) };
            ForceElement::new(law, [node(rng, system)])
        }
        9 if turns => {
            let position = rng.direction().map(|x| 30.0 * x);
            let port = match rng.chance(0.5) {
                true => Port::EveryBody,
                false => Port::Body { body: BodyIndex(weighty(rng, system)) },
            };
            ForceElement::new(PointMassField { mu: rng.between(1e3, 1e4), position }, [port])
        }
        _ => return None,
    })
}

/// A body that has mass.
fn weighty(rng: &mut Generator, system: &System) -> usize {
    let has_mass = |k: &usize| system.bodies[*k].nodes.iter().any(|node| node.mass > 0.0);
    let bodies: Vec<usize> = (0..system.bodies.len()).filter(has_mass).collect();
    bodies[rng.below(bodies.len())]
}

/// A direction of a hinge, if there is one that fits.
fn hinge(rng: &mut Generator, system: &System, fits: impl Fn(&HingeKind) -> bool) -> Option<Port> {
    let hinges: Vec<usize> = (0..system.bodies.len()).filter(|k| fits(&system.bodies[*k].hinge.kind)).collect();
    let body = *hinges.get(rng.below(hinges.len().max(1)))?;
    Some(Port::Hinge { body: BodyIndex(body), speed: rng.below(system.bodies[body].hinge.kind.sizes().1) })
}

fn coordinate(rng: &mut Generator, system: &System) -> Option<Port> {
    hinge(rng, system, |kind| {
        let (coordinates, speeds) = kind.sizes();
        coordinates == speeds && speeds > 0
    })
}

fn speed(rng: &mut Generator, system: &System) -> Option<Port> {
    hinge(rng, system, |kind| kind.sizes().1 > 0)
}

fn node(rng: &mut Generator, system: &System) -> Port {
    let body = rng.below(system.bodies.len());
    Port::node(BodyIndex(body), NodeIndex(rng.below(system.bodies[body].nodes.len())))
}

/// An end that is not the other one.
fn apart(rng: &mut Generator, end: Port, other: Port) -> Port {
    let ground = Port::Ground { position: rng.vector(2.0) };
    if end == other { ground } else { end }
}

/// A node, or a point of the ground.
fn end(rng: &mut Generator, system: &System) -> Port {
    if rng.chance(0.3) { Port::Ground { position: rng.vector(2.0) } } else { node(rng, system) }
}
