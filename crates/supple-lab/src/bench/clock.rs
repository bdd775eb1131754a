//! Time and instructions of the calling thread.

use std::io;

/// Time that this thread has had the processor, in nanoseconds from some origin.
///
/// A neighbour that takes the core away is not counted; it still costs caches.
#[cfg(target_os = "linux")]
pub fn now_ns() -> f64 {
    use nix::time::{ClockId, clock_gettime};
    match clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID) {
        Ok(time) => time.tv_sec() as f64 * 1e9 + time.tv_nsec() as f64,
        // Only a kernel without this clock.
        Err(_) => wall_ns(),
    }
}

/// Time on the wall, where a thread has no clock of its own.
#[cfg(not(target_os = "linux"))]
pub fn now_ns() -> f64 {
    wall_ns()
}

fn wall_ns() -> f64 {
    use std::sync::OnceLock;
    use std::time::Instant;
    static ORIGIN: OnceLock<Instant> = OnceLock::new();
    ORIGIN.get_or_init(Instant::now).elapsed().as_nanos() as f64
}

/// The processor's own count of instructions in user space, where the kernel lets one read it.
pub struct InstructionCounter(imp::Counter);

impl InstructionCounter {
    /// Opens the counter for this thread; no privilege is asked for.
    pub fn open() -> io::Result<Self> {
        imp::open().map(Self)
    }

    /// Instructions that `work` takes.
    pub fn count(&mut self, work: impl FnOnce()) -> io::Result<u64> {
        imp::count(&mut self.0, work)
    }
}

#[cfg(target_os = "linux")]
mod imp {
    use perf_event::Builder;
    use perf_event::events::Hardware;
    use std::io;

    pub type Counter = perf_event::Counter;

    pub fn open() -> io::Result<Counter> {
        // Kernel and hypervisor are left out unless asked for.
        Builder::new().kind(Hardware::INSTRUCTIONS).build()
    }

    pub fn count(counter: &mut Counter, work: impl FnOnce()) -> io::Result<u64> {
        counter.reset()?;
        counter.enable()?;
        work();
        counter.disable()?;
        counter.read()
    }
}

#[cfg(not(target_os = "linux"))]
mod imp {
    use std::io;

    pub type Counter = std::convert::Infallible;

    pub fn open() -> io::Result<Counter> {
        Err(io::Error::new(io::ErrorKind::Unsupported, "only Linux is asked for it"))
    }

    pub fn count(counter: &mut Counter, _work: impl FnOnce()) -> io::Result<u64> {
        match *counter {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Time of a thread goes on while it works.
    #[test]
    fn working_takes_time() {
        let start = now_ns();
        let mut x = 1.0_f64;
        for _ in 0..1_000_000 {
            x = std::hint::black_box(x * 1.000_000_1);
        }
        assert!(now_ns() > start && x > 1.0);
    }

    /// Twice the work takes more instructions; a machine without the counter says so with an error.
    #[test]
    fn instructions_grow_with_the_work() {
        let Ok(mut counter) = InstructionCounter::open() else { return };
        let mut count = |n: u32| counter.count(|| (0..n).for_each(|i| assert!(std::hint::black_box(i) < n))).unwrap();
        let (one, two) = (count(100_000), count(200_000));
        assert!(two > one + 100_000, "{one} {two}");
    }
}
