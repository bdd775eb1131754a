//! Recordings of experiments: columns of numbers over time, from CSV and MCAP files.
//!
//! A CSV file has names in its first line, as `name` or `name[unit]`, and one column with the times. Cells that are empty or `nan` are samples that are
//! missing. An MCAP file has JSON messages; each number in them is a column with the time of its messages, called by its key, or by `/topic.key` where
//! several topics have the key. One that a killed program left is read up to where it was cut.

use std::collections::HashMap;
use std::ops::Range;

use crate::results::fields;
use crate::source::number::{self, NumberFault};
use crate::source::{Report, Rule, Source, shorten};

/// Most rows of a file.
const MAX_ROWS: usize = 4_000_000;

/// Columns of numbers over time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recording {
    /// The columns.
    pub columns: Vec<RecordedColumn>,
}

/// One of them; samples that are missing are left out.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedColumn {
    /// Its name, without the unit.
    pub name: String,
    /// The unit that the file tells, where it tells one.
    pub unit: Option<String>,
    /// The topic of an MCAP file.
    pub topic: Option<String>,
    /// Times, increasing.
    pub times: Vec<f64>,
    /// A number for each.
    pub values: Vec<f64>,
}

impl Recording {
    /// The column of a name: `name`, `name[unit]` or `/topic.name`. None where there is no such column, or several.
    pub fn column(&self, name: &str) -> Option<&RecordedColumn> {
        let called = |column: &RecordedColumn| match (&column.unit, &column.topic) {
            _ if column.name == name => true,
            (Some(unit), _) if format!("{}[{unit}]", column.name) == name => true,
            (_, Some(topic)) => format!("{topic}.{}", column.name) == name,
            _ => false,
        };
        let mut found = self.columns.iter().filter(|column| called(column));
        found.next().filter(|_| found.next().is_none())
    }

    /// All names that [`column`](Self::column) finds.
    pub fn names(&self) -> Vec<String> {
        let mut counts: HashMap<&str, usize> = HashMap::new();
        self.columns.iter().for_each(|column| *counts.entry(&column.name).or_default() += 1);
        let name = |column: &RecordedColumn| match &column.topic {
            Some(topic) if counts[column.name.as_str()] > 1 => format!("{topic}.{}", column.name),
            _ => column.name.clone(),
        };
        self.columns.iter().map(name).collect()
    }
}

/// Reads a recording; problems are reported. `time` names the column of times of a CSV file, and where that is said.
pub(crate) fn read(
    name: &str,
    bytes: Vec<u8>,
    time: &str,
    (at, span): (&Source, Range<usize>),
    report: &mut Report,
) -> Option<Recording> {
    if name.to_ascii_lowercase().ends_with(".mcap") {
        let read = of_mcap(&bytes);
        return read
            .map_err(|what| {
                let expected = "an MCAP file with JSON messages, or a CSV file".into();
                report.add(at, span, Rule::Mismatch { what: format!("{name}: {what}"), expected });
            })
            .ok();
    }
    let csv = Source::from_bytes(name, bytes, report)?;
    of_csv(&csv, time, (at, span), report)
}

/// `name[unit]` in its parts.
fn head(text: &str) -> (String, Option<String>) {
    match text.strip_suffix(']').and_then(|text| text.rsplit_once('[')) {
        Some((name, unit)) => (name.trim().to_owned(), Some(unit.trim().to_owned())),
        None => (text.to_owned(), None),
    }
}

fn of_csv(csv: &Source, time: &str, (at, span): (&Source, Range<usize>), report: &mut Report) -> Option<Recording> {
    let mut lines = csv.text.split_inclusive('\n');
    let first = lines.next().unwrap_or_default();
    let heads: Vec<(String, Option<String>)> = fields(first.trim_end()).iter().map(|text| head(text.trim())).collect();
    let Some(clock) = heads.iter().position(|(name, _)| name == time) else {
        let known = heads.iter().map(|(name, _)| name.clone()).collect();
        report.add(at, span, Rule::UnknownName { kind: "column of times", name: shorten(time, 40), known });
        return None;
    };
    let rows = csv.text.lines().count();
    if rows > MAX_ROWS {
        report.add(csv, 0..0, Rule::TooMany { what: "rows", found: rows, limit: MAX_ROWS });
        return None;
    }
    let mut columns: Vec<RecordedColumn> = heads
        .into_iter()
        .map(|(name, unit)| RecordedColumn { name, unit, topic: None, times: Vec::new(), values: Vec::new() })
        .collect();
    let (mut start, mut last, before) = (first.len(), f64::NEG_INFINITY, report.count());
    for line in lines {
        if !line.trim().is_empty()
            && let Some(row) = row(line, start, &columns, csv, report)
        {
            let now = row[clock];
            if now.is_nan() || now <= last {
                let what =
                    if now.is_nan() { "the time is missing".into() } else { format!("time {now} follows {last}") };
                let expected = "times that increase from row to row".into();
                report.add(csv, start..start + line.trim_end().len(), Rule::Mismatch { what, expected });
            }
            last = now;
            for (column, value) in columns.iter_mut().zip(row).filter(|(_, value)| !value.is_nan()) {
                column.times.push(now);
                column.values.push(value);
            }
        }
        start += line.len();
        if report.is_full() {
            break;
        }
    }
    (report.count() == before).then_some(Recording { columns })
}

/// The numbers of a line that starts at a position of the text; missing ones are not numbers.
fn row(line: &str, start: usize, columns: &[RecordedColumn], csv: &Source, report: &mut Report) -> Option<Vec<f64>> {
    let cells: Vec<&str> = line.trim_end_matches(['\n', '\r']).split(',').collect();
    if cells.len() != columns.len() {
        let (found, expected) = (cells.len(), columns.len());
        let rule = Rule::Length { quantity: "row".into(), found, expected, one_per: "column" };
        report.add(csv, start..start + line.trim_end().len(), rule);
        return None;
    }
    let (mut at, mut row) = (start, Vec::with_capacity(cells.len()));
    for (cell, column) in cells.iter().zip(columns) {
        let text = cell.trim();
        match number::parse(text) {
            Ok(value) => row.push(value),
            Err(NumberFault::Empty | NumberFault::NotANumber) => row.push(f64::NAN),
            Err(fault) => {
                let rule = Rule::Number { quantity: column.name.clone(), text: shorten(text, 40), fault };
                report.add(csv, at..at + cell.len(), rule);
                return None;
            }
        }
        at += cell.len() + 1;
    }
    Some(row)
}

#[cfg(not(feature = "mcap"))]
fn of_mcap(_: &[u8]) -> Result<Recording, String> {
    Err("this build reads no MCAP files".into())
}

/// Every number of the JSON messages of a log.
#[cfg(feature = "mcap")]
fn of_mcap(bytes: &[u8]) -> Result<Recording, String> {
    let mut columns: Vec<RecordedColumn> = Vec::new();
    let mut places: HashMap<(String, String), usize> = HashMap::new();
    let mut other = std::collections::BTreeSet::new();
    if !bytes.starts_with(::mcap::MAGIC) {
        return Err("it does not begin as one".into());
    }
    // A log that a killed program left has no end, and may have half a message at its last.
    let is_whole = bytes.len() > ::mcap::MAGIC.len() && bytes.ends_with(::mcap::MAGIC);
    let options = ::mcap::read::Options::IgnoreEndMagic.into();
    let messages = ::mcap::MessageStream::new_with_options(bytes, options).map_err(|error| error.to_string())?;
    for message in messages {
        let message = match message {
            Ok(message) => message,
            Err(error) if is_whole => return Err(error.to_string()),
            Err(_) => break,
        };
        if message.channel.message_encoding != "json" {
            other.insert(message.channel.message_encoding.clone());
            continue;
        }
        let Ok(value) = serde_json::from_slice::<serde_json::Value>(&message.data) else {
            return Err(format!("a message of {} is not JSON", message.channel.topic));
        };
        let time = message.log_time as f64 * 1e-9;
        flatten("", &value, &mut |key, number| {
            let topic = &message.channel.topic;
            let place = *places.entry((topic.clone(), key.to_owned())).or_insert_with(|| {
                columns.push(RecordedColumn {
                    name: key.to_owned(),
                    unit: None,
                    topic: Some(topic.clone()),
                    times: Vec::new(),
                    values: Vec::new(),
                });
                columns.len() - 1
            });
            let column = &mut columns[place];
            // Messages of the same or an earlier time say nothing new.
            if column.times.last().is_none_or(|last| *last < time) {
                column.times.push(time);
                column.values.push(number);
            }
        });
    }
    if columns.is_empty() && !other.is_empty() {
        let kinds: Vec<String> = other.into_iter().collect();
        return Err(format!("its messages are encoded as {}", kinds.join(", ")));
    }
    Ok(Recording { columns })
}

/// Numbers of a JSON value with their keys, those of inner objects joined by dots.
#[cfg(feature = "mcap")]
fn flatten(key: &str, value: &serde_json::Value, visit: &mut dyn FnMut(&str, f64)) {
    let inner = |name: &str| if key.is_empty() { name.to_owned() } else { format!("{key}.{name}") };
    match value {
        serde_json::Value::Number(number) => {
            if let Some(number) = number.as_f64() {
                visit(key, number);
            }
        }
        serde_json::Value::Object(members) => {
            members.iter().for_each(|(name, value)| flatten(&inner(name), value, visit));
        }
        serde_json::Value::Array(items) => {
            items.iter().enumerate().for_each(|(i, value)| flatten(&inner(&i.to_string()), value, visit));
        }
        _ => {}
    }
}
