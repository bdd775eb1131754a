//! Tables as MCAP logs, which Foxglove and Lichtblick open.
//!
//! Each [`Channel`] is a topic of JSON messages, one per row, with a number per column named by it; its JSON schema tells
//! units and descriptions. Numbers that are not finite are `null`. [`Frame`]s, seven columns each, become one topic
//! `/tf` of `foxglove.FrameTransforms`, which the 3D panel shows. The time of a message is that of the first column of
//! the table, in nanoseconds since zero.
//!
//! Messages are written in chunks of 256 KiB or half a second, each in one go, with checksums and index, without
//! compression. A killed run leaves complete chunks and perhaps half of one, and no index: [`recover_mcap`], or the
//! command `mcap recover` of the MCAP project, make a sound log of it.

use super::error::ResultsError;
use super::file::{self, Existing};
use super::sink::{Health, Pace, RowSink, Written};
use super::table::Table;
use ::mcap::read::Options;
use ::mcap::records::{MessageHeader, Metadata};
use ::mcap::write::NoSeek;
use ::mcap::{McapError, MessageStream, WriteOptions, Writer};
use serde_json::json;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Bytes of a chunk.
const CHUNK: u64 = 256 * 1024;
/// Longest time that rows are held, looked at when a row comes.
const PERIOD: Duration = Duration::from_millis(500);
/// Latest time of a log, s: 2⁶⁴ ns are a little more.
const LATEST: f64 = 1.8e10;

/// A topic with some columns of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Channel {
    /// Its name, such as `/hinges`.
    pub topic: String,
    /// Indices of its columns.
    pub columns: Vec<usize>,
}

/// A frame whose pose is in seven columns: x, y, z, then the quaternion x, y, z, w.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The frame in which the pose is told, such as `world`.
    pub parent: String,
    /// Its own name.
    pub child: String,
    /// Index of the first of its columns.
    pub first_column: usize,
}

/// Which columns go where.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct McapLayout {
    /// Topics of numbers.
    pub channels: Vec<Channel>,
    /// Frames; none gives no topic `/tf`.
    pub frames: Vec<Frame>,
}

type Output = Writer<NoSeek<BufWriter<File>>>;

/// Writes a table as an MCAP log.
pub struct McapWriter {
    path: PathBuf,
    writer: Output,
    table: Table,
    /// Per topic its number, and per column its index and its name as JSON.
    channels: Vec<(u16, Vec<(usize, String)>)>,
    frames: Option<(u16, Vec<FrameText>)>,
    message: Vec<u8>,
    rows: u64,
    pace: Pace,
    health: Health,
}

/// A frame with its names as JSON.
struct FrameText {
    parent: String,
    child: String,
    first_column: usize,
}

impl McapWriter {
    /// Creates the file and writes what its topics are.
    ///
    /// # Errors
    /// A file that exists and may not be replaced; a place that cannot be written; columns that do not exist; a first
    /// column that is not a time in seconds; a topic without columns or of a name used twice.
    pub fn create(path: &Path, table: &Table, layout: &McapLayout, existing: Existing) -> Result<Self, ResultsError> {
        check(table, layout)?;
        let file = file::create(path, existing)?;
        let failed = |error| mcap_error(path, error);
        let mut writer = options().create(NoSeek::new(BufWriter::new(file))).map_err(failed)?;
        let about = BTreeMap::from([
            ("model".to_owned(), table.model().to_owned()),
            ("version".to_owned(), env!("CARGO_PKG_VERSION").to_owned()),
        ]);
        writer.write_metadata(&Metadata { name: "supple".to_owned(), metadata: about }).map_err(failed)?;
        let mut channels = Vec::new();
        for channel in &layout.channels {
            let (name, schema) = (format!("supple{}", channel.topic.replace('/', ".")), schema(table, channel));
            let id = add_topic(&mut writer, &channel.topic, &name, &schema).map_err(failed)?;
            let keys = channel.columns.iter().map(|i| (*i, text(&table.columns()[*i].name)));
            channels.push((id, keys.collect()));
        }
        let mut frames = None;
        if !layout.frames.is_empty() {
            let id = add_topic(&mut writer, "/tf", "foxglove.FrameTransforms", &frames_schema()).map_err(failed)?;
            let texts = layout.frames.iter().map(|frame| FrameText {
                parent: text(&frame.parent),
                child: text(&frame.child),
                first_column: frame.first_column,
            });
            frames = Some((id, texts.collect()));
        }
        writer.flush().map_err(failed)?;
        let (path, table) = (path.to_path_buf(), table.clone());
        let (pace, health) = (Pace::new(PERIOD), Health::default());
        Ok(Self { path, writer, table, channels, frames, message: Vec::new(), rows: 0, pace, health })
    }

    fn log_row(&mut self, row: &[f64], log_time: u64) -> Result<(), McapError> {
        let header = |channel_id| MessageHeader {
            channel_id,
            // Counts up to 2³² and starts again, as the format has it.
            sequence: self.rows as u32,
            log_time,
            publish_time: log_time,
        };
        for (id, keys) in &self.channels {
            self.message.clear();
            for (i, (column, key)) in keys.iter().enumerate() {
                self.message.extend_from_slice(if i == 0 { b"{" } else { b"," });
                self.message.extend_from_slice(key.as_bytes());
                self.message.push(b':');
                number(&mut self.message, row[*column]);
            }
            self.message.push(b'}');
            self.writer.write_to_known_channel(&header(*id), &self.message)?;
        }
        if let Some((id, frames)) = &self.frames {
            self.message.clear();
            self.message.extend_from_slice(b"{\"transforms\":[");
            for (i, frame) in frames.iter().enumerate() {
                if i > 0 {
                    self.message.push(b',');
                }
                transform(&mut self.message, frame, &row[frame.first_column..], log_time);
            }
            self.message.extend_from_slice(b"]}");
            self.writer.write_to_known_channel(&header(*id), &self.message)?;
        }
        Ok(())
    }
}

impl RowSink for McapWriter {
    fn append(&mut self, row: &[f64]) -> Result<(), ResultsError> {
        self.health.check()?;
        self.table.check_row(row)?;
        let value = row[0];
        if !(0.0..=LATEST).contains(&value) {
            return Err(ResultsError::Time { row: self.rows, value });
        }
        let logged = self.log_row(row, (value * 1e9).round() as u64).map_err(|error| mcap_error(&self.path, error));
        self.health.note(logged)?;
        self.rows += 1;
        if self.pace.is_due() { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<(), ResultsError> {
        self.health.check()?;
        let flushed = self.writer.flush().map_err(|error| mcap_error(&self.path, error));
        self.health.note(flushed)?;
        self.pace.restart();
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

fn options() -> WriteOptions {
    let library = format!("supple {}", env!("CARGO_PKG_VERSION"));
    // Without seeking a chunk is put together in memory and written in one go.
    WriteOptions::new().library(library).compression(None).chunk_size(Some(CHUNK)).disable_seeking(true)
}

fn check(table: &Table, layout: &McapLayout) -> Result<(), ResultsError> {
    let bad = |index: usize, name: &str, rule| Err(ResultsError::BadColumn { index, name: name.to_owned(), rule });
    let time = &table.columns()[0];
    if time.unit != "s" {
        return bad(0, &time.name, "the first column of a log must be the time, with unit `s`");
    }
    for (index, channel) in layout.channels.iter().enumerate() {
        table.check_indices(channel.columns.iter().copied())?;
        if channel.columns.is_empty() {
            return bad(index, &channel.topic, "a topic needs at least one column");
        }
        let repeated = layout.channels[..index].iter().any(|other| other.topic == channel.topic);
        if repeated || channel.topic == "/tf" || channel.topic.is_empty() {
            return bad(index, &channel.topic, "topics need different names, and `/tf` is that of the frames");
        }
    }
    table.check_indices(layout.frames.iter().map(|frame| frame.first_column.saturating_add(6)))
}

fn add_topic(writer: &mut Output, topic: &str, name: &str, schema: &serde_json::Value) -> Result<u16, McapError> {
    let schema = writer.add_schema(name, "jsonschema", schema.to_string().as_bytes())?;
    writer.add_channel(schema, topic, "json", &BTreeMap::new())
}

/// The JSON schema of a topic: what its numbers are.
fn schema(table: &Table, channel: &Channel) -> serde_json::Value {
    let property = |index: &usize| {
        let column = &table.columns()[*index];
        let told = format!("{} [{}]", column.description, column.unit);
        (column.name.clone(), json!({"type": "number", "description": told, "unit": column.unit}))
    };
    let properties: serde_json::Map<_, _> = channel.columns.iter().map(property).collect();
    json!({"title": channel.topic, "type": "object", "properties": properties})
}

/// The JSON schema of `foxglove.FrameTransforms`, as far as its messages are used here.
fn frames_schema() -> serde_json::Value {
    let numbers = |names: &[&str]| {
        let properties: serde_json::Map<_, _> =
            names.iter().map(|name| ((*name).to_owned(), json!({"type": "number"}))).collect();
        json!({"type": "object", "properties": properties})
    };
    let time = json!({"type": "object", "title": "time", "properties": {
        "sec": {"type": "integer", "minimum": 0},
        "nsec": {"type": "integer", "minimum": 0, "maximum": 999_999_999},
    }});
    let transform = json!({"type": "object", "title": "foxglove.FrameTransform", "properties": {
        "timestamp": time,
        "parent_frame_id": {"type": "string"},
        "child_frame_id": {"type": "string"},
        "translation": numbers(&["x", "y", "z"]),
        "rotation": numbers(&["x", "y", "z", "w"]),
    }});
    json!({"title": "foxglove.FrameTransforms", "type": "object", "properties": {
        "transforms": {"type": "array", "items": transform},
    }})
}

/// A text as JSON.
fn text(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// A number as JSON. Writing to memory cannot fail.
fn number(message: &mut Vec<u8>, value: f64) {
    let _ = if value.is_finite() { write!(message, "{value:?}") } else { message.write_all(b"null") };
}

/// One entry of `transforms`, from seven numbers.
fn transform(message: &mut Vec<u8>, frame: &FrameText, pose: &[f64], time: u64) {
    let (second, nanosecond) = (time / 1_000_000_000, time % 1_000_000_000);
    let _ = write!(
        message,
        "{{\"timestamp\":{{\"sec\":{second},\"nsec\":{nanosecond}}},\"parent_frame_id\":{},\"child_frame_id\":{}",
        frame.parent, frame.child
    );
    for (i, start) in
        [",\"translation\":{\"x\":", ",\"y\":", ",\"z\":", "},\"rotation\":{\"x\":", ",\"y\":", ",\"z\":", ",\"w\":"]
            .into_iter()
            .enumerate()
    {
        message.extend_from_slice(start.as_bytes());
        number(message, pose[i]);
    }
    message.extend_from_slice(b"}}");
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
    let file = file::create(to, existing)?;
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
