//! `supple linearize`: linear models for control design.

mod model_file;
mod text;

use crate::status::Status;
use std::io::{self, IsTerminal, Write};

use supple::Model;
use supple_linear::{
    AnalysisError, LinearError, Selection, Signal, StateSpace, balanced_reduction, equilibrium, input_signals,
    linearize, output_signals, zero_order_hold,
};

use crate::operating::Operating;
use crate::options::{
    AtOptions, FileOptions, FileOutput, Format, FormatOptions, HingeOptions, LinearFiles, Place, Usual,
};
use crate::output::{UNSUPPORTED, fail, print};

/// Options.
#[derive(clap::Args)]
pub struct Options {
    #[command(flatten)]
    file: FileOptions,
    /// Inputs, e.g. force.shoulder or wrench.payload.tip.force.x; * matches anything. --list prints all.
    #[arg(long, value_name = "INPUT", value_delimiter = ',', required_unless_present = "list")]
    inputs: Vec<String>,
    /// Outputs, e.g. hinge.shoulder or node.payload.tip.x; * matches anything. --list prints all.
    #[arg(long, value_name = "OUTPUT", value_delimiter = ',', required_unless_present = "list")]
    outputs: Vec<String>,
    #[command(flatten)]
    point: PointOptions,
    /// Sampling period in s: the model in discrete time, with inputs held between samples.
    #[arg(long, value_name = "S")]
    dt: Option<f64>,
    /// Delay of all inputs in s; it need not be a whole number of samples.
    #[arg(long, value_name = "S", requires = "dt")]
    delay: Option<f64>,
    /// Reduce the model to this number of states by balanced truncation; unstable poles are kept.
    #[arg(long, value_name = "STATES")]
    order: Option<usize>,
    #[command(flatten)]
    format: FormatOptions<LinearFiles>,
    #[command(flatten)]
    output: FileOutput,
    /// List all inputs and outputs.
    #[arg(long)]
    list: bool,
}

/// Writes a linear model.
pub fn run(options: &Options) -> Status {
    let operating = match Operating::read(&options.file, &options.point.at) {
        Ok(operating) => operating,
        Err(status) => return status,
    };
    if options.list {
        return print(|out| write_list(out, &operating.loaded.model));
    }
    let system = match linear_model(options, &operating) {
        Ok(system) => system,
        Err(refusal) => return refusal.tell(&operating.source),
    };
    let format = options.format.of_file_or(options.output.output.as_deref(), Format::Json);
    let bytes = match format {
        Format::Npz => model_file::of(&system).to_npz(),
        Format::Mat => model_file::of(&system).to_mat(),
        Format::Table => match text::table(&operating.source, &system) {
            Ok(text) => text.into_bytes(),
            Err(error) => return fail(1, &operating.source, &error),
        },
        _ => model_file::of(&system).to_json().into_bytes(),
    };
    let binary = matches!(format, Format::Npz | Format::Mat);
    if binary && options.output.output.is_none() && io::stdout().is_terminal() {
        return fail(UNSUPPORTED, "linearize", &"this format is not for a terminal; give a file with -o");
    }
    let place = options.output.place().unwrap_or(Place::StandardOutput);
    match (options.output.write(place, &bytes, 1), place) {
        (Err(status), _) => status,
        (Ok(()), Place::File(path)) => print(|out| writeln!(out, "{}", path.display())),
        (Ok(()), Place::StandardOutput) => Status::SUCCESS,
    }
}

/// Why there is no linear model.
pub enum Refusal {
    /// What the linearisation says.
    Linear(LinearError),
    /// What sampling and reduction say.
    Analysis(AnalysisError),
}

impl Refusal {
    /// Says it on standard error. Names that do not exist are mistakes on the command line.
    pub fn tell(&self, source: &str) -> Status {
        match self {
            Self::Linear(error) => fail(status(error), source, error),
            Self::Analysis(error) => fail(1, source, error),
        }
    }
}

impl From<LinearError> for Refusal {
    fn from(error: LinearError) -> Self {
        Self::Linear(error)
    }
}

impl From<AnalysisError> for Refusal {
    fn from(error: AnalysisError) -> Self {
        Self::Analysis(error)
    }
}

/// Status that a command ends with.
pub fn status(error: &LinearError) -> u8 {
    use LinearError::{LockedAndFree, LockedInput, Name, NoFreedom, RepeatedSignal, UnknownSignal};
    match error {
        Name(_) | UnknownSignal { .. } | RepeatedSignal { .. } | LockedInput { .. } => UNSUPPORTED,
        LockedAndFree { .. } | NoFreedom => UNSUPPORTED,
        _ => 1,
    }
}

fn linear_model(options: &Options, operating: &Operating) -> Result<StateSpace, Refusal> {
    let selection = Selection { inputs: options.inputs.clone(), outputs: options.outputs.clone() };
    let mut system = options.point.linearize(operating, &selection)?;
    if let Some(order) = options.order {
        system = balanced_reduction(&system, order)?.system;
    }
    match options.dt {
        Some(dt) => Ok(zero_order_hold(&system, dt, options.delay.unwrap_or(0.0))?),
        None => Ok(system),
    }
}

/// About what a model is linearised.
#[derive(clap::Args)]
pub struct PointOptions {
    #[command(flatten)]
    pub at: AtOptions,
    #[command(flatten)]
    pub hinges: HingeOptions,
    /// Find the equilibrium near the state first, with locked hinges held where they are, and linearise there.
    #[arg(long)]
    pub trim: bool,
}

impl PointOptions {
    /// The linear model of a system, its hinges free unless they are locked.
    pub fn linearize(&self, operating: &Operating, selection: &Selection) -> Result<StateSpace, LinearError> {
        let Operating { loaded, state, inputs, .. } = operating;
        let mut inputs = inputs.clone();
        self.hinges.apply(&loaded.model, &mut inputs, Usual::Free)?;
        if !self.trim {
            return linearize(&loaded.model, state, &inputs, selection);
        }
        let found = equilibrium(&loaded.model, state, &inputs)?;
        linearize(&loaded.model, &found.state, &found.inputs, selection)
    }
}

fn write_list(out: &mut dyn Write, model: &Model) -> io::Result<()> {
    for (title, signals) in [("inputs", input_signals(model)), ("outputs", output_signals(model))] {
        writeln!(out, "{title}:")?;
        for Signal { name, unit } in signals {
            writeln!(out, "  {name} [{unit}]")?;
        }
    }
    Ok(())
}
