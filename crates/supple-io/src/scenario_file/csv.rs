//! Columns of comma-separated values.

use std::ops::Range;

use supple_control::{ProfileError, Signal};

use crate::document::{Table, Value};
use crate::source::folder::Folder;
use crate::source::{Report, Rule, Source, number, shorten};

/// Most rows of a file.
const MAX_ROWS: usize = 4_000_000;

/// Times and values of a file that a table names; problems are reported.
pub(super) fn read(
    table: Table<'_>,
    source: &Source,
    folder: &Folder,
    report: &mut Report,
) -> Option<(Vec<f64>, Vec<f64>)> {
    let file = table.get("file")?;
    let name = file.text()?;
    let bytes = match folder.read(name) {
        Ok(bytes) => bytes,
        Err(fault) => {
            report.add(source, file.span(), Rule::Path { name: shorten(name, 60), fault });
            return None;
        }
    };
    let csv = Source::from_bytes(name, bytes, report)?;
    let mut lines = csv.text.split_inclusive('\n');
    let header: Vec<String> = lines.next()?.split(',').map(|name| unquoted(name).to_owned()).collect();
    let mut column = |value: Option<Value<'_>>| {
        let value = value?;
        let name = value.text()?;
        let found = header.iter().position(|other| other == name);
        if found.is_none() {
            let rule = Rule::UnknownName { kind: "column", name: name.to_owned(), known: header.clone() };
            report.add(source, value.span(), rule);
        }
        found
    };
    let (time, value) = (column(table.get("time")), column(table.get("value")));
    let columns = [time?, value?];
    // Values have the units of the file that names this one.
    let scale = table.get("value").map_or(1.0, Value::scale);
    let rows = csv.text.lines().count();
    if rows > MAX_ROWS {
        report.add(&csv, 0..0, Rule::TooMany { what: "rows", found: rows, limit: MAX_ROWS });
        return None;
    }
    let (mut times, mut values) = (Vec::with_capacity(rows), Vec::with_capacity(rows));
    let mut start = csv.text.find('\n').map_or(csv.text.len(), |at| at + 1);
    let before = report.count();
    for line in lines {
        if !line.trim().is_empty() {
            let [time, value] = row(line, start, &header, columns, &csv, report);
            times.extend(time);
            values.extend(value.map(|value| value * scale));
        }
        start += line.len();
    }
    if report.count() > before {
        return None;
    }
    // Steps have the rules that all curves have: some samples, times that increase and can be told apart.
    if let Err(error) = Signal::steps(&times, &values) {
        let span = row_of(&error).map_or(0..0, |index| row_span(&csv.text, index));
        report.add(&csv, span, Rule::Profile(error));
        return None;
    }
    Some((times, values))
}

/// The sample that an error is about.
pub(super) fn row_of(error: &ProfileError) -> Option<usize> {
    match error {
        ProfileError::NotIncreasing { index, .. } | ProfileError::TooShort { index, .. } => Some(*index),
        _ => None,
    }
}

/// The place of a row after the header; empty ones do not count.
fn row_span(text: &str, index: usize) -> Range<usize> {
    let mut start = 0;
    let mut rows = 0;
    for line in text.split_inclusive('\n') {
        if start > 0 && !line.trim().is_empty() {
            if rows == index {
                return start..start + line.trim_end().len();
            }
            rows += 1;
        }
        start += line.len();
    }
    0..0
}

fn unquoted(name: &str) -> &str {
    name.trim().trim_matches('"')
}

/// Two numbers of a line that starts at a position of the text.
fn row(
    line: &str,
    start: usize,
    header: &[String],
    columns: [usize; 2],
    csv: &Source,
    report: &mut Report,
) -> [Option<f64>; 2] {
    let fields: Vec<&str> = line.split(',').collect();
    if fields.len() != header.len() {
        let (found, expected) = (fields.len(), header.len());
        let rule = Rule::Length { quantity: "row".into(), found, expected, one_per: "column" };
        report.add(csv, start..start + line.trim_end().len(), rule);
        return [None; 2];
    }
    columns.map(|column| {
        let text = fields[column].trim();
        match number::parse(text) {
            Ok(number) => Some(number),
            Err(fault) => {
                let at = start + fields[..column].iter().map(|field| field.len() + 1).sum::<usize>();
                let rule = Rule::Number { quantity: header[column].clone(), text: shorten(text, 40), fault };
                report.add(csv, at..at + fields[column].trim_end().len(), rule);
                None
            }
        }
    })
}
