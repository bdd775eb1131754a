//! Nodes that carry bodies or closures.

use super::builder::moves;
use super::closure::Constraint;
use super::description::{Body, Parent, System};
use super::topology::BodyTopology;

/// The carrier of a body at one of its carrying nodes.
pub(super) fn carrier_of(carried: &[Vec<usize>], bodies: &[BodyTopology], body: usize, carrying: usize) -> usize {
    bodies[body].carriers.start + carried[body].iter().position(|x| *x == carrying).unwrap_or(0)
}

/// Distinct nodes of every body that carry children, in the order of the first child, then those of closures.
pub(super) fn carried_nodes(system: &System) -> Vec<Vec<usize>> {
    let mut carried = vec![Vec::new(); system.bodies.len()];
    let mut seen = std::collections::HashSet::new();
    let closed = system.closures.iter().flat_map(|closure| match &closure.constraint {
        Constraint::Joint { a, b, .. } => vec![a.parent, b.parent],
        Constraint::Coupling { .. } => Vec::new(),
    });
    for parent in system.bodies.iter().map(|body| body.parent).chain(closed) {
        if let Parent::Body(p, node) = parent {
            let node = carrying_node(&system.bodies[p.0], node.0);
            if seen.insert((p.0, node)) {
                carried[p.0].push(node);
            }
        }
    }
    carried
}

/// The node that stands for `node` as a carrier: itself, or the first that no mode moves either.
pub(super) fn carrying_node(body: &Body, node: usize) -> usize {
    match moves(&body.nodes[node]) {
        true => node,
        false => body.nodes.iter().position(|n| !moves(n)).unwrap_or(node),
    }
}
