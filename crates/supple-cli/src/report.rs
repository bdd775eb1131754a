//! `supple report`: rebuilds the report of a run.

use crate::status::Status;
use std::path::PathBuf;

use supple_report::{Run, page};

use crate::options::{FileOutput, Place};
use crate::output::{fail_plain, print};

/// Options.
#[derive(clap::Args)]
pub struct Options {
    /// Results folder of a run.
    folder: PathBuf,
    /// Output file [default: report.html in the folder]; - for standard output.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Writes the report of a results folder: `report.html` in it, or the given file.
pub fn run(options: &Options) -> Status {
    let Options { folder, output } = options;
    let wrong = |error: supple_report::ReportError| fail_plain(1, &format!("supple: {error}"));
    let run = match Run::read(folder) {
        Ok(run) => run,
        Err(error) => return wrong(error),
    };
    // A page that is there is of this run or an older one: it is made again.
    let output = FileOutput { output: output.clone(), force: true };
    let Some(place) = output.place() else {
        return match run.write(folder) {
            Ok(path) => print(|out| writeln!(out, "{}", path.display())),
            Err(error) => wrong(error),
        };
    };
    match (output.write(place, page::of_run(&run).as_bytes(), 1), place) {
        (Err(status), _) => status,
        (Ok(()), Place::File(path)) => print(|out| writeln!(out, "{}", path.display())),
        (Ok(()), Place::StandardOutput) => Status::SUCCESS,
    }
}
