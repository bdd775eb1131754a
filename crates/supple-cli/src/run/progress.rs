//! A line on the terminal while a run goes on; nothing where nobody looks.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// How often the line changes.
const PERIOD: Duration = Duration::from_millis(200);
const BAR: usize = 24;

/// Simulated time, real-time factor, time left.
pub struct ProgressLine {
    shown: bool,
    started: Instant,
    last: Instant,
    from: f64,
    end: f64,
}

impl ProgressLine {
    /// For a run between two simulated times; silent unless standard error is a terminal.
    pub fn new(from: f64, end: f64, quiet: bool) -> Self {
        let now = Instant::now();
        Self { shown: !quiet && io::stderr().is_terminal(), started: now, last: now - PERIOD, from, end }
    }

    /// Shows the time reached, if it is due.
    pub fn show(&mut self, time: f64) {
        if !self.shown || self.last.elapsed() < PERIOD {
            return;
        }
        self.last = Instant::now();
        let line = line(time, self.from, self.end, self.started.elapsed().as_secs_f64());
        // If nobody listens, the run goes on all the same.
        let _ = write!(io::stderr(), "\r{line}\x1b[K");
        let _ = io::stderr().flush();
    }

    /// Removes the line.
    pub fn clear(&self) {
        if self.shown {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}

fn line(time: f64, from: f64, end: f64, wall: f64) -> String {
    let share = if end > from { ((time - from) / (end - from)).clamp(0.0, 1.0) } else { 1.0 };
    let full = (share * BAR as f64) as usize;
    let factor = if wall > 0.0 { (time - from) / wall } else { 0.0 };
    let left = if factor > 0.0 { format!("{} left", clock((end - time) / factor)) } else { "starting".into() };
    format!(
        "[{}{}] {time:.2} of {end:.2} s, {factor:.1} times real time, {left}",
        "#".repeat(full),
        ".".repeat(BAR - full)
    )
}

fn clock(seconds: f64) -> String {
    let s = seconds.clamp(0.0, 359_999.0).ceil() as u64;
    if s >= 3600 {
        format!("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60)
    } else {
        format!("{}:{:02}", s / 60, s % 60)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines() {
        assert_eq!(
            line(5.0, 0.0, 20.0, 0.5),
            "[######..................] 5.00 of 20.00 s, 10.0 times real time, 0:02 left"
        );
        assert_eq!(
            line(0.0, 0.0, 1.0, 0.0),
            "[........................] 0.00 of 1.00 s, 0.0 times real time, starting"
        );
        assert_eq!(clock(7265.2), "2:01:06");
        assert_eq!(clock(f64::INFINITY), "99:59:59");
    }
}
