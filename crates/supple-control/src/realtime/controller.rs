//! The controller's side of the link: from a frame that is received to the one that is sent, without allocation, lock or system call.
//!
//! ```text
//! receive ─► is it sound? ─► blocks of the instant ─► limits of the drives ─► is an encoder frozen? ─► safe state? ─► write
//! ```

use super::checksum::Key;
use super::fault::{Entry, Fault};
use super::frame::{Flags, Frame, FrameError, FrameKind, Header, encode};
use super::frozen::FrozenWatch;
use super::inbox::{Inbox, Taken};
use super::link::{DriveSignals, LinkPlan, Received, nanoseconds};
use super::supervisor::Supervisor;
use super::timing::DeadlinePolicy;
use super::watch::SignalWatch;
use supple::State;
use supple::integrate::{BlockIndex, Measured, Network, Sampled};

/// Most cycles that a frame may be ahead: a number that nobody counted to is none.
const MOST_AHEAD: u64 = 100_000;

/// A controller at work.
pub struct Controller {
    plan: LinkPlan,
    network: Network,
    /// Where each measurement goes, and where each command comes from.
    places: Places,
    state: State,
    frozen: Option<FrozenWatch>,
    key: Key,
    session: u64,
    inbox: Inbox,
    supervisor: Supervisor,
    watch: SignalWatch,
    /// What came last, sound or not; what was sound last.
    arrived: Vec<f64>,
    measured: Vec<f64>,
    /// The frame that came for this cycle: its flags, and the cycles since the one before.
    fresh: Option<(Flags, u64)>,
    /// What is computed, and what was sent last.
    commands: Vec<f64>,
    sent: Vec<f64>,
    positions: Vec<f64>,
    efforts: Vec<f64>,
    cycle: u64,
    next: u64,
    is_late: bool,
    is_plant_late: bool,
    has_failed: bool,
}

/// The law of a block in a controller whose outputs are measurements: what was written there holds.
#[derive(Clone, Copy, Debug)]
pub struct Measurements;

impl Sampled for Measurements {
    fn sample(&mut self, _: &Measured<'_>, _: &mut [f64]) {}
}

/// Where signals are in the network of a controller.
#[derive(Clone, Debug, Default)]
pub struct Places {
    /// The output of a block of [`Measurements`], for each of them.
    pub measurements: Vec<(BlockIndex, usize)>,
    /// The output of a block, for each command.
    pub commands: Vec<(BlockIndex, usize)>,
    /// The measurements that are coordinates and speeds of the plant, all of them in their order, for controllers that know its state; empty otherwise.
    pub state: [Vec<usize>; 2],
}

impl Controller {
    /// A controller before its first cycle. The network counts its instants from the start of the plan; `state` is any state of its model.
    pub fn new(
        plan: LinkPlan,
        (network, places): (Network, Places),
        state: State,
        frozen: Option<FrozenWatch>,
        (key, session): (Key, u64),
    ) -> Self {
        let (measurements, commands, drives) = (plan.measurements.len(), plan.commands, plan.drives.len());
        let mut watch = SignalWatch::new(plan.measurements.clone(), plan.period);
        for &(signal, value) in &plan.expected {
            watch.expect(signal, value);
        }
        Self {
            network,
            places,
            state,
            frozen,
            key,
            session,
            inbox: Inbox::new(key, FrameKind::Measurement, session, measurements),
            supervisor: Supervisor::leading(plan.losses),
            watch,
            arrived: vec![0.0; measurements],
            measured: vec![0.0; measurements],
            fresh: None,
            commands: vec![0.0; commands],
            sent: vec![0.0; commands],
            positions: vec![0.0; drives],
            efforts: vec![0.0; drives],
            cycle: 0,
            next: 0,
            is_late: false,
            is_plant_late: false,
            has_failed: false,
            plan,
        }
    }

    /// Takes what has come. Of several frames in one cycle the newest counts.
    pub fn receive(&mut self, bytes: &[u8]) -> Received {
        match self.inbox.take(bytes, self.next.saturating_add(MOST_AHEAD)) {
            Ok(Taken::Values(frame, cycles)) => {
                self.keep(&frame, cycles);
                Received::Values
            }
            Ok(Taken::End) => Received::End,
            Ok(Taken::Hello) => Received::Nothing,
            Err(fault) => {
                self.report(self.next, fault, None, 0.0);
                Received::Refused
            }
        }
    }

    fn keep(&mut self, frame: &Frame<'_>, cycles: u64) {
        for (to, from) in self.arrived.iter_mut().zip(frame.values()) {
            *to = from;
        }
        // Of frames that came together the values of the last are compared with those before all of them.
        let passed_over = self.fresh.map_or(0, |(_, cycles)| cycles);
        self.fresh = Some((frame.header.flags, passed_over + cycles));
    }

    fn report(&mut self, cycle: u64, fault: Fault, signal: Option<usize>, value: f64) {
        let time = self.plan.time(cycle);
        self.supervisor.report(Entry { cycle, time, fault: Some(fault), signal, value });
    }

    /// Computes the cycle of the frame that came, and the instants of those that did not come before it. Where none came, what was sent last holds and nothing is to be
    /// sent: false.
    pub fn compute(&mut self) -> bool {
        let Some((flags, cycles)) = self.fresh.take() else {
            let (cycle, time) = (self.next, self.plan.time(self.next));
            self.supervisor.missed(cycle, time);
            if !self.supervisor.settle(cycle, time) {
                self.rest();
            }
            self.next += 1;
            return false;
        };
        let cycle = self.inbox.newest().unwrap_or(0);
        let time = self.plan.time(cycle);
        self.look_at_measurements(cycle, flags, cycles);
        self.state.time = time;
        // Blocks that have failed once have lost their memory: they are not called again.
        self.has_failed = self.has_failed || self.network.run(&self.state, &[]).is_err();
        if self.has_failed {
            self.report(cycle, Fault::Law, None, 0.0);
        }
        for (command, &(block, output)) in self.commands.iter_mut().zip(&self.places.commands) {
            *command = self.network.written(block).map_or(0.0, |written| written[output]);
        }
        self.limit();
        self.look_for_frozen(cycle);
        if !self.supervisor.settle(cycle, time) {
            self.rest();
        }
        (self.cycle, self.next, self.is_late) = (cycle, cycle + 1, false);
        self.is_plant_late = flags.has(Flags::OVERRUN);
        true
    }

    fn look_at_measurements(&mut self, cycle: u64, flags: Flags, cycles: u64) {
        self.supervisor.received();
        if cycle < self.plan.warm_up {
            self.watch.restart();
        }
        if let Some((fault, signal, value)) = self.watch.check(&self.arrived, cycles) {
            self.report(cycle, fault, Some(signal), value);
            return;
        }
        if flags.has(Flags::SAFE) {
            self.report(cycle, Fault::Peer, None, 0.0);
        }
        self.measured.copy_from_slice(&self.arrived);
        let [coordinates, speeds] = &self.places.state;
        for (places, known) in [(coordinates, &mut self.state.coordinates), (speeds, &mut self.state.speeds)] {
            known.iter_mut().zip(places).for_each(|(known, place)| *known = self.measured[*place]);
        }
        for (value, &(block, output)) in self.measured.iter().zip(&self.places.measurements) {
            if let Some(written) = self.network.written_mut(block) {
                written[output] = *value;
            }
        }
    }

    /// Keeps the efforts of the drives within their limits.
    fn limit(&mut self) {
        for (i, drive) in self.plan.drives.iter().enumerate() {
            let [position, speed] = [drive.position, drive.speed].map(|signal| self.measured[signal]);
            let wanted: f64 = drive.efforts.iter().map(|command| self.commands[*command]).sum();
            let effort = drive.limits.limit(wanted, self.efforts[i], [position, speed], self.plan.period);
            // Where several blocks act on a hinge, the last one gives way.
            if let Some(last) = drive.efforts.last().filter(|_| effort != wanted) {
                self.commands[*last] += effort - wanted;
            }
            (self.positions[i], self.efforts[i]) = (position, effort);
        }
    }

    /// In the safe state brakes act, of which the model knows nothing.
    fn look_for_frozen(&mut self, cycle: u64) {
        let Some(frozen) = &mut self.frozen else { return };
        if self.supervisor.is_safe() {
            frozen.restart();
        } else if let Some((drive, moved)) = frozen.observe(&self.positions, &self.efforts) {
            self.report(cycle, Fault::Frozen, Some(self.plan.drives[drive].position), moved);
        }
    }

    /// No effort.
    fn rest(&mut self) {
        for &command in self.plan.drives.iter().flat_map(|drive: &DriveSignals| &drive.efforts) {
            self.commands[command] = 0.0;
        }
        self.commands.iter_mut().filter(|command| !command.is_finite()).for_each(|command| *command = 0.0);
        self.efforts.fill(0.0);
    }

    /// The cycle missed its deadline. Whether a frame is to be sent all the same.
    pub fn miss_deadline(&mut self) -> bool {
        self.is_late = true;
        match self.plan.policy {
            DeadlinePolicy::Hold => self.commands.copy_from_slice(&self.sent),
            DeadlinePolicy::Skip => return false,
            DeadlinePolicy::Stop => {
                self.report(self.cycle, Fault::Overrun, None, 0.0);
                self.rest();
            }
        }
        true
    }

    /// Writes the frame of the cycle; gives its length.
    ///
    /// # Errors
    /// A place that is too small for it.
    pub fn write(&mut self, out: &mut [u8]) -> Result<usize, FrameError> {
        self.sent.copy_from_slice(&self.commands);
        let flags = Flags::default()
            .with(Flags::SAFE, self.supervisor.is_safe())
            .with(Flags::OVERRUN, self.is_late)
            .with(Flags::ACKNOWLEDGED, self.supervisor.has_just_left() && !self.supervisor.is_safe());
        let time = nanoseconds(self.plan.time(self.cycle));
        let answers = self.inbox.newest().unwrap_or(0);
        let (kind, session, sequence) = (FrameKind::Command, self.session, self.cycle);
        encode(&Header { kind, flags, session, sequence, time, answers }, &self.commands, &self.key, out)
    }

    /// Writes that the controller has ended; gives the length of the frame.
    ///
    /// # Errors
    /// A place that is too small for it.
    pub fn write_end(&self, out: &mut [u8]) -> Result<usize, FrameError> {
        let (kind, flags, time) = (FrameKind::End, Flags::default(), nanoseconds(self.plan.time(self.next)));
        let (session, sequence, answers) = (self.session, self.next, 0);
        encode(&Header { kind, flags, session, sequence, time, answers }, &[], &self.key, out)
    }

    /// The faults so far have been seen.
    pub fn acknowledge(&mut self) {
        self.supervisor.acknowledge();
    }

    /// The cycle computed last, and its time.
    pub fn cycle(&self) -> (u64, f64) {
        (self.cycle, self.plan.time(self.cycle))
    }

    /// Whether the plant began this cycle late.
    pub fn is_plant_late(&self) -> bool {
        self.is_plant_late
    }

    /// What was measured, and what is commanded.
    pub fn signals(&self) -> [&[f64]; 2] {
        [&self.measured, &self.commands]
    }

    /// Safe state and log.
    pub fn supervisor(&self) -> &Supervisor {
        &self.supervisor
    }
}
