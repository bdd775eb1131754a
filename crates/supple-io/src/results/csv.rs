//! Tables as text.
//!
//! One line of column heads, then one line per row, separated by commas, each ended by `\n`. A head is `name[unit]`;
//! every column has a unit (`1` for plain numbers), so the last pair of brackets is the unit whatever the name holds. A
//! head with a comma or a quotation mark is enclosed in quotation marks, those in it doubled. Numbers are the shortest
//! that read back to the same double; others are `NaN`, `inf` and `-inf`.
//!
//! Whole lines are handed to the operating system every 64 KiB or half second. What a killed process leaves is therefore
//! a sound file, except that its last line may be cut: **a last line without `\n` is not a row**, even when it looks like
//! one.

use super::error::ResultsError;
use super::file::{Existing, create_file};
use super::sink::{Health, Pace, RowSink, Written};
use super::table::Table;
use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Most bytes that are held.
const HELD: usize = 64 * 1024;
/// Longest time that rows are held, looked at when a row comes.
const PERIOD: Duration = Duration::from_millis(500);

/// What is in a file: its heads and first rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extent {
    /// Rows.
    pub rows: u64,
    /// Bytes of the heads and these rows.
    pub bytes: u64,
    /// CRC-32 of these bytes.
    pub checksum: u32,
}

impl Extent {
    /// With more text behind, which ends so many rows.
    fn and(self, text: &[u8], rows: u64) -> Self {
        let mut hasher = crc32fast::Hasher::new_with_initial_len(self.checksum, self.bytes);
        hasher.update(text);
        let (rows, bytes) = (self.rows + rows, self.bytes + text.len() as u64);
        Self { rows, bytes, checksum: hasher.finalize() }
    }
}

/// Writes a table as CSV.
#[derive(Debug)]
pub struct CsvWriter {
    path: PathBuf,
    file: File,
    table: Table,
    /// Whole lines that are not written yet, the rows among them, and the time of the last.
    held: Vec<u8>,
    held_rows: u64,
    held_time: f64,
    /// Whole lines that the file has, and the time of the last row.
    extent: Extent,
    time: Option<f64>,
    pace: Pace,
    health: Health,
}

fn quoted(head: &str) -> String {
    if head.contains([',', '"']) { format!("\"{}\"", head.replace('"', "\"\"")) } else { head.to_owned() }
}

impl CsvWriter {
    /// Creates the file and writes its heads.
    ///
    /// # Errors
    /// A file that exists and may not be replaced; a place that cannot be written.
    pub fn create(path: &Path, table: &Table, existing: Existing) -> Result<Self, ResultsError> {
        let file = create_file(path, existing)?;
        let heads: Vec<String> = table.columns().iter().map(|column| quoted(&column.label())).collect();
        let held = format!("{}\n", heads.join(",")).into_bytes();
        let (path, table) = (path.to_path_buf(), table.clone());
        let (pace, health) = (Pace::new(PERIOD), Health::default());
        let (extent, held_rows, held_time) = (Extent::default(), 0, 0.0);
        let mut writer = Self { path, file, table, held, held_rows, held_time, extent, time: None, pace, health };
        writer.flush()?;
        Ok(writer)
    }

    /// What the operating system has taken; rows that are held are not in it.
    pub fn extent(&self) -> Extent {
        self.extent
    }

    /// The number of the last row that the operating system has taken, counted from one, and its time.
    pub fn last_row(&self) -> Option<(u64, f64)> {
        Some((self.extent.rows, self.time?))
    }

    /// Writes what is held, and waits until the disk has it all.
    ///
    /// # Errors
    /// A failure to write.
    pub fn complete(&mut self) -> Result<Written, ResultsError> {
        self.flush()?;
        self.file.sync_all().map_err(|error| ResultsError::io(&self.path, "write", &error))?;
        Ok(Written { path: self.path.clone(), rows: self.extent.rows })
    }

    /// Goes on in a file that was left before its end: keeps its first rows, which are given back, and cuts off the rest unread,
    /// whatever a killed process or a lost power supply left there. The rows that are kept are never out of the file, so that a process
    /// killed here loses nothing.
    ///
    /// # Errors
    /// A file that cannot be read or written, with other columns, with fewer rows, or with rows that are not those that were written; a
    /// link in its place.
    pub fn resume(path: &Path, table: &Table, keep: Extent) -> Result<(Self, Vec<Vec<f64>>), ResultsError> {
        let Extent { rows, .. } = keep;
        if fs::symlink_metadata(path).is_ok_and(|about| about.is_symlink()) {
            let reason = "it is a link, and results are not written through links; put the file itself in its place, or \
                          start again with --force";
            return Err(ResultsError::Format { path: path.to_path_buf(), reason: reason.to_owned() });
        }
        let mut reader = CsvReader::open(path)?;
        let heads = table.columns().iter().map(|column| (column.name.as_str(), column.unit.as_str()));
        if !heads.eq(reader.heads.iter().map(|(name, unit)| (name.as_str(), unit.as_str()))) {
            return Err(reader
                .wrong("line 1: the columns differ from those of this run; start again without --resume".to_owned()));
        }
        let mut kept: Vec<Vec<f64>> = Vec::new();
        while (kept.len() as u64) < rows {
            let mut row = Vec::with_capacity(reader.heads.len());
            if !reader.next(&mut row)? {
                return Err(reader.wrong(format!(
                    "{} rows, but {rows} are needed to resume; start again without --resume",
                    kept.len()
                )));
            }
            kept.push(row);
        }
        let extent = Extent { rows, ..reader.extent };
        if extent != keep {
            return Err(reader.wrong(format!(
                "its first {rows} rows have changed since they were written: {} bytes with checksum {:08x}, not {} bytes with {:08x}; \
                 put the file back as it was, or start again with --force",
                extent.bytes, extent.checksum, keep.bytes, keep.checksum
            )));
        }
        let failed = |error: std::io::Error| ResultsError::io(path, "write", &error);
        let mut file = OpenOptions::new().write(true).open(path).map_err(failed)?;
        file.set_len(extent.bytes).map_err(failed)?;
        file.seek(SeekFrom::End(0)).map_err(failed)?;
        let (path, table, held) = (path.to_path_buf(), table.clone(), Vec::new());
        let (pace, health) = (Pace::new(PERIOD), Health::default());
        let (time, held_rows, held_time) = (kept.last().map(|row| row[0]), 0, 0.0);
        Ok((Self { path, file, table, held, held_rows, held_time, extent, time, pace, health }, kept))
    }
}

impl RowSink for CsvWriter {
    fn append(&mut self, row: &[f64]) -> Result<(), ResultsError> {
        self.health.check()?;
        self.table.check_row(row)?;
        for (i, value) in row.iter().enumerate() {
            if i > 0 {
                self.held.push(b',');
            }
            // Writing to memory cannot fail.
            let _ = write!(self.held, "{value:?}");
        }
        self.held.push(b'\n');
        self.held_rows += 1;
        self.held_time = row[0];
        if self.held.len() >= HELD || self.pace.is_due() { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<(), ResultsError> {
        self.health.check()?;
        let written = self.file.write_all(&self.held).map_err(|error| ResultsError::io(&self.path, "write", &error));
        if written.is_err() {
            // Half a line is worse than none; where this fails too, the missing line end tells.
            let _ = self.file.set_len(self.extent.bytes);
        }
        self.health.note(written)?;
        self.extent = self.extent.and(&self.held, self.held_rows);
        self.time = if self.held_rows > 0 { Some(self.held_time) } else { self.time };
        self.held_rows = 0;
        self.held.clear();
        self.pace.restart();
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<Vec<Written>, ResultsError> {
        Ok(vec![self.complete()?])
    }
}

impl Drop for CsvWriter {
    /// Rows that are held are written; nobody is left to hear of a failure.
    fn drop(&mut self) {
        let _ = self.flush();
    }
}

/// A CSV file read back.
#[derive(Clone, Debug, PartialEq)]
pub struct CsvData {
    /// Names and units.
    pub heads: Vec<(String, String)>,
    /// Rows.
    pub rows: Vec<Vec<f64>>,
    /// Whether the last line was cut, as a killed process may leave it; it is not among the rows.
    pub cut: bool,
}

/// Reads a file that [`CsvWriter`] wrote, whole or cut.
///
/// # Errors
/// A file that cannot be read, heads without units, rows of the wrong length, texts that are no numbers.
pub fn read_csv(path: &Path) -> Result<CsvData, ResultsError> {
    let mut rows = Vec::new();
    let (heads, cut) = visit_csv(path, &mut |_, row| rows.push(row.to_vec()))?;
    Ok(CsvData { heads, rows, cut })
}

/// Names and units of columns.
pub type Heads = Vec<(String, String)>;

/// Shows the rows of a file that [`CsvWriter`] wrote one by one, with its heads; gives the heads and whether the last line was cut.
///
/// # Errors
/// As those of [`read_csv`].
pub fn visit_csv(path: &Path, visit: &mut dyn FnMut(&Heads, &[f64])) -> Result<(Heads, bool), ResultsError> {
    let (mut reader, mut row) = (CsvReader::open(path)?, Vec::new());
    while reader.next(&mut row)? {
        visit(&reader.heads, &row);
    }
    Ok((reader.heads, reader.cut))
}

/// Reads the rows of a file that [`CsvWriter`] wrote one by one.
#[derive(Debug)]
pub struct CsvReader {
    path: PathBuf,
    lines: BufReader<File>,
    line: String,
    /// Lines read so far.
    number: u64,
    /// Lines read so far, without their count.
    extent: Extent,
    heads: Heads,
    cut: bool,
}

impl CsvReader {
    /// Opens the file and reads its heads; a file without any has no rows.
    ///
    /// # Errors
    /// A file that cannot be read, heads without units.
    pub fn open(path: &Path) -> Result<Self, ResultsError> {
        let file = File::open(path).map_err(|error| ResultsError::io(path, "read", &error))?;
        let (path, lines) = (path.to_path_buf(), BufReader::new(file));
        let mut own = Self {
            path,
            lines,
            line: String::new(),
            number: 0,
            extent: Extent::default(),
            heads: Heads::new(),
            cut: false,
        };
        if let Some(text) = own.next_line()? {
            let split = |head: String| {
                let inside = head.strip_suffix(']').and_then(|head| head.rsplit_once('['));
                inside.map(|(name, unit)| (name.to_owned(), unit.to_owned()))
            };
            let all: Option<Heads> = fields(text).into_iter().map(split).collect();
            own.heads = all.ok_or_else(|| own.wrong("line 1: every header must be `name[unit]`".to_owned()))?;
        }
        Ok(own)
    }

    /// Names and units.
    pub fn heads(&self) -> &Heads {
        &self.heads
    }

    /// Reads the next row; says whether there was one.
    ///
    /// # Errors
    /// A file that cannot be read, a row of the wrong length, texts that are no numbers.
    pub fn next(&mut self, row: &mut Vec<f64>) -> Result<bool, ResultsError> {
        row.clear();
        let Some(text) = self.next_line()? else { return Ok(false) };
        let all: Result<(), _> = text.split(',').try_for_each(|field| field.parse().map(|value| row.push(value)));
        let number = self.number;
        if all.is_err() {
            return Err(self.wrong(format!("line {number}: not numbers separated by commas")));
        }
        if row.len() != self.heads.len() {
            return Err(self.wrong(format!("line {number}: {} numbers for {} columns", row.len(), self.heads.len())));
        }
        Ok(true)
    }

    /// The next line that is complete.
    fn next_line(&mut self) -> Result<Option<&str>, ResultsError> {
        self.line.clear();
        self.number += 1;
        let length = self.lines.read_line(&mut self.line);
        let length = length.map_err(|error| ResultsError::io(&self.path, "read", &error))?;
        self.extent = self.extent.and(self.line.as_bytes(), 0);
        let text = self.line.strip_suffix('\n');
        self.cut = length > 0 && text.is_none();
        Ok(text)
    }

    fn wrong(&self, reason: String) -> ResultsError {
        ResultsError::Format { path: self.path.clone(), reason }
    }
}

/// The heads of the first line, without quotation marks.
pub(crate) fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let (mut inside, mut letters) = (false, line.chars().peekable());
    while let Some(letter) = letters.next() {
        let last = fields.len() - 1;
        match letter {
            '"' if inside && letters.peek() == Some(&'"') => {
                letters.next();
                fields[last].push('"');
            }
            '"' => inside = !inside,
            ',' if !inside => fields.push(String::new()),
            letter => fields[last].push(letter),
        }
    }
    fields
}
