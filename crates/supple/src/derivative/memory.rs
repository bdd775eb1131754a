//! Memory of the recursion.

use super::node::NodeTangent;
use super::spatial::{Column, Composite, Dof};
use crate::model::Model;
use supple_spatial::{Force, Matrix3, Motion, Scalar, Vector3};

/// A body seen from the root of its tree: from the origin of the root body, in inertial axes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen<T> {
    /// Axes of the body to inertial axes.
    pub attitude: Matrix3<T>,
    /// Its `F` from that of the root.
    pub position: Vector3<T>,
    /// Its velocity, about the root.
    pub velocity: Motion<T>,
}

/// Derivatives of an answer, `n × n` by rows.
#[derive(Clone, Debug)]
pub(super) struct Matrices<T> {
    pub displacement: Vec<T>,
    pub speed: Vec<T>,
    pub input: Vec<T>,
}

impl<T: Scalar> Matrices<T> {
    pub fn new(n: usize) -> Self {
        let matrix = || vec![T::ZERO; n * n];
        Self { displacement: matrix(), speed: matrix(), input: matrix() }
    }
}

/// What the recursion fills.
#[derive(Clone, Debug)]
pub(super) struct Recursion<T> {
    /// Per body.
    pub seen: Vec<Seen<T>>,
    /// Per hinge speed.
    pub hinge: Vec<Column<T>>,
    /// Per carrier and mode, hinge held: what the mode does to all that the carrier carries.
    pub carried: Vec<Column<T>>,
    /// Per mode, of bodies whose modes move their hinge: what the hinge would do to the body, were it carried.
    pub inboard: Vec<Column<T>>,
    /// Per carrier, and per body for its hinge: how its rotation follows the slopes, where they are parameters of a rotation.
    pub carrier_node: Vec<Option<NodeTangent<T>>>,
    pub inboard_node: Vec<Option<NodeTangent<T>>>,
    /// Per carrier: all that it carries.
    pub arrived: Vec<Composite<T>>,
    /// The speeds of one body.
    pub dofs: Vec<Dof<T>>,
    /// Columns of the modes of one body at a loaded node.
    pub loaded: Vec<Column<T>>,
    /// Whether velocities of translation, or rotations at velocity and acceleration held, matter.
    pub drags: bool,
    /// Of one body with modes.
    pub local: Local<T>,
    /// `∂T/∂δ`, `∂T/∂u` and `𝓜`, by rows.
    pub displacement: Vec<T>,
    pub speed: Vec<T>,
    pub mass: Vec<T>,
}

/// How the forces of one body with modes change, in its axes, about its `F`. Modes are followed by second-order shapes until these are projected.
#[derive(Clone, Debug)]
pub(super) struct Local<T> {
    /// Per mode: rigid forces per `η`, per `η̇`.
    pub per_eta: Vec<Force<T>>,
    pub per_rate: Vec<Force<T>>,
    /// Per mode: modal force per velocity of the body, at `ã` held.
    pub per_velocity: Vec<Force<T>>,
    /// Per mode: its offset mass, where that has weight of its own.
    pub offset: Vec<Vector3<T>>,
    /// Modal forces per `η` and per `η̇`, by rows.
    pub stiffness: Vec<T>,
    pub damping: Vec<T>,
    /// Per mode and shape: `η`, `η̇`, `η̈`.
    pub q: Vec<T>,
    pub q_dot: Vec<T>,
    pub q_ddot: Vec<T>,
    /// Per shape and mode: `B η̇`, `B η̈`.
    pub gain_rate: Vec<T>,
    pub gain_change: Vec<T>,
    /// One row, one column.
    pub row: Vec<T>,
    pub column: Vec<T>,
}

impl<T: Scalar> Recursion<T> {
    pub fn new(model: &Model<T>) -> Self {
        let top = &*model.topology;
        let (n, sizes) = (top.sizes.speeds, top.sizes);
        let most = top.bodies.iter().map(|body| body.speeds.len()).max().unwrap_or(0);
        let seen = Seen { attitude: Matrix3::IDENTITY, position: Vector3::ZERO, velocity: Motion::ZERO };
        let matrix = || vec![T::ZERO; n * n];
        Self {
            seen: vec![seen; top.bodies.len()],
            hinge: vec![Column::ZERO; sizes.hinge],
            carried: vec![Column::ZERO; sizes.carried_modes],
            inboard: vec![Column::ZERO; sizes.modal],
            carrier_node: vec![None; top.carriers.len()],
            inboard_node: vec![None; top.bodies.len()],
            arrived: vec![Composite::ZERO; top.carriers.len()],
            dofs: vec![Dof::ZERO; most],
            loaded: vec![Column::ZERO; sizes.most_modes],
            drags: false,
            local: Local::new(model),
            displacement: matrix(),
            speed: matrix(),
            mass: matrix(),
        }
    }
}

impl<T: Scalar> Local<T> {
    fn new(model: &Model<T>) -> Self {
        let sizes = model.topology.sizes;
        let most = sizes.most_augmented;
        let gains = model.topology.bodies.iter().map(|body| body.slave_gain.len()).max().unwrap_or(0);
        let (forces, numbers) = (|| vec![Force::ZERO; most], |n: usize| vec![T::ZERO; n]);
        Self {
            per_eta: forces(),
            per_rate: forces(),
            per_velocity: forces(),
            offset: vec![Vector3::ZERO; most],
            stiffness: numbers(most * most),
            damping: numbers(most * most),
            q: numbers(most),
            q_dot: numbers(most),
            q_ddot: numbers(most),
            gain_rate: numbers(gains),
            gain_change: numbers(gains),
            row: numbers(most),
            column: numbers(most),
        }
    }
}
