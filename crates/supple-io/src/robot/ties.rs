//! What ties links beyond the tree: closures between links, couplings of joints.

use std::collections::HashMap;
use std::ops::Range;

use supple::{BodyIndex, Closure, ClosureKind, CoupledHinge, Mount};

use super::assemble::carrying_node;
use super::side_file::SideFile;
use super::text::RobotText;
use super::tree::Order;

/// A closure or coupling of a robot.
pub(crate) struct Tie {
    pub(crate) name: Option<String>,
    pub(crate) span: Range<usize>,
    pub(crate) kind: TieKind,
}

/// What it asks for.
#[allow(clippy::large_enum_variant)] // Few.
pub(crate) enum TieKind {
    /// A joint between two frames.
    Joint { kind: ClosureKind, ends: [TieEnd; 2] },
    /// `Σ factor · coordinate = offset`, by indices of joints of one coordinate.
    Coupling { joints: Vec<(usize, f64)>, offset: f64 },
}

/// A frame fixed to a link.
pub(crate) struct TieEnd {
    /// The link, by its index.
    pub(crate) link: usize,
    /// Origin and axes in the link frame.
    pub(crate) position: [f64; 3],
    pub(crate) rotation: [[f64; 3]; 3],
}

/// The closures of a robot, in its order.
pub(crate) fn closures(robot: &RobotText, order: &Order, side: &SideFile) -> Vec<Closure> {
    let places: HashMap<usize, usize> = order.iter().enumerate().map(|(body, (link, _))| (*link, body)).collect();
    let carried: HashMap<usize, usize> =
        order.iter().enumerate().filter_map(|(body, (_, joint))| Some(((*joint)?, body))).collect();
    let mount = |end: &TieEnd| {
        let body = BodyIndex(places.get(&end.link).copied().unwrap_or_default());
        let (node, position) = match side.flexible.get(&end.link) {
            None => (supple::NodeIndex(0), end.position),
            Some(flexible) => carrying_node(flexible, None, end.position),
        };
        Mount::node(body, node).at(position).turned(end.rotation)
    };
    let closure = |tie: &Tie| {
        let closure = match &tie.kind {
            TieKind::Joint { kind, ends: [a, b] } => Closure::joint(kind.clone(), mount(a), mount(b)),
            TieKind::Coupling { joints, offset } => {
                let coupled = |(joint, factor): &(usize, f64)| {
                    Some(CoupledHinge { body: BodyIndex(*carried.get(joint)?), speed: 0, factor: *factor })
                };
                Closure::coupling(joints.iter().filter_map(coupled).collect::<Vec<_>>(), *offset)
            }
        };
        Closure { name: tie.name.clone(), ..closure }
    };
    robot.ties.iter().map(closure).collect()
}
