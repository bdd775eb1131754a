//! `supple import`: descriptions of other programs as model files.

use crate::status::Status;
use std::io::{self, Write};

use clap::ValueEnum;
use supple_io::load::Loaded;
use supple_io::model_file;
use supple_io::urdf::Root;

use crate::options::{FileOptions, FileOutput, Place};
use crate::output::{UNSUPPORTED, fail, print, refuse};

/// What holds the first body.
#[derive(Clone, Copy, ValueEnum)]
enum Held {
    /// The ground.
    Fixed,
    /// Nothing.
    Free,
}

/// Options.
#[derive(clap::Args)]
pub struct Options {
    #[command(flatten)]
    file: FileOptions,
    #[command(flatten)]
    output: FileOutput,
    /// Name of the model [default: that of the robot, or the title of the standard input data].
    #[arg(long)]
    name: Option<String>,
    /// Hinge of the root link or of the body, unless the side file defines it.
    #[arg(long, value_enum, default_value_t = Held::Fixed)]
    hinge: Held,
}

/// Reads, writes, and reports what is not converted.
pub fn run(options: &Options) -> Status {
    let file = &options.file.file;
    let root = match options.hinge {
        Held::Fixed => Root::Fixed,
        Held::Free => Root::Free,
    };
    let loaded = match options.file.load(root) {
        Ok(loaded) => loaded,
        Err(refusal) => return refuse(&refusal, file),
    };
    let source = file.display().to_string();
    if matches!(loaded.kind, "model" | "scenario") {
        return fail(UNSUPPORTED, &source, &"this is already a Supple file; there is nothing to import");
    }
    let name = options.name.as_deref().or(loaded.name.as_deref());
    let text = match text(name, &loaded) {
        Ok(text) => text,
        Err(message) => return fail(UNSUPPORTED, &source, &message),
    };
    let place = options.output.place().unwrap_or(Place::StandardOutput);
    if let Err(status) = options.output.write(place, text.as_bytes(), UNSUPPORTED) {
        return status;
    }
    for note in &loaded.notes {
        // If nobody listens, the file is there.
        let _ = writeln!(io::stderr().lock(), "{}", note.full);
    }
    let count = |number: usize, one: &str, many: &str| format!("{number} {}", if number == 1 { one } else { many });
    let bodies = count(loaded.model.body_count(), "body", "bodies");
    let speeds = count(loaded.model.speed_count(), "speed", "speeds");
    let notes = count(loaded.notes.len(), "note", "notes");
    match place {
        Place::File(path) => print(|out| writeln!(out, "{}: {bodies}, {speeds}, {notes}", path.display())),
        Place::StandardOutput => Status::SUCCESS,
    }
}

/// The model file, if reading it gives back what was imported.
fn text(name: Option<&str>, loaded: &Loaded) -> Result<String, String> {
    let cannot = |what: &str| format!("a model file of this version cannot represent {what}");
    let text = model_file::write_named(name, &loaded.system).map_err(|error| error.to_string())?;
    let back = model_file::from_text("the model file", &text, None);
    let system = back.as_ref().map(|back| &back.system);
    if system != Ok(&loaded.system)
        && let Some(body) = loaded.system.bodies.iter().find(|body| body.modal_inertia.is_some())
    {
        return Err(cannot(&format!("body '{}', whose inertia is given as tables", body.name)));
    }
    let back = back.map_err(|error| cannot(&format!("this system, which would be rejected:\n{error}")))?;
    let same = back.system == loaded.system && back.name.as_deref() == name;
    if same { Ok(text) } else { Err(cannot("this system completely")) }
}
