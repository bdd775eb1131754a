//! `supple report`: rebuilds the report of a run.

use std::path::Path;
use std::process::ExitCode;

use supple_io::results::{Existing, write_whole};
use supple_report::{Run, page};

use crate::output::{fail_plain, print};

/// Writes the report of a results folder.
pub fn run(folder: &Path, output: Option<&Path>) -> ExitCode {
    let written = Run::read(folder).and_then(|run| match output {
        Some(path) => {
            write_whole(path, Existing::Replace, page::of_run(&run).as_bytes())?;
            Ok(path.to_path_buf())
        }
        None => run.write(folder),
    });
    match written {
        Ok(path) => print(|out| writeln!(out, "{}", path.display())),
        Err(error) => fail_plain(1, &format!("supple: {error}")),
    }
}
