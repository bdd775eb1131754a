//! `supple identify`: parameters of a scenario from a recording of it.

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;

use supple_io::identification_file;
use supple_run::{
    Certainty, Estimate, Estimated, FittedColumn, IdentifyOptions, Interrupt, Iteration, identify, write_estimate,
};

use crate::options::{FormatOptions, SetOptions, TextOrJson};
use crate::output::{fail, fail_plain, print};
use crate::run::{INTERRUPTED, refused};
use crate::signals;
use crate::status::Status;

/// Options.
#[derive(clap::Args)]
pub struct Options {
    /// Identification file.
    file: PathBuf,
    #[command(flatten)]
    set: SetOptions,
    /// Write identified.json, changes.txt (for --set-from), fit.csv, fit.svg and residuals.svg into this folder.
    #[arg(short, long, value_name = "FOLDER")]
    output: Option<PathBuf>,
    /// Overwrite an existing identification.
    #[arg(long)]
    force: bool,
    /// No progress.
    #[arg(short, long)]
    quiet: bool,
    #[command(flatten)]
    format: FormatOptions<TextOrJson>,
}

/// Identifies as the command line asks.
pub fn run(options: &Options) -> Status {
    let problem = match identification_file::read(&options.file) {
        Ok(problem) => problem,
        Err(error) => return fail_plain(1, &error),
    };
    if let Some(folder) =
        options.output.as_ref().filter(|folder| !options.force && folder.join("identified.json").exists())
    {
        let what = "there is an identification already; overwrite it with --force, or choose another folder with -o";
        return fail(1, &folder.display().to_string(), &what);
    }
    let interrupt = Interrupt::default();
    signals::end_with(&interrupt);
    let shown = !options.quiet && io::stderr().is_terminal();
    let mut observe = |iteration: &Iteration| {
        if shown {
            let Iteration { number, residual } = iteration;
            let _ = write!(io::stderr(), "\rstep {number}: residuals {residual:.4} times the noise\x1b[K");
            let _ = io::stderr().flush();
        }
    };
    let asked = IdentifyOptions { changes: options.set.all(), interrupt };
    let found = identify(&problem, &asked, &mut observe);
    if shown {
        let _ = write!(io::stderr(), "\r\x1b[K");
    }
    let found = match found {
        Ok(found) => found,
        Err(error) => return refused(&options.file, &error),
    };
    if let Some(folder) = &options.output
        && let Err(error) = write_estimate(&found, folder)
    {
        return refused(folder, &error);
    }
    for warning in &found.warnings {
        let _ = writeln!(io::stderr(), "supple: {}: warning: {warning}", options.file.display());
    }
    let status = match options.format.is_json() {
        true => print(|out| {
            serde_json::to_writer_pretty(&mut *out, &found)?;
            writeln!(out)
        }),
        false => print(|out| write_text(out, &found)),
    };
    match (found.interrupted, found.converged) {
        (true, _) => Status::from(INTERRUPTED),
        (false, false) => Status::FAILURE,
        _ => status,
    }
}

/// The estimate for people.
fn write_text(out: &mut dyn Write, found: &Estimate) -> io::Result<()> {
    let width = found.parameters.iter().map(|parameter| parameter.name.len()).max().unwrap_or(0);
    writeln!(out, "{:width$}  {:>14}   {:.0} % bound", "parameter", "value", 100.0 * found.confidence)?;
    for Estimated { name, value, bound, certainty, .. } in &found.parameters {
        let told = match (bound, certainty) {
            (Some(bound), _) if *value != 0.0 => format!("± {bound:.3e}  ({:.2} %)", 100.0 * bound / value.abs()),
            (Some(bound), _) => format!("± {bound:.3e}"),
            (None, Certainty::AtLimit) => "at its limit".to_owned(),
            (None, _) => "not determined".to_owned(),
        };
        writeln!(out, "{name:width$}  {value:>14.7e}   {told}")?;
    }
    writeln!(
        out,
        "\nresidual variance {:.4} of the noise, {} degrees of freedom, condition {}, {} steps",
        found.residual_variance,
        found.degrees_of_freedom,
        found.condition.map_or("infinite".to_owned(), |condition| format!("{condition:.1}")),
        found.iterations
    )?;
    for FittedColumn { column, times, noise, noise_found, residual, whiteness, .. } in &found.columns {
        let white = whiteness.map_or(String::new(), |[neighbours, probability]| {
            format!(", neighbours correlate by {neighbours:+.3} (probability {probability:.2})")
        });
        let how = if *noise_found { "noise found" } else { "noise" };
        writeln!(out, "  {column}: {} samples, residual {residual:.3e}, {how} {noise:.3e}{white}", times.len())?;
    }
    Ok(())
}
