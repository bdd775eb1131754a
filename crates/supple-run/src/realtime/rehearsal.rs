//! Both sides in one program, as fast as they go: how long their cycles take on this machine, before anything moves.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use supple::State;
use supple::integrate::{Measured, Sampled, Simulation};
use supple_control::realtime::{Controller, Drives, Key, MOST_BYTES, Timing};
use supple_io::scenario_file::Scenario;

use super::code_step::code_step;
use super::controller::controller;
use super::laws::Laws;
use super::plant::check_steps;
use super::wiring::Wiring;
use crate::control::Part;
use crate::{Formulation, RunError, RunErrorKind, Start, engine};

/// A scenario whose plant and controllers take turns, with every frame between them, commands a cycle late.
pub struct Rehearsal {
    plant: Box<Simulation>,
    period: f64,
    start: f64,
    told: Arc<Mutex<RehearsalTimes>>,
    cycles: u64,
}

/// How long the cycles of both sides take.
#[derive(Clone, Debug, Default)]
pub struct RehearsalTimes {
    /// The controller, from frame to frame.
    pub controller: Timing,
    /// The plant, from cycle to cycle.
    pub plant: Timing,
    /// What both sides have logged: faults, where there are any.
    pub lines: Vec<String>,
}

/// The block that stands for the controllers: it calls them.
struct Exchange {
    drives: Drives,
    controller: Controller,
    up: Box<[u8; MOST_BYTES]>,
    down: Box<[u8; MOST_BYTES]>,
    pending: usize,
    times: RehearsalTimes,
    /// The longest that a cycle may take, ns.
    deadline: u64,
    left: Option<Instant>,
    told: Arc<Mutex<RehearsalTimes>>,
}

impl Sampled for Exchange {
    fn sample(&mut self, measured: &Measured<'_>, outputs: &mut [f64]) {
        let cycle = measured.instant;
        if let Some(left) = self.left {
            note(&mut self.times.plant, left, self.deadline);
        }
        if self.pending > 0 {
            self.drives.receive(&self.down[..self.pending], cycle);
        }
        let (commands, brakes) = outputs.split_at_mut(self.drives.plan().commands);
        brakes.fill(0.0);
        if let Some(sound) = self.drives.settle(cycle, cycle > 0) {
            commands.copy_from_slice(sound);
        }
        let length = self.drives.write(cycle, measured.signals, &mut self.up[..]).unwrap_or(0);
        let start = Instant::now();
        self.controller.receive(&self.up[..length]);
        self.controller.compute();
        self.pending = self.controller.write(&mut self.down[..]).unwrap_or(0);
        note(&mut self.times.controller, start, self.deadline);
        // What follows the first cycle is the rest of the start.
        self.left = (cycle > 0).then(Instant::now);
    }
}

fn note(timing: &mut Timing, since: Instant, deadline: u64) {
    let time = since.elapsed().as_nanos() as u64;
    timing.steps.add(time);
    timing.overruns += u64::from(time > deadline);
}

impl Drop for Exchange {
    fn drop(&mut self) {
        let logs = [("controller", self.controller.supervisor()), ("plant", self.drives.supervisor())];
        let lines = logs.map(|(side, told)| told.log().iter().map(move |entry| format!("{side}: {entry}")));
        self.times.lines = lines.into_iter().flatten().collect();
        *self.told.lock().unwrap_or_else(PoisonError::into_inner) = std::mem::take(&mut self.times);
    }
}

impl Rehearsal {
    /// Of a scenario that can run in real time; compiled, the steps of the plant are generated code too.
    ///
    /// # Errors
    /// As [`plant`](super::plant) and [`control`](super::control).
    pub fn new(scenario: &Scenario, laws: Laws) -> Result<Self, RunError> {
        check_steps(scenario)?;
        let wiring = Wiring::of(scenario)?;
        let start = Start::of(scenario)?.state;
        let (controller, _) = controller(scenario, &wiring, laws, (Key::default(), 1))?;
        let told = Arc::new(Mutex::new(RehearsalTimes::default()));
        let exchange = Exchange {
            drives: Drives::new(wiring.plan(scenario, &start), Key::default(), 1),
            controller,
            up: Box::new([0; MOST_BYTES]),
            down: Box::new([0; MOST_BYTES]),
            pending: 0,
            times: RehearsalTimes::default(),
            deadline: (1e9 * wiring.period) as u64,
            left: None,
            told: Arc::clone(&told),
        };
        let part = Part::Plant(&wiring, Box::new(exchange), code_step(scenario, laws)?);
        let plant = Box::new(engine::start(scenario, &Formulation::default(), part)?.0);
        Ok(Self { plant, period: wiring.period, start: start.time, told, cycles: 0 })
    }

    /// Goes on for some cycles. Asks for no memory after the first few.
    ///
    /// # Errors
    /// A motion that cannot go on.
    pub fn run(&mut self, cycles: u64) -> Result<(), RunError> {
        self.cycles += cycles;
        let end = self.start + self.cycles as f64 * self.period;
        let failed = |error| RunError::new(RunErrorKind::CannotBegin, format!("the rehearsal ended early: {error}"));
        self.plant.advance(end).map(drop).map_err(failed)
    }

    /// The state of the plant.
    pub fn state(&self) -> &State {
        self.plant.state()
    }

    /// How long the cycles took.
    pub fn finish(self) -> RehearsalTimes {
        drop(self.plant);
        std::mem::take(&mut self.told.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
