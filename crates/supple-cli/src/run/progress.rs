//! A line on the terminal while a run goes on; nothing where nobody looks.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// How often the line changes.
const PERIOD: Duration = Duration::from_millis(200);
/// The pace is that of at least so long.
const PACE: Duration = Duration::from_secs(1);
const BAR: usize = 24;

/// Simulated time, real-time factor, time left.
pub struct ProgressLine {
    shown: bool,
    last: Instant,
    /// Where the run was at least a second ago, and later: when, and the simulated time.
    marks: [(Instant, f64); 2],
    from: f64,
    end: f64,
}

impl ProgressLine {
    /// For a run between two simulated times; silent unless standard error is a terminal.
    pub fn new(from: f64, end: f64, quiet: bool) -> Self {
        let now = Instant::now();
        let marks = [(now, from); 2];
        Self { shown: !quiet && io::stderr().is_terminal(), last: now - PERIOD, marks, from, end }
    }

    /// Shows the time reached, if it is due.
    pub fn show(&mut self, time: f64) {
        if !self.shown || self.last.elapsed() < PERIOD {
            return;
        }
        self.last = Instant::now();
        let line = line(time, self.from, self.end, self.pace(self.last, time));
        // If nobody listens, the run goes on all the same.
        let _ = write!(io::stderr(), "\r{line}\x1b[K");
        let _ = io::stderr().flush();
    }

    /// Simulated seconds per second, of the last second or two: a run that slows down says so soon.
    fn pace(&mut self, now: Instant, time: f64) -> f64 {
        let [older, newer] = &mut self.marks;
        if now.duration_since(newer.0) >= PACE {
            (*older, *newer) = (*newer, (now, time));
        }
        let wall = now.duration_since(older.0).as_secs_f64();
        if wall > 0.0 { (time - older.1) / wall } else { 0.0 }
    }

    /// Writes a text on standard error, above the line, which comes again with the next step.
    pub fn tell(&mut self, text: &str) {
        let _ = io::stderr().write_all(above(self.shown, text).as_bytes());
        self.last = Instant::now() - PERIOD;
    }

    /// Removes the line.
    pub fn clear(&self) {
        if self.shown {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}

/// A text in the place of the line, where there is one, and the end of its line.
fn above(shown: bool, text: &str) -> String {
    let removed = if shown { "\r\x1b[K" } else { "" };
    format!("{removed}{text}\n")
}

fn line(time: f64, from: f64, end: f64, factor: f64) -> String {
    let share = if end > from { ((time - from) / (end - from)).clamp(0.0, 1.0) } else { 1.0 };
    let full = (share * BAR as f64) as usize;
    let left = if factor > 0.0 { format!("{} left", clock((end - time) / factor)) } else { "starting".into() };
    format!(
        "[{}{}] {time:.2} of {end:.2} s, {factor:.1} times real time, {left}",
        "#".repeat(full),
        ".".repeat(BAR - full)
    )
}

/// Hours, minutes and seconds.
pub fn clock(seconds: f64) -> String {
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
            line(5.0, 0.0, 20.0, 10.0),
            "[######..................] 5.00 of 20.00 s, 10.0 times real time, 0:02 left"
        );
        assert_eq!(
            line(0.0, 0.0, 1.0, 0.0),
            "[........................] 0.00 of 1.00 s, 0.0 times real time, starting"
        );
        assert_eq!(above(true, "a warning"), "\r\x1b[Ka warning\n");
        assert_eq!(above(false, "a warning"), "a warning\n");
        assert_eq!(clock(7265.2), "2:01:06");
        // Ten simulated seconds in the first, a tenth in each that follows: the pace is that of the end.
        let start = Instant::now();
        let mut shown = ProgressLine { shown: true, last: start, marks: [(start, 0.0); 2], from: 0.0, end: 20.0 };
        let at = |seconds: u64| start + Duration::from_secs(seconds);
        assert_eq!(shown.pace(at(1), 10.0), 10.0);
        shown.pace(at(2), 10.1);
        assert!((shown.pace(at(3), 10.2) - 0.1).abs() < 1e-12);
        assert_eq!(clock(f64::INFINITY), "99:59:59");
    }
}
