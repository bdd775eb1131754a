//! The problems found so far.

use std::ops::Range;

use super::error::{FileError, Finding};
use super::{Rule, Source, number};

/// Most problems that are listed.
const MAX_FINDINGS: usize = 50;

/// A list of findings that a reader fills while it goes on, so that a user sees all problems at once.
#[derive(Debug)]
pub(crate) struct Report {
    findings: Vec<Finding>,
    /// What is sound and yet hardly what was meant.
    doubts: Vec<Finding>,
    room: usize,
    omitted: usize,
    /// Findings that follow from others and are not told.
    implied: usize,
    /// Whether numbers of the file were converted to SI units.
    other_units: bool,
}

impl Default for Report {
    fn default() -> Self {
        Self::with_room(MAX_FINDINGS)
    }
}

impl Report {
    /// A report that lists so many findings and counts the others.
    pub(crate) fn with_room(room: usize) -> Self {
        Self { findings: Vec::new(), doubts: Vec::new(), room, omitted: 0, implied: 0, other_units: false }
    }

    /// An empty report that lists as many findings.
    pub(crate) fn with_equal_room(&self) -> Self {
        Self::with_room(self.room)
    }

    /// Says whether numbers of the file are converted to SI units from here on; gives what held before.
    pub(crate) fn set_other_units(&mut self, other: bool) -> bool {
        std::mem::replace(&mut self.other_units, other)
    }

    /// A finding whose number is as the file has it where that can be seen, and which says that it is in SI units elsewhere.
    fn finding(&self, source: &Source, span: Range<usize>, subject: String, mut rule: Rule) -> Finding {
        let mut in_si = self.other_units && rule.has_numbers();
        if let Rule::Range { value, .. } = &mut rule
            && let Some(Ok(written)) = source.text.get(span.clone()).map(number::parse)
        {
            (*value, in_si) = (written, false);
        }
        Finding { place: source.place(span), subject, rule, in_si }
    }

    /// Notes a broken rule.
    pub(crate) fn add(&mut self, source: &Source, span: Range<usize>, rule: Rule) {
        self.add_about(source, span, String::new(), rule);
    }

    /// Notes a broken rule about something that has a name.
    pub(crate) fn add_about(&mut self, source: &Source, span: Range<usize>, subject: String, rule: Rule) {
        if self.is_full() {
            self.omitted += 1;
            return;
        }
        let finding = self.finding(source, span, subject, rule);
        // What follows from a value that was refused already is no news.
        let follows = matches!(finding.rule, Rule::Mismatch { .. } | Rule::Model(_));
        let told = |earlier: &Finding| {
            finding.place.covers(&earlier.place) && !matches!(earlier.rule, Rule::Mismatch { .. } | Rule::Model(_))
        };
        match follows && self.findings.iter().any(told) {
            true => self.implied += 1,
            false => self.findings.push(finding),
        }
    }

    /// Adds a note about something that is valid, yet probably not intended; nothing is rejected.
    pub(crate) fn doubt(&mut self, source: &Source, span: Range<usize>, what: String, expected: &str) {
        if self.doubts.len() < self.room {
            let rule = Rule::Mismatch { what, expected: expected.into() };
            let doubt = self.finding(source, span, String::new(), rule);
            self.doubts.push(doubt);
        }
    }

    /// The doubts so far, which are then forgotten.
    pub(crate) fn take_doubts(&mut self) -> Vec<Finding> {
        std::mem::take(&mut self.doubts)
    }

    /// Takes over the findings of another reader.
    pub(crate) fn absorb(&mut self, other: FileError) {
        self.take(other.findings(), other.omitted());
    }

    /// Takes over the findings of another report.
    pub(crate) fn take_over(&mut self, other: Self) {
        self.take(&other.findings, other.omitted);
    }

    fn take(&mut self, findings: &[Finding], omitted: usize) {
        let room = self.room.saturating_sub(self.findings.len());
        self.omitted += omitted + findings.len().saturating_sub(room);
        self.findings.extend(findings.iter().take(room).cloned());
    }

    /// What was found, where it is no error, and how many further findings are not listed.
    pub(crate) fn into_findings(self) -> (Vec<Finding>, usize) {
        (self.findings, self.omitted)
    }

    /// Whether further findings are only counted.
    pub(crate) fn is_full(&self) -> bool {
        self.findings.len() >= self.room
    }

    /// The known names for a message; none where it would only be counted, so that a flood of mistakes costs no more than the text.
    pub(crate) fn names<'k>(&self, known: impl IntoIterator<Item = &'k str>) -> Vec<String> {
        if self.is_full() { Vec::new() } else { known.into_iter().map(str::to_owned).collect() }
    }

    /// Number of findings so far, told or not.
    pub(crate) fn count(&self) -> usize {
        self.findings.len() + self.omitted + self.implied
    }

    /// The value, unless there are findings. A reader that gives no value has reported why.
    pub(crate) fn finish<T>(mut self, source: &Source, value: Option<T>) -> Result<T, FileError> {
        match value {
            Some(value) if self.findings.is_empty() => Ok(value),
            _ => {
                if self.findings.is_empty() {
                    self.add(source, 0..0, Rule::Unreadable);
                }
                self.findings.sort_by(|a, b| {
                    (&a.place.file, a.place.line, a.place.column).cmp(&(&b.place.file, b.place.line, b.place.column))
                });
                Err(FileError::new(self.findings, self.omitted))
            }
        }
    }
}
