//! Where a force element takes hold of a system: what it measures there, and what it does to it.

use crate::model::{BodyIndex, NodeIndex};
use supple_spatial::{Force, Matrix3, Motion, RigidInertia, Scalar, Symmetric3, Vector3};

/// One end of a force element, in a description.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Port {
    /// A direction of a hinge: its coordinate and speed, and a generalized force.
    Hinge {
        /// The body that the hinge carries.
        body: BodyIndex,
        /// The direction, by the place of its speed in the hinge.
        speed: usize,
    },
    /// A node of a body: its pose and velocity in inertial axes, and a wrench about it.
    Node {
        /// The body.
        body: BodyIndex,
        /// Its node.
        node: NodeIndex,
    },
    /// A point of the ground, with inertial axes; accepted wherever a node is.
    Ground {
        /// Where it is.
        position: [f64; 3],
    },
    /// A whole body: the pose of its frame, its mass, first moment and inertia, deformed; a wrench, and forces on its modes.
    Body {
        /// The body.
        body: BodyIndex,
    },
    /// Every body that has mass: the element acts on one after the other.
    EveryBody,
    /// A coordinate of a closure, while it is closed; accepted wherever a direction of a hinge is.
    Closure {
        /// The closure, by its place in the description.
        closure: usize,
        /// The coordinate, by its place in [`ClosureKind::coordinates`](crate::ClosureKind::coordinates).
        coordinate: usize,
    },
}

impl Port {
    /// The first direction of the hinge of `body`.
    pub fn hinge(body: BodyIndex) -> Self {
        Self::Hinge { body, speed: 0 }
    }

    /// The first coordinate of a closure.
    pub fn closure(closure: usize) -> Self {
        Self::Closure { closure, coordinate: 0 }
    }

    /// A node of a body.
    pub fn node(body: BodyIndex, node: NodeIndex) -> Self {
        Self::Node { body, node }
    }
}

/// What a law expects at a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PortKind {
    /// A direction of a hinge that has a coordinate of its own (directions of a quaternion have none), or a coordinate of a closure.
    Coordinate,
    /// The same, of which the speed alone is looked at; any direction of a hinge.
    Speed,
    /// A node, or a point of the ground.
    Node,
    /// A body as a whole.
    Body,
}

/// What is measured at one port.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PortState<T> {
    pub coordinate: T,
    pub speed: T,
    pub position: Vector3<T>,
    pub attitude: Matrix3<T>,
    pub velocity: Motion<T>,
    pub inertia: RigidInertia<T>,
}

impl<T: Scalar> PortState<T> {
    pub const ZERO: Self = Self {
        coordinate: T::ZERO,
        speed: T::ZERO,
        position: Vector3::ZERO,
        attitude: Matrix3::IDENTITY,
        velocity: Motion::ZERO,
        inertia: RigidInertia::ZERO,
    };
}

/// What an element does to one port.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PortForce<T> {
    /// On the speed of a hinge.
    pub hinge: T,
    /// About a node or the origin of a body frame, in inertial axes.
    pub wrench: Force<T>,
    /// `-∂V/∂c` and `-∂V/∂J` of a body, in its axes; off-diagonal entries stand for both.
    pub on_moment: Vector3<T>,
    pub on_inertia: Symmetric3<T>,
}

impl<T: Scalar> PortForce<T> {
    pub const ZERO: Self =
        Self { hinge: T::ZERO, wrench: Force::ZERO, on_moment: Vector3::ZERO, on_inertia: Symmetric3::ZERO };
}

/// What a law sees: time, and the state at its ports in the order of the element.
///
/// # Panics
/// Its methods panic for a port that the element does not have. What a port does not measure reads as zero.
#[derive(Clone, Copy, Debug)]
pub struct Measured<'a, T> {
    pub(crate) time: T,
    pub(crate) ports: &'a [PortState<T>],
}

impl<T: Scalar> Measured<'_, T> {
    /// Time, s.
    pub fn time(&self) -> T {
        self.time
    }

    /// Coordinate of a hinge, rad or m.
    pub fn coordinate(&self, port: usize) -> T {
        self.ports[port].coordinate
    }

    /// Speed of a hinge, rad/s or m/s.
    pub fn speed(&self, port: usize) -> T {
        self.ports[port].speed
    }

    /// Position of a node, or of the origin of a body frame, in inertial axes.
    pub fn position(&self, port: usize) -> Vector3<T> {
        self.ports[port].position
    }

    /// Attitude of a node or body frame: its axes to inertial axes.
    pub fn attitude(&self, port: usize) -> Matrix3<T> {
        self.ports[port].attitude
    }

    /// Angular velocity and velocity of a node or of the origin of a body frame, in inertial axes.
    pub fn velocity(&self, port: usize) -> Motion<T> {
        self.ports[port].velocity
    }

    /// Mass, first moment and inertia of the deformed body about the origin of its frame, in its axes.
    pub fn inertia(&self, port: usize) -> RigidInertia<T> {
        self.ports[port].inertia
    }
}

/// What a law writes: forces at its ports, and where the energy goes. All of it adds up; nothing is set at the start.
///
/// The energy ledger balances where the power of the forces is `supplied - dissipated - d(stored)/dt`.
///
/// # Panics
/// Its methods panic for a port that the element does not have.
#[derive(Debug)]
pub struct Effect<'a, T> {
    pub(crate) ports: &'a mut [PortForce<T>],
    pub(crate) energy: Energies<T>,
}

/// Where the energy of elements is and goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Energies<T> {
    pub stored: T,
    pub dissipated: T,
    pub supplied: T,
}

impl<T: Scalar> Energies<T> {
    pub const ZERO: Self = Self { stored: T::ZERO, dissipated: T::ZERO, supplied: T::ZERO };
}

impl<T: Scalar> Effect<'_, T> {
    /// Acts with `force` on the speed of a hinge, N m or N.
    pub fn push(&mut self, port: usize, force: T) {
        self.ports[port].hinge += force;
    }

    /// Acts with a moment and a force about a node, in inertial axes.
    pub fn apply(&mut self, port: usize, wrench: Force<T>) {
        self.ports[port].wrench += wrench;
    }

    /// Acts on a body as the potential `V(pose, c, J)` asks: a wrench about the origin of its frame, in inertial axes, and `-∂V/∂c` and
    /// `-∂V/∂J` in its own, from which the forces on modes follow. Entries of the last count as those of a full symmetric matrix.
    pub fn apply_to_body(&mut self, port: usize, wrench: Force<T>, on_moment: Vector3<T>, on_inertia: Symmetric3<T>) {
        let port = &mut self.ports[port];
        port.wrench += wrench;
        port.on_moment += on_moment;
        port.on_inertia += on_inertia;
    }

    /// Energy that the element stores, J.
    pub fn store(&mut self, energy: T) {
        self.energy.stored += energy;
    }

    /// Power that the element takes, W; not negative.
    pub fn dissipate(&mut self, power: T) {
        self.energy.dissipated += power;
    }

    /// Power that the element feeds in from outside, W; it counts as work of wrenches.
    pub fn supply(&mut self, power: T) {
        self.energy.supplied += power;
    }
}
