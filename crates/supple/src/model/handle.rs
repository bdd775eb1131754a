//! Handles: a hinge, a mode or a node of one model, with the places of its numbers.
//!
//! A handle carries the stamp of its model, so that a state, inputs or a solution of another model refuse it.

use super::topology::BodyTopology;
use super::{BodyIndex, Model, NodeIndex};
use std::ops::Range;

/// Which model something belongs to: models built apart differ, casts of one model to other scalars do not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ModelStamp(pub(crate) u64);

/// The hinge of a body, with its coordinates and speeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HingeHandle {
    stamp: ModelStamp,
    body: usize,
    coordinates: (usize, usize),
    speeds: (usize, usize),
}

/// A mode of a body, with its coordinate and speed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ModeHandle {
    stamp: ModelStamp,
    body: usize,
    mode: usize,
    coordinate: usize,
    speed: usize,
}

/// A node of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NodeHandle {
    stamp: ModelStamp,
    body: usize,
    node: usize,
    place: usize,
}

/// A motor, with the coordinate and speed of the hinge that it drives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MotorHandle {
    stamp: ModelStamp,
    actuator: usize,
    coordinates: (usize, usize),
    speed: usize,
}

/// A closure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ClosureHandle {
    stamp: ModelStamp,
    closure: usize,
    rows: (usize, usize),
}

/// The degrees of freedom of a hinge, a mode or a motor: what their handles have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Freedom {
    stamp: ModelStamp,
    coordinates: (usize, usize),
    speeds: (usize, usize),
}

fn range((start, end): (usize, usize)) -> Range<usize> {
    start..end
}

impl HingeHandle {
    pub(crate) fn new(stamp: ModelStamp, body: usize, at: &BodyTopology) -> Self {
        let (theta, beta) = (at.theta(), at.beta());
        Self { stamp, body, coordinates: (theta.start, theta.end), speeds: (beta.start, beta.end) }
    }

    /// The model it belongs to.
    pub fn stamp(self) -> ModelStamp {
        self.stamp
    }

    /// The body that the hinge carries.
    pub fn body(self) -> BodyIndex {
        BodyIndex(self.body)
    }

    /// Its coordinates in [`State::coordinates`](crate::State::coordinates).
    pub fn coordinates(self) -> Range<usize> {
        range(self.coordinates)
    }

    /// Its speeds in [`State::speeds`](crate::State::speeds); forces and accelerations have the same places.
    pub fn speeds(self) -> Range<usize> {
        range(self.speeds)
    }
}

impl ModeHandle {
    pub(crate) fn new(stamp: ModelStamp, body: usize, mode: usize, at: &BodyTopology) -> Self {
        Self { stamp, body, mode, coordinate: at.eta().start + mode, speed: at.eta_dot().start + mode }
    }

    /// The model it belongs to.
    pub fn stamp(self) -> ModelStamp {
        self.stamp
    }

    /// Its body.
    pub fn body(self) -> BodyIndex {
        BodyIndex(self.body)
    }

    /// Its number in the body, from 1 as in names of results.
    pub fn number(self) -> usize {
        self.mode + 1
    }

    /// Its coordinate in [`State::coordinates`](crate::State::coordinates).
    pub fn coordinate(self) -> usize {
        self.coordinate
    }

    /// Its speed in [`State::speeds`](crate::State::speeds); its force and acceleration have the same place.
    pub fn speed(self) -> usize {
        self.speed
    }
}

impl MotorHandle {
    pub(crate) fn new(stamp: ModelStamp, actuator: usize, direction: usize, at: &BodyTopology) -> Self {
        let (theta, beta) = (at.theta(), at.beta());
        // Directions of a quaternion have no coordinate of their own.
        let first = theta.start + direction;
        let coordinates = if theta.len() == beta.len() { (first, first + 1) } else { (first, first) };
        Self { stamp, actuator, coordinates, speed: beta.start + direction }
    }

    /// The model it belongs to.
    pub fn stamp(self) -> ModelStamp {
        self.stamp
    }

    /// Its place in [`Model::actuators`].
    pub fn actuator(self) -> usize {
        self.actuator
    }

    /// The speed of its hinge in [`State::speeds`](crate::State::speeds); its force has the same place in
    /// [`Inputs::forces`](crate::Inputs::forces).
    pub fn speed(self) -> usize {
        self.speed
    }
}

impl From<MotorHandle> for Freedom {
    fn from(motor: MotorHandle) -> Self {
        let MotorHandle { stamp, coordinates, speed, .. } = motor;
        Self { stamp, coordinates, speeds: (speed, speed + 1) }
    }
}

impl NodeHandle {
    pub(crate) fn new(stamp: ModelStamp, body: usize, node: usize, at: &BodyTopology) -> Self {
        Self { stamp, body, node, place: at.nodes.start + node }
    }

    /// The model it belongs to.
    pub fn stamp(self) -> ModelStamp {
        self.stamp
    }

    /// Its body.
    pub fn body(self) -> BodyIndex {
        BodyIndex(self.body)
    }

    /// Its index in the body.
    pub fn node(self) -> NodeIndex {
        NodeIndex(self.node)
    }

    /// Its place in an arena with one entry per node.
    pub(crate) fn place(self) -> usize {
        self.place
    }
}

impl ClosureHandle {
    /// The model it belongs to.
    pub fn stamp(self) -> ModelStamp {
        self.stamp
    }

    /// Its place in [`Model::closures`] and [`State::closed`](crate::State::closed).
    pub fn closure(self) -> usize {
        self.closure
    }

    /// Its equations among those of all closures.
    pub fn rows(self) -> Range<usize> {
        range(self.rows)
    }
}

impl Freedom {
    /// The model it belongs to.
    pub fn stamp(self) -> ModelStamp {
        self.stamp
    }

    /// Its coordinates in [`State::coordinates`](crate::State::coordinates).
    pub fn coordinates(self) -> Range<usize> {
        range(self.coordinates)
    }

    /// Its speeds in [`State::speeds`](crate::State::speeds); forces and accelerations have the same places.
    pub fn speeds(self) -> Range<usize> {
        range(self.speeds)
    }
}

impl From<HingeHandle> for Freedom {
    fn from(HingeHandle { stamp, coordinates, speeds, .. }: HingeHandle) -> Self {
        Self { stamp, coordinates, speeds }
    }
}

impl From<ModeHandle> for Freedom {
    fn from(ModeHandle { stamp, coordinate, speed, .. }: ModeHandle) -> Self {
        Self { stamp, coordinates: (coordinate, coordinate + 1), speeds: (speed, speed + 1) }
    }
}

impl<T> Model<T> {
    /// What tells this model from others; its casts to other scalars share it.
    pub fn stamp(&self) -> ModelStamp {
        ModelStamp(self.topology.stamp)
    }

    /// The hinges of all bodies, in the order of the bodies.
    pub fn hinges(&self) -> impl ExactSizeIterator<Item = HingeHandle> + '_ {
        let stamp = self.stamp();
        self.topology.bodies.iter().enumerate().map(move |(k, body)| HingeHandle::new(stamp, k, body))
    }

    /// The hinge that carries `body`; `None` where the model has no such body.
    pub fn hinge_of(&self, body: BodyIndex) -> Option<HingeHandle> {
        self.topology.bodies.get(body.0).map(|at| HingeHandle::new(self.stamp(), body.0, at))
    }

    /// The closures, in the order of the description.
    pub fn closure_handles(&self) -> impl ExactSizeIterator<Item = ClosureHandle> + '_ {
        let (stamp, closures) = (self.stamp(), self.topology.closures.iter().enumerate());
        closures.map(move |(closure, at)| ClosureHandle { stamp, closure, rows: (at.rows.start, at.rows.end) })
    }

    /// The modes of `body`; none where the model has no such body.
    pub fn modes_of(&self, body: BodyIndex) -> impl Iterator<Item = ModeHandle> + '_ {
        let stamp = self.stamp();
        let at = self.topology.bodies.get(body.0);
        at.into_iter().flat_map(move |at| (0..at.modes).map(move |r| ModeHandle::new(stamp, body.0, r, at)))
    }

    /// The nodes of `body`; none where the model has no such body.
    pub fn nodes_of(&self, body: BodyIndex) -> impl Iterator<Item = NodeHandle> + '_ {
        let stamp = self.stamp();
        let at = self.topology.bodies.get(body.0);
        at.into_iter().flat_map(move |at| (0..at.nodes.len()).map(move |j| NodeHandle::new(stamp, body.0, j, at)))
    }
}
