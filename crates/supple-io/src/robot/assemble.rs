//! From links and joints to bodies and hinges.

use std::collections::{HashMap, HashSet};

use supple::{Body, BodyIndex, Closure, Hinge, HingeKind, Model, Node, NodeIndex, Parent, Problem, System};

use super::mimics;
use super::reading::Reading;
use super::side_file::{FlexibleLink, SideFile};
use super::text::{Link, RobotText};
use super::ties;
use super::tree::Order;
use super::{Options, Root};
use crate::model_file::BeamLine;
use crate::model_file::accepted;
use crate::model_file::elements::HingeTable;
use crate::model_file::forces;
use crate::model_file::geometry::{inertia_at_origin, turn, turn_inertia};
use crate::model_file::modal::FlexibleParts;
use crate::model_file::problem_place::{Part, all_problems, place};
use crate::source::Rule;

/// How many fixed joints an impossible inertia may be moved inboard.
const MAX_ROUNDS: usize = 32;

/// The system of a robot, with what acts in its joints.
pub(crate) fn assemble(robot: &RobotText, order: &Order, side: &SideFile, options: &Options) -> System {
    let mut places = vec![0; robot.links.len()];
    order.iter().enumerate().for_each(|(at, (link, _))| places[*link] = at);
    let links: HashMap<&str, usize> = robot.links.iter().enumerate().map(|(k, link)| (link.name.as_str(), k)).collect();
    let (mut bodies, mut elements) = (Vec::with_capacity(order.len()), Vec::new());
    for (link, joint) in order {
        let (parent, hinge) = match joint.map(|j| (j, &robot.joints[j])) {
            None if !robot.has_world && side.root(options) == Root::Free => {
                (Parent::Ground, Hinge::new(HingeKind::Free))
            }
            None => (Parent::Ground, Hinge::new(HingeKind::Fixed)),
            Some((j, told)) => {
                let carrier = links.get(told.parent.0.as_str()).copied().unwrap_or_default();
                let (node, position) = match side.flexible.get(&carrier) {
                    None => (NodeIndex(0), told.position),
                    Some(flexible) => carrying_node(flexible, Some(j), told.position),
                };
                let hinge = Hinge::new(told.kind.clone()).at(position).turned(told.rotation);
                let in_side = side.elements.get(&j);
                let in_side_rotor = in_side.map(|side| &side.rotor_inertia).filter(|rotor| !rotor.is_empty());
                let hinge = hinge.driven(in_side_rotor.unwrap_or(&told.rotor_inertia).clone());
                let acting = merged(&told.elements, in_side.map(|side| &side.elements));
                elements.push((bodies.len(), acting));
                let parent = Parent::Body(BodyIndex(places[carrier]), node);
                (parent, Hinge { name: Some(told.name.clone()), ..hinge })
            }
        };
        bodies.push(body(&robot.links[*link], side.flexible.get(link), parent, hinge));
    }
    let mut system = System {
        gravity: side.gravity.or(robot.gravity).unwrap_or(options.gravity),
        elastic_rotation: side.elastic_rotation,
        inertia: side.convention,
        accepted_inertia: side.accepted.clone(),
        bodies,
        ..System::default()
    };
    elements.iter().for_each(|(body, table)| forces::put_into(&mut system, *body, table));
    system.closures = mimics::closures(robot, order);
    system.closures.extend(ties::closures(robot, order, side));
    system.closures.extend(side.closures.iter().map(|(closure, _)| closure.clone()));
    system
}

/// Where the beams of a robot lie, bodies in the order of the system.
pub(crate) fn beams(order: &Order, side: &SideFile) -> Vec<BeamLine> {
    let line = |(body, (link, _)): (usize, &(usize, Option<usize>))| {
        let told = side.flexible.get(link)?.parts.line.clone()?;
        Some(BeamLine { body, ..told })
    };
    order.iter().enumerate().filter_map(line).collect()
}

fn body(link: &Link, flexible: Option<&FlexibleLink>, parent: Parent, hinge: Hinge) -> Body {
    let Some(FlexibleLink { parts, .. }) = flexible else {
        let mut body = Body::rigid(&link.name, parent, hinge, link.mass, link.mass_centre, link.inertia);
        body.nodes.extend(link.markers.iter().cloned());
        return body;
    };
    let FlexibleParts { nodes, modes, inboard, modal_inertia, .. } = parts.clone();
    Body { inboard_node: inboard, nodes, modes, modal_inertia, ..Body::new(&link.name, parent, hinge) }
}

/// The node that carries a joint of a flexible link, and the joint's place from it. The piece between them is rigid.
pub(crate) fn carrying_node(
    flexible: &FlexibleLink,
    joint: Option<usize>,
    position: [f64; 3],
) -> (NodeIndex, [f64; 3]) {
    let nodes = &flexible.parts.nodes;
    let offset = |node: &Node| -> [f64; 3] { std::array::from_fn(|i| position[i] - node.position[i]) };
    let distance = |node: &Node| offset(node).iter().map(|x| x * x).sum::<f64>();
    let node = joint.and_then(|joint| flexible.attach.get(&joint).copied()).unwrap_or_else(|| {
        let named = nodes.iter().any(|node| node.name.is_some());
        let candidates = nodes.iter().enumerate().filter(|(_, node)| !named || node.name.is_some());
        let nearest = candidates.min_by(|(_, a), (_, b)| distance(a).total_cmp(&distance(b)));
        NodeIndex(nearest.map_or(0, |(index, _)| index))
    });
    (node, nodes.get(node.0).map_or(position, offset))
}

/// What the robot file says, replaced by what the side file says.
fn merged(told: &HingeTable, side: Option<&HingeTable>) -> HingeTable {
    let mut elements = told.clone();
    if let Some(side) = side {
        elements.spring = side.spring.clone();
        elements.friction = side.friction.clone().or(elements.friction);
        elements.stops = side.stops.clone().or(elements.stops);
        elements.motor = side.motor.clone().or(elements.motor);
        if !side.damping.is_empty() {
            elements.damping = side.damping.clone();
        }
    }
    elements
}

/// Builds the model. Problems of the engine are reported at the link or joint they are about. A lenient reader counts the impossible
/// inertia of a link on a fixed joint to the link that carries it, which moves the same way.
pub(crate) fn build(
    system: &mut System,
    robot: &RobotText,
    order: &Order,
    side: &SideFile,
    reading: &mut Reading<'_>,
) -> Option<Model> {
    massless_notes(system, robot, order, side, reading);
    let at = places(system);
    for problem in accepted::problems(system) {
        // Told, and taken nevertheless.
        let link = problem.impossible_inertia().and_then(|body| at.get(body)).map(|k| &robot.links[order[*k].0]);
        let Some(link) = link else { continue };
        let span = link.inertial_span.clone().unwrap_or(link.span.clone());
        reading.note(span, &format!("{}, taken as it is", robot.subject(link)), rule_of(&problem));
    }
    let mut built = Model::build(system);
    // Each round moves inertias one link inboard.
    for _ in 0..MAX_ROUNDS {
        match &built {
            Err(error) if reading.lenient && hand_inboard(system, robot, order, error.problems(), reading) => {
                built = Model::build(system);
            }
            _ => break,
        }
    }
    let error = match built {
        Ok(model) => return Some(model),
        Err(error) => error,
    };
    let places = places(system);
    let problems = all_problems(system, &error);
    for problem in &problems {
        match problem {
            Problem::Closure { index, reason, .. } => {
                tell_closure(problem, (*index, reason), &system.closures, robot, side, reading);
            }
            _ => tell(problem, &places, robot, order, reading),
        }
    }
    let named: HashSet<&str> = problems
        .iter()
        .filter_map(
            |problem| if let Problem::MasslessHinge { body, .. } = problem { Some(body.as_str()) } else { None },
        )
        .collect();
    let told = |body: &Body| named.contains(body.name.as_str());
    let massless = massless_branches(system);
    if massless.iter().any(|k| told(&system.bodies[*k])) {
        // The engine names the outermost of each branch; those inboard of it move no mass either.
        let inboard: Vec<usize> = massless.into_iter().filter(|k| !told(&system.bodies[*k])).collect();
        massless_links(&inboard, robot, order, &mut |span, subject, rule| reading.error(span, subject, rule));
    }
    None
}

/// Bodies with hinges that move nothing but links without mass.
fn massless_branches(system: &System) -> Vec<usize> {
    let mut carries = vec![false; system.bodies.len()];
    for (k, body) in system.bodies.iter().enumerate().rev() {
        let own = |node: &Node| node.mass != 0.0 || node.inertia.as_flattened().iter().any(|x| *x != 0.0);
        carries[k] |= body.nodes.iter().any(own);
        if let Parent::Body(parent, _) = body.parent {
            carries[parent.0] |= carries[k];
        }
    }
    let moves = |k: &usize| system.bodies[*k].hinge.kind != HingeKind::Fixed && !carries[*k];
    (0..system.bodies.len()).filter(moves).collect()
}

/// Tells of links that move and have no mass of their own.
fn massless_links(
    bodies: &[usize],
    robot: &RobotText,
    order: &Order,
    tell: &mut dyn FnMut(std::ops::Range<usize>, &str, Rule),
) {
    for k in bodies {
        let link = &robot.links[order[*k].0];
        let rule = if link.has_inertial { Rule::Mass { mass: link.mass } } else { Rule::NoInertia };
        tell(link.inertial_span.clone().unwrap_or(link.span.clone()), &robot.subject(link), rule);
    }
}

/// Bodies by name.
fn places(system: &System) -> HashMap<String, usize> {
    system.bodies.iter().enumerate().map(|(k, body)| (body.name.clone(), k)).collect()
}

/// Links that move and have no mass of their own are named; whether the robot can move without it, the engine decides.
fn massless_notes(system: &System, robot: &RobotText, order: &Order, side: &SideFile, reading: &mut Reading<'_>) {
    let massless = |(k, (link, _)): (usize, &(usize, Option<usize>))| {
        let moves = system.bodies[k].hinge.kind != HingeKind::Fixed;
        let told = &robot.links[*link];
        (moves && !side.flexible.contains_key(link) && told.mass == 0.0 && !told.between).then_some(k)
    };
    let bodies: Vec<usize> = order.iter().enumerate().filter_map(massless).collect();
    massless_links(&bodies, robot, order, &mut |span, subject, rule| reading.note(span, subject, rule));
}

/// Counts impossible inertias of links on fixed joints to the links that carry them; whether there were any.
fn hand_inboard(
    system: &mut System,
    robot: &RobotText,
    order: &Order,
    problems: &[Problem],
    reading: &mut Reading<'_>,
) -> bool {
    let mut changed = false;
    let places = places(system);
    for problem in problems {
        let (Problem::NegativeInertia { body, .. } | Problem::TriangleRule { body, .. }) = problem else { continue };
        let Some(k) = places.get(body).copied() else { continue };
        let (hinge, rigid) = (system.bodies[k].hinge.clone(), system.bodies[k].modes.count == 0);
        if hinge.kind != HingeKind::Fixed || !rigid {
            continue;
        }
        let carrier = match system.bodies[k].parent {
            Parent::Ground => None,
            Parent::Body(parent, _) if system.bodies[parent.0].modes.count == 0 => Some(parent.0),
            Parent::Body(..) => continue,
        };
        let link = &robot.links[order[k].0];
        let span = link.inertial_span.clone().unwrap_or(link.span.clone());
        reading.note(span, &robot.subject(link), rule_of(problem));
        let own = std::mem::take(&mut system.bodies[k].nodes[0]);
        // What hangs on the ground by fixed joints alone does not move.
        if let Some(carrier) = carrier {
            add_mass(&mut system.bodies[carrier].nodes[0], &own, &hinge);
        }
        changed = true;
    }
    changed
}

/// Adds the mass of a node behind a fixed hinge to the node that carries the hinge.
fn add_mass(carrier: &mut Node, own: &Node, hinge: &Hinge) {
    let turned = turn(&hinge.rotation, own.mass_centre);
    let centre: [f64; 3] = std::array::from_fn(|i| hinge.position[i] + turned[i]);
    let at_centre = inertia_at_origin(-own.mass, own.mass_centre, own.inertia);
    let inertia = inertia_at_origin(own.mass, centre, turn_inertia(&hinge.rotation, &at_centre));
    let mass = carrier.mass + own.mass;
    if mass > 0.0 {
        carrier.mass_centre =
            std::array::from_fn(|i| (carrier.mass * carrier.mass_centre[i] + own.mass * centre[i]) / mass);
    }
    carrier.mass = mass;
    for i in 0..3 {
        for j in 0..3 {
            carrier.inertia[i][j] += inertia[i][j];
        }
    }
}

/// The rule of a robot description that a problem of the engine is about.
fn rule_of(problem: &Problem) -> Rule {
    match problem {
        Problem::NegativeInertia { moment, .. } => Rule::NegativeMoment { moment: *moment },
        Problem::TriangleRule { moments, .. } => Rule::Triangle { moments: *moments },
        Problem::ZeroAxis { .. } => Rule::ZeroAxis,
        Problem::NegativeMass { mass, .. } => Rule::Mass { mass: *mass },
        other => Rule::Model(other.clone()),
    }
}

fn tell(
    problem: &Problem,
    places: &HashMap<String, usize>,
    robot: &RobotText,
    order: &Order,
    reading: &mut Reading<'_>,
) {
    let found = place(problem).and_then(|(body, part)| {
        let k = places.get(body)?;
        Some((order.get(*k)?, part))
    });
    let Some(((link, joint), part)) = found else {
        reading.error(0..0, "robot", rule_of(problem));
        return;
    };
    let link = &robot.links[*link];
    match (part, joint.map(|joint| &robot.joints[joint])) {
        (Part::Hinge | Part::Rotor, Some(joint)) => {
            let subject = format!("joint '{}' of {}", joint.name, robot.subject(link));
            let span = if matches!(problem, Problem::ZeroAxis { .. }) { &joint.axis_span } else { &joint.span };
            reading.error(span.clone(), &subject, rule_of(problem));
        }
        _ => {
            let span = link.inertial_span.clone().unwrap_or(link.span.clone());
            reading.error(span, &robot.subject(link), rule_of(problem));
        }
    }
}

/// Reports a problem of a closure at its table in the side file, or at the `<mimic>` that it stands for.
fn tell_closure(
    problem: &Problem,
    (index, reason): (usize, &str),
    closures: &[Closure],
    robot: &RobotText,
    side: &SideFile,
    reading: &mut Reading<'_>,
) {
    let own = closures.len() - side.closures.len();
    if let (Some((_, places)), Some(source)) = (index.checked_sub(own).map(|i| &side.closures[i]), &side.source) {
        reading.report.add(source, places.of(reason), rule_of(problem));
        return;
    }
    if let Some(tie) = (index + robot.ties.len()).checked_sub(own).map(|i| &robot.ties[i]) {
        reading.error(tie.span.clone(), tie.name.as_deref().unwrap_or("equality"), rule_of(problem));
        return;
    }
    let joint = robot.joints.iter().find(|joint| Some(&joint.name) == closures[index].name.as_ref());
    let span = joint.and_then(|joint| joint.mimic.as_ref()).map_or(0..0, |mimic| mimic.span.clone());
    reading.error(span, joint.map_or("robot", |joint| &joint.name), rule_of(problem));
}
