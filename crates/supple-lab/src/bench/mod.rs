//! What the verbs cost on this machine.

mod clock;
mod closed;
mod compiled;
mod flexible;
mod generator;
pub mod gpu;
mod motions;
mod points;
mod rigid;
mod row;
mod systems;
mod timing;
mod tree_file;
mod verb;

use std::io::{self, Write};
use std::path::PathBuf;

use clap::ValueEnum;
use supple::Model;
use supple_io::urdf::Root;

use self::clock::InstructionCounter;
use self::motions::Motion;
use self::row::{Check, Printer, Row};
use self::systems::{NamedSystem, is_like};
use self::timing::Effort;
use self::verb::{MOST_DENSE, forward_of_inverse};
pub use self::verb::{ScalarKind, Verb};
use crate::{Format, LabError};

/// Batches and their length, unless the environment (`BATCHES`, `BATCH_MS`) or an option says otherwise.
const BATCHES: usize = 41;
const BATCH_MS: f64 = 4.0;

/// What is timed, and how.
#[derive(Clone, Debug)]
pub struct Options {
    /// Only systems with these names; `*` stands for anything, `?` for one character.
    pub system: Vec<String>,
    /// Only these verbs.
    pub verb: Vec<Verb>,
    /// Only these scalars; empty for all, and for `f64` in the peers' format.
    pub scalar: Vec<ScalarKind>,
    /// Robots (.urdf, .xml) and models (.toml) to time too.
    pub urdf: Vec<PathBuf>,
    /// Let the root link of robots float.
    pub floating: bool,
    /// Time these rigid trees (.tree, or folders of them) in place of the standard systems.
    pub tree: Vec<PathBuf>,
    /// Least length of a batch in milliseconds; else that of the environment (`BATCH_MS`), else 4.
    pub min_time_ms: Option<f64>,
    /// Number of batches; else that of the environment (`BATCHES`), else 41.
    pub batches: Option<usize>,
    /// Time compiled code beside the engine, forward dynamics where no verb is named.
    pub compiled: bool,
    /// How rows are written.
    pub format: Format,
}

impl Options {
    fn format(&self) -> Format {
        self.format
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
        if self.compiled {
            return vec![Verb::ForwardDynamics];
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
    fn systems(&self) -> Result<Vec<NamedSystem>, LabError> {
        let root = if self.floating { Root::Free } else { Root::Fixed };
        let mut systems = Vec::new();
        if self.tree.is_empty() {
            systems.extend(systems::standard());
        }
        for path in &self.tree {
            systems.extend(systems::trees(path).map_err(|error| LabError::failed("bench", error))?);
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
        if self.format() != Format::Peers || !self.verb.is_empty() || self.compiled {
            return Vec::new();
        }
        motions::all().into_iter().filter(|motion| self.wants(&motion.name)).collect()
    }
}

fn from_environment<X>(name: &str, parse: impl Fn(&str) -> Result<X, String>) -> Result<Option<X>, String> {
    let Ok(text) = std::env::var(name) else { return Ok(None) };
    parse(&text).map(Some).map_err(|error| format!("environment variable {name}: {error}"))
}

/// Reads the length of a batch in milliseconds.
///
/// # Errors
/// What the text should be.
pub fn parse_length(text: &str) -> Result<f64, String> {
    match text.trim().parse::<f64>() {
        Ok(value) if (1e-3..=1e5).contains(&value) => Ok(value),
        _ => Err(format!("`{text}` is not a length of a batch from 0.001 to 100000 ms; write 4")),
    }
}

/// Reads a number of batches.
///
/// # Errors
/// What the text should be.
pub fn parse_batches(text: &str) -> Result<usize, String> {
    match text.trim().parse::<usize>() {
        Ok(value) if (1..=100_000).contains(&value) => Ok(value),
        _ => Err(format!("`{text}` is not a number of batches from 1 to 100000; write 41")),
    }
}

/// Times what is asked and writes rows as they come; `notice` is given what a user should know and is no error.
///
/// # Errors
/// A system that is not there or cannot be built, a verb that fails, or rows that cannot be written. All other rows have been written then.
pub fn run(options: &Options, out: &mut dyn Write, notice: &mut dyn FnMut(&str)) -> Result<(), LabError> {
    let (systems, motions) = chosen(options)?;
    let effort = options.effort().map_err(|error| LabError::unsupported("bench", error))?;
    let mut counter = match InstructionCounter::open() {
        Ok(counter) => Some(counter),
        Err(error) => {
            notice(&format!("instructions are not counted here: {}", why(&error)));
            None
        }
    };
    let mut problem = None;
    let mut printer = Printer::start(out, options.format(), options.compiled)?;
    for system in &systems {
        if let Err(found) = time_system(options, system, effort, counter.as_mut(), &mut printer)? {
            problem.get_or_insert(found);
        }
    }
    for motion in &motions {
        match motion.time(&mut printer).map_err(|error| error.downcast::<io::Error>()) {
            Ok(()) => (),
            Err(Ok(unwritten)) => return Err(LabError::Output(*unwritten)),
            Err(Err(found)) => drop(problem.get_or_insert(format!("{}: {found}", motion.name))),
        }
    }
    printer.end()?;
    problem.map_or(Ok(()), |problem| Err(LabError::failed("bench", problem)))
}

/// What is to be timed.
fn chosen(options: &Options) -> Result<(Vec<NamedSystem>, Vec<Motion>), LabError> {
    let (systems, motions) = (options.systems()?, options.motions());
    if systems.is_empty() && motions.is_empty() {
        return Err(LabError::unsupported("bench", "no system has that name; --list names them"));
    }
    Ok((systems, motions))
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
    if options.compiled {
        return compiled::time_compiled((name, &model), &verbs, effort, counter, printer);
    }
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

/// A system that comes with the program, by name.
///
/// # Errors
/// No system of that name, or one that cannot be built.
pub fn standard_system(name: &str) -> Result<Model, LabError> {
    let system = systems::standard().into_iter().find(|system| system.name == name);
    let system = system.ok_or_else(|| LabError::unsupported("bench", format!("no system is called '{name}'")))?;
    system.build().map_err(|error| LabError::failed(name, error))
}

/// Names the systems that would be timed, and all verbs and scalars.
///
/// # Errors
/// As [`run`].
pub fn list(options: &Options, out: &mut dyn Write) -> Result<(), LabError> {
    let (systems, _) = chosen(options)?;
    let mut names = |head: &str, names: Vec<String>| -> io::Result<()> {
        writeln!(out, "{head}:")?;
        names.iter().try_for_each(|name| writeln!(out, "  {name}"))
    };
    names("systems", systems.iter().map(|system| system.name.clone()).collect())?;
    names("verbs", Verb::value_variants().iter().map(|verb| verb.name()).collect())?;
    names("scalars", ScalarKind::value_variants().iter().map(|scalar| scalar.name().to_owned()).collect())?;
    Ok(())
}
