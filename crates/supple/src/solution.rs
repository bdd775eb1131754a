//! Results of the dynamics, readable only while nothing has overwritten them.

use crate::access::AccessError;
use crate::model::{BodyIndex, Freedom, Model, ModelStamp};
use crate::workspace::Workspace;
use supple_spatial::Scalar;

/// What a verb computed. It borrows the workspace, so a stale read does not compile.
#[derive(Clone, Copy, Debug)]
pub struct Solution<'w, T: Scalar = f64> {
    stamp: ModelStamp,
    accelerations: &'w [T],
    forces: &'w [T],
    /// Where forces across hinges are, if the verb computed them.
    wrenches: Option<&'w Workspace<T>>,
}

impl<'w, T: Scalar> Solution<'w, T> {
    pub(crate) fn new(model: &Model<T>, accelerations: &'w [T], forces: &'w [T]) -> Self {
        Self { stamp: model.stamp(), accelerations, forces, wrenches: None }
    }

    /// The same, with forces across hinges in `workspace`.
    pub(crate) fn with_wrenches(self, workspace: &'w Workspace<T>) -> Self {
        Self { wrenches: Some(workspace), ..self }
    }

    /// The workspace with forces across hinges.
    pub(crate) fn wrenches(&self, quantity: &'static str) -> Result<&'w Workspace<T>, AccessError> {
        let computed_by = "reactions and inverse_dynamics";
        self.wrenches.ok_or(AccessError::NotComputed { quantity, computed_by })
    }

    /// Checks that a handle is of the model that was solved.
    pub(crate) fn check(&self, stamp: ModelStamp) -> Result<(), AccessError> {
        if stamp == self.stamp { Ok(()) } else { Err(AccessError::WrongModel { used_with: "solution" }) }
    }

    /// Acceleration of a mode, or of a hinge with one speed.
    ///
    /// # Errors
    /// A handle of another model, or a hinge with several speeds or none.
    pub fn acceleration(&self, of: impl Into<Freedom>) -> Result<T, AccessError> {
        crate::access::one(self.accelerations_of(of)?)
    }

    /// Accelerations of a hinge or a mode.
    ///
    /// # Errors
    /// A handle of another model.
    pub fn accelerations_of(&self, of: impl Into<Freedom>) -> Result<&'w [T], AccessError> {
        let of = of.into();
        self.check(of.stamp())?;
        crate::access::part(self.accelerations, of.speeds())
    }

    /// Generalized force of a mode, or of a hinge with one speed.
    ///
    /// # Errors
    /// As [`acceleration`](Self::acceleration).
    pub fn force(&self, of: impl Into<Freedom>) -> Result<T, AccessError> {
        crate::access::one(self.forces_of(of)?)
    }

    /// Generalized forces of a hinge or a mode.
    ///
    /// # Errors
    /// A handle of another model.
    pub fn forces_of(&self, of: impl Into<Freedom>) -> Result<&'w [T], AccessError> {
        let of = of.into();
        self.check(of.stamp())?;
        crate::access::part(self.forces, of.speeds())
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
    pub fn modal_accelerations(&self, model: &Model<T>, body: BodyIndex) -> &'w [T] {
        &self.accelerations[model.modal_speeds(body)]
    }

    /// Accelerations `β̇` of the hinge of a body.
    pub fn hinge_accelerations(&self, model: &Model<T>, body: BodyIndex) -> &'w [T] {
        &self.accelerations[model.hinge_speeds(body)]
    }

    /// Generalized forces at the hinge of a body.
    pub fn hinge_forces(&self, model: &Model<T>, body: BodyIndex) -> &'w [T] {
        &self.forces[model.hinge_speeds(body)]
    }
}
