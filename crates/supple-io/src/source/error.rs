//! What a reader of files gives back where it cannot give the content.

use std::fmt;
use std::ops::Range;

use super::Rule;

/// A place in a file, with the text found there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Name of the file as the user gave it.
    pub file: String,
    /// Line, from one.
    pub line: usize,
    /// Column in characters, from one.
    pub column: usize,
    /// The line, or the part of a long line around the place.
    pub source: String,
    /// Characters of `source` that are meant.
    pub underline: Range<usize>,
}

impl Place {
    /// Whether another place is the same, or a part of it on its line.
    pub(super) fn covers(&self, other: &Self) -> bool {
        let width = self.underline.len();
        self.file == other.file && self.line == other.line && (self.column..self.column + width).contains(&other.column)
    }
}

/// One broken rule.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Finding {
    /// Where.
    pub place: Place,
    /// What it is about, such as `body 'boom'` or `joint 'elbow'`; empty for the file as a whole.
    pub subject: String,
    /// Which rule, with the values.
    pub rule: Rule,
    /// Whether values are in SI units although the file has others.
    pub in_si: bool,
}

/// Why files are refused: everything that was found, in the order of the text.
#[derive(Clone, Debug, PartialEq)]
pub struct FileError {
    findings: Vec<Finding>,
    omitted: usize,
}

impl FileError {
    pub(super) fn new(findings: Vec<Finding>, omitted: usize) -> Self {
        Self { findings, omitted }
    }

    /// What is wrong; never empty.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// How many further problems are not listed.
    pub fn omitted(&self) -> usize {
        self.omitted
    }
}

impl Finding {
    /// What is wrong, without its place.
    pub fn what(&self) -> String {
        self.rule.message().what
    }

    /// What was expected instead, where that can be said.
    pub fn expected(&self) -> Option<String> {
        self.rule.message().expected
    }

    /// What to do about it, where that can be said.
    pub fn remedy(&self) -> Option<String> {
        self.rule.message().remedy
    }

    /// The text of a finding that is no error.
    pub fn as_note(&self) -> impl fmt::Display {
        fmt::from_fn(|f| self.write(f, "note"))
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, label: &str) -> fmt::Result {
        let message = self.rule.message();
        if self.subject.is_empty() {
            writeln!(f, "{label}: {}", message.what)?;
        } else {
            writeln!(f, "{label}: {}: {}", self.subject, message.what)?;
        }
        let number = self.place.line.to_string();
        let margin = " ".repeat(number.len());
        write!(f, "{margin}--> {}:{}:{}", self.place.file, self.place.line, self.place.column)?;
        if !self.place.source.trim().is_empty() {
            let Range { start, end } = self.place.underline;
            writeln!(f, "\n{margin} |")?;
            writeln!(f, "{number} | {}", self.place.source)?;
            write!(f, "{margin} | {}{}", " ".repeat(start), "^".repeat(end.saturating_sub(start).max(1)))?;
        }
        // Who reads leniently already is not told to.
        let remedy = message.remedy.filter(|remedy| label != "note" || !remedy.contains("--lenient"));
        let note = self.in_si.then(|| "numbers in this message are in SI units (m, rad)".to_owned());
        for (label, text) in [("expected", message.expected), ("help", remedy), ("note", note)] {
            if let Some(text) = text {
                write!(f, "\n{margin} = {label}: {text}")?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, "error")
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, finding) in self.findings.iter().enumerate() {
            if i > 0 {
                write!(f, "\n\n")?;
            }
            write!(f, "{finding}")?;
        }
        if self.omitted > 0 {
            write!(f, "\n\nand {} more", self.omitted)?;
        }
        Ok(())
    }
}

impl std::error::Error for FileError {}
