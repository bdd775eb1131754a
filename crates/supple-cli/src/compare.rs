//! `supple compare`: two runs in one page, and how far apart they are.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use supple_io::results::{Existing, ResultsError, write_whole};
use supple_report::difference::{Difference, differences};
use supple_report::{Run, page};

use crate::output::{fail, fail_plain, print};

/// Differences that are printed; all are in the page.
const MOST_LINES: usize = 20;

/// What is asked.
#[derive(clap::Args)]
pub struct Options {
    /// Folder of the results of one run.
    one: PathBuf,
    /// Folder of the results of the other run.
    other: PathBuf,
    /// File to write.
    #[arg(short, long, value_name = "FILE", default_value = "compare.html")]
    output: PathBuf,
    /// Replace a file that is there.
    #[arg(long)]
    force: bool,
}

/// Compares two runs.
pub fn run(options: &Options) -> ExitCode {
    let (one, other) = match (Run::read(&options.one), Run::read(&options.other)) {
        (Ok(one), Ok(other)) => (one, other),
        (Err(error), _) | (_, Err(error)) => return fail_plain(1, &format!("supple: {error}")),
    };
    let label =
        |run: &Run, folder: &PathBuf| Run { label: format!("{} ({})", run.label, folder.display()), ..run.clone() };
    let (one, other) = (label(&one, &options.one), label(&other, &options.other));
    let existing = if options.force { Existing::Replace } else { Existing::Refuse };
    match write_whole(&options.output, existing, page::of_two(&one, &other).as_bytes()) {
        Ok(()) => {}
        Err(ResultsError::Exists { path }) => {
            return fail(1, &path.display().to_string(), &"the file exists; --force overwrites it");
        }
        Err(error) => return fail_plain(1, &format!("supple: {error}")),
    }
    let found = differences(&one.table, &other.table);
    print(|out| write_text(out, &found, &options.output))
}

fn write_text(out: &mut dyn Write, found: &[Difference], page: &std::path::Path) -> io::Result<()> {
    if found.is_empty() {
        writeln!(out, "the runs have no column in common over a common time")?;
    } else {
        writeln!(out, "{:<32} {:>14} {:>12} {:>12}", "column", "greatest", "at s", "rms")?;
    }
    for one in found.iter().take(MOST_LINES) {
        let name = format!("{}[{}]", one.name, one.unit);
        writeln!(out, "{name:<32} {:>14.6e} {:>12.6} {:>12.4e}", one.greatest, one.time, one.root_mean_square)?;
    }
    if found.len() > MOST_LINES {
        writeln!(out, "and {} more columns", found.len() - MOST_LINES)?;
    }
    writeln!(out, "page to open in a browser: {}", page.display())
}
