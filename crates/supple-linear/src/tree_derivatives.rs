//! Derivatives of inverse dynamics and of closures, by differences of the verbs.

use faer::Mat;
use supple::{Inputs, Model, State, Workspace};

use crate::LinearError;
use crate::differences::{Direction, derivative, reach, step_for};
use crate::tangent::Point;

/// What [`Tangent`](crate::tangent::Tangent) takes of them.
pub(crate) struct TreeDerivatives {
    pub damping: Mat<f64>,
    pub stiffness: Mat<f64>,
    pub jacobian: Mat<f64>,
    pub speed_change: Mat<f64>,
    pub acceleration_change: [Mat<f64>; 2],
}

/// At the accelerations and closures' forces given.
pub(crate) fn tree_derivatives(
    model: &Model,
    state: &State,
    inputs: &Inputs,
    point: &Point,
) -> Result<TreeDerivatives, LinearError> {
    let Point { accelerations, closure_forces } = point;
    let n = model.speed_count();
    let rows = active_rows(model, state);
    let m = rows.len();
    let mut workspace = Workspace::new(model);
    let moving = state.speeds.iter().chain(accelerations).any(|x| *x != 0.0);
    let mut given = inputs.clone();
    given.accelerations.copy_from_slice(accelerations);
    let mut all = vec![0.0; model.equation_count() * n];
    supple::closure_jacobian(model, state, &mut workspace, &mut all)?;
    let jacobian = Mat::from_fn(m, n, |i, j| all[rows[i] * n + j]);
    let mut ask = |at: &State| -> Result<Vec<f64>, LinearError> {
        let mut out = supple::inverse_dynamics(model, at, &given, &mut workspace)?.forces().to_vec();
        if m == 0 {
            return Ok(out);
        }
        supple::closure_jacobian(model, at, &mut workspace, &mut all)?;
        for &row in &rows {
            (0..n).for_each(|j| out[j] -= closure_forces[row] * all[row * n + j]);
        }
        let along = |row: usize, x: &[f64]| (0..n).map(|j| all[row * n + j] * x[j]).sum::<f64>();
        let speeds: Vec<f64> = rows.iter().map(|row| along(*row, &at.speeds)).collect();
        out.extend(speeds);
        if moving {
            // A (u̇₀ - u̇) is what A u̇₀ + drift is short of.
            let now = supple::hybrid_dynamics(model, at, inputs, &mut workspace)?.accelerations();
            let late: Vec<f64> = accelerations.iter().zip(now).map(|(a, b)| a - b).collect();
            out.extend(rows.iter().map(|row| along(*row, &late)));
        } else {
            out.extend(std::iter::repeat_n(0.0, m));
        }
        Ok(out)
    };
    let reach = reach(model, state)?;
    let mut by_displacement = Vec::new();
    let mut by_speed = Vec::new();
    let still = vec![0.0; n];
    for i in 0..n {
        let mut unit = vec![0.0; n];
        unit[i] = 1.0;
        let displaced = Direction { displacement: &unit, speeds: &still };
        by_displacement.push(derivative(step_for(reach[i]), |h| ask(&displaced.from(model, state, h)))?);
        let faster = Direction { displacement: &still, speeds: &unit };
        by_speed.push(derivative(step_for(reach[i]), |h| ask(&faster.from(model, state, h)))?);
    }
    Ok(TreeDerivatives {
        stiffness: Mat::from_fn(n, n, |i, j| by_displacement[j][i]),
        damping: Mat::from_fn(n, n, |i, j| by_speed[j][i]),
        speed_change: Mat::from_fn(m, n, |i, j| by_displacement[j][n + i]),
        acceleration_change: [
            Mat::from_fn(m, n, |i, j| by_displacement[j][n + m + i]),
            Mat::from_fn(m, n, |i, j| by_speed[j][n + m + i]),
        ],
        jacobian,
    })
}

/// Equations of the closures that act.
fn active_rows(model: &Model, state: &State) -> Vec<usize> {
    model
        .closure_handles()
        .filter(|closure| state.closed[closure.closure()])
        .flat_map(|closure| closure.rows())
        .collect()
}
