//! Names: unique among things of a kind; things without one get one that is free.

use std::collections::HashMap;
use std::ops::Range;

use super::document::Element;
use crate::robot::{MAX_SHOWN, Reading};
use crate::source::{Rule, shorten};

/// The names of things of a kind so far, and where they stand.
pub(super) struct Names {
    kind: &'static str,
    used: HashMap<String, Range<usize>>,
}

impl Names {
    /// With some names taken.
    pub(super) fn new<'n>(kind: &'static str, used: impl Iterator<Item = (&'n str, &'n Range<usize>)>) -> Self {
        Self { kind, used: used.map(|(name, span)| (name.to_owned(), span.clone())).collect() }
    }

    /// The name of an element, empty where it has none; one that is taken is an error.
    pub(super) fn own(&mut self, element: &Element, reading: &mut Reading<'_>) -> String {
        let Some(name) = element.own("name").filter(|name| !name.value.is_empty()) else { return String::new() };
        if let Some(first) = self.used.get(&name.value) {
            let first_line = reading.source.place(first.clone()).line;
            let rule = Rule::DuplicateName { kind: self.kind, name: shorten(&name.value, MAX_SHOWN), first_line };
            reading.error(name.span.clone(), "", rule);
        }
        self.used.insert(name.value.clone(), name.span.clone());
        name.value.clone()
    }

    /// Gives names to those that have none: what is proposed, with a number where that is taken.
    pub(super) fn give<'n>(&mut self, nameless: impl Iterator<Item = (&'n mut String, String)>) {
        let mut numbers: HashMap<String, usize> = HashMap::new();
        for (name, proposed) in nameless.filter(|(name, _)| name.is_empty()) {
            let number = numbers.entry(proposed.clone()).or_insert(1);
            *name = proposed.clone();
            while self.used.contains_key(name) {
                *number += 1;
                *name = format!("{proposed}{number}");
            }
            self.used.insert(name.clone(), 0..0);
        }
    }
}
