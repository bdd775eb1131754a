//! Derivatives by dual numbers through a whole verb: one evaluation for each column.

use super::memory::Matrices;
use super::result::Derivatives;
use crate::closure::Hold;
use crate::error::DynamicsError;
use crate::generic;
use crate::inputs::{EquationMotion, Inputs, Wrench};
use crate::model::Model;
use crate::state::State;
use crate::workspace::Workspace;
use supple_spatial::{Dual, Force, Quaternion};

type D = Dual<f64>;

/// A model in dual numbers, and the memory to evaluate it.
#[derive(Debug)]
pub(super) struct ByDual {
    model: Model<D>,
    state: State<D>,
    inputs: Inputs<D>,
    workspace: Workspace<D>,
    /// The state moving at one unit speed: rates of its coordinates and attitudes.
    moving: State,
    rates: Vec<f64>,
    attitude_rates: Vec<Quaternion<f64>>,
}

/// The verb that is differentiated.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Verb {
    Forward,
    Inverse,
    Hybrid,
}

impl ByDual {
    pub fn new(model: &Model) -> Self {
        let moving = State::new(model);
        let dual = model.cast::<D>();
        Self {
            state: State::new(&dual),
            inputs: Inputs::new(&dual),
            workspace: Workspace::new(&dual),
            rates: vec![0.0; model.coordinate_count()],
            attitude_rates: moving.attitudes.clone(),
            moving,
            model: dual,
        }
    }

    fn load(&mut self, state: &State, inputs: &Inputs) {
        self.state.time = D::constant(state.time);
        self.state.closed.copy_from_slice(&state.closed);
        for (held, of) in self.state.held.iter_mut().zip(&state.held) {
            *held = of.map(|hold| Hold::from_array(hold.to_array().map(D::constant)));
        }
        let still = |to: &mut [D], from: &[f64]| to.iter_mut().zip(from).for_each(|(x, y)| *x = D::constant(*y));
        still(&mut self.state.coordinates, &state.coordinates);
        still(&mut self.state.speeds, &state.speeds);
        for (q, of) in self.state.attitudes.iter_mut().zip(&state.attitudes) {
            *q = Quaternion(of.0.map(D::constant));
        }
        still(&mut self.inputs.forces, &inputs.forces);
        still(&mut self.inputs.accelerations, &inputs.accelerations);
        still(&mut self.inputs.element_forces, &inputs.element_forces);
        self.inputs.prescribed.copy_from_slice(&inputs.prescribed);
        for (motion, of) in self.inputs.closure_motions.iter_mut().zip(&inputs.closure_motions) {
            *motion = EquationMotion {
                displacement: D::constant(of.displacement),
                speed: D::constant(of.speed),
                acceleration: D::constant(of.acceleration),
            };
        }
        self.inputs.wrenches.clear();
        self.inputs.wrenches.extend(inputs.wrenches.iter().map(|w| Wrench {
            body: w.body,
            node: w.node,
            frame: w.frame,
            force: Force::from_array(w.force.to_array().map(D::constant)),
        }));
        self.moving.coordinates.copy_from_slice(&state.coordinates);
        self.moving.attitudes.copy_from_slice(&state.attitudes);
        self.moving.speeds.fill(0.0);
    }

    /// Moves the coordinates along one speed, or holds them still again.
    fn displace(&mut self, model: &Model, j: usize, by: f64) {
        self.moving.speeds[j] = 1.0;
        self.moving.coordinate_rates(model, &mut self.rates, &mut self.attitude_rates);
        self.moving.speeds[j] = 0.0;
        self.state.coordinates.iter_mut().zip(&self.rates).for_each(|(x, rate)| x.derivative = by * rate);
        for (q, rate) in self.state.attitudes.iter_mut().zip(&self.attitude_rates) {
            q.0.iter_mut().zip(rate.0).for_each(|(x, rate)| x.derivative = by * rate);
        }
    }

    /// One column into `out`.
    fn column(
        &mut self,
        verb: Verb,
        prescribed: impl Fn(usize) -> bool,
        j: usize,
        out: &mut [f64],
    ) -> Result<(), DynamicsError> {
        let Self { model, state, inputs, workspace, .. } = self;
        let n = state.speeds.len();
        let solution = match verb {
            Verb::Forward => generic::forward_dynamics(model, state, inputs, workspace)?,
            Verb::Inverse => generic::inverse_dynamics(model, state, inputs, workspace)?,
            Verb::Hybrid => generic::hybrid_dynamics(model, state, inputs, workspace)?,
        };
        for (i, (acceleration, force)) in solution.accelerations().iter().zip(solution.forces()).enumerate() {
            out[i * n + j] = if prescribed(i) { force.derivative } else { acceleration.derivative };
        }
        Ok(())
    }
}

/// Fills all derivatives of a verb at a state and inputs that have been checked.
pub(super) fn differentiate(
    verb: Verb,
    model: &Model,
    state: &State,
    inputs: &Inputs,
    out: &mut Derivatives,
) -> Result<(), DynamicsError> {
    let Derivatives { matrices: Matrices { displacement, speed, input }, by_dual, .. } = out;
    let Some(by_dual) = by_dual else { return Ok(()) };
    let given = |i: usize| {
        let mut bodies = model.topology.bodies.iter().zip(&inputs.prescribed);
        match verb {
            Verb::Forward => false,
            Verb::Inverse => true,
            Verb::Hybrid => bodies.any(|(body, prescribed)| *prescribed && body.beta().contains(&i)),
        }
    };
    by_dual.load(state, inputs);
    for j in 0..model.speed_count() {
        by_dual.displace(model, j, 1.0);
        by_dual.column(verb, given, j, displacement)?;
        by_dual.displace(model, j, 0.0);
        by_dual.state.speeds[j].derivative = 1.0;
        by_dual.column(verb, given, j, speed)?;
        by_dual.state.speeds[j].derivative = 0.0;
        let set = |inputs: &mut Inputs<D>, rate: f64| match given(j) {
            true => inputs.accelerations[j].derivative = rate,
            false => inputs.forces[j].derivative = rate,
        };
        set(&mut by_dual.inputs, 1.0);
        by_dual.column(verb, given, j, input)?;
        set(&mut by_dual.inputs, 0.0);
    }
    Ok(())
}
