//! `supple check`: describes a system, or lists all errors of its files.

mod closing;
mod convergence;
mod facts;
mod loss;
mod problems;
mod text;

use crate::status::Status;

use supple_io::load::{Explanation, Refusal};
use supple_io::urdf::Root;

use crate::options::{FileOptions, FormatOptions, MeshOptions, TextOrJson};
use crate::output::{print, refuse};
use facts::Facts;

/// Options.
#[derive(clap::Args)]
pub struct Options {
    #[command(flatten)]
    file: FileOptions,
    #[command(flatten)]
    meshes: MeshOptions,
    #[command(flatten)]
    format: FormatOptions<TextOrJson>,
}

/// Reads and builds what the file describes, and prints facts about it.
pub fn run(options: &Options) -> Status {
    let file = &options.file.file;
    let loaded = match options.file.load_with_meshes(Root::Fixed, options.meshes.folders()) {
        Ok(loaded) => loaded,
        Err(refusal @ Refusal::Unsupported(_)) => return refuse(&refusal, file),
        Err(refusal) if options.format.is_json() => return problems::print_json(&refusal, file),
        Err(refusal) => return refuse(&refusal, file),
    };
    let facts = Facts::new(&file.display().to_string(), &loaded);
    if let Some(refusal) = cannot_begin(&facts) {
        return if options.format.is_json() { problems::print_json(&refusal, file) } else { refuse(&refusal, file) };
    }
    print(|out| {
        if options.format.is_json() {
            serde_json::to_writer_pretty(&mut *out, &facts)?;
            writeln!(out)
        } else {
            text::write(out, &facts, &loaded.notes)
        }
    })
}

/// A run begins with its closures closed.
fn cannot_begin(facts: &Facts) -> Option<Refusal> {
    let open = facts.closing.as_ref()?.open.as_ref().filter(|_| facts.scenario.is_some())?;
    let what = format!("the run cannot begin: {}", open.why);
    Some(Refusal::Invalid(Explanation { what, remedy: open.remedy.to_owned() }))
}
