//! Derivatives of inverse dynamics and of closures, from those of the engine.
//!
//! ```text
//! C = ∂T/∂u,  K = ∂T/∂δ - ∂(A* λ)/∂δ        T of inverse dynamics at the accelerations of the point
//! a_δ = -A ∂u̇/∂δ,  a_u = -A ∂u̇/∂u           closures hold whatever the state is: A u̇ + Ȧ u is constant
//! ```

use faer::Mat;
use supple::spatial::Dual;
use supple::{Derivatives, Inputs, Model, State, Workspace, generic};

use crate::LinearError;
use crate::tangent::Point;

/// What [`Tangent`](crate::tangent::Tangent) takes of them.
pub(crate) struct TreeDerivatives {
    pub mass: Mat<f64>,
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
    let n = model.speed_count();
    let (mut workspace, mut derivatives) = (Workspace::new(model), Derivatives::new(model));
    let mut given = inputs.clone();
    given.accelerations.copy_from_slice(&point.accelerations);
    supple::inverse_dynamics_derivatives(model, state, &given, &mut workspace, &mut derivatives)?;
    let square = |numbers: &[f64]| Mat::from_fn(n, n, |i, j| numbers[i * n + j]);
    let mut out = TreeDerivatives {
        mass: square(derivatives.acceleration()),
        damping: square(derivatives.speed()),
        stiffness: square(derivatives.displacement()),
        jacobian: Mat::zeros(0, n),
        speed_change: Mat::zeros(0, n),
        acceleration_change: [Mat::zeros(0, n), Mat::zeros(0, n)],
    };
    let rows = active_rows(model, state);
    if !rows.is_empty() {
        close(model, state, point, &rows, &mut out)?;
        if state.speeds.iter().any(|u| *u != 0.0) {
            supple::hybrid_dynamics_derivatives(model, state, inputs, &mut workspace, &mut derivatives)?;
            let prescribed = |i: usize| {
                let mut hinges = model.hinges().zip(&inputs.prescribed);
                hinges.any(|(hinge, flag)| *flag && hinge.speeds().contains(&i))
            };
            let accelerations =
                |numbers: &[f64]| Mat::from_fn(n, n, |i, j| if prescribed(i) { 0.0 } else { -numbers[i * n + j] });
            let [by_displacement, by_speed] = [derivatives.displacement(), derivatives.speed()].map(accelerations);
            out.acceleration_change = [&out.jacobian * by_displacement, &out.jacobian * by_speed];
        }
    }
    Ok(out)
}

/// The Jacobian of the closures, and what its changes do to their forces, speeds and accelerations.
fn close(
    model: &Model,
    state: &State,
    point: &Point,
    rows: &[usize],
    out: &mut TreeDerivatives,
) -> Result<(), LinearError> {
    let (n, m) = (model.speed_count(), rows.len());
    let mut workspace = Workspace::new(model);
    let mut numbers = vec![0.0; model.equation_count() * n];
    supple::closure_jacobian(model, state, &mut workspace, &mut numbers)?;
    out.jacobian = Mat::from_fn(m, n, |i, j| numbers[rows[i] * n + j]);
    out.speed_change = Mat::zeros(m, n);
    let mut acceleration_change = Mat::zeros(m, n);
    let mut moving = Moving::new(model, state);
    for j in 0..n {
        let change = moving.jacobian_change(model, j)?;
        for (row, &equation) in rows.iter().enumerate() {
            for i in 0..n {
                let change = change[equation * n + i].derivative;
                out.stiffness[(i, j)] -= change * point.closure_forces[equation];
                out.speed_change[(row, j)] += change * state.speeds[i];
                acceleration_change[(row, j)] += change * point.accelerations[i];
            }
        }
    }
    out.acceleration_change = [acceleration_change, Mat::zeros(m, n)];
    Ok(())
}

/// Equations of the closures that act.
fn active_rows(model: &Model, state: &State) -> Vec<usize> {
    let active = model.closure_handles().filter(|closure| state.closed[closure.closure()]);
    active.flat_map(|closure| closure.rows()).collect()
}

type D = Dual<f64>;

/// A state in dual numbers that moves along one speed after the other.
struct Moving {
    still: State,
    model: Model<D>,
    state: State<D>,
    workspace: Workspace<D>,
    jacobian: Vec<D>,
}

impl Moving {
    fn new(model: &Model, state: &State) -> Self {
        let dual = model.cast::<D>();
        let mut moving = State::new(&dual);
        moving.closed.clone_from(&state.closed);
        let hold = |hold: supple::Hold| supple::Hold::from_array(hold.to_array().map(D::constant));
        moving.held = state.held.iter().map(|held| held.map(hold)).collect();
        moving.coordinates = state.coordinates.iter().map(|x| D::constant(*x)).collect();
        moving.attitudes = state.attitudes.iter().map(|q| supple::spatial::Quaternion(q.0.map(D::constant))).collect();
        let jacobian = vec![D::constant(0.0); model.equation_count() * model.speed_count()];
        Self { still: state.clone(), workspace: Workspace::new(&dual), model: dual, state: moving, jacobian }
    }

    /// The Jacobian of all closures with its derivative along speed `j`.
    fn jacobian_change(&mut self, model: &Model, j: usize) -> Result<&[D], LinearError> {
        self.still.speeds.fill(0.0);
        self.still.speeds[j] = 1.0;
        let mut rates = vec![0.0; model.coordinate_count()];
        let mut turns = self.still.attitudes.clone();
        self.still.coordinate_rates(model, &mut rates, &mut turns);
        self.state.coordinates.iter_mut().zip(&rates).for_each(|(x, rate)| x.derivative = *rate);
        for (q, rate) in self.state.attitudes.iter_mut().zip(&turns) {
            q.0.iter_mut().zip(rate.0).for_each(|(x, rate)| x.derivative = rate);
        }
        generic::closure_jacobian(&self.model, &self.state, &mut self.workspace, &mut self.jacobian)?;
        Ok(&self.jacobian)
    }
}
