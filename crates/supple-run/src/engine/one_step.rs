//! Methods of one step, those of the engine itself.

use std::ops::ControlFlow;

use supple::integrate::{
    AtEvent, Crossing, IntegrationError, Ledger, Scheme, Simulation, SimulationCheckpoint, Statistics, Stepping, Stop,
};
use supple::{Departure, DynamicsError, Inputs, State, ValidityLimits};
use supple_io::scenario_file::{Direction, EventAction, Watched};

use super::{Arrival, Engine, Start, Step, cannot_begin};
use crate::drive::ScenarioDrive;
use crate::{Formulation, RunError};

pub struct OneStep<'s>(Simulation<'s, ScenarioDrive<'s>>);

impl<'s> OneStep<'s> {
    pub fn new(
        start: Start<'s>,
        scheme: Scheme,
        stepping: Stepping,
        formulation: Formulation,
    ) -> Result<Self, RunError> {
        let Start { scenario, drive, initial, prescribed, limits } = start;
        let mut simulation =
            Simulation::new(&scenario.model.model, initial, drive, scheme, stepping).map_err(cannot_begin)?;
        simulation.prescribe(&prescribed).map_err(RunError::cannot_begin)?;
        if let Formulation::Other { make, .. } = formulation {
            let other = make(&scenario.model.system, &scenario.model.model).map_err(RunError::unsupported)?;
            simulation.set_formulation(other).map_err(RunError::unsupported)?;
        }
        simulation.watch_validity(ValidityLimits::default());
        simulation.set_limits(limits).map_err(RunError::cannot_begin)?;
        for event in &scenario.events {
            let crossing = match event.direction {
                Direction::Rising => Crossing::Rising,
                Direction::Falling => Crossing::Falling,
                Direction::Both => Crossing::Either,
            };
            let action = match event.action {
                EventAction::Record => AtEvent::Record,
                EventAction::Stop => AtEvent::Stop,
            };
            let (watched, value) = (event.watched, event.value);
            simulation.watch(crossing, action, move |state| match watched {
                Watched::Coordinate(i) => state.coordinates[i] - value,
                Watched::Speed(i) => state.speeds[i] - value,
            });
        }
        Ok(Self(simulation))
    }
}

impl Engine for OneStep<'_> {
    fn advance(
        &mut self,
        end: f64,
        after: &mut dyn FnMut(Step) -> ControlFlow<()>,
    ) -> Result<Arrival, IntegrationError> {
        while self.0.state().time < end {
            let rejected = self.0.statistics().rejected;
            let stop = self.0.advance_step(end)?;
            let step = Step { covers: self.0.covered(), shrunk: self.0.statistics().rejected > rejected };
            let flow = after(step);
            if let Stop::Event(event) = stop {
                return Ok(Arrival::Event(event));
            }
            if flow.is_break() {
                return Ok(Arrival::Halted);
            }
        }
        Ok(Arrival::End)
    }

    fn state(&self) -> &State {
        self.0.state()
    }

    fn dynamics(&mut self) -> Result<(&[f64], &[f64]), DynamicsError> {
        self.0.dynamics()
    }

    fn inputs(&self) -> &Inputs {
        self.0.inputs()
    }

    fn ledger(&mut self) -> Result<Ledger, DynamicsError> {
        self.0.ledger()
    }

    fn body_works(&self) -> &[f64] {
        self.0.body_works()
    }

    fn statistics(&self) -> Statistics {
        self.0.statistics()
    }

    fn departures(&self) -> &[Departure] {
        self.0.departures()
    }

    fn take_events(&mut self) -> Vec<(f64, usize)> {
        let events = self.0.occurrences().iter().map(|o| (o.state.time, o.event)).collect();
        self.0.clear_occurrences();
        events
    }

    fn checkpoints_leave_no_trace(&self) -> bool {
        true
    }

    fn lay_aside(&mut self) -> SimulationCheckpoint {
        self.0.checkpoint()
    }

    fn restore(&mut self, from: &SimulationCheckpoint) -> Result<(), IntegrationError> {
        self.0.restore(from)
    }
}
