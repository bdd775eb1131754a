//! What a run has told so far, for readers that come and go.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::Serialize;
use supple_io::results::Summary;

use crate::columns::ColumnRecorder;
use crate::motion::FrameStore;
use crate::numbers::Singles;
use crate::page;
use crate::recording::{Origin, Recording};
use crate::report::Run;
use crate::scene::Scene;

/// Rows that are held for readers; one that is slower misses some.
const HELD: usize = 4096;
/// Most rows of one event.
const MOST_ROWS: usize = 256;

/// A run that goes on.
#[derive(Debug)]
pub struct Broadcast {
    inner: Mutex<Inner>,
    changed: Condvar,
}

#[derive(Debug)]
struct Inner {
    scene: Scene,
    origin: Origin,
    summary: Summary,
    frames: FrameStore,
    columns: ColumnRecorder,
    held: VecDeque<Row>,
    /// Rows so far.
    rows: u64,
    over: bool,
}

/// A row on its way to a page.
#[derive(Clone, Debug, Serialize)]
struct Row {
    time: f64,
    frame: Singles,
    values: Singles,
}

/// What a reader is told.
#[derive(Clone, Debug, PartialEq)]
pub enum News {
    /// Rows, as JSON, and the number to ask from next.
    Rows(String, u64),
    /// How the run ended, as JSON.
    Over(String),
    /// Nothing yet.
    Nothing,
}

impl Broadcast {
    /// A run that has told nothing yet.
    pub fn new(scene: Scene, origin: Origin, summary: Summary) -> Self {
        let columns = ColumnRecorder::new(&summary.columns);
        let frames = FrameStore::new(&scene);
        let inner = Inner { scene, origin, summary, frames, columns, held: VecDeque::new(), rows: 0, over: false };
        Self { inner: Mutex::new(inner), changed: Condvar::new() }
    }

    /// A reader that panicked has changed nothing.
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells a row: time and numbers of the columns, with its frame.
    pub fn tell(&self, row: &[f64], frame: &[f32]) {
        let Some((time, values)) = row.split_first() else { return };
        let mut inner = self.lock();
        inner.frames.take(*time, frame);
        inner.columns.take(row);
        inner.summary.end_time = *time;
        if inner.held.len() == HELD {
            inner.held.pop_front();
        }
        let values = Singles(values.iter().map(|x| *x as f32).collect());
        inner.held.push_back(Row { time: *time, frame: Singles(frame.to_vec()), values });
        inner.rows += 1;
        self.changed.notify_all();
    }

    /// Tells how the run ended.
    pub fn end(&self, summary: &Summary) {
        let mut inner = self.lock();
        inner.summary = summary.clone();
        inner.over = true;
        self.changed.notify_all();
    }

    /// The page with everything so far.
    pub fn page(&self) -> String {
        let inner = self.lock();
        let label = format!("{} of {}", inner.summary.scenario, inner.summary.model);
        let recording = Recording::new(inner.scene.clone(), inner.frames.motion().clone(), inner.origin.clone());
        let run = Run { label, summary: inner.summary.clone(), recording, table: inner.columns.columns() };
        let (over, rows) = (inner.over, inner.rows);
        drop(inner);
        if over { page::of_run(&run) } else { page::of_live(&run, rows) }
    }

    /// Rows from number `from` on; waits a while where there are none.
    pub fn news(&self, from: u64, patience: Duration) -> News {
        let inner = self.lock();
        let quiet = |inner: &mut Inner| inner.rows <= from && !inner.over;
        let waited = self.changed.wait_timeout_while(inner, patience, quiet);
        let inner = waited.unwrap_or_else(PoisonError::into_inner).0;
        let first = inner.rows - inner.held.len() as u64;
        // A number from the future is that of an earlier run of the same address: it starts anew.
        let from = if from > inner.rows { first } else { from.max(first) };
        let rows: Vec<&Row> = inner.held.iter().skip((from - first) as usize).take(MOST_ROWS).collect();
        if !rows.is_empty() {
            let next = from + rows.len() as u64;
            return News::Rows(serde_json::to_string(&rows).unwrap_or_default(), next);
        }
        if inner.over {
            return News::Over(serde_json::to_string(&inner.summary).unwrap_or_default());
        }
        News::Nothing
    }
}
