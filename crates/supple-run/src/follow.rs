//! The loop of a run: from row to row, with checkpoints, until the end or what comes before it.

use std::fmt::Display;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use supple::DynamicsError;
use supple::integrate::{IntegrationError, Simulation};
use supple_io::load::Note;
use supple_io::results::{EventSummary, Extent, Outcome, ResultsError, RowSink};
use supple_io::scenario_file::EventAction;

use crate::checkpoint::RunCheckpoint;
use crate::corrections;
use crate::engine::{self, Arrival, Step};
use crate::longest_step;
use crate::observer::{Observer, Progress, Row};
use crate::run::Run;
use crate::size::last_row;
use crate::switching;

impl Run<'_> {
    /// Follows the motion to the next row; the outcome where there is none.
    pub(crate) fn next_row(&mut self, observer: &mut dyn Observer) -> Result<Option<Outcome>, String> {
        let (interval, duration) = (self.scenario.output_interval, self.scenario.duration);
        let last = last_row(duration, interval);
        if self.started.is_none() {
            self.tell_notes(observer);
        }
        let started = *self.started.get_or_insert_with(Instant::now);
        if self.rows == 0 && self.scenario.checkpoint_interval.is_some() {
            self.save()?;
        }
        if let Some(event) = self.events.stopped() {
            return Ok(Some(Outcome::Stopped(self.scenario.events[event].name.clone())));
        }
        if self.rows > last {
            return Ok(Some(Outcome::Finished));
        }
        let target = if self.rows == last { duration } else { (self.rows as f64 * interval).min(duration) };
        let advanced = self.advance_to(target, started, observer);
        for (time, text) in self.news.take() {
            self.warnings.tell(time, text, observer);
        }
        let advanced = advanced.map_err(|message| self.news.failure().unwrap_or(message))?;
        if let ControlFlow::Break(outcome) = advanced {
            return Ok(Some(outcome));
        }
        let model = &self.scenario.model.model;
        if let Some(watch) = &mut self.momentum {
            watch.observe(model, self.engine.state());
        }
        if let Some(watch) = &mut self.closures {
            // What closures are to do here; an error is that of the row.
            let _ = self.engine.dynamics();
            watch.observe(model, (self.engine.state(), self.engine.inputs()));
        }
        let mut doubts = self.effort.observe(&mut self.engine).map_err(|error| self.cause(&error))?;
        doubts.extend(self.effort.observe_moved(&mut self.engine).map_err(|error| self.cause(&error))?);
        doubts.into_iter().for_each(|doubt| self.warnings.tell(target, doubt, observer));
        // A motion that overflows has no story here; its integration says why it ends.
        match self.story.observe(self.scenario, &mut self.engine) {
            Ok(()) | Err(DynamicsError::Overflow { .. }) => {}
            Err(error) => return Err(self.cause(&error)),
        }
        let row = self.recorder.row(model, &mut self.engine).map(<[f64]>::to_vec);
        let row = row.map_err(|error| self.cause(&error))?;
        self.append(&row)?;
        if let Some(scarce) = corrections::warning(&self.engine) {
            self.warnings.tell(target, scarce, observer);
        }
        self.files.warn(self.warnings.told());
        let mut frame: &[f32] = &[];
        if let Some(film) = &mut self.film {
            // What keeps time leaves the page to the end.
            let folder = self.folder.as_deref().filter(|_| !self.files.are_apart());
            let taken = film.take(self.scenario, self.engine.state(), folder);
            taken.map_err(|error| error.to_string())?;
            frame = film.frame();
        }
        observer.row(Row { values: &row, frame });
        if let Some(period) = self.scenario.checkpoint_interval
            && self.events.stopped().is_none()
            && target - self.saved >= period * (1.0 - 1e-12)
        {
            self.saved = target;
            self.save()?;
        }
        Ok(None)
    }

    /// Why the run cannot go on: its fixed step where a shorter one could, otherwise the error.
    fn cause(&self, error: &dyn Display) -> String {
        let time = self.engine.state().time;
        if let Some(cause) = self.loops.cause(self.scenario) {
            return format!("{error}; the likely cause: {cause}");
        }
        let cause = longest_step::explain(self.scenario, &self.options.formulation, time);
        cause.unwrap_or_else(|| error.to_string())
    }

    /// Tells what is doubtful before the first step.
    pub(crate) fn tell_notes(&mut self, observer: &mut dyn Observer) {
        for note in self.scenario.model.notes.iter().chain(&self.scenario.doubts) {
            let expected = note.expected().map_or(String::new(), |expected| format!("; expected {expected}"));
            self.warnings.tell(self.from, Note::from(note).brief + &expected, observer);
        }
        for doubt in self.doubts.drain(..) {
            self.warnings.tell(self.from, doubt, observer);
        }
    }

    /// Goes to the time of the next row, through the events before it, or to one that ends the run.
    fn advance_to(
        &mut self,
        target: f64,
        started: Instant,
        observer: &mut dyn Observer,
    ) -> Result<ControlFlow<Outcome>, String> {
        loop {
            while let Some((time, event)) = self.events.next_timed()
                && time <= self.engine.state().time
            {
                self.events.pass_timed();
                self.happen(time, event, observer)?;
            }
            if self.events.stopped().is_some() || self.engine.state().time >= target {
                return Ok(ControlFlow::Continue(()));
            }
            let next = self.events.next_timed().map_or(target, |(time, _)| time.min(target));
            if let ControlFlow::Break(outcome) = self.integrate_to(next, started, observer)? {
                return Ok(ControlFlow::Break(outcome));
            }
        }
    }

    /// An event happens: it is recorded, and does what it asks for.
    fn happen(&mut self, time: f64, number: usize, observer: &mut dyn Observer) -> Result<(), String> {
        let event = &self.scenario.events[number];
        let mut actions = Vec::new();
        if !event.switch.is_empty() {
            let done = switching::carry_out(&mut self.engine, self.scenario, event)?;
            done.warnings.into_iter().for_each(|warning| self.warnings.tell(time, warning, observer));
            if done.rebounded {
                self.engine.turn_back(number);
            }
            actions = done.actions;
            self.story.disturb(time);
        }
        observer.event(&EventSummary::new(time, event.name.clone()).with_actions(actions.clone()));
        self.events.add(time, number, actions);
        if event.action == EventAction::Stop && self.events.stopped().is_none() {
            self.events.stop(number);
        }
        Ok(())
    }

    /// Integrates to a time, or to an event before it.
    fn integrate_to(
        &mut self,
        target: f64,
        started: Instant,
        observer: &mut dyn Observer,
    ) -> Result<ControlFlow<Outcome>, String> {
        let told = &self.scenario.integrator;
        // A budget beyond what a duration can hold is none.
        let budget = told.wall_seconds.and_then(|s| Duration::try_from_secs_f64(s).ok());
        let (mut shortest, mut late) = (None, false);
        let interrupt = &self.options.interrupt;
        let (start, end) = (self.from, self.scenario.duration);
        let (scenario, collapse, warnings, departed) =
            (self.scenario, &mut self.collapse, &mut self.warnings, &mut self.departed);
        let (effort, loops) = (&mut self.effort, &mut self.loops);
        let mut after = |run: &mut Simulation, step: Step| {
            let [from, to] = step.covers;
            observer.progress(Progress { start, time: to, end });
            for departure in run.departures().iter().skip(*departed) {
                warnings.tell(departure.time, departure.describe(&scenario.model.model), observer);
            }
            *departed = run.departures().len();
            // A state in which nothing can be evaluated is told by the next step.
            for limited in effort.observe(run).unwrap_or_default() {
                warnings.tell(to, limited, observer);
            }
            for unstable in loops.observe(scenario, run) {
                warnings.tell(to, unstable, observer);
            }
            if let Some(collapsed) = collapse.observe(scenario, run) {
                warnings.tell(to, collapsed, observer);
            }
            // A step that was cut short by the end or a break is not one that had to shrink.
            let too_short = |least: &f64| step.shrunk && to - from < *least && target - to > *least;
            shortest = told.least_step.filter(too_short).map(|least| (least, to - from, to));
            late = budget.is_some_and(|budget| started.elapsed() > budget);
            let halt = shortest.is_some() || late || interrupt.is_set();
            if halt { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let arrival = engine::advance(&mut self.engine, target, &mut after);
        for (time, event) in engine::take_events(&mut self.engine) {
            self.happen(time, event, observer)?;
        }
        let of_step = |error: &IntegrationError| {
            use IntegrationError::{Dynamics, NoConvergence, NotFinite, StepTooLong};
            matches!(error, Dynamics { .. } | NoConvergence { .. } | NotFinite { .. } | StepTooLong { .. })
        };
        let failed = |error: IntegrationError| match &error {
            error if of_step(error) => self.cause(error),
            error => match self.loops.cause(self.scenario) {
                Some(cause) => format!("{error}; the likely cause: {cause}"),
                None => error.to_string(),
            },
        };
        match arrival.map_err(failed)? {
            Arrival::End | Arrival::Event => return Ok(ControlFlow::Continue(())),
            Arrival::Halted => {}
        }
        if let Some((least, step, to)) = shortest {
            return Err(format!(
                "at t = {to} the step shrank to {step:.1e} s, below the `least_step` of {least:e} s; allow smaller ones, or \
                 take an integrator for stiff modes"
            ));
        }
        if self.options.interrupt.is_set() {
            return Ok(ControlFlow::Break(Outcome::Interrupted));
        }
        let (seconds, time) = (told.wall_seconds.unwrap_or_default(), self.engine.state().time);
        Err(format!(
            "the limit `wall_seconds` of {seconds} s of computing time is reached at t = {time}; allow more, or use another integrator"
        ))
    }

    fn append(&mut self, row: &[f64]) -> Result<(), String> {
        let written = self.files.append(row);
        self.note(written)?;
        self.traces.append(row).map_err(|error| error.to_string())?;
        self.kept.append(row);
        self.rows += 1;
        Ok(())
    }

    /// Whether a run that ends like this leaves a checkpoint of its end.
    pub(crate) fn is_to_be_saved(&self, outcome: &Outcome) -> bool {
        let periodic = self.scenario.checkpoint_interval.is_some();
        match outcome {
            Outcome::Interrupted => true,
            Outcome::Finished | Outcome::Stopped(_) => periodic,
            _ => false,
        }
    }

    /// Writes a checkpoint, after all rows before it.
    pub(crate) fn save(&mut self) -> Result<(), String> {
        let flushed = self.files.here().map_or(Ok(Extent::default()), |files| {
            files.csv.flush()?;
            Ok(files.csv.extent())
        });
        let rows = self.note(flushed)?;
        let simulation = self.engine.checkpoint();
        let Some(folder) = &self.folder else { return Ok(()) };
        if let Some(film) = &mut self.film {
            // Without its motion the page of a run that goes on starts late; that is all.
            let _ = film.write(folder);
        }
        let told = RunCheckpoint {
            scenario: self.fingerprint,
            rows,
            events: self.events.record().clone(),
            momentum_drift: self.momentum.as_ref().map_or([0.0; 2], |watch| watch.drift),
            closure_residuals: self.closures.as_ref().map_or([0.0; 2], |watch| watch.greatest),
            efforts: self.effort.record(),
            story: self.story.record().clone(),
            collapse: self.collapse.clone(),
            warnings: self.warnings.told().to_vec(),
            simulation,
        };
        let path = folder.join("checkpoint.json");
        told.write(&path).map_err(|error| {
            self.write_failed = true;
            format!("{}: {error}", path.display())
        })
    }

    /// Remembers that a file could not be written.
    fn note<T>(&mut self, written: Result<T, ResultsError>) -> Result<T, String> {
        self.write_failed |= written.is_err();
        written.map_err(|error| error.to_string())
    }
}
