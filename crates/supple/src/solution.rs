//! Results of the dynamics, readable only while nothing has overwritten them.

use crate::model::{BodyIndex, Model};
use supple_spatial::Scalar;

/// What a verb computed. It borrows the workspace, so a stale read does not compile.
#[derive(Clone, Copy, Debug)]
pub struct Solution<'w, T = f64> {
    pub(crate) accelerations: &'w [T],
    pub(crate) forces: &'w [T],
}

impl<'w, T: Scalar> Solution<'w, T> {
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
