//! The plant as a program of its own: a run whose controllers are elsewhere.

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use supple::integrate::{Measured, Sampled};
use supple_control::realtime::{Drives, HEAD, Key, MOST_BYTES, Received, TAIL, Timing};
use supple_io::scenario_file::Scenario;

use super::brakes::{HingeBrake, brakes};
use super::code_step::code_step;
use super::greeting::{Greeting, welcome};
use super::injection::{Injection, Injections};
use super::laws::Laws;
use super::line::{Addresses, Line};
use super::news::{LinkNews, LinkSummary};
use super::recorded;
use super::relay;
use super::wiring::Wiring;
use crate::control::Part;
use crate::engine::scheme;
use crate::{Interrupt, Observer, Options, Results, Run, RunError, Start};

/// Late cycles that get a line of their own; all are counted.
const MOST_TOLD: u64 = 10;
/// How long the other side may be silent in lock step.
const PATIENCE: Duration = Duration::from_secs(30);

/// How time passes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pace {
    /// So many simulated seconds for each of the clock. A command acts one cycle after what it answers.
    Clock(f64),
    /// The plant waits for the command of each cycle, which acts at once: every run gives the same, and the same as one program.
    LockStep,
}

/// How a plant runs.
#[derive(Clone, Debug)]
pub struct PlantOptions {
    /// Where it listens, and where its controller is.
    pub addresses: Addresses,
    /// How time passes.
    pub pace: Pace,
    /// What both sides know.
    pub key: Key,
    /// How its steps are computed.
    pub laws: Laws,
    /// Faults on purpose.
    pub injections: Vec<Injection>,
    /// Called once its address is open and it waits for the controller.
    pub waiting: fn(Addresses),
}

/// The block that stands for the controllers in a plant.
#[derive(Debug)]
pub struct PlantLink {
    drives: Drives,
    brakes: Vec<HingeBrake>,
    names: Vec<String>,
    line: Line,
    pace: Pace,
    injections: Injections,
    interrupt: Interrupt,
    news: LinkNews,
    buffer: Box<[u8; MOST_BYTES]>,
    timing: Timing,
    /// When cycle 0 was, when the last cycle began and when it ended.
    begun: Option<Instant>,
    last: Option<[Instant; 2]>,
    cycles: u64,
    /// The cycle at which the scenario ends.
    last_cycle: u64,
    /// Lines of the log that were told.
    told: usize,
    has_failed: bool,
    /// What was measured at the start, until the clock starts.
    first: Vec<f64>,
}

impl PlantLink {
    fn new(
        wiring: &Wiring,
        (drives, brakes): (Drives, Vec<HingeBrake>),
        line: Line,
        options: &PlantOptions,
        news: &LinkNews,
    ) -> Self {
        Self {
            drives,
            brakes,
            names: wiring.commands.iter().map(|signal| signal.column.name.clone()).collect(),
            line,
            pace: options.pace,
            injections: Injections::new(options.injections.clone(), options.key),
            interrupt: Interrupt::default(),
            news: news.clone(),
            buffer: Box::new([0; MOST_BYTES]),
            timing: Timing::default(),
            begun: None,
            last: None,
            cycles: 0,
            last_cycle: u64::MAX,
            told: 0,
            has_failed: false,
            first: Vec::new(),
        }
    }

    /// Starts the clock: files are open, and the first step is made. The controller gets its first frame.
    fn start_clock(&mut self) -> Instant {
        let now = Instant::now();
        self.begun = Some(now);
        let first = std::mem::take(&mut self.first);
        self.send(0, &first);
        now
    }

    /// Waits until a cycle is due, and notes how long the step before it took and whether it took too long.
    fn keep_time(&mut self, cycle: u64, speed: f64) {
        let now = Instant::now();
        let cycle_time = Duration::from_secs_f64(self.drives.plan().period / speed);
        let begun = self.begun.unwrap_or_else(|| self.start_clock());
        let due = begun + cycle_time.mul_f64(cycle as f64);
        if let Some([_, end]) = self.last {
            self.timing.steps.add((now - end).as_nanos() as u64);
        }
        let is_late = now > due + cycle_time;
        self.drives.begin_late(is_late);
        if is_late {
            // The clock is not made up for: what was late stays late.
            self.timing.overruns += 1;
            self.begun = Some(begun + (now - due));
            if self.timing.overruns <= MOST_TOLD {
                let (late, time) = ((now - due).as_secs_f64() * 1e3, self.drives.plan().time(cycle));
                self.news.tell(time, format!("cycle {cycle} of the plant began {late:.1} ms late"));
            }
        }
        thread::sleep(due.saturating_duration_since(now));
        let now = Instant::now();
        if let Some([start, _]) = self.last {
            self.timing.jitter.add((now - start).abs_diff(cycle_time).as_nanos() as u64);
        }
        self.last = Some([now, now]);
    }

    fn send(&mut self, cycle: u64, measured: &[f64]) {
        let Ok(length) = self.drives.write(cycle, measured, &mut self.buffer[..]) else { return };
        let at = (cycle, self.drives.plan().time(cycle));
        let Self { line, injections, buffer, .. } = self;
        injections.send(at, &mut buffer[..length], &mut |bytes| line.send(bytes));
    }

    /// Takes what has come.
    fn collect(&mut self, cycle: u64) {
        while let Some(length) = self.line.receive(&mut self.buffer[..], Duration::ZERO) {
            self.drives.receive(&self.buffer[..length], cycle);
        }
    }

    /// Waits for the command of the cycle.
    fn wait(&mut self, cycle: u64) {
        let begun = Instant::now();
        while self.drives.newest() != Some(cycle) && !self.has_failed {
            let nap = Duration::from_millis(100);
            let came = self.line.receive(&mut self.buffer[..], nap);
            let received = came.map(|length| self.drives.receive(&self.buffer[..length], cycle));
            if received == Some(Received::End) {
                self.fail("the controller has ended before the plant".into());
            } else if self.interrupt.is_set() {
                self.fail("interrupted while waiting for the controller".into());
            } else if begun.elapsed() > PATIENCE {
                self.fail(format!("no command came for {} s in lock step", PATIENCE.as_secs()));
            }
        }
    }

    fn fail(&mut self, message: String) {
        self.has_failed = true;
        self.news.fail(message);
    }

    fn say_end(&self) {
        let mut bytes = [0; HEAD + TAIL];
        if self.drives.write_end(self.cycles, &mut bytes).is_ok() {
            self.line.send(&bytes);
        }
    }

    fn tell(&mut self) {
        let log = self.drives.supervisor().log();
        for entry in &log[self.told..] {
            let of = entry.signal.and_then(|signal| self.names.get(signal)).map(|name| format!(" of `{name}`"));
            self.news.tell(entry.time, format!("plant: {entry}{}", of.unwrap_or_default()));
        }
        self.told = log.len();
    }
}

impl Sampled for PlantLink {
    fn sample(&mut self, measured: &Measured<'_>, outputs: &mut [f64]) {
        let cycle = measured.instant;
        self.cycles = cycle + 1;
        match self.pace {
            // Files are still to be opened.
            Pace::Clock(_) if cycle == 0 => self.first.extend(measured.signals),
            Pace::Clock(speed) => self.keep_time(cycle, speed),
            Pace::LockStep => {}
        }
        let at_once = self.pace == Pace::LockStep;
        if at_once {
            self.send(cycle, measured.signals);
            self.wait(cycle);
        } else {
            self.collect(cycle);
        }
        let (commands, brakes) = outputs.split_at_mut(self.drives.plan().commands);
        match self.drives.settle(cycle, at_once || cycle > 0) {
            Some(sound) => {
                commands.copy_from_slice(sound);
                brakes.fill(0.0);
            }
            None => {
                commands.copy_from_slice(self.drives.commands());
                let efforts = self.drives.plan().drives.iter().flat_map(|drive| &drive.efforts);
                efforts.for_each(|effort| commands[*effort] = 0.0);
                for (output, brake) in brakes.iter_mut().zip(&self.brakes) {
                    *output = brake.output(measured.state);
                }
            }
        }
        if !at_once && cycle > 0 {
            self.send(cycle, measured.signals);
            if let Some([_, end]) = &mut self.last {
                *end = Instant::now();
            }
        }
        if self.drives.supervisor().log().len() > self.told {
            self.tell();
        }
        if cycle == self.last_cycle {
            // Files that are written from here on are no silence.
            self.say_end();
        }
        if self.has_failed {
            // Ends the run; why is known.
            outputs.fill(f64::NAN);
        }
    }
}

impl Drop for PlantLink {
    /// Tells the other side that it is over, and the run how it went.
    fn drop(&mut self) {
        self.say_end();
        let supervisor = self.drives.supervisor();
        let [lost, _] = supervisor.losses();
        let (cycles, timing, is_safe) = (self.cycles, self.timing.clone(), supervisor.is_safe());
        self.news.end(LinkSummary { cycles, lost, timing, is_safe });
    }
}

/// Runs the plant of a scenario: waits for its controller, then follows the scenario to its end.
///
/// # Errors
/// A scenario that cannot run in real time; an address that cannot be used; a controller of another scenario.
pub fn plant(
    scenario: &Scenario,
    path: &Path,
    (options, link): (&Options, &PlantOptions),
    observer: &mut (dyn Observer + Send),
) -> Result<(Results, LinkSummary), RunError> {
    if let Pace::Clock(_) = link.pace {
        check_steps(scenario)?;
    }
    let (scenario, options) = &recorded(scenario, path, options, "plant")?;
    let wiring = Wiring::of(scenario)?;
    let start = Start::of(scenario)?;
    let brakes = brakes(&wiring, &scenario.model.model, &start.state)?;
    let steps = code_step(scenario, link.laws)?;
    let session = session();
    let drives = Drives::new(wiring.plan(scenario, &start.state), link.key, session);
    let line = Line::open(link.addresses)?;
    let speed = match link.pace {
        Pace::Clock(speed) => speed,
        Pace::LockStep => 0.0,
    };
    let greeting = Greeting { session, layout: wiring.layout(), speed };
    let news = LinkNews::default();
    let mut own = PlantLink::new(&wiring, (drives, brakes), line, link, &news);
    own.interrupt = options.interrupt.clone();
    // Rounding must not put the end off by a cycle.
    own.last_cycle = ((scenario.duration - start.state.time) / wiring.period + 1e-6).floor() as u64;
    (link.waiting)(link.addresses);
    welcome(&own.line, greeting, &link.key, &options.interrupt)?;
    let mut run = Run::of_part(scenario, path, options, (Part::Plant(&wiring, Box::new(own), steps), news.clone()))?;
    run.write_apart()?;
    observer.begin(&run);
    relay::advance(&mut run, observer);
    let results = run.finish(observer);
    Ok((results, news.summary()))
}

/// A number that no earlier start had.
fn session() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let parts = [now.as_nanos() as u64, u64::from(std::process::id())];
    Key(parts).checksum(b"session").max(1)
}

/// Steps of a run against the clock are fixed, and all alike.
pub(super) fn check_steps(scenario: &Scenario) -> Result<(), RunError> {
    let remedy = "choose rk4, linearly-implicit, exponential, dormand-prince or prince-dormand8 with a `step`, generalized-alpha with `corrections` too, or --lock-step";
    if !scheme(scenario).has_even_steps() {
        let kind = scenario.integrator.method.word();
        let message = format!("the integrator {kind} is not suitable for real time: its steps take unequal times");
        return Err(RunError::unsupported(message).with_remedy(remedy));
    }
    if scenario.integrator.step.is_none() {
        return Err(RunError::unsupported("real time needs a fixed step of the integrator").with_remedy(remedy));
    }
    Ok(())
}
