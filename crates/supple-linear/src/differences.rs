//! Derivatives along a direction by central differences of sixth order.

use supple::{Model, State};

use crate::LinearError;

/// Weights of `f(k h) - f(-k h)` for `k = 1, 2, 3`, over `h`.
const WEIGHTS: [f64; 3] = [45.0 / 60.0, -9.0 / 60.0, 1.0 / 60.0];

/// The derivative of `f` at zero; `f` is asked at multiples of `h` up to three. Exact for polynomials of sixth degree.
pub(crate) fn derivative(
    h: f64,
    mut f: impl FnMut(f64) -> Result<Vec<f64>, LinearError>,
) -> Result<Vec<f64>, LinearError> {
    let mut sum = Vec::new();
    for (k, weight) in WEIGHTS.iter().enumerate() {
        let step = (k + 1) as f64 * h;
        let (ahead, behind) = (f(step)?, f(-step)?);
        sum.resize(ahead.len(), 0.0);
        for ((sum, a), b) in sum.iter_mut().zip(&ahead).zip(&behind) {
            *sum += weight * (a - b) / h;
        }
    }
    Ok(sum)
}

/// A motion of the system that changes state and inputs, of first order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Direction<'d> {
    /// Along the manifold.
    pub displacement: &'d [f64],
    /// Change of the speeds.
    pub speeds: &'d [f64],
}

impl Direction<'_> {
    /// The state after `step` along it.
    pub fn from(&self, model: &Model, state: &State, step: f64) -> State {
        let mut moved = state.clone();
        let displacement: Vec<f64> = self.displacement.iter().map(|x| step * x).collect();
        if displacement.iter().any(|x| *x != 0.0) {
            moved.displace(model, &displacement);
        }
        moved.speeds.iter_mut().zip(self.speeds).for_each(|(u, change)| *u += step * change);
        moved
    }
}

/// A step that moves no node of the system by more than a millimetre or a milliradian, for a direction of unit speeds given by the motions of nodes.
pub(crate) fn step_for(motion: f64) -> f64 {
    1e-3 / motion.max(1.0)
}

/// Largest component of the motion of any node for each speed: how far a unit displacement reaches.
pub(crate) fn reach(model: &Model, state: &State) -> Result<Vec<f64>, LinearError> {
    let n = model.speed_count();
    let mut workspace = supple::Workspace::new(model);
    let mut jacobian = vec![0.0; 6 * n];
    let mut reach = vec![0.0_f64; n];
    for body in model.body_indices() {
        for node in model.nodes_of(body) {
            supple::node_jacobian(model, state, (body, node.node()), &mut workspace, &mut jacobian)?;
            for (k, x) in jacobian.iter().enumerate() {
                reach[k % n] = reach[k % n].max(x.abs());
            }
        }
    }
    Ok(reach)
}
