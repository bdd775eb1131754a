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
    if path.exists() {
        let file = io::Error::other("it is a file, not a folder");
        return Err(failed(file));
    }
    fs::create_dir_all(path).map_err(failed)
}

/// Opens a file for writing from its start. What is replaced is taken away first, so that a link is never followed: a new file takes its
/// place, and the file that the link leads to stays as it is. Devices are written to.
///
/// # Errors
/// A file that exists and may not be replaced; a place that cannot be written.
pub fn create_file(path: &Path, existing: Existing) -> Result<File, ResultsError> {
    open_new(path, existing).map_err(|error| ResultsError::io(path, "create", &error))
}

/// As [`create_file`], with the words of the operating system.
pub(super) fn open_new(path: &Path, existing: Existing) -> io::Result<File> {
    let there = match existing {
        Existing::Refuse => None,
        Existing::Replace => fs::symlink_metadata(path).ok().map(|about| about.file_type()),
    };
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    match there {
        Some(kind) if kind.is_file() || kind.is_symlink() => fs::remove_file(path)?,
        Some(_) => return options.create_new(false).open(path),
        None => {}
    }
    options.open(path)
}

/// The name of a file while it is being written; readers of folders pass over names that start with a dot.
pub(super) fn hidden(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.partial"))
}

/// A file that is being written under a temporary name, by this program or another: kept whole, or gone.
#[derive(Debug)]
pub struct PartialFile {
    place: PathBuf,
    beside: PathBuf,
    kept: bool,
}

impl PartialFile {
    /// Makes the temporary file.
    ///
    /// # Errors
    /// A file that exists and may not be replaced; a place that cannot be written.
    pub fn create(place: &Path, existing: Existing) -> Result<(Self, File), ResultsError> {
        if existing == Existing::Refuse && place.exists() {
            return Err(ResultsError::Exists { path: place.to_path_buf() });
        }
        let beside = hidden(place);
        // What is wrong with the place is reported at the file that the user named.
        let file = open_new(&beside, Existing::Replace).map_err(|error| ResultsError::io(place, "create", &error))?;
        Ok((Self { place: place.to_path_buf(), beside, kept: false }, file))
    }

    /// Where it is meanwhile.
    pub fn path(&self) -> &Path {
        &self.beside
    }

    /// What kept it from being written, as an error of its place.
    pub fn failed(&self, error: &io::Error) -> ResultsError {
        ResultsError::io(&self.place, "write", error)
    }

    /// Gives the file its name, once it is on the disk.
    ///
    /// # Errors
    /// A disk or folder that does not take it.
    pub fn keep(mut self) -> Result<(), ResultsError> {
        let synced = OpenOptions::new().append(true).open(&self.beside).and_then(|file| file.sync_all());
        synced.and_then(|()| fs::rename(&self.beside, &self.place)).map_err(|error| self.failed(&error))?;
        self.kept = true;
        Ok(())
    }
}

impl Drop for PartialFile {
    /// A half-written file is of no use to anybody.
    fn drop(&mut self) {
        if !self.kept {
            let _ = fs::remove_file(&self.beside);
        }
    }
}

/// Writes a temporary file and renames it when it is on the disk: the file is never incomplete.
///
/// # Errors
/// A file that exists and may not be replaced; a place that cannot be written.
pub fn write_whole(path: &Path, existing: Existing, text: &[u8]) -> Result<(), ResultsError> {
    let (partial, mut file) = PartialFile::create(path, existing)?;
    file.write_all(text).map_err(|error| partial.failed(&error))?;
    partial.keep()
}
