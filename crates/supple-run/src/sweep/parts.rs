//! Rows of a sweep as files: parts, each a complete Parquet file that appears at once.
//!
//! A part holds the rows that were complete when it was written, in the order of their runs, and is named after the first of them:
//! `parts/000000001234.parquet`. Which runs are done follows from the parts alone. Columns: `run`, what varies, the extracted numbers, `status`,
//! `message`. A run has the same row in whatever part it is.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use supple_io::results::{Cells, Column, ResultsError, create_folder, read_cells, write_cells};

use super::{Row, RunSet, RunStatus, Study, Value};
use crate::{RunError, RunErrorKind};

/// Most rows of a part.
const ROWS: usize = 65_536;
/// Longest time that rows are held: what a killed sweep has to do again.
const PERIOD: Duration = Duration::from_secs(10);
/// The folder of parts in that of a sweep.
const PARTS: &str = "parts";
/// Columns that every part has.
const RUN: &str = "run";
const STATUS: &str = "status";
const MESSAGE: &str = "message";

/// Takes rows in any order and writes parts.
#[derive(Debug)]
pub struct PartWriter {
    folder: PathBuf,
    study: Study,
    held: Vec<Row>,
    since: Instant,
}

impl PartWriter {
    /// Into the folder of a sweep, which is made where it is not there.
    ///
    /// # Errors
    /// A folder that cannot be made.
    pub fn new(study: &Study, folder: &Path) -> Result<Self, RunError> {
        let folder = folder.join(PARTS);
        create_folder(&folder, supple_io::results::Existing::Replace)?;
        Ok(Self { folder, study: study.clone(), held: Vec::new(), since: Instant::now() })
    }

    /// Takes a row; writes a part where it is time to.
    ///
    /// # Errors
    /// A part that cannot be written. Its rows are kept.
    pub fn append(&mut self, row: Row) -> Result<(), RunError> {
        self.held.push(row);
        if self.held.len() >= ROWS || self.since.elapsed() >= PERIOD { self.flush() } else { Ok(()) }
    }

    /// Writes the rows that are held as a part.
    ///
    /// # Errors
    /// As [`append`](Self::append).
    pub fn flush(&mut self) -> Result<(), RunError> {
        self.since = Instant::now();
        self.held.sort_by_key(|row| row.run);
        let Some(first) = self.held.first() else { return Ok(()) };
        let path = self.folder.join(format!("{:012}.parquet", first.run));
        write_cells(&path, &columns(&self.study, &self.held)).map_err(|error| match error {
            ResultsError::Exists { path } => {
                RunError::new(RunErrorKind::Busy, "another sweep has made the same runs here")
                    .with_remedy("give each process runs of its own")
                    .at(&path)
            }
            error => error.into(),
        })?;
        self.held.clear();
        Ok(())
    }
}

fn columns(study: &Study, rows: &[Row]) -> Vec<(Column, Cells)> {
    let texts = |text: fn(&Row) -> String| Cells::Texts(rows.iter().map(text).collect());
    let mut columns = vec![(
        Column::new(RUN, "1", "number of the run"),
        Cells::Whole(rows.iter().map(|row| row.run as i64).collect()),
    )];
    let varied = study.file().varied.len();
    for (i, column) in study.columns().iter().enumerate() {
        let cells = match i.checked_sub(varied) {
            Some(number) => Cells::Numbers(rows.iter().map(|row| row.numbers[number]).collect()),
            None if study.is_number(i) => {
                Cells::Numbers(rows.iter().map(|row| row.values[i].number.unwrap_or(f64::NAN)).collect())
            }
            None => Cells::Texts(rows.iter().map(|row| row.values[i].text.clone()).collect()),
        };
        columns.push((column.clone(), cells));
    }
    columns.push((Column::new(STATUS, "1", "how the run ended"), texts(|row| row.status.word().to_owned())));
    columns
        .push((Column::new(MESSAGE, "1", "why it failed, or which event ended it"), texts(|row| row.message.clone())));
    columns
}

/// The parts of a sweep, in the order of their names.
pub(super) fn part_files(folder: &Path) -> Result<Vec<PathBuf>, RunError> {
    let folder = folder.join(PARTS);
    let entries = match fs::read_dir(&folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(RunError::new(RunErrorKind::File, error).at(&folder)),
    };
    let is_part = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        !name.starts_with('.') && name.ends_with(".parquet")
    };
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).filter(is_part).collect();
    files.sort();
    Ok(files)
}

/// The runs whose rows are in the folder of a sweep.
///
/// # Errors
/// A part that cannot be read.
pub fn done_runs(folder: &Path) -> Result<RunSet, RunError> {
    let mut done = Vec::new();
    for part in part_files(folder)? {
        if let Some((_, Cells::Whole(runs))) = read_cells(&part, Some(&[RUN]))?.into_iter().next() {
            done.push(runs.iter().map(|run| *run as u64).collect::<RunSet>());
        }
    }
    Ok(done.into_iter().flat_map(RunSet::into_ranges).collect())
}

/// The rows of folders of sweeps of one study, in the order of their runs, each run once; and how many rows were there again.
///
/// # Errors
/// A part that cannot be read, or that is of another study.
pub fn read_rows(study: &Study, folders: &[impl AsRef<Path>]) -> Result<(Vec<Row>, usize), RunError> {
    let mut rows = Vec::new();
    for folder in folders {
        for part in part_files(folder.as_ref())? {
            rows.extend(rows_of(study, &part)?);
        }
    }
    rows.sort_by_key(|row: &Row| row.run);
    let all = rows.len();
    rows.dedup_by_key(|row| row.run);
    let again = all - rows.len();
    Ok((rows, again))
}

/// The rows of a part.
fn rows_of(study: &Study, part: &Path) -> Result<Vec<Row>, RunError> {
    let other = || {
        RunError::new(RunErrorKind::ForeignCheckpoint, "this part is of another study")
            .with_remedy("give its own")
            .at(part)
    };
    let names = study.columns().iter().map(|column| column.name.as_str());
    let names: Vec<&str> = [RUN].into_iter().chain(names).chain([STATUS, MESSAGE]).collect();
    let cells: Vec<Cells> = read_cells(part, Some(&names))?.into_iter().map(|(_, cells)| cells).collect();
    let [Cells::Whole(runs), between @ .., Cells::Texts(status), Cells::Texts(message)] = &cells[..] else {
        return Err(other());
    };
    let varied = study.file().varied.len();
    let value = |cells: &Cells, i: usize| match cells {
        Cells::Numbers(numbers) => Value { text: format!("{:?}", numbers[i]), number: Some(numbers[i]) },
        Cells::Texts(texts) => Value { text: texts[i].clone(), number: None },
        Cells::Whole(numbers) => Value { text: numbers[i].to_string(), number: Some(numbers[i] as f64) },
    };
    let row = |i: usize| {
        Some(Row {
            run: u64::try_from(runs[i]).ok()?,
            values: between[..varied].iter().map(|cells| value(cells, i)).collect(),
            numbers: between[varied..].iter().map(|cells| value(cells, i).number.unwrap_or(f64::NAN)).collect(),
            status: RunStatus::of_word(&status[i])?,
            message: message[i].clone(),
        })
    };
    (0..runs.len()).map(|i| row(i).ok_or_else(other)).collect()
}
