//! Names of hinges and bodies.

use std::collections::HashMap;

use supple::{BodyIndex, System};

/// Names of a system by place.
pub(super) struct Names<'s> {
    system: &'s System,
    bodies: HashMap<&'s str, BodyIndex>,
    hinges: HashMap<&'s str, BodyIndex>,
}

impl<'s> Names<'s> {
    pub(super) fn new(system: &'s System) -> Self {
        let all = || system.bodies.iter().enumerate();
        let hinge = |(k, body): (usize, &'s supple::Body)| Some((body.hinge.name.as_deref()?, BodyIndex(k)));
        Self {
            system,
            bodies: all().map(|(k, body)| (body.name.as_str(), BodyIndex(k))).collect(),
            hinges: all().filter_map(hinge).collect(),
        }
    }

    /// The body of a name.
    pub(super) fn body(&self, name: &str) -> Option<BodyIndex> {
        self.bodies.get(name).copied()
    }

    /// The body whose hinge has a name, or which has it itself.
    pub(super) fn hinge(&self, name: &str) -> Option<BodyIndex> {
        self.hinges.get(name).copied().or_else(|| self.body(name))
    }

    /// All bodies.
    pub(super) fn bodies(&self) -> impl Iterator<Item = &'s str> {
        self.system.bodies.iter().map(|body| body.name.as_str())
    }

    /// All hinges, by the names of their bodies where they have none of their own.
    pub(super) fn hinges(&self) -> impl Iterator<Item = &'s str> {
        self.system.bodies.iter().map(|body| body.hinge.name.as_deref().unwrap_or(&body.name))
    }
}
