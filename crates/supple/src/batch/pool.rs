//! Threads that wait for work between calls, so that a call neither starts threads nor allocates.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

/// What every thread runs, with the number of the thread.
type Work<'a> = &'a (dyn Fn(usize) + Sync);

/// The thread of the caller and `threads - 1` others.
#[derive(Debug)]
pub(super) struct Pool {
    shared: Arc<Shared>,
    others: Vec<JoinHandle<()>>,
}

#[derive(Debug)]
struct Shared {
    control: Mutex<Control>,
    /// There is work, or it is time to stop.
    wake: Condvar,
    /// The last thread has finished.
    finished: Condvar,
}

struct Control {
    /// Set while a call of [`Pool::run`] lasts.
    work: Option<Work<'static>>,
    /// Counts the calls.
    round: u64,
    /// Threads that have not finished the present round.
    running: usize,
    panicked: bool,
    stop: bool,
}

impl std::fmt::Debug for Control {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Control").field("round", &self.round).field("running", &self.running).finish_non_exhaustive()
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Control> {
        // Nothing that holds the lock can panic half-way.
        self.control.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Life of a thread other than the caller's.
    fn serve(&self, thread: usize) {
        let mut seen = 0;
        let mut control = self.lock();
        loop {
            if control.stop {
                return;
            }
            match control.work {
                Some(work) if control.round != seen => {
                    seen = control.round;
                    drop(control);
                    let result = catch_unwind(AssertUnwindSafe(|| work(thread)));
                    control = self.lock();
                    control.panicked |= result.is_err();
                    control.running -= 1;
                    if control.running == 0 {
                        self.finished.notify_one();
                    }
                }
                _ => control = self.wake.wait(control).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }
}

impl Pool {
    /// `threads` in all, at least one; fewer where the system gives no more.
    pub fn new(threads: usize) -> Self {
        let control = Control { work: None, round: 0, running: 0, panicked: false, stop: false };
        let shared = Arc::new(Shared { control: Mutex::new(control), wake: Condvar::new(), finished: Condvar::new() });
        let start = |thread: usize| {
            let shared = Arc::clone(&shared);
            let builder = std::thread::Builder::new().name(format!("supple batch {thread}"));
            builder.spawn(move || shared.serve(thread)).ok()
        };
        let others = (1..threads).map_while(start).collect();
        Self { shared, others }
    }

    /// Number of threads, that of the caller included.
    pub fn threads(&self) -> usize {
        self.others.len() + 1
    }

    /// Runs `work` once on every thread and waits for all.
    ///
    /// # Panics
    /// Where `work` does.
    pub fn run(&mut self, work: Work<'_>) {
        if self.others.is_empty() {
            return work(0);
        }
        // SAFETY: only the lifetime changes. The reference is used by threads that are counted in `running`, and `Finish` clears it
        // and waits for all of them before this function is left, by a panic as well.
        let erased = unsafe { std::mem::transmute::<Work<'_>, Work<'static>>(work) };
        let finish = Finish(&self.shared);
        let mut control = self.shared.lock();
        control.work = Some(erased);
        control.round += 1;
        control.running = self.others.len();
        control.panicked = false;
        drop(control);
        self.shared.wake.notify_all();
        work(0);
        drop(finish);
        assert!(!self.shared.lock().panicked, "a thread of the batch panicked");
    }
}

/// Waits for the other threads when it is dropped.
struct Finish<'a>(&'a Shared);

impl Drop for Finish<'_> {
    fn drop(&mut self) {
        let mut control = self.0.lock();
        while control.running > 0 {
            control = self.0.finished.wait(control).unwrap_or_else(PoisonError::into_inner);
        }
        control.work = None;
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.shared.lock().stop = true;
        self.shared.wake.notify_all();
        for thread in self.others.drain(..) {
            // It cannot have panicked outside of `catch_unwind`.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn every_thread_runs_once_per_call_on_borrowed_data() {
        for threads in 1..=4 {
            let mut pool = Pool::new(threads);
            let counts: Vec<AtomicUsize> = (0..threads).map(|_| AtomicUsize::new(0)).collect();
            for _ in 0..200 {
                pool.run(&|thread| {
                    counts[thread].fetch_add(1, Ordering::Relaxed);
                });
            }
            assert!(counts.iter().all(|n| n.load(Ordering::Relaxed) == 200), "{counts:?}");
        }
    }

    #[test]
    fn a_panic_reaches_the_caller_and_the_pool_lives_on() {
        let mut pool = Pool::new(3);
        for culprit in 0..3 {
            let result = catch_unwind(AssertUnwindSafe(|| pool.run(&|thread| assert_ne!(thread, culprit))));
            assert!(result.is_err());
            let count = AtomicUsize::new(0);
            pool.run(&|_| {
                count.fetch_add(1, Ordering::Relaxed);
            });
            assert_eq!(count.into_inner(), 3);
        }
    }
}
