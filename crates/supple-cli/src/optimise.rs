//! `supple optimise`: a move from rest to rest within limits, with residual vibration as a constraint.

use std::io::{self, Write};
use std::path::PathBuf;

use supple_io::optimisation_file::{self, Optimisation};
use supple_run::{Interrupt, OptimiseOptions, Optimum, Trial, optimise, write_optimum};

use crate::output::{fail, fail_plain};
use crate::run::{INTERRUPTED, refused};
use crate::search::SearchOptions;
use crate::signals;
use crate::status::Status;

/// Options.
#[derive(clap::Args)]
pub struct Options {
    /// Optimisation file.
    file: PathBuf,
    /// Write optimum.json, move.csv, motions.toml and move.svg into this folder.
    #[arg(short, long, value_name = "FOLDER")]
    output: Option<PathBuf>,
    #[command(flatten)]
    search: SearchOptions,
}

/// Optimises as the command line asks.
pub fn run(options: &Options) -> Status {
    let problem = match optimisation_file::read(&options.file) {
        Ok(problem) => problem,
        Err(error) => return fail_plain(1, &error),
    };
    if let Err(status) = options.search.check(options.output.as_deref(), "optimum.json") {
        return status;
    }
    let interrupt = Interrupt::default();
    signals::end_with(&interrupt);
    let line = options.search.line();
    let mut observe = |Trial { duration, round, effort, violation }: &Trial| {
        let exceeded = 100.0 * violation;
        line.show(&format!("{duration:.4} s, round {round}: effort {effort:.4}, limits exceeded by {exceeded:.2} %"));
    };
    let asked = OptimiseOptions { changes: options.search.set.all(), interrupt };
    let found = optimise(&problem, &asked, &mut observe);
    drop(line);
    let found = match found {
        Ok(found) => found,
        Err(error) => return refused(&options.file, &error),
    };
    if let Some(folder) = &options.output
        && let Err(error) = write_optimum(&found, folder)
    {
        return refused(folder, &error);
    }
    let status = options.search.print(&found, |out| write_text(out, &problem, &found));
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
