//! Where each body's numbers lie in the state vectors.

use crate::model::{Body, Closure, Constraint, ElasticRotation, Parent, System};
use std::ops::Range;

/// Positions of deformations, hinge coordinates, speeds and attitudes in the state slices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Number of coordinates.
    pub coordinate_count: usize,
    /// Number of speeds.
    pub speed_count: usize,
    /// Body and node of every attitude, in the order of the state.
    pub attitudes: Vec<(usize, usize)>,
    modes: Vec<usize>,
    coordinate_starts: Vec<usize>,
    speed_starts: Vec<usize>,
}

impl Layout {
    /// The layout of a system's state.
    pub fn new(system: &System) -> Self {
        let mut layout = Self {
            coordinate_count: 0,
            speed_count: 0,
            attitudes: attitudes(system),
            modes: Vec::new(),
            coordinate_starts: Vec::new(),
            speed_starts: Vec::new(),
        };
        for body in &system.bodies {
            let (coordinates, speeds) = body.hinge.kind.sizes();
            layout.modes.push(body.modes.count);
            layout.coordinate_starts.push(layout.coordinate_count);
            layout.speed_starts.push(layout.speed_count);
            layout.coordinate_count += body.modes.count + coordinates;
            layout.speed_count += body.modes.count + speeds;
        }
        layout
    }

    /// Deformation coordinates of body `k`.
    pub fn deformation(&self, k: usize) -> Range<usize> {
        let start = self.coordinate_starts[k];
        start..start + self.modes[k]
    }

    /// Hinge coordinates of body `k`.
    pub fn hinge(&self, k: usize) -> Range<usize> {
        let end = self.coordinate_starts.get(k + 1);
        self.deformation(k).end..*end.unwrap_or(&self.coordinate_count)
    }

    /// Rates of deformation of body `k` among the speeds.
    pub fn deformation_speeds(&self, k: usize) -> Range<usize> {
        let start = self.speed_starts[k];
        start..start + self.modes[k]
    }

    /// Hinge speeds of body `k`.
    pub fn hinge_speeds(&self, k: usize) -> Range<usize> {
        let end = self.speed_starts.get(k + 1);
        self.deformation_speeds(k).end..*end.unwrap_or(&self.speed_count)
    }

    /// Index of the attitude of a node, where it has one.
    pub fn attitude(&self, body: usize, node: usize) -> Option<usize> {
        self.attitudes.iter().position(|&at| at == (body, node))
    }
}

/// Nodes whose elastic rotation is a state of its own: of every body with modes the inboard node,
/// then the nodes that carry children by first child and those of closures, each once and only where a mode turns it.
fn attitudes(system: &System) -> Vec<(usize, usize)> {
    let mut list = Vec::new();
    if system.elastic_rotation != ElasticRotation::Integrated {
        return list;
    }
    for (k, body) in system.bodies.iter().enumerate() {
        let carrying = system.bodies.iter().filter_map(|child| match child.parent {
            Parent::Body(parent, node) if parent.0 == k => Some(node.0),
            _ => None,
        });
        let closed = system.closures.iter().flat_map(mounted).filter(|(owner, _)| *owner == k).map(|(_, node)| node);
        for node in std::iter::once(body.inboard_node.0).chain(carrying).chain(closed) {
            if turns(body, node) && !list.contains(&(k, node)) {
                list.push((k, node));
            }
        }
    }
    list
}

/// Bodies and nodes of the frames of a closure.
fn mounted(closure: &Closure) -> Vec<(usize, usize)> {
    let Constraint::Joint { a, b, .. } = &closure.constraint else { return Vec::new() };
    let node = |parent: Parent| if let Parent::Body(body, node) = parent { Some((body.0, node.0)) } else { None };
    [a.parent, b.parent].into_iter().filter_map(node).collect()
}

fn turns(body: &Body, node: usize) -> bool {
    let slopes = body.nodes[node].influence.iter().flat_map(|column| &column[..3]);
    body.modes.count > 0 && slopes.into_iter().any(|&slope| slope != 0.0)
}
