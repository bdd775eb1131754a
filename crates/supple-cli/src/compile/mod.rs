//! `supple compile`: verbs of a model as code.

mod folder;
mod list;

use crate::status::Status;
use std::path::PathBuf;

use clap::ValueEnum;
use supple::State;
use supple_compile::native::Build;
use supple_compile::package::{self, Target, Unit};
use supple_compile::text::Style;
use supple_compile::verb::Verb;
use supple_compile::{Controller, Lanes, Parameter, Program, Recording};
use supple_run::Start;

use crate::operating::Operating;
use crate::options::{AtOptions, FileOptions};
use crate::output::{UNSUPPORTED, fail, print};

/// In place of a verb: controllers and observers.
const CONTROLLER: &str = "controller";

/// Options.
#[derive(clap::Args)]
pub struct Options {
    #[command(flatten)]
    file: FileOptions,
    /// Verb to generate, e.g. forward_dynamics, node_jacobian:boom.tip, hybrid_dynamics:shoulder,elbow, or controller: the controllers and
    /// observers of a scenario. May be repeated; --list prints all.
    #[arg(long, value_name = "VERB", default_value = "forward_dynamics")]
    verb: Vec<String>,
    /// Target of the code.
    #[arg(long, value_enum, default_value_t = TargetName::C)]
    target: TargetName,
    /// Parameters of the model that remain inputs of the code, e.g. body.payload.mass or gravity.z. --list prints all.
    #[arg(long, value_name = "PARAMETER", value_delimiter = ',')]
    parameters: Vec<String>,
    #[command(flatten)]
    at: AtOptions,
    /// Folder to write.
    #[arg(short, long, value_name = "FOLDER", required_unless_present = "list")]
    output: Option<PathBuf>,
    /// Replace the code of an earlier call in the folder.
    #[arg(long)]
    force: bool,
    /// Round a · b + c once: by the function fma() of the language, which is seven times slower on processors without the instruction; with native, by compiler flags.
    #[arg(long)]
    fma: bool,
    /// Also write C functions for this many instances at once.
    #[arg(long, value_enum, value_name = "N", value_delimiter = ',')]
    lanes: Vec<LanesName>,
    /// Add two outputs: the status and the smallest pivot.
    #[arg(long)]
    pivot: bool,
    /// Maximum number of operations per function.
    #[arg(long, value_name = "N", default_value_t = Style::default().part as u32, value_parser = clap::value_parser!(u32).range(100..))]
    split: u32,
    /// Number of reference vectors for each verb.
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=1000))]
    vectors: u16,
    /// List verbs and parameters of the model.
    #[arg(long)]
    list: bool,
}

/// Names of targets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TargetName {
    /// C99 with math.h alone.
    C,
    /// The same with derivatives, as external functions of CasADi and acados.
    Casadi,
    /// Rust without the standard library, as a package.
    Rust,
    /// CUDA C++, many instances at once.
    Cuda,
    /// C, compiled by the C compiler of this system and checked at once.
    Native,
}

/// Numbers of lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LanesName {
    /// Four.
    #[value(name = "4")]
    Four,
    /// Eight.
    #[value(name = "8")]
    Eight,
}

impl From<LanesName> for Lanes {
    fn from(name: LanesName) -> Self {
        match name {
            LanesName::Four => Self::Four,
            LanesName::Eight => Self::Eight,
        }
    }
}

/// Writes code.
pub fn run(options: &Options) -> Status {
    let operating = match Operating::read(&options.file, &options.at) {
        Ok(operating) => operating,
        Err(status) => return status,
    };
    if options.list {
        return print(|out| list::write(out, &operating.loaded.model));
    }
    written(options, &operating).unwrap_or_else(|status| status)
}

fn written(options: &Options, operating: &Operating) -> Result<Status, Status> {
    let Some(folder) = &options.output else { return Err(fail(UNSUPPORTED, "compile", &"give a folder with -o")) };
    let (lanes, target) = (lanes(options)?, target(options.target));
    let units = units(options, operating)?;
    let style = Style { fma: options.fma && options.target != TargetName::Native, part: options.split as usize };
    let files = package::files(&units, target, style, &lanes);
    folder::write(folder, &files, options.force)?;
    let mut lines: Vec<String> = units.iter().map(|unit| told(&unit.program)).collect();
    lines.push(match options.target {
        TargetName::Native => native(options, &units)?,
        _ => format!("check: {}", target.check_command(&folder.display().to_string())),
    });
    Ok(print(|out| lines.iter().try_for_each(|line| writeln!(out, "{line}"))))
}

fn target(name: TargetName) -> Target {
    match name {
        TargetName::C | TargetName::Native => Target::C,
        TargetName::Casadi => Target::Casadi,
        TargetName::Rust => Target::Rust,
        TargetName::Cuda => Target::Cuda,
    }
}

fn lanes(options: &Options) -> Result<Vec<Lanes>, Status> {
    let mut lanes: Vec<Lanes> = options.lanes.iter().map(|name| (*name).into()).collect();
    lanes.sort_by_key(|lanes| lanes.count());
    lanes.dedup();
    if !lanes.is_empty() && matches!(options.target, TargetName::Rust | TargetName::Cuda | TargetName::Casadi) {
        return Err(fail(UNSUPPORTED, "compile", &"--lanes is for --target c and native"));
    }
    Ok(lanes)
}

/// The programs asked for. A closed system is recorded in its state, with its closures closed.
fn units(options: &Options, operating: &Operating) -> Result<Vec<Unit>, Status> {
    let asked = |error: &dyn std::fmt::Display| fail(UNSUPPORTED, "compile", &error.to_string());
    let (controllers, verbs): (Vec<&String>, Vec<&String>) = options.verb.iter().partition(|text| *text == CONTROLLER);
    let verbs = verbs.into_iter().map(|text| text.parse::<Verb>().map_err(|error| asked(&error)));
    let verbs: Vec<Verb> = verbs.collect::<Result<_, _>>()?;
    let parameters = options.parameters.iter().map(|text| text.parse::<Parameter>().map_err(|error| asked(&error)));
    let parameters: Vec<Parameter> = parameters.collect::<Result<_, _>>()?;
    let model = &operating.loaded.model;
    let state: Option<&State> = (!model.closures().is_empty()).then_some(&operating.state);
    let unit = |verb: &Verb| {
        let recording = Recording { model, state, verb, parameters: &parameters };
        let refused = |error: supple_compile::RecordError| fail(1, &operating.source, &format!("{verb}: {error}"));
        let program = recording.program().map_err(refused)?;
        let program = if options.pivot { program.guarded() } else { program };
        let program = program.scheduled();
        let reference = recording.reference(&program, options.vectors.into()).map_err(refused)?;
        Ok(Unit { program, reference, memory: Vec::new() })
    };
    let mut units = verbs.iter().map(unit).collect::<Result<Vec<Unit>, Status>>()?;
    if !controllers.is_empty() {
        units.push(controller(options, operating)?);
    }
    Ok(units)
}

/// Controllers and observers of a scenario at an instant.
fn controller(options: &Options, operating: &Operating) -> Result<Unit, Status> {
    let Some(scenario) = &operating.loaded.scenario else {
        return Err(fail(UNSUPPORTED, &operating.source, &"controllers are in a scenario; this is a model"));
    };
    let refused = |error: &dyn std::fmt::Display| fail(1, &operating.source, &format!("controller: {error}"));
    let start = Start::of(scenario).map_err(|error| refused(&error))?.moved_to(operating.state.clone());
    let made = || supple_run::blocks_of(scenario, &start).map_err(|error| refused(&error));
    let model = &operating.loaded.model;
    let Controller { program, memory, .. } = Controller::record(&made()?, model).map_err(|error| refused(&error))?;
    let reference = Controller::reference(made()?, model, options.vectors.into()).map_err(|error| refused(&error))?;
    Ok(Unit { program: program.scheduled(), reference, memory })
}

/// What a program is.
fn told(program: &Program) -> String {
    format!(
        "{}: {} inputs, {} outputs, {} operations (engine: {})",
        program.name,
        program.inputs.len(),
        program.outputs.len(),
        program.counts().total(),
        program.asked
    )
}

/// Compiles the programs, loads them and compares them with the engine.
fn native(options: &Options, units: &[Unit]) -> Result<String, Status> {
    let failed = |text: String| fail(1, "compile", &text);
    let mut worst = 0.0_f64;
    for Unit { program, reference, .. } in units {
        let native = Build { fma: options.fma, ..Build::default() }.native(program);
        let native = native.map_err(|error| failed(error.to_string()))?;
        for vector in &reference.vectors {
            let mut found = vec![0.0; program.outputs.len()];
            native.run(&vector.inputs, &mut found).map_err(|error| failed(format!("{}: {error}", program.name)))?;
            let difference = reference.difference(&found, vector);
            if difference.is_nan() || difference > reference.allowed {
                return Err(failed(format!(
                    "{} differs from the engine by {difference:.3e}, relative to the largest number; rounding explains {:.3e}",
                    program.name, reference.allowed
                )));
            }
            worst = worst.max(difference);
        }
    }
    Ok(format!("worst relative difference from the engine: {worst:.3e}"))
}
