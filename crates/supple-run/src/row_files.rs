//! The files that take the rows of a run: written where the rows are made, or by a thread of their own, so that a loop that keeps time does not wait for a disk.

use std::io;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use supple_io::results::{CsvWriter, ResultsError, RowSink, Warning};

use crate::tape::Tape;

/// Rows that may be on their way to the thread.
const ROWS: usize = 8192;
/// How long a row waits for room before it tries again.
const NAP: Duration = Duration::from_millis(5);
/// How long the thread sleeps where nobody wakes it.
const SLEEP: Duration = Duration::from_millis(500);

/// The files.
pub(crate) struct Files {
    pub csv: CsvWriter,
    /// Those beside it.
    pub sinks: Vec<Box<dyn RowSink + Send>>,
}

impl Files {
    fn append(&mut self, row: &[f64]) -> Result<(), ResultsError> {
        self.csv.append(row)?;
        self.sinks.iter_mut().try_for_each(|sink| sink.append(row))
    }

    fn warn(&mut self, warning: &Warning) -> Result<(), ResultsError> {
        self.sinks.iter_mut().try_for_each(|sink| sink.warn(warning))
    }

    fn flush(&mut self) -> Result<(), ResultsError> {
        self.csv.flush()?;
        self.sinks.iter_mut().try_for_each(|sink| sink.flush())
    }
}

/// The files, wherever they are written; none where rows stay in memory.
#[derive(Default)]
pub(crate) struct RowFiles {
    here: Option<Files>,
    apart: Option<Writer>,
    /// Warnings that the thread has got.
    warned: usize,
}

/// A thread that has the files.
struct Writer {
    tape: Arc<Tape>,
    warnings: Sender<Warning>,
    is_over: Arc<AtomicBool>,
    thread: JoinHandle<Files>,
}

impl RowFiles {
    /// Files that are written at once.
    pub fn new(csv: CsvWriter) -> Self {
        Self { here: Some(Files { csv, sinks: Vec::new() }), ..Self::default() }
    }

    /// Gives the files to a thread of their own, for rows of so many columns.
    ///
    /// # Errors
    /// No thread can be had.
    pub fn write_apart(&mut self, columns: usize) -> io::Result<()> {
        let Some(files) = self.here.take() else { return Ok(()) };
        let (tape, is_over) = (Tape::new(columns, ROWS), Arc::new(AtomicBool::new(false)));
        let (taken, ends) = (Arc::clone(&tape), Arc::clone(&is_over));
        let (warnings, heard) = channel();
        let work = move || write(files, (&taken, &heard), &ends, columns);
        let thread = thread::Builder::new().name("rows".into()).spawn(work)?;
        self.apart = Some(Writer { tape, warnings, is_over, thread });
        Ok(())
    }

    /// The thread that takes rows.
    fn writer(&self) -> Option<&Writer> {
        self.apart.as_ref().filter(|writer| !writer.thread.is_finished())
    }

    /// Whether a thread writes the rows.
    pub fn are_apart(&self) -> bool {
        self.writer().is_some()
    }

    /// Takes a row; waits only where the thread is far behind.
    ///
    /// # Errors
    /// What could not be written, this row or one before it.
    pub fn append(&mut self, row: &[f64]) -> Result<(), ResultsError> {
        while self.are_apart() {
            if self.offer(row.iter().copied()) {
                return Ok(());
            }
            thread::sleep(NAP);
        }
        self.here().map_or(Ok(()), |files| files.append(row))
    }

    /// Takes a row for the thread without waiting, and wakes it: false where there is no room.
    pub fn offer(&mut self, row: impl Iterator<Item = f64>) -> bool {
        self.writer().is_some_and(|writer| {
            let has_room = writer.tape.push(row);
            writer.thread.thread().unpark();
            has_room
        })
    }

    /// Takes those of all warnings so far that are new, for a thread; files that are written here get them at the end.
    pub fn warn(&mut self, all: &[Warning]) {
        let Some(writer) = self.writer().filter(|_| all.len() > self.warned) else { return };
        // A thread that is gone says why when its files are asked for.
        all[self.warned..].iter().for_each(|warning| drop(writer.warnings.send(warning.clone())));
        writer.thread.thread().unpark();
        self.warned = all.len();
    }

    /// The files with all rows so far, back from their thread.
    pub fn here(&mut self) -> Option<&mut Files> {
        if let Some(writer) = self.apart.take() {
            writer.is_over.store(true, Ordering::Release);
            writer.thread.thread().unpark();
            self.here = Some(writer.thread.join().unwrap_or_else(|panic| resume_unwind(panic)));
        }
        self.here.as_mut()
    }
}

/// Writes rows and warnings as they come until it is over, or one cannot be written: whoever has the files next hears of that. What a killed process leaves lacks at
/// most the row that was on its way.
fn write(
    mut files: Files,
    (tape, warnings): (&Tape, &Receiver<Warning>),
    is_over: &AtomicBool,
    columns: usize,
) -> Files {
    let mut row = vec![0.0; columns];
    loop {
        // Before the last look: what was pushed before the end is taken.
        let ends = is_over.load(Ordering::Acquire);
        let mut is_new = false;
        while tape.take(&mut row) {
            is_new = true;
            if files.append(&row).is_err() {
                return files;
            }
        }
        for warning in warnings.try_iter() {
            is_new = true;
            if files.warn(&warning).is_err() {
                return files;
            }
        }
        if (is_new && files.flush().is_err()) || ends {
            return files;
        }
        thread::park_timeout(SLEEP);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::path::PathBuf;
    use std::time::Instant;
    use supple_io::results::{Column, Existing, Table, Written};

    struct Folder(PathBuf);

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn files(name: &str) -> (Folder, RowFiles) {
        let folder = std::env::temp_dir().join(format!("supple-rows-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let columns = vec![Column::new("time", "s", ""), Column::new("x", "1", "")];
        let table = Table::new("rows", columns).unwrap();
        let csv = CsvWriter::create(&folder.join("results.csv"), &table, Existing::Replace).unwrap();
        (Folder(folder), RowFiles::new(csv))
    }

    fn until(what: &str, mut holds: impl FnMut() -> bool) {
        let begun = Instant::now();
        while !holds() {
            assert!(begun.elapsed() < Duration::from_secs(20), "never: {what}");
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// More rows than have room at once; all are there, in order, and those so far are in the file while others are still to come.
    #[test]
    fn rows_are_written_elsewhere_and_soon() {
        let (folder, mut files) = files("soon");
        let lines = || fs::read_to_string(folder.0.join("results.csv")).unwrap().lines().count();
        files.write_apart(2).unwrap();
        assert!(files.are_apart() && files.offer([0.0, 0.5].into_iter()));
        until("a row that a killed process would leave", || lines() == 2);
        (1..20_000).for_each(|k| files.append(&[f64::from(k), 0.5]).unwrap());
        let own = files.here().unwrap();
        own.csv.complete().unwrap();
        assert_eq!(own.csv.last_row(), Some((20_000, 19_999.0)));
        assert!(!files.are_apart() && !files.offer([1.0; 2].into_iter()));
        files.append(&[2e4, 0.5]).unwrap();
        assert_eq!(files.here().unwrap().csv.complete().unwrap().rows, 20_001);
        assert_eq!(lines(), 20_002);
    }

    struct Full;

    impl RowSink for Full {
        fn append(&mut self, row: &[f64]) -> Result<(), ResultsError> {
            Err(ResultsError::Time { row: 0, value: row[0] })
        }

        fn flush(&mut self) -> Result<(), ResultsError> {
            Ok(())
        }

        fn finish(self: Box<Self>) -> Result<Vec<Written>, ResultsError> {
            Ok(Vec::new())
        }
    }

    /// What cannot be written elsewhere is heard of here.
    #[test]
    fn failures_come_back() {
        let (_folder, mut files) = files("full");
        files.here().unwrap().sinks.push(Box::new(Full));
        files.write_apart(2).unwrap();
        let mut time = 0.0;
        until("an error", || {
            time += 1.0;
            files.append(&[time, 0.0]).is_err()
        });
    }
}
