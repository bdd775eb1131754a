//! A run of a study that is on the way on a GPU: its steps, and the rows of its states.

use supple::batch::StepScheme;
use supple::integrate::{Simulation, even_step};
use supple::{DynamicsError, State};
use supple_compile::{DrivenStep, Family};
use supple_io::results::Outcome;
use supple_io::scenario_file::Scenario;

use super::fits;
use crate::drive::ScenarioDrive;
use crate::record::Recorder;
use crate::size::last_row;
use crate::sweep::kept::Kept;
use crate::sweep::{Row, Study};
use crate::{Run, RunError};

/// Steps of a run, one after the other, as the engine would make them.
pub struct Instance {
    pub run: u64,
    scenario: Box<Scenario>,
    /// At the state reached, for the rows.
    engine: Simulation,
    recorder: Recorder,
    kept: Kept,
    /// Per speed, whether a force may act on it.
    acting: Vec<bool>,
    step: f64,
    time: f64,
    rows: u64,
    steps: u64,
    /// Whether the engine is to make the run: it goes on where this cannot, or tells why nobody can.
    pub is_given_up: bool,
    /// The next steps, as a fleet takes them.
    pub asked: Vec<f64>,
}

impl Instance {
    /// The run at its start; none where it does not begin, or where its steps are none of the program.
    pub fn new(study: &Study, (family, program): (&Family, &DrivenStep), run: u64) -> Option<(Self, Vec<f64>)> {
        let scenario = Box::new(study.scenario(run).ok()?);
        let (scheme, step) = fits::scheme(&scenario).ok()?;
        let mut numbers = Vec::new();
        if !family.write_numbers(&scenario.model.model, &mut numbers) {
            return None;
        }
        let mut instance = Self::begin(study, scenario, (run, step)).ok()?;
        let own = instance.program(scheme).ok()?;
        (own == *program).then_some((instance, numbers))
    }

    /// The run of a scenario at its start.
    pub fn begin(study: &Study, scenario: Box<Scenario>, (run, step): (u64, f64)) -> Result<Self, RunError> {
        let mut kept = Kept::default();
        let (engine, recorder) = {
            let Run { engine, recorder, .. } = Run::new(&scenario, study.scenario_path(), &study.options())?;
            (engine, recorder)
        };
        kept.restart(study, recorder.table())?;
        let mut acting = ScenarioDrive::new(&scenario).map_err(RunError::cannot_begin)?.acting();
        engine.driven_speeds().into_iter().for_each(|speed| acting[speed] = true);
        Ok(Self {
            run,
            time: engine.state().time,
            scenario,
            engine,
            recorder,
            kept,
            acting,
            step,
            rows: 0,
            steps: 0,
            is_given_up: false,
            asked: Vec::new(),
        })
    }

    /// What its steps are given.
    ///
    /// # Errors
    /// What keeps what acts from being known.
    pub fn program(&mut self, scheme: StepScheme) -> Result<DrivenStep, RunError> {
        let inputs = self.engine.acts_at(self.time, None).map_err(RunError::cannot_begin)?.clone();
        Ok(DrivenStep::new(scheme, &self.scenario.model.model, (self.engine.state(), &inputs), &self.acting))
    }

    /// The state reached.
    pub fn state(&self) -> &State {
        self.engine.state()
    }

    /// The time of the next row; none behind the last.
    fn target(&self) -> Option<f64> {
        let (interval, duration) = (self.scenario.output_interval, self.scenario.duration);
        let last = last_row(duration, interval);
        match self.rows {
            _ if self.is_given_up || self.rows > last => None,
            rows if rows == last => Some(duration),
            rows => Some((rows as f64 * interval).min(duration)),
        }
    }

    /// Whether it has no row to come.
    pub fn is_done(&self) -> bool {
        self.target().is_none()
    }

    /// Whether it is where its next row is.
    pub fn is_at_row(&self) -> bool {
        self.target().is_none_or(|target| self.time >= target)
    }

    /// Whether blocks are to be called where it is.
    pub fn is_at_instant(&self) -> bool {
        !self.is_done() && self.engine.next_instant().is_some_and(|instant| self.time >= instant)
    }

    /// Asks for so many steps at most, on the way to the next row and not beyond an instant of blocks.
    pub fn ask(&mut self, program: &DrivenStep, most: usize) {
        self.asked.clear();
        let Some(target) = self.target() else { return };
        for _ in 0..most {
            if self.time >= target || self.is_at_instant() {
                break;
            }
            self.is_given_up |= self.ask_step(program, target).is_err();
            if self.is_given_up {
                self.asked.clear();
                break;
            }
        }
    }

    /// One step, as the engine divides the way to the next stop.
    fn ask_step(&mut self, program: &DrivenStep, target: f64) -> Result<(), DynamicsError> {
        let stop = self.engine.next_stop_after(self.time, target);
        let end = stop.unwrap_or(target);
        let left = end - self.time;
        let step = even_step(self.step, left);
        let reached = if step == left { end } else { self.time + step };
        // The engine tells what is wrong with these.
        let most = self.scenario.integrator.max_steps.map_or(u64::MAX, |most| most as u64);
        self.is_given_up = reached <= self.time || self.steps >= most;
        let step = reached - self.time;
        self.asked.push(step);
        for place in program.places() {
            program.write(self.engine.acts_at(self.time + place * step, stop)?, &mut self.asked);
        }
        (self.time, self.steps) = (reached, self.steps + 1);
        Ok(())
    }

    /// Arrives where its steps led, coordinates, attitudes and speeds, and takes a row there if one is due.
    pub fn arrive(&mut self, motion: &[f64]) {
        if self.is_done() || !(self.is_at_row() || self.is_at_instant()) {
            return;
        }
        self.is_given_up |= self.engine.arrive(self.time, motion).is_err();
        if !self.is_at_row() {
            return;
        }
        self.rows += 1;
        match self.recorder.row(&self.scenario.model.model, &mut self.engine) {
            Ok(row) => self.kept.append(row),
            Err(_) => self.is_given_up = true,
        }
    }

    /// The row of the study.
    pub fn row(&self, study: &Study) -> Row {
        self.kept.row(study, self.run, &Outcome::Finished)
    }
}
