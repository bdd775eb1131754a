//! When the safe state is entered and left: once entered it stays until somebody acknowledges.

use super::fault::{Entry, Fault};

/// Lines that a log can have; more are counted.
const MOST_ENTRIES: usize = 4096;

/// Watches one side of the link. Allocates nothing after it is made.
#[derive(Debug)]
pub struct Supervisor {
    /// Losses in a row that end in the safe state, and those so far.
    most_losses: u64,
    losses: u64,
    /// All losses.
    lost: u64,
    is_safe: bool,
    /// Whether something went wrong in this cycle.
    is_faulty: bool,
    is_acknowledged: bool,
    /// Cycles in which the other side may still be in its safe state after this one has left it, and what is left of them.
    most_grace: u64,
    grace: u64,
    log: Vec<Entry>,
    /// Where the faults of this stay in the safe state begin in the log.
    since: usize,
    more: u64,
}

impl Supervisor {
    /// Of the side that leaves the safe state first, in operation. After so many losses in a row it is not any more.
    pub fn leading(most_losses: u64) -> Self {
        Self { most_grace: most_losses.max(1), ..Self::following(most_losses) }
    }

    /// The same of the side that follows: a peer in its safe state leads it there at any time.
    pub fn following(most_losses: u64) -> Self {
        Self {
            most_losses: most_losses.max(1),
            most_grace: 0,
            losses: 0,
            lost: 0,
            is_safe: false,
            is_faulty: false,
            is_acknowledged: false,
            grace: 0,
            log: Vec::with_capacity(MOST_ENTRIES),
            since: 0,
            more: 0,
        }
    }

    /// Something is wrong: the safe state is entered. The same fault of the same signal is logged once until it is acknowledged.
    pub fn report(&mut self, entry: Entry) {
        if entry.fault == Some(Fault::Peer) {
            // One side in its safe state keeps the other there only until both are acknowledged.
            if self.is_safe || self.grace > 0 {
                return;
            }
        } else {
            self.is_faulty = true;
        }
        self.is_safe = true;
        let known = self.log[self.since..].iter().any(|told| (told.fault, told.signal) == (entry.fault, entry.signal));
        if !known {
            self.add(entry);
        }
    }

    fn add(&mut self, entry: Entry) {
        if self.log.len() < MOST_ENTRIES {
            self.log.push(entry);
        } else {
            self.more += 1;
        }
    }

    /// A frame came in this cycle.
    pub fn received(&mut self) {
        self.losses = 0;
    }

    /// None came in this cycle.
    pub fn missed(&mut self, cycle: u64, time: f64) {
        self.losses += 1;
        self.lost += 1;
        if self.losses >= self.most_losses {
            let (fault, value) = (Some(Fault::Lost), self.losses as f64);
            self.report(Entry { cycle, time, fault, signal: None, value });
        }
    }

    /// Somebody has seen what is in the log: the safe state is left at the end of the next cycle in which nothing is wrong.
    pub fn acknowledge(&mut self) {
        self.is_acknowledged = self.is_safe;
    }

    /// The cycle is complete. Whether the side is in operation.
    pub fn settle(&mut self, cycle: u64, time: f64) -> bool {
        self.grace = self.grace.saturating_sub(1);
        if self.is_safe && self.is_acknowledged && !self.is_faulty {
            self.is_safe = false;
            self.grace = self.most_grace;
            self.add(Entry { cycle, time, fault: None, signal: None, value: 0.0 });
            self.since = self.log.len();
            self.is_acknowledged = false;
        }
        // An acknowledgement of faults that are still there counts for nothing.
        self.is_acknowledged &= !self.is_faulty;
        self.is_faulty = false;
        !self.is_safe
    }

    /// Whether it is in the safe state.
    pub fn is_safe(&self) -> bool {
        self.is_safe
    }

    /// Whether it has just left the safe state.
    pub fn has_just_left(&self) -> bool {
        self.grace > 0
    }

    /// The log so far.
    pub fn log(&self) -> &[Entry] {
        &self.log
    }

    /// How many lines had no room in the log.
    pub fn not_logged(&self) -> u64 {
        self.more
    }

    /// Cycles without a frame, and how many of them were the last ones.
    pub fn losses(&self) -> [u64; 2] {
        [self.lost, self.losses]
    }
}
