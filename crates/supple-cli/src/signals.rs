//! Signals that end a run: Ctrl-C, and on Unix SIGTERM and SIGHUP.

use supple_run::Interrupt;

/// Lets these signals end a run after its present step. Call it before other threads start: they shall see the same signals.
pub fn end_with(interrupt: &Interrupt) {
    #[cfg(unix)]
    keep_hangup_ignored();
    let flag = interrupt.clone();
    // Where signals cannot be caught, the run is killed by them: the files are made for that too.
    let _ = ctrlc::set_handler(move || flag.interrupt());
}

/// Keeps a hang-up away from a program that was started by `nohup`.
#[cfg(unix)]
fn keep_hangup_ignored() {
    use nix::sys::signal::{SigSet, Signal};
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    if ignores_hangup(&status) {
        let mut hangup = SigSet::empty();
        hangup.add(Signal::SIGHUP);
        let _ = hangup.thread_block();
    }
}

/// Whether the kernel says of a process that it ignores SIGHUP, which is the first bit.
#[cfg(unix)]
fn ignores_hangup(status: &str) -> bool {
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask & 1 == 1)
}
