//! `supple check`: describes a system, or lists all errors of its files.

mod facts;
mod problems;
mod text;

use std::process::ExitCode;

use supple_io::urdf::Root;

use crate::load::{FileOptions, Refusal, load};
use crate::output::print;
use facts::Facts;

/// Options.
#[derive(clap::Args)]
pub struct Options {
    #[command(flatten)]
    file: FileOptions,
    /// Print JSON instead of text.
    #[arg(long)]
    json: bool,
}

/// Reads and builds what the file describes, and prints facts about it.
pub fn run(options: &Options) -> ExitCode {
    let file = &options.file.file;
    let loaded = match load(&options.file, Root::Fixed) {
        Ok(loaded) => loaded,
        Err(refusal @ Refusal::Unsupported(_)) => return refusal.tell(file),
        Err(refusal) if options.json => return problems::print_json(&refusal, file),
        Err(refusal) => return refusal.tell(file),
    };
    let facts = Facts::new(&file.display().to_string(), &loaded);
    print(|out| {
        if options.json {
            serde_json::to_writer_pretty(&mut *out, &facts)?;
            writeln!(out)
        } else {
            text::write(out, &facts, &loaded.notes)
        }
    })
}
