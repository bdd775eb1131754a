//! Where a command writes.

use crate::status::Status;
use std::path::{Path, PathBuf};

use supple_io::results::{Existing, ResultsError, write_whole};

use crate::output::{fail, fail_plain, print};

/// A file to write.
#[derive(clap::Args)]
pub struct FileOutput {
    /// Output file; - for standard output.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Overwrite an existing file.
    #[arg(long)]
    pub force: bool,
}

/// A folder of results to write.
#[derive(clap::Args)]
pub struct FolderOutput {
    /// Results folder, instead of the one given in the scenario.
    #[arg(short, long, value_name = "FOLDER")]
    pub output: Option<PathBuf>,
    /// Overwrite existing results.
    #[arg(long)]
    pub force: bool,
}

/// Where a file goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place<'p> {
    /// To this file.
    File(&'p Path),
    /// To standard output.
    StandardOutput,
}

impl<'p> Place<'p> {
    /// A path, or `-`.
    pub fn new(path: &'p Path) -> Self {
        if path == Path::new("-") { Self::StandardOutput } else { Self::File(path) }
    }
}

impl FileOutput {
    /// Where the file goes, if it was said.
    pub fn place(&self) -> Option<Place<'_>> {
        self.output.as_deref().map(Place::new)
    }

    /// Writes all of a file to its place, or says on standard error why not: a file that is there is replaced only by `--force`, and
    /// `exists` is the status otherwise.
    pub fn write(&self, place: Place<'_>, content: &[u8], exists: u8) -> Result<(), Status> {
        let Place::File(path) = place else {
            let status = print(|out| out.write_all(content));
            return if status == Status::SUCCESS { Ok(()) } else { Err(status) };
        };
        let existing = if self.force { Existing::Replace } else { Existing::Refuse };
        write_whole(path, existing, content).map_err(|error| match error {
            ResultsError::Exists { path } => {
                fail(exists, &path.display().to_string(), &"the file already exists; use --force to overwrite it")
            }
            error => fail_plain(1, &format!("supple: {error}")),
        })
    }
}
