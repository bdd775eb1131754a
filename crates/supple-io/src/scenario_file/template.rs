//! A scenario that is read many times with other values.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::read::{self, ModelFrom};
use super::{Scenario, open, read_from};
use crate::change::Change;
use crate::model_file::ModelFile;
use crate::source::folder::{Files, Folder};
use crate::source::{FileError, Finding, Report};

/// A scenario file to be read many times, each time with other values. Its files are read from the disk once: what happens to them later makes
/// no difference. The model is built once, and again only for values that concern it.
#[derive(Clone, Debug)]
pub struct ScenarioTemplate {
    path: PathBuf,
    changes: Vec<Change>,
    files: Files,
    model: Option<(ModelFile, Vec<Finding>)>,
}

impl ScenarioTemplate {
    /// Reads the scenario with values that are the same each time.
    ///
    /// # Errors
    /// As [`read`](super::read): the scenario must be sound with these values.
    pub fn read(path: &Path, changes: &[Change]) -> Result<(Self, Scenario), FileError> {
        let files = Files::kept();
        let scenario = read_from(path, changes, &files, None)?;
        // Once more, as it is before the scenario gives it gravity and locks.
        let mut report = Report::default();
        let (own, of_model) = Change::split(changes);
        let source = open(path, "", &files, &mut report).map(|source| source.changed(&own));
        let folder = Folder::of_file(path, &files);
        let model =
            source.and_then(|source| read::read_model(&source, &folder, ModelFrom::File(&of_model), &mut report));
        Ok((Self { path: path.to_owned(), changes: changes.to_vec(), files, model }, scenario))
    }

    /// The scenario with further values.
    ///
    /// # Errors
    /// As [`read`](super::read).
    pub fn with(&self, changes: &[Change]) -> Result<Scenario, FileError> {
        let model = self.model.as_ref().filter(|_| !changes.iter().any(Change::concerns_model));
        let all: Vec<Change> = self.changes.iter().chain(changes).cloned().collect();
        read_from(&self.path, &all, &self.files, model)
    }

    /// The scenario file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The values that are the same each time.
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// All files that were read so far, with their contents.
    pub fn inputs(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        self.files.contents()
    }
}
