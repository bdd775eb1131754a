//! Local to each body, after `motion`: what acts on it from outside, subtracted from its bias.

use super::pose::pose;
use crate::inputs::{Wrench, WrenchFrame};
use crate::model::Model;
use crate::state::State;
use crate::terms::Terms;
use crate::workspace::{Bias, Configuration};
use supple_spatial::{Force, Scalar};

/// Subtracts the loads that `terms` asks for.
#[inline(always)]
pub(crate) fn subtract_loads<T: Scalar>(
    model: &Model<T>,
    state: &State<T>,
    wrenches: &[Wrench<T>],
    terms: Terms,
    at: &mut Configuration<T>,
    out: &mut Bias<T>,
) {
    if terms.external && !wrenches.is_empty() {
        if wrenches.iter().any(|w| w.frame == WrenchFrame::Inertial) {
            pose(model, at);
        }
        subtract_wrenches(model, state, wrenches, at, out);
    }
}

/// The moment and force of a wrench in the axes of its body. World attitudes must be filled for inertial ones.
#[inline(always)]
pub(crate) fn in_body_axes<T: Scalar>(model: &Model<T>, wrench: &Wrench<T>, at: &Configuration<T>) -> Force<T> {
    let k = wrench.body.0;
    match wrench.frame {
        WrenchFrame::Body => model.bodies[k].axes.force_from_user(wrench.force),
        WrenchFrame::Inertial => wrench.force.rotate_back(&at.world_rotation[k]),
    }
}

/// Subtracts external wrenches: `[Π(j)*; φ(k,j)] f`. World attitudes must be filled for inertial ones.
pub(crate) fn subtract_wrenches<T: Scalar>(
    model: &Model<T>,
    state: &State<T>,
    wrenches: &[Wrench<T>],
    at: &Configuration<T>,
    out: &mut Bias<T>,
) {
    for wrench in wrenches {
        let k = wrench.body.0;
        let body = &model.topology.bodies[k];
        let node = &model.bodies[k].nodes[wrench.node.0];
        let f = in_body_axes(model, wrench, at);
        let eta = &state.coordinates[body.eta()];
        out.force[k] -= f.shift(node.deformed(at.slaves(body), eta));
        node.project(at.slaves(body), -f, &mut out.modal[body.modal.clone()]);
    }
}
