//! Why there is no page.

use std::fmt;
use std::path::{Path, PathBuf};

use supple_io::results::ResultsError;

/// What is missing, or wrong.
#[derive(Debug)]
#[non_exhaustive]
pub enum ReportError {
    /// A file or folder that is not there.
    Missing {
        /// Its place.
        path: PathBuf,
    },
    /// A folder without recorded motion.
    NoMotion {
        /// The folder.
        folder: PathBuf,
    },
    /// A file that cannot be read.
    Read {
        /// The file.
        path: PathBuf,
        /// The words of the operating system.
        reason: String,
    },
    /// A file that is not what it should be.
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// Results that cannot be read, or a page that cannot be written.
    Results(ResultsError),
}

impl ReportError {
    pub(crate) fn damaged(path: &Path, reason: &dyn fmt::Display) -> Self {
        Self::Damaged { path: path.to_path_buf(), reason: reason.to_string() }
    }
}

impl ReportError {
    /// What to do about it, where there is more to say than what is wrong.
    pub fn remedy(&self) -> Option<&'static str> {
        match self {
            Self::Missing { .. } => Some("check the path"),
            Self::NoMotion { .. } => Some("give the results folder of a run, or run the scenario again"),
            Self::Damaged { .. } => Some("run the scenario again"),
            Self::Read { .. } => None,
            Self::Results(error) => error.remedy(),
        }
    }

    /// What is wrong, without the remedy.
    pub fn what(&self) -> String {
        match self {
            Self::Missing { path } => format!("{}: there is no such file or folder", path.display()),
            Self::NoMotion { folder } => format!("{}: there is no motion.json", folder.display()),
            Self::Read { path, reason } => format!("{}: cannot be read: {reason}", path.display()),
            Self::Damaged { path, reason } => format!("{}: damaged ({reason})", path.display()),
            Self::Results(error) => error.what(),
        }
    }
}

impl fmt::Display for ReportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what())?;
        self.remedy().map_or(Ok(()), |remedy| write!(f, "; {remedy}"))
    }
}

impl std::error::Error for ReportError {}

impl From<ResultsError> for ReportError {
    fn from(error: ResultsError) -> Self {
        Self::Results(error)
    }
}
