//! Joints that follow others, `<mimic>`: couplings of their hinges.

use std::collections::HashMap;

use supple::{BodyIndex, Closure, CoupledHinge};

use super::reading::Reading;
use super::text::{Joint, RobotText};
use super::tree::Order;
use crate::model_file::order::parents_first;
use crate::source::Rule;

/// Checks joints that follow others: the leader exists, both have one coordinate, nobody follows in a circle.
pub(crate) fn check(robot: &RobotText, joints: &HashMap<&str, usize>, reading: &mut Reading<'_>) {
    let mut leaders: Vec<Option<usize>> = vec![None; robot.joints.len()];
    for (j, joint) in robot.joints.iter().enumerate() {
        let Some(mimic) = &joint.mimic else { continue };
        let subject = format!("joint '{}'", joint.name);
        leaders[j] = joints.get(mimic.leader.as_str()).copied();
        let Some(leader) = leaders[j] else {
            let known = reading.names(robot.joints.iter().map(|joint| joint.name.as_str()));
            let rule = Rule::UnknownName { kind: "joint", name: mimic.leader.clone(), known };
            reading.defect(mimic.span.clone(), &subject, rule);
            continue;
        };
        for other in [joint, &robot.joints[leader]].into_iter().filter(|joint| !has_one_coordinate(joint)) {
            let count = other.kind.sizes().0;
            let what = format!("joint '{}' of a `<mimic>` has {count} coordinates", other.name);
            let expected = "a joint with one: revolute, continuous or prismatic".to_owned();
            reading.defect(mimic.span.clone(), &subject, Rule::Mismatch { what, expected });
        }
    }
    if let Err(circle) = parents_first(&leaders) {
        let names = circle.iter().map(|j| robot.joints[*j].name.clone()).collect();
        let span = robot.joints[circle[0]].span.clone();
        reading.error(span, "robot", Rule::Cycle { kind: "mimic joints", names });
    }
}

fn has_one_coordinate(joint: &Joint) -> bool {
    joint.kind.sizes() == (1, 1)
}

/// `follower - multiplier · leader = offset` for each joint that follows another, named after it. What [`check`] noted is left out.
pub(crate) fn closures(robot: &RobotText, order: &Order) -> Vec<Closure> {
    let carried = |(body, (_, joint)): (usize, &(usize, Option<usize>))| {
        let joint = &robot.joints[(*joint)?];
        has_one_coordinate(joint).then_some((joint.name.as_str(), BodyIndex(body)))
    };
    let bodies: HashMap<&str, BodyIndex> = order.iter().enumerate().filter_map(carried).collect();
    let closure = |joint: &Joint| {
        let mimic = joint.mimic.as_ref()?;
        let (follower, leader) = (*bodies.get(joint.name.as_str())?, *bodies.get(mimic.leader.as_str())?);
        let mut hinges = vec![CoupledHinge { body: follower, speed: 0, factor: 1.0 }];
        if mimic.multiplier != 0.0 {
            hinges.push(CoupledHinge { body: leader, speed: 0, factor: -mimic.multiplier });
        }
        Some(Closure::coupling(hinges, mimic.offset).named(&joint.name))
    };
    robot.joints.iter().filter_map(closure).collect()
}
