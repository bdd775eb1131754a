//! What can be asked of the operating system so that a loop keeps its time; each may be refused, and then says so.

/// What to ask for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Schedule {
    /// The highest priority among ordinary programs.
    pub priority: bool,
    /// Keep all memory in memory.
    pub lock_memory: bool,
    /// Run on this core alone.
    pub core: Option<usize>,
}

impl Schedule {
    /// Asks for it, for the thread that calls and those that it starts; gives a line for each request.
    pub fn ask(&self) -> Vec<String> {
        let mut lines = Vec::new();
        if self.priority {
            lines.push(answer("priority", raise(), "start it with `nice -n -20` or `chrt -f 80` as an administrator"));
        }
        if self.lock_memory {
            lines.push(answer("memory lock", lock(), "raise the limit with `ulimit -l`"));
        }
        if let Some(core) = self.core {
            lines.push(answer(&format!("core {core}"), pin(core), "choose a core that the program may use"));
        }
        lines
    }
}

fn answer(what: &str, granted: Result<(), String>, remedy: &str) -> String {
    match granted {
        Ok(()) => format!("{what}: granted"),
        Err(reason) => format!("{what}: not granted ({reason}); {remedy}"),
    }
}

#[cfg(target_os = "linux")]
fn raise() -> Result<(), String> {
    rustix::process::setpriority_process(None, -20).map_err(|error| error.to_string())
}

#[cfg(target_os = "linux")]
fn lock() -> Result<(), String> {
    use rustix::mm::{MlockAllFlags, mlockall};
    mlockall(MlockAllFlags::CURRENT | MlockAllFlags::FUTURE).map_err(|error| error.to_string())
}

#[cfg(target_os = "linux")]
fn pin(core: usize) -> Result<(), String> {
    use rustix::thread::{CpuSet, sched_setaffinity};
    if core >= CpuSet::MAX_CPU {
        return Err("there is no such core".into());
    }
    let mut cores = CpuSet::new();
    cores.set(core);
    sched_setaffinity(None, &cores).map_err(|error| error.to_string())
}

#[cfg(not(target_os = "linux"))]
fn raise() -> Result<(), String> {
    Err("not supported on this system".into())
}

#[cfg(not(target_os = "linux"))]
fn lock() -> Result<(), String> {
    Err("not supported on this system".into())
}

#[cfg(not(target_os = "linux"))]
fn pin(_core: usize) -> Result<(), String> {
    Err("not supported on this system".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_request_gets_its_word() {
        assert!(Schedule::default().ask().is_empty());
        let lines = Schedule { priority: false, lock_memory: false, core: Some(1_000_000) }.ask();
        assert_eq!(lines.len(), 1);
        assert!(lines[0].starts_with("core 1000000: not granted ("), "{lines:?}");
        assert_eq!(answer("memory lock", Ok(()), ""), "memory lock: granted");
    }
}
