//! A run with everything that its page shows.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use supple_io::results::{Column, CsvReader, Existing, Summary, visit_csv, write_whole};

use crate::columns::{ColumnRecorder, Columns};
use crate::error::ReportError;
use crate::page;
use crate::recording::Recording;

/// Name of the page in the folder of the results.
pub const REPORT_FILE: &str = "report.html";

/// A run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// Its label in comparisons.
    pub label: String,
    /// How it went.
    pub summary: Summary,
    /// Its scene and motion.
    pub recording: Recording,
    /// Its recorded columns.
    pub table: Columns,
}

impl Run {
    /// Reads what a run has left in a folder, whether it ended or not.
    ///
    /// # Errors
    /// A file that is missing or damaged.
    pub fn read(folder: &Path) -> Result<Self, ReportError> {
        let recording = Recording::read(folder)?;
        let path = folder.join("summary.json");
        let text = fs::read_to_string(&path)
            .map_err(|error| ReportError::Read { path: path.clone(), reason: error.to_string() })?;
        let summary: Summary = serde_json::from_str(&text).map_err(|error| ReportError::damaged(&path, &error))?;
        let table = read_table(&folder.join("results.csv"), &summary)?;
        let label = format!("{} of {}", summary.scenario, summary.model);
        Ok(Self { label, summary, recording, table })
    }

    /// All columns of the table in a folder, time left out; the page's own table may have fewer.
    ///
    /// # Errors
    /// A table that cannot be read.
    pub fn all_columns(&self, folder: &Path) -> Result<Vec<Column>, ReportError> {
        let reader = CsvReader::open(&folder.join("results.csv"))?;
        Ok(described(reader.heads(), &self.summary).into_iter().skip(1).collect())
    }

    /// Writes the page of the run into a folder, whole or not at all.
    ///
    /// # Errors
    /// A place that cannot be written.
    pub fn write(&self, folder: &Path) -> Result<PathBuf, ReportError> {
        let path = folder.join(REPORT_FILE);
        write_whole(&path, Existing::Replace, page::of_run(self).as_bytes())?;
        Ok(path)
    }
}

/// Columns by their heads in a table; what the summary does not describe is described by its name.
pub(crate) fn described(heads: &[(String, String)], summary: &Summary) -> Vec<Column> {
    let describe = |(name, unit): &(String, String)| {
        let told = summary.columns.iter().find(|column| column.name == *name);
        told.cloned().unwrap_or_else(|| Column::new(name, unit, ""))
    };
    heads.iter().map(describe).collect()
}

/// Reads the page's columns.
fn read_table(path: &Path, summary: &Summary) -> Result<Columns, ReportError> {
    let mut recorder = None;
    visit_csv(path, &mut |heads, row| {
        recorder.get_or_insert_with(|| ColumnRecorder::new(&described(heads, summary))).take(row);
    })?;
    Ok(recorder.map_or_else(|| ColumnRecorder::new(&summary.columns).columns(), |own| own.columns()))
}
