//! The members of a case, checked, in the order of the file.

use serde::Serialize;
use supple::{ClosureKind, ElasticRotation, HingeKind, InertiaConvention};

use super::words;

/// Name of the schema that this version reads and writes.
pub const SCHEMA: &str = "supple-oracle-1";
/// Longest text that is read.
pub const MAX_BYTES: usize = 64 << 20;
/// Most modes of one body.
pub const MAX_MODES: usize = 1000;
/// Most loops of one system.
pub const MAX_LOOPS: usize = 1000;

/// The system.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CaseModel {
    /// Elastic rotation of nodes that carry hinges or frames of loops.
    #[serde(serialize_with = "words::write_tip_rotation")]
    pub tip_rotation: ElasticRotation,
    /// Equations of nodal inertias.
    #[serde(serialize_with = "words::write_inertia")]
    pub inertia: InertiaConvention,
    /// Gravitational acceleration in inertial axes.
    pub gravity: [f64; 3],
    /// Bodies, in any order.
    pub bodies: Vec<CaseBody>,
    /// Loops that close the tree.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub loops: Vec<CaseLoop>,
}

/// A joint between two frames that closes a loop.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CaseLoop {
    /// Motion that it allows: a weld, a ball, or a revolute about an axis in the axes of `a`.
    #[serde(flatten, serialize_with = "words::write_loop")]
    pub kind: ClosureKind,
    /// One frame.
    pub a: CaseSide,
    /// The other.
    pub b: CaseSide,
}

/// A frame at one side of a loop.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CaseSide {
    /// Body that carries it; none for inertial space.
    #[serde(serialize_with = "words::write_parent")]
    pub body: Option<usize>,
    /// Node of the body; zero for inertial space.
    pub node: usize,
    /// Origin from the node.
    pub pos: [f64; 3],
    /// Axes as columns in the node's axes.
    pub rot: [[f64; 3]; 3],
}

/// A body with the hinge that carries it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CaseBody {
    /// Name; need not be unique.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Body that carries it; none for inertial space.
    #[serde(serialize_with = "words::write_parent")]
    pub parent: Option<usize>,
    /// Node of the parent; zero for inertial space.
    pub parent_node: usize,
    /// Own node at the hinge.
    pub inboard_node: usize,
    /// Origin of `O⁺` from the parent's node.
    pub hinge_pos: [f64; 3],
    /// Axes of `O⁺` as columns in the parent node's axes.
    pub hinge_rot: [[f64; 3]; 3],
    /// Motion that the hinge allows.
    #[serde(serialize_with = "words::write_joint")]
    pub joint: HingeKind,
    /// Number of modes.
    pub nm: usize,
    /// Modal stiffness, `nm` by `nm`; none is zero.
    #[serde(rename = "Km", skip_serializing_if = "Option::is_none")]
    pub stiffness: Option<Vec<Vec<f64>>>,
    /// Modal damping, `nm` by `nm`; none is zero.
    #[serde(rename = "Dm", skip_serializing_if = "Option::is_none")]
    pub damping: Option<Vec<Vec<f64>>>,
    /// Entries of the third-order stiffness tensor.
    #[serde(rename = "K3", skip_serializing_if = "Vec::is_empty", serialize_with = "words::write_entries")]
    pub cubic: Vec<([usize; 3], f64)>,
    /// Entries of the fourth-order stiffness tensor.
    #[serde(rename = "K4", skip_serializing_if = "Vec::is_empty", serialize_with = "words::write_entries")]
    pub quartic: Vec<([usize; 4], f64)>,
    /// Nodes.
    pub nodes: Vec<CaseNode>,
}

/// A node of a body.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CaseNode {
    /// Mass; zero for a marker.
    #[serde(rename = "m")]
    pub mass: f64,
    /// Mass centre from the node.
    #[serde(rename = "p")]
    pub mass_centre: [f64; 3],
    /// Inertia about the node.
    #[serde(rename = "J")]
    pub inertia: [[f64; 3]; 3],
    /// Undeformed position.
    #[serde(rename = "l0")]
    pub position: [f64; 3],
    /// Modal influence, 6 by `nm`, rotation rows first; none is zero.
    #[serde(rename = "Pi", skip_serializing_if = "Option::is_none")]
    pub influence: Option<Vec<Vec<f64>>>,
}

impl CaseNode {
    /// True where some mode turns the node.
    pub fn has_slope(&self) -> bool {
        let rows = self.influence.iter().flatten().take(3);
        rows.flatten().any(|&slope| slope != 0.0)
    }
}

/// Where the system is and how it moves.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CaseState {
    /// One entry per body.
    pub bodies: Vec<BodyState>,
    /// Elastic attitudes of nodes, where they are states.
    pub node_attitudes: Vec<NodeAttitude>,
}

/// Coordinates and speeds of a body.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct BodyState {
    /// Modal coordinates.
    pub eta: Vec<f64>,
    /// Their rates.
    pub etad: Vec<f64>,
    /// Hinge coordinates; quaternions are `(w, x, y, z)`.
    pub theta: Vec<f64>,
    /// Hinge speeds.
    pub beta: Vec<f64>,
}

/// Elastic attitude of a node, node axes to body axes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NodeAttitude {
    /// The body.
    pub body: usize,
    /// The node.
    pub node: usize,
    /// Unit quaternion `(w, x, y, z)`.
    pub quat: [f64; 4],
}

/// Axes of an external wrench.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CaseFrame {
    /// Axes of the body.
    Body,
    /// Inertial axes.
    Inertial,
}

/// An external wrench about a node.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CaseWrench {
    /// The body.
    pub body: usize,
    /// The node.
    pub node: usize,
    /// Axes of the components.
    pub frame: CaseFrame,
    /// Moment, then force.
    pub wrench: [f64; 6],
}
