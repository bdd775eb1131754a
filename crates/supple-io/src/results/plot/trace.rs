//! Columns of a long run, kept as far as a picture can show them.

use super::Series;
use crate::results::error::ResultsError;
use crate::results::sink::{RowSink, Written};
use crate::results::table::Table;

/// Columns against the first one, in bins of equally many rows. Of every bin the first, lowest, highest and last point
/// are kept: a line drawn through them covers the same pixels as one through all points. When the bins are full, two
/// neighbours become one.
#[derive(Clone, Debug)]
pub struct Traces {
    table: Table,
    columns: Vec<usize>,
    bins: Vec<Vec<Bin>>,
    most_bins: usize,
    rows_per_bin: usize,
    rows_in_last: usize,
}

#[derive(Clone, Copy, Debug)]
struct Bin {
    first: [f64; 2],
    low: [f64; 2],
    high: [f64; 2],
    last: [f64; 2],
}

impl Bin {
    fn of(point: [f64; 2]) -> Self {
        Self { first: point, low: point, high: point, last: point }
    }

    /// Both together, `later` after `self`. Numbers that are not finite stay only if there are no others.
    fn with(self, later: Self) -> Self {
        let lower = |a: [f64; 2], b: [f64; 2]| if b[1] < a[1] || !a[1].is_finite() { b } else { a };
        let higher = |a: [f64; 2], b: [f64; 2]| if b[1] > a[1] || !a[1].is_finite() { b } else { a };
        Self {
            first: self.first,
            low: lower(self.low, later.low),
            high: higher(self.high, later.high),
            last: later.last,
        }
    }
}

impl Traces {
    /// Keeps some columns of a table in at most `most_bins` bins each.
    ///
    /// # Errors
    /// A column that does not exist.
    pub fn new(table: &Table, columns: &[usize], most_bins: usize) -> Result<Self, ResultsError> {
        table.check_indices(columns.iter().copied())?;
        Ok(Self {
            table: table.clone(),
            columns: columns.to_vec(),
            bins: vec![Vec::new(); columns.len()],
            most_bins: most_bins.max(2),
            rows_per_bin: 1,
            rows_in_last: 0,
        })
    }

    /// The lines to draw.
    pub fn series(&self) -> Vec<Series> {
        let line = |(index, bins): (&usize, &Vec<Bin>)| {
            let column = &self.table.columns()[*index];
            let mut points: Vec<[f64; 2]> = Vec::with_capacity(4 * bins.len());
            for bin in bins {
                let (one, other) = if bin.low[0] <= bin.high[0] { (bin.low, bin.high) } else { (bin.high, bin.low) };
                for point in [bin.first, one, other, bin.last] {
                    if points.last().is_none_or(|last| last[0] != point[0] || last[1].to_bits() != point[1].to_bits()) {
                        points.push(point);
                    }
                }
            }
            Series { label: column.name.clone(), unit: column.unit.clone(), points }
        };
        self.columns.iter().zip(&self.bins).map(line).collect()
    }
}

impl RowSink for Traces {
    fn append(&mut self, row: &[f64]) -> Result<(), ResultsError> {
        self.table.check_row(row)?;
        let full = self.rows_in_last == self.rows_per_bin;
        if full && self.bins.first().is_some_and(|bins| bins.len() == self.most_bins) {
            for bins in &mut self.bins {
                *bins = bins.chunks(2).map(|pair| if let [a, b] = pair { a.with(*b) } else { pair[0] }).collect();
            }
            // With an odd number of bins the last one stays half full.
            self.rows_in_last =
                if self.most_bins.is_multiple_of(2) { 2 * self.rows_per_bin } else { self.rows_per_bin };
            self.rows_per_bin *= 2;
        }
        let fresh = self.rows_in_last == self.rows_per_bin || self.bins.first().is_some_and(Vec::is_empty);
        for (bins, index) in self.bins.iter_mut().zip(&self.columns) {
            let bin = Bin::of([row[0], row[*index]]);
            match bins.last_mut() {
                Some(last) if !fresh => *last = last.with(bin),
                _ => bins.push(bin),
            }
        }
        self.rows_in_last = if fresh { 1 } else { self.rows_in_last + 1 };
        Ok(())
    }

    fn flush(&mut self) -> Result<(), ResultsError> {
        Ok(())
    }

    /// There is no file.
    fn finish(self: Box<Self>) -> Result<Vec<Written>, ResultsError> {
        Ok(Vec::new())
    }
}
