//! Runs of a study that are made together.

use std::thread;

use super::{Row, Runner, Study};
use crate::{Interrupt, RunError};

/// Makes runs of a study and gives their rows by their numbers, on a GPU where that was asked for, with so many threads for what is done on the processor; none of them where it was interrupted.
///
/// # Errors
/// What the GPU says.
pub fn rows_of(study: &Study, runs: &[u64], jobs: usize, interrupt: &Interrupt) -> Result<Vec<Row>, RunError> {
    let mut rows = match study.gpu() {
        Some(gpu) => gpu.rows(study, runs, (jobs, interrupt))?,
        None => by_engine(study, runs, (jobs, interrupt)),
    };
    rows.sort_by_key(|row| row.run);
    Ok(if rows.len() == runs.len() { rows } else { Vec::new() })
}

/// Makes runs one by one; some are missing where it was interrupted.
pub(super) fn by_engine(study: &Study, runs: &[u64], (jobs, interrupt): (usize, &Interrupt)) -> Vec<Row> {
    let mut made: Vec<(u64, Option<Row>)> = runs.iter().map(|run| (*run, None)).collect();
    each(jobs, &mut made, |(run, row)| *row = Runner::new(study).run_until(*run, interrupt));
    made.into_iter().filter_map(|(_, row)| row).collect()
}

/// Does something with each entry of a list, on so many threads.
pub(super) fn each<T: Send>(jobs: usize, list: &mut [T], act: impl Fn(&mut T) + Sync) {
    let (size, act) = (list.len().div_ceil(jobs.max(1)).max(1), &act);
    thread::scope(|scope| {
        for part in list.chunks_mut(size) {
            scope.spawn(move || part.iter_mut().for_each(act));
        }
    });
}
