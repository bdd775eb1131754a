//! From bodies with several joints to links with one joint each.
//!
//! A link has its frame where its body is last turned: at the anchor of the last joint of the body, with the axes of the body. Joints
//! before the last one carry links without mass, `BODY:JOINT`.

use std::collections::HashSet;

use supple::{HingeKind, Node};

use super::bodies::Body;
use super::joint::Joint;
use super::names::Names;
use super::pose::{Pose, subtract};
use super::solid::Solid;
use crate::model_file::elements::HingeTable;
use crate::model_file::geometry::inertia_at_origin;
use crate::model_file::shapes::MAX_BODIES;
use crate::robot::{self, Link, Look, Reading, RobotText, Tie, TieKind};
use crate::source::Rule;

/// What is known of a body beyond its place in the tree, in its own frame.
pub(super) struct Content {
    pub(super) solid: Solid,
    pub(super) looks: Vec<Look>,
    /// Sites with names.
    pub(super) markers: Vec<(String, [f64; 3])>,
}

/// Links and joints, with ties between them. Joints of `ties` are by their index in `joints`, bodies by theirs.
pub(super) fn convert(
    bodies: &[Body<'_>],
    mut joints: Vec<Joint>,
    contents: Vec<Content>,
    ties: Vec<Tie>,
    reading: &mut Reading<'_>,
) -> Option<RobotText> {
    let count = bodies.len() + joints.len();
    if count > MAX_BODIES {
        let rule = Rule::TooMany { what: "bodies and joints", found: count, limit: MAX_BODIES };
        reading.error(bodies[0].element.span.clone(), "mujoco", rule);
        return None;
    }
    let (between, welds) = free_names(bodies, &joints);
    let mut robot = RobotText { has_world: true, ..RobotText::default() };
    // Of each body: its link, and the shift of the link's frame.
    let mut last: Vec<(usize, [f64; 3])> = Vec::with_capacity(bodies.len());
    let mut place_of_joint = vec![0; joints.len()];
    let mut next = 0;
    for (k, (body, content)) in bodies.iter().zip(contents).enumerate() {
        let first = next;
        while joints.get(next).is_some_and(|joint| joint.body == k) {
            next += 1;
        }
        let shift = joints[first..next].last().map_or([0.0; 3], |joint| joint.anchor);
        let outer = if k == 0 { (0, [0.0; 3]) } else { last[body.parent] };
        let mut carrier = outer.0;
        let mut at = body.pose.from(outer.1);
        let mut before = [0.0; 3];
        for j in first..next {
            let place = at.then(&Pose { position: subtract(joints[j].anchor, before), ..Pose::IDENTITY });
            (at, before) = (Pose::IDENTITY, joints[j].anchor);
            let inner = j + 1 < next;
            let name = if inner { between[j].clone() } else { body.name.clone() };
            place_of_joint[j] = robot.joints.len();
            robot.joints.push(hinge(&mut joints[j], &robot.links[carrier].name, &name, &place));
            carrier = robot.links.len();
            if inner {
                robot.links.push(Link { name, span: joints[j].span.clone(), between: true, ..Link::default() });
            }
        }
        if first == next && k > 0 {
            robot.joints.push(weld(body, &welds[k], &robot.links[carrier].name, &at));
        }
        last.push((robot.links.len(), shift));
        robot.links.push(link(body, content, shift));
    }
    robot.ties = ties.into_iter().map(|tie| shifted(tie, &last, &place_of_joint)).collect();
    Some(robot)
}

/// Names of the links between joints of a body, and of the joints of bodies that have none.
fn free_names(bodies: &[Body<'_>], joints: &[Joint]) -> (Vec<String>, Vec<String>) {
    let taken: HashSet<&str> = bodies.iter().map(|body| body.name.as_str()).collect();
    let mut links = Names::new("body", taken.iter().map(|name| (*name, &(0..0))));
    let mut hinges = Names::new("joint", joints.iter().map(|joint| (joint.name.as_str(), &joint.span)));
    let mut between = vec![String::new(); joints.len()];
    let proposed = joints.iter().map(|joint| format!("{}:{}", bodies[joint.body].name, joint.name));
    links.give(between.iter_mut().zip(proposed));
    let mut welds = vec![String::new(); bodies.len()];
    hinges.give(welds.iter_mut().zip(bodies.iter().map(|body| body.name.clone())));
    (between, welds)
}

fn hinge(joint: &mut Joint, parent: &str, child: &str, place: &Pose) -> robot::Joint {
    let speeds = joint.kind.sizes().1;
    let rotor_inertia = if joint.rotor_inertia > 0.0 { vec![joint.rotor_inertia; speeds] } else { Vec::new() };
    robot::Joint {
        name: joint.name.clone(),
        span: joint.span.clone(),
        axis_span: joint.axis_span.clone(),
        parent: (parent.to_owned(), joint.span.clone()),
        child: (child.to_owned(), joint.span.clone()),
        kind: joint.kind.clone(),
        position: place.position,
        rotation: place.rotation,
        rotor_inertia,
        elements: std::mem::take(&mut joint.elements),
        mimic: None,
    }
}

/// A body without joints does not move in its parent.
fn weld(body: &Body<'_>, name: &str, parent: &str, place: &Pose) -> robot::Joint {
    let span = body.element.span.clone();
    robot::Joint {
        name: name.to_owned(),
        axis_span: span.clone(),
        parent: (parent.to_owned(), span.clone()),
        child: (body.name.clone(), span.clone()),
        span,
        kind: HingeKind::Fixed,
        position: place.position,
        rotation: place.rotation,
        rotor_inertia: Vec::new(),
        elements: HingeTable::default(),
        mimic: None,
    }
}

fn link(body: &Body<'_>, content: Content, shift: [f64; 3]) -> Link {
    let Content { solid, looks, markers } = content;
    let centre = subtract(solid.centre, shift);
    let moved = |look: Look| Look { position: subtract(look.position, shift), ..look };
    let marker = |(name, position): (String, [f64; 3])| Node {
        name: Some(name),
        position: subtract(position, shift),
        ..Node::default()
    };
    Link {
        name: body.name.clone(),
        span: body.element.span.clone(),
        inertial_span: body.inertial.as_ref().map(|part| part.tag.element.span.clone()),
        mass: solid.mass,
        mass_centre: if solid.mass > 0.0 { centre } else { [0.0; 3] },
        inertia: inertia_at_origin(solid.mass, centre, solid.inertia),
        has_inertial: body.inertial.is_some() || solid.mass > 0.0,
        between: false,
        markers: markers.into_iter().map(marker).collect(),
        looks: looks.into_iter().map(moved).collect(),
    }
}

/// A tie between links instead of bodies.
fn shifted(tie: Tie, last: &[(usize, [f64; 3])], place_of_joint: &[usize]) -> Tie {
    let kind = match tie.kind {
        TieKind::Joint { kind, ends } => {
            let ends = ends.map(|end| {
                let (link, shift) = last[end.link];
                robot::TieEnd { link, position: subtract(end.position, shift), rotation: end.rotation }
            });
            TieKind::Joint { kind, ends }
        }
        TieKind::Coupling { joints, offset } => {
            let joints = joints.into_iter().map(|(joint, factor)| (place_of_joint[joint], factor)).collect();
            TieKind::Coupling { joints, offset }
        }
    };
    Tie { kind, ..tie }
}
