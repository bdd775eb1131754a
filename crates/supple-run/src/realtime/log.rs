//! What a controller records: a row for each cycle, and the lines of its log. Files are written by a thread of their own.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use supple_control::realtime::Controller;
use supple_io::results::{Column, CsvWriter, ResultsError, RowSink, Table, Warning};
use supple_io::scenario_file::Scenario;

use super::tape::Tape;
use super::wiring::{WireSignal, Wiring};
use crate::lock::FolderLock;
use crate::sinks::write_log;
use crate::{Existing, Options, RunError, RunErrorKind, place};

/// Rows that may be on their way to the file.
const ROWS: usize = 8192;
/// How often the writer looks.
const NAP: Duration = Duration::from_millis(5);

/// The log of a controller.
pub(super) struct ControllerLog {
    scenario: Scenario,
    table: Table,
    folder: Option<PathBuf>,
    tape: Arc<Tape>,
    writer: Option<JoinHandle<Result<CsvWriter, ResultsError>>>,
    is_over: Arc<AtomicBool>,
    lines: Vec<(f64, String)>,
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
        let (tape, is_over) = (Tape::new(table.columns().len(), ROWS), Arc::new(AtomicBool::new(false)));
        let (mut writer, mut lock) = (None, None);
        if let Some(folder) = &folder {
            if options.existing == Existing::Resume {
                return Err(RunError::unsupported("the log of a controller cannot be resumed"));
            }
            lock = place::occupy(folder, options.existing)?;
            place::discard(folder, true)?;
            let existing = supple_io::results::Existing::Replace;
            let csv = CsvWriter::create(&folder.join("results.csv"), &table, existing)?;
            let (tape, is_over, columns) = (Arc::clone(&tape), Arc::clone(&is_over), table.columns().len());
            let write = move || write(csv, &tape, &is_over, columns);
            let spawned = thread::Builder::new().name("log".into()).spawn(write);
            writer = Some(spawned.map_err(|error| RunError::new(RunErrorKind::File, error))?);
        }
        let (scenario, lines) = (scenario.clone(), Vec::with_capacity(64));
        Ok(Self { scenario, table, folder, tape, writer, is_over, lines, is_clocked, lost: 0, _lock: lock })
    }

    /// A row. Against the clock one that finds no room is lost; in lock step it waits.
    pub fn push(&mut self, controller: &Controller, status: [f64; 3], times: [Duration; 2]) {
        if self.writer.is_none() {
            return;
        }
        let [measured, commands] = controller.signals();
        let times = times.map(|time| time.as_secs_f64());
        loop {
            let signals = [controller.cycle().1].into_iter().chain(measured.iter().chain(commands).copied());
            let row = signals.chain(status).chain(times.into_iter().filter(|_| self.is_clocked));
            if self.tape.push(row) {
                return;
            }
            let gone = self.writer.as_ref().is_none_or(JoinHandle::is_finished);
            if self.is_clocked || gone {
                self.lost += 1;
                return;
            }
            thread::sleep(NAP);
        }
    }

    /// A line of the log.
    pub fn tell(&mut self, time: f64, text: String) {
        self.lines.push((time, text));
    }

    /// Completes the files.
    pub fn finish(mut self) -> Result<Recorded, RunError> {
        self.is_over.store(true, Ordering::Release);
        if let Some(writer) = self.writer.take() {
            let mut csv = writer.join().map_err(|_| RunError::new(RunErrorKind::File, "the log was not written"))??;
            csv.complete()?;
        }
        if let Some(folder) = &self.folder {
            let warning = |(time, text): &(f64, String)| Warning { time: *time, text: text.clone() };
            let warnings: Vec<Warning> = self.lines.iter().map(warning).collect();
            write_log(&self.scenario, folder, &self.table, (&warnings, &[]))?;
        }
        Ok(Recorded { lines: self.lines, folder: self.folder, rows_lost: self.lost })
    }
}

fn write(mut csv: CsvWriter, tape: &Tape, is_over: &AtomicBool, columns: usize) -> Result<CsvWriter, ResultsError> {
    let mut row = vec![0.0; columns];
    loop {
        // Before the last look: what was pushed before the end is taken.
        let ends = is_over.load(Ordering::Acquire);
        while tape.take(&mut row) {
            csv.append(&row)?;
        }
        if ends {
            return Ok(csv);
        }
        thread::sleep(NAP);
    }
}

/// Time, what is measured, what is commanded, and how the cycle went.
fn table(scenario: &Scenario, wiring: &Wiring, is_clocked: bool) -> Result<Table, RunError> {
    let mut columns = vec![Column::new("time", "s", "plant time of the cycle")];
    let of = |signals: &[WireSignal]| signals.iter().map(|signal| signal.column.clone()).collect::<Vec<_>>();
    columns.extend(of(&wiring.measurements).into_iter().chain(of(&wiring.commands)));
    columns.push(Column::new("link.safe", "1", "1 in the safe state"));
    columns.push(Column::new("link.missed", "1", "cycles before it in which no frame came"));
    columns.push(Column::new("link.late", "1", "1 where the deadline was missed"));
    if is_clocked {
        columns.push(Column::new("link.step", "s", "time from frame to frame of the controller"));
        columns.push(Column::new("link.jitter", "s", "how far the distance to the cycle before is from the period"));
    }
    let name = scenario.model.name.clone().unwrap_or_else(|| scenario.model_name.clone());
    Ok(Table::new(name, columns)?)
}
