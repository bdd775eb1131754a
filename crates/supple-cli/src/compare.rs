//! `supple compare`: two runs in one report, and their differences.

use crate::status::Status;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use supple_report::difference::{Difference, Differences, differences};
use supple_report::{Run, page};

use crate::options::{FileOutput, Place};
use crate::output::{fail_plain, print};

/// The page, unless another file is named.
const USUAL: &str = "compare.html";
/// Differences that are printed; all are in the page.
const MOST_LINES: usize = 20;
/// Columns without a difference that are named.
const MOST_SAME: usize = 8;

/// Options.
#[derive(clap::Args)]
pub struct Options {
    /// Results folder of the first run.
    one: PathBuf,
    /// Results folder of the second run.
    other: PathBuf,
    #[command(flatten)]
    output: FileOutput,
    /// Print only columns whose names start with one of these, without limit.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    columns: Vec<String>,
}

/// Compares two runs.
pub fn run(options: &Options) -> Status {
    let (one, other) = match (Run::read(&options.one), Run::read(&options.other)) {
        (Ok(one), Ok(other)) => (one, other),
        (Err(error), _) | (_, Err(error)) => return fail_plain(1, &format!("supple: {error}")),
    };
    let label =
        |run: &Run, folder: &PathBuf| Run { label: format!("{} ({})", run.label, folder.display()), ..run.clone() };
    let (one, other) = (label(&one, &options.one), label(&other, &options.other));
    let place = options.output.place().unwrap_or(Place::File(Path::new(USUAL)));
    if let Err(status) = options.output.write(place, page::of_two(&one, &other).as_bytes(), 1) {
        return status;
    }
    let Place::File(path) = place else { return Status::SUCCESS };
    let found = differences(&one, &other);
    print(|out| write_text(out, &found, &options.columns, path))
}

fn write_text(out: &mut dyn Write, all: &Differences, columns: &[String], page: &Path) -> io::Result<()> {
    let wanted = |one: &&Difference| columns.iter().any(|name| one.name.starts_with(name.as_str()));
    let most = if columns.is_empty() { MOST_LINES } else { usize::MAX };
    let chosen = all.found.iter().filter(|one| columns.is_empty() || wanted(one));
    let (found, same): (Vec<&Difference>, Vec<&Difference>) =
        chosen.partition(|one| one.greatest > 0.0 || !columns.is_empty());
    if found.is_empty() && !same.is_empty() {
        writeln!(out, "the runs do not differ")?;
    } else if found.is_empty() && !columns.is_empty() {
        writeln!(out, "no common column starts with {}", columns.join(" or "))?;
    } else if found.is_empty() {
        writeln!(out, "the runs have no common column over a common time span")?;
    } else {
        writeln!(out, "{:<32} {:>10} {:>14} {:>12} {:>12}", "column", "of range", "max", "at s", "rms")?;
    }
    for one in found.iter().take(most) {
        let name = format!("{}[{}]", one.name, one.unit);
        let Difference { greatest, time, root_mean_square, .. } = one;
        let share = format!("{:.2} %", 100.0 * one.relative);
        writeln!(out, "{name:<32} {share:>10} {greatest:>14.6e} {time:>12.6} {root_mean_square:>12.4e}")?;
    }
    if found.len() > most {
        writeln!(out, "and {} more columns; select them with --columns", found.len() - most)?;
    }
    if !same.is_empty() {
        let names: Vec<&str> = same.iter().take(MOST_SAME).map(|one| one.name.as_str()).collect();
        let more = if same.len() > MOST_SAME { ", …" } else { "" };
        writeln!(out, "the same in both runs: {}{more}", names.join(", "))?;
    }
    if !all.other_shapes.is_empty() {
        let bodies = all.other_shapes.join(", ");
        writeln!(out, "modal coordinates of {bodies} are not compared: their shapes differ; see the deflections")?;
    }
    writeln!(out, "report to open in a browser: {}", page.display())
}
