//! The equations of motion with their derivatives by some parameters: forward sensitivities.
//!
//! With the motion `y` and its derivative `s = ∂y/∂p` by one parameter,
//!
//! ```text
//! ẏ = f(t, y, p),    ṡ = ∂f/∂y s + ∂f/∂p
//! ```
//!
//! The right-hand side of `s` is one evaluation of `f` in dual numbers, whose state moves along `s` and whose model and inputs move with the parameter.
//! Implicit and exponential schemes take the frozen matrix of the motion for each `s`: their order does not depend on it.

use super::equations::{Equations, Kink};
use super::error::IntegrationError;
use super::flat_state::pack;
use super::model_equations::ModelEquations;
use super::scheme::Scheme;
use super::simulation::Drive;
use super::tangent::Tangent;
use crate::error::DynamicsError;
use crate::inputs::Inputs;
use crate::model::Model;
use crate::state::State;
use crate::workspace::Workspace;
use supple_spatial::Dual;

/// How a motion changes with one parameter.
pub struct Variation {
    /// The model in dual numbers, see [`Model::varied`]; [`Model::cast`] where it does not depend on the parameter.
    pub model: Model<Dual<f64>>,
    /// Derivative of the initial state: of coordinates, attitudes and speeds.
    pub start: State,
    /// Derivatives of what acts, where it depends on the parameter: they are written into inputs that are zero.
    pub drive: Option<Box<dyn Drive + Send>>,
}

impl Variation {
    /// For a parameter that nothing depends on yet.
    pub fn none(model: &Model) -> Self {
        let mut start = State::new(model);
        start.coordinates.fill(0.0);
        start.attitudes.iter_mut().for_each(|q| q.0 = [0.0; 4]);
        Self { model: model.cast(), start, drive: None }
    }
}

/// One parameter among the equations.
pub(super) struct Varied {
    pub tangent: Tangent,
    drive: Option<(Box<dyn Drive + Send>, Inputs)>,
}

/// Motion and sensitivities as `[y, s₁, s₂, …]`, each `[coordinates, attitudes, speeds]`.
pub(super) struct SensitivityEquations {
    pub equations: ModelEquations,
    pub varied: Vec<Varied>,
    /// Numbers of the motion.
    pub motion: usize,
    /// A motion with its ledger, which nothing depends on, and rates of one.
    flat: [Vec<f64>; 2],
}

impl SensitivityEquations {
    pub fn new(
        model: &Model,
        state: State,
        drive: Box<dyn Drive + Send>,
        scheme: Scheme,
        variations: Vec<Variation>,
    ) -> Result<(Self, Vec<f64>), IntegrationError> {
        let flat = ModelEquations::pack(model, &state);
        let motion = flat.len() - ModelEquations::ledger_size(model);
        let mut y = vec![0.0; motion * (1 + variations.len())];
        let mut varied = Vec::with_capacity(variations.len());
        let starts = std::iter::once(&state).chain(variations.iter().map(|variation| &variation.start));
        for (out, start) in y.chunks_exact_mut(motion).zip(starts) {
            let bad = |_| IntegrationError::Dynamics { time: state.time, source: DynamicsError::WrongModel };
            crate::check::size("coordinates", start.coordinates.len(), state.coordinates.len()).map_err(bad)?;
            crate::check::size("speeds", start.speeds.len(), state.speeds.len()).map_err(bad)?;
            crate::check::size("attitudes", start.attitudes.len(), state.attitudes.len()).map_err(bad)?;
            pack(start, out);
        }
        for variation in variations {
            let tangent = Tangent::of(variation.model, Inputs::new(model), flat.len());
            varied.push(Varied { tangent, drive: variation.drive.map(|drive| (drive, Inputs::new(model))) });
        }
        let equations = ModelEquations::new(model, state, drive, Workspace::new(model), scheme);
        Ok((Self { equations, varied, motion, flat: [flat.clone(), flat] }, y))
    }

    /// The first time after `time` at which something that acts is not smooth.
    pub fn next_break(&self, time: f64) -> Option<f64> {
        let of = |drive: &dyn Drive| drive.breaks().iter().copied().find(|b| *b > time);
        let drives = self.varied.iter().filter_map(|varied| varied.drive.as_ref());
        drives.filter_map(|(drive, _)| of(&**drive)).chain(of(&*self.equations.drive)).min_by(f64::total_cmp)
    }

    /// Makes `y` at `t` the state held, with what acts there.
    pub fn place(&mut self, t: f64, y: &[f64]) -> Result<(), DynamicsError> {
        let [flat, _] = &mut self.flat;
        flat[..self.motion].copy_from_slice(&y[..self.motion]);
        self.equations.drive_at(t, flat)?;
        for varied in &mut self.varied {
            varied.act(&self.equations);
        }
        Ok(())
    }

    /// Does something to motion and sensitivities, one after the other.
    fn each(&mut self, x: &mut [f64], mut act: impl FnMut(&mut ModelEquations, &mut [f64])) {
        let [flat, _] = &mut self.flat;
        for block in x.chunks_exact_mut(self.motion) {
            let (motion, ledger) = flat.split_at_mut(self.motion);
            motion.copy_from_slice(block);
            ledger.fill(0.0);
            act(&mut self.equations, flat);
            block.copy_from_slice(&flat[..self.motion]);
        }
    }

    /// The motion of `y` with an empty ledger.
    fn motion_of(&mut self, y: &[f64]) -> &[f64] {
        let [flat, _] = &mut self.flat;
        flat[..self.motion].copy_from_slice(&y[..self.motion]);
        flat[self.motion..].fill(0.0);
        flat
    }
}

impl Varied {
    /// Prepares the derivative along the parameter: what acts, and by how much it changes for a unit of the parameter.
    fn act(&mut self, equations: &ModelEquations) {
        let ModelEquations { state, inputs, limits, .. } = equations;
        let [there, here] = &mut self.tangent.acting;
        here.copy_from(inputs);
        there.copy_from(inputs);
        let Some((drive, change)) = &mut self.drive else { return };
        drive.drive(state, change);
        let add = |to: &mut [f64], by: &[f64]| to.iter_mut().zip(by).for_each(|(to, by)| *to += by);
        add(&mut there.forces, &change.forces);
        add(&mut there.accelerations, &change.accelerations);
        add(&mut there.element_forces, &change.element_forces);
        for (to, by) in there.closure_motions.iter_mut().zip(&change.closure_motions) {
            to.displacement += by.displacement;
            to.speed += by.speed;
            to.acceleration += by.acceleration;
        }
        for (to, by) in there.wrenches.iter_mut().zip(&change.wrenches) {
            to.force += by.force;
        }
        // What is at its limit stays there.
        for (speed, limit) in limits {
            if here.forces[*speed].abs() >= *limit {
                there.forces[*speed] = here.forces[*speed];
            }
        }
    }
}

impl Equations for SensitivityEquations {
    fn rates(&mut self, t: f64, y: &[f64], rates: &mut [f64]) -> Result<(), DynamicsError> {
        let m = self.motion;
        let [flat, out] = &mut self.flat;
        flat[..m].copy_from_slice(&y[..m]);
        self.equations.rates(t, flat, out)?;
        rates[..m].copy_from_slice(&out[..m]);
        let blocks = y[m..].chunks_exact(m).zip(rates[m..].chunks_exact_mut(m));
        for (varied, (s, rates)) in self.varied.iter_mut().zip(blocks) {
            varied.act(&self.equations);
            varied.tangent.derivative(&self.equations.state, s, 1.0, rates)?;
        }
        Ok(())
    }

    /// The Jacobian of the motion for each block. What the sensitivities owe to the motion, second derivatives, is left out: iterations need no more.
    fn jacobian(&mut self, t: f64, y: &[f64], out: &mut [f64]) -> Result<(), DynamicsError> {
        let (m, n, all) = (self.motion, self.flat[0].len(), y.len());
        let flat = self.motion_of(y).to_vec();
        let mut one = vec![0.0; n * n];
        self.equations.jacobian(t, &flat, &mut one)?;
        out.fill(0.0);
        for block in (0..all).step_by(m) {
            for i in 0..m {
                out[(block + i) * all + block..][..m].copy_from_slice(&one[i * n..i * n + m]);
            }
        }
        Ok(())
    }

    fn project(&self, y: &mut [f64]) {
        self.equations.project(&mut y[..self.motion]);
    }

    fn close(&mut self, t: f64, y: &mut [f64], _kept: bool) -> Result<(), DynamicsError> {
        let mut done = Ok(());
        let motion = self.motion;
        self.each(&mut y[..motion], |equations, flat| done = equations.close(t, flat, false));
        done
    }

    fn freeze(&mut self, y: &[f64], damping: f64, stiffness: f64) -> Result<(), DynamicsError> {
        self.equations.freeze(&y[..self.motion], damping, stiffness)
    }

    fn solve(&mut self, s: f64, x: &mut [f64]) {
        self.each(x, |equations, x| equations.solve(s, x));
    }

    fn oscillators(
        &mut self,
        y: &[f64],
        step: f64,
        squares: &mut [f64],
        dampings: &mut [f64],
    ) -> Result<(), DynamicsError> {
        let (m, flat) = (self.motion, self.motion_of(y).to_vec());
        let [mut of_square, mut of_damping] = [vec![0.0; flat.len()], vec![0.0; flat.len()]];
        self.equations.oscillators(&flat, step, &mut of_square, &mut of_damping)?;
        squares.chunks_exact_mut(m).for_each(|block| block.copy_from_slice(&of_square[..m]));
        dampings.chunks_exact_mut(m).for_each(|block| block.copy_from_slice(&of_damping[..m]));
        Ok(())
    }

    fn split(&mut self, x: &mut [f64]) {
        self.each(x, |equations, x| equations.split(x));
    }

    fn join(&mut self, x: &mut [f64]) {
        self.each(x, |equations, x| equations.join(x));
    }

    fn oscillate(&mut self, x: &[f64], out: &mut [f64]) {
        let m = self.motion;
        let [flat, rates] = &mut self.flat;
        for (x, out) in x.chunks_exact(m).zip(out.chunks_exact_mut(m)) {
            flat[..m].copy_from_slice(x);
            flat[m..].fill(0.0);
            self.equations.oscillate(flat, rates);
            out.copy_from_slice(&rates[..m]);
        }
    }

    fn kinks(&self) -> &[Kink] {
        self.equations.kinks()
    }
}
