//! Why results could not be written or read.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// What went wrong. Files written before stay readable.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ResultsError {
    /// Something is there already, and replacing it was not asked for.
    Exists {
        /// Where.
        path: PathBuf,
    },
    /// No space is left.
    DiskFull {
        /// The file being written.
        path: PathBuf,
    },
    /// The place may not be written to.
    NotWritable {
        /// Where.
        path: PathBuf,
        /// The words of the operating system.
        reason: String,
    },
    /// The folder of the file does not exist, or is not a folder.
    NoFolder {
        /// The file or folder wanted.
        path: PathBuf,
    },
    /// The operating system refused something else.
    Io {
        /// The file.
        path: PathBuf,
        /// What was tried: "create", "write", …
        action: &'static str,
        /// Its kind.
        kind: io::ErrorKind,
        /// Its words.
        reason: String,
    },
    /// A file is not what it should be.
    Format {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// A table without columns.
    NoColumns,
    /// A column that breaks a rule.
    BadColumn {
        /// Its index.
        index: usize,
        /// Its name.
        name: String,
        /// The rule.
        rule: &'static str,
    },
    /// Two columns of one name.
    RepeatedColumn {
        /// The later one.
        index: usize,
        /// The earlier one.
        first: usize,
        /// The name.
        name: String,
    },
    /// An index that is no column.
    NoSuchColumn {
        /// The index.
        index: usize,
        /// How many columns there are.
        columns: usize,
    },
    /// A row with the wrong number of values.
    WrongLength {
        /// How many it has.
        found: usize,
        /// How many columns there are.
        expected: usize,
    },
    /// A time that a log cannot hold.
    Time {
        /// The row, from zero.
        row: u64,
        /// The time.
        value: f64,
    },
}

impl ResultsError {
    /// Sorts an error of the operating system.
    pub(super) fn io(path: &Path, action: &'static str, error: &io::Error) -> Self {
        let path = path.to_path_buf();
        match error.kind() {
            io::ErrorKind::AlreadyExists => Self::Exists { path },
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
                Self::DiskFull { path }
            }
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                Self::NotWritable { path, reason: error.to_string() }
            }
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory if action == "create" => Self::NoFolder { path },
            kind => Self::Io { path, action, kind, reason: error.to_string() },
        }
    }
}

impl fmt::Display for ResultsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exists { path } => write!(
                f,
                "{}: exists and is not overwritten; choose another place or ask for replacement",
                path.display()
            ),
            Self::DiskFull { path } => write!(
                f,
                "{}: no space left; what was written before is complete: free space or write elsewhere, with fewer \
                 columns or rows",
                path.display()
            ),
            Self::NotWritable { path, reason } => {
                write!(f, "{}: cannot be written ({reason}); choose a place you may write to", path.display())
            }
            Self::NoFolder { path } => {
                write!(f, "{}: its folder does not exist or is a file; create the folder first", path.display())
            }
            Self::Io { path, action, reason, .. } => write!(f, "{}: cannot {action}: {reason}", path.display()),
            Self::Format { path, reason } => write!(f, "{}: {reason}", path.display()),
            Self::NoColumns => write!(f, "a table needs at least one column"),
            Self::BadColumn { index, name, rule } => {
                // A message is one line, whatever the name holds.
                write!(f, "column {index} `{}`: {rule}", name.replace(char::is_control, "\u{fffd}"))
            }
            Self::RepeatedColumn { index, first, name } => {
                write!(f, "column {index} has the name `{name}` of column {first}; names must differ")
            }
            Self::NoSuchColumn { index, columns } => {
                write!(f, "column {index} does not exist; the table has {columns}, counted from zero")
            }
            Self::WrongLength { found, expected } => {
                write!(f, "a row of {found} numbers for {expected} columns; give one number per column")
            }
            Self::Time { row, value } => write!(
                f,
                "time {value} s of row {row} cannot be logged: log times are nanoseconds from 0 to 1.8e10 s; start the \
                 scenario at zero"
            ),
        }
    }
}

impl std::error::Error for ResultsError {}
