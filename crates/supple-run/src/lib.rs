//! Runs of Supple: a scenario becomes motion, results, checkpoints and a report.
//!
//! ```no_run
//! let results = supple_run::run("examples/crane/slew.toml", &supple_run::Options::default())?;
//! println!("{} rows, at the end {} J", results.column("time")?.len(), results.last("energy.total")?);
//! # Ok::<(), supple_run::RunError>(())
//! ```
//!
//! [`run`] reads a scenario file and follows it to the end. For more, read the scenario with [`read`], prepare a [`Run`] and
//! [`go`](Run::go), or [`advance`](Run::advance) row by row; an [`Observer`] is given progress, rows and warnings, an [`Interrupt`]
//! ends the run from another thread. [`Options`] say where results go: by default they stay in memory.
//!
//! The `supple` command parses, calls this library and prints; so does every other door. Nothing here prints or ends the program.
#![forbid(unsafe_code)]
#![deny(clippy::print_stdout, clippy::print_stderr, clippy::exit)]

mod checkpoint;
mod closed_loop;
mod closure_columns;
mod closures;
mod collapse;
mod command;
mod compiled;
mod control;
mod corrections;
mod damping;
mod design;
mod drive;
mod effort;
mod engine;
mod error;
mod events;
#[cfg_attr(not(feature = "report"), path = "without_report.rs")]
mod film;
mod follow;
mod formulation;
mod identify;
mod lock;
mod longest_step;
mod loop_watch;
mod momentum;
mod movers;
mod observer;
mod optimise;
mod options;
mod pieces;
mod place;
pub mod realtime;
mod record;
mod results;
mod row_files;
mod run;
mod sinks;
mod size;
mod sound_start;
mod start;
mod story;
pub mod sweep;
mod switching;
mod tape;
mod warnings;

use std::path::Path;

pub use closures::{ClosedPose, close_pose};
pub use command::{resume_command, run_command, word as shell_word};
pub use compiled::Code;
pub use control::blocks_of;
pub use damping::{Asked, DampingRatios, Driven};
pub use error::{RunError, RunErrorKind};
#[cfg(feature = "report")]
pub use film::pose;
pub use formulation::{Formulation, MakeFormulation};
pub use identify::{
    Certainty, Estimate, Estimated, FittedColumn, IdentifyOptions, Iteration, identified_scenario, identify,
    write_estimate,
};
pub use observer::{Observer, Progress, Row};
pub use optimise::{MovedHinge, OptimiseOptions, Optimum, Trial, optimise, write_optimum};
pub use options::{Existing, Interrupt, Options, Output};
pub use results::Results;
pub use run::Run;
pub use size::Size;
pub use start::Start;
pub use supple_io::change::Change;
pub use supple_io::results::{ActionKind, ActionSummary, EventSummary, Outcome, Summary, Warning};
pub use supple_io::scenario_file::Scenario;

/// Reads a scenario and its model.
///
/// # Errors
/// [`RunErrorKind::Unsound`], with everything that is wrong in [`RunError::findings`].
pub fn read(path: impl AsRef<Path>) -> Result<Scenario, RunError> {
    Ok(supple_io::scenario_file::read(path.as_ref())?)
}

/// Reads a scenario and its model, some of whose values are set from outside.
///
/// # Errors
/// As [`read`].
pub fn read_changed(path: impl AsRef<Path>, changes: &[Change]) -> Result<Scenario, RunError> {
    Ok(supple_io::scenario_file::read_changed(path.as_ref(), changes)?)
}

/// Reads a scenario and its model as a run with these options needs them.
///
/// # Errors
/// As [`read`].
pub fn read_for(path: impl AsRef<Path>, options: &Options) -> Result<Scenario, RunError> {
    Ok(supple_io::scenario_file::read_with_meshes(path.as_ref(), &options.changes, &options.meshes)?)
}

/// Reads a scenario and runs it to its end.
///
/// # Errors
/// A scenario that is unsound, a run that cannot begin, or one that ends early: [`RunErrorKind::EndedEarly`], with what was computed in
/// [`RunError::results`].
pub fn run(path: impl AsRef<Path>, options: &Options) -> Result<Results, RunError> {
    let path = path.as_ref();
    let results = Run::new(&read_for(path, options)?, path, options)?.go(&mut ());
    let message = match results.outcome() {
        Outcome::Finished | Outcome::Stopped(_) => return Ok(results),
        Outcome::Failed(message) => message.clone(),
        _ => format!("the run was interrupted at t = {} s", results.summary().end_time),
    };
    Err(RunError::ended_early(results, message))
}
