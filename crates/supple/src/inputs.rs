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

/// How an equation of a closure moves: zero where it holds still.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EquationMotion<T = f64> {
    /// Where it is, m or rad: what the assembly and the steps of a simulation bring it back to.
    pub displacement: T,
    /// Rate of that.
    pub speed: T,
    /// Rate of the speed.
    pub acceleration: T,
}

impl<T: Scalar> EquationMotion<T> {
    /// No motion.
    pub const STILL: Self = Self { displacement: T::ZERO, speed: T::ZERO, acceleration: T::ZERO };
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
    /// Prescribed (rheonomic) motion of the equations of closures, those of a closure at [`ClosureHandle::rows`](crate::ClosureHandle::rows): of translations, distances
    /// and couplings, and of coordinates that are [driven](crate::Closure::driven). Read by all verbs that obey closures.
    pub closure_motions: Vec<EquationMotion<T>>,
    /// Which equations of closures take part, where their rank was decided before, in double precision: see
    /// [`ClosureRank::independent`](crate::ClosureRank::independent). In the order of `closure_motions`. Empty, as at first, every evaluation decides, by masks and
    /// not by branches. Read by verbs that give accelerations.
    pub closure_rows: Vec<bool>,
    /// Forces of the [motors](crate::force::Motor) among the force elements, in their order.
    pub element_forces: Vec<T>,
}

impl<T: PartialEq> PartialEq for Inputs<T> {
    fn eq(&self, other: &Self) -> bool {
        self.forces == other.forces
            && self.accelerations == other.accelerations
            && self.wrenches == other.wrenches
            && self.prescribed == other.prescribed
            && self.closure_motions == other.closure_motions
            && self.closure_rows == other.closure_rows
            && self.element_forces == other.element_forces
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
            closure_motions: vec![EquationMotion::STILL; model.equation_count()],
            closure_rows: Vec::new(),
            element_forces: vec![T::ZERO; model.elements.inputs()],
        }
    }

    /// Becomes a copy of `from`, in the memory that is there.
    pub(crate) fn copy_from(&mut self, from: &Self) {
        self.forces.clone_from(&from.forces);
        self.accelerations.clone_from(&from.accelerations);
        self.wrenches.clone_from(&from.wrenches);
        self.prescribed.clone_from(&from.prescribed);
        self.closure_motions.clone_from(&from.closure_motions);
        self.closure_rows.clone_from(&from.closure_rows);
        self.element_forces.clone_from(&from.element_forces);
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
