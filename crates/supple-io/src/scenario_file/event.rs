//! Events of a run: when they happen, and what they do.

use std::collections::HashMap;
use std::ops::Range;

use supple::State;

use super::lock::{Lock, texts};
use super::names::Names;
use super::quantity::{Watched, of_node, quantities};
use crate::document::{Table, Value};
use crate::model_file::ModelFile;
use crate::source::{Report, Rule, Source};

/// How far the frames of a closure may miss each other when it closes, m or rad.
const MISS: f64 = 1e-6;
/// Closing speed below which a closure does not rebound any more, m/s or rad/s.
const REST_SPEED: f64 = 1e-4;

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

/// Whether the run goes on after an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventAction {
    /// It is recorded.
    Record,
    /// It is recorded, and the run ends there.
    Stop,
}

/// When an event happens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Trigger {
    /// At a time.
    Time(f64),
    /// Where a quantity crosses a value.
    Crossing {
        /// The quantity.
        watched: Watched,
        /// The value that it crosses.
        value: f64,
        /// Which way.
        direction: Direction,
    },
}

/// What an event does to closures, by their places in the model. Hinges that it locks and unlocks are among them.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Switch {
    /// Closures that open.
    pub open: Vec<usize>,
    /// Closures that close with their frames where they are.
    pub hold: Vec<usize>,
    /// Closures that close where the model says.
    pub close: Vec<usize>,
    /// Coefficient of restitution of each closure that closes, from 0 to 1; what is held has none.
    pub restitution: Vec<f64>,
    /// Closing speed below which nothing rebounds.
    pub rest_speed: f64,
    /// How far frames may miss each other where they close, m or rad.
    pub tolerance: f64,
}

impl Switch {
    /// Whether it does nothing.
    pub fn is_empty(&self) -> bool {
        self.open.is_empty() && self.hold.is_empty() && self.close.is_empty()
    }

    /// Whether closures that are `closed` are as it wants them.
    pub fn is_done(&self, closed: &[bool]) -> bool {
        let is = |i: &usize, wanted: bool| closed.get(*i) == Some(&wanted);
        self.open.iter().all(|i| is(i, false)) && self.hold.iter().chain(&self.close).all(|i| is(i, true))
    }
}

/// An event.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Its name, which no other event has.
    pub name: String,
    /// When it happens.
    pub trigger: Trigger,
    /// What it does.
    pub switch: Switch,
    /// Whether the run goes on.
    pub action: EventAction,
}

/// Reads the events of a scenario; what is wrong with them is reported.
pub(super) struct Events<'r> {
    pub(super) source: &'r Source,
    pub(super) report: &'r mut Report,
    pub(super) file: &'r ModelFile,
    pub(super) names: &'r Names<'r>,
    /// Hinges that can be locked.
    pub(super) locks: &'r [Lock],
}

impl Events<'_> {
    fn add(&mut self, span: Range<usize>, rule: Rule) {
        self.report.add(self.source, span, rule);
    }

    /// The events of the tables.
    pub(super) fn read(&mut self, tables: &[Table<'_>]) -> Vec<Event> {
        if tables.is_empty() {
            return Vec::new();
        }
        let all = quantities(&self.file.model);
        let mut places: HashMap<&str, Option<Watched>> = HashMap::new();
        for (name, watched) in &all {
            places.entry(name).and_modify(|place| *place = None).or_insert(Some(*watched));
        }
        let mut named: HashMap<&str, Range<usize>> = HashMap::new();
        let mut events = Vec::new();
        for table in tables {
            let Some((name, text)) = table.get("name").and_then(|name| Some((name, name.text()?))) else { continue };
            let first = named.entry(text).or_insert(name.span()).clone();
            if first != name.span() {
                let first_line = self.source.place(first).line;
                let rule = Rule::DuplicateName { kind: "event", name: text.to_owned(), first_line };
                self.add(name.span(), rule);
            }
            let trigger = self.trigger(*table, &places, &all);
            let switch = self.switch(*table);
            let action = if table.text("action") == Some("stop") { EventAction::Stop } else { EventAction::Record };
            if let Some(trigger) = trigger {
                events.push(Event { name: text.to_owned(), trigger, switch, action });
            }
        }
        events
    }

    fn trigger(
        &mut self,
        table: Table<'_>,
        places: &HashMap<&str, Option<Watched>>,
        all: &[(String, Watched)],
    ) -> Option<Trigger> {
        let Some(quantity) = table.get("quantity") else {
            for key in ["value", "direction"] {
                if let Some(value) = table.get(key) {
                    let because = "this event happens at a time".into();
                    self.add(value.span(), Rule::Useless { key: key.into(), because });
                }
            }
            return table.number("time").map(Trigger::Time);
        };
        if table.get("value").is_none() {
            self.add(table.span(), Rule::MissingKey { key: "value", meaning: "threshold" });
        }
        let text = quantity.text()?;
        let of_node = || of_node(&self.file.model, text).map(Some);
        let watched = match places.get(text).copied().or_else(of_node) {
            Some(Some(watched)) => watched,
            Some(None) => {
                let what = format!("two quantities are named `{text}`");
                let expected = "unique names of quantities: rename the body or the hinge".into();
                self.add(quantity.span(), Rule::Mismatch { what, expected });
                return None;
            }
            None => {
                let known = self.report.names(all.iter().map(|(name, _)| name.as_str()));
                let rule = Rule::UnknownName { kind: "quantity", name: text.to_owned(), known };
                self.add(quantity.span(), rule);
                return None;
            }
        };
        let direction = match table.text("direction") {
            Some("rising") => Direction::Rising,
            Some("falling") => Direction::Falling,
            _ => Direction::Both,
        };
        Some(Trigger::Crossing { watched, value: table.number("value")?, direction })
    }

    /// What an event does to closures and hinges.
    fn switch(&mut self, table: Table<'_>) -> Switch {
        let mut open = self.closures(table, "open");
        open.extend(self.hinges(table, "unlock"));
        let (mut close, mut hold) = (self.closures(table, "close"), self.hinges(table, "lock"));
        for (word, key, others) in [("closed", "close", &close), ("locked", "lock", &hold)] {
            if others.iter().any(|closure| open.contains(closure)) {
                let opened = if key == "close" { "opened" } else { "unlocked" };
                let what = format!("a name is {word} and {opened} by the same event");
                self.add(table.span_of(key), Rule::Mismatch { what, expected: "two events, or one of the two".into() });
            }
        }
        for key in ["restitution", "rest_speed", "as_is", "tolerance"] {
            if let Some(value) = table.get(key).filter(|_| table.get("close").is_none()) {
                let because = "it applies to closures that `close`".into();
                self.add(value.span(), Rule::Useless { key: key.into(), because });
            }
        }
        let chosen = table.number("restitution");
        if let Some(restitution) = chosen.filter(|restitution| *restitution > 1.0) {
            let expected = "a number from 0 to 1".into();
            let rule = Rule::Range { quantity: "restitution".into(), value: restitution, expected };
            self.add(table.span_of("restitution"), rule);
        }
        if table.get("as_is").and_then(Value::flag) == Some(true) {
            for (key, because) in [
                ("restitution", "frames that are held as they are do not rebound"),
                ("tolerance", "frames are held as they are"),
            ] {
                if let Some(value) = table.get(key) {
                    self.add(value.span(), Rule::Useless { key: key.into(), because: because.into() });
                }
            }
            hold.append(&mut close);
        }
        let own = |i: &usize| chosen.unwrap_or(self.file.model.closures()[*i].restitution);
        let restitution: Vec<f64> = close.iter().map(own).collect();
        let rebounds = restitution.iter().any(|e| *e > 0.0);
        if let Some(value) = table.get("rest_speed").filter(|_| !rebounds && !close.is_empty()) {
            let because = "nothing rebounds without a `restitution`".into();
            self.add(value.span(), Rule::Useless { key: "rest_speed".into(), because });
        }
        Switch {
            open,
            hold,
            close,
            restitution,
            rest_speed: table.number("rest_speed").unwrap_or(REST_SPEED),
            tolerance: table.number("tolerance").unwrap_or(MISS),
        }
    }

    /// Opens the closures of the table `initial` and all locks. Gives the closures of the hinges that start locked, which must be at rest.
    pub(super) fn start(&mut self, initial: Option<Table<'_>>, state: &mut State) -> Vec<usize> {
        self.locks.iter().flat_map(|lock| &lock.closures).for_each(|lock| state.closed[*lock] = false);
        let Some(initial) = initial else { return Vec::new() };
        self.closures(initial, "open").into_iter().for_each(|closure| state.closed[closure] = false);
        for (name, value) in texts(initial, "locked") {
            let Some(body) = self.names.hinge(name) else { continue };
            let speed = state.speeds[self.file.model.hinge_speeds(body)].iter().find(|speed| **speed != 0.0);
            if let Some(speed) = speed {
                let what = format!("hinge `{name}` starts locked, with a speed of {speed}");
                let expected = format!("no speed of `{name}` in `initial.hinge_speeds`");
                self.add(value.span(), Rule::Mismatch { what, expected });
            }
        }
        self.hinges(initial, "locked")
    }

    /// The closures of a list of names; locks of hinges are not among those that can be named.
    pub(super) fn closures(&mut self, table: Table<'_>, key: &str) -> Vec<usize> {
        let locks: usize = self.locks.iter().map(|lock| lock.closures.len()).sum();
        let closures = &self.file.system.closures[..self.file.system.closures.len() - locks];
        let names = || closures.iter().filter_map(|closure| closure.name.as_deref());
        let mut found = Vec::new();
        for (name, value) in texts(table, key) {
            match closures.iter().position(|closure| closure.name.as_deref() == Some(name)) {
                Some(closure) if found.contains(&closure) => {}
                Some(closure) => found.push(closure),
                None => {
                    let known = self.report.names(names());
                    let rule = Rule::UnknownName { kind: "closure", name: name.to_owned(), known };
                    self.report.add(self.source, value.span(), rule);
                }
            }
        }
        found
    }

    /// The closures of the locks of a list of hinges; names that are unknown are reported already.
    pub(super) fn hinges(&self, table: Table<'_>, key: &str) -> Vec<usize> {
        let mut found: Vec<usize> = Vec::new();
        for (name, _) in texts(table, key) {
            let lock = self.names.hinge(name).and_then(|body| self.locks.iter().find(|lock| lock.body == body));
            let new = lock.into_iter().flat_map(|lock| &lock.closures).copied();
            found.extend(new.filter(|closure| !found.contains(closure)).collect::<Vec<_>>());
        }
        found
    }
}
