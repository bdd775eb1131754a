//! Buffers of the sweeps, one struct per stage, sized once.
//!
//! A stage holds what belongs together. Blocks that a model keeps constant are written when the
//! workspace is made and never again; all others are overwritten in every call, and filled with NaN before it in debug builds.

mod applied;
mod articulated;
mod closing;
mod configuration;
mod dense;
mod modal;
mod motion;
mod poison;
mod reaction;
mod sweeps;

pub(crate) use applied::Applied;
pub(crate) use articulated::{Articulated, HingeRole, Residual};
pub(crate) use closing::{Closing, SidePlace};
pub(crate) use configuration::{Configuration, NodePlace};
pub use dense::DenseWorkspace;
pub(crate) use dense::{CompositeForces, Placed};
pub(crate) use modal::Modal;
pub(crate) use motion::{Acceleration, Bias, NodeRate, Velocity};
pub(crate) use reaction::Reaction;

use crate::model::Model;
use crate::state::State;
use crate::sweep;
use supple_spatial::{ArticulatedInertia, Scalar};

/// Scratch memory of one thread for one model: linear in the size of the model.
#[derive(Clone, Debug)]
pub struct Workspace<T: Scalar = f64> {
    pub(crate) stamp: u64,
    pub(crate) configuration: Configuration<T>,
    pub(crate) modal: Modal<T>,
    pub(crate) velocity: Velocity<T>,
    pub(crate) bias: Bias<T>,
    pub(crate) applied: Applied<T>,
    pub(crate) articulated: Articulated<T>,
    pub(crate) residual: Residual<T>,
    pub(crate) acceleration: Acceleration<T>,
    pub(crate) reaction: Reaction<T>,
    pub(crate) closing: Closing<T>,
    /// Per body: `Υ(k)`, by `sweep::compliance`.
    pub(crate) bodies_compliance: Vec<ArticulatedInertia<T>>,
    /// Per carrier: `Υ(t)`, by `sweep::compliance`.
    pub(crate) carriers_compliance: Vec<ArticulatedInertia<T>>,
    /// Generalized forces or accelerations that a verb gives back.
    pub(crate) result: Vec<T>,
    /// Generalized forces, where a verb gives both.
    pub(crate) second_result: Vec<T>,
}

impl<T: Scalar> Workspace<T> {
    /// Memory for `model`; no verb allocates after this.
    pub fn new(model: &Model<T>) -> Self {
        let top = &*model.topology;
        let mut workspace = Self {
            stamp: top.stamp,
            configuration: Configuration::new(top),
            modal: Modal::new(top),
            velocity: Velocity::new(top),
            bias: Bias::new(top),
            applied: Applied::new(model),
            articulated: Articulated::new(model),
            residual: Residual::new(top),
            acceleration: Acceleration::new(top),
            reaction: Reaction::new(model),
            closing: Closing::new(model),
            bodies_compliance: vec![ArticulatedInertia::ZERO; top.bodies.len()],
            carriers_compliance: vec![ArticulatedInertia::ZERO; top.carriers.len()],
            result: vec![T::ZERO; top.sizes.speeds],
            second_result: vec![T::ZERO; top.sizes.speeds],
        };
        let neutral = State::new(model);
        sweep::configuration::constant_places(model, &neutral, &mut workspace.configuration);
        sweep::configuration::configuration(model, &neutral, &mut workspace.configuration);
        sweep::modal_mass::constant_blocks(model, &neutral, &workspace.configuration, &mut workspace.modal);
        workspace.poison(model);
        workspace
    }
}
