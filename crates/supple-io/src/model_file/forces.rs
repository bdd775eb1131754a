//! From what a file says of hinges to force elements and motors of a system, and back.

use supple::force::{ForceElement, HingeDamping, HingeFriction, HingeSpring, HingeStops, Law, Port};
use supple::{Actuator, BodyIndex, System};

use super::WriteError;
use super::elements::{Friction, HingeTable, Motor, Spring, Stops};

/// Speed over which friction is smoothed where a file does not say: 1 mrad/s or 1 mm/s.
pub const FRICTION_SPEED: f64 = 1e-3;
/// Stiffness of stops where a file does not say, N m/rad or N/m: 100 N m turn, 100 N move the hinge by a thousandth into the stop.
pub const STOP_STIFFNESS: f64 = 1e5;
/// Damping of stops where a file does not say, s/rad or s/m: from 1 rad/s a hinge bounces back at 0.59 rad/s, slower ones keep more.
pub const STOP_DAMPING: f64 = 1.0;

/// What acts in the hinge of a body, in words: spring, damping, friction, stops, motor.
pub fn hinge_words(system: &System, body: BodyIndex) -> Vec<&'static str> {
    let here = |element: &&ForceElement| element.ports.iter().any(|port| is_hinge_of(port, body));
    let has = |is: fn(&ForceElement) -> bool| system.forces.iter().filter(here).any(is);
    let kinds = [
        ("spring", has(|e| e.law::<HingeSpring>().is_some())),
        ("damping", has(|e| e.law::<HingeDamping>().is_some())),
        ("friction", has(|e| e.law::<HingeFriction>().is_some())),
        ("stops", has(|e| e.law::<HingeStops>().is_some())),
        ("coupling", has(|e| e.law::<supple::force::HingeCoupling>().is_some())),
        ("motor", system.actuators.iter().any(|actuator| actuator.body == body)),
    ];
    kinds.iter().filter(|(_, present)| *present).map(|(kind, _)| *kind).collect()
}

fn is_hinge_of(port: &Port, of: BodyIndex) -> bool {
    matches!(port, Port::Hinge { body, .. } if *body == of)
}

/// Puts what a file says of the hinge of body `body` into the system, which has the body already.
pub(crate) fn put_into(system: &mut System, body: usize, table: &HingeTable) {
    let Some(told) = system.bodies.get(body) else { return };
    let speeds = told.hinge.kind.sizes().1;
    (0..speeds).for_each(|speed| system.forces.extend(of_speed(table, body, speed)));
    if let Some(motor) = &table.motor {
        let told = &system.bodies[body];
        let hinge = told.hinge.name.as_ref().unwrap_or(&told.name);
        let mut name = motor.name.clone().unwrap_or_else(|| hinge.clone());
        while motor.name.is_none() && system.actuators.iter().any(|actuator| actuator.name == name) {
            name += " motor";
        }
        system.actuators.push(Actuator {
            name,
            body: BodyIndex(body),
            speed: 0,
            gear_ratio: motor.gear_ratio,
            rotor_inertia: motor.rotor_inertia,
            effort_limit: motor.effort_limit,
            speed_limit: motor.speed_limit,
        });
    }
}

/// What acts in one speed.
fn of_speed(table: &HingeTable, body: usize, speed: usize) -> Vec<ForceElement> {
    fn at(law: impl Law + 'static, body: usize, speed: usize) -> ForceElement {
        ForceElement::new(law, [Port::Hinge { body: BodyIndex(body), speed }])
    }
    let damping = table.damping.get(speed).copied().filter(|damping| *damping > 0.0);
    let friction = table.friction.as_ref().and_then(|friction| {
        let force = *friction.level.get(speed)?;
        let speed = friction.transition_speed.unwrap_or(FRICTION_SPEED);
        (force > 0.0).then_some(HingeFriction { force, speed })
    });
    let spring = table.spring.as_ref().and_then(|spring| {
        let (stiffness, rest) = (*spring.stiffness.get(speed)?, *spring.rest.get(speed)?);
        (stiffness > 0.0).then_some(HingeSpring { stiffness, rest })
    });
    let stops = table.stops.as_ref().and_then(|stops| {
        Some(HingeStops {
            lower: *stops.lower.get(speed)?,
            upper: *stops.upper.get(speed)?,
            stiffness: stops.stiffness.unwrap_or(STOP_STIFFNESS),
            damping: stops.damping.unwrap_or(STOP_DAMPING),
        })
    });
    let mut elements = Vec::new();
    elements.extend(damping.map(|damping| at(HingeDamping { damping }, body, speed)));
    elements.extend(friction.map(|law| at(law, body, speed)));
    elements.extend(spring.map(|law| at(law, body, speed)));
    elements.extend(stops.map(|law| at(law, body, speed)));
    elements
}

/// The tables of the hinges that give the first elements of a system, and how many elements that are. Where no tables give just these in
/// their order, there are none: each element has a table of its own then.
pub(crate) fn tables_of(system: &System) -> (Vec<HingeTable>, usize) {
    let plain = |element: &&ForceElement| {
        let one = matches!(element.ports[..], [Port::Hinge { body, .. }] if body.0 < system.bodies.len());
        let law = element.law::<HingeSpring>().is_some()
            || element.law::<HingeDamping>().is_some()
            || element.law::<HingeFriction>().is_some()
            || element.law::<HingeStops>().is_some();
        one && law && element.name.is_none()
    };
    let count = system.forces.iter().take_while(plain).count();
    let mut tables = vec![HingeTable::default(); system.bodies.len()];
    for element in &system.forces[..count] {
        let [Port::Hinge { body, speed }] = element.ports[..] else { continue };
        let speeds = system.bodies[body.0].hinge.kind.sizes().1;
        if speed < speeds {
            note(&mut tables[body.0], element, speed, speeds);
        }
    }
    let mut again = System { bodies: system.bodies.clone(), ..System::default() };
    (0..tables.len()).for_each(|k| put_into(&mut again, k, &tables[k]));
    match again.forces == system.forces[..count] {
        true => (tables, count),
        false => (vec![HingeTable::default(); system.bodies.len()], 0),
    }
}

/// Writes an element into the table of its hinge.
fn note(table: &mut HingeTable, element: &ForceElement, speed: usize, speeds: usize) {
    if let Some(HingeDamping { damping }) = element.law() {
        table.damping.resize(speeds, 0.0);
        table.damping[speed] = *damping;
    } else if let Some(HingeFriction { force, speed: transition }) = element.law() {
        let nothing = || Friction { level: vec![0.0; speeds], transition_speed: Some(*transition) };
        table.friction.get_or_insert_with(nothing).level[speed] = *force;
    } else if let Some(HingeSpring { stiffness, rest }) = element.law() {
        let nothing = || Spring { stiffness: vec![0.0; speeds], rest: vec![0.0; speeds] };
        let spring = table.spring.get_or_insert_with(nothing);
        (spring.stiffness[speed], spring.rest[speed]) = (*stiffness, *rest);
    } else if let Some(HingeStops { lower, upper, stiffness, damping }) = element.law() {
        let nothing = || Stops {
            lower: vec![0.0; speeds],
            upper: vec![0.0; speeds],
            stiffness: Some(*stiffness),
            damping: Some(*damping),
        };
        let stops = table.stops.get_or_insert_with(nothing);
        (stops.lower[speed], stops.upper[speed]) = (*lower, *upper);
    }
}

/// The motor of a table from that of a system; it tells its name where that is not the one it gets without.
pub(crate) fn motor_of(system: &System, actuator: &Actuator) -> Motor {
    let body = &system.bodies[actuator.body.0];
    let own = body.hinge.name.as_ref().unwrap_or(&body.name);
    Motor {
        name: (actuator.name != *own).then(|| actuator.name.clone()),
        gear_ratio: actuator.gear_ratio,
        rotor_inertia: actuator.rotor_inertia,
        effort_limit: actuator.effort_limit,
        speed_limit: actuator.speed_limit,
    }
}

/// The motor of each body; one for each hinge of one speed is what a file can hold.
pub(crate) fn motors_of(system: &System) -> Result<Vec<Option<&Actuator>>, WriteError> {
    let mut motors = vec![None; system.bodies.len()];
    for actuator in &system.actuators {
        let cannot = |reason, remedy| Err(WriteError::Motor { motor: actuator.name.clone(), reason, remedy });
        let Some(body) = system.bodies.get(actuator.body.0) else {
            return cannot("it names a body that does not exist", "remove it");
        };
        if body.hinge.kind.sizes() != (1, 1) || actuator.speed != 0 {
            return cannot("a motor of a model file turns a hinge of one speed", "use rotor_inertia of the hinge");
        }
        if actuator.rotor_inertia != 0.0 && !body.hinge.rotor_inertia.is_empty() {
            return cannot("its hinge has a rotor inertia of its own", "add it to that of the motor");
        }
        if motors[actuator.body.0].replace(actuator).is_some() {
            return cannot("its hinge has another motor", "join them");
        }
    }
    Ok(motors)
}
