//! What a link has to tell the run around it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use supple_control::realtime::Timing;

/// Lines of the log and the times of a link: all clones share them.
#[derive(Clone, Debug, Default)]
pub struct LinkNews(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    /// Whether there is something that nobody has taken: asked for without a lock.
    is_new: AtomicBool,
    told: Mutex<Told>,
}

#[derive(Debug, Default)]
struct Told {
    lines: Vec<(f64, String)>,
    failure: Option<String>,
    summary: LinkSummary,
}

/// How a link went.
#[derive(Clone, Debug, Default)]
pub struct LinkSummary {
    /// Cycles.
    pub cycles: u64,
    /// Frames of the other side that did not come in time.
    pub lost: u64,
    /// Times of the cycles.
    pub timing: Timing,
    /// Whether it ended in the safe state.
    pub is_safe: bool,
}

impl LinkNews {
    fn lock(&self) -> MutexGuard<'_, Told> {
        self.0.told.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells a line of the log.
    pub(super) fn tell(&self, time: f64, text: String) {
        self.lock().lines.push((time, text));
        self.0.is_new.store(true, Ordering::Release);
    }

    /// Tells why the link cannot go on.
    pub(super) fn fail(&self, message: String) {
        self.lock().failure.get_or_insert(message);
    }

    /// Tells how it went.
    pub(super) fn end(&self, summary: LinkSummary) {
        self.lock().summary = summary;
    }

    /// The lines since the last call.
    pub(crate) fn take(&self) -> Vec<(f64, String)> {
        if !self.0.is_new.swap(false, Ordering::Acquire) {
            return Vec::new();
        }
        std::mem::take(&mut self.lock().lines)
    }

    /// Why the link cannot go on.
    pub(crate) fn failure(&self) -> Option<String> {
        self.lock().failure.clone()
    }

    /// How it went, once it is over.
    pub(super) fn summary(&self) -> LinkSummary {
        self.lock().summary.clone()
    }
}
