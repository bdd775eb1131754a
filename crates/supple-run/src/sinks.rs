//! The files of rows beside the CSV file.

use std::path::Path;

use supple_io::results::{self, EventSummary, RowSink, Table, Warning, Written};
use supple_io::scenario_file::Scenario;

use crate::RunError;

/// The files that take the rows beside the CSV file, which is always there: a run that is resumed reads its first rows there.
#[cfg_attr(not(feature = "parquet"), allow(unused_variables, reason = "no such files"))]
pub fn other_sinks(
    scenario: &Scenario,
    folder: &Path,
    table: &Table,
    existing: results::Existing,
    sinks: &mut Vec<Box<dyn RowSink + Send>>,
) -> Result<(), RunError> {
    for format in &scenario.results.formats {
        match format.as_str() {
            "csv" => {}
            #[cfg(feature = "parquet")]
            "parquet" => {
                let path = folder.join("results.parquet");
                sinks.push(Box::new(results::ParquetWriter::create(&path, table, existing)?));
            }
            #[cfg(feature = "mcap")]
            "mcap" => {
                // The log is made at the end. That its times can be logged must be known now.
                if results::nanoseconds(scenario.duration).is_none() {
                    return Err(results::ResultsError::Time { row: 0, value: scenario.duration }.into());
                }
            }
            other => {
                return Err(RunError::unsupported(format!("results as {other} cannot be written by this build"))
                    .with_remedy(format!("build it with the feature `{other}`, or leave it out of `formats`")));
            }
        }
    }
    Ok(())
}

/// A log that grows with the rows, for a run that may be killed. [`write_log`] puts the whole one in its place.
#[cfg(feature = "mcap")]
struct LiveLog(results::McapWriter);

#[cfg(feature = "mcap")]
impl RowSink for LiveLog {
    fn append(&mut self, row: &[f64]) -> Result<(), results::ResultsError> {
        self.0.append(row)
    }

    fn warn(&mut self, warning: &Warning) -> Result<(), results::ResultsError> {
        self.0.warn(warning)
    }

    fn flush(&mut self) -> Result<(), results::ResultsError> {
        self.0.flush()
    }

    /// What is left of it is replaced: nobody waits for the disk.
    fn finish(self: Box<Self>) -> Result<Vec<Written>, results::ResultsError> {
        Ok(Vec::new())
    }
}

/// The log of rows while they come, where the scenario asks for one.
#[cfg(feature = "mcap")]
pub fn live_log(
    scenario: &Scenario,
    folder: &Path,
    table: &Table,
) -> Result<Option<Box<dyn RowSink + Send>>, results::ResultsError> {
    if !scenario.results.formats.iter().any(|format| format == "mcap") {
        return Ok(None);
    }
    let (path, layout) = (folder.join("results.mcap"), results::TopicLayout::of(table));
    Ok(Some(Box::new(LiveLog(results::McapWriter::live(&path, table, &layout, results::Existing::Replace)?))))
}

#[cfg(not(feature = "mcap"))]
pub fn live_log(_: &Scenario, _: &Path, _: &Table) -> Result<Option<Box<dyn RowSink + Send>>, results::ResultsError> {
    Ok(None)
}

/// Makes the log of rows, warnings and events, where the scenario asks for one.
#[cfg(feature = "mcap")]
pub fn write_log(
    scenario: &Scenario,
    folder: &Path,
    table: &Table,
    (warnings, events): (&[Warning], &[EventSummary]),
) -> Result<Vec<Written>, results::ResultsError> {
    if !scenario.results.formats.iter().any(|format| format == "mcap") {
        return Ok(Vec::new());
    }
    let (csv, log) = (folder.join("results.csv"), folder.join("results.mcap"));
    Ok(vec![results::mcap_of_csv(&csv, &log, table, &results::TopicLayout::of(table), (warnings, events))?])
}

#[cfg(not(feature = "mcap"))]
pub fn write_log(
    _: &Scenario,
    _: &Path,
    _: &Table,
    _: (&[Warning], &[EventSummary]),
) -> Result<Vec<Written>, results::ResultsError> {
    Ok(Vec::new())
}
