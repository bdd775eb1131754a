//! The plant's side of the link: commands are checked where they arrive, and drives brake by themselves where none come or none can be trusted.

use super::checksum::Key;
use super::fault::{Entry, Fault};
use super::frame::{Flags, FrameError, FrameKind, Header, encode};
use super::inbox::{Inbox, Taken};
use super::link::{LinkPlan, Received, nanoseconds};
use super::supervisor::Supervisor;
use super::watch::SignalWatch;

/// The drives of a plant. Allocates nothing after it is made.
#[derive(Debug)]
pub struct Drives {
    plan: LinkPlan,
    key: Key,
    session: u64,
    inbox: Inbox,
    supervisor: Supervisor,
    watch: SignalWatch,
    arrived: Vec<f64>,
    commands: Vec<f64>,
    is_fresh: bool,
    is_late: bool,
}

impl Drives {
    /// Drives before the first cycle, without effort.
    pub fn new(plan: LinkPlan, key: Key, session: u64) -> Self {
        Self {
            inbox: Inbox::new(key, FrameKind::Command, session, plan.commands),
            supervisor: Supervisor::following(plan.losses),
            watch: SignalWatch::new(plan.command_bounds(), plan.period),
            arrived: vec![0.0; plan.commands],
            commands: vec![0.0; plan.commands],
            is_fresh: false,
            is_late: false,
            plan,
            key,
            session,
        }
    }

    /// Takes what has come before cycle `cycle`, or in it where it is answered at once.
    pub fn receive(&mut self, bytes: &[u8], cycle: u64) -> Received {
        let taken = match self.inbox.take(bytes, cycle) {
            Ok(Taken::Values(frame, cycles)) => {
                for (to, from) in self.arrived.iter_mut().zip(frame.values()) {
                    *to = from;
                }
                (frame.header.flags, cycles)
            }
            Ok(Taken::End) => return Received::End,
            Ok(Taken::Hello) => return Received::Nothing,
            Err(fault) => {
                self.report(cycle, fault, None, 0.0);
                return Received::Refused;
            }
        };
        self.is_fresh = true;
        self.look_at(taken, cycle);
        Received::Values
    }

    fn look_at(&mut self, (flags, cycles): (Flags, u64), cycle: u64) {
        if flags.has(Flags::SAFE) {
            // Its efforts are none, whatever the frame says.
            for &effort in self.plan.drives.iter().flat_map(|drive| &drive.efforts) {
                self.arrived[effort] = 0.0;
            }
            self.watch.restart();
            self.report(cycle, Fault::Peer, None, 0.0);
        } else if flags.has(Flags::ACKNOWLEDGED) {
            self.supervisor.acknowledge();
        }
        if let Some((fault, signal, value)) = self.watch.check(&self.arrived, cycles) {
            self.report(cycle, fault, Some(signal), value);
        } else {
            self.commands.copy_from_slice(&self.arrived);
        }
    }

    fn report(&mut self, cycle: u64, fault: Fault, signal: Option<usize>, value: f64) {
        let time = self.plan.time(cycle);
        self.supervisor.report(Entry { cycle, time, fault: Some(fault), signal, value });
    }

    /// Everything of the cycle has come that will; `is_due` where a command should have. Gives the commands that hold from now on, or none: the brakes are on.
    pub fn settle(&mut self, cycle: u64, is_due: bool) -> Option<&[f64]> {
        let time = self.plan.time(cycle);
        if self.is_fresh {
            self.supervisor.received();
        } else if is_due {
            self.supervisor.missed(cycle, time);
        }
        self.is_fresh = false;
        self.supervisor.settle(cycle, time).then_some(self.commands.as_slice())
    }

    /// Whether the cycle begins late: the frame of it says so.
    pub fn begin_late(&mut self, is_late: bool) {
        self.is_late = is_late;
    }

    /// Writes what is measured in a cycle; gives the length of the frame.
    ///
    /// # Errors
    /// A place that is too small for it.
    pub fn write(&self, cycle: u64, measured: &[f64], out: &mut [u8]) -> Result<usize, FrameError> {
        let flags = Flags::default().with(Flags::SAFE, self.supervisor.is_safe()).with(Flags::OVERRUN, self.is_late);
        let (kind, session, time) = (FrameKind::Measurement, self.session, nanoseconds(self.plan.time(cycle)));
        let answers = self.inbox.newest().unwrap_or(0);
        encode(&Header { kind, flags, session, sequence: cycle, time, answers }, measured, &self.key, out)
    }

    /// Writes that the plant has ended; gives the length of the frame.
    ///
    /// # Errors
    /// A place that is too small for it.
    pub fn write_end(&self, cycle: u64, out: &mut [u8]) -> Result<usize, FrameError> {
        let (kind, flags, time) = (FrameKind::End, Flags::default(), nanoseconds(self.plan.time(cycle)));
        encode(&Header { kind, flags, session: self.session, sequence: cycle, time, answers: 0 }, &[], &self.key, out)
    }

    /// The newest command that has come.
    pub fn newest(&self) -> Option<u64> {
        self.inbox.newest()
    }

    /// What holds: the last commands that were sound.
    pub fn commands(&self) -> &[f64] {
        &self.commands
    }

    /// What both ends agree on.
    pub fn plan(&self) -> &LinkPlan {
        &self.plan
    }

    /// Safe state and log.
    pub fn supervisor(&self) -> &Supervisor {
        &self.supervisor
    }
}
