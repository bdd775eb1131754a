//! Rows in the order of their times: of a run that goes on as they come, of one that has ended at a chosen speed.

use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use supple_io::results::{CsvReader, Heads, ResultsError};

use crate::live::Broadcast;
use crate::live::broadcast::Told;
use crate::motion::Motion;

/// How long a recorded run rests at its end before it begins again.
const REST: Duration = Duration::from_secs(2);

/// What a player has next.
#[derive(Debug)]
pub enum Next {
    /// A row.
    Row(Arc<Told>),
    /// Nothing yet.
    Nothing,
    /// Nothing any more.
    Over,
}

/// Where rows come from.
#[derive(Debug)]
pub enum Player {
    /// A run that goes on.
    Live(LivePlayer),
    /// One that has ended.
    Recorded(Box<RecordedPlayer>),
}

impl Player {
    /// The next row; waits a while for it.
    ///
    /// # Errors
    /// Results that cannot be read.
    pub fn next(&mut self, patience: Duration) -> Result<Next, ResultsError> {
        match self {
            Self::Live(player) => Ok(player.next(patience)),
            Self::Recorded(player) => player.next(patience),
        }
    }
}

/// Follows a run that goes on, from the first row that is still held.
#[derive(Debug)]
pub struct LivePlayer {
    run: Arc<Broadcast>,
    from: u64,
    batch: std::vec::IntoIter<Arc<Told>>,
    over: bool,
}

impl LivePlayer {
    /// At the first row.
    pub fn new(run: Arc<Broadcast>) -> Self {
        Self { run, from: 0, batch: Vec::new().into_iter(), over: false }
    }

    fn next(&mut self, patience: Duration) -> Next {
        if self.batch.len() == 0 && !self.over {
            let told = self.run.rows(self.from, patience);
            (self.from, self.over, self.batch) = (told.next, told.over, told.rows.into_iter());
        }
        match self.batch.next() {
            Some(row) => Next::Row(row),
            None if self.over => Next::Over,
            None => Next::Nothing,
        }
    }
}

/// A run that has ended.
#[derive(Clone, Debug)]
pub struct RecordedRun {
    /// Its table.
    pub csv: PathBuf,
    /// The heads of the table.
    pub heads: Heads,
    /// Its motion.
    pub motion: Motion,
    /// Numbers of a frame of the motion.
    pub frame_length: usize,
    /// Simulated seconds per second of the clock; everything at once, and once, if none.
    pub speed: Option<f64>,
}

impl RecordedRun {
    /// The frame of a row; empty where it has none.
    fn frame(&self, row: u64) -> &[f32] {
        let (frames, stride) = (self.motion.len(), self.motion.stride.max(1));
        let regular = frames - usize::from(self.motion.last.is_some() && frames > 0);
        let index = match usize::try_from(row / stride) {
            Ok(index) if row.is_multiple_of(stride) && index < regular => index,
            _ if self.motion.last == Some(row) && frames > 0 => frames - 1,
            _ => return &[],
        };
        self.motion.frames.0.chunks(self.frame_length.max(1)).nth(index).unwrap_or_default()
    }
}

/// Plays a run that has ended, again and again.
#[derive(Debug)]
pub struct RecordedPlayer {
    run: Arc<RecordedRun>,
    reader: CsvReader,
    rows: u64,
    /// A row that is not due yet.
    waiting: Option<Told>,
    /// Time of the clock and simulated time of the first row.
    begun: Option<(Instant, f64)>,
    /// When the end was reached.
    ended: Option<Instant>,
}

impl RecordedPlayer {
    /// At the first row.
    ///
    /// # Errors
    /// Results that cannot be read.
    pub fn new(run: Arc<RecordedRun>) -> Result<Self, ResultsError> {
        let reader = open(&run)?;
        Ok(Self { run, reader, rows: 0, waiting: None, begun: None, ended: None })
    }

    fn next(&mut self, patience: Duration) -> Result<Next, ResultsError> {
        if let Some(ended) = self.ended {
            if self.run.speed.is_none() {
                return Ok(Next::Over);
            }
            let left = REST.saturating_sub(ended.elapsed());
            if !left.is_zero() {
                thread::sleep(left.min(patience));
                return Ok(Next::Nothing);
            }
            *self = Self::new(Arc::clone(&self.run))?;
        }
        if self.waiting.is_none() {
            let mut row = Vec::with_capacity(self.run.heads.len());
            if !self.reader.next(&mut row)? {
                self.ended = Some(Instant::now());
                return Ok(Next::Nothing);
            }
            self.waiting = Some(Told { row, frame: self.run.frame(self.rows).to_vec() });
            self.rows += 1;
        }
        let time = self.waiting.as_ref().and_then(|told| told.row.first()).copied().unwrap_or_default();
        let (begun, from) = *self.begun.get_or_insert((Instant::now(), time));
        let early = self.run.speed.map_or(Duration::ZERO, |speed| {
            // A time beyond what a duration can hold never comes.
            let due = Duration::try_from_secs_f64(((time - from) / speed).max(0.0)).unwrap_or(Duration::MAX);
            due.saturating_sub(begun.elapsed())
        });
        if early > patience {
            thread::sleep(patience);
            return Ok(Next::Nothing);
        }
        thread::sleep(early);
        Ok(self.waiting.take().map_or(Next::Nothing, |told| Next::Row(Arc::new(told))))
    }
}

/// Opens the table and looks whether it is still that of the run.
fn open(run: &RecordedRun) -> Result<CsvReader, ResultsError> {
    let reader = CsvReader::open(&run.csv)?;
    if *reader.heads() == run.heads {
        return Ok(reader);
    }
    Err(ResultsError::Format {
        path: run.csv.clone(),
        reason: "the columns have changed; restart `supple view`".to_owned(),
    })
}
