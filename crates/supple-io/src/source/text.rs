//! A text with the name it has for its reader, and places in it.

use std::ops::Range;

use super::error::Place;
use super::{MAX_FILE_BYTES, Report, Rule};
use crate::change::{Change, DROP};

/// Most characters of a source line that are shown.
const MAX_SHOWN: usize = 110;

/// A file as text.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    /// Its name as the user knows it.
    pub(crate) name: String,
    /// What it holds, and behind it one line for each change.
    pub(crate) text: String,
    /// Where the changes begin.
    pub(crate) changes: Option<usize>,
    /// Files that it includes, appended to it: where each begins, and its name.
    pub(crate) included: Vec<(usize, String)>,
}

impl Source {
    /// A file without content.
    pub(crate) fn nothing(name: &str) -> Self {
        Self { name: name.to_owned(), text: String::new(), changes: None, included: Vec::new() }
    }

    /// The same with values that are set from outside.
    pub(crate) fn changed(mut self, changes: &[Change]) -> Self {
        if !changes.is_empty() {
            self.changes = Some(self.text.len() + 1);
            changes.iter().for_each(|change| self.text += &format!("\n{}", change.line()));
        }
        self
    }

    /// Appends a file that it includes; where that begins.
    pub(crate) fn include(&mut self, other: Self) -> usize {
        self.text.push('\n');
        let start = self.text.len();
        self.text += &other.text;
        self.included.push((start, other.name));
        start
    }

    /// The file itself.
    pub(crate) fn document(&self) -> &str {
        &self.text[..self.changes.map_or(self.text.len(), |start| start - 1)]
    }

    /// The changes, each with blanks before it, so that its places are those of this text.
    pub(crate) fn change_lines(&self) -> Vec<String> {
        let Some(mut start) = self.changes else { return Vec::new() };
        let mut lines = Vec::new();
        for line in self.text[start..].lines() {
            lines.push(format!("{}{line}", " ".repeat(start)));
            start += line.len() + 1;
        }
        lines
    }

    /// A text that obeys the rules of every text file: size, encoding, not empty. Otherwise the reason is in `report`.
    pub(crate) fn from_bytes(name: &str, bytes: Vec<u8>, report: &mut Report) -> Option<Self> {
        let nothing = Self::nothing(name);
        if bytes.len() > MAX_FILE_BYTES {
            report.add(&nothing, 0..0, Rule::TooLarge { bytes: bytes.len(), limit: MAX_FILE_BYTES });
            return None;
        }
        if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
            report.add(&nothing, 0..0, Rule::NotUtf8 { offset: 0 });
            return None;
        }
        let text = match String::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => {
                let offset = error.utf8_error().valid_up_to();
                let shown = String::from_utf8_lossy(error.as_bytes()).into_owned();
                let source = Self { text: shown, ..nothing };
                report.add(&source, offset..offset + 1, Rule::NotUtf8 { offset });
                return None;
            }
        };
        // Some editors write a byte order mark in front; it means nothing in UTF-8.
        let text = text.strip_prefix('\u{feff}').map_or(text.clone(), str::to_owned);
        let source = Self { text, ..nothing };
        if source.text.trim().is_empty() {
            report.add(&source, 0..0, Rule::Empty);
            return None;
        }
        Some(source)
    }

    /// The place of a part of the text. Positions outside of it are moved to its end.
    pub(crate) fn place(&self, span: Range<usize>) -> Place {
        let start = floor(&self.text, span.start);
        let end = floor(&self.text, span.end.max(start));
        let (file, first) = match self.changes {
            Some(changes) if start >= changes => {
                let line = self.text[..start].rfind('\n').map_or(0, |at| at + 1);
                (if self.text[line..].starts_with(DROP) { "--unset" } else { "--set" }, changes)
            }
            _ => {
                let behind = self.included.partition_point(|(first, _)| *first <= start);
                let included = behind.checked_sub(1).map(|at| &self.included[at]);
                included.map_or((self.name.as_str(), 0), |(first, name)| (name.as_str(), *first))
            }
        };
        let before = &self.text[first..start];
        let line_start = first + before.rfind('\n').map_or(0, |at| at + 1);
        let line_end = self.text[start..].find('\n').map_or(self.text.len(), |at| start + at);
        let line_text = self.text[line_start..line_end].trim_end_matches('\r');
        let column = self.text[line_start..start].chars().count();
        let marked = self.text[start..end.min(line_start + line_text.len()).max(start)].chars().count().max(1);
        // A window of a long line, with the marked part in it.
        let skipped = column.saturating_sub(MAX_SHOWN / 2).min(line_text.chars().count().saturating_sub(MAX_SHOWN));
        let shown: String = line_text.chars().skip(skipped).take(MAX_SHOWN).collect();
        let shown_column = column - skipped;
        Place {
            file: file.to_owned(),
            line: before.matches('\n').count() + 1,
            column: column + 1,
            source: shown.replace('\t', " ").replace(|c: char| c.is_control(), "\u{fffd}"),
            underline: shown_column..(shown_column + marked).min(shown.chars().count().max(shown_column + 1)),
        }
    }
}

/// The greatest position of a character not beyond `at`.
fn floor(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// A text shortened for a message, without control characters.
pub(crate) fn shorten(text: &str, most: usize) -> String {
    let mut short: String = text.chars().take(most).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.chars().nth(most).is_some() {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_characters_and_lines() {
        let source = Source { text: "a = 1\r\nβ = 'é' # x\n".into(), ..Source::nothing("x") };
        let at = source.text.find("'é'").unwrap();
        let place = source.place(at..at + 4);
        assert_eq!((place.line, place.column, place.source.as_str()), (2, 5, "β = 'é' # x"));
        assert_eq!(place.underline, 4..7);
        let end = source.place(999..1000);
        assert_eq!((end.line, end.column), (3, 1));
    }

    #[test]
    fn places_in_included_files_are_theirs() {
        let mut source = Source { text: "a\nb".into(), ..Source::nothing("main") };
        let start = source.include(Source { text: "c\nd e".into(), ..Source::nothing("other") });
        let place = source.place(start + 4..start + 5);
        assert_eq!((place.file.as_str(), place.line, place.column, place.source.as_str()), ("other", 2, 3, "d e"));
        let place = source.place(2..3);
        assert_eq!((place.file.as_str(), place.line, place.source.as_str()), ("main", 2, "b"));
    }

    #[test]
    fn long_lines_are_shown_in_part() {
        let source = Source { text: format!("{}bad{}", "a".repeat(5000), "b".repeat(5000)), ..Source::nothing("x") };
        let place = source.place(5000..5003);
        assert_eq!(place.column, 5001);
        assert!(place.source.chars().count() <= MAX_SHOWN);
        let marked: String = place
            .source
            .chars()
            .skip(place.underline.start)
            .take(place.underline.end - place.underline.start)
            .collect();
        assert_eq!(marked, "bad");
    }
}
