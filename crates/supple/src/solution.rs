//! Results of the dynamics, readable only while nothing has overwritten them.

use crate::access::AccessError;
use crate::model::{BodyIndex, Model, ModelStamp};
use crate::workspace::{Closing, Workspace};
use supple_spatial::Scalar;

/// What a verb computed. It borrows the workspace, so a stale read does not compile.
#[derive(Clone, Copy, Debug)]
pub struct Solution<'w, T: Scalar = f64> {
    stamp: ModelStamp,
    accelerations: &'w [T],
    forces: &'w [T],
    /// Where forces across hinges are, if the verb computed them.
    wrenches: Option<&'w Workspace<T>>,
    /// Where forces of closures are, if the verb computed them.
    closing: Option<&'w Closing<T>>,
}

impl<'w, T: Scalar> Solution<'w, T> {
    pub(crate) fn new(model: &Model<T>, accelerations: &'w [T], forces: &'w [T]) -> Self {
        Self { stamp: model.stamp(), accelerations, forces, wrenches: None, closing: None }
    }

    /// The same, with forces across hinges in `workspace`.
    pub(crate) fn with_wrenches(self, workspace: &'w Workspace<T>) -> Self {
        Self { wrenches: Some(workspace), ..self }
    }

    /// The same, with forces of closures.
    pub(crate) fn closed_by(self, closing: &'w Closing<T>) -> Self {
        Self { closing: Some(closing), ..self }
    }

    /// The forces of closures.
    pub(crate) fn closing(&self) -> Result<&'w Closing<T>, AccessError> {
        let computed_by = "forward_dynamics, hybrid_dynamics and reactions";
        self.closing.ok_or(AccessError::NotComputed { quantity: "forces of closures", computed_by })
    }

    /// The workspace with forces across hinges.
    pub(crate) fn wrenches(&self, quantity: &'static str) -> Result<&'w Workspace<T>, AccessError> {
        let computed_by = "reactions and inverse_dynamics";
        self.wrenches.ok_or(AccessError::NotComputed { quantity, computed_by })
    }

    /// The model that was solved.
    pub fn stamp(&self) -> ModelStamp {
        self.stamp
    }

    /// Generalized accelerations, in the order of the speeds.
    pub fn accelerations(&self) -> &'w [T] {
        self.accelerations
    }

    /// Generalized forces, in the order of the speeds.
    pub fn forces(&self) -> &'w [T] {
        self.forces
    }

    /// Accelerations `η̈` of the modes of a body.
    ///
    /// # Panics
    /// For another model than that of the verb, or a body that it does not have; handles give errors instead.
    pub fn modal_accelerations(&self, model: &Model<T>, body: BodyIndex) -> &'w [T] {
        &self.accelerations[model.modal_speeds(body)]
    }

    /// Accelerations `β̇` of the hinge of a body.
    ///
    /// # Panics
    /// For another model than that of the verb, or a body that it does not have; handles give errors instead.
    pub fn hinge_accelerations(&self, model: &Model<T>, body: BodyIndex) -> &'w [T] {
        &self.accelerations[model.hinge_speeds(body)]
    }

    /// Generalized forces at the hinge of a body.
    ///
    /// # Panics
    /// For another model than that of the verb, or a body that it does not have; handles give errors instead.
    pub fn hinge_forces(&self, model: &Model<T>, body: BodyIndex) -> &'w [T] {
        &self.forces[model.hinge_speeds(body)]
    }
}
