//! Where problems of a robot description go.

use std::ops::Range;

use crate::source::{Report, Rule, Source, number, shorten};

/// Most characters of an offending value in a message.
pub(crate) const MAX_SHOWN: usize = 40;

/// An attribute as it is written, with the place of its value.
#[derive(Clone)]
pub(crate) struct Written<'a> {
    pub(crate) name: &'a str,
    pub(crate) value: &'a str,
    pub(crate) span: Range<usize>,
}

/// Where problems go: defects become notes when reading leniently.
pub(crate) struct Reading<'r> {
    pub(crate) source: &'r Source,
    pub(crate) report: &'r mut Report,
    pub(crate) notes: &'r mut Report,
    pub(crate) lenient: bool,
}

impl Reading<'_> {
    /// Notes an error.
    pub(crate) fn error(&mut self, span: Range<usize>, subject: &str, rule: Rule) {
        self.report.add_about(self.source, span, subject.to_owned(), rule);
    }

    /// Notes something that a lenient reader passes over.
    pub(crate) fn defect(&mut self, span: Range<usize>, subject: &str, rule: Rule) {
        let list = if self.lenient { &mut *self.notes } else { &mut *self.report };
        list.add_about(self.source, span, subject.to_owned(), rule);
    }

    /// Notes something that a user should know.
    pub(crate) fn note(&mut self, span: Range<usize>, subject: &str, rule: Rule) {
        self.notes.add_about(self.source, span, subject.to_owned(), rule);
    }

    /// Reads what is no part of the dynamics: all that is wrong with it is passed over by a lenient reader.
    pub(crate) fn aside<T>(&mut self, read: impl FnOnce(&mut Reading<'_>) -> T) -> T {
        if !self.lenient {
            return read(self);
        }
        let mut report = self.notes.with_equal_room();
        let out = read(&mut Reading { report: &mut report, notes: self.notes, ..*self });
        self.notes.take_over(report);
        out
    }

    /// Known names for a message about a defect; none where it would only be counted.
    pub(crate) fn names<'k>(&self, known: impl IntoIterator<Item = &'k str>) -> Vec<String> {
        if self.lenient { self.notes.names(known) } else { self.report.names(known) }
    }

    /// A number.
    pub(crate) fn number<'a>(&mut self, written: impl Into<Written<'a>>, subject: &str) -> Option<f64> {
        let written = written.into();
        self.one_number(written.value.trim(), &written, subject)
    }

    /// As many numbers as there must be, one per thing.
    pub(crate) fn numbers<'a, const N: usize>(
        &mut self,
        written: impl Into<Written<'a>>,
        one_per: &'static str,
        subject: &str,
    ) -> Option<[f64; N]> {
        let written = written.into();
        let words = written.value.split_ascii_whitespace().take(N + 2).count();
        if words != N {
            let quantity = written.name.to_owned();
            let rule = Rule::Length { quantity, found: words, expected: N, one_per };
            self.error(written.span, subject, rule);
            return None;
        }
        self.all_numbers(written, N, subject)?.try_into().ok()
    }

    /// All numbers of a list; more than `most` are an error.
    pub(crate) fn all_numbers<'a>(
        &mut self,
        written: impl Into<Written<'a>>,
        most: usize,
        subject: &str,
    ) -> Option<Vec<f64>> {
        let written = written.into();
        let found = written.value.split_ascii_whitespace().count();
        if found > most {
            let rule = Rule::TooMany { what: "numbers", found, limit: most };
            self.error(written.span, subject, rule);
            return None;
        }
        let words = written.value.split_ascii_whitespace();
        let numbers: Vec<Option<f64>> = words.map(|word| self.one_number(word, &written, subject)).collect();
        numbers.into_iter().collect()
    }

    fn one_number(&mut self, word: &str, written: &Written<'_>, subject: &str) -> Option<f64> {
        match number::parse(word) {
            Ok(number) => Some(number),
            Err(fault) => {
                let rule = Rule::Number { quantity: written.name.to_owned(), text: shorten(word, MAX_SHOWN), fault };
                self.error(written.span.clone(), subject, rule);
                None
            }
        }
    }
}
