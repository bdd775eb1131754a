//! `supple optimise`: a move from rest to rest within limits, with residual vibration as a constraint.

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;

use supple_io::optimisation_file::{self, Optimisation};
use supple_run::{Interrupt, OptimiseOptions, Optimum, Trial, optimise, write_optimum};

use crate::options::{FormatOptions, SetOptions, TextOrJson};
use crate::output::{fail, fail_plain, print};
use crate::run::{INTERRUPTED, refused};
use crate::signals;
use crate::status::Status;

/// Options.
#[derive(clap::Args)]
pub struct Options {
    /// Optimisation file.
    file: PathBuf,
    #[command(flatten)]
    set: SetOptions,
    /// Write optimum.json, move.csv, motions.toml and move.svg into this folder.
    #[arg(short, long, value_name = "FOLDER")]
    output: Option<PathBuf>,
    /// Overwrite an existing optimisation.
    #[arg(long)]
    force: bool,
    /// No progress.
    #[arg(short, long)]
    quiet: bool,
    #[command(flatten)]
    format: FormatOptions<TextOrJson>,
}

/// Optimises as the command line asks.
pub fn run(options: &Options) -> Status {
    let problem = match optimisation_file::read(&options.file) {
        Ok(problem) => problem,
        Err(error) => return fail_plain(1, &error),
    };
    if let Some(folder) =
        options.output.as_ref().filter(|folder| !options.force && folder.join("optimum.json").exists())
    {
        let what = "there is an optimisation already; overwrite it with --force, or choose another folder with -o";
        return fail(1, &folder.display().to_string(), &what);
    }
    let interrupt = Interrupt::default();
    signals::end_with(&interrupt);
    let shown = !options.quiet && io::stderr().is_terminal();
    let mut observe = |trial: &Trial| {
        if shown {
            let Trial { duration, round, effort, violation } = trial;
            let told = format!(
                "{duration:.4} s, round {round}: effort {effort:.4}, limits exceeded by {:.2} %",
                100.0 * violation
            );
            let _ = write!(io::stderr(), "\r{told}\x1b[K");
            let _ = io::stderr().flush();
        }
    };
    let asked = OptimiseOptions { changes: options.set.all(), interrupt };
    let found = optimise(&problem, &asked, &mut observe);
    if shown {
        let _ = write!(io::stderr(), "\r\x1b[K");
    }
    let found = match found {
        Ok(found) => found,
        Err(error) => return refused(&options.file, &error),
    };
    if let Some(folder) = &options.output
        && let Err(error) = write_optimum(&found, folder)
    {
        return refused(folder, &error);
    }
    let status = match options.format.is_json() {
        true => print(|out| {
            serde_json::to_writer_pretty(&mut *out, &found)?;
            writeln!(out)
        }),
        false => print(|out| write_text(out, &problem, &found)),
    };
    if !found.feasible {
        let what = format!(
            "no move keeps all limits: they are exceeded by {:.2} %; allow more time, effort or vibration, or more knots",
            100.0 * found.violation
        );
        let failed = fail(1, &options.file.display().to_string(), &what);
        return if found.interrupted { Status::from(INTERRUPTED) } else { failed };
    }
    if found.interrupted { Status::from(INTERRUPTED) } else { status }
}

/// The move for people.
fn write_text(out: &mut dyn Write, problem: &Optimisation, found: &Optimum) -> io::Result<()> {
    writeln!(out, "move of {:.4} s, {} rounds", found.duration, found.rounds)?;
    for (hinge, told) in found.hinges.iter().zip(&problem.moves) {
        let fastest = hinge.speeds.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        let from = hinge.positions.first().copied().unwrap_or_default();
        let limit = if told.effort.is_finite() { format!(" of {}", told.effort) } else { String::new() };
        writeln!(
            out,
            "  {}: from {from:.6} to {:.6}, speed up to {fastest:.4}, effort up to {:.4}{limit}",
            hinge.hinge, told.to, hinge.greatest_effort
        )?;
    }
    for (residual, limit) in found.residuals.iter().zip(&problem.residuals) {
        let (body, node, allowed) = (&limit.body, &limit.node, limit.amplitude);
        writeln!(out, "  {body}.{node}: {residual:.3e} m from its place after the move, {allowed:.3e} allowed")?;
    }
    Ok(())
}
