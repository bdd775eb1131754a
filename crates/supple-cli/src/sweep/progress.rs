//! How far a sweep has come, and what it did.

use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use supple_run::sweep::{Study, SweepProgress, Swept};

use crate::output;
use crate::run::clock;

/// How often a terminal is told.
const ON_TERMINAL: Duration = Duration::from_millis(200);
/// How often a log is told.
const IN_LOG: Duration = Duration::from_secs(60);

/// A line on the terminal that changes, or lines in a log now and then.
pub struct SweepLine {
    quiet: bool,
    terminal: bool,
    last: Instant,
}

impl SweepLine {
    /// Silent where `quiet`.
    pub fn new(quiet: bool) -> Self {
        Self { quiet, terminal: io::stderr().is_terminal(), last: Instant::now() }
    }

    /// Shows how far it is, if it is due.
    pub fn show(&mut self, progress: &SweepProgress) {
        let period = if self.terminal { ON_TERMINAL } else { IN_LOG };
        if self.quiet || self.last.elapsed() < period {
            return;
        }
        self.last = Instant::now();
        let line = line(progress);
        // If nobody listens, the sweep goes on all the same.
        let _ = if self.terminal { write!(io::stderr(), "\r{line}\x1b[K") } else { writeln!(io::stderr(), "{line}") };
        let _ = io::stderr().flush();
    }

    /// Removes the line.
    pub fn clear(&self) {
        if self.terminal && !self.quiet {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}

fn line(progress: &SweepProgress) -> String {
    let SweepProgress { made, failed, before, asked, elapsed } = *progress;
    let pace = made as f64 / elapsed.as_secs_f64().max(1e-9);
    let left = (asked - before - made) as f64 / pace;
    let left = if made > 0 { format!("{} left", clock(left)) } else { "starting".into() };
    let failures = if failed > 0 { format!(", {failed} failed") } else { String::new() };
    format!("{} of {asked} runs, {pace:.1} runs/s, {left}{failures}", before + made)
}

/// Prints what a sweep of a study did.
pub fn print(folder: &Path, swept: &Swept, study: &Study) {
    let SweepProgress { made, failed, before, asked, elapsed } = swept.progress;
    let seconds = elapsed.as_secs_f64();
    output::print(|out| {
        let before = if before > 0 { format!(", {before} were there") } else { String::new() };
        let pace = made as f64 / seconds.max(1e-9);
        writeln!(out, "{made} of {asked} runs made{before}, {failed} failed: {seconds:.1} s, {pace:.1} runs/s")?;
        if study.by_engine() > 0 {
            writeln!(
                out,
                "{} runs made by the engine, because the generated code does not cover them or their steps failed",
                study.by_engine()
            )?;
        }
        if swept.interrupted {
            writeln!(out, "interrupted; --resume makes the other {}", asked - made - swept.progress.before)?;
        }
        writeln!(out, "  {}", folder.display())
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines() {
        let progress = SweepProgress { made: 50, failed: 2, before: 100, asked: 1000, elapsed: Duration::from_secs(5) };
        assert_eq!(line(&progress), "150 of 1000 runs, 10.0 runs/s, 1:25 left, 2 failed");
        let progress = SweepProgress { made: 0, failed: 0, ..progress };
        assert_eq!(line(&progress), "100 of 1000 runs, 0.0 runs/s, starting");
    }
}
