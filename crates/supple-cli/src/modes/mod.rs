//! `supple modes`: the modes of flexible bodies and of whole systems.

mod json;
mod map;
mod system;

use crate::status::Status;
use std::f64::consts::TAU;
use std::io::{self, Write};

use supple::{Body, State};
use supple_bodies::frequencies::{self, MOST_MODES, NoFrequencies};
use supple_bodies::report::ModeReport;
use supple_io::load::Loaded;
use supple_io::urdf::Root;
use supple_linear::SystemModes;

use crate::operating::Operating;
use crate::options::{FileOptions, FileOutput, Format, FormatOptions, ModeFiles, Place};
use crate::output::{UNSUPPORTED, fail, print, refuse};
pub use map::{Axis, Quantity, Request, map};
use system::ConfigurationOptions;
use system::film::ModeFilm;

/// Options.
#[derive(clap::Args)]
pub struct Options {
    #[command(flatten)]
    file: FileOptions,
    /// Only this body.
    #[arg(long, value_name = "NAME", conflicts_with = "system")]
    body: Option<String>,
    /// Modes of the whole system, hinges locked unless freed, instead of those of each body.
    #[arg(long)]
    system: bool,
    #[command(flatten)]
    configuration: ConfigurationOptions,
    /// With --system: frequencies over a range, NAME=FROM:TO:COUNT, given once or twice; NAME is as for --at, or spin:HINGE, or set:KEY with KEY
    /// as for --set, e.g. set:body.payload.rigid.mass=0:100:11.
    #[arg(long, value_name = "NAME=FROM:TO:COUNT", value_parser = Axis::parse, requires = "system")]
    map: Vec<Axis>,
    /// Number of frequencies of a map, zero frequencies excluded.
    #[arg(long, value_name = "N", default_value = "4", requires = "map", value_parser = clap::value_parser!(u32).range(1..=24))]
    count: u32,
    /// Title of the picture of a map.
    #[arg(long, requires = "map")]
    title: Option<String>,
    #[command(flatten)]
    format: FormatOptions<ModeFiles>,
    #[command(flatten)]
    output: FileOutput,
    #[command(flatten)]
    film: ModeFilm,
}

/// A flexible body with its report.
struct Entry<'b> {
    body: &'b Body,
    report: ModeReport,
    /// Frequencies with the hinge locked, in Hz, where the modes move the hinge.
    locked: Option<Vec<f64>>,
}

/// Prints mode tables of bodies, or frequencies of the system.
pub fn run(options: &Options) -> Status {
    if let Some(told) = misplaced(options) {
        return fail(UNSUPPORTED, "modes", &told);
    }
    if !options.map.is_empty() {
        let title = options.title.as_deref();
        let (file, configuration, axes) = (&options.file, &options.configuration, &options.map[..]);
        let request = Request { file, configuration, axes, count: options.count as usize, title };
        let format = options.format.of_file_or(options.output.output.as_deref(), Format::Table);
        return map::run(&request, format, &options.output);
    }
    if options.system {
        return of_system(options);
    }
    let file = &options.file.file;
    let loaded = match options.file.load(Root::Fixed) {
        Ok(loaded) => loaded,
        Err(refusal) => return refuse(&refusal, file),
    };
    let source = file.display().to_string();
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

/// Options that say nothing without others.
fn misplaced(options: &Options) -> Option<&'static str> {
    let ConfigurationOptions { at, hinges, spin, trim } = &options.configuration;
    let placed = !(at.at.is_empty() && hinges.lock.is_empty() && hinges.free.is_empty() && spin.is_empty()) || *trim;
    if placed && !options.system {
        return Some("--at, --lock, --free, --spin and --trim apply to --system only; add it, or leave them out");
    }
    if options.map.len() > 2 {
        return Some("--map may be given once or twice");
    }
    let rows = matches!(options.format.or(Format::Table), Format::Csv | Format::Svg | Format::Png);
    if options.map.is_empty() && rows {
        return Some("csv, svg and png are for maps; give --map, or take json");
    }
    let page = options.format.or(Format::Table) == Format::Html;
    let plain = !options.system && options.map.is_empty();
    if plain && (page || options.output.output.is_some()) {
        return Some("html and -o are for the modes of --system and for maps; add --system or --map");
    }
    None
}

/// Modes of the whole system.
fn of_system(options: &Options) -> Status {
    if let Some(place) = &options.film.film
        && let Err(refusal) = options.film.check(place, &options.output)
    {
        return refusal.tell("modes");
    }
    let operating = match Operating::read(&options.file, &options.configuration.at) {
        Ok(operating) => operating,
        Err(status) => return status,
    };
    let Operating { loaded, source, state, inputs, .. } = &operating;
    match options.configuration.modes(&loaded.model, state, inputs) {
        Ok((found, at)) => write_system(options, &operating, &found, &at),
        Err(why) => why.tell(source),
    }
}

fn write_system(options: &Options, operating: &Operating, found: &SystemModes, at: &State) -> Status {
    let Operating { loaded, source, .. } = operating;
    let mut bytes = Vec::new();
    let (swinging, creeping) = system::relaxing::without(found, loaded);
    if let Some(place) = &options.film.film {
        let made = options.film.write(place, &options.output, (operating, at), &swinging);
        return made.unwrap_or_else(|refusal| refusal.tell("modes"));
    }
    let written = match options.format.of_file_or(options.output.output.as_deref(), Format::Table) {
        Format::Json => system::json::write(&mut bytes, source, found),
        Format::Html => match system::page::html(source, loaded, at, &swinging) {
            Ok(page) => bytes.write_all(page.as_bytes()),
            Err(error) => return fail(1, source, &error),
        },
        _ => system::text::write(&mut bytes, source, &swinging, creeping),
    };
    if let Err(error) = written {
        return fail(1, source, &error);
    }
    let place = options.output.place().unwrap_or(Place::StandardOutput);
    match (options.output.write(place, &bytes, 1), place) {
        (Err(status), _) => status,
        (Ok(()), Place::File(path)) => print(|out| writeln!(out, "{}", path.display())),
        (Ok(()), Place::StandardOutput) => Status::SUCCESS,
    }
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
    writeln!(out, "body \"{}\", {} modes, {}", body.name, report.modes.len(), body.modes.fidelity)?;
    write!(out, "{report}")?;
    if let Some(locked) = locked {
        let texts: Vec<String> = locked.iter().map(|hz| format!("{hz:.5}")).collect();
        writeln!(out, "note: the modes move the hinge; with it locked the frequencies are {} Hz", texts.join(", "))?;
    }
    Ok(())
}
