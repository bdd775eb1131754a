//! Why there are no results, or not all of them.

use std::fmt;
use std::path::{Path, PathBuf};

use supple_io::results::ResultsError;
use supple_io::source::{FileError, nearest};

use crate::Results;
use crate::checkpoint::CheckpointError;

/// Why a run did not begin, did not reach its end, or has no such result.
#[derive(Debug)]
pub struct RunError {
    /// What kind of problem it is.
    pub kind: RunErrorKind,
    /// The file or folder at fault, where there is one.
    pub file: Option<PathBuf>,
    /// The line in that file, where there is one.
    pub line: Option<usize>,
    /// What is wrong.
    pub message: String,
    /// What to do about it, where that can be said.
    pub remedy: Option<String>,
    /// What was computed before a run ended early.
    results: Option<Box<Results>>,
    /// Everything that is wrong with the files.
    findings: Option<Box<FileError>>,
}

/// Kinds of problems.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RunErrorKind {
    /// The scenario or its model is unsound; [`RunError::findings`] lists everything.
    Unsound,
    /// The scenario asks for something that this build, method or formulation does not do.
    Unsupported,
    /// The run cannot begin.
    CannotBegin,
    /// There are results already.
    Exists,
    /// Another run writes into the folder.
    Busy,
    /// The scenario names a folder that leads out of its own.
    Outside,
    /// The results would be larger than allowed, or than the disk has room for.
    TooLarge,
    /// There is no checkpoint to resume from.
    NoCheckpoint,
    /// The checkpoint is damaged.
    DamagedCheckpoint,
    /// The checkpoint is of another version.
    OldCheckpoint,
    /// The checkpoint is of another scenario or model.
    ForeignCheckpoint,
    /// A file cannot be read or written.
    File,
    /// There is no column of that name.
    NoColumn,
    /// The rows were not kept in memory.
    NotKept,
    /// The run ended before its end; [`RunError::results`] has what was computed.
    EndedEarly,
}

impl RunError {
    /// A problem without a file.
    pub(crate) fn new(kind: RunErrorKind, message: impl fmt::Display) -> Self {
        Self { kind, file: None, line: None, message: message.to_string(), remedy: None, results: None, findings: None }
    }

    /// A run that cannot begin.
    pub(crate) fn cannot_begin(message: impl fmt::Display) -> Self {
        Self::new(RunErrorKind::CannotBegin, message)
    }

    /// Something that is not supported.
    pub(crate) fn unsupported(message: impl fmt::Display) -> Self {
        Self::new(RunErrorKind::Unsupported, message)
    }

    pub(crate) fn with_remedy(self, remedy: impl Into<String>) -> Self {
        Self { remedy: Some(remedy.into()), ..self }
    }

    pub(crate) fn at(self, file: &Path) -> Self {
        Self { file: Some(file.to_owned()), ..self }
    }

    /// At a line of the file, where one is known.
    pub(crate) fn on_line(self, line: Option<usize>) -> Self {
        Self { line, ..self }
    }

    /// In the scenario's file, where a line of it is known.
    pub(crate) fn of_scenario(self, path: &Path) -> Self {
        if self.line.is_some() && self.file.is_none() { self.at(path) } else { self }
    }

    /// The file at fault, with the line.
    pub fn place(&self) -> Option<String> {
        let file = self.file.as_ref()?.display();
        Some(self.line.map_or_else(|| file.to_string(), |line| format!("{file}:{line}")))
    }

    /// A checkpoint that the run cannot go on from.
    pub(crate) fn of_checkpoint(path: &Path, error: &CheckpointError) -> Self {
        let (kind, remedy) = match error {
            CheckpointError::Missing => {
                (RunErrorKind::NoCheckpoint, "start from the beginning, with `checkpoint_interval` in the scenario")
            }
            CheckpointError::Io(_) | CheckpointError::File(_) => {
                (RunErrorKind::File, "make the file readable, or start from the beginning")
            }
            CheckpointError::Damaged(_) => {
                (RunErrorKind::DamagedCheckpoint, "start from the beginning and replace the results")
            }
            CheckpointError::Format(_) => (RunErrorKind::OldCheckpoint, "start from the beginning"),
            CheckpointError::OtherScenario => {
                (RunErrorKind::ForeignCheckpoint, "undo that, or start from the beginning")
            }
        };
        Self::new(kind, error).with_remedy(remedy).at(path)
    }

    /// A column that is not there, with the nearest name among those that are.
    pub(crate) fn no_column<'n>(name: &str, known: impl Iterator<Item = &'n str> + Clone) -> Self {
        let meant = nearest(name, known.clone()).map(|near| format!("did you mean `{near}`? ")).unwrap_or_default();
        let names: Vec<&str> = known.collect();
        Self::new(RunErrorKind::NoColumn, format!("there is no column `{name}`"))
            .with_remedy(format!("{meant}the columns are: {}", names.join(", ")))
    }

    /// A run that ended before its end.
    pub(crate) fn ended_early(results: Results, message: impl fmt::Display) -> Self {
        Self { results: Some(Box::new(results)), ..Self::new(RunErrorKind::EndedEarly, message) }
    }

    /// What was computed before a run ended early.
    pub fn results(&self) -> Option<&Results> {
        self.results.as_deref()
    }

    /// Everything that is wrong with the files, each finding with its place, rule and remedy.
    pub fn findings(&self) -> Option<&FileError> {
        self.findings.as_deref()
    }
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = self.place() {
            write!(f, "{place}: ")?;
        }
        f.write_str(&self.message)?;
        match &self.remedy {
            Some(remedy) => write!(f, "; {remedy}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for RunError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.findings.as_deref().map(|error| error as &(dyn std::error::Error + 'static))
    }
}

impl From<FileError> for RunError {
    fn from(error: FileError) -> Self {
        Self { findings: Some(Box::new(error.clone())), ..Self::new(RunErrorKind::Unsound, error) }
    }
}

impl From<ResultsError> for RunError {
    fn from(error: ResultsError) -> Self {
        match error {
            ResultsError::Exists { path } => Self::new(RunErrorKind::Exists, "results already exist")
                .with_remedy("overwrite them, resume from their checkpoint, or choose another folder")
                .at(&path),
            error => Self::new(RunErrorKind::File, error),
        }
    }
}
