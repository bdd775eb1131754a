//! `supple design lqr` and `lqg`: gains, poles and margins.

use crate::status::Status;
use std::io::{self, Write};

use serde::Serialize;
use supple_linear::{
    AnalysisError, KalmanFilter, Margins, Matrix, Regulator, Selection, StateSpace, close_loops, kalman, margins,
    open_loop, poles, state_feedback_loop, zero_order_hold,
};

use super::answer::{OfLoop, Pole, pairs, rows, write_json, write_margins, write_poles};
use super::page::{PageOptions, Shown};
use crate::linear::{PointOptions, Refusal};
use crate::operating::Operating;
use crate::options::{FileOptions, Format, FormatOptions, TextOrJson};
use crate::output::{fail, print};

/// What both take.
#[derive(clap::Args)]
pub struct PlantOptions {
    #[command(flatten)]
    file: FileOptions,
    /// Inputs of the regulator, e.g. force.shoulder; * matches anything. `supple linearize --list` prints all.
    #[arg(long, value_name = "INPUT", value_delimiter = ',', required = true)]
    inputs: Vec<String>,
    /// Apply the weights of --q to these outputs instead of the states, e.g. node.payload.tip.x.
    #[arg(long, value_name = "OUTPUT", value_delimiter = ',')]
    weigh: Vec<String>,
    /// Weights of the states, or of the outputs of --weigh: one each, or one for all.
    #[arg(long, value_name = "WEIGHT", value_delimiter = ',', default_value = "1")]
    q: Vec<f64>,
    /// Weights of the inputs: one each, or one for all.
    #[arg(long, value_name = "WEIGHT", value_delimiter = ',', default_value = "1")]
    r: Vec<f64>,
    /// Sampling period in s: the regulator of the sampled model, with inputs held between samples.
    #[arg(long, value_name = "S")]
    dt: Option<f64>,
    #[command(flatten)]
    point: PointOptions,
    #[command(flatten)]
    format: FormatOptions<TextOrJson>,
    #[command(flatten)]
    page: PageOptions,
}

/// Options of `lqr`.
#[derive(clap::Args)]
pub struct LqrOptions {
    #[command(flatten)]
    plant: PlantOptions,
}

/// Options of `lqg`.
#[derive(clap::Args)]
pub struct LqgOptions {
    #[command(flatten)]
    plant: PlantOptions,
    /// Measured outputs, e.g. hinge.shoulder; * matches anything.
    #[arg(long, value_name = "OUTPUT", value_delimiter = ',', required = true)]
    outputs: Vec<String>,
    /// Noise on the inputs: with --dt its variance per sample, otherwise its intensity; one each, or one for all.
    #[arg(long, value_name = "VARIANCE", value_delimiter = ',', default_value = "1")]
    process_noise: Vec<f64>,
    /// Noise on the measured outputs, in the same way.
    #[arg(long, value_name = "VARIANCE", value_delimiter = ',', default_value = "1e-6")]
    sensor_noise: Vec<f64>,
}

#[derive(Serialize)]
struct Answer {
    states: Vec<String>,
    inputs: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    outputs: Vec<String>,
    dt: Option<f64>,
    gain: Vec<Vec<f64>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    filter_gain: Vec<Vec<f64>>,
    open_poles: Vec<Pole>,
    poles: Vec<Pole>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    regulator_poles: Vec<Pole>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    filter_poles: Vec<Pole>,
    margins: Vec<OfLoop>,
}

/// Why there is no design.
enum Failure {
    Model(Refusal),
    Asked(String),
}

impl From<AnalysisError> for Failure {
    fn from(error: AnalysisError) -> Self {
        Self::Model(Refusal::Analysis(error))
    }
}

impl Failure {
    fn tell(&self, source: &str) -> Status {
        match self {
            Self::Model(refusal) => refusal.tell(source),
            Self::Asked(told) => fail(2, source, told),
        }
    }
}

/// Prints a regulator.
pub fn lqr(options: &LqrOptions) -> Status {
    answer(&options.plant, None)
}

/// Prints a regulator with its filter.
pub fn lqg(options: &LqgOptions) -> Status {
    answer(&options.plant, Some(options))
}

fn answer(options: &PlantOptions, filter: Option<&LqgOptions>) -> Status {
    let operating = match Operating::read(&options.file, &options.point.at) {
        Ok(operating) => operating,
        Err(status) => return status,
    };
    let (answer, open, margins) = match design(options, filter, &operating) {
        Ok(found) => found,
        Err(failure) => return failure.tell(&operating.source),
    };
    let mut text = Vec::new();
    // Writing to memory cannot fail.
    let _ = write_text(&mut text, &operating.source, &answer);
    let shown = Shown {
        title: format!("{} for {}", if filter.is_some() { "LQG" } else { "LQR" }, operating.source),
        text: String::from_utf8_lossy(&text).into_owned(),
        open_poles: &answer.open_poles,
        poles: &answer.poles,
        open: &open,
        margins: &margins,
    };
    if let Err(status) = options.page.write(&shown) {
        return status;
    }
    match options.format.or(Format::Table) {
        Format::Json => print(|out| write_json(out, &answer)),
        _ => print(|out| out.write_all(&text)),
    }
}

/// The answer, the loop that is broken at the inputs, and its margins.
type Designed = (Answer, StateSpace, Vec<Margins>);

fn design(options: &PlantOptions, filter: Option<&LqgOptions>, operating: &Operating) -> Result<Designed, Failure> {
    let measured = filter.map_or(&[][..], |filter| &filter.outputs);
    let plant = plant(options, measured, operating)?;
    let weights = weights(options, &plant, operating)?;
    let r = diagonal("--r", &options.r, plant.b.columns(), "input")?;
    let regulator: Regulator = supple_linear::lqr(&plant, &weights, &r)?;
    let names = |signals: &[supple_linear::Signal]| signals.iter().map(|signal| signal.name.clone()).collect();
    let mut out = Answer {
        states: names(&plant.states),
        inputs: names(&plant.inputs),
        outputs: names(&plant.outputs),
        dt: plant.dt,
        gain: rows(&regulator.gain),
        filter_gain: Vec::new(),
        open_poles: pairs(&poles(&plant)?),
        poles: pairs(&regulator.poles),
        regulator_poles: Vec::new(),
        filter_poles: Vec::new(),
        margins: Vec::new(),
    };
    let open = match filter {
        None => state_feedback_loop(&plant, &regulator)?,
        Some(filter) => {
            let estimator = estimator(filter, &plant)?;
            out.filter_gain = rows(&estimator.gain);
            out.filter_poles = pairs(&estimator.poles);
            out.regulator_poles = std::mem::take(&mut out.poles);
            let open = open_loop(&plant, &supple_linear::lqg(&plant, &regulator, &estimator)?)?;
            out.poles = pairs(&poles(&close_loops(&open, &[])?)?);
            open
        }
    };
    let found = margins(&open)?;
    out.margins = found.iter().map(OfLoop::from).collect();
    Ok((out, open, found))
}

/// The linear model, sampled where asked.
fn plant(options: &PlantOptions, outputs: &[String], operating: &Operating) -> Result<StateSpace, Failure> {
    let selection = Selection { inputs: options.inputs.clone(), outputs: outputs.to_vec() };
    let system = options.point.linearize(operating, &selection).map_err(|error| Failure::Model(error.into()))?;
    Ok(match options.dt {
        Some(dt) => zero_order_hold(&system, dt, 0.0)?,
        None => system,
    })
}

/// `Q`, of states or of outputs.
fn weights(options: &PlantOptions, plant: &StateSpace, operating: &Operating) -> Result<Matrix, Failure> {
    let n = plant.a.rows();
    if options.weigh.is_empty() {
        return diagonal("--q", &options.q, n, "state");
    }
    let weighed = self::plant(options, &options.weigh, operating)?.c;
    let each = diagonal("--q", &options.q, weighed.rows(), "output of --weigh")?;
    Ok(Matrix::from_fn(n, n, |i, j| {
        (0..weighed.rows()).map(|k| weighed[(k, i)] * each[(k, k)] * weighed[(k, j)]).sum()
    }))
}

fn estimator(options: &LqgOptions, plant: &StateSpace) -> Result<KalmanFilter, Failure> {
    let n = plant.a.rows();
    let each = diagonal("--process-noise", &options.process_noise, plant.b.columns(), "input")?;
    let w =
        Matrix::from_fn(n, n, |i, j| (0..each.rows()).map(|k| plant.b[(i, k)] * each[(k, k)] * plant.b[(j, k)]).sum());
    let v = diagonal("--sensor-noise", &options.sensor_noise, plant.c.rows(), "output")?;
    Ok(kalman(plant, &w, &v)?)
}

/// A diagonal of one number for all, or one for each.
fn diagonal(option: &str, numbers: &[f64], n: usize, of: &str) -> Result<Matrix, Failure> {
    if numbers.len() != 1 && numbers.len() != n {
        let told = format!("{option}: {} numbers; give one for all, or one for each {of}, {n}", numbers.len());
        return Err(Failure::Asked(told));
    }
    if let Some(bad) = numbers.iter().find(|x| !(x.is_finite() && **x >= 0.0)) {
        return Err(Failure::Asked(format!("{option}: {bad}; give finite numbers that are not negative")));
    }
    Ok(Matrix::from_fn(n, n, |i, j| if i == j { numbers[i.min(numbers.len() - 1)] } else { 0.0 }))
}

fn write_text(out: &mut dyn Write, source: &str, answer: &Answer) -> io::Result<()> {
    let time = answer.dt.map_or("in continuous time".to_owned(), |dt| format!("sampled every {dt} s"));
    writeln!(out, "{source}: {} states, {time}", answer.states.len())?;
    for (input, gains) in answer.inputs.iter().zip(&answer.gain) {
        writeln!(out, "gains of {input}")?;
        for (state, gain) in answer.states.iter().zip(gains) {
            writeln!(out, "  {state:<32} {gain:>16.6}")?;
        }
    }
    for (state, gains) in answer.states.iter().zip(&answer.filter_gain) {
        let text: Vec<String> = gains.iter().map(|x| format!("{x:>14.6e}")).collect();
        writeln!(out, "filter gains of {state:<32} {}", text.join(" "))?;
    }
    write_poles(out, "poles of the plant", &answer.open_poles, answer.dt)?;
    write_poles(out, "poles of the closed loop", &answer.poles, answer.dt)?;
    write_margins(out, &answer.margins)
}
