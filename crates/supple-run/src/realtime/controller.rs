//! The controllers of a scenario as a program of their own.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use supple::Model;
use supple::integrate::Network;
use supple_bodies::rigid::rigid_system;
use supple_control::realtime::{
    Controller, DrivePlace, FrozenWatch, HEAD, Key, MOST_BYTES, Places, Received, TAIL, Timing,
};
use supple_io::scenario_file::Scenario;

use super::greeting::{Greeting, greet};
use super::injection::{Injection, Injections};
use super::laws::Laws;
use super::line::{Addresses, Line};
use super::log::{ControllerLog, Recorded};
use super::news::LinkSummary;
use super::recorded;
use super::wiring::Wiring;
use crate::control::{self, Part};
use crate::{Interrupt, Options, RunError, Start};

/// How long a plant that has gone is waited for.
const PATIENCE: Duration = Duration::from_secs(2);
/// The same in lock step, where it may be busy.
const LONG_PATIENCE: Duration = Duration::from_secs(60);

/// How controllers run.
#[derive(Clone, Debug)]
pub struct ControlOptions {
    /// Where they listen, and where the plant is.
    pub addresses: Addresses,
    /// What both sides know.
    pub key: Key,
    /// Faults on purpose.
    pub injections: Vec<Injection>,
    /// How long the plant may take to answer the first greeting.
    pub patience: Duration,
    /// Leaves the safe state, from another thread.
    pub acknowledgement: Acknowledgement,
    /// How controllers are called.
    pub laws: Laws,
    /// Hears of each line of the log when it comes: its time and text.
    pub heard: Option<Sender<(f64, String)>>,
}

/// Says that the faults so far have been seen: all clones share one flag.
#[derive(Clone, Debug, Default)]
pub struct Acknowledgement(Arc<AtomicBool>);

impl Acknowledgement {
    /// The faults so far have been seen.
    pub fn acknowledge(&self) {
        self.0.store(true, Ordering::Release);
    }

    fn take(&self) -> bool {
        self.0.swap(false, Ordering::AcqRel)
    }
}

/// What controllers leave.
#[derive(Clone, Debug)]
pub struct ControlSummary {
    /// How the link went.
    pub link: LinkSummary,
    /// The log: times and lines.
    pub lines: Vec<(f64, String)>,
    /// Whether the plant ended as planned.
    pub has_ended: bool,
    /// The folder of the log; none where it stays nowhere.
    pub folder: Option<PathBuf>,
    /// Rows that the log had no room for.
    pub rows_lost: u64,
    /// Whether positions are watched for being frozen.
    pub watches_frozen: bool,
}

/// The controllers of a scenario, ready to be connected, and whether frozen positions can be told.
pub(super) fn controller(
    scenario: &Scenario,
    wiring: &Wiring,
    laws: Laws,
    (key, session): (Key, u64),
) -> Result<(Controller, bool), RunError> {
    let model = &scenario.model.model;
    let start = Start::of(scenario)?;
    let at = (&start.state, &start.inputs);
    let blocks = control::blocks(scenario, at, start.begin(), Part::Controllers(wiring, laws))?;
    let state = start.state;
    let network = Network::new(blocks, model, state.time).map_err(RunError::cannot_begin)?;
    let places = Places {
        measurements: wiring.measurements.iter().map(|signal| (signal.block, signal.output)).collect(),
        commands: wiring.commands.iter().map(|signal| (signal.block, signal.output)).collect(),
        state: wiring.state.clone(),
    };
    let frozen = frozen_watch(scenario, wiring)?;
    let watches = frozen.is_some();
    let plan = wiring.plan(scenario, &state);
    Ok((Controller::new(plan, (network, places), state, frozen, (key, session)), watches))
}

/// The arm without flexibility, where all that moves is driven.
fn frozen_watch(scenario: &Scenario, wiring: &Wiring) -> Result<Option<FrozenWatch>, RunError> {
    let rigid = Model::build(&rigid_system(&scenario.model.system)).map_err(RunError::cannot_begin)?;
    if !rigid.closures().is_empty() || rigid.speed_count() != wiring.drives.len() {
        return Ok(None);
    }
    let mut state = supple::State::new(&rigid);
    let flexible = &scenario.model.model;
    for body in rigid.body_indices() {
        let told = &scenario.initial.coordinates[flexible.hinge_coordinates(body)];
        state.coordinates[rigid.hinge_coordinates(body)].copy_from_slice(told);
    }
    let place = |drive: &super::wiring::WireDrive| DrivePlace {
        coordinate: rigid.hinge_coordinates(drive.body).start,
        speed: rigid.hinge_speeds(drive.body).start,
    };
    let drives = wiring.drives.iter().map(place).collect();
    Ok(Some(FrozenWatch::new(rigid, state, drives, wiring.period, scenario.real_time.frozen)))
}

/// Runs the controllers of a scenario until its plant ends, or is gone.
///
/// # Errors
/// A scenario without controllers; a plant that does not answer or runs another scenario; a log that cannot be written.
pub fn control(
    scenario: &Scenario,
    path: &Path,
    (options, link): (&Options, &ControlOptions),
) -> Result<ControlSummary, RunError> {
    let (scenario, options) = &recorded(scenario, path, options, "control")?;
    let wiring = Wiring::of(scenario)?;
    // Whatever can be refused is refused before the plant is looked for.
    controller(scenario, &wiring, link.laws, (link.key, 0))?;
    let line = Line::open(link.addresses)?;
    let greeting = greet(&line, wiring.layout(), &link.key, (&options.interrupt, link.patience))?;
    let (controller, watches_frozen) = controller(scenario, &wiring, link.laws, (link.key, greeting.session))?;
    let log = ControllerLog::create(scenario, path, options, &wiring, greeting.speed > 0.0)?;
    let mut own = Loop {
        controller,
        line,
        greeting,
        key: link.key,
        period: wiring.period,
        injections: Injections::new(link.injections.clone(), link.key),
        timing: Timing::default(),
        acknowledgement: link.acknowledgement.clone(),
        log,
        heard: link.heard.clone(),
        names: wiring.measurements.iter().map(|signal| signal.column.name.clone()).collect(),
        told: 0,
        cycles: 0,
        has_ended: false,
    };
    let has_ended = own.run(&options.interrupt);
    own.finish(has_ended, watches_frozen)
}

/// The loop of a controller.
struct Loop {
    controller: Controller,
    line: Line,
    greeting: Greeting,
    key: Key,
    period: f64,
    injections: Injections,
    timing: Timing,
    acknowledgement: Acknowledgement,
    log: ControllerLog,
    heard: Option<Sender<(f64, String)>>,
    names: Vec<String>,
    told: usize,
    cycles: u64,
    /// Whether the plant has said so.
    has_ended: bool,
}

/// What waiting for a frame came to.
#[derive(PartialEq, Eq)]
enum Arrival {
    Frame,
    Nothing,
    End,
}

impl Loop {
    /// Cycles until the plant ends, or is gone. Whether it ended as planned.
    fn run(&mut self, interrupt: &Interrupt) -> bool {
        let is_clocked = self.greeting.speed > 0.0;
        let cycle_time =
            if is_clocked { Duration::from_secs_f64(self.period / self.greeting.speed) } else { LONG_PATIENCE };
        let (mut buffer, mut out) = (Box::new([0; MOST_BYTES]), Box::new([0; MOST_BYTES]));
        let mut due = Instant::now() + LONG_PATIENCE;
        let (mut last, mut missed): (Option<Instant>, u64) = (None, 0);
        let mut heard = Instant::now();
        while !interrupt.is_set() {
            let (arrival, start) = self.wait(&mut buffer, due, interrupt);
            // From here to the frame that is sent: no memory is asked for, nothing is locked, the system is not called.
            match arrival {
                Arrival::End => return true,
                Arrival::Frame => heard = start,
                Arrival::Nothing if self.cycles == 0 || !is_clocked => {
                    if heard.elapsed() > LONG_PATIENCE {
                        return false;
                    }
                    continue;
                }
                Arrival::Nothing if heard.elapsed() > PATIENCE => return false,
                Arrival::Nothing => {}
            }
            if self.acknowledgement.take() {
                self.controller.acknowledge();
            }
            if !self.controller.compute() {
                (last, missed, due) = (None, missed + 1, due + cycle_time);
                continue;
            }
            let step = start.elapsed();
            let is_late = is_clocked && step > cycle_time;
            if !is_late || self.controller.miss_deadline() {
                let length = self.controller.write(&mut out[..]).unwrap_or(0);
                let Self { injections, line, controller, .. } = self;
                injections.send(controller.cycle(), &mut out[..length], &mut |bytes| line.send(bytes));
            }
            let since = last.filter(|_| is_clocked).map(|last| start - last);
            let jitter = since.map_or(Duration::ZERO, |since| since.abs_diff(cycle_time));
            self.note([step, jitter], is_late, std::mem::take(&mut missed));
            last = Some(start);
            // A frame that is late by half a cycle is lost.
            due = start + cycle_time + cycle_time / 2;
        }
        false
    }

    /// Waits for a frame until it is due, and takes all that has come; gives the time at which the first one did.
    fn wait(&mut self, buffer: &mut [u8; MOST_BYTES], due: Instant, interrupt: &Interrupt) -> (Arrival, Instant) {
        let mut came: Option<Instant> = None;
        if self.has_ended {
            return (Arrival::End, Instant::now());
        }
        loop {
            let left = due.saturating_duration_since(Instant::now());
            // Looks at the interrupt now and then.
            let patience = if came.is_some() { Duration::ZERO } else { left.min(Duration::from_millis(100)) };
            let Some(length) = self.line.receive(&mut buffer[..], patience) else {
                match came {
                    Some(came) => return (Arrival::Frame, came),
                    None if left.is_zero() || interrupt.is_set() => return (Arrival::Nothing, Instant::now()),
                    None => continue,
                }
            };
            let now = Instant::now();
            match self.controller.receive(&buffer[..length]) {
                // What came before it is computed first.
                Received::End => {
                    self.has_ended = true;
                    return came.map_or((Arrival::End, now), |came| (Arrival::Frame, came));
                }
                Received::Values => came = came.or(Some(now)),
                // The plant has not heard that this side is ready.
                Received::Nothing if self.cycles == 0 => self.greeting.say(&self.line, &self.key),
                _ => {}
            }
        }
    }

    /// Statistics and log of a cycle, after its frame has been sent.
    fn note(&mut self, [step, jitter]: [Duration; 2], is_late: bool, missed: u64) {
        self.cycles += 1;
        self.timing.steps.add(step.as_nanos() as u64);
        self.timing.jitter.add(jitter.as_nanos() as u64);
        self.timing.overruns += u64::from(is_late);
        let [is_safe, is_late, is_plant_late] =
            [self.controller.supervisor().is_safe(), is_late, self.controller.is_plant_late()].map(f64::from);
        self.log.push(&self.controller, [is_safe, missed as f64, is_late, is_plant_late], [step, jitter]);
        self.tell();
    }

    /// Lines of the log that are new.
    fn tell(&mut self) {
        let supervisor = self.controller.supervisor();
        if supervisor.log().len() > self.told {
            for entry in &supervisor.log()[self.told..] {
                let of = entry.signal.and_then(|signal| self.names.get(signal)).map(|name| format!(" of `{name}`"));
                let line = (entry.time, format!("controller: {entry}{}", of.unwrap_or_default()));
                let _ = self.heard.as_ref().map(|heard| heard.send(line.clone()));
                self.log.tell(line);
            }
            self.told = supervisor.log().len();
        }
    }

    fn finish(mut self, has_ended: bool, watches_frozen: bool) -> Result<ControlSummary, RunError> {
        self.tell();
        let mut bytes = [0; HEAD + TAIL];
        if self.controller.write_end(&mut bytes).is_ok() {
            self.line.send(&bytes);
        }
        let supervisor = self.controller.supervisor();
        let [lost, _] = supervisor.losses();
        let link = LinkSummary { cycles: self.cycles, lost, timing: self.timing, is_safe: supervisor.is_safe() };
        let Recorded { lines, folder, rows_lost } = self.log.finish()?;
        Ok(ControlSummary { link, lines, has_ended, folder, rows_lost, watches_frozen })
    }
}
