//! Closures: what a description closes loops with.

use super::description::Parent;
use super::{BodyIndex, NodeIndex};

/// A frame fixed to a node of a body, or to the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mount {
    /// What it is fixed to.
    pub parent: Parent,
    /// Origin from the node, in the node's axes; from the inertial origin on the ground.
    pub position: [f64; 3],
    /// Its axes as columns in the node's axes; a rotation matrix.
    pub rotation: [[f64; 3]; 3],
}

impl Mount {
    /// The inertial frame.
    pub fn ground() -> Self {
        let rotation = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        Self { parent: Parent::Ground, position: [0.0; 3], rotation }
    }

    /// The frame of a node.
    pub fn node(body: BodyIndex, node: NodeIndex) -> Self {
        Self { parent: Parent::Body(body, node), ..Self::ground() }
    }

    /// The same with its origin at `position`.
    pub fn at(self, position: [f64; 3]) -> Self {
        Self { position, ..self }
    }

    /// The same with its axes turned.
    pub fn turned(self, rotation: [[f64; 3]; 3]) -> Self {
        Self { rotation, ..self }
    }
}

/// The relative motion of two frames `a` and `b` that a closure leaves free. Axes are in `a` unless they say otherwise.
///
/// | kind           | `b` may                                        | equations |
/// |----------------|------------------------------------------------|-----------|
/// | `Weld`         | not move                                       | 6         |
/// | `Ball`         | turn about its origin                          | 3         |
/// | `Revolute`     | turn about the axis                            | 5         |
/// | `Prismatic`    | slide along the axis                           | 5         |
/// | `Screw`        | turn about the axis and advance with it        | 5         |
/// | `Cylindrical`  | turn about the axis and slide along it         | 4         |
/// | `Universal`    | turn about an axis of `a` and one of its own   | 4         |
/// | `Planar`       | slide in the plane across the normal and turn about it | 3 |
/// | `PointOnLine`  | turn, its origin on the line                   | 2         |
/// | `PointOnPlane` | turn, its origin in the plane                  | 1         |
/// | `Distance`     | turn, its origin at that distance              | 1         |
#[derive(Clone, Debug, PartialEq)]
pub enum ClosureKind {
    /// No relative motion.
    Weld,
    /// Origins together.
    Ball,
    /// Rotation about `axis`.
    Revolute {
        /// Direction; scaled to unit length.
        axis: [f64; 3],
    },
    /// Translation along `axis`.
    Prismatic {
        /// Direction; scaled to unit length.
        axis: [f64; 3],
    },
    /// Rotation about `axis` with a proportional advance along it.
    Screw {
        /// Direction; scaled to unit length.
        axis: [f64; 3],
        /// Advance per radian.
        pitch: f64,
    },
    /// Rotation about and translation along `axis`.
    Cylindrical {
        /// Direction; scaled to unit length.
        axis: [f64; 3],
    },
    /// Rotation about `axes[0]` of `a` and `axes[1]` of `b`.
    Universal {
        /// Directions; scaled to unit length.
        axes: [[f64; 3]; 2],
    },
    /// Translation in the plane across `normal` through the origin of `a`, rotation about it.
    Planar {
        /// Direction; scaled to unit length.
        normal: [f64; 3],
    },
    /// The origin of `b` on the line along `axis` through the origin of `a`.
    PointOnLine {
        /// Direction; scaled to unit length.
        axis: [f64; 3],
    },
    /// The origin of `b` in the plane across `normal` through the origin of `a`.
    PointOnPlane {
        /// Direction; scaled to unit length.
        normal: [f64; 3],
    },
    /// Origins at a distance.
    Distance {
        /// The distance, more than zero.
        length: f64,
    },
}

impl ClosureKind {
    /// Number of equations, its coordinates not driven.
    pub fn equations(&self) -> usize {
        let (turns, slides) = self.held(false);
        turns.len() + slides.len()
    }
}

/// One hinge direction in a [coupling](Constraint::Coupling).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CoupledHinge {
    /// The body that the hinge carries.
    pub body: BodyIndex,
    /// The direction, by the place of its speed in the hinge.
    pub speed: usize,
    /// Its factor.
    pub factor: f64,
}

/// What a closure asks for.
#[allow(clippy::large_enum_variant)] // most are joints
#[derive(Clone, Debug, PartialEq)]
pub enum Constraint {
    /// A joint between two frames.
    Joint {
        /// The motion it leaves free.
        kind: ClosureKind,
        /// One frame.
        a: Mount,
        /// The other.
        b: Mount,
    },
    /// `Σ factor · coordinate = offset` of hinge directions with coordinates: gears, mimicked joints, hinges that are locked.
    Coupling {
        /// The hinges.
        hinges: Vec<CoupledHinge>,
        /// What the sum is.
        offset: f64,
    },
}

/// A constraint that closes a loop, between nodes of the tree or a node and the ground, or between hinges.
#[derive(Clone, Debug, PartialEq)]
pub struct Closure {
    /// Optional name, unique in the system.
    pub name: Option<String>,
    /// What it asks for.
    pub constraint: Constraint,
    /// Whether its [coordinates](ClosureKind::coordinates) move as prescribed by
    /// [`Inputs::closure_motions`](crate::Inputs::closure_motions): each is an equation more.
    pub driven: bool,
    /// Coefficient of restitution of events that close it, from 0, with which it stays closed, to 1: Newton's law. They may choose another.
    pub restitution: f64,
}

impl Closure {
    /// A joint between two frames.
    pub fn joint(kind: ClosureKind, a: Mount, b: Mount) -> Self {
        Self { name: None, constraint: Constraint::Joint { kind, a, b }, driven: false, restitution: 0.0 }
    }

    /// Hinge directions whose coordinates, each times its factor, add up to `offset`.
    pub fn coupling(hinges: impl Into<Vec<CoupledHinge>>, offset: f64) -> Self {
        let constraint = Constraint::Coupling { hinges: hinges.into(), offset };
        Self { name: None, constraint, driven: false, restitution: 0.0 }
    }

    /// The same with a name.
    pub fn named(self, name: impl Into<String>) -> Self {
        Self { name: Some(name.into()), ..self }
    }

    /// The same with coordinates that move as prescribed.
    pub fn driven(self) -> Self {
        Self { driven: true, ..self }
    }

    /// The same with a coefficient of restitution.
    pub fn rebounding(self, restitution: f64) -> Self {
        Self { restitution, ..self }
    }

    /// Number of equations.
    pub fn equations(&self) -> usize {
        match &self.constraint {
            Constraint::Coupling { .. } => 1,
            Constraint::Joint { kind, .. } => {
                let (turns, slides) = kind.held(self.driven);
                turns.len() + slides.len()
            }
        }
    }
}
