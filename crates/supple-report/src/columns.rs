//! Columns of a table of any length, kept as far as a page can show them.

use serde::{Deserialize, Serialize};
use supple_io::results::Column;

use crate::numbers::{Doubles, Singles};

/// Most points per column, and most numbers in all.
const MOST_POINTS: usize = 4000;
const MOST_NUMBERS: usize = 400_000;
const FEWEST_POINTS: usize = 64;
/// Most columns that are kept.
const MOST_COLUMNS: usize = 800;

/// Columns against time. Beyond 4000 rows, the least and the greatest number of as many rows as it takes stand for them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Columns {
    /// What they are, time not included.
    pub columns: Vec<Column>,
    /// How many columns were left out.
    pub left_out: usize,
    /// How many rows there were.
    pub rows: u64,
    /// How many rows each two points stand for; 1 where every row is a point.
    pub rows_per_bin: u64,
    /// Times of the points.
    pub times: Doubles,
    /// Column after column, a number per point.
    pub values: Singles,
}

/// Takes rows and keeps what can be shown.
#[derive(Clone, Debug)]
pub struct ColumnRecorder {
    columns: Vec<Column>,
    left_out: usize,
    bins: Vec<Bin>,
    most_bins: usize,
    rows: u64,
    rows_per_bin: u64,
    rows_in_last: u64,
}

/// Consecutive rows.
#[derive(Clone, Debug)]
struct Bin {
    start: f64,
    end: f64,
    /// Per column: least, greatest, whether the least came first.
    extremes: Vec<(f32, f32, bool)>,
}

impl Bin {
    /// Takes the rows after these. Numbers that are not finite stay only if there are no others.
    fn add(&mut self, later: &Self) {
        self.end = later.end;
        for (own, next) in self.extremes.iter_mut().zip(&later.extremes) {
            if next.0 < own.0 || !own.0.is_finite() {
                (own.0, own.2) = (next.0, false);
            }
            if next.1 > own.1 || !own.1.is_finite() {
                (own.1, own.2) = (next.1, true);
            }
        }
    }
}

impl ColumnRecorder {
    /// For a table whose first column is time.
    pub fn new(columns: &[Column]) -> Self {
        let kept = columns.len().saturating_sub(1).min(MOST_COLUMNS);
        let most = (MOST_NUMBERS / kept.max(1)).clamp(FEWEST_POINTS, MOST_POINTS);
        Self {
            columns: columns.iter().skip(1).take(kept).cloned().collect(),
            left_out: columns.len().saturating_sub(1) - kept,
            bins: Vec::new(),
            most_bins: most / 2 * 2,
            rows: 0,
            rows_per_bin: 1,
            rows_in_last: 0,
        }
    }

    /// Takes the next row: time, then a number per column.
    pub fn take(&mut self, row: &[f64]) {
        let Some((time, values)) = row.split_first() else { return };
        self.rows += 1;
        let single = |x: &f64| (*x as f32, *x as f32, true);
        let extremes = values.iter().take(self.columns.len()).map(single).collect();
        let bin = Bin { start: *time, end: *time, extremes };
        let full = self.rows_in_last == self.rows_per_bin;
        if full && self.bins.len() == self.most_bins {
            let pair = |pair: &[Bin]| {
                let mut both = pair[0].clone();
                pair[1..].iter().for_each(|later| both.add(later));
                both
            };
            self.bins = self.bins.chunks(2).map(pair).collect();
            self.rows_per_bin *= 2;
            self.rows_in_last = self.rows_per_bin;
        }
        match self.bins.last_mut() {
            Some(last) if self.rows_in_last < self.rows_per_bin => {
                last.add(&bin);
                self.rows_in_last += 1;
            }
            _ => {
                self.bins.push(bin);
                self.rows_in_last = 1;
            }
        }
    }

    /// What is kept.
    pub fn columns(&self) -> Columns {
        let mut times = Vec::new();
        for bin in &self.bins {
            times.push(bin.start);
            if bin.end > bin.start {
                times.push(bin.start + 0.5 * (bin.end - bin.start));
            }
        }
        let points = |c: usize| {
            let of_bin = move |bin: &Bin| {
                let (low, high, low_first) = bin.extremes[c];
                let pair = if low_first { [low, high] } else { [high, low] };
                pair.into_iter().take(if bin.end > bin.start { 2 } else { 1 })
            };
            self.bins.iter().flat_map(of_bin)
        };
        Columns {
            columns: self.columns.clone(),
            left_out: self.left_out,
            rows: self.rows,
            rows_per_bin: self.rows_per_bin,
            times: Doubles(times),
            values: Singles((0..self.columns.len()).flat_map(points).collect()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recorder(columns: usize) -> ColumnRecorder {
        let all: Vec<Column> = (0..=columns).map(|i| Column::new(format!("c{i}"), "1", "")).collect();
        ColumnRecorder::new(&all)
    }

    #[test]
    fn few_rows_are_kept_as_they_are() {
        let mut own = recorder(2);
        for i in 0..100 {
            own.take(&[f64::from(i), f64::from(i * i), -1.0]);
        }
        let kept = own.columns();
        assert_eq!((kept.rows, kept.rows_per_bin, kept.times.0.len()), (100, 1, 100));
        assert_eq!(kept.values.0.len(), 200);
        assert_eq!(kept.values.0[99], 9801.0);
    }

    #[test]
    fn of_many_rows_the_extremes_are_kept() {
        let mut own = recorder(2);
        for i in 0..123_457 {
            let spike = if i == 77_777 { 5.0 } else { 0.0 };
            own.take(&[f64::from(i), (0.01 * f64::from(i)).sin() + spike, f64::NAN]);
        }
        let kept = own.columns();
        let points = kept.times.0.len();
        assert!(points <= 2 * MOST_POINTS && points > MOST_POINTS, "{points}");
        assert!(kept.times.0.windows(2).all(|pair| pair[0] < pair[1]));
        assert_eq!(kept.values.0.len(), 2 * points);
        let greatest = kept.values.0[..points].iter().fold(f32::MIN, |m, x| m.max(*x));
        assert!(greatest > 4.0);
        assert!(kept.values.0[points..].iter().all(|x| x.is_nan()));
        let spike = kept.values.0.iter().position(|x| *x == greatest).unwrap();
        assert!((kept.times.0[spike] - 77_777.0).abs() <= kept.rows_per_bin as f64);
    }
}
