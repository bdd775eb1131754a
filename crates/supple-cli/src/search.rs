//! What commands that search for numbers have in common: options, progress on a terminal, what they print and leave.

use std::io::{self, IsTerminal, Write};
use std::path::Path;

use serde::Serialize;

use crate::options::{FormatOptions, SetOptions, TextOrJson};
use crate::output::{fail, print};
use crate::status::Status;

/// Options of a search.
#[derive(clap::Args)]
pub struct SearchOptions {
    #[command(flatten)]
    pub set: SetOptions,
    /// Overwrite the results in the folder.
    #[arg(long)]
    force: bool,
    /// Do not print progress.
    #[arg(short, long)]
    quiet: bool,
    #[command(flatten)]
    format: FormatOptions<TextOrJson>,
}

impl SearchOptions {
    /// Refuses a folder that has the results of another search, `file` among them.
    pub fn check(&self, folder: Option<&Path>, file: &str) -> Result<(), Status> {
        match folder.filter(|folder| !self.force && folder.join(file).exists()) {
            None => Ok(()),
            Some(folder) => {
                let what = format!(
                    "{file} already exists; overwrite the results with --force, or choose another folder with -o"
                );
                Err(fail(1, &folder.display().to_string(), &what))
            }
        }
    }

    /// The line that shows progress.
    pub fn line(&self) -> SearchLine {
        SearchLine(!self.quiet && io::stderr().is_terminal())
    }

    /// Prints what was found: as JSON, or for people.
    pub fn print(&self, found: &impl Serialize, text: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Status {
        if !self.format.is_json() {
            return print(text);
        }
        print(|out| {
            serde_json::to_writer_pretty(&mut *out, found)?;
            writeln!(out)
        })
    }
}

/// A line on the terminal that changes, and is gone in the end.
pub struct SearchLine(bool);

impl SearchLine {
    /// Shows how far the search is.
    pub fn show(&self, text: &str) {
        if self.0 {
            let _ = write!(io::stderr(), "\r{text}\x1b[K");
            let _ = io::stderr().flush();
        }
    }
}

impl Drop for SearchLine {
    fn drop(&mut self) {
        if self.0 {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}
