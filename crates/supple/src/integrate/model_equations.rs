//! The equations of motion of a model as an integrator sees them.
//!
//! The flat state is `[coordinates, attitudes, speeds, ledger]`: work in the hinge and modes of each body, work of wrenches, and what damping of
//! modes and elements of hinges take ride along.

use super::equations::Equations;
use super::scheme::Scheme;
use super::simulation::Drive;
use crate::energy::{dissipated_power, wrench_power};
use crate::error::DynamicsError;
use crate::force::HingeElements;
use crate::hybrid_dynamics::hybrid_dynamics;
use crate::implicit::ShiftedMass;
use crate::inputs::Inputs;
use crate::model::Model;
use crate::oscillators::Oscillators;
use crate::state::State;
use crate::workspace::Workspace;
use std::ops::Range;
use supple_spatial::Quaternion;

/// Work of wrenches, dissipation of modes and of hinge elements; the work of each body goes before them.
pub(super) const SUMS: usize = 3;

/// A model, what drives it, and the memory to evaluate both.
pub(super) struct ModelEquations<'m, D> {
    pub model: &'m Model,
    pub drive: D,
    pub state: State,
    pub inputs: Inputs,
    pub workspace: Workspace,
    /// Springs, damping, friction and stops.
    pub elements: HingeElements,
    element_forces: Vec<f64>,
    /// Of the last evaluation: accelerations, and forces of the drive.
    pub accelerations: Vec<f64>,
    pub forces: Vec<f64>,
    /// The break at which the present steps end; stages there still see the inputs before it.
    pub next_break: Option<f64>,
    attitude_rates: Vec<Quaternion<f64>>,
    /// For implicit schemes.
    implicit: Option<Box<Implicit>>,
    /// For the exponential scheme.
    oscillators: Option<Box<Oscillators>>,
}

/// What an implicit step freezes.
struct Implicit {
    mass: ShiftedMass,
    state: State,
    rates: Vec<f64>,
}

impl<'m, D> ModelEquations<'m, D> {
    pub fn new(model: &'m Model, state: State, drive: D, workspace: Workspace, scheme: Scheme) -> Self {
        let rates = || vec![0.0; state.coordinates.len()];
        let implicit = matches!(scheme, Scheme::LinearlyImplicit | Scheme::GeneralizedAlpha { .. })
            .then(|| Box::new(Implicit { mass: ShiftedMass::new(model), state: state.clone(), rates: rates() }));
        let oscillators = scheme.is_exponential().then(|| Box::new(Oscillators::new(model)));
        Self {
            model,
            drive,
            inputs: Inputs::new(model),
            workspace,
            elements: HingeElements::default(),
            element_forces: vec![0.0; state.speeds.len()],
            accelerations: vec![0.0; state.speeds.len()],
            forces: vec![0.0; state.speeds.len()],
            attitude_rates: vec![Quaternion::IDENTITY; state.attitudes.len()],
            next_break: None,
            state,
            implicit,
            oscillators,
        }
    }

    /// Places of the ledger in the flat state.
    pub fn ledger_size(model: &Model) -> usize {
        model.body_count() + SUMS
    }

    pub fn pack(model: &Model, state: &State) -> Vec<f64> {
        let mut y = state.coordinates.clone();
        y.extend(state.attitudes.iter().flat_map(|q| q.0));
        y.extend(&state.speeds);
        y.extend(vec![0.0; Self::ledger_size(model)]);
        y
    }
}

impl<D: Drive> ModelEquations<'_, D> {
    /// Accelerations at the state held, and the forces of the drive: prescribed hinges with the force they need.
    pub fn evaluate(&mut self) -> Result<(), DynamicsError> {
        self.drive.drive(&self.state, &mut self.inputs);
        // Elements act beside the drive; it finds the forces that it wrote again afterwards.
        self.element_forces.fill(0.0);
        self.elements.add_forces(&self.state, &mut self.element_forces);
        self.forces.copy_from_slice(&self.inputs.forces);
        self.inputs.forces.iter_mut().zip(&self.element_forces).for_each(|(force, element)| *force += element);
        let solution = hybrid_dynamics(self.model, &self.state, &self.inputs, &mut self.workspace);
        self.inputs.forces.copy_from_slice(&self.forces);
        let solution = solution?;
        self.accelerations.copy_from_slice(solution.accelerations());
        for (i, force) in solution.forces().iter().enumerate() {
            self.forces[i] = force - self.element_forces[i];
        }
        Ok(())
    }
}

/// Writes the flat `y` into `state`.
pub(super) fn unpack(state: &mut State, y: &[f64]) {
    let (q, rest) = y.split_at(state.coordinates.len());
    let (a, rest) = rest.split_at(4 * state.attitudes.len());
    state.coordinates.copy_from_slice(q);
    for (attitude, q) in state.attitudes.iter_mut().zip(a.chunks_exact(4)) {
        attitude.0.copy_from_slice(q);
    }
    let n = state.speeds.len();
    state.speeds.copy_from_slice(&rest[..n]);
}

fn unit(q: &mut [f64]) {
    let size = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    if size > 0.0 {
        q.iter_mut().for_each(|x| *x /= size);
    }
}

impl<D: Drive> Equations for ModelEquations<'_, D> {
    fn rates(&mut self, t: f64, y: &[f64], rates: &mut [f64]) -> Result<(), DynamicsError> {
        unpack(&mut self.state, y);
        self.state.time = if self.next_break == Some(t) { t.next_down() } else { t };
        let (nq, na, nv) = (self.state.coordinates.len(), 4 * self.state.attitudes.len(), self.state.speeds.len());
        self.state.coordinate_rates(self.model, &mut rates[..nq], &mut self.attitude_rates);
        for (out, q) in rates[nq..nq + na].chunks_exact_mut(4).zip(&self.attitude_rates) {
            out.copy_from_slice(&q.0);
        }
        self.evaluate()?;
        rates[nq + na..nq + na + nv].copy_from_slice(&self.accelerations);
        // π = Σ T χ, prescribed hinges with the force they need                          [DS95 (31)]
        let ledger = &mut rates[nq + na + nv..];
        for (body, work) in self.model.topology.bodies.iter().zip(ledger.iter_mut()) {
            *work = body.speeds.clone().map(|i| self.forces[i] * self.state.speeds[i]).sum();
        }
        let wrenches = wrench_power(self.model, &self.state, &self.inputs, &self.workspace);
        let dissipated = dissipated_power(self.model, &self.state);
        let sums = [wrenches, dissipated, self.elements.dissipated_power(&self.state)];
        ledger[self.model.body_count()..].copy_from_slice(&sums);
        Ok(())
    }

    fn project(&self, y: &mut [f64]) {
        for (body, data) in self.model.topology.bodies.iter().zip(self.model.bodies.iter()) {
            if data.hinge.motion.has_quaternion() {
                unit(&mut y[body.theta().start..body.theta().start + 4]);
            }
        }
        let nq = self.state.coordinates.len();
        y[nq..nq + 4 * self.state.attitudes.len()].chunks_exact_mut(4).for_each(unit);
    }

    fn freeze(&mut self, y: &[f64], damping: f64, stiffness: f64) -> Result<(), DynamicsError> {
        let Some(implicit) = &mut self.implicit else { return Ok(()) };
        unpack(&mut implicit.state, y);
        implicit.mass.factor(self.model, &implicit.state, &self.inputs.prescribed, [damping, stiffness])
    }

    /// With `A = [0, S; -𝓜⁻¹K, -𝓜⁻¹C]`, `S` the kinematics of the coordinates, and `x = (q, u)`: `u` from
    /// `(𝓜 + sC + s²K) u' = 𝓜 u - sK q`, then `q' = q + s S u'`.
    fn solve(&mut self, s: f64, x: &mut [f64]) {
        let Some(implicit) = &mut self.implicit else { return };
        let Implicit { mass, state, rates } = &mut **implicit;
        let (q, rest) = x.split_at_mut(rates.len());
        let (attitudes, rest) = rest.split_at_mut(4 * state.attitudes.len());
        let u = &mut rest[..state.speeds.len()];
        mass.correct(self.model, Some((s, q)), [s, s * s], u);
        state.speeds.copy_from_slice(u);
        state.coordinate_rates(self.model, rates, &mut self.attitude_rates);
        for (q, rate) in q.iter_mut().zip(rates) {
            *q += s * *rate;
        }
        for (q, rate) in attitudes.chunks_exact_mut(4).zip(&self.attitude_rates) {
            q.iter_mut().zip(rate.0).for_each(|(q, rate)| *q += s * rate);
        }
    }

    fn oscillators(&mut self, y: &[f64], squares: &mut [f64]) -> Result<(), DynamicsError> {
        let Some(oscillators) = &mut self.oscillators else { return Ok(()) };
        unpack(oscillators.state_mut(), y);
        oscillators.find(self.model, &self.inputs.prescribed, &mut self.workspace)?;
        oscillators.write_squares(squares);
        Ok(())
    }

    fn split(&mut self, x: &mut [f64]) {
        if let Some(oscillators) = &mut self.oscillators {
            oscillators.split(x);
        }
    }

    fn join(&mut self, x: &mut [f64]) {
        if let Some(oscillators) = &mut self.oscillators {
            oscillators.join(x);
        }
    }

    fn oscillate(&mut self, x: &[f64], out: &mut [f64]) {
        match &mut self.oscillators {
            Some(oscillators) => oscillators.oscillate(self.model, x, out),
            None => out.fill(0.0),
        }
    }

    fn speeds(&self) -> Range<usize> {
        let start = self.state.coordinates.len() + 4 * self.state.attitudes.len();
        start..start + self.state.speeds.len()
    }

    fn relax(&mut self, damping: f64, stiffness: f64, x: &mut [f64]) {
        if let Some(implicit) = &mut self.implicit {
            implicit.mass.correct(self.model, None, [damping, stiffness], x);
        }
    }

    fn transport(&self, from: &[f64], h: f64, speeds: &[f64], to: &mut [f64]) {
        for (body, data) in self.model.topology.bodies.iter().zip(self.model.bodies.iter()) {
            for (i, u) in body.eta().zip(&speeds[body.eta_dot()]) {
                to[i] = from[i] + h * u;
            }
            let theta = body.theta();
            data.hinge.motion.transport(&from[theta.clone()], h, &speeds[body.beta()], &mut to[theta]);
        }
        let start = self.state.coordinates.len();
        for (i, (body, node)) in self.model.attitude_nodes().iter().enumerate() {
            let eta_dot = &speeds[self.model.modal_speeds(*body)];
            let influence = &self.model.bodies[body.0].nodes[node.0].influence;
            let spin = supple_spatial::block::linear::combination(influence, eta_dot).angular;
            let at = start + 4 * i..start + 4 * i + 4;
            let before = Quaternion(std::array::from_fn(|j| from[at.start + j]));
            to[at].copy_from_slice(&Quaternion::exponential(spin * h).product(before).0);
        }
    }
}
