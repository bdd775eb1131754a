//! Flexible bodies at equilibrium while hinges are held.

use faer::Mat;
use faer::linalg::solvers::Solve;
use supple::{Derivatives, Inputs, Model, State, Workspace};

use super::IkError;
use crate::{LinearError, equilibrium};

/// Speeds of all modes.
pub(super) fn modal_speeds(model: &Model) -> Vec<usize> {
    model.body_indices().flat_map(|body| model.modal_speeds(body)).collect()
}

/// Brings the modes to rest, hinges held.
pub(super) fn settle(model: &Model, state: State, inputs: &Inputs) -> Result<State, IkError> {
    let held = Inputs { prescribed: vec![true; model.body_count()], ..inputs.clone() };
    Ok(equilibrium(model, &state, &held)?.state)
}

/// How the modes follow the hinges: `dη/dq`, a row per mode and a column per speed of `hinges`.
pub(super) fn follow(
    model: &Model,
    state: &State,
    inputs: &Inputs,
    [modes, hinges]: [&[usize]; 2],
) -> Result<Mat<f64>, IkError> {
    let still = Inputs { accelerations: vec![0.0; model.speed_count()], ..inputs.clone() };
    let (mut workspace, mut derivatives) = (Workspace::new(model), Derivatives::new(model));
    supple::inverse_dynamics_derivatives(model, state, &still, &mut workspace, &mut derivatives)?;
    let n = model.speed_count();
    let by_displacement = derivatives.displacement();
    let entry = |columns: &[usize], i: usize, j: usize| by_displacement[modes[i] * n + columns[j]];
    let stiffness = Mat::from_fn(modes.len(), modes.len(), |i, j| entry(modes, i, j));
    let loads = Mat::from_fn(modes.len(), hinges.len(), |i, j| -entry(hinges, i, j));
    let follow = stiffness.partial_piv_lu().solve(&loads);
    let finite = (0..follow.ncols()).all(|j| (0..follow.nrows()).all(|i| follow[(i, j)].is_finite()));
    if finite { Ok(follow) } else { Err(IkError::Equilibrium(LinearError::NoEigenvalues)) }
}
