//! How messages call force elements and nodes.

use std::fmt;

use super::description::Node;

/// The force element or actuator that a finding is about.
#[derive(Clone, Debug, PartialEq)]
pub struct Acting {
    /// How messages call it.
    pub name: String,
    /// Its place among the force elements of the system; none for an actuator.
    pub index: Option<usize>,
    /// The body of its first port, where it has one.
    pub body: Option<String>,
}

/// A node in a message: its place in the body with its name, or with its position where it has none.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeLabel {
    /// Its place among the nodes of the body.
    pub index: usize,
    /// Its name.
    pub name: Option<String>,
    /// Its position in the body frame.
    pub position: [f64; 3],
}

impl NodeLabel {
    pub(super) fn of(index: usize, node: &Node) -> Self {
        Self { index, name: node.name.clone(), position: node.position }
    }
}

impl fmt::Display for NodeLabel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [x, y, z] = self.position;
        match &self.name {
            Some(name) => write!(f, "{} '{name}'", self.index),
            None if self.position == [0.0; 3] => write!(f, "{}", self.index),
            None => write!(f, "{} at ({x:?}, {y:?}, {z:?}) m", self.index),
        }
    }
}
