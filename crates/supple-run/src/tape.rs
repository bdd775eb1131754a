//! Rows on their way from a loop that must not wait to a writer that may.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A ring of rows without locks: one side pushes, the other takes. Numbers are kept as their bits.
#[derive(Debug)]
pub(crate) struct Tape {
    cells: Vec<AtomicU64>,
    columns: usize,
    rows: u64,
    /// Rows so far that were pushed, and taken.
    pushed: AtomicU64,
    taken: AtomicU64,
}

impl Tape {
    pub fn new(columns: usize, rows: usize) -> Arc<Self> {
        let cells = (0..columns * rows).map(|_| AtomicU64::new(0)).collect();
        let (pushed, taken) = (AtomicU64::new(0), AtomicU64::new(0));
        Arc::new(Self { cells, columns, rows: rows as u64, pushed, taken })
    }

    fn place(&self, row: u64) -> &[AtomicU64] {
        let first = (row % self.rows) as usize * self.columns;
        &self.cells[first..first + self.columns]
    }

    /// Pushes a row; false where there is no room.
    pub fn push(&self, row: impl Iterator<Item = f64>) -> bool {
        let next = self.pushed.load(Ordering::Relaxed);
        if next - self.taken.load(Ordering::Acquire) >= self.rows {
            return false;
        }
        for (cell, value) in self.place(next).iter().zip(row) {
            cell.store(value.to_bits(), Ordering::Relaxed);
        }
        self.pushed.store(next + 1, Ordering::Release);
        true
    }

    /// Takes the oldest row; false where there is none.
    pub fn take(&self, row: &mut [f64]) -> bool {
        let next = self.taken.load(Ordering::Relaxed);
        if next == self.pushed.load(Ordering::Acquire) {
            return false;
        }
        for (value, cell) in row.iter_mut().zip(self.place(next)) {
            *value = f64::from_bits(cell.load(Ordering::Relaxed));
        }
        self.taken.store(next + 1, Ordering::Release);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_in_order_and_whole() {
        let tape = Tape::new(3, 7);
        let reader = Arc::clone(&tape);
        let taken = std::thread::spawn(move || {
            let (mut row, mut next) = ([0.0; 3], 0.0);
            while next < 20_000.0 {
                if reader.take(&mut row) {
                    assert_eq!(row, [next, -next, 0.5 * next]);
                    next += 1.0;
                } else {
                    std::thread::yield_now();
                }
            }
        });
        let mut k = 0.0;
        while k < 20_000.0 {
            if tape.push([k, -k, 0.5 * k].into_iter()) {
                k += 1.0;
            } else {
                std::thread::yield_now();
            }
        }
        taken.join().unwrap();
        (0..7).for_each(|_| assert!(tape.push([1.0; 3].into_iter())));
        assert!(!tape.push([1.0; 3].into_iter()), "full");
    }
}
