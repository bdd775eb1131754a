//! What takes rows.

use super::error::ResultsError;
use super::warning::Warning;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// A file that is complete.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// Where it is.
    pub path: PathBuf,
    /// Rows in it.
    pub rows: u64,
}

/// Takes rows of a table one by one and holds few of them.
pub trait RowSink {
    /// Adds a row: a number per column. Numbers that are not finite are kept as such where the format can.
    ///
    /// # Errors
    /// A row of the wrong length; a failure to write, after which every further call fails in the same way.
    fn append(&mut self, row: &[f64]) -> Result<(), ResultsError>;

    /// Adds a warning, where the format has a place for it among the rows.
    ///
    /// # Errors
    /// A failure to write.
    fn warn(&mut self, _warning: &Warning) -> Result<(), ResultsError> {
        Ok(())
    }

    /// Writes out what is held, so that another process can read it.
    ///
    /// # Errors
    /// A failure to write.
    fn flush(&mut self) -> Result<(), ResultsError>;

    /// Completes the files and names them.
    ///
    /// # Errors
    /// A failure to write.
    fn finish(self: Box<Self>) -> Result<Vec<Written>, ResultsError>;
}

/// Says when rows have been held for long enough.
#[derive(Clone, Debug)]
pub(super) struct Pace {
    period: Duration,
    last: Instant,
}

impl Pace {
    pub fn new(period: Duration) -> Self {
        Self { period, last: Instant::now() }
    }

    pub fn is_due(&self) -> bool {
        self.last.elapsed() >= self.period
    }

    pub fn restart(&mut self) {
        self.last = Instant::now();
    }
}

/// Remembers the first failure: a file that could not be written to is not written to again.
#[derive(Clone, Debug, Default)]
pub(super) struct Health(Option<ResultsError>);

impl Health {
    pub fn check(&self) -> Result<(), ResultsError> {
        self.0.clone().map_or(Ok(()), Err)
    }

    pub fn note<T>(&mut self, result: Result<T, ResultsError>) -> Result<T, ResultsError> {
        result.inspect_err(|error| self.0 = Some(error.clone()))
    }
}
