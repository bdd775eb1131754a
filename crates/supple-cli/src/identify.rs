//! `supple identify`: parameters of a scenario from a recording of it.

use std::io::{self, Write};
use std::path::PathBuf;

use supple_io::identification_file;
use supple_run::{
    Certainty, Estimate, Estimated, FittedColumn, IdentifyOptions, Interrupt, Iteration, identify, write_estimate,
};

use crate::output::fail_plain;
use crate::run::{INTERRUPTED, refused};
use crate::search::SearchOptions;
use crate::signals;
use crate::status::Status;

/// Options.
#[derive(clap::Args)]
pub struct Options {
    /// Identification file.
    file: PathBuf,
    /// Write identified.json, changes.txt (for --set-from), fit.csv, fit.svg and residuals.svg into this folder.
    #[arg(short, long, value_name = "FOLDER")]
    output: Option<PathBuf>,
    #[command(flatten)]
    search: SearchOptions,
}

/// Identifies as the command line asks.
pub fn run(options: &Options) -> Status {
    let problem = match identification_file::read(&options.file) {
        Ok(problem) => problem,
        Err(error) => return fail_plain(1, &error),
    };
    if let Err(status) = options.search.check(options.output.as_deref(), "identified.json") {
        return status;
    }
    let interrupt = Interrupt::default();
    signals::end_with(&interrupt);
    let line = options.search.line();
    let mut observe = |Iteration { number, residual }: &Iteration| {
        line.show(&format!("step {number}: residuals {residual:.4} times the noise"));
    };
    let asked = IdentifyOptions { changes: options.search.set.all(), interrupt };
    let found = identify(&problem, &asked, &mut observe);
    drop(line);
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
    let status = options.search.print(&found, |out| write_text(out, &found));
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
