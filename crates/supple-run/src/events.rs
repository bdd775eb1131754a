//! Events of a run.

use serde::{Deserialize, Serialize};
use supple_io::results::EventSummary;
use supple_io::scenario_file::Scenario;

/// Events that are listed; more are counted. A watch on a fast vibration could name millions.
const LISTED: usize = 10_000;

/// What happened so far, by the numbers of the events in the scenario.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EventRecord {
    /// Time and event, in the order of time.
    pub listed: Vec<(f64, usize)>,
    /// How many are not listed.
    pub more: u64,
    /// The event that ended the run.
    pub stopped: Option<usize>,
}

/// Lists the events of a scenario.
pub struct EventLog {
    events: usize,
    record: EventRecord,
}

impl EventLog {
    /// Nothing happened.
    pub fn new(scenario: &Scenario) -> Self {
        Self { events: scenario.events.len(), record: EventRecord::default() }
    }

    /// What happened so far.
    pub fn record(&self) -> &EventRecord {
        &self.record
    }

    /// Goes on from what happened earlier.
    pub fn restore(&mut self, record: &EventRecord) -> Result<(), String> {
        let numbers = record.listed.iter().map(|(_, event)| *event).chain(record.stopped);
        if let Some(number) = numbers.into_iter().find(|event| *event >= self.events) {
            return Err(format!("the checkpoint names event {number}, the scenario has {}", self.events));
        }
        self.record = record.clone();
        Ok(())
    }

    /// More that happened.
    pub fn extend(&mut self, events: Vec<(f64, usize)>) {
        let room = LISTED.saturating_sub(self.record.listed.len()).min(events.len());
        self.record.listed.extend_from_slice(&events[..room]);
        self.record.more += (events.len() - room) as u64;
    }

    /// The run ends with this event.
    pub fn stop(&mut self, event: usize) {
        self.record.stopped = Some(event);
    }

    /// The event that the run ended with.
    pub fn stopped(&self) -> Option<usize> {
        self.record.stopped
    }

    /// Events by name, and how many are not listed.
    pub fn summary(&self, scenario: &Scenario) -> (Vec<EventSummary>, u64) {
        let told =
            |(time, event): &(f64, usize)| EventSummary { time: *time, name: scenario.events[*event].name.clone() };
        (self.record.listed.iter().map(told).collect(), self.record.more)
    }
}
