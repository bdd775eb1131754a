//! Static equilibrium of a model whose hinges are all fixed.
//!
//! Newton's iteration on the engine's own residual: the generalized forces at rest, with the derivative by dual numbers. A load that
//! is too large for one go is taken in parts.

use std::error::Error;

use super::linear::solve;
use supple::generic::inverse_dynamics;
use supple::spatial::{Dual, Force, Scalar};
use supple::{BodyIndex, Inputs, Model, NodeIndex, State, Workspace, Wrench, WrenchFrame};

/// Iterations for one part of a load.
const ITERATIONS: usize = 40;
/// Smallest part of a load.
const LEAST: f64 = 1.0 / 1024.0;

/// A model and the node that is loaded.
pub struct Loaded<'a> {
    model: &'a Model,
    dual: Model<Dual<f64>>,
    node: (BodyIndex, NodeIndex),
}

impl<'a> Loaded<'a> {
    /// A load on `node`.
    pub fn new(model: &'a Model, node: (BodyIndex, NodeIndex)) -> Self {
        Self { model, dual: model.cast(), node }
    }

    /// The equilibrium under a dead moment and force, followed from `start`, which is that of the part `from` of it.
    ///
    /// # Errors
    /// No equilibrium is found, whatever the parts.
    pub fn equilibrium(&self, load: [f64; 6], from: (f64, State), tolerance: f64) -> Result<State, Box<dyn Error>> {
        let (mut done, mut state) = from;
        let mut part = 1.0 - done;
        while done < 1.0 {
            let next = (done + part).min(1.0);
            match self.newton(load.map(|x| next * x), &state, tolerance)? {
                Some(found) => {
                    (done, state) = (next, found);
                    part *= 2.0;
                }
                None if part > LEAST => part *= 0.5,
                None => return Err(format!("no equilibrium beyond {done} of the load").into()),
            }
        }
        Ok(state)
    }

    /// Nothing where the iteration does not settle.
    fn newton(&self, load: [f64; 6], start: &State, tolerance: f64) -> Result<Option<State>, Box<dyn Error>> {
        let mut state = start.clone();
        let size = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>().sqrt();
        for _ in 0..ITERATIONS {
            let residual = at_rest(self.model, self.node, load, state.coordinates.clone())?;
            let n = residual.len();
            let mut derivative = vec![vec![0.0; n]; n];
            for j in 0..n {
                let seeded = |(i, x): (usize, &f64)| Dual { value: *x, derivative: if i == j { 1.0 } else { 0.0 } };
                let coordinates = state.coordinates.iter().enumerate().map(seeded).collect();
                let column = at_rest(&self.dual, self.node, load, coordinates)?;
                (0..n).for_each(|i| derivative[i][j] = column[i].derivative);
            }
            let Some(step) = solve(derivative, residual) else { return Ok(None) };
            state.coordinates.iter_mut().zip(&step).for_each(|(x, s)| *x -= s);
            let (moved, all) = (size(&step), size(&state.coordinates));
            if !all.is_finite() {
                return Ok(None);
            }
            if moved <= tolerance * all {
                return Ok(Some(state));
            }
        }
        Ok(None)
    }
}

/// Generalized forces that hold the model at rest under the load: zero in equilibrium.
fn at_rest<T: Scalar>(
    model: &Model<T>,
    (body, node): (BodyIndex, NodeIndex),
    load: [f64; 6],
    coordinates: Vec<T>,
) -> Result<Vec<T>, Box<dyn Error>> {
    let state = State { coordinates, ..State::new(model) };
    let mut inputs = Inputs::new(model);
    let force = Force::from_array(load.map(T::from_f64));
    inputs.wrenches = vec![Wrench { body, node, frame: WrenchFrame::Inertial, force }];
    let mut workspace = Workspace::new(model);
    Ok(inverse_dynamics(model, &state, &inputs, &mut workspace)?.forces().to_vec())
}
