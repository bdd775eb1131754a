//! Why there is no page.

use std::fmt;
use std::path::{Path, PathBuf};

use supple_io::results::ResultsError;

/// What is missing, or wrong.
#[derive(Debug)]
#[non_exhaustive]
pub enum ReportError {
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

impl fmt::Display for ReportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoMotion { folder } => write!(
                f,
                "{}: there is no motion.json; name the folder of the results of a run, or run the scenario again",
                folder.display()
            ),
            Self::Read { path, reason } => write!(f, "{}: cannot be read: {reason}", path.display()),
            Self::Damaged { path, reason } => {
                write!(f, "{}: not as a run leaves it ({reason}); run the scenario again", path.display())
            }
            Self::Results(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for ReportError {}

impl From<ResultsError> for ReportError {
    fn from(error: ResultsError) -> Self {
        Self::Results(error)
    }
}
