//! Runs of a study, one after the other.

use supple_io::results::{Outcome, Table};

use super::extract::extract;
use super::{Row, RunStatus, Study};
use crate::{Interrupt, Observer, Options, Output, Run, RunError};

/// Longest message of a run that failed, in characters.
const LONGEST_MESSAGE: usize = 500;

/// Makes runs of a study. One thread has one; what it keeps from run to run are buffers and what was read, so that a row never depends on the
/// runs before it.
#[derive(Debug)]
pub struct Runner {
    study: Study,
    kept: Kept,
}

/// The columns that numbers are taken from.
#[derive(Debug, Default)]
struct Kept {
    /// Places of the columns in a row of results.
    places: Vec<usize>,
    times: Vec<f64>,
    columns: Vec<Vec<f64>>,
}

impl Kept {
    /// Gets ready for a run with these columns.
    fn restart(&mut self, study: &Study, table: &Table) -> Result<(), RunError> {
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
}

impl Observer for Kept {
    fn row(&mut self, row: crate::Row<'_>) {
        self.times.push(row.values[0]);
        self.columns.iter_mut().zip(&self.places).for_each(|(column, place)| column.push(row.values[*place]));
    }
}

impl Runner {
    /// A runner of a study.
    pub fn new(study: &Study) -> Self {
        Self { study: study.clone(), kept: Kept::default() }
    }

    /// The study.
    pub fn study(&self) -> &Study {
        &self.study
    }

    /// Makes a run. Whatever goes wrong is told in the row.
    pub fn run(&mut self, run: u64) -> Row {
        let none = || RunError::cannot_begin("the run was interrupted");
        self.run_until(run, &Interrupt::default()).unwrap_or_else(|| self.failed(run, &none().to_string()))
    }

    /// Makes a run that another thread may interrupt: then there is no row.
    pub fn run_until(&mut self, run: u64, interrupt: &Interrupt) -> Option<Row> {
        match self.attempt(run, interrupt) {
            Ok((Outcome::Interrupted, ..)) => None,
            Ok((outcome, numbers, problem)) => {
                let (status, message) = match (outcome, problem) {
                    (Outcome::Finished, None) => (RunStatus::Finished, String::new()),
                    (Outcome::Stopped(event), None) => (RunStatus::Stopped, event),
                    (Outcome::Failed(message), _) => return Some(self.failed(run, &message)),
                    (_, problem) => (RunStatus::Failed, problem.unwrap_or_default()),
                };
                Some(Row { run, values: self.study.values(run), numbers, status, message: one_line(&message) })
            }
            Err(error) => Some(self.failed(run, &error.to_string())),
        }
    }

    /// How a run ended, its numbers, and what could not be taken.
    fn attempt(&mut self, run: u64, interrupt: &Interrupt) -> Result<(Outcome, Vec<f64>, Option<String>), RunError> {
        let scenario = self.study.scenario(run)?;
        let options = Options {
            output: Output::Observer,
            keep_rows: false,
            formulation: self.study.formulation().clone(),
            interrupt: interrupt.clone(),
            ..Options::default()
        };
        let simulation = Run::new(&scenario, self.study.scenario_path(), &options)?;
        self.kept.restart(&self.study, simulation.recorder.table())?;
        let results = simulation.go(&mut self.kept);
        let mut problem = None;
        let taken = self.study.extracted().iter().zip(&self.kept.columns).map(|(told, column)| {
            extract(told, &self.kept.times, column).unwrap_or_else(|why| {
                problem.get_or_insert_with(|| format!("`{}`: {why}", told.name));
                f64::NAN
            })
        });
        let numbers = taken.collect();
        Ok((results.outcome().clone(), numbers, problem))
    }

    fn failed(&self, run: u64, message: &str) -> Row {
        let numbers = vec![f64::NAN; self.study.extracted().len()];
        Row { run, values: self.study.values(run), numbers, status: RunStatus::Failed, message: one_line(message) }
    }
}

/// A message for a cell of a table.
fn one_line(message: &str) -> String {
    let line = message.split_whitespace().collect::<Vec<_>>().join(" ");
    line.chars().take(LONGEST_MESSAGE).collect()
}
