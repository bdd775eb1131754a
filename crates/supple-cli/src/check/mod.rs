//! `supple check`: describes a system, or lists all errors of its files.

mod facts;
mod problems;
mod text;

use std::process::ExitCode;

use supple_io::load::Refusal;
use supple_io::urdf::Root;

use crate::options::{FileOptions, FormatOptions, TextOrJson};
use crate::output::{print, refuse};
use facts::Facts;

/// Options.
#[derive(clap::Args)]
pub struct Options {
    #[command(flatten)]
    file: FileOptions,
    #[command(flatten)]
    format: FormatOptions<TextOrJson>,
}

/// Reads and builds what the file describes, and prints facts about it.
pub fn run(options: &Options) -> ExitCode {
    let file = &options.file.file;
    let loaded = match options.file.load(Root::Fixed) {
        Ok(loaded) => loaded,
        Err(refusal @ Refusal::Unsupported(_)) => return refuse(&refusal, file),
        Err(refusal) if options.format.is_json() => return problems::print_json(&refusal, file),
        Err(refusal) => return refuse(&refusal, file),
    };
    let facts = Facts::new(&file.display().to_string(), &loaded);
    print(|out| {
        if options.format.is_json() {
            serde_json::to_writer_pretty(&mut *out, &facts)?;
            writeln!(out)
        } else {
            text::write(out, &facts, &loaded.notes)
        }
    })
}
