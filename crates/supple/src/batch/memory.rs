//! What one thread needs for one group of lanes.

use crate::inputs::Inputs;
use crate::model::Model;
use crate::state::State;
use crate::step::StepWorkspace;
use crate::workspace::{DenseWorkspace, Workspace};
use supple_spatial::Scalar;

/// Model, state, inputs and scratch memory of one group.
#[derive(Debug)]
pub(super) struct Memory<T: Scalar> {
    pub model: Model<T>,
    pub state: State<T>,
    pub inputs: Inputs<T>,
    pub workspace: Workspace<T>,
    /// What a verb gives back, sized by it.
    pub result: Vec<T>,
    /// Made by the first verb whose result is a matrix.
    pub dense: Option<DenseWorkspace<T>>,
    /// Made by the first step.
    pub step: Option<StepWorkspace<T>>,
}

impl<T: Scalar> Memory<T> {
    pub fn new(model: Model<T>) -> Self {
        Self {
            state: State::new(&model),
            inputs: Inputs::new(&model),
            workspace: Workspace::new(&model),
            result: Vec::new(),
            dense: None,
            step: None,
            model,
        }
    }
}
