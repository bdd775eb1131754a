//! The runs of a study over the cores of one machine.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use supple_io::results::{self, create_folder};

use super::gpu::AT_ONCE;
use super::parts::{PartWriter, done_runs};
use super::together::rows_of;
use super::{Manifest, Row, RunSet, RunStatus, Runner, Study};
use crate::lock::FolderLock;
use crate::{Existing, Interrupt, RunError, RunErrorKind};

/// How often progress is shown.
const PERIOD: Duration = Duration::from_millis(200);

/// How a study is run.
#[derive(Clone, Debug)]
pub struct SweepOptions {
    /// Where its parts go.
    pub folder: PathBuf,
    /// Which runs.
    pub runs: Range<u64>,
    /// Threads.
    pub jobs: usize,
    /// What happens where some of these runs are there: refused, all of the folder replaced, or the missing ones made.
    pub existing: Existing,
    /// Ends the sweep early. Runs that are complete are kept.
    pub interrupt: Interrupt,
}

impl SweepOptions {
    /// All runs of a study, on all cores, into its folder.
    pub fn new(study: &Study) -> Self {
        Self {
            folder: study.folder(),
            runs: 0..study.runs(),
            jobs: thread::available_parallelism().map_or(1, std::num::NonZero::get),
            existing: Existing::Refuse,
            interrupt: Interrupt::default(),
        }
    }
}

/// How far a sweep has come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SweepProgress {
    /// Runs made by this sweep.
    pub made: u64,
    /// How many of them failed.
    pub failed: u64,
    /// Runs that were there before.
    pub before: u64,
    /// Runs that were asked for, with those.
    pub asked: u64,
    /// Time since the start.
    pub elapsed: Duration,
}

/// What a sweep did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Swept {
    /// How far it came.
    pub progress: SweepProgress,
    /// Whether it was interrupted before its end.
    pub interrupted: bool,
}

/// Makes runs of a study and writes their rows as parts. A sweep that was killed goes on with [`Existing::Resume`]: runs whose rows are there are
/// not made again. A run that fails is a row; only what cannot be written ends a sweep.
///
/// # Errors
/// Runs that are there already; a folder of another study, or one in which another process makes the same runs; a place that cannot be written.
pub fn sweep(study: &Study, options: &SweepOptions, watch: &mut dyn FnMut(&SweepProgress)) -> Result<Swept, RunError> {
    let folder = &options.folder;
    create_folder(folder, results::Existing::Replace)?;
    let replace = options.existing == Existing::Replace;
    let _lock = occupy(folder, &if replace { 0..u64::MAX } else { options.runs.clone() })?;
    if replace {
        Manifest::discard(folder)?;
    }
    Manifest::claim(study, folder)?;
    let todo = done_runs(folder)?.missing(options.runs.clone());
    let asked = options.runs.end.saturating_sub(options.runs.start);
    let before = asked - todo.len();
    if before > 0 && options.existing == Existing::Refuse {
        return Err(RunError::new(RunErrorKind::Exists, format!("{before} of {asked} runs exist already"))
            .with_remedy("resume to make the others, replace all, or choose another folder")
            .at(folder));
    }
    let mut parts = PartWriter::new(study, folder)?;
    let mut progress = SweepProgress { made: 0, failed: 0, before, asked, elapsed: Duration::ZERO };
    let started = Instant::now();
    let written = thread::scope(|scope| {
        let rows = start(scope, study, options, todo);
        let mut take = || -> Result<(), RunError> {
            loop {
                match rows.recv_timeout(PERIOD) {
                    Ok(row) => {
                        let row = row?;
                        progress.made += 1;
                        progress.failed += u64::from(row.status == RunStatus::Failed);
                        parts.append(row)?;
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => return parts.flush(),
                }
                progress.elapsed = started.elapsed();
                watch(&progress);
            }
        };
        // Whoever waits for room in the channel finds it closed.
        take().inspect_err(|_| options.interrupt.interrupt())
    });
    written?;
    progress.elapsed = started.elapsed();
    Ok(Swept { progress, interrupted: progress.before + progress.made < asked })
}

/// Starts the threads, each with a runner of its own or one for a GPU, and gives what they make.
fn start<'s>(
    scope: &'s thread::Scope<'s, '_>,
    study: &Study,
    options: &SweepOptions,
    todo: RunSet,
) -> mpsc::Receiver<Result<Row, RunError>> {
    let jobs = options.jobs.max(1);
    let (sender, rows) = mpsc::sync_channel(4 * jobs);
    if study.gpu().is_some() {
        let (study, interrupt) = (study.clone(), options.interrupt.clone());
        scope.spawn(move || {
            let mut todo = todo.into_ranges().into_iter().flatten();
            let next = || Some(todo.by_ref().take(AT_ONCE).collect::<Vec<u64>>()).filter(|runs| !runs.is_empty());
            for runs in std::iter::from_fn(next).take_while(|_| !interrupt.is_set()) {
                let made = rows_of(&study, &runs, jobs, &interrupt);
                let sent = match made {
                    Ok(rows) => rows.into_iter().try_for_each(|row| sender.send(Ok(row))),
                    Err(error) => sender.send(Err(error)),
                };
                if sent.is_err() {
                    break;
                }
            }
        });
        return rows;
    }
    let next = std::sync::Arc::new(Mutex::new(todo.into_ranges().into_iter().flatten()));
    for _ in 0..jobs {
        let (sender, next) = (sender.clone(), next.clone());
        let (mut runner, interrupt) = (Runner::new(study), options.interrupt.clone());
        scope.spawn(move || {
            while !interrupt.is_set() {
                let Some(run) = next.lock().unwrap_or_else(PoisonError::into_inner).next() else { break };
                let Some(row) = runner.run_until(run, &interrupt) else { break };
                if sender.send(Ok(row)).is_err() {
                    break;
                }
            }
        });
    }
    rows
}

/// Keeps other processes from making the same runs; those with others may write here, too.
fn occupy(folder: &Path, runs: &Range<u64>) -> Result<Option<FolderLock>, RunError> {
    let name = |runs: &Range<u64>| format!(".runs-{}-{}.lock", runs.start, runs.end);
    let own = FolderLock::take_named(folder, &name(runs))?;
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    for found in entries.filter_map(|entry| entry.file_name().into_string().ok()) {
        let range = found.strip_prefix(".runs-").and_then(|rest| rest.strip_suffix(".lock")).and_then(|rest| {
            let (start, end) = rest.split_once('-')?;
            Some(start.parse::<u64>().ok()?..end.parse::<u64>().ok()?)
        });
        let overlaps = range.is_some_and(|other| other != *runs && other.start < runs.end && runs.start < other.end);
        if overlaps {
            // What nobody holds is left of a process that was killed.
            FolderLock::take_named(folder, &found)?;
        }
    }
    Ok(own)
}
