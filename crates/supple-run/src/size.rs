//! How much results take on the disk, told before a run starts.

use std::fmt;
use std::path::Path;

use supple_io::results::Table;
use supple_io::scenario_file::Scenario;

use crate::place;
use crate::{RunError, RunErrorKind};

/// Bytes of a number in a CSV file, with its comma.
const CSV_NUMBER: f64 = 20.0;
/// Bytes of a number in a Parquet file; there are two of them for a moment, in parts and joined.
const PARQUET_NUMBER: f64 = 16.0;
/// Bytes of a number in a log, without the name of its column.
const MCAP_NUMBER: f64 = 32.0;

/// What the results of a run take at most, by estimate: an event may end it early.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Size {
    /// Rows.
    pub rows: u64,
    /// Columns.
    pub columns: usize,
    /// Bytes, of all files.
    pub bytes: f64,
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "about {}: {} rows of {} columns", Bytes(self.bytes), self.rows, self.columns)
    }
}

/// The number of the last row, counted from zero.
pub fn last_row(duration: f64, interval: f64) -> u64 {
    (duration / interval * (1.0 - 1e-12)).ceil().max(1.0) as u64
}

impl Size {
    /// Of a scenario that records these columns.
    pub fn of(scenario: &Scenario, table: &Table) -> Self {
        let rows = last_row(scenario.duration, scenario.output_interval) + 1;
        let columns = table.columns();
        let names: usize = columns.iter().map(|column| column.name.len()).sum();
        let numbers = columns.len() as f64;
        let per_row = |format: &str| match format {
            "parquet" => numbers * PARQUET_NUMBER,
            "mcap" => numbers * MCAP_NUMBER + names as f64,
            _ => 0.0,
        };
        let others: f64 = scenario.results.formats.iter().map(|format| per_row(format)).sum();
        Self { rows, columns: columns.len(), bytes: rows as f64 * (numbers * CSV_NUMBER + others) }
    }

    /// Refuses results that are larger than the scenario allows, or whose rest does not fit on the disk of their folder.
    pub fn check(&self, most: f64, folder: &Path, rows_there: u64) -> Result<(), RunError> {
        let refused = |rule: String, remedy: &str| {
            Err(RunError::new(RunErrorKind::TooLarge, format!("the results take {self}; {rule}")).with_remedy(remedy))
        };
        if self.bytes > most || most.is_nan() {
            let rule = format!("`results.most_bytes` allows {}", Bytes(most));
            return refused(
                rule,
                "take a longer `output_interval` or fewer `columns`, or allow more in `results.most_bytes`",
            );
        }
        let rest = self.bytes * (1.0 - (rows_there as f64 / self.rows as f64).min(1.0));
        let replaced = if rows_there == 0 { place::replaced(folder) as f64 } else { 0.0 };
        match free_bytes(place::nearest_existing(folder)) {
            Some(free) if rest > free + replaced => {
                let rule = format!("the disk of {} has room for {}", folder.display(), Bytes(free + replaced));
                refused(
                    rule,
                    "free space, choose a folder on another disk, or take a longer `output_interval` or fewer `columns`",
                )
            }
            _ => Ok(()),
        }
    }
}

/// Free bytes of the disk of a folder, where the system tells.
#[cfg(unix)]
fn free_bytes(folder: &Path) -> Option<f64> {
    let told = rustix::fs::statvfs(folder).ok()?;
    // File systems without a size of their own tell zero blocks.
    (told.f_blocks > 0).then_some(told.f_bavail as f64 * told.f_frsize as f64)
}

#[cfg(not(unix))]
fn free_bytes(_: &Path) -> Option<f64> {
    None
}

/// A number of bytes in words.
struct Bytes(f64);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units = [(1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB")];
        match units.into_iter().find(|(size, _)| self.0 >= *size) {
            Some((size, unit)) => write!(f, "{:.1} {unit}", self.0 / size),
            None => write!(f, "{:.0} bytes", self.0),
        }
    }
}
