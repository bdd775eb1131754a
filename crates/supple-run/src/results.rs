//! What a run leaves: values by name, a summary, files.

use std::path::{Path, PathBuf};

use supple::BodyIndex;
use supple_io::results::{Outcome, Summary, Table, plot};
use supple_io::scenario_file::Scenario;

use crate::{RunError, RunErrorKind};

/// The results of a run that has ended.
#[derive(Debug)]
pub struct Results {
    pub(crate) table: Table,
    pub(crate) summary: Summary,
    pub(crate) kept: Kept,
    pub(crate) folder: Option<PathBuf>,
    pub(crate) plot: Option<PathBuf>,
    pub(crate) report: Option<PathBuf>,
    pub(crate) works: Vec<(String, f64)>,
    pub(crate) traces: plot::Traces,
    pub(crate) problems: Vec<String>,
    pub(crate) last_row: Option<(u64, f64)>,
    pub(crate) can_go_on: Option<bool>,
}

impl Results {
    /// All values of a recorded column, such as `hinge.boom` or `energy.total`, in the order of time.
    ///
    /// # Errors
    /// [`RunErrorKind::NoColumn`] names the columns; [`RunErrorKind::NotKept`] where the rows went only into files.
    pub fn column(&self, name: &str) -> Result<&[f64], RunError> {
        let column = self.index(name)?;
        match &self.kept.columns {
            Some(columns) => Ok(&columns[column]),
            None => Err(RunError::new(RunErrorKind::NotKept, "the rows were written and not kept in memory")
                .with_remedy("set `keep_rows`, or read results.csv")),
        }
    }

    /// The last value of a recorded column.
    ///
    /// # Errors
    /// [`RunErrorKind::NoColumn`] names the columns; [`RunErrorKind::NotKept`] where the run ended before its first row.
    pub fn last(&self, name: &str) -> Result<f64, RunError> {
        let column = self.index(name)?;
        let none = || RunError::new(RunErrorKind::NotKept, "the run ended before its first row");
        self.kept.last.get(column).copied().ok_or_else(none)
    }

    /// The columns: names, units, descriptions.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// What the run was, how it ended, energies, warnings, files.
    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    /// How the run ended.
    pub fn outcome(&self) -> &Outcome {
        &self.summary.outcome
    }

    /// Whether the run reached its end, or an event that was to end it.
    pub fn is_complete(&self) -> bool {
        matches!(self.summary.outcome, Outcome::Finished | Outcome::Stopped(_))
    }

    /// Work done by the drive of each hinge, by the name of the hinge, in joules.
    pub fn works(&self) -> &[(String, f64)] {
        &self.works
    }

    /// The folder of the results; none where they are in memory alone.
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// The drawing of the columns that were to be plotted.
    pub fn plot(&self) -> Option<&Path> {
        self.plot.as_deref()
    }

    /// The page to open in a browser.
    pub fn report(&self) -> Option<&Path> {
        self.report.as_deref()
    }

    /// The columns that were to be plotted, or the first hinge coordinates, thinned for drawing.
    pub fn traces(&self) -> &plot::Traces {
        &self.traces
    }

    /// What could not be written at the end; the first of them makes a run that reached its end a failed one.
    pub fn problems(&self) -> &[String] {
        &self.problems
    }

    /// The number of the last row that is there, counted from one, and its time: in `results.csv` as the operating system has taken it,
    /// otherwise in memory.
    pub fn last_row(&self) -> Option<(u64, f64)> {
        self.last_row
    }

    /// Where files could not be written: whether there is a checkpoint to resume from when they can. None where all was written.
    pub fn can_go_on(&self) -> Option<bool> {
        self.can_go_on
    }

    fn index(&self, name: &str) -> Result<usize, RunError> {
        let known = self.table.columns().iter().map(|column| column.name.as_str());
        self.table.column(name).ok_or_else(|| RunError::no_column(name, known))
    }
}

/// Rows in memory: the last one always, the others where they are wanted.
#[derive(Debug)]
pub(crate) struct Kept {
    columns: Option<Vec<Vec<f64>>>,
    last: Vec<f64>,
}

impl Kept {
    /// None so far, of a table with so many columns.
    pub fn new(columns: usize, all: bool) -> Self {
        Self { columns: all.then(|| vec![Vec::new(); columns]), last: Vec::new() }
    }

    /// The time of the last row.
    pub fn time(&self) -> Option<f64> {
        self.last.first().copied()
    }

    /// One more row.
    pub fn append(&mut self, row: &[f64]) {
        if let Some(columns) = &mut self.columns {
            columns.iter_mut().zip(row).for_each(|(column, value)| column.push(*value));
        }
        self.last.clear();
        self.last.extend_from_slice(row);
    }
}

/// The columns to be plotted: those asked for, or the first hinge coordinates.
pub fn plotted(table: &Table, asked: &[String]) -> Result<Vec<usize>, RunError> {
    if asked.is_empty() {
        let hinges = table.columns().iter().enumerate().filter(|(_, c)| c.name.starts_with("hinge."));
        let first: Vec<usize> = hinges.map(|(i, _)| i).take(6).collect();
        let any = || (1..table.columns().len().min(4)).collect();
        return Ok(if first.is_empty() { any() } else { first });
    }
    let known = table.columns().iter().skip(1).map(|column| column.name.as_str());
    asked.iter().map(|name| table.column(name).ok_or_else(|| RunError::no_column(name, known.clone()))).collect()
}

/// Work of each drive, by the name of its hinge.
pub fn works(scenario: &Scenario, works: &[f64]) -> Vec<(String, f64)> {
    let model = &scenario.model.model;
    let moving = |k: &usize| !model.hinge_speeds(BodyIndex(*k)).is_empty();
    let name = |k: usize| {
        let body = &scenario.model.system.bodies[k];
        body.hinge.name.clone().unwrap_or_else(|| body.name.clone())
    };
    (0..works.len()).filter(moving).map(|k| (name(k), works[k])).collect()
}
