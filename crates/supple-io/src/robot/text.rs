//! What a robot description says, whatever its format: links, joints, and what ties them beyond the tree.

use std::ops::Range;

use supple::{HingeKind, Node};

use super::looks::Look;
use super::ties::Tie;
use crate::model_file::elements::HingeTable;

/// A robot before it is a tree.
#[derive(Default)]
pub(crate) struct RobotText {
    pub(crate) name: String,
    pub(crate) links: Vec<Link>,
    pub(crate) joints: Vec<Joint>,
    /// Closures and couplings.
    pub(crate) ties: Vec<Tie>,
    /// Gravitational acceleration, where the robot says it.
    pub(crate) gravity: Option<[f64; 3]>,
    /// Where the format says which links are free, and which the world is: its first link is the world.
    pub(crate) has_world: bool,
}

impl RobotText {
    /// What the format calls a link.
    pub(crate) fn link_word(&self) -> &'static str {
        if self.has_world { "body" } else { "link" }
    }

    /// The name of the format.
    pub(crate) fn format_word(&self) -> &'static str {
        if self.has_world { "MJCF" } else { "URDF" }
    }

    /// The name of a link in a message.
    pub(crate) fn subject(&self, link: &Link) -> String {
        format!("{} '{}'", self.link_word(), link.name)
    }
}

/// A link.
#[derive(Default)]
pub(crate) struct Link {
    pub(crate) name: String,
    pub(crate) span: Range<usize>,
    /// Place of its inertia, where it has one.
    pub(crate) inertial_span: Option<Range<usize>>,
    pub(crate) mass: f64,
    pub(crate) mass_centre: [f64; 3],
    /// About the link frame.
    pub(crate) inertia: [[f64; 3]; 3],
    /// The mass as written, for messages.
    pub(crate) has_inertial: bool,
    /// Whether it stands between two joints of one link, and has no mass by intent.
    pub(crate) between: bool,
    /// Points without mass that have names.
    pub(crate) markers: Vec<Node>,
    /// What it looks like.
    pub(crate) looks: Vec<Look>,
}

/// A joint.
pub(crate) struct Joint {
    pub(crate) name: String,
    pub(crate) span: Range<usize>,
    pub(crate) axis_span: Range<usize>,
    pub(crate) parent: (String, Range<usize>),
    pub(crate) child: (String, Range<usize>),
    pub(crate) kind: HingeKind,
    pub(crate) position: [f64; 3],
    pub(crate) rotation: [[f64; 3]; 3],
    /// Inertia of the drive as seen at each speed; empty without one.
    pub(crate) rotor_inertia: Vec<f64>,
    pub(crate) elements: HingeTable,
    pub(crate) mimic: Option<Mimic>,
}

/// A joint that follows another: `multiplier · leader + offset`.
pub(crate) struct Mimic {
    /// The joint it follows.
    pub(crate) leader: String,
    pub(crate) multiplier: f64,
    pub(crate) offset: f64,
    pub(crate) span: Range<usize>,
}
