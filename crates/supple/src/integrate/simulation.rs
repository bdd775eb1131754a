//! A model in motion, with its energy ledger.

use super::adaptive::{Adaptive, Equations, IntegrationError, Limits, Statistics, Tolerance};
use super::tableau::Scheme;
use crate::energy::{Energy, energy, power};
use crate::error::DynamicsError;
use crate::hybrid_dynamics::hybrid_dynamics;
use crate::inputs::Inputs;
use crate::model::Model;
use crate::state::State;
use crate::workspace::Workspace;
use supple_spatial::Quaternion;

/// Sets what acts at the time and state given: forces, wrenches, and accelerations of prescribed hinges.
pub trait Drive {
    /// Writes `inputs`; they keep what an earlier call wrote.
    fn drive(&mut self, state: &State, inputs: &mut Inputs);

    /// Times at which the inputs are not smooth, in order; the integrator stops there.
    fn breaks(&self) -> &[f64] {
        &[]
    }
}

impl<F: FnMut(&State, &mut Inputs)> Drive for F {
    fn drive(&mut self, state: &State, inputs: &mut Inputs) {
        self(state, inputs);
    }
}

/// Where the energy went, since the start [DS95 (30) to (31)].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ledger {
    /// Energies now.
    pub energy: Energy,
    /// Total energy at the start.
    pub start: f64,
    /// Work of generalized forces and of prescribed hinges.
    pub work: f64,
    /// Work of external wrenches.
    pub wrench_work: f64,
    /// Energy taken by modal damping.
    pub dissipated: f64,
}

impl Ledger {
    /// What does not balance: energy gained less work done plus energy dissipated.
    pub fn balance_error(&self) -> f64 {
        self.energy.total() - self.start - self.work - self.wrench_work + self.dissipated
    }
}

/// A model, its state, what drives it, and an integrator.
pub struct Simulation<'m, D> {
    equations: ModelEquations<'m, D>,
    integrator: Adaptive,
    start: f64,
}

struct ModelEquations<'m, D> {
    model: &'m Model,
    drive: D,
    state: State,
    inputs: Inputs,
    workspace: Workspace,
    attitude_rates: Vec<Quaternion<f64>>,
    /// The break at which the present steps end; stages there still see the inputs before it.
    next_break: Option<f64>,
}

/// Work of forces, of wrenches, and dissipation ride along with the state.
const LEDGER: usize = 3;

impl<D> ModelEquations<'_, D> {
    /// Coordinates, attitudes, speeds, ledger.
    fn unpack(state: &mut State, y: &[f64]) {
        let (q, rest) = y.split_at(state.coordinates.len());
        let (a, rest) = rest.split_at(4 * state.attitudes.len());
        state.coordinates.copy_from_slice(q);
        for (attitude, q) in state.attitudes.iter_mut().zip(a.chunks_exact(4)) {
            attitude.0.copy_from_slice(q);
        }
        let n = state.speeds.len();
        state.speeds.copy_from_slice(&rest[..n]);
    }

    fn pack(state: &State) -> Vec<f64> {
        let mut y = state.coordinates.clone();
        y.extend(state.attitudes.iter().flat_map(|q| q.0));
        y.extend(&state.speeds);
        y.extend([0.0; LEDGER]);
        y
    }
}

impl<D: Drive> Equations for ModelEquations<'_, D> {
    fn rates(&mut self, t: f64, y: &[f64], rates: &mut [f64]) -> Result<(), DynamicsError> {
        Self::unpack(&mut self.state, y);
        self.state.time = if self.next_break == Some(t) { t.next_down() } else { t };
        self.drive.drive(&self.state, &mut self.inputs);
        let (nq, na, nv) = (self.state.coordinates.len(), 4 * self.state.attitudes.len(), self.state.speeds.len());
        self.state.coordinate_rates(self.model, &mut rates[..nq], &mut self.attitude_rates);
        for (out, q) in rates[nq..nq + na].chunks_exact_mut(4).zip(&self.attitude_rates) {
            out.copy_from_slice(&q.0);
        }
        let solution = hybrid_dynamics(self.model, &self.state, &self.inputs, &mut self.workspace)?;
        rates[nq + na..nq + na + nv].copy_from_slice(solution.accelerations());
        // π = Σ T χ, prescribed hinges with the force they need                          [DS95 (31)]
        let work = solution.forces().iter().zip(&self.state.speeds).map(|(t, x)| t * x).sum();
        let power = power(self.model, &self.state, &self.inputs, &mut self.workspace)?;
        rates[nq + na + nv..].copy_from_slice(&[work, power.wrenches, power.dissipated]);
        Ok(())
    }

    fn project(&self, y: &mut [f64]) {
        let unit = |q: &mut [f64]| {
            let size = q.iter().map(|x| x * x).sum::<f64>().sqrt();
            if size > 0.0 {
                q.iter_mut().for_each(|x| *x /= size);
            }
        };
        for (body, data) in self.model.topology.bodies.iter().zip(self.model.bodies.iter()) {
            if data.hinge.motion.has_quaternion() {
                unit(&mut y[body.theta().start..body.theta().start + 4]);
            }
        }
        let nq = self.state.coordinates.len();
        y[nq..nq + 4 * self.state.attitudes.len()].chunks_exact_mut(4).for_each(unit);
    }
}

impl<'m, D: Drive> Simulation<'m, D> {
    /// Starts at `state`.
    ///
    /// # Errors
    /// A tolerance or state that makes no sense.
    pub fn new(
        model: &'m Model,
        state: State,
        drive: D,
        scheme: Scheme,
        tolerance: Tolerance,
    ) -> Result<Self, IntegrationError> {
        let mut workspace = Workspace::new(model);
        let time = state.time;
        let start = energy(model, &state, &mut workspace)
            .map_err(|source| IntegrationError::Dynamics { time, source })?
            .total();
        let y = ModelEquations::<D>::pack(&state);
        let equations = ModelEquations {
            model,
            drive,
            inputs: Inputs::new(model),
            workspace,
            attitude_rates: vec![Quaternion::IDENTITY; state.attitudes.len()],
            next_break: None,
            state,
        };
        Ok(Self { equations, integrator: Adaptive::new(scheme, tolerance, Limits::default(), time, y)?, start })
    }

    /// Hinges whose accelerations the drive prescribes, a flag per body.
    pub fn prescribe(&mut self, flags: &[bool]) {
        self.equations.inputs.prescribed.copy_from_slice(flags);
    }

    /// Changes when the integrator gives up.
    pub fn set_limits(&mut self, limits: Limits) {
        self.integrator.set_limits(limits);
    }

    /// Integrates to `end`, stopping at the breaks of the drive on the way.
    ///
    /// # Errors
    /// Why it stopped earlier; the state is that of the last accepted step.
    pub fn advance(&mut self, end: f64) -> Result<(), IntegrationError> {
        let mut done = Ok(());
        while self.integrator.time() < end && done.is_ok() {
            let now = self.integrator.time();
            let stop = self.equations.drive.breaks().iter().copied().find(|b| *b > now && *b <= end);
            self.equations.next_break = stop;
            done = self.integrator.advance(&mut self.equations, stop.unwrap_or(end));
            if stop.is_some() {
                self.integrator.restart();
            }
        }
        self.equations.next_break = None;
        ModelEquations::<D>::unpack(&mut self.equations.state, self.integrator.state());
        self.equations.state.time = self.integrator.time();
        done
    }

    /// The state reached.
    pub fn state(&self) -> &State {
        &self.equations.state
    }

    /// The energy ledger at the state reached.
    ///
    /// # Errors
    /// A state that is not finite.
    pub fn ledger(&mut self) -> Result<Ledger, DynamicsError> {
        let y = self.integrator.state();
        let [work, wrench_work, dissipated] = [y[y.len() - 3], y[y.len() - 2], y[y.len() - 1]];
        let equations = &mut self.equations;
        let energy = energy(equations.model, &equations.state, &mut equations.workspace)?;
        Ok(Ledger { energy, start: self.start, work, wrench_work, dissipated })
    }

    /// Work done so far.
    pub fn statistics(&self) -> Statistics {
        self.integrator.statistics()
    }
}
