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

impl ResultsError {
    /// What to do about it, where there is more to say than what is wrong.
    pub fn remedy(&self) -> Option<&'static str> {
        Some(match self {
            Self::Exists { .. } => "choose another folder, or ask for replacement",
            Self::DiskFull { .. } => {
                "what was written before is complete: free space or write elsewhere, with fewer columns or rows"
            }
            Self::NotWritable { .. } => "choose a folder you may write to",
            Self::NoFolder { .. } => "create the folder first",
            Self::NoColumns => "add at least one",
            Self::RepeatedColumn { .. } => "names must be unique",
            Self::NoSuchColumn { .. } => "columns are counted from zero",
            Self::WrongLength { .. } => "give one number per column",
            Self::Time { .. } => "start the scenario at zero",
            Self::Io { .. } | Self::Format { .. } | Self::BadColumn { .. } => return None,
        })
    }

    /// What is wrong, without the remedy.
    pub fn what(&self) -> String {
        match self {
            Self::Exists { path } => format!("{}: already exists and is not overwritten", path.display()),
            Self::DiskFull { path } => format!("{}: no space left on device", path.display()),
            Self::NotWritable { path, reason } => format!("{}: cannot be written ({reason})", path.display()),
            Self::NoFolder { path } => format!("{}: its folder does not exist or is a file", path.display()),
            Self::Io { path, action, reason, .. } => format!("{}: cannot {action}: {reason}", path.display()),
            Self::Format { path, reason } => format!("{}: {reason}", path.display()),
            Self::NoColumns => "the table has no columns".into(),
            // A message is one line, whatever the name holds.
            Self::BadColumn { index, name, rule } => {
                format!("column {index} `{}`: {rule}", name.replace(char::is_control, "\u{fffd}"))
            }
            Self::RepeatedColumn { index, first, name } => {
                format!("column {index} has the same name as column {first}, `{name}`")
            }
            Self::NoSuchColumn { index, columns } => {
                format!("column {index} does not exist, the table has {columns} columns")
            }
            Self::WrongLength { found, expected } => format!("a row of {found} numbers for {expected} columns"),
            Self::Time { row, value } => {
                format!("time {value} s of row {row} cannot be logged: log times are nanoseconds from 0 to 1.8e10 s")
            }
        }
    }
}

impl fmt::Display for ResultsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what())?;
        self.remedy().map_or(Ok(()), |remedy| write!(f, "; {remedy}"))
    }
}

impl std::error::Error for ResultsError {}
