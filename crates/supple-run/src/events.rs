//! Events of a run.

use serde::{Deserialize, Serialize};
use supple_io::results::{ActionSummary, EventSummary};
use supple_io::scenario_file::{Scenario, Trigger};

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
    /// How many of the events at times have happened.
    #[serde(default)]
    pub timed: usize,
    /// What events did: the place of the event in the list, and the action.
    #[serde(default)]
    pub actions: Vec<(usize, ActionSummary)>,
}

/// Lists the events of a scenario.
pub struct EventLog {
    events: usize,
    /// Events at times, in the order of time.
    timed: Vec<(f64, usize)>,
    record: EventRecord,
}

impl EventLog {
    /// Nothing happened.
    pub fn new(scenario: &Scenario) -> Self {
        let at = |(i, trigger): (usize, &Trigger)| match trigger {
            Trigger::Time(time) => Some((*time, i)),
            Trigger::Crossing { .. } => None,
        };
        let mut timed: Vec<(f64, usize)> =
            scenario.events.iter().map(|event| &event.trigger).enumerate().filter_map(at).collect();
        timed.sort_by(|a, b| a.0.total_cmp(&b.0));
        Self { events: scenario.events.len(), timed, record: EventRecord::default() }
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

    /// The next event at a time, and its time.
    pub fn next_timed(&self) -> Option<(f64, usize)> {
        self.timed.get(self.record.timed).copied()
    }

    /// The next event at a time happens.
    pub fn pass_timed(&mut self) {
        self.record.timed += 1;
    }

    /// An event happened, and did this.
    pub fn add(&mut self, time: f64, event: usize, actions: Vec<ActionSummary>) {
        if self.record.listed.len() == LISTED {
            self.record.more += 1;
            return;
        }
        let place = self.record.listed.len();
        self.record.listed.push((time, event));
        self.record.actions.extend(actions.into_iter().map(|action| (place, action)));
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
        let mut events: Vec<EventSummary> = self
            .record
            .listed
            .iter()
            .map(|(time, event)| EventSummary::new(*time, scenario.events[*event].name.clone()))
            .collect();
        for (place, action) in &self.record.actions {
            if let Some(event) = events.get_mut(*place) {
                event.actions.push(action.clone());
            }
        }
        (events, self.record.more)
    }
}
