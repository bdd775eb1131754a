//! Inertias that no mass distribution has, and that are taken nevertheless: data of the literature often are of this kind, and the equations do not mind.

use super::description::System;
use super::problem::Problem;

impl System {
    /// Whether the inertia of a body is taken as it is.
    pub fn accepts_inertia(&self, body: &str) -> bool {
        self.accepted_inertia.iter().any(|name| name == body)
    }
}

impl Problem {
    /// The body, where this is about an inertia that no mass distribution has.
    pub fn impossible_inertia(&self) -> Option<&str> {
        match self {
            Self::NegativeInertia { body, .. }
            | Self::TriangleRule { body, .. }
            | Self::BodyTriangleRule { body, .. } => Some(body),
            _ => None,
        }
    }
}
