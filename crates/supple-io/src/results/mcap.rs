//! Tables as MCAP logs, which Foxglove and Lichtblick open.
//!
//! The messages are those of [`Topics`]; warnings are messages of `foxglove.Log` of the topic `/log`, which is there where there is one.
//!
//! Messages are written in chunks of 256 KiB or half a second, each in one go, with checksums and index, without
//! compression. A killed run leaves complete chunks and perhaps half of one, and no index: [`recover_mcap`], or the
//! command `mcap recover` of the MCAP project, make a sound log of it.
//!
//! [`McapWriter::live`] writes message by message instead, without chunks: flushed after each row it leaves all of them, whenever it is killed.

use super::csv::CsvReader;
use super::error::ResultsError;
use super::event_summary::EventSummary;
use super::file::{self, Existing};
use super::foxglove;
use super::layout::TopicLayout;
use super::sink::{Health, Pace, RowSink, Written};
use super::table::Table;
use super::topics::{Topic, Topics, nanoseconds};
use super::warning::Warning;
use ::mcap::read::Options;
use ::mcap::records::{MessageHeader, Metadata};
use ::mcap::write::NoSeek;
use ::mcap::{McapError, MessageStream, WriteOptions, Writer};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Bytes of a chunk.
const CHUNK: u64 = 256 * 1024;
/// Longest time that rows are held, looked at when a row comes.
const PERIOD: Duration = Duration::from_millis(500);

type Output = Writer<NoSeek<BufWriter<File>>>;

/// Writes a table as an MCAP log.
pub struct McapWriter {
    path: PathBuf,
    writer: Output,
    table: Table,
    topics: Topics,
    /// Per topic its number in the log.
    channels: Vec<u16>,
    /// The topic of the warnings, and how many there are.
    log: Option<(u16, u32)>,
    message: Vec<u8>,
    rows: u64,
    /// When chunks are written; none where only their size tells.
    pace: Option<Pace>,
    health: Health,
}

impl McapWriter {
    /// Creates the file and writes what its topics are.
    ///
    /// # Errors
    /// A file that exists and may not be replaced; a place that cannot be written; columns that do not exist; a first
    /// column that is not a time in seconds; a topic without columns or of a name used twice.
    pub fn create(path: &Path, table: &Table, layout: &TopicLayout, existing: Existing) -> Result<Self, ResultsError> {
        Self::with((options(), CHUNK as usize), (path, existing), table, layout)
    }

    /// The same without chunks, to be [flushed](RowSink::flush) after each row: nothing is held for long, and a log that goes on for hours takes no memory.
    ///
    /// # Errors
    /// As [`create`](Self::create).
    pub fn live(path: &Path, table: &Table, layout: &TopicLayout, existing: Existing) -> Result<Self, ResultsError> {
        Ok(Self { pace: None, ..Self::with((options().use_chunks(false), 0), (path, existing), table, layout)? })
    }

    fn with(
        (options, held): (WriteOptions, usize),
        (path, existing): (&Path, Existing),
        table: &Table,
        layout: &TopicLayout,
    ) -> Result<Self, ResultsError> {
        let topics = Topics::new(table, layout)?;
        let file = file::create_file(path, existing)?;
        let failed = |error| mcap_error(path, error);
        let mut writer = options.create(NoSeek::new(BufWriter::with_capacity(held, file))).map_err(failed)?;
        let about = BTreeMap::from([
            ("model".to_owned(), table.model().to_owned()),
            ("version".to_owned(), env!("CARGO_PKG_VERSION").to_owned()),
        ]);
        writer.write_metadata(&Metadata { name: "supple".to_owned(), metadata: about }).map_err(failed)?;
        let add = |topic: &Topic| add_topic(&mut writer, topic);
        let channels = topics.list().iter().map(add).collect::<Result<Vec<u16>, _>>().map_err(failed)?;
        writer.flush().map_err(failed)?;
        let (path, table) = (path.to_path_buf(), table.clone());
        let (pace, health) = (Some(Pace::new(PERIOD)), Health::default());
        Ok(Self { path, writer, table, topics, channels, log: None, message: Vec::new(), rows: 0, pace, health })
    }

    /// Logs an event at its time; one at a time that a log cannot have is left out.
    fn note(&mut self, event: &EventSummary) -> Result<(), ResultsError> {
        self.health.check()?;
        let Some(time) = nanoseconds(event.time) else { return Ok(()) };
        let words = format!("event {event}");
        let logged = self.log_words(&words, time, false).map_err(|error| mcap_error(&self.path, error));
        self.health.note(logged)
    }

    fn log_words(&mut self, text: &str, time: u64, warns: bool) -> Result<(), McapError> {
        let (channel_id, sequence) = match self.log {
            Some(log) => log,
            None => (add_topic(&mut self.writer, &foxglove::log_topic("/log"))?, 0),
        };
        self.log = Some((channel_id, sequence.wrapping_add(1)));
        self.message.clear();
        let write = if warns { foxglove::write_warning } else { foxglove::write_note };
        write(&mut self.message, text, time);
        let header = MessageHeader { channel_id, sequence, log_time: time, publish_time: time };
        self.writer.write_to_known_channel(&header, &self.message)
    }

    fn log_row(&mut self, row: &[f64], log_time: u64) -> Result<(), McapError> {
        let header = |channel_id| MessageHeader {
            channel_id,
            // Counts up to 2³² and starts again, as the format has it.
            sequence: self.rows as u32,
            log_time,
            publish_time: log_time,
        };
        for (topic, id) in self.channels.iter().enumerate() {
            self.message.clear();
            self.topics.write(topic, row, log_time, &mut self.message);
            self.writer.write_to_known_channel(&header(*id), &self.message)?;
        }
        Ok(())
    }
}

impl RowSink for McapWriter {
    fn append(&mut self, row: &[f64]) -> Result<(), ResultsError> {
        self.health.check()?;
        self.table.check_row(row)?;
        let time = nanoseconds(row[0]).ok_or(ResultsError::Time { row: self.rows, value: row[0] })?;
        let logged = self.log_row(row, time).map_err(|error| mcap_error(&self.path, error));
        self.health.note(logged)?;
        self.rows += 1;
        if self.pace.as_ref().is_some_and(Pace::is_due) { self.flush() } else { Ok(()) }
    }

    fn warn(&mut self, warning: &Warning) -> Result<(), ResultsError> {
        self.health.check()?;
        let Some(time) = nanoseconds(warning.time) else { return Ok(()) };
        let logged = self.log_words(&warning.text, time, true).map_err(|error| mcap_error(&self.path, error));
        self.health.note(logged)
    }

    fn flush(&mut self) -> Result<(), ResultsError> {
        self.health.check()?;
        let flushed = self.writer.flush().map_err(|error| mcap_error(&self.path, error));
        self.health.note(flushed)?;
        self.pace.iter_mut().for_each(Pace::restart);
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<Vec<Written>, ResultsError> {
        self.health.check()?;
        let finished = self.writer.finish().map_err(|error| mcap_error(&self.path, error));
        self.health.note(finished)?;
        let (path, rows) = (self.path.clone(), self.rows);
        let failed = |error: &std::io::Error| ResultsError::io(&path, "write", error);
        let file = self.writer.into_inner().into_inner().into_inner().map_err(|error| failed(error.error()))?;
        file.sync_all().map_err(|error| failed(&error))?;
        Ok(vec![Written { path, rows }])
    }
}

/// Makes the log of a table that [`CsvWriter`](super::CsvWriter) wrote, with warnings and events in the order of their times; it appears whole
/// or not at all. The same rows, warnings and events always give the same bytes.
///
/// # Errors
/// A table that cannot be read; else as those of [`McapWriter`].
pub fn mcap_of_csv(
    csv: &Path,
    to: &Path,
    table: &Table,
    layout: &TopicLayout,
    (warnings, events): (&[Warning], &[EventSummary]),
) -> Result<Written, ResultsError> {
    let beside = file::hidden(to);
    let make = || {
        let mut writer = McapWriter { pace: None, ..McapWriter::create(&beside, table, layout, Existing::Replace)? };
        let (mut reader, mut row) = (CsvReader::open(csv)?, Vec::new());
        let (mut warnings, mut events) = (warnings.iter().peekable(), events.iter().peekable());
        while reader.next(&mut row)? {
            while let Some(warning) = warnings.next_if(|warning| warning.time <= row[0]) {
                writer.warn(warning)?;
            }
            while let Some(event) = events.next_if(|event| event.time <= row[0]) {
                writer.note(event)?;
            }
            writer.append(&row)?;
        }
        warnings.try_for_each(|warning| writer.warn(warning))?;
        events.try_for_each(|event| writer.note(event))?;
        let rows = writer.rows;
        Box::new(writer).finish()?;
        fs::rename(&beside, to).map_err(|error| ResultsError::io(to, "write", &error))?;
        Ok(Written { path: to.to_path_buf(), rows })
    };
    make().inspect_err(|_| {
        // The half-written file is of no use to anybody.
        let _ = fs::remove_file(&beside);
    })
}

fn options() -> WriteOptions {
    let library = format!("supple {}", env!("CARGO_PKG_VERSION"));
    // Without seeking a chunk is put together in memory and written in one go.
    WriteOptions::new().library(library).compression(None).chunk_size(Some(CHUNK)).disable_seeking(true)
}

fn add_topic(writer: &mut Output, topic: &Topic) -> Result<u16, McapError> {
    let schema = writer.add_schema(&topic.schema_name, "jsonschema", topic.schema.as_bytes())?;
    writer.add_channel(schema, &topic.name, "json", &BTreeMap::new())
}

fn mcap_error(path: &Path, error: McapError) -> ResultsError {
    match error {
        McapError::Io(error) => ResultsError::io(path, "write", &error),
        error => ResultsError::Format { path: path.to_path_buf(), reason: error.to_string() },
    }
}

/// Makes a sound log `to` of one that a killed run left, and says how many messages it holds. Takes memory for the whole
/// of the old log.
///
/// # Errors
/// A file that cannot be read or is no log at all; a place that cannot be written.
pub fn recover_mcap(from: &Path, to: &Path, existing: Existing) -> Result<u64, ResultsError> {
    let bytes = fs::read(from).map_err(|error| ResultsError::io(from, "read", &error))?;
    if !bytes.starts_with(::mcap::MAGIC) {
        return Err(mcap_error(from, McapError::BadMagic));
    }
    let messages = MessageStream::new_with_options(&bytes, Options::IgnoreEndMagic.into());
    let messages = messages.map_err(|error| mcap_error(from, error))?;
    let file = file::create_file(to, existing)?;
    let failed = |error| mcap_error(to, error);
    let mut writer = options().create(NoSeek::new(BufWriter::new(file))).map_err(failed)?;
    let mut count = 0;
    // The first thing that cannot be read is where the process was killed.
    for message in messages.map_while(Result::ok) {
        writer.write(&message).map_err(failed)?;
        count += 1;
    }
    writer.finish().map_err(failed)?;
    Ok(count)
}
