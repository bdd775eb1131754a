//! `supple schema`: JSON schemas of the files.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::ValueEnum;
use supple_io::{model_file, scenario_file, urdf};

use crate::output::{fail, print};

/// A kind of file.
#[derive(Clone, Copy, ValueEnum)]
pub enum FileKind {
    /// Models (supple-model-1).
    Model,
    /// Scenarios (supple-scenario-1).
    Scenario,
    /// Nodes and modes of one body (supple-modes-1).
    Modes,
    /// Side files of robots (supple-flexible-1).
    Flexible,
}

/// Options.
#[derive(clap::Args)]
pub struct Options {
    /// File format.
    #[arg(value_enum)]
    kind: FileKind,
    /// Output file [default: standard output].
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Prints or writes a schema.
pub fn run(options: &Options) -> ExitCode {
    let schema = match options.kind {
        FileKind::Model => model_file::schema(),
        FileKind::Scenario => scenario_file::schema(),
        FileKind::Modes => model_file::modes_schema(),
        FileKind::Flexible => urdf::side_schema(),
    };
    let schema = schema.trim_end();
    match &options.output {
        None => print(|out| writeln!(out, "{schema}")),
        Some(path) => match std::fs::write(path, format!("{schema}\n")) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => fail(1, &path.display().to_string(), &error),
        },
    }
}
