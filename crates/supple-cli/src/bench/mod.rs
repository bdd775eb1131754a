//! `supple bench`: what the verbs cost on this machine.

mod clock;
mod flexible;
mod generator;
mod motions;
mod points;
mod rigid;
mod row;
mod systems;
mod timing;
mod tree_file;
mod verb;

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::ValueEnum;
use supple::Model;
use supple_io::urdf::Root;

use self::clock::InstructionCounter;
use self::motions::Motion;
use self::row::{Check, Format, Printer, Row};
use self::systems::{NamedSystem, is_like};
use self::timing::Effort;
use self::verb::{MOST_DENSE, ScalarKind, Verb, forward_of_inverse};
use crate::output::{fail, print};

/// Batches and their length, unless the environment (`BATCHES`, `BATCH_MS`) or an option says otherwise.
const BATCHES: usize = 41;
const BATCH_MS: f64 = 4.0;

/// What is asked.
#[derive(clap::Args)]
pub struct Options {
    /// Only systems with these names; * stands for anything, ? for one character.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    system: Vec<String>,
    /// Only these verbs.
    #[arg(long, value_enum, value_name = "VERB", value_delimiter = ',')]
    verb: Vec<Verb>,
    /// Only these scalars [default: all; f64 with --format peers].
    #[arg(long, value_enum, value_name = "SCALAR", value_delimiter = ',')]
    scalar: Vec<ScalarKind>,
    /// Time a robot (.urdf) or a model (.toml) too.
    #[arg(long, value_name = "FILE")]
    urdf: Vec<PathBuf>,
    /// Let the root link of robots float.
    #[arg(long)]
    floating: bool,
    /// Time these rigid trees (.tree, or a folder of them) in place of the standard systems.
    #[arg(long, value_name = "PATH")]
    tree: Vec<PathBuf>,
    /// Least length of a batch in milliseconds [default: BATCH_MS, or 4].
    #[arg(long, value_name = "MS", value_parser = parse_length)]
    min_time_ms: Option<f64>,
    /// Number of batches [default: BATCHES, or 41].
    #[arg(long, value_name = "N", value_parser = parse_batches)]
    batches: Option<usize>,
    /// How to print the rows [default: table on a terminal, csv elsewhere].
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Print one JSON object.
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// Name systems, verbs and scalars, and time nothing.
    #[arg(long)]
    list: bool,
}

impl Options {
    fn format(&self) -> Format {
        let usual = if io::stdout().is_terminal() { Format::Table } else { Format::Csv };
        if self.json { Format::Json } else { self.format.unwrap_or(usual) }
    }

    fn effort(&self) -> Result<Effort, String> {
        let length = from_environment("BATCH_MS", parse_length)?;
        let batches = from_environment("BATCHES", parse_batches)?;
        let milliseconds = self.min_time_ms.or(length).unwrap_or(BATCH_MS);
        Ok(Effort { batches: self.batches.or(batches).unwrap_or(BATCHES), batch_ns: milliseconds * 1e6 })
    }

    fn verbs(&self, model: &Model) -> Vec<Verb> {
        if !self.verb.is_empty() {
            return self.verb.clone();
        }
        let small = model.speed_count() <= MOST_DENSE;
        Verb::value_variants().iter().copied().filter(|verb| small || !verb.is_dense()).collect()
    }

    fn scalars(&self) -> Vec<ScalarKind> {
        match (self.scalar.is_empty(), self.format()) {
            (false, _) => self.scalar.clone(),
            (true, Format::Peers) => vec![ScalarKind::F64],
            (true, _) => ScalarKind::value_variants().to_vec(),
        }
    }

    /// The systems asked for, in order.
    fn systems(&self) -> Result<Vec<NamedSystem>, ExitCode> {
        let root = if self.floating { Root::Free } else { Root::Fixed };
        let mut systems = Vec::new();
        if self.tree.is_empty() {
            systems.extend(systems::standard());
        }
        for path in &self.tree {
            systems.extend(systems::trees(path).map_err(|error| fail(1, "bench", &error))?);
        }
        systems.retain(|system| self.wants(&system.name));
        for file in &self.urdf {
            systems.push(systems::from_file(file, root)?);
        }
        Ok(systems)
    }

    fn wants(&self, name: &str) -> bool {
        self.system.is_empty() || self.system.iter().any(|pattern| is_like(pattern, name))
    }

    /// The motions asked for: those of the peers, where no verb is asked for.
    fn motions(&self) -> Vec<Motion> {
        if self.format() != Format::Peers || !self.verb.is_empty() {
            return Vec::new();
        }
        motions::all().into_iter().filter(|motion| self.wants(&motion.name)).collect()
    }
}

fn from_environment<X>(name: &str, parse: impl Fn(&str) -> Result<X, String>) -> Result<Option<X>, String> {
    let Ok(text) = std::env::var(name) else { return Ok(None) };
    parse(&text).map(Some).map_err(|error| format!("environment variable {name}: {error}"))
}

fn parse_length(text: &str) -> Result<f64, String> {
    match text.trim().parse::<f64>() {
        Ok(value) if (1e-3..=1e5).contains(&value) => Ok(value),
        _ => Err(format!("`{text}` is not a length of a batch from 0.001 to 100000 ms; write 4")),
    }
}

fn parse_batches(text: &str) -> Result<usize, String> {
    match text.trim().parse::<usize>() {
        Ok(value) if (1..=100_000).contains(&value) => Ok(value),
        _ => Err(format!("`{text}` is not a number of batches from 1 to 100000; write 41")),
    }
}

/// Times what is asked and prints rows as they come.
pub fn run(options: &Options) -> ExitCode {
    let systems = match options.systems() {
        Ok(systems) => systems,
        Err(status) => return status,
    };
    let motions = options.motions();
    if systems.is_empty() && motions.is_empty() {
        return fail(2, "bench", &"no system has that name; --list names them");
    }
    if options.list {
        return list(&systems);
    }
    let effort = match options.effort() {
        Ok(effort) => effort,
        Err(error) => return fail(2, "bench", &error),
    };
    let mut counter = match InstructionCounter::open() {
        Ok(counter) => Some(counter),
        Err(error) => {
            let _ = writeln!(io::stderr().lock(), "supple: bench: instructions are not counted here: {}", why(&error));
            None
        }
    };
    let mut problem = None;
    let status = print(|out| {
        let mut printer = Printer::start(out, options.format())?;
        for system in &systems {
            if let Err(found) = time_system(options, system, effort, counter.as_mut(), &mut printer)? {
                problem.get_or_insert(found);
            }
        }
        for motion in &motions {
            match motion.time(&mut printer).map_err(|error| error.downcast::<io::Error>()) {
                Ok(()) => (),
                Err(Ok(unwritten)) => return Err(*unwritten),
                Err(Err(found)) => drop(problem.get_or_insert(format!("{}: {found}", motion.name))),
            }
        }
        printer.end()
    });
    match problem {
        Some(problem) => fail(1, "bench", &problem),
        None => status,
    }
}

/// What the kernel's word means.
fn why(error: &io::Error) -> String {
    let meaning = match error.kind() {
        io::ErrorKind::NotFound => ": this processor, or the virtual machine, has no such counter",
        io::ErrorKind::PermissionDenied => ": the kernel wants kernel.perf_event_paranoid at 2 or less",
        _ => "",
    };
    format!("{error}{meaning}")
}

/// Rows of one system; the inner error says what is wrong with it.
fn time_system(
    options: &Options,
    system: &NamedSystem,
    effort: Effort,
    mut counter: Option<&mut InstructionCounter>,
    printer: &mut Printer<'_>,
) -> io::Result<Result<(), String>> {
    let name = &system.name;
    let model = match system.build() {
        Ok(model) => model,
        Err(error) => return Ok(Err(format!("{name}: {error}"))),
    };
    match forward_of_inverse(&model) {
        Ok(error) => {
            let speeds = model.speed_count();
            printer.check(Check { system: name.clone(), speeds, forward_of_inverse: error })?;
        }
        Err(error) => return Ok(Err(format!("{name}: {error}"))),
    }
    let verbs = options.verbs(&model);
    let (mut written, mut problem) = (Ok(()), Ok(()));
    for scalar in options.scalars() {
        scalar.time_all(&model, &verbs, effort, counter.as_deref_mut(), |verb, timing| {
            match timing {
                Ok(timing) => written = printer.row(Row::new(name, verb.name(), scalar.name(), timing)),
                Err(error) => problem = Err(format!("{name}: {} on {}: {error}", verb.name(), scalar.name())),
            }
            written.is_ok()
        });
        if written.is_err() {
            break;
        }
    }
    written.map(|()| problem)
}

fn list(systems: &[NamedSystem]) -> ExitCode {
    print(|out| {
        let names = |out: &mut dyn Write, head: &str, names: Vec<String>| -> io::Result<()> {
            writeln!(out, "{head}:")?;
            names.iter().try_for_each(|name| writeln!(out, "  {name}"))
        };
        names(out, "systems", systems.iter().map(|system| system.name.clone()).collect())?;
        names(out, "verbs", Verb::value_variants().iter().map(|verb| verb.name()).collect())?;
        names(out, "scalars", ScalarKind::value_variants().iter().map(|scalar| scalar.name().to_owned()).collect())
    })
}
