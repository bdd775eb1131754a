//! Adams and BDF.

use std::ops::ControlFlow;

use supple::integrate::{Checkpoint, IntegrationError, Ledger, SimulationCheckpoint, Statistics};
use supple::{Departure, DynamicsError, Inputs, Model, State, Validity, ValidityLimits, Workspace};
use supple_io::scenario_file;
use supple_multistep::{Method, MultistepCheckpoint, MultistepSimulation};

use super::{Arrival, Engine, Start, Step, cannot_begin, tolerance};
use crate::RunError;
use crate::drive::ScenarioDrive;

/// A multistep method; validity is looked at where the run has it arrive.
struct Multistep<'s> {
    model: &'s Model,
    simulation: MultistepSimulation<'s, ScenarioDrive<'s>>,
    validity: Validity,
    workspace: Workspace,
}

/// The engine of a scenario whose method is a multistep method.
pub fn start(start: Start<'_>) -> Result<Box<dyn Engine + '_>, RunError> {
    let Start { scenario, drive, initial, prescribed, limits } = start;
    if !scenario.events.is_empty() {
        return Err(RunError::unsupported("adams and bdf do not detect events")
            .with_remedy("use another integrator, or remove [[events]]"));
    }
    let method = match scenario.integrator.method {
        scenario_file::Method::Adams => Method::Adams,
        _ => Method::Bdf,
    };
    let model = &scenario.model.model;
    let mut simulation =
        MultistepSimulation::new(model, initial, drive, method, tolerance(scenario)).map_err(cannot_begin)?;
    simulation.prescribe(&prescribed).map_err(RunError::cannot_begin)?;
    simulation.set_limits(limits).map_err(RunError::cannot_begin)?;
    let validity = Validity::new(model, ValidityLimits::default());
    let mut engine = Multistep { model, simulation, validity, workspace: Workspace::new(model) };
    engine.look_at_validity();
    Ok(Box::new(engine))
}

impl Multistep<'_> {
    fn look_at_validity(&mut self) {
        // A state that cannot be placed is reported by the next step.
        let _ = self.validity.observe(self.model, self.simulation.state(), &mut self.workspace);
    }
}

impl Engine for Multistep<'_> {
    fn advance(
        &mut self,
        end: f64,
        after: &mut dyn FnMut(Step) -> ControlFlow<()>,
    ) -> Result<Arrival, IntegrationError> {
        let (mut from, mut rejected) = (self.simulation.state().time, self.simulation.statistics().rejected);
        let mut halted = false;
        let outcome = self.simulation.advance_while(end, |to, done| {
            let flow = after(Step { covers: [from, to], shrunk: done.rejected > rejected });
            (from, rejected, halted) = (to, done.rejected, flow.is_break());
            flow
        });
        self.look_at_validity();
        outcome.map(|()| if halted { Arrival::Halted } else { Arrival::End })
    }

    fn state(&self) -> &State {
        self.simulation.state()
    }

    fn dynamics(&mut self) -> Result<(&[f64], &[f64]), DynamicsError> {
        self.simulation.dynamics()
    }

    fn inputs(&self) -> &Inputs {
        self.simulation.inputs()
    }

    fn ledger(&mut self) -> Result<Ledger, DynamicsError> {
        self.simulation.ledger()
    }

    fn body_works(&self) -> &[f64] {
        self.simulation.body_works()
    }

    fn statistics(&self) -> Statistics {
        self.simulation.statistics()
    }

    fn departures(&self) -> &[Departure] {
        self.validity.departures()
    }

    fn take_events(&mut self) -> Vec<(f64, usize)> {
        Vec::new()
    }

    fn checkpoints_leave_no_trace(&self) -> bool {
        false
    }

    fn lay_aside(&mut self) -> SimulationCheckpoint {
        let MultistepCheckpoint { time, y, start_energy, prescribed, statistics } = self.simulation.checkpoint();
        self.simulation.restart();
        let (rates, algorithmic, history) = (Vec::new(), Vec::new(), Vec::new());
        SimulationCheckpoint {
            // The method starts anew: no step, no rates.
            integrator: Checkpoint { time, step: 0.0, fresh: true, y, rates, algorithmic, history, statistics },
            start_energy,
            prescribed,
            signs: Vec::new(),
            departures: self.departures().to_vec(),
        }
    }

    fn restore(&mut self, from: &SimulationCheckpoint) -> Result<(), IntegrationError> {
        let own = &from.integrator;
        self.simulation.restore(&MultistepCheckpoint {
            time: own.time,
            y: own.y.clone(),
            start_energy: from.start_energy,
            prescribed: from.prescribed.clone(),
            statistics: own.statistics,
        })?;
        self.validity.restore(&from.departures);
        Ok(())
    }
}
