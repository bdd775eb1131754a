//! What a node should do, and what can be wrong with a question.

use std::fmt;

use supple::spatial::{Matrix3, Quaternion, Vector3};
use supple::{AccessError, DynamicsError, NodeHandle};

use crate::LinearError;

/// Where a node should be.
#[derive(Clone, Debug, PartialEq)]
pub struct Task {
    /// The node.
    pub node: NodeHandle,
    /// Its position in inertial axes, m.
    pub position: Option<[f64; 3]>,
    /// Its attitude: a unit quaternion `(x, y, z, w)`, axes of the node to inertial axes.
    pub attitude: Option<[f64; 4]>,
    /// Inertial axes along which the position counts.
    pub axes: [bool; 3],
    /// How much its errors count among those of other tasks.
    pub weight: f64,
}

impl Task {
    /// A position.
    pub fn position(node: NodeHandle, position: [f64; 3]) -> Self {
        Self { node, position: Some(position), attitude: None, axes: [true; 3], weight: 1.0 }
    }

    /// Position and attitude.
    pub fn pose(node: NodeHandle, position: [f64; 3], attitude: [f64; 4]) -> Self {
        Self { attitude: Some(attitude), ..Self::position(node, position) }
    }

    /// An attitude.
    pub fn attitude(node: NodeHandle, attitude: [f64; 4]) -> Self {
        Self { node, position: None, attitude: Some(attitude), axes: [true; 3], weight: 1.0 }
    }

    /// What is wrong with it.
    pub(super) fn check(&self, index: usize) -> Result<(), IkError> {
        let bad = |reason| Err(IkError::Task { index, reason });
        if self.position.is_none() && self.attitude.is_none() {
            return bad("it has neither a position nor an attitude");
        }
        if self.position.is_some_and(|p| p.iter().any(|x| !x.is_finite())) {
            return bad("its position is not finite");
        }
        if self.position.is_some() && self.axes == [false; 3] {
            return bad("none of the axes of its position counts");
        }
        if let Some(q) = self.attitude {
            let norm = q.iter().map(|x| x * x).sum::<f64>().sqrt();
            if norm.is_nan() || (norm - 1.0).abs() >= 1e-6 {
                return bad("its quaternion is not of unit length");
            }
        }
        if !(self.weight > 0.0 && self.weight.is_finite()) {
            return bad("its weight is not positive");
        }
        Ok(())
    }

    /// Rows of its errors.
    pub(super) fn rows(&self) -> usize {
        let position = if self.position.is_some() { self.axes.iter().filter(|x| **x).count() } else { 0 };
        position + if self.attitude.is_some() { 3 } else { 0 }
    }

    /// Vector from a position to the target, along the axes that count.
    pub(super) fn distance(&self, at: Vector3<f64>) -> [f64; 3] {
        let target = self.position.unwrap_or(at.0);
        std::array::from_fn(|i| if self.axes[i] { target[i] - at.0[i] } else { 0.0 })
    }

    /// Rotation vector from an attitude to the target, in inertial axes.
    pub(super) fn turn(&self, at: Matrix3<f64>) -> Vector3<f64> {
        let Some(target) = self.attitude else { return Vector3::ZERO };
        let now = Quaternion::from_matrix(&at);
        let to = Quaternion(target).normalized();
        let back = Quaternion([-now.0[0], -now.0[1], -now.0[2], now.0[3]]);
        let mut turn = to.product(back);
        // The shorter way round.
        if turn.0[3] < 0.0 {
            turn = Quaternion(turn.0.map(|x| -x));
        }
        turn.logarithm()
    }
}

/// Why a question of inverse kinematics makes no sense.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum IkError {
    /// There is no task.
    NoTask,
    /// A task that makes no sense.
    Task {
        /// Its place in the list.
        index: usize,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// A limit that makes no sense.
    Limit {
        /// The hinge.
        hinge: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// No hinge may move.
    NoHinge,
    /// Flexible bodies at equilibrium in a model with closures.
    ClosedEquilibrium,
    /// What the engine says about the start.
    Dynamics(DynamicsError),
    /// A handle of another model.
    Handle(AccessError),
    /// There is no equilibrium at the start.
    Equilibrium(LinearError),
}

impl IkError {
    /// What to do about it.
    pub fn remedy(&self) -> String {
        match self {
            Self::NoTask => "give a node and where it should be".into(),
            Self::Task { .. } => {
                "give finite numbers, a unit quaternion (x, y, z, w), a positive weight and at least one axis".into()
            }
            Self::Limit { .. } => "give a hinge with one direction and a lower limit below the upper one".into(),
            Self::NoHinge => "name a hinge that can move, and leave it out of the prescribed ones".into(),
            Self::ClosedEquilibrium => "leave out equilibrium, or open the loop".into(),
            Self::Dynamics(error) => error.remedy().unwrap_or("start from another pose").into(),
            Self::Handle(error) => error.remedy().into(),
            Self::Equilibrium(error) => error.remedy(),
        }
    }
}

impl fmt::Display for IkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoTask => f.write_str("there is no task")?,
            Self::Task { index, reason } => write!(f, "task {index}: {reason}")?,
            Self::Limit { hinge, reason } => write!(f, "limit of hinge '{hinge}': {reason}")?,
            Self::NoHinge => f.write_str("no hinge may move")?,
            Self::ClosedEquilibrium => {
                f.write_str("flexible bodies at equilibrium in a model with closures are not supported")?
            }
            Self::Dynamics(error) => return error.fmt(f),
            Self::Handle(error) => return error.fmt(f),
            Self::Equilibrium(error) => return error.fmt(f),
        }
        write!(f, "; {}", self.remedy())
    }
}

impl std::error::Error for IkError {}

impl From<DynamicsError> for IkError {
    fn from(error: DynamicsError) -> Self {
        Self::Dynamics(error)
    }
}

impl From<LinearError> for IkError {
    fn from(error: LinearError) -> Self {
        match error {
            LinearError::Dynamics(error) => Self::Dynamics(error),
            error => Self::Equilibrium(error),
        }
    }
}
