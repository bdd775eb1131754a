//! Events that a run looks for.

use std::collections::HashMap;
use std::ops::Range;

use super::quantity::{Watched, quantities};
use crate::document::Table;
use crate::model_file::ModelFile;
use crate::source::{Report, Rule, Source};

/// Which crossings of the value count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From below.
    Rising,
    /// From above.
    Falling,
    /// Both.
    Both,
}

/// What happens at an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventAction {
    /// It is recorded.
    Record,
    /// It is recorded, and the run ends there.
    Stop,
}

/// A quantity that crosses a value.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Its name, which no other event has.
    pub name: String,
    /// The quantity.
    pub watched: Watched,
    /// The value that it crosses.
    pub value: f64,
    /// Which way.
    pub direction: Direction,
    /// What happens then.
    pub action: EventAction,
}

/// The events of the tables; names that are unknown or not unique are reported.
pub(super) fn read(tables: &[Table<'_>], file: &ModelFile, source: &Source, report: &mut Report) -> Vec<Event> {
    if tables.is_empty() {
        return Vec::new();
    }
    let all = quantities(&file.model);
    let mut places: HashMap<&str, Option<Watched>> = HashMap::new();
    for (name, watched) in &all {
        places.entry(name).and_modify(|place| *place = None).or_insert(Some(*watched));
    }
    let mut told: HashMap<&str, Range<usize>> = HashMap::new();
    let mut events = Vec::new();
    for table in tables {
        let (Some(name), Some(quantity)) = (table.get("name"), table.get("quantity")) else { continue };
        let (Some(event), Some(text)) = (name.text(), quantity.text()) else { continue };
        let first = told.entry(event).or_insert(name.span()).clone();
        if first != name.span() {
            let first_line = source.place(first).line;
            let rule = Rule::DuplicateName { kind: "event", name: event.to_owned(), first_line };
            report.add(source, name.span(), rule);
        }
        let watched = match places.get(text) {
            Some(Some(watched)) => *watched,
            Some(None) => {
                let what = format!("two quantities are named `{text}`");
                let expected = "unique names of quantities: rename the body or the hinge".into();
                report.add(source, quantity.span(), Rule::Mismatch { what, expected });
                continue;
            }
            None => {
                let known = report.names(all.iter().map(|(name, _)| name.as_str()));
                let rule = Rule::UnknownName { kind: "quantity", name: text.to_owned(), known };
                report.add(source, quantity.span(), rule);
                continue;
            }
        };
        let Some(value) = table.number("value") else { continue };
        let direction = match table.text("direction") {
            Some("rising") => Direction::Rising,
            Some("falling") => Direction::Falling,
            _ => Direction::Both,
        };
        let action = if table.text("action") == Some("stop") { EventAction::Stop } else { EventAction::Record };
        events.push(Event { name: event.to_owned(), watched, value, direction, action });
    }
    events
}
