//! Why there is no answer.

use std::fmt;
use std::io;
use std::path::PathBuf;

use supple_io::load::Refusal;

/// Why a benchmark, a count, a study or a case has no answer.
#[derive(Debug)]
#[non_exhaustive]
pub enum LabError {
    /// The rows cannot be written.
    Output(io::Error),
    /// Something is unsound, or a calculation has no result: what it is, and why.
    Failed {
        /// What was asked for: a file, a study, a system.
        subject: String,
        /// Why it has no answer.
        message: String,
    },
    /// Something is asked for that is not supported here.
    Unsupported {
        /// What was asked for.
        subject: String,
        /// Why it is not supported, and what is.
        message: String,
    },
    /// A file that describes no system.
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        refusal: Refusal,
    },
}

impl LabError {
    /// Something without a result.
    pub fn failed(subject: impl Into<String>, message: impl fmt::Display) -> Self {
        Self::Failed { subject: subject.into(), message: message.to_string() }
    }

    /// Something that is not supported.
    pub fn unsupported(subject: impl Into<String>, message: impl fmt::Display) -> Self {
        Self::Unsupported { subject: subject.into(), message: message.to_string() }
    }
}

impl fmt::Display for LabError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Output(error) => write!(f, "the answer cannot be written: {error}"),
            Self::Failed { subject, message } | Self::Unsupported { subject, message } => {
                write!(f, "{subject}: {message}")
            }
            Self::File { path, refusal } => write!(f, "{}: {refusal}", path.display()),
        }
    }
}

impl std::error::Error for LabError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Output(error) => Some(error),
            Self::File { refusal, .. } => Some(refusal),
            _ => None,
        }
    }
}

impl From<io::Error> for LabError {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}
