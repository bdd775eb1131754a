//! How a scenario is run.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use supple_io::change::Change;
use supple_io::mesh::MeshFolders;

use crate::Formulation;

/// How a scenario is run, and where its results go.
///
/// By default the results stay in memory and no file is written.
#[derive(Clone, Debug)]
pub struct Options {
    /// Values of the scenario, or after `model.` of its model, in place of those of the files.
    pub changes: Vec<Change>,
    /// Where the results go.
    pub output: Output,
    /// What happens to results that are there.
    pub existing: Existing,
    /// Keep all rows in memory, so that [`Results::column`](crate::Results::column) can give them. Results that are written nowhere
    /// else are always kept.
    pub keep_rows: bool,
    /// Draw these columns against time into `plot.svg`; empty for none.
    pub plot: Vec<String>,
    /// Write the page of the run, `report.html`, or where nothing is written give its frames to the observer; needs the feature `report`.
    pub report: bool,
    /// Folders below which the meshes of the model may be read, for the page; without any, no mesh is read.
    pub meshes: MeshFolders,
    /// By which equations of motion.
    pub formulation: Formulation,
    /// Ends the run early, from another thread.
    pub interrupt: Interrupt,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            changes: Vec::new(),
            output: Output::default(),
            existing: Existing::default(),
            keep_rows: true,
            plot: Vec::new(),
            report: false,
            meshes: MeshFolders::default(),
            formulation: Formulation::default(),
            interrupt: Interrupt::default(),
        }
    }
}

impl Options {
    /// Results into a folder; those that are there stay, and the run is refused.
    pub fn into_folder(folder: impl Into<PathBuf>) -> Self {
        Self { output: Output::Folder(folder.into()), ..Self::default() }
    }
}

/// Where the results of a run go.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Output {
    /// Nowhere but to memory.
    #[default]
    Memory,
    /// Nowhere but to the observer of the run: memory stays small however many rows there are.
    Observer,
    /// Into the folder that the scenario names, relative to its own file.
    Scenario,
    /// Into this folder.
    Folder(PathBuf),
}

/// What happens to results that are in the folder.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Existing {
    /// They stay, and the run is refused.
    #[default]
    Refuse,
    /// They are replaced.
    Replace,
    /// The run goes on from their checkpoint.
    Resume,
}

/// Ends a run early: all clones share one flag. What was computed is complete afterwards, and the run can be resumed.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Asks the run to end after its present step.
    pub fn interrupt(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    /// Whether the run was asked to end.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}
