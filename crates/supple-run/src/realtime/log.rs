//! What a controller records: a row for each cycle, and the lines of its log. Files are written by a thread of their own.

use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use supple_control::realtime::Controller;
use supple_io::results::{Column, CsvWriter, Table, Warning};
use supple_io::scenario_file::Scenario;

use super::wiring::{WireSignal, Wiring};
use crate::lock::FolderLock;
use crate::row_files::RowFiles;
use crate::sinks::{live_log, write_log};
use crate::{Existing, Options, RunError, RunErrorKind, place};

/// How long a row waits for room in lock step before it tries again.
const NAP: Duration = Duration::from_millis(5);

/// The log of a controller.
pub(super) struct ControllerLog {
    scenario: Scenario,
    table: Table,
    folder: Option<PathBuf>,
    files: RowFiles,
    lines: Vec<Warning>,
    /// Whether rows are dropped rather than waited for, and those that were.
    is_clocked: bool,
    lost: u64,
    _lock: Option<FolderLock>,
}

/// What was recorded.
pub(super) struct Recorded {
    /// The lines of the log, with their times.
    pub lines: Vec<(f64, String)>,
    pub folder: Option<PathBuf>,
    pub rows_lost: u64,
}

impl ControllerLog {
    /// The files of a controller, where its results go anywhere.
    pub fn create(
        scenario: &Scenario,
        path: &Path,
        options: &Options,
        wiring: &Wiring,
        is_clocked: bool,
    ) -> Result<Self, RunError> {
        let table = table(scenario, wiring, is_clocked)?;
        let folder = place::folder_of(scenario, path, options)?;
        let (mut files, mut lock) = (RowFiles::default(), None);
        if let Some(folder) = &folder {
            if options.existing == Existing::Resume {
                return Err(RunError::unsupported("the log of a controller cannot be resumed"));
            }
            lock = place::occupy(folder, options.existing)?;
            place::discard(folder, true)?;
            let existing = supple_io::results::Existing::Replace;
            files = RowFiles::new(CsvWriter::create(&folder.join("results.csv"), &table, existing)?);
            if let Some(files) = files.here() {
                files.sinks.extend(live_log(scenario, folder, &table)?);
            }
            let started = files.write_apart(table.columns().len());
            started.map_err(|error| RunError::new(RunErrorKind::File, error))?;
        }
        let (scenario, lines) = (scenario.clone(), Vec::with_capacity(64));
        Ok(Self { scenario, table, folder, files, lines, is_clocked, lost: 0, _lock: lock })
    }

    /// A row. Against the clock one that finds no room is lost; in lock step it waits.
    pub fn push(&mut self, controller: &Controller, status: [f64; 4], times: [Duration; 2]) {
        if self.folder.is_none() {
            return;
        }
        let [measured, commands] = controller.signals();
        let times = times.map(|time| time.as_secs_f64());
        loop {
            let signals = [controller.cycle().1].into_iter().chain(measured.iter().chain(commands).copied());
            let row = signals.chain(status).chain(times.into_iter().filter(|_| self.is_clocked));
            if self.files.offer(row) {
                return;
            }
            if self.is_clocked || !self.files.are_apart() {
                self.lost += 1;
                return;
            }
            thread::sleep(NAP);
        }
    }

    /// A line of the log.
    pub fn tell(&mut self, (time, text): (f64, String)) {
        self.lines.push(Warning { time, text });
        self.files.warn(&self.lines);
    }

    /// Completes the files.
    pub fn finish(mut self) -> Result<Recorded, RunError> {
        if let Some(files) = self.files.here() {
            files.csv.complete()?;
            files.sinks.clear();
        }
        if let Some(folder) = &self.folder {
            write_log(&self.scenario, folder, &self.table, (&self.lines, &[]))?;
        }
        let lines = self.lines.into_iter().map(|Warning { time, text }| (time, text)).collect();
        Ok(Recorded { lines, folder: self.folder, rows_lost: self.lost })
    }
}

/// Time, what is measured, what is commanded, and how the cycle went.
fn table(scenario: &Scenario, wiring: &Wiring, is_clocked: bool) -> Result<Table, RunError> {
    let mut columns = vec![Column::new("time", "s", "plant time of the cycle")];
    let of = |signals: &[WireSignal]| signals.iter().map(|signal| signal.column.clone()).collect::<Vec<_>>();
    columns.extend(of(&wiring.measurements).into_iter().chain(of(&wiring.commands)));
    columns.push(Column::new("link.safe", "1", "1 in the safe state"));
    columns.push(Column::new("link.missed", "1", "preceding cycles without a frame"));
    columns.push(Column::new("link.late", "1", "1 if the deadline was missed"));
    columns.push(Column::new("link.plant_late", "1", "1 if the plant began the cycle late"));
    if is_clocked {
        columns.push(Column::new("link.step", "s", "time between frames of the controller"));
        columns.push(Column::new("link.jitter", "s", "deviation of the time since the previous cycle from the period"));
    }
    let name = scenario.model.name.clone().unwrap_or_else(|| scenario.model_name.clone());
    Ok(Table::new(name, columns)?)
}
