//! Derivatives of forward dynamics of trees without force elements, for any scalar: to be counted.

use super::memory::{Matrices, Recursion};
use super::solve::{self, Inverse};
use super::{inward, outward};
use crate::inputs::Inputs;
use crate::model::Model;
use crate::state::State;
use crate::workspace::Workspace;
use supple_spatial::Scalar;

/// Memory of the derivatives.
#[derive(Clone, Debug)]
pub(crate) struct TreeDerivatives<T> {
    recursion: Recursion<T>,
    inverse: Inverse<T>,
    accelerations: Vec<T>,
    matrices: Matrices<T>,
}

impl<T: Scalar> TreeDerivatives<T> {
    pub(crate) fn new(model: &Model<T>) -> Self {
        let n = model.speed_count();
        Self {
            recursion: Recursion::new(model),
            inverse: Inverse::new(model),
            accelerations: vec![T::ZERO; n],
            matrices: Matrices::new(n),
        }
    }

    /// All of them, after forward dynamics.
    pub(crate) fn differentiate(
        &mut self,
        model: &Model<T>,
        state: &State<T>,
        inputs: &Inputs<T>,
        ws: &mut Workspace<T>,
    ) {
        let Self { recursion, inverse, accelerations, matrices } = self;
        accelerations.copy_from_slice(&ws.result);
        outward::columns(model, state, accelerations, ws, recursion);
        inward::entries(model, state, accelerations, &inputs.wrenches, ws, recursion);
        solve::accelerations(model, ws, recursion, inverse, matrices);
    }
}
