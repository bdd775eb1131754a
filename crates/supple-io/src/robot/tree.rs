//! The rules that make links and joints a tree.

use std::collections::HashMap;

use super::mimics;
use super::reading::Reading;
use super::text::RobotText;
use crate::model_file::order::parents_first;
use crate::source::Rule;

/// Links from the root outward: depth first, children in the order of the names of their joints, or of a file that has a tree. Each with its joint.
pub(crate) type Order = Vec<(usize, Option<usize>)>;

/// The order of the links, where they are a tree.
pub(crate) fn order(robot: &RobotText, reading: &mut Reading<'_>) -> Option<Order> {
    let links = names(robot.links.iter().map(|link| (&link.name, &link.span)), "link", reading);
    let joints = names(robot.joints.iter().map(|joint| (&joint.name, &joint.span)), "joint", reading);
    mimics::check(robot, &joints, reading);
    let tree = reading.report.count();
    // Of each link: the joint that carries it, and the parent link.
    let mut carried: Vec<Option<usize>> = vec![None; robot.links.len()];
    let mut parents: Vec<Option<usize>> = vec![None; robot.links.len()];
    for (j, joint) in robot.joints.iter().enumerate() {
        let subject = format!("joint '{}'", joint.name);
        let mut find = |(name, span): &(String, std::ops::Range<usize>)| {
            let found = links.get(name.as_str()).copied();
            if found.is_none() {
                let known = reading.report.names(robot.links.iter().map(|link| link.name.as_str()));
                let rule = Rule::UnknownName { kind: "link", name: name.clone(), known };
                reading.error(span.clone(), &subject, rule);
            }
            found
        };
        let (parent, child) = (find(&joint.parent), find(&joint.child));
        let (Some(parent), Some(child)) = (parent, child) else { continue };
        if parent == child {
            reading.error(joint.span.clone(), &subject, Rule::SelfLoop { link: joint.child.0.clone() });
        } else if let Some(first) = carried[child] {
            let (link, first) = (joint.child.0.clone(), robot.joints[first].name.clone());
            reading.error(joint.child.1.clone(), &subject, Rule::TwoParents { link, first });
        } else {
            (carried[child], parents[child]) = (Some(j), Some(parent));
        }
    }
    if reading.report.count() > tree || links.len() < robot.links.len() || joints.len() < robot.joints.len() {
        return None;
    }
    root(robot, &parents, reading)?;
    Some(depth_first(robot, &carried, &parents))
}

/// Names by place; those used twice are errors.
fn names<'n>(
    all: impl Iterator<Item = (&'n String, &'n std::ops::Range<usize>)>,
    kind: &'static str,
    reading: &mut Reading<'_>,
) -> HashMap<&'n str, usize> {
    let mut found: HashMap<&str, (usize, &std::ops::Range<usize>)> = HashMap::new();
    for (k, (name, span)) in all.enumerate() {
        if let Some((_, first)) = found.get(name.as_str()) {
            let first_line = reading.source.place((*first).clone()).line;
            reading.error(span.clone(), "", Rule::DuplicateName { kind, name: name.clone(), first_line });
        } else {
            found.insert(name, (k, span));
        }
    }
    found.into_iter().map(|(name, (k, _))| (name, k)).collect()
}

/// Exactly one link has no parent, and no links carry each other in a circle.
fn root(robot: &RobotText, parents: &[Option<usize>], reading: &mut Reading<'_>) -> Option<()> {
    if let Err(circle) = parents_first(parents) {
        let names = circle.iter().map(|k| robot.links[*k].name.clone()).collect();
        let span = robot.links[circle[0]].span.clone();
        let subject = format!("link '{}'", robot.links[circle[0]].name);
        reading.error(span, &subject, Rule::Cycle { kind: "links", names });
        return None;
    }
    let roots: Vec<usize> = (0..parents.len()).filter(|k| parents[*k].is_none()).collect();
    // Without a circle there is at least one.
    if let [_, second, ..] = roots[..] {
        let roots = roots.iter().map(|k| robot.links[*k].name.clone()).collect();
        reading.error(robot.links[second].span.clone(), "robot", Rule::SeveralRoots { roots });
        return None;
    }
    Some(())
}

fn depth_first(robot: &RobotText, carried: &[Option<usize>], parents: &[Option<usize>]) -> Order {
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); robot.links.len()];
    for (child, parent) in parents.iter().enumerate() {
        if let Some(parent) = parent {
            children[*parent].push(child);
        }
    }
    let joint_name = |child: &usize| carried[*child].map(|joint| &robot.joints[joint].name);
    // The last one pushed is the first one visited. Where the file has a tree of its own, its order is kept.
    match robot.has_world {
        true => children.iter_mut().for_each(|list| list.reverse()),
        false => children.iter_mut().for_each(|list| list.sort_by(|a, b| joint_name(b).cmp(&joint_name(a)))),
    }
    let mut open: Vec<usize> = (0..parents.len()).filter(|k| parents[*k].is_none()).collect();
    let mut order = Vec::with_capacity(parents.len());
    while let Some(link) = open.pop() {
        order.push((link, carried[link]));
        open.extend(&children[link]);
    }
    order
}
