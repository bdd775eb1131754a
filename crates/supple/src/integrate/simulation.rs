//! A model in motion, with its energy ledger and its events.

use super::blocks::{BlockIndex, Blocks};
use super::error::IntegrationError;
use super::event::{AtEvent, Crossing, Event, Occurrence, Stop, sign};
use super::flat_state::{ledger_of, unpack};
use super::formulation::Formulation;
use super::integrator::Integrator;
use super::ledger::Ledger;
use super::model_equations::ModelEquations;
use super::network::Network;
use super::request::Switched;
use super::scheme::Scheme;
use super::settings::{Limits, Statistics, Stepping};
use super::shortfall::Shortfall;
use crate::energy::energy;
use crate::error::DynamicsError;
use crate::inputs::Inputs;
use crate::model::Model;
use crate::state::State;
use crate::validity::{Departure, Validity, ValidityLimits};
use crate::workspace::Workspace;

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

/// A model, its state, what drives it, and an integrator. Steps allocate nothing; events do when they happen.
///
/// ```
/// use supple::integrate::{AtEvent, Crossing, Scheme, Simulation, Stop, Tolerance};
/// use supple::{Body, Hinge, HingeKind, Inputs, ModelBuilder, Parent, State};
///
/// let mut builder = ModelBuilder::new();
/// builder.gravity([0.0, 0.0, -9.81]);
/// let hinge = Hinge::new(HingeKind::Revolute { axis: [0.0, 1.0, 0.0] });
/// builder.body(Body::rigid("bob", Parent::Ground, hinge, 1.0, [0.0, 0.0, -1.0], [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0; 3]]));
/// let model = builder.build()?;
/// let mut state = State::new(&model);
/// state.coordinates[0] = 0.01;
///
/// let tolerance = Tolerance { relative: 1e-10, absolute: 1e-12 };
/// let free = |_: &State, _: &mut Inputs| {};
/// let mut run = Simulation::new(&model, state, free, Scheme::DormandPrince, tolerance)?;
/// run.watch(Crossing::Falling, AtEvent::Stop, |state| state.coordinates[0]);
/// assert_eq!(run.advance(10.0)?, Stop::Event(0));
/// let quarter = 0.5 * std::f64::consts::PI / 9.81_f64.sqrt();
/// assert!((run.state().time - quarter).abs() < 1e-5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Simulation {
    pub(super) equations: ModelEquations,
    pub(super) integrator: Integrator,
    pub(super) start: f64,
    /// The state that [`Simulation::sample`] gives, also used to look at events.
    pub(super) sampled: State,
    pub(super) y: Vec<f64>,
    pub(super) events: Vec<Event>,
    pub(super) occurrences: Vec<Occurrence>,
    pub(super) switched: Vec<Switched>,
    pub(super) validity: Option<Validity>,
}

impl Simulation {
    /// Starts at `state`; `stepping` is a [`Tolerance`](super::Tolerance) or a fixed step.
    ///
    /// # Errors
    /// A tolerance, step or state that makes no sense.
    pub fn new(
        model: &Model,
        state: State,
        drive: impl Drive + Send + 'static,
        scheme: Scheme,
        stepping: impl Into<Stepping>,
    ) -> Result<Self, IntegrationError> {
        let mut workspace = Workspace::new(model);
        let time = state.time;
        let start = energy(model, &state, &mut workspace)
            .map_err(|source| IntegrationError::Dynamics { time, source })?
            .total();
        let y = ModelEquations::pack(model, &state);
        let sampled = state.clone();
        let equations = ModelEquations::new(model, state, Box::new(drive), workspace, scheme);
        let integrator = Integrator::new(scheme, stepping, Limits::default(), time, y.clone())?;
        let (events, occurrences, switched) = (Vec::new(), Vec::new(), Vec::new());
        Ok(Self { equations, integrator, start, sampled, y, events, occurrences, switched, validity: None })
    }

    /// Hinges whose accelerations the drive prescribes, a flag per body.
    ///
    /// # Errors
    /// [`IntegrationError::BadRequest`] for another number of flags.
    pub fn prescribe(&mut self, flags: &[bool]) -> Result<(), IntegrationError> {
        self.equations.prescribe(flags)
    }

    /// Changes when the integrator gives up.
    ///
    /// # Errors
    /// Limits that make no sense; the old ones stay.
    pub fn set_limits(&mut self, limits: Limits) -> Result<(), IntegrationError> {
        self.integrator.set_limits(limits)
    }

    /// Watches the sign of `function`; gives the number of the event.
    ///
    /// A change of sign between the ends of a step is found; one that is undone within the same step is not, see
    /// [`Limits::greatest_step`]. The time is located within rounding on the step that the integrator itself takes up to there.
    pub fn watch(
        &mut self,
        crossing: Crossing,
        action: AtEvent,
        function: impl FnMut(&State) -> f64 + Send + 'static,
    ) -> usize {
        let mut event = Event { function: Box::new(function), crossing, action, sign: 0, time: None };
        event.sign = sign(event.value(&self.equations.state));
        self.events.push(event);
        self.events.len() - 1
    }

    /// Events so far, in order of time.
    pub fn occurrences(&self) -> &[Occurrence] {
        &self.occurrences
    }

    /// Forgets the events so far, so that a long run need not keep the states of all.
    pub fn clear_occurrences(&mut self) {
        self.occurrences.clear();
    }

    /// Integrates to `end`, stopping at the breaks of the drive on the way, or to the first event that stops the motion.
    ///
    /// # Errors
    /// Why it stopped earlier; the state is that of the last accepted step, and everything recorded so far stays.
    pub fn advance(&mut self, end: f64) -> Result<Stop, IntegrationError> {
        self.advance_by(end, |_| Ok(()))
    }

    /// Integrates to `end` as [`advance`](Self::advance) does, and shows the states at `times` to `observe`, by the continuous extension of
    /// the steps: they are not shortened. Times must ascend; those outside of the interval are passed over.
    ///
    /// # Errors
    /// As [`advance`](Self::advance).
    pub fn advance_observing(
        &mut self,
        end: f64,
        times: &[f64],
        mut observe: impl FnMut(&State),
    ) -> Result<Stop, IntegrationError> {
        if let Some(index) = times.iter().position(|time| time.is_nan()) {
            let reason = "the times to observe must be numbers, the first that is not has the index";
            return Err(IntegrationError::BadRequest { reason, value: index as f64 });
        }
        let mut rest = times;
        let now = self.integrator.time();
        while let [first, others @ ..] = rest
            && *first <= now
        {
            if *first == now {
                observe(&self.equations.state);
            }
            rest = others;
        }
        self.advance_by(end, |run| {
            while let [first, others @ ..] = rest
                && *first <= run.integrator.time()
            {
                observe(run.sample(*first)?);
                rest = others;
            }
            Ok(())
        })
    }

    /// Takes one step towards `end`.
    ///
    /// # Errors
    /// As [`advance`](Self::advance).
    pub fn advance_step(&mut self, end: f64) -> Result<Stop, IntegrationError> {
        self.integrator.check_end(end)?;
        let deadline = self.integrator.deadline();
        let stop = if self.integrator.time() < end { self.step(end, deadline) } else { Ok(None) };
        self.settle();
        self.look_at_validity();
        Ok(stop?.map_or(Stop::End, Stop::Event))
    }

    fn advance_by(
        &mut self,
        end: f64,
        mut after: impl FnMut(&mut Self) -> Result<(), IntegrationError>,
    ) -> Result<Stop, IntegrationError> {
        self.integrator.check_end(end)?;
        let deadline = self.integrator.deadline();
        let mut stop = Ok(Stop::End);
        while self.integrator.time() < end && stop == Ok(Stop::End) {
            let stepped = self.step(end, deadline);
            self.settle();
            self.look_at_validity();
            stop = match stepped {
                Ok(event) => after(self).map(|()| event.map_or(Stop::End, Stop::Event)),
                Err(error) => Err(error),
            };
        }
        stop
    }

    /// One step, with its events; the number of the event that stops the motion.
    fn step(&mut self, end: f64, deadline: super::integrator::Deadline) -> Result<Option<usize>, IntegrationError> {
        self.choose_steps();
        let stop = self.next_stop(end);
        self.equations.next_break = stop;
        let stepped = self.integrator.step_towards(&mut self.equations, stop.unwrap_or(end), deadline);
        stepped.map_err(|error| self.equations.blame(error))?;
        let event = self.look_for_events()?;
        if stop == Some(self.integrator.time()) {
            // The continuous extension ends before the break.
            self.integrator.complete(&mut self.equations)?;
            self.integrator.restart();
            self.run_blocks()?;
        }
        Ok(event)
    }

    /// Calls the sampled blocks whose instant has come, then does what they ask for.
    pub(super) fn run_blocks(&mut self) -> Result<(), IntegrationError> {
        let Some(network) = &self.equations.network else { return Ok(()) };
        let needs_accelerations = network.needs_accelerations();
        self.settle();
        if needs_accelerations {
            let time = self.equations.state.time;
            self.equations.evaluate().map_err(|source| IntegrationError::Dynamics { time, source })?;
        }
        let Some(mut network) = self.equations.network.take() else { return Ok(()) };
        let accelerations = if needs_accelerations { self.equations.accelerations.as_slice() } else { &[] };
        let done = network.run(&self.equations.state, accelerations);
        let requests = std::mem::take(&mut network.due);
        self.equations.network = Some(network);
        if done? {
            self.integrator.restart();
            self.tell_limits()?;
        }
        let switched = self.switch(&requests);
        if let Some(network) = &mut self.equations.network {
            // The list keeps its place in memory.
            network.due = requests;
            network.due.clear();
        }
        switched?;
        self.set_brakes()
    }

    /// Lets sampled blocks act from here on; their instants are counted from the present time. Blocks whose instant is now are called.
    ///
    /// # Errors
    /// [`IntegrationError::Blocks`] with what is wrong with them; an output that is not finite.
    pub fn set_blocks(&mut self, blocks: Blocks) -> Result<(), IntegrationError> {
        let time = self.integrator.time();
        let at_rest = blocks.at_rest;
        let mut network = Network::new(blocks, &self.equations.model, time).map_err(IntegrationError::Blocks)?;
        network.limit(&self.equations.limits);
        if at_rest {
            self.settle();
            network.rest(&self.equations.state);
        }
        self.equations.network = Some(Box::new(network));
        self.integrator.restart();
        self.run_blocks()
    }

    /// The outputs of a sampled block that hold now.
    pub fn block_outputs(&self, block: BlockIndex) -> Option<&[f64]> {
        self.equations.network.as_ref()?.outputs(block)
    }

    /// Makes the state that of the integrator.
    pub(super) fn settle(&mut self) {
        self.equations.next_break = None;
        unpack(&mut self.equations.state, self.integrator.state());
        self.equations.state.time = self.integrator.time();
    }

    /// The state at a time within the last step, by its continuous extension, see [`Integrator::sample`].
    ///
    /// # Errors
    /// A time outside of the last step.
    pub fn sample(&mut self, time: f64) -> Result<&State, IntegrationError> {
        self.integrator.sample(&mut self.equations, time, &mut self.y)?;
        unpack(&mut self.sampled, &self.y);
        self.sampled.time = time;
        Ok(&self.sampled)
    }

    /// The times that [`sample`](Self::sample) covers.
    pub fn covered(&self) -> [f64; 2] {
        self.integrator.covered()
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
        self.equations.ledger(self.integrator.state(), self.start)
    }

    /// Accelerations at the state reached, and the forces of the drive there: those of prescribed hinges are what they need.
    ///
    /// # Errors
    /// What keeps them from being computed.
    pub fn dynamics(&mut self) -> Result<(&[f64], &[f64]), DynamicsError> {
        self.equations.evaluate()?;
        Ok((&self.equations.accelerations, &self.equations.forces))
    }

    /// What acts, as the drive wrote it in the last call of [`dynamics`](Self::dynamics) or the last step.
    pub fn inputs(&self) -> &Inputs {
        &self.equations.inputs
    }

    /// Work done so far on the speeds of each body: by the drive of its hinge, mostly.
    pub fn body_works(&self) -> &[f64] {
        ledger_of(&self.equations.model, self.integrator.state()).0
    }

    /// Takes accelerations and energies from another formulation than the sweeps; to be set before the first step, for schemes that ask for
    /// accelerations alone.
    ///
    /// # Errors
    /// [`IntegrationError::NeedsSweeps`] for another scheme; a formulation of another model.
    pub fn set_formulation(&mut self, formulation: Box<dyn Formulation + Send>) -> Result<(), IntegrationError> {
        self.equations.set_formulation(formulation)?;
        let time = self.equations.state.time;
        let energy = self.equations.energy().map_err(|source| IntegrationError::Dynamics { time, source })?;
        self.start = energy.total();
        self.integrator.restart();
        Ok(())
    }

    /// Watches from here on whether the model stays valid; looked at after every step.
    pub fn watch_validity(&mut self, limits: ValidityLimits) {
        self.validity = Some(Validity::new(&self.equations.model, limits));
        self.look_at_validity();
    }

    /// Where the motion left the range of its model, in the order of time; empty where nobody watches.
    pub fn departures(&self) -> &[Departure] {
        self.validity.as_ref().map_or(&[], |validity| validity.departures())
    }

    /// Bodies that were bent beyond the limits of validity, and into how many pieces each would have to be cut.
    pub fn pieces(&self) -> impl Iterator<Item = (crate::BodyIndex, usize)> {
        self.validity.iter().flat_map(Validity::pieces)
    }

    fn look_at_validity(&mut self) {
        if let Some(validity) = &mut self.validity {
            // A state that cannot be placed is reported by the next step.
            let _ = validity.observe(&self.equations.model, &self.equations.state, &mut self.equations.workspace);
        }
    }

    /// Steps that ended before their iteration had converged, by their given number of corrections, where there were any.
    pub fn shortfall(&self) -> Option<Shortfall> {
        self.integrator.stepper.shortfall()
    }

    /// Work done so far.
    pub fn statistics(&self) -> Statistics {
        self.integrator.statistics()
    }
}
