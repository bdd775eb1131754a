//! What acts on a system: generalized forces, wanted accelerations, wrenches at nodes.

use crate::check;
use crate::error::DynamicsError;
use crate::model::{BodyIndex, Model, ModelStamp, NodeIndex};
use supple_spatial::{Force, Scalar};

/// Axes in which a wrench is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WrenchFrame {
    /// Axes of the body frame `F_k`.
    Body,
    /// Inertial axes.
    Inertial,
}

/// An external wrench on a node: a moment and a force, about the node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wrench<T = f64> {
    /// The body.
    pub body: BodyIndex,
    /// Its node.
    pub node: NodeIndex,
    /// Axes of `force`.
    pub frame: WrenchFrame,
    /// Moment and force.
    pub force: Force<T>,
}

/// Inputs of the dynamics; each verb reads what it needs.
///
/// Two are equal where all they hold is, whatever models they were made for.
#[derive(Clone, Debug)]
pub struct Inputs<T = f64> {
    /// The model they were made for: handles of others are refused.
    pub stamp: ModelStamp,
    /// Generalized forces `T`, in the order of the speeds. Read by forward dynamics, and by hybrid dynamics
    /// for what is not prescribed.
    pub forces: Vec<T>,
    /// Generalized accelerations, in the order of the speeds. Read by inverse dynamics, and by
    /// hybrid dynamics for prescribed hinges.
    pub accelerations: Vec<T>,
    /// External wrenches at nodes.
    pub wrenches: Vec<Wrench<T>>,
    /// Per body, whether the acceleration of its hinge is prescribed. Read by hybrid dynamics.
    pub prescribed: Vec<bool>,
}

impl<T: PartialEq> PartialEq for Inputs<T> {
    fn eq(&self, other: &Self) -> bool {
        self.forces == other.forces
            && self.accelerations == other.accelerations
            && self.wrenches == other.wrenches
            && self.prescribed == other.prescribed
    }
}

impl<T: Scalar> Inputs<T> {
    /// No force, no acceleration, no wrench, no prescribed hinge.
    pub fn new(model: &Model<T>) -> Self {
        Self {
            stamp: model.stamp(),
            forces: vec![T::ZERO; model.speed_count()],
            accelerations: vec![T::ZERO; model.speed_count()],
            wrenches: Vec::new(),
            prescribed: vec![false; model.body_count()],
        }
    }

    /// Becomes a copy of `from`, in the memory that is there.
    pub(crate) fn copy_from(&mut self, from: &Self) {
        self.forces.clone_from(&from.forces);
        self.accelerations.clone_from(&from.accelerations);
        self.wrenches.clone_from(&from.wrenches);
        self.prescribed.clone_from(&from.prescribed);
    }

    /// Whether they fit `model`: as many numbers as it has, wrenches at nodes that it has and finite. Every verb asks this of what it reads;
    /// forces and accelerations that are not finite are reported where a result is not.
    ///
    /// # Errors
    /// The first wrench at fault, or how many numbers there should be.
    pub fn check(&self, model: &Model<T>) -> Result<(), DynamicsError> {
        check::inputs(model, self)
    }
}
