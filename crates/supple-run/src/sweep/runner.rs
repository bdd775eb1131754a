//! Runs of a study, one after the other.

use supple_io::results::Outcome;

use super::kept::{Kept, failed};
use super::{Row, Study};
use crate::{Interrupt, Options, Output, Run, RunError};

/// Makes runs of a study. One thread has one; what it keeps from run to run are buffers and what was read, so that a row never depends on the
/// runs before it.
#[derive(Debug)]
pub struct Runner {
    study: Study,
    kept: Kept,
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
        self.run_until(run, &Interrupt::default()).unwrap_or_else(|| failed(&self.study, run, &none().to_string()))
    }

    /// Makes a run that another thread may interrupt: then there is no row.
    pub fn run_until(&mut self, run: u64, interrupt: &Interrupt) -> Option<Row> {
        match self.attempt(run, interrupt) {
            Ok(Outcome::Interrupted) => None,
            Ok(outcome) => Some(self.kept.row(&self.study, run, &outcome)),
            Err(error) => Some(failed(&self.study, run, &error.to_string())),
        }
    }

    /// How a run ended.
    fn attempt(&mut self, run: u64, interrupt: &Interrupt) -> Result<Outcome, RunError> {
        let scenario = self.study.scenario(run)?;
        let options = Options { interrupt: interrupt.clone(), ..self.study.options() };
        let simulation = Run::new(&scenario, self.study.scenario_path(), &options)?;
        self.kept.restart(&self.study, simulation.recorder.table())?;
        Ok(simulation.go(&mut self.kept).outcome().clone())
    }
}

impl Study {
    /// How its runs are made: nothing of them is kept but what an observer takes.
    pub(super) fn options(&self) -> Options {
        Options {
            output: Output::Observer,
            keep_rows: false,
            formulation: self.formulation().clone(),
            ..Options::default()
        }
    }
}
