//! `supple import`: descriptions of other programs as model files.

use std::fs::OpenOptions;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::ValueEnum;
use supple_io::load::Loaded;
use supple_io::model_file;
use supple_io::urdf::Root;

use crate::options::FileOptions;
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
    /// Output model file.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Overwrite an existing file.
    #[arg(long)]
    force: bool,
    /// Name of the model [default: that of the robot, or the title of the standard input data].
    #[arg(long)]
    name: Option<String>,
    /// Hinge of the root link or of the body, unless the side file defines it.
    #[arg(long, value_enum, default_value_t = Held::Fixed)]
    hinge: Held,
}

/// Reads, writes, and reports what is not converted.
pub fn run(options: &Options) -> ExitCode {
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
    let target = options.output.display().to_string();
    let text = match text(name, &loaded) {
        Ok(text) => text,
        Err(message) => return fail(UNSUPPORTED, &source, &message),
    };
    if let Err(error) = write(&options.output, &text, options.force) {
        return match error.kind() {
            ErrorKind::AlreadyExists => {
                fail(UNSUPPORTED, &target, &"the file already exists; use --force to overwrite it")
            }
            _ => fail(1, &target, &error),
        };
    }
    for note in &loaded.notes {
        // If nobody listens, the file is there.
        let _ = writeln!(io::stderr().lock(), "{}", note.full);
    }
    let count = |number: usize, one: &str, many: &str| format!("{number} {}", if number == 1 { one } else { many });
    let bodies = count(loaded.model.body_count(), "body", "bodies");
    let speeds = count(loaded.model.speed_count(), "speed", "speeds");
    let notes = count(loaded.notes.len(), "note", "notes");
    print(|out| writeln!(out, "{target}: {bodies}, {speeds}, {notes}"))
}

/// The model file, if reading it gives back what was imported.
fn text(name: Option<&str>, loaded: &Loaded) -> Result<String, String> {
    let cannot = |what: &str| format!("a model file of this version cannot represent {what}");
    let text = model_file::write_named(name, &loaded.system, &loaded.elements).map_err(|error| error.to_string())?;
    let back = model_file::from_text("the model file", &text, None);
    let system = back.as_ref().map(|back| &back.system);
    if system != Ok(&loaded.system)
        && let Some(body) = loaded.system.bodies.iter().find(|body| body.modal_inertia.is_some())
    {
        return Err(cannot(&format!("body '{}', whose inertia is given as tables", body.name)));
    }
    let back = back.map_err(|error| cannot(&format!("this system, which would be rejected:\n{error}")))?;
    let same = back.system == loaded.system && back.elements == loaded.elements && back.name.as_deref() == name;
    if same { Ok(text) } else { Err(cannot("this system completely")) }
}

/// Writes the whole file or none of it, by a temporary file next to it.
fn write(path: &Path, text: &str, force: bool) -> io::Result<()> {
    if !force {
        let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
        return file.write_all(text.as_bytes()).inspect_err(|_| drop(std::fs::remove_file(path)));
    }
    let mut beside = path.as_os_str().to_owned();
    beside.push(".part");
    let written = std::fs::write(&beside, text).and_then(|()| std::fs::rename(&beside, path));
    written.inspect_err(|_| drop(std::fs::remove_file(&beside)))
}
