//! The rows of a live run so far, for readers that connect and disconnect.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::Serialize;
use supple_io::results::{Summary, Warning};

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
    held: VecDeque<Arc<Told>>,
    /// Rows so far.
    rows: u64,
    warnings: Vec<Warning>,
    over: bool,
}

/// A row.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Told {
    /// Time, then a number per column.
    pub row: Vec<f64>,
    /// Its frame of the motion; empty where there is none.
    pub frame: Vec<f32>,
}

/// Rows from a number on.
#[derive(Clone, Debug)]
pub struct Rows {
    /// The rows.
    pub rows: Vec<Arc<Told>>,
    /// The number to ask from next.
    pub next: u64,
    /// Whether there will be no more.
    pub over: bool,
}

/// A row on its way to a page.
#[derive(Serialize)]
struct PageRow {
    time: f64,
    frame: Singles,
    values: Singles,
}

impl PageRow {
    fn new(told: &Told) -> Self {
        let (time, values) = told.row.split_first().map_or((0.0, &[][..]), |(time, values)| (*time, values));
        let values = values.iter().map(|x| *x as f32).collect();
        Self { time, frame: Singles(told.frame.clone()), values: Singles(values) }
    }
}

/// A message to a reader.
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
    /// A run without rows yet.
    pub fn new(scene: Scene, origin: Origin, summary: Summary) -> Self {
        let columns = ColumnRecorder::new(&summary.columns);
        let frames = FrameStore::new(&scene);
        let (held, warnings) = (VecDeque::new(), Vec::new());
        let inner = Inner { scene, origin, summary, frames, columns, held, rows: 0, warnings, over: false };
        Self { inner: Mutex::new(inner), changed: Condvar::new() }
    }

    /// A reader that panicked has changed nothing.
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells a row: time and numbers of the columns, with its frame.
    pub fn tell(&self, row: &[f64], frame: &[f32]) {
        let Some(time) = row.first() else { return };
        let mut inner = self.lock();
        inner.frames.take(*time, frame);
        inner.columns.take(row);
        inner.summary.end_time = *time;
        if inner.held.len() == HELD {
            inner.held.pop_front();
        }
        inner.held.push_back(Arc::new(Told { row: row.to_vec(), frame: frame.to_vec() }));
        inner.rows += 1;
        self.changed.notify_all();
    }

    /// Tells a warning.
    pub fn warn(&self, warning: &Warning) {
        let mut inner = self.lock();
        inner.summary.warnings.push(warning.text.clone());
        inner.warnings.push(warning.clone());
        self.changed.notify_all();
    }

    /// The warnings from number `from` on.
    pub fn warnings(&self, from: usize) -> Vec<Warning> {
        self.lock().warnings.get(from..).unwrap_or_default().to_vec()
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

    /// Rows from number `from` on, for a page; waits a while where there are none.
    pub fn news(&self, from: u64, patience: Duration) -> News {
        let Rows { rows, next, over } = self.rows(from, patience);
        if !rows.is_empty() {
            let rows: Vec<PageRow> = rows.iter().map(|told| PageRow::new(told)).collect();
            return News::Rows(serde_json::to_string(&rows).unwrap_or_default(), next);
        }
        if over {
            return News::Over(serde_json::to_string(&self.lock().summary).unwrap_or_default());
        }
        News::Nothing
    }

    /// Rows from number `from` on; waits a while where there are none.
    pub fn rows(&self, from: u64, patience: Duration) -> Rows {
        let inner = self.lock();
        let quiet = |inner: &mut Inner| inner.rows <= from && !inner.over;
        let waited = self.changed.wait_timeout_while(inner, patience, quiet);
        let inner = waited.unwrap_or_else(PoisonError::into_inner).0;
        let first = inner.rows - inner.held.len() as u64;
        // A number from the future is that of an earlier run of the same address: it starts anew.
        let from = if from > inner.rows { first } else { from.max(first) };
        let rows: Vec<Arc<Told>> = inner.held.iter().skip((from - first) as usize).take(MOST_ROWS).cloned().collect();
        let next = from + rows.len() as u64;
        Rows { over: inner.over && next == inner.rows, rows, next }
    }

    /// The system.
    pub fn scene(&self) -> Scene {
        self.lock().scene.clone()
    }

    /// How it goes.
    pub fn summary(&self) -> Summary {
        self.lock().summary.clone()
    }
}
