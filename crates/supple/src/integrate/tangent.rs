//! Derivatives of the rates of a model along a direction: by dual numbers, but for what drives do.

use super::flat_state::write_rates;
use super::model_equations::ModelEquations;
use crate::check;
use crate::closure::Hold;
use crate::error::DynamicsError;
use crate::inputs::{EquationMotion, Inputs, Wrench};
use crate::model::Model;
use crate::state::State;
use crate::workspace::Workspace;
use supple_spatial::{Dual, Force, Quaternion};

/// A model in dual numbers, and the memory to evaluate it.
pub(super) struct Tangent {
    pub model: Model<Dual<f64>>,
    pub state: State<Dual<f64>>,
    pub inputs: Inputs<Dual<f64>>,
    pub workspace: Workspace<Dual<f64>>,
    attitude_rates: Vec<Quaternion<Dual<f64>>>,
    rates: Vec<Dual<f64>>,
    /// The state displaced, and what the drive writes there and at the state itself.
    pub displaced: Vec<f64>,
    pub acting: [Inputs; 2],
    /// One column of a Jacobian: a direction, and the derivative along it.
    pub column: [Vec<f64>; 2],
}

impl Tangent {
    pub fn new(model: &Model, size: usize) -> Self {
        Self::of(model.cast(), Inputs::new(model), size)
    }

    /// Of a model that may move along the direction itself; `inputs` are of the model in doubles.
    pub fn of(model: Model<Dual<f64>>, inputs: Inputs, size: usize) -> Self {
        let zeros = || vec![0.0; size];
        let acting = [inputs.clone(), inputs];
        let state = State::new(&model);
        Self {
            inputs: Inputs::new(&model),
            workspace: Workspace::new(&model),
            attitude_rates: state.attitudes.clone(),
            rates: vec![Dual::constant(0.0); size],
            displaced: zeros(),
            acting,
            column: [zeros(), zeros()],
            state,
            model,
        }
    }

    /// The derivative of the rates at `state`, which moves along `direction`; what acts there becomes what acts at the state displaced after
    /// `step` of it.
    pub fn derivative(
        &mut self,
        state: &State,
        direction: &[f64],
        step: f64,
        out: &mut [f64],
    ) -> Result<(), DynamicsError> {
        self.load(state, direction, step);
        let Self { model, state, inputs, workspace, attitude_rates, rates, .. } = self;
        check::state(model, state, workspace.stamp)?;
        write_rates(model, (state, inputs), workspace, attitude_rates, rates)?;
        out.iter_mut().zip(rates).for_each(|(out, rate)| *out = rate.derivative);
        Ok(())
    }

    /// Lets state and inputs move, see [`derivative`](Self::derivative).
    pub fn load(&mut self, state: &State, direction: &[f64], step: f64) {
        self.move_state(state, direction);
        let [to, from] = &self.acting;
        let slope = |(from, to): (&f64, &f64)| Dual { value: *from, derivative: (to - from) / step };
        let move_all = |numbers: &mut [Dual<f64>], from: &[f64], to: &[f64]| {
            numbers.iter_mut().zip(from.iter().zip(to)).for_each(|(x, pair)| *x = slope(pair));
        };
        move_all(&mut self.inputs.forces, &from.forces, &to.forces);
        move_all(&mut self.inputs.accelerations, &from.accelerations, &to.accelerations);
        move_all(&mut self.inputs.element_forces, &from.element_forces, &to.element_forces);
        self.inputs.prescribed.copy_from_slice(&from.prescribed);
        let motions = from.closure_motions.iter().zip(&to.closure_motions);
        for (motion, (from, to)) in self.inputs.closure_motions.iter_mut().zip(motions) {
            *motion = EquationMotion {
                displacement: slope((&from.displacement, &to.displacement)),
                speed: slope((&from.speed, &to.speed)),
                acceleration: slope((&from.acceleration, &to.acceleration)),
            };
        }
        // A wrench that is not there at the displaced state, or acts elsewhere, counts as constant.
        self.inputs.wrenches.clear();
        self.inputs.wrenches.extend(from.wrenches.iter().enumerate().map(|(i, w)| {
            let same = |v: &&Wrench| (v.body, v.node, v.frame) == (w.body, w.node, w.frame);
            let after = to.wrenches.get(i).filter(same).unwrap_or(w).force.to_array();
            let before = w.force.to_array();
            let force = Force::from_array(std::array::from_fn(|j| slope((&before[j], &after[j]))));
            Wrench { body: w.body, node: w.node, frame: w.frame, force }
        }));
    }

    fn move_state(&mut self, state: &State, direction: &[f64]) {
        let mut along = direction.iter().copied();
        let mut moving = |value: f64| Dual { value, derivative: along.next().unwrap_or(0.0) };
        self.state.time = Dual::constant(state.time);
        self.state.closed.copy_from_slice(&state.closed);
        for (held, of) in self.state.held.iter_mut().zip(&state.held) {
            *held = of.map(|hold| Hold::from_array(hold.to_array().map(Dual::constant)));
        }
        for (x, value) in self.state.coordinates.iter_mut().zip(&state.coordinates) {
            *x = moving(*value);
        }
        for (q, values) in self.state.attitudes.iter_mut().zip(&state.attitudes) {
            *q = Quaternion(values.0.map(&mut moving));
        }
        for (x, value) in self.state.speeds.iter_mut().zip(&state.speeds) {
            *x = moving(*value);
        }
    }
}

impl ModelEquations {
    /// The derivative of the rates at `y` along `direction`; see [`MotionEquations::rates_along`](super::MotionEquations::rates_along).
    pub fn rates_along(&mut self, t: f64, y: &[f64], direction: &[f64], out: &mut [f64]) -> Result<(), DynamicsError> {
        self.check_flat("state", y)?;
        self.check_flat("direction", direction)?;
        self.check_flat("derivative", out)?;
        let motion = y.len() - Self::ledger_size(&self.model);
        out.fill(0.0);
        // Nothing depends on the ledger.
        let moving = y[..motion].iter().zip(direction).filter(|(_, v)| **v != 0.0);
        let step = moving.fold(f64::INFINITY, |step, (y, v)| step.min(y.abs().max(1.0) / v.abs()));
        if step == f64::INFINITY {
            return Ok(());
        }
        let step = f64::EPSILON.sqrt() * step;
        let mut tangent = self.tangent.take().unwrap_or_else(|| Box::new(Tangent::new(&self.model, y.len())));
        for (x, (y, v)) in tangent.displaced.iter_mut().zip(y.iter().zip(direction)) {
            *x = y + step * v;
        }
        let Tangent { displaced, acting: [there, here], .. } = &mut *tangent;
        let driven = self.drive_at(t, displaced).and_then(|()| {
            there.copy_from(&self.inputs);
            self.drive_at(t, y)
        });
        here.copy_from(&self.inputs);
        let done = driven.and_then(|()| tangent.derivative(&self.state, direction, step, out));
        self.tangent = Some(tangent);
        done
    }

    /// Writes the Jacobian of the rates, column by column.
    pub fn write_jacobian(&mut self, t: f64, y: &[f64], out: &mut [f64]) -> Result<(), DynamicsError> {
        let n = y.len();
        let mut column =
            self.tangent.as_mut().map_or_else(Default::default, |tangent| std::mem::take(&mut tangent.column));
        column.iter_mut().for_each(|x| x.resize(n, 0.0));
        let [direction, derivative] = &mut column;
        direction.fill(0.0);
        let mut done = Ok(());
        out.fill(0.0);
        // Nothing depends on the ledger.
        for j in 0..n - Self::ledger_size(&self.model) {
            direction[j] = 1.0;
            done = done.and_then(|()| self.rates_along(t, y, direction, derivative));
            direction[j] = 0.0;
            for (i, x) in derivative.iter().enumerate() {
                out[i * n + j] = *x;
            }
        }
        if let Some(tangent) = &mut self.tangent {
            tangent.column = column;
        }
        done
    }
}
