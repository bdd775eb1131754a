//! What a run says while it goes on.

use supple_io::results::{EventSummary, Summary, Warning};

use crate::Run;

/// Watches a run. Every method does nothing by default; `()` watches nothing.
pub trait Observer {
    /// The run goes to its end from here. Not called where it is advanced row by row.
    fn begin(&mut self, _run: &Run<'_>) {}

    /// A step was accepted. Called very often: be quick.
    fn progress(&mut self, _progress: Progress) {}

    /// A row of results is there.
    fn row(&mut self, _row: Row<'_>) {}

    /// The results are doubtful, or part of what was asked for could not be made. Called once for each warning, when it comes.
    fn warning(&mut self, _warning: &Warning) {}

    /// An event of the scenario happened, and did this.
    fn event(&mut self, _event: &EventSummary) {}

    /// The run has ended, one way or another.
    fn finished(&mut self, _summary: &Summary) {}
}

impl Observer for () {}

/// How far a run has come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Simulated time at which this run started or resumed.
    pub start: f64,
    /// Simulated time reached.
    pub time: f64,
    /// Simulated time at which the run ends.
    pub end: f64,
}

/// A row of results.
#[derive(Clone, Copy, Debug)]
pub struct Row<'r> {
    /// One value per column, time first.
    pub values: &'r [f64],
    /// Poses and shapes of the bodies, as the page of a run draws them; empty where no page is made.
    pub frame: &'r [f32],
}
