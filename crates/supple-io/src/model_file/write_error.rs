//! Why a system has no file.

use std::fmt;

/// Why a system has no file.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum WriteError {
    /// A number is infinite or not a number.
    NotFinite {
        /// The body, or "system".
        body: String,
    },
    /// A name is empty or used twice.
    Name {
        /// Index of the body.
        body: usize,
        /// The name.
        name: String,
    },
    /// A body does not come after its parent, or hangs on a node that its parent does not have.
    Parent {
        /// The body.
        body: String,
    },
    /// The inboard node of a body does not exist.
    InboardNode {
        /// The body.
        body: String,
    },
    /// A motor that a model file cannot hold.
    Motor {
        /// Its name.
        motor: String,
        /// What is wrong.
        reason: &'static str,
        /// What to do about it.
        remedy: &'static str,
    },
    /// A force element that a model file cannot hold.
    Force {
        /// Its index in the system.
        element: usize,
        /// The kind of element.
        kind: &'static str,
        /// What is wrong.
        reason: &'static str,
        /// What to do about it.
        remedy: &'static str,
    },
    /// A closure that a model file cannot hold.
    Closure {
        /// Its index in the system.
        closure: usize,
        /// What is wrong.
        reason: &'static str,
        /// What to do about it.
        remedy: &'static str,
    },
}

impl WriteError {
    /// What to do about it.
    pub fn remedy(&self) -> &'static str {
        match self {
            Self::NotFinite { .. } => "a file holds finite numbers only",
            Self::Name { .. } => "give every body a unique name",
            Self::Parent { .. } => "build the model to see why",
            Self::InboardNode { .. } => "add it",
            Self::Motor { remedy, .. } | Self::Force { remedy, .. } | Self::Closure { remedy, .. } => remedy,
        }
    }

    /// What is wrong, without the remedy.
    pub fn what(&self) -> String {
        match self {
            Self::NotFinite { body } => format!("{body}: a number is not finite"),
            Self::Name { body, name } => format!("body number {body}: the name `{name}` is empty or used twice"),
            Self::Parent { body } => format!("body '{body}': its parent does not come before it or lacks the node"),
            Self::InboardNode { body } => format!("body '{body}': its inboard node does not exist"),
            Self::Motor { motor, reason, .. } => format!("motor '{motor}': {reason}"),
            Self::Force { element, kind, reason, .. } => format!("force element {element}, {kind}: {reason}"),
            Self::Closure { closure, reason, .. } => format!("closure {closure}: {reason}"),
        }
    }
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; {}", self.what(), self.remedy())
    }
}

impl std::error::Error for WriteError {}
