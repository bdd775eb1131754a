//! Files that appear whole or not at all, and never over others unasked.

use super::error::ResultsError;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// What to do with something that is there already.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Existing {
    /// Leave it and fail.
    #[default]
    Refuse,
    /// Overwrite files of the names written; others in the folder stay.
    Replace,
}

/// Makes a folder for results, with those above it.
///
/// # Errors
/// A folder that holds something, unless it may be replaced; a file in its place; a place that cannot be written.
pub fn create_folder(path: &Path, existing: Existing) -> Result<(), ResultsError> {
    let failed = |error: io::Error| ResultsError::io(path, "create", &error);
    if path.is_dir() {
        let empty = fs::read_dir(path).map_err(failed)?.next().is_none();
        return if empty || existing == Existing::Replace {
            Ok(())
        } else {
            Err(ResultsError::Exists { path: path.to_path_buf() })
        };
    }
    fs::create_dir_all(path).map_err(failed)
}

/// Opens a file for writing from its start.
pub(super) fn create(path: &Path, existing: Existing) -> Result<File, ResultsError> {
    let mut options = OpenOptions::new();
    options.write(true);
    match existing {
        Existing::Refuse => options.create_new(true),
        Existing::Replace => options.create(true).truncate(true),
    };
    options.open(path).map_err(|error| ResultsError::io(path, "create", &error))
}

/// The name of a file while it is being written; readers of folders pass over names that start with a dot.
pub(super) fn hidden(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.partial"))
}

/// Writes a temporary file and renames it when it is on the disk: the file is never incomplete.
///
/// # Errors
/// A file that exists and may not be replaced; a place that cannot be written.
pub fn write_whole(path: &Path, existing: Existing, text: &[u8]) -> Result<(), ResultsError> {
    if existing == Existing::Refuse && path.exists() {
        return Err(ResultsError::Exists { path: path.to_path_buf() });
    }
    let beside = hidden(path);
    // What is wrong with the place is reported at the file that the user named.
    let mut file = File::create(&beside).map_err(|error| ResultsError::io(path, "create", &error))?;
    let written = file.write_all(text).and_then(|()| file.sync_all()).and_then(|()| fs::rename(&beside, path));
    written.map_err(|error| {
        // The half-written file is of no use to anybody.
        let _ = fs::remove_file(&beside);
        ResultsError::io(path, "write", &error)
    })
}
