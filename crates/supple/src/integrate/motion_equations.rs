//! The equations of motion of a model as a flat state and its rates, for integrators outside of this crate.

use super::equations::{Equations, Kink};
use super::error::IntegrationError;
use super::flat_state::{ledger_of, quaternions, unpack};
use super::ledger::Ledger;
use super::model_equations::ModelEquations;
use super::scheme::Scheme;
use super::simulation::Drive;
use crate::check;
use crate::energy::energy;
use crate::error::DynamicsError;
use crate::inputs::Inputs;
use crate::model::Model;
use crate::state::State;
use crate::workspace::Workspace;

/// A model and what drives it as `ẏ = f(t, y)`: the equations that [`Simulation`](super::Simulation) integrates, ledger included.
///
/// The flat state is `[coordinates, attitudes, speeds, ledger]`. An integrator calls [`stop_at`](Self::stop_at) before steps that end at a
/// break of the drive, [`project`](Equations::project) after each, and [`settle`](Self::settle) when it hands over.
pub struct MotionEquations {
    equations: ModelEquations,
    start: f64,
}

impl MotionEquations {
    /// The equations, holding `state`.
    ///
    /// # Errors
    /// A time or state that makes no sense.
    pub fn new(model: &Model, state: State, drive: impl Drive + Send + 'static) -> Result<Self, IntegrationError> {
        let time = state.time;
        if !time.is_finite() {
            return Err(IntegrationError::BadRequest { reason: "the start time must be finite", value: time });
        }
        let mut workspace = Workspace::new(model);
        let energy = energy(model, &state, &mut workspace);
        let start = energy.map_err(|source| IntegrationError::Dynamics { time, source })?.total();
        // The scheme says what implicit schemes keep; integrators from elsewhere need nothing.
        let equations = ModelEquations::new(model, state, Box::new(drive), workspace, Scheme::PrinceDormand8);
        Ok(Self { equations, start })
    }

    /// The flat state of the state held, with an empty ledger.
    pub fn pack(&self) -> Vec<f64> {
        ModelEquations::pack(&self.equations.model, &self.equations.state)
    }

    /// Makes `y` at `time` the state held.
    ///
    /// # Panics
    /// Where `y` has not the size of [`pack`](Self::pack).
    pub fn settle(&mut self, time: f64, y: &[f64]) {
        self.equations.next_break = None;
        unpack(&mut self.equations.state, y);
        self.equations.state.time = time;
    }

    /// Writes `y` at `time` into a state of the same model.
    ///
    /// # Panics
    /// Where sizes are not those of the model.
    pub fn unpack(time: f64, y: &[f64], state: &mut State) {
        unpack(state, y);
        state.time = time;
    }

    /// The state held.
    pub fn state(&self) -> &State {
        &self.equations.state
    }

    /// Hinges whose accelerations the drive prescribes, a flag per body.
    ///
    /// # Errors
    /// [`IntegrationError::BadRequest`] for another number of flags.
    pub fn prescribe(&mut self, flags: &[bool]) -> Result<(), IntegrationError> {
        self.equations.prescribe(flags)
    }

    /// Whether the hinge of each body is prescribed.
    pub fn prescribed(&self) -> &[bool] {
        &self.equations.inputs.prescribed
    }

    /// The first break of the drive after `time`.
    pub fn next_break(&self, time: f64) -> Option<f64> {
        self.equations.drive.breaks().iter().copied().find(|b| *b > time)
    }

    /// The break at which the next steps end: rates there are those before it.
    pub fn stop_at(&mut self, time: Option<f64>) {
        self.equations.next_break = time;
    }

    /// Where quaternions start in the flat state; each has four numbers.
    pub fn quaternions(&self) -> impl Iterator<Item = usize> + use<'_> {
        quaternions(&self.equations.model)
    }

    /// The derivative of the rates at `y` along `direction`.
    ///
    /// That of the dynamics is exact, by dual numbers. What the drive writes is differenced forward over `√ε` of
    /// the state, or of one where numbers are smaller, so that it is zero where it depends on time alone; a kink of it that lies
    /// within is smeared.
    ///
    /// # Errors
    /// Slices that have not the size of [`pack`](Self::pack), or what keeps the rates from being computed.
    pub fn rates_along(&mut self, t: f64, y: &[f64], direction: &[f64], out: &mut [f64]) -> Result<(), DynamicsError> {
        self.equations.rates_along(t, y, direction, out)
    }

    /// The energy ledger of the state held, `y` being its flat state.
    ///
    /// # Errors
    /// A slice that has not the size of [`pack`](Self::pack), or a state that is not finite.
    pub fn ledger(&mut self, y: &[f64]) -> Result<Ledger, DynamicsError> {
        self.equations.check_flat("state", y)?;
        self.equations.ledger(y, self.start)
    }

    /// Work done so far on the speeds of each body, a part of the flat state `y`.
    ///
    /// # Panics
    /// Where `y` has not the size of [`pack`](Self::pack).
    pub fn body_works<'y>(&self, y: &'y [f64]) -> &'y [f64] {
        ledger_of(&self.equations.model, y).0
    }

    /// Accelerations at the state held, and the forces of the drive there: those of prescribed hinges are what they need.
    ///
    /// # Errors
    /// What keeps them from being computed.
    pub fn dynamics(&mut self) -> Result<(&[f64], &[f64]), DynamicsError> {
        self.equations.evaluate()?;
        Ok((&self.equations.accelerations, &self.equations.forces))
    }

    /// What acts, as the drive wrote it last.
    pub fn inputs(&self) -> &Inputs {
        &self.equations.inputs
    }

    /// Total energy at the start, for a checkpoint.
    pub fn start_energy(&self) -> f64 {
        self.start
    }

    /// Total energy at the start, from a checkpoint.
    pub fn set_start_energy(&mut self, start: f64) {
        self.start = start;
    }
}

impl Equations for MotionEquations {
    fn rates(&mut self, t: f64, y: &[f64], rates: &mut [f64]) -> Result<(), DynamicsError> {
        self.equations.rates(t, y, rates)?;
        let ModelEquations { model, state, workspace, .. } = &self.equations;
        check::state(model, state, workspace.stamp)
    }

    fn project(&self, y: &mut [f64]) {
        self.equations.project(y);
    }

    fn close(&mut self, t: f64, y: &mut [f64], kept: bool) -> Result<(), DynamicsError> {
        self.equations.close(t, y, kept)
    }

    fn kinks(&self) -> &[Kink] {
        self.equations.kinks()
    }

    fn quadratures(&self) -> usize {
        self.equations.quadratures()
    }

    fn jacobian(&mut self, t: f64, y: &[f64], out: &mut [f64]) -> Result<(), DynamicsError> {
        self.equations.jacobian(t, y, out)
    }
}
