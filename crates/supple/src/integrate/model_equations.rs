//! The equations of motion of a model as an integrator sees them.

use super::equations::{Equations, Kink};
use super::error::IntegrationError;
use super::flat_state::{SUMS, kinks, ledger_of, pack, quaternions, sums, unit, unpack, write_rates, write_rates_by};
use super::formulation::Formulation;
use super::given_step::Given;
use super::ledger::Ledger;
use super::network::Network;
use super::scheme::Scheme;
use super::simulation::Drive;
use super::tangent::Tangent;
use crate::check;
use crate::closure;
use crate::energy::{Energy, energy};
use crate::error::DynamicsError;
use crate::hybrid_dynamics::hybrid_dynamics;
use crate::implicit::ShiftedMass;
use crate::inputs::{EquationMotion, Inputs};
use crate::model::Model;
use crate::oscillators::Oscillators;
use crate::state::State;
use crate::workspace::Workspace;
use std::ops::Range;
use supple_spatial::Quaternion;

/// A model, what drives it, and the memory to evaluate both.
pub(super) struct ModelEquations {
    pub model: Model,
    pub drive: Box<dyn Drive + Send>,
    pub state: State,
    pub inputs: Inputs,
    pub workspace: Workspace,
    /// Accelerations and forces of the drive, of the last call of `evaluate` or of `formulation`.
    pub accelerations: Vec<f64>,
    pub forces: Vec<f64>,
    /// The break at which the present steps end; stages there still see the inputs before it.
    pub next_break: Option<f64>,
    attitude_rates: Vec<Quaternion<f64>>,
    /// For implicit schemes.
    implicit: Option<Box<Implicit>>,
    /// For the exponential schemes and Gauss' collocation.
    oscillators: Option<Box<Oscillators>>,
    /// Sampled blocks, whose outputs act besides the drive; and the forces of the drive alone.
    pub network: Option<Box<Network>>,
    drive_forces: Vec<f64>,
    /// Speeds with the greatest force that acts there, and what was asked for at all speeds where there are any.
    pub limits: Vec<(usize, f64)>,
    pub asked: Vec<f64>,
    /// For schemes that ask for the Jacobian.
    pub tangent: Option<Box<Tangent>>,
    kinks: Vec<Kink>,
    /// What is to be used instead of the sweeps.
    formulation: Option<Box<dyn Formulation + Send>>,
    /// Steps from elsewhere.
    pub given: Option<Box<Given>>,
}

/// What an implicit step freezes.
struct Implicit {
    mass: ShiftedMass,
    state: State,
    rates: Vec<f64>,
}

impl ModelEquations {
    pub fn new(
        model: &Model,
        state: State,
        drive: Box<dyn Drive + Send>,
        workspace: Workspace,
        scheme: Scheme,
    ) -> Self {
        let rates = || vec![0.0; state.coordinates.len()];
        let implicit = scheme
            .needs_solutions()
            .then(|| Box::new(Implicit { mass: ShiftedMass::new(model), state: state.clone(), rates: rates() }));
        let oscillators = scheme.needs_oscillators().then(|| Box::new(Oscillators::new(model)));
        let size = state.coordinates.len() + 4 * state.attitudes.len() + state.speeds.len() + Self::ledger_size(model);
        let tangent = scheme.needs_jacobian().then(|| Box::new(Tangent::new(model, size)));
        Self {
            model: model.clone(),
            drive,
            inputs: Inputs::new(model),
            workspace,
            accelerations: vec![0.0; state.speeds.len()],
            forces: vec![0.0; state.speeds.len()],
            attitude_rates: vec![Quaternion::IDENTITY; state.attitudes.len()],
            next_break: None,
            network: None,
            drive_forces: vec![0.0; state.speeds.len()],
            limits: Vec::new(),
            asked: vec![0.0; state.speeds.len()],
            state,
            implicit,
            oscillators,
            tangent,
            kinks: kinks(model),
            formulation: None,
            given: None,
        }
    }

    /// Takes accelerations and energies from `formulation` from here on.
    pub fn set_formulation(&mut self, formulation: Box<dyn Formulation + Send>) -> Result<(), IntegrationError> {
        let freezes = self.implicit.is_some() || self.oscillators.is_some();
        if freezes && !formulation.is_that_of_sweeps() {
            return Err(IntegrationError::NeedsSweeps);
        }
        if formulation.stamp() != self.model.stamp() {
            return Err(IntegrationError::Dynamics { time: self.state.time, source: DynamicsError::WrongModel });
        }
        self.formulation = Some(formulation);
        Ok(())
    }

    /// Makes the states of implicit steps see which closures act.
    pub fn settle_closures(&mut self) {
        if let Some(implicit) = &mut self.implicit {
            implicit.state.closed.copy_from_slice(&self.state.closed);
            implicit.state.held.copy_from_slice(&self.state.held);
        }
    }

    /// Energies of the state held.
    pub fn energy(&mut self) -> Result<Energy, DynamicsError> {
        match self.formulation.as_mut().filter(|formulation| !formulation.is_that_of_sweeps()) {
            None => energy(&self.model, &self.state, &mut self.workspace),
            Some(formulation) => formulation.energy(&self.state),
        }
    }

    /// Sets which hinges are prescribed, a flag per body.
    pub fn prescribe(&mut self, flags: &[bool]) -> Result<(), IntegrationError> {
        let prescribed = &mut self.inputs.prescribed;
        if flags.len() != prescribed.len() {
            let reason = "a flag is needed for each body of the model, flags found";
            return Err(IntegrationError::BadRequest { reason, value: flags.len() as f64 });
        }
        prescribed.copy_from_slice(flags);
        Ok(())
    }

    /// Places of the ledger in the flat state.
    pub fn ledger_size(model: &Model) -> usize {
        model.body_count() + sums(model)
    }

    /// The energy ledger at the state held, with the ledger of the flat state `y` and the energy at the start.
    pub fn ledger(&mut self, y: &[f64], start: f64) -> Result<Ledger, DynamicsError> {
        let (works, sums) = ledger_of(&self.model, y);
        let of_closures = |i: usize| sums.get(SUMS + i).copied().unwrap_or(0.0);
        if self.inputs.closure_motions.iter().any(|motion| *motion != EquationMotion::STILL) {
            self.drive_here()?;
        }
        let [deviation, deviation_rate] =
            closure::residuals(&self.model, &self.state, &self.inputs, &mut self.workspace)?;
        Ok(Ledger {
            energy: self.energy()?,
            start,
            work: works.iter().sum::<f64>() + of_closures(0),
            wrench_work: sums[0],
            dissipated: sums[1],
            hinge_dissipated: sums[2],
            projection_work: of_closures(1),
            impact_loss: of_closures(2),
            deviation,
            deviation_rate,
        })
    }

    pub fn pack(model: &Model, state: &State) -> Vec<f64> {
        let motion = state.coordinates.len() + 4 * state.attitudes.len() + state.speeds.len();
        let mut y = vec![0.0; motion + Self::ledger_size(model)];
        pack(state, &mut y);
        y
    }
}

impl ModelEquations {
    /// Makes `y` at `t` the state held, and lets the drive write the inputs there.
    pub fn drive_at(&mut self, t: f64, y: &[f64]) -> Result<(), DynamicsError> {
        unpack(&mut self.state, y);
        self.state.time = if self.next_break == Some(t) { t.next_down() } else { t };
        self.drive_here()
    }

    /// Lets the drive write the inputs at the state held. One that changes how many there are is refused, and their number is put right.
    pub fn drive_here(&mut self) -> Result<(), DynamicsError> {
        let changed = self.network.is_some() || !self.limits.is_empty();
        if changed {
            // A drive need not write all forces each time.
            self.inputs.forces.copy_from_slice(&self.drive_forces);
        }
        self.drive.drive(&self.state, &mut self.inputs);
        let written = check::input_sizes(&self.model, &self.inputs);
        if written.is_err() {
            let Inputs { forces, accelerations, prescribed, closure_motions, closure_rows, element_forces, .. } =
                &mut self.inputs;
            closure_rows.clear();
            element_forces.resize(self.model.elements.inputs(), 0.0);
            closure_motions.resize(self.model.equation_count(), EquationMotion::STILL);
            forces.resize(self.model.speed_count(), 0.0);
            accelerations.resize(self.model.speed_count(), 0.0);
            prescribed.resize(self.model.body_count(), false);
        }
        if changed {
            self.drive_forces.copy_from_slice(&self.inputs.forces);
        }
        if let Some(network) = &self.network {
            network.act(&mut self.inputs);
            network.brake(&self.state, &mut self.inputs);
        }
        if !self.limits.is_empty() {
            self.asked.copy_from_slice(&self.inputs.forces);
        }
        for (speed, limit) in &self.limits {
            self.inputs.forces[*speed] = self.inputs.forces[*speed].clamp(-limit, *limit);
        }
        written
    }

    /// Checks the size of a flat state, of rates or of a direction.
    pub fn check_flat(&self, quantity: &'static str, y: &[f64]) -> Result<(), DynamicsError> {
        let State { coordinates, speeds, attitudes, .. } = &self.state;
        let expected = coordinates.len() + 4 * attitudes.len() + speeds.len() + Self::ledger_size(&self.model);
        check::size(quantity, y.len(), expected)
    }

    /// Accelerations at the state held, and the forces of the drive: prescribed hinges with the force they need.
    pub fn evaluate(&mut self) -> Result<(), DynamicsError> {
        self.drive_here()?;
        if let Some(formulation) = self.formulation.as_mut().filter(|formulation| !formulation.is_that_of_sweeps()) {
            return formulation.accelerations(&self.state, &self.inputs, &mut self.accelerations, &mut self.forces);
        }
        let solution = hybrid_dynamics(&self.model, &self.state, &self.inputs, &mut self.workspace)?;
        self.accelerations.copy_from_slice(solution.accelerations());
        self.forces.copy_from_slice(solution.forces());
        Ok(())
    }
}

impl Equations for ModelEquations {
    fn rates(&mut self, t: f64, y: &[f64], rates: &mut [f64]) -> Result<(), DynamicsError> {
        self.check_flat("state", y)?;
        self.check_flat("rates", rates)?;
        self.drive_at(t, y)?;
        let Self { model, state, inputs, workspace, attitude_rates, formulation, accelerations, forces, .. } = self;
        let acting = (&*state, &*inputs);
        match formulation {
            None => write_rates(model, acting, workspace, attitude_rates, rates),
            Some(other) => write_rates_by(&mut **other, model, acting, (accelerations, forces), attitude_rates, rates),
        }
    }

    fn given_step(&mut self, start: Option<(f64, &[f64])>, h: f64, end: &mut [f64]) -> Result<(), DynamicsError> {
        self.take_given_step(start, h, end)
    }

    fn kinks(&self) -> &[Kink] {
        &self.kinks
    }

    fn quadratures(&self) -> usize {
        Self::ledger_size(&self.model)
    }

    fn jacobian(&mut self, t: f64, y: &[f64], out: &mut [f64]) -> Result<(), DynamicsError> {
        self.write_jacobian(t, y, out)
    }

    fn project(&self, y: &mut [f64]) {
        for start in quaternions(&self.model) {
            if let Some(q) = y.get_mut(start..start + 4) {
                unit(q);
            }
        }
    }

    fn close(&mut self, t: f64, y: &mut [f64], kept: bool) -> Result<(), DynamicsError> {
        if !self.state.closed.contains(&true) {
            return Ok(());
        }
        if self.inputs.closure_motions.iter().any(|motion| *motion != EquationMotion::STILL) {
            self.drive_at(t, y)?;
        }
        unpack(&mut self.state, y);
        let Self { model, state, workspace, inputs, .. } = self;
        let before = if kept { energy(model, state, workspace)?.total() } else { 0.0 };
        let projected = closure::project(model, state, inputs, workspace)?;
        if kept && projected.open > closure::INCONSISTENT {
            closure::residuals(model, state, inputs, workspace)?;
            return Err(closure::cannot_close(model, state, workspace));
        }
        if !projected.moved {
            return Ok(());
        }
        pack(state, y);
        if kept {
            let projection = y.len() - sums(model) + SUMS + 1;
            y[projection] += energy(model, state, workspace)?.total() - before;
        }
        Ok(())
    }

    fn freeze(&mut self, y: &[f64], damping: f64, stiffness: f64) -> Result<(), DynamicsError> {
        let Some(implicit) = &mut self.implicit else { return Ok(()) };
        unpack(&mut implicit.state, y);
        implicit.mass.factor(&self.model, &implicit.state, &self.inputs.prescribed, [damping, stiffness])
    }

    /// With `A = [0, S; -𝓜⁻¹K, -𝓜⁻¹C]`, `S` the kinematics of the coordinates, and `x = (q, u)`: `u` from
    /// `(𝓜 + sC + s²K) u' = 𝓜 u - sK q`, then `q' = q + s S u'`.
    fn solve(&mut self, s: f64, x: &mut [f64]) {
        let Some(implicit) = &mut self.implicit else { return };
        let Implicit { mass, state, rates } = &mut **implicit;
        let (q, rest) = x.split_at_mut(rates.len());
        let (attitudes, rest) = rest.split_at_mut(4 * state.attitudes.len());
        let u = &mut rest[..state.speeds.len()];
        mass.correct(&self.model, Some((s, q)), [s, s * s], u);
        state.speeds.copy_from_slice(u);
        state.coordinate_rates(&self.model, rates, &mut self.attitude_rates);
        for (q, rate) in q.iter_mut().zip(rates) {
            *q += s * *rate;
        }
        for (q, rate) in attitudes.chunks_exact_mut(4).zip(&self.attitude_rates) {
            q.iter_mut().zip(rate.0).for_each(|(q, rate)| *q += s * rate);
        }
    }

    fn oscillators(
        &mut self,
        y: &[f64],
        step: f64,
        squares: &mut [f64],
        dampings: &mut [f64],
    ) -> Result<(), DynamicsError> {
        let Some(oscillators) = &mut self.oscillators else { return Ok(()) };
        unpack(oscillators.state_mut(), y);
        oscillators.find(&self.model, &self.inputs.prescribed, step, &mut self.workspace)?;
        oscillators.write(squares, dampings);
        Ok(())
    }

    fn split(&mut self, x: &mut [f64]) {
        if let Some(oscillators) = &mut self.oscillators {
            oscillators.split(&self.model, x);
        }
    }

    fn join(&mut self, x: &mut [f64]) {
        if let Some(oscillators) = &mut self.oscillators {
            oscillators.join(x);
        }
    }

    fn oscillate(&mut self, x: &[f64], out: &mut [f64]) {
        match &mut self.oscillators {
            Some(oscillators) => oscillators.oscillate(&self.model, x, out),
            None => out.fill(0.0),
        }
    }

    fn speeds(&self) -> Range<usize> {
        let start = self.state.coordinates.len() + 4 * self.state.attitudes.len();
        start..start + self.state.speeds.len()
    }

    fn relax(&mut self, damping: f64, stiffness: f64, x: &mut [f64]) {
        if let Some(implicit) = &mut self.implicit {
            implicit.mass.correct(&self.model, None, [damping, stiffness], x);
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
            let (eta, eta_dot) = (self.model.modal_coordinates(*body), &speeds[self.model.modal_speeds(*body)]);
            // The mean of both ends is the change of the slopes, second-order ones included.
            let [first, last] =
                [&from[eta.clone()], &to[eta]].map(|eta| self.model.elastic_spin(*body, *node, eta, eta_dot));
            let spin = (first + last) * 0.5;
            let at = start + 4 * i..start + 4 * i + 4;
            let before = Quaternion(std::array::from_fn(|j| from[at.start + j]));
            to[at].copy_from_slice(&Quaternion::exponential(spin * h).product(before).0);
        }
    }
}
