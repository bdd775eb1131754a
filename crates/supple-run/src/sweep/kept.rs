//! Columns of a run that numbers are taken from, and the row of the sweep that they become.

use supple_io::results::{Outcome, Table};

use super::extract::extract;
use super::{Row, RunStatus, Study};
use crate::{Observer, RunError};

/// Longest message of a run that failed, in characters.
const LONGEST_MESSAGE: usize = 500;

/// The columns that numbers are taken from.
#[derive(Debug, Default)]
pub struct Kept {
    /// Places of the columns in a row of results.
    places: Vec<usize>,
    times: Vec<f64>,
    columns: Vec<Vec<f64>>,
}

impl Kept {
    /// Gets ready for a run with these columns.
    pub fn restart(&mut self, study: &Study, table: &Table) -> Result<(), RunError> {
        self.times.clear();
        self.columns.resize(study.extracted().len(), Vec::new());
        self.columns.iter_mut().for_each(Vec::clear);
        self.places.clear();
        for told in study.extracted() {
            let known = table.columns().iter().map(|column| column.name.as_str());
            let place = table.column(&told.column).ok_or_else(|| RunError::no_column(&told.column, known))?;
            self.places.push(place);
        }
        Ok(())
    }

    /// Takes its part of a row of results.
    pub fn append(&mut self, row: &[f64]) {
        self.times.push(row[0]);
        self.columns.iter_mut().zip(&self.places).for_each(|(column, place)| column.push(row[*place]));
    }

    /// The row of a run that ended in this way, with its numbers, and what could not be taken.
    pub fn row(&self, study: &Study, run: u64, outcome: &Outcome) -> Row {
        let mut problem = None;
        let taken = study.extracted().iter().zip(&self.columns).map(|(told, column)| {
            extract(told, &self.times, column).unwrap_or_else(|why| {
                problem.get_or_insert_with(|| format!("`{}`: {why}", told.name));
                f64::NAN
            })
        });
        let numbers = taken.collect();
        let (status, message) = match (outcome, problem) {
            (Outcome::Finished, None) => (RunStatus::Finished, String::new()),
            (Outcome::Stopped(event), None) => (RunStatus::Stopped, event.clone()),
            (Outcome::Failed(message), _) => return failed(study, run, message),
            (_, problem) => (RunStatus::Failed, problem.unwrap_or_default()),
        };
        Row { run, values: study.values(run), numbers, status, message: one_line(&message) }
    }
}

impl Observer for Kept {
    fn row(&mut self, row: crate::Row<'_>) {
        self.append(row.values);
    }
}

/// The row of a run that did not begin, or ended early.
pub fn failed(study: &Study, run: u64, message: &str) -> Row {
    let numbers = vec![f64::NAN; study.extracted().len()];
    Row { run, values: study.values(run), numbers, status: RunStatus::Failed, message: one_line(message) }
}

/// A message for a cell of a table.
fn one_line(message: &str) -> String {
    let line = message.split_whitespace().collect::<Vec<_>>().join(" ");
    line.chars().take(LONGEST_MESSAGE).collect()
}
