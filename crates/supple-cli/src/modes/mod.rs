//! `supple modes`: the modes of flexible bodies and of whole systems.

mod json;

use std::f64::consts::TAU;
use std::io::{self, Write};
use std::process::ExitCode;

use supple::Body;
use supple_bodies::frequencies::{self, MOST_MODES, NoFrequencies};
use supple_bodies::report::ModeReport;
use supple_io::load::Loaded;
use supple_io::urdf::Root;

use crate::options::{FileOptions, FormatOptions, TextOrJson};
use crate::output::{UNSUPPORTED, fail, print, refuse};

/// Options.
#[derive(clap::Args)]
pub struct Options {
    #[command(flatten)]
    file: FileOptions,
    /// Only this body.
    #[arg(long, value_name = "NAME", conflicts_with = "system")]
    body: Option<String>,
    /// Frequencies of the whole system with all hinges locked, instead of those of each body.
    #[arg(long)]
    system: bool,
    #[command(flatten)]
    format: FormatOptions<TextOrJson>,
}

/// A flexible body with its report.
struct Entry<'b> {
    body: &'b Body,
    report: ModeReport,
    /// Frequencies with the hinge locked, in Hz, where the modes move the hinge.
    locked: Option<Vec<f64>>,
}

/// Prints mode tables of bodies, or frequencies of the system.
pub fn run(options: &Options) -> ExitCode {
    let file = &options.file.file;
    let loaded = match options.file.load(Root::Fixed) {
        Ok(loaded) => loaded,
        Err(refusal) => return refuse(&refusal, file),
    };
    let source = file.display().to_string();
    if options.system {
        return match frequencies::of_system(&loaded.model, &loaded.system) {
            Ok(all) => print(|out| write_system(out, &source, &all, options.format.is_json())),
            Err(error @ NoFrequencies::Size(..)) => fail(UNSUPPORTED, &source, &error),
            Err(error) => fail(1, &source, &error),
        };
    }
    let entries = match entries(&loaded, options.body.as_deref()) {
        Ok(entries) => entries,
        Err(message) => return fail(UNSUPPORTED, &source, &message),
    };
    print(|out| {
        if options.format.is_json() {
            return json::write(out, &source, &entries);
        }
        if entries.is_empty() {
            writeln!(out, "{source}: no flexible bodies")?;
        }
        for (i, entry) in entries.iter().enumerate() {
            if i > 0 {
                writeln!(out)?;
            }
            write_body(out, entry)?;
        }
        Ok(())
    })
}

/// The flexible bodies, or the one of a name.
fn entries<'l>(loaded: &'l Loaded, only: Option<&str>) -> Result<Vec<Entry<'l>>, String> {
    let flexible = || loaded.system.bodies.iter().filter(|body| body.modes.count > 0);
    let bodies: Vec<&Body> = flexible().filter(|body| only.is_none_or(|name| body.name == name)).collect();
    if let (Some(name), true) = (only, bodies.is_empty()) {
        let known: Vec<&str> = flexible().map(|body| body.name.as_str()).take(24).collect();
        return Err(format!("there is no flexible body `{name}`; flexible bodies are: {}", known.join(", ")));
    }
    if let Some(body) = bodies.iter().find(|body| body.modes.count > MOST_MODES) {
        let found = NoFrequencies::Size("modes", body.modes.count, MOST_MODES);
        return Err(format!("body '{}': {found}", body.name));
    }
    let entry = |body: &'l Body| {
        let hinge_moves = body
            .nodes
            .get(body.inboard_node.0)
            .is_some_and(|node| node.influence.iter().take(body.modes.count).flatten().any(|&x| x != 0.0));
        let in_hertz = |all: Vec<f64>| all.into_iter().map(|w| w / TAU).collect();
        let locked = hinge_moves.then(|| frequencies::of_body(body).map(in_hertz)).flatten();
        Entry { body, report: ModeReport::of_body(body), locked }
    };
    Ok(bodies.into_iter().map(entry).collect())
}

fn write_body(out: &mut dyn Write, entry: &Entry<'_>) -> io::Result<()> {
    let Entry { body, report, locked } = entry;
    writeln!(out, "body \"{}\", {} modes, {}", body.name, body.modes.count, body.modes.fidelity)?;
    write!(out, "{report}")?;
    if let Some(locked) = locked {
        let texts: Vec<String> = locked.iter().map(|hz| format!("{hz:.5}")).collect();
        writeln!(out, "note: the modes move the hinge; with it locked the frequencies are {} Hz", texts.join(", "))?;
    }
    Ok(())
}

fn write_system(out: &mut dyn Write, source: &str, all: &[f64], as_json: bool) -> io::Result<()> {
    if as_json {
        return json::write_system(out, source, all);
    }
    writeln!(out, "{source}: {} modes with all hinges locked, undeformed at zero hinge coordinates", all.len())?;
    writeln!(out, "{:>4} {:>14} {:>14}", "mode", "Hz", "rad/s")?;
    for (i, w) in all.iter().enumerate() {
        writeln!(out, "{:>4} {:>14.6} {:>14.6}", i + 1, w / TAU, w)?;
    }
    Ok(())
}
