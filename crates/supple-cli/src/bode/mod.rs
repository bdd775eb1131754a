//! `supple bode`: frequency response between inputs and outputs.

mod output;

use crate::status::Status;
use std::f64::consts::TAU;
use std::path::PathBuf;

use clap::ValueEnum;
use supple_linear::{
    FrequencyResponse, Response, Selection, StateSpace, frequency_grid, natural_range, poles, zero_order_hold,
};

use crate::linear::{PointOptions, Refusal};
use crate::operating::Operating;
use crate::options::{FileOptions, FileOutput, Format, FormatOptions, Place, RowsOrPicture};
use crate::output::{UNSUPPORTED, fail, print};

/// What is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Plot {
    /// Magnitude and phase over frequency.
    Bode,
    /// The response in the complex plane.
    Nyquist,
    /// Singular values over frequency.
    SingularValues,
}

/// Options.
#[derive(clap::Args)]
pub struct Options {
    #[command(flatten)]
    file: FileOptions,
    /// Inputs, e.g. force.shoulder; * matches anything. `supple linearize --list` prints all.
    #[arg(long, visible_alias = "inputs", value_name = "INPUT", value_delimiter = ',', required = true)]
    input: Vec<String>,
    /// Outputs, e.g. node.payload.tip.x; * matches anything.
    #[arg(long, visible_alias = "outputs", value_name = "OUTPUT", value_delimiter = ',', required = true)]
    output: Vec<String>,
    #[command(flatten)]
    point: PointOptions,
    /// Lowest frequency in Hz [default: a tenth of the lowest pole].
    #[arg(long, value_name = "HZ")]
    from: Option<f64>,
    /// Highest frequency in Hz [default: ten times the highest pole].
    #[arg(long, value_name = "HZ")]
    to: Option<f64>,
    /// Number of frequencies; more are added at resonances.
    #[arg(long, value_name = "N", default_value = "400", value_parser = clap::value_parser!(u32).range(2..=100_000))]
    points: u32,
    /// Sampling period in s: the response of the model in discrete time.
    #[arg(long, value_name = "S")]
    dt: Option<f64>,
    /// Delay of all inputs in s.
    #[arg(long, value_name = "S", requires = "dt")]
    delay: Option<f64>,
    /// What a picture shows.
    #[arg(long, value_enum, default_value_t = Plot::Bode)]
    plot: Plot,
    /// Title of the picture.
    #[arg(long)]
    title: Option<String>,
    #[command(flatten)]
    format: FormatOptions<RowsOrPicture>,
    /// Output file; - for standard output. Its ending selects the format.
    #[arg(short = 'o', long = "file", value_name = "FILE", id = "written")]
    file_output: Option<PathBuf>,
    /// Overwrite an existing file.
    #[arg(long)]
    force: bool,
}

/// A response over frequencies.
pub struct Swept {
    pub system: StateSpace,
    pub responses: Vec<Response>,
    pub title: String,
}

/// Writes a frequency response.
pub fn run(options: &Options) -> Status {
    let operating = match Operating::read(&options.file, &options.point.at) {
        Ok(operating) => operating,
        Err(status) => return status,
    };
    let swept = match sweep(options, &operating) {
        Ok(swept) => swept,
        Err(refusal) => return refusal.tell(&operating.source),
    };
    let written = FileOutput { output: options.file_output.clone(), force: options.force };
    let bytes = match options.format.of_file_or(written.output.as_deref(), Format::Table) {
        Format::Csv => Ok(output::csv(&swept).into_bytes()),
        Format::Json => output::json(&swept).map(String::into_bytes),
        Format::Table => Ok(output::table(&swept).into_bytes()),
        format => match output::drawing(&swept, options.plot) {
            Ok(drawing) if format == Format::Png => match supple_report::picture::png(&drawing, 2.0) {
                Ok(bytes) => Ok(bytes),
                Err(error) => return fail(UNSUPPORTED, "bode", &error),
            },
            Ok(drawing) if format == Format::Html => Ok(output::page(&swept, &drawing).into_bytes()),
            Ok(drawing) => Ok(drawing.svg().into_bytes()),
            Err(error) => Err(error),
        },
    };
    let bytes = match bytes {
        Ok(bytes) => bytes,
        Err(error) => return fail(1, &operating.source, &error),
    };
    let place = written.place().unwrap_or(Place::StandardOutput);
    match (written.write(place, &bytes, 1), place) {
        (Err(status), _) => status,
        (Ok(()), Place::File(path)) => print(|out| writeln!(out, "{}", path.display())),
        (Ok(()), Place::StandardOutput) => Status::SUCCESS,
    }
}

fn sweep(options: &Options, operating: &Operating) -> Result<Swept, Refusal> {
    let Operating { loaded, source, .. } = operating;
    let selection = Selection { inputs: options.input.clone(), outputs: options.output.clone() };
    let mut system = options.point.linearize(operating, &selection)?;
    if let Some(dt) = options.dt {
        system = zero_order_hold(&system, dt, options.delay.unwrap_or(0.0))?;
    }
    let poles = poles(&system)?;
    let [from, to] = natural_range(&poles, system.dt);
    let range = [options.from.map_or(from, |hz| TAU * hz), options.to.map_or(to, |hz| TAU * hz)];
    let grid = frequency_grid(&poles, system.dt, range, options.points as usize)?;
    let prepared = FrequencyResponse::new(&system)?;
    let responses = grid.iter().map(|omega| prepared.at(*omega)).collect::<Result<_, _>>()?;
    let title = options.title.clone().unwrap_or_else(|| loaded.name.clone().unwrap_or_else(|| source.clone()));
    Ok(Swept { system, responses, title })
}
