//! `supple schema`: JSON schemas of the files.

use crate::status::Status;

use clap::ValueEnum;
use supple_io::{identification_file, model_file, optimisation_file, scenario_file, study_file, urdf};

use crate::options::{FileOutput, Place};

/// A kind of file.
#[derive(Clone, Copy, ValueEnum)]
pub enum FileKind {
    /// Models (supple-model-1).
    Model,
    /// Scenarios (supple-scenario-1).
    Scenario,
    /// Studies (supple-study-1).
    Study,
    /// Nodes and modes of one body (supple-modes-1).
    Modes,
    /// Side files of robots (supple-flexible-1).
    Flexible,
    /// Identifications (supple-identify-1).
    Identify,
    /// Optimisations (supple-optimise-1).
    Optimise,
}

/// Options.
#[derive(clap::Args)]
pub struct Options {
    /// File format.
    #[arg(value_enum)]
    kind: FileKind,
    #[command(flatten)]
    output: FileOutput,
}

/// Prints or writes a schema.
pub fn run(options: &Options) -> Status {
    let schema = match options.kind {
        FileKind::Model => model_file::schema(),
        FileKind::Scenario => scenario_file::schema(),
        FileKind::Study => study_file::schema(),
        FileKind::Modes => model_file::modes_schema(),
        FileKind::Flexible => urdf::side_schema(),
        FileKind::Identify => identification_file::schema(),
        FileKind::Optimise => optimisation_file::schema(),
    };
    let place = options.output.place().unwrap_or(Place::StandardOutput);
    match options.output.write(place, format!("{}\n", schema.trim_end()).as_bytes(), 1) {
        Ok(()) => Status::SUCCESS,
        Err(status) => status,
    }
}
