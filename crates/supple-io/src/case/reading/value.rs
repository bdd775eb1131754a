//! A piece of the text that is JSON, and what it can be read as.
//!
//! A reading that fails notes a problem in the [`Report`] and gives nothing; the caller goes on
//! with the other members, so that a user sees all problems at once.

use std::cell::{Cell, RefCell};

use serde_json::value::RawValue;

use super::collect::{first_items, first_members};
use super::place::{locate, shorten};
use crate::case::error::{Problem, ReadError, Rule};

/// Most characters of a number: more than any double needs, fewer than a flood.
const MAX_NUMBER: usize = 100;
/// Most problems that are listed.
const MAX_PROBLEMS: usize = 20;
/// Most bytes of an offending value in a message.
const MAX_SHOWN: usize = 40;
/// Most entries of a list and members of an object that are kept in memory.
const MAX_ENTRIES: usize = 1_000_000;
const MAX_MEMBERS: usize = 100;

/// The text and the problems found in it so far.
pub(super) struct Report<'a> {
    text: &'a str,
    listed: RefCell<Vec<(usize, Rule)>>,
    omitted: Cell<usize>,
}

impl<'a> Report<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, listed: RefCell::default(), omitted: Cell::new(0) }
    }

    /// Fails if there are problems.
    pub(super) fn finish(&self) -> Result<(), ReadError> {
        let listed = self.listed.borrow();
        if listed.is_empty() {
            return Ok(());
        }
        let offsets: Vec<usize> = listed.iter().map(|(offset, _)| *offset).collect();
        let places = locate(self.text, &offsets);
        let problems = places.into_iter().zip(&*listed).map(|(place, (_, rule))| Problem { place, rule: rule.clone() });
        Err(ReadError::Invalid { problems: problems.collect(), omitted: self.omitted.get() })
    }

    fn note(&self, offset: usize, rule: Rule) {
        let mut listed = self.listed.borrow_mut();
        if listed.len() < MAX_PROBLEMS {
            listed.push((offset, rule));
        } else {
            self.omitted.set(self.omitted.get() + 1);
        }
    }
}

/// A value somewhere in the text.
#[derive(Clone, Copy)]
pub(super) struct Value<'a, 'r> {
    report: &'r Report<'a>,
    raw: &'a str,
}

impl<'a, 'r> Value<'a, 'r> {
    /// The whole text.
    pub(super) fn whole(report: &'r Report<'a>, raw: &'a RawValue) -> Self {
        Self { report, raw: raw.get() }
    }

    /// Notes a problem with this value.
    pub(super) fn broken(&self, rule: Rule) {
        // `raw` is a part of the text, so this is its position.
        let offset = self.raw.as_ptr() as usize - self.report.text.as_ptr() as usize;
        self.report.note(offset, rule);
    }

    /// Notes a problem unless `kept`; gives `kept` back.
    pub(super) fn check(&self, kept: bool, rule: impl FnOnce() -> Rule) -> bool {
        if !kept {
            self.broken(rule());
        }
        kept
    }

    fn wrong_type<T>(&self, expected: &'static str) -> Option<T> {
        self.broken(Rule::Type { expected, found: shorten(self.raw, MAX_SHOWN) });
        None
    }

    fn starts_with(&self, class: impl Fn(u8) -> bool) -> bool {
        self.raw.bytes().next().is_some_and(class)
    }

    /// The text of a value that is JSON of any type.
    pub(super) fn any(&self) -> Option<serde_json::Value> {
        match serde_json::from_str(self.raw) {
            Ok(value) => Some(value),
            Err(_) => self.wrong_type("a value of at most 127 levels with finite numbers"),
        }
    }

    pub(super) fn word(&self) -> Option<String> {
        match serde_json::from_str(self.raw) {
            Ok(word) => Some(word),
            Err(_) => self.wrong_type("a string"),
        }
    }

    pub(super) fn number(&self) -> Option<f64> {
        if !self.starts_with(|b| b == b'-' || b.is_ascii_digit()) {
            return self.wrong_type("a number");
        }
        let length = self.raw.len();
        if !self.check(length <= MAX_NUMBER, || Rule::LongNumber { length, limit: MAX_NUMBER }) {
            return None;
        }
        // JSON numbers are a part of what Rust reads; the conversion rounds correctly.
        let Ok(number) = self.raw.parse::<f64>() else { return self.wrong_type("a number") };
        let found = || shorten(self.raw, MAX_SHOWN);
        let digits = self.raw.split(['e', 'E']).next().unwrap_or_default();
        let vanished = number == 0.0 && digits.bytes().any(|b| (b'1'..=b'9').contains(&b));
        let kept = self.check(number.is_finite(), || Rule::Overflow { found: found() })
            && self.check(!vanished, || Rule::Underflow { found: found() });
        kept.then_some(number)
    }

    /// A whole number.
    pub(super) fn whole_number(&self) -> Option<i64> {
        match self.raw.parse::<i64>() {
            Ok(number) => Some(number),
            Err(_) => self.wrong_type("a whole number"),
        }
    }

    /// A whole number from `lowest` up to but not including `end`.
    pub(super) fn index(&self, lowest: i64, end: usize, what: &'static str) -> Option<i64> {
        let found = self.whole_number()?;
        let kept = found >= lowest && (found < 0 || usize::try_from(found).is_ok_and(|i| i < end));
        self.check(kept, || Rule::Index { found, lowest, end, what }).then_some(found)
    }

    /// An index that is not negative.
    pub(super) fn place_in(&self, end: usize, what: &'static str) -> Option<usize> {
        self.index(0, end, what).and_then(|i| usize::try_from(i).ok())
    }

    pub(super) fn is_list(&self) -> bool {
        self.starts_with(|b| b == b'[')
    }

    /// A list of any length.
    pub(super) fn items(&self) -> Option<Vec<Self>> {
        let (items, count) = self.first_items(MAX_ENTRIES)?;
        let rule = || Rule::TooMany { found: count as i64, limit: MAX_ENTRIES, what: "entries" };
        self.check(count <= MAX_ENTRIES, rule).then_some(items)
    }

    /// A list of given length.
    pub(super) fn items_per(&self, expected: usize, one_per: &'static str) -> Option<Vec<Self>> {
        let (items, found) = self.first_items(expected)?;
        self.check(found == expected, || Rule::Length { found, expected, one_per }).then_some(items)
    }

    /// The first `limit` entries of a list and the number of all.
    fn first_items(&self, limit: usize) -> Option<(Vec<Self>, usize)> {
        match first_items(self.raw, limit) {
            Some((items, count)) if self.is_list() => {
                Some((items.into_iter().map(|raw| Self { report: self.report, raw: raw.get() }).collect(), count))
            }
            _ => self.wrong_type("a list"),
        }
    }

    pub(super) fn numbers(&self, expected: usize, one_per: &'static str) -> Option<Vec<f64>> {
        read_all(&self.items_per(expected, one_per)?, |item| item.number())
    }

    pub(super) fn array<const N: usize>(&self, one_per: &'static str) -> Option<[f64; N]> {
        self.numbers(N, one_per)?.try_into().ok()
    }

    pub(super) fn matrix(&self, rows: (usize, &'static str), columns: (usize, &'static str)) -> Option<Vec<Vec<f64>>> {
        read_all(&self.items_per(rows.0, rows.1)?, |row| row.numbers(columns.0, columns.1))
    }

    pub(super) fn matrix3(&self) -> Option<[[f64; 3]; 3]> {
        let rows = self.matrix((3, "axis"), (3, "axis"))?;
        let mut matrix = [[0.0; 3]; 3];
        for (to, from) in matrix.iter_mut().zip(&rows) {
            to.copy_from_slice(from);
        }
        Some(matrix)
    }

    pub(super) fn is_object(&self) -> bool {
        self.starts_with(|b| b == b'{')
    }

    /// An object, without a check of its names.
    pub(super) fn object(&self) -> Option<Members<'a, 'r>> {
        let Some((list, count)) = first_members(self.raw, MAX_MEMBERS).filter(|_| self.is_object()) else {
            return self.wrong_type("an object");
        };
        let rule = || Rule::TooMany { found: count as i64, limit: MAX_MEMBERS, what: "members" };
        let list = list.into_iter().map(|(name, raw)| (name, Self { report: self.report, raw: raw.get() }));
        self.check(count <= MAX_MEMBERS, rule).then_some(Members { object: *self, list: list.collect() })
    }

    /// An object whose names must be among the known ones, each at most once.
    pub(super) fn members(&self, known: &'static [&'static str]) -> Option<Members<'a, 'r>> {
        let members = self.object()?;
        members.check_names(known);
        Some(members)
    }
}

/// Reads all of the items, also after one that fails, so that all problems are noted.
pub(super) fn read_all<'a, 'r, T>(
    items: &[Value<'a, 'r>],
    mut read: impl FnMut(Value<'a, 'r>) -> Option<T>,
) -> Option<Vec<T>> {
    let mut all = Some(Vec::new());
    for item in items {
        match (read(*item), &mut all) {
            (Some(value), Some(values)) => values.push(value),
            (Some(_), None) => {}
            (None, _) => all = None,
        }
    }
    all
}

/// The members of an object.
pub(super) struct Members<'a, 'r> {
    object: Value<'a, 'r>,
    list: Vec<(String, Value<'a, 'r>)>,
}

impl<'a, 'r> Members<'a, 'r> {
    pub(super) fn check_names(&self, known: &'static [&'static str]) {
        for (i, (name, value)) in self.list.iter().enumerate() {
            if !known.contains(&name.as_str()) {
                value.broken(Rule::UnknownMember { member: shorten(name, MAX_SHOWN), known });
            } else if self.list[..i].iter().any(|(other, _)| other == name) {
                value.broken(Rule::RepeatedMember { member: name.clone() });
            }
        }
    }

    /// All members.
    pub(super) fn all(&self) -> impl Iterator<Item = (&str, Value<'a, 'r>)> {
        self.list.iter().map(|(name, value)| (name.as_str(), *value))
    }

    /// A member that may be absent.
    pub(super) fn get(&self, name: &str) -> Option<Value<'a, 'r>> {
        self.list.iter().find(|(other, _)| other == name).map(|(_, value)| *value)
    }

    /// A member that must be there.
    pub(super) fn need(&self, member: &'static str) -> Option<Value<'a, 'r>> {
        let value = self.get(member);
        self.object.check(value.is_some(), || Rule::MissingMember { member });
        value
    }

    /// A member that may be absent, with its default; nothing if it cannot be read.
    pub(super) fn or<T>(&self, name: &str, default: T, read: impl FnOnce(Value<'a, 'r>) -> Option<T>) -> Option<T> {
        self.get(name).map_or(Some(default), read)
    }
}
