//! A design as a page: the text of the command, poles, and Bode plots of the loops with their margins.

use std::f64::consts::TAU;
use std::path::PathBuf;

use supple_io::drawing::Drawing;
use supple_linear::{
    AnalysisError, FrequencyResponse, Margins, StateSpace, close_loops, frequency_grid, natural_range, poles, unwrapped,
};
use supple_report::chart_page;
use supple_report::picture::{self, Axis, Chart, Curve, Mark, Panel, Scale};

use super::answer::Pole;
use crate::options::FileOutput;
use crate::output::fail;
use crate::status::Status;

/// Frequencies of a Bode plot; more are added at resonances.
const POINTS: usize = 600;

/// Where the page goes.
#[derive(clap::Args)]
pub struct PageOptions {
    /// Also write a page (HTML) with poles and Bode plots of the loops, margins marked.
    #[arg(long, value_name = "FILE")]
    page: Option<PathBuf>,
    /// Overwrite an existing page.
    #[arg(long, requires = "page")]
    force: bool,
}

/// What a page shows.
pub struct Shown<'d> {
    pub title: String,
    /// What the command prints.
    pub text: String,
    pub open_poles: &'d [Pole],
    pub poles: &'d [Pole],
    /// The loop, broken at all inputs, and its margins.
    pub open: &'d StateSpace,
    pub margins: &'d [Margins],
}

impl PageOptions {
    /// Writes the page, where one is asked for.
    pub fn write(&self, shown: &Shown<'_>) -> Result<(), Status> {
        let written = FileOutput { output: self.page.clone(), force: self.force };
        let Some(place) = written.place() else { return Ok(()) };
        let charts = match charts(shown) {
            Ok(charts) => charts,
            Err(error) => return Err(fail(1, &shown.title, &error)),
        };
        written.write(place, chart_page::html(&shown.title, &charts, &shown.text).as_bytes(), 1)?;
        Ok(())
    }
}

fn charts(shown: &Shown<'_>) -> Result<Vec<Drawing>, AnalysisError> {
    let mut out = vec![picture::chart(&pole_chart(shown))];
    for (i, margins) in shown.margins.iter().enumerate() {
        out.push(picture::chart(&bode_chart(&close_loops(shown.open, &[i])?, margins)?));
    }
    Ok(out)
}

/// Poles of plant and closed loop; of a sampled model with the unit circle.
fn pole_chart(shown: &Shown<'_>) -> Chart {
    let dots = |label: &str, poles: &[Pole]| Curve { label: label.into(), points: poles.to_vec(), mark: Mark::Dots };
    let mut curves = vec![dots("plant", shown.open_poles), dots("closed loop", shown.poles)];
    if shown.open.dt.is_some() {
        let circle = (0..=180).map(|k| f64::from(k) * TAU / 180.0).map(|angle| [angle.cos(), angle.sin()]);
        curves.push(Curve { label: String::new(), points: circle.collect(), mark: Mark::Line });
    }
    let unit = if shown.open.dt.is_some() { "" } else { " [rad/s]" };
    Chart {
        title: "Poles".into(),
        x: Axis::new(format!("real part{unit}"), Scale::Linear),
        panels: vec![Panel { y: Axis::new(format!("imaginary part{unit}"), Scale::Linear), curves }],
        equal: shown.open.dt.is_some(),
    }
}

/// Magnitude and phase of a loop, with the lines that margins are read from and dots where its gain is one.
fn bode_chart(one: &StateSpace, margins: &Margins) -> Result<Chart, AnalysisError> {
    let own = poles(one)?;
    let grid = frequency_grid(&own, one.dt, natural_range(&own, one.dt), POINTS)?;
    let response = FrequencyResponse::new(one)?;
    let gains = grid.iter().map(|omega| Ok(response.at(*omega)?.gain(0, 0))).collect::<Result<Vec<_>, _>>()?;
    let hertz: Vec<f64> = grid.iter().map(|omega| omega / TAU).collect();
    let over = |values: Vec<f64>| hertz.iter().zip(values).map(|(x, y)| [*x, y]).collect::<Vec<[f64; 2]>>();
    let phases = unwrapped(&gains.iter().map(|gain| gain.arg()).collect::<Vec<_>>());
    let degrees: Vec<f64> = phases.iter().map(|phase| phase.to_degrees()).collect();
    let level = |value: f64| over(vec![value; hertz.len()]);
    let curve = |label: &str, points, mark| Curve { label: label.to_owned(), points, mark };
    let at_one: Vec<f64> = margins.crossovers.iter().map(|omega| omega / TAU).collect();
    let phase_at = |x: &f64| {
        let near = hertz.iter().zip(&degrees).min_by(|(a, _), (b, _)| (*a - x).abs().total_cmp(&(*b - x).abs()));
        [*x, near.map_or(f64::NAN, |(_, phase)| *phase)]
    };
    // Every odd multiple of 180° that the phase comes near.
    let (low, high) = degrees.iter().fold((0.0_f64, -180.0_f64), |(low, high), x| (low.min(*x), high.max(*x)));
    let turns = (low / 360.0).floor() as i64..=(high / 360.0).ceil() as i64;
    let critical: Vec<[f64; 2]> = turns
        .map(|k| 360.0 * k as f64 - 180.0)
        .filter(|line| (low - 30.0..=high + 30.0).contains(line))
        .flat_map(|line| level(line).into_iter().chain([[f64::NAN; 2]]))
        .collect();
    let magnitude = vec![
        curve("loop", over(gains.iter().map(|gain| gain.abs()).collect()), Mark::Line),
        curve("gain of one", at_one.iter().map(|x| [*x, 1.0]).collect(), Mark::Dots),
        curve("", level(1.0), Mark::Line),
    ];
    let phase = vec![
        curve("loop", over(degrees.clone()), Mark::Line),
        curve("gain of one", at_one.iter().map(phase_at).collect(), Mark::Dots),
        curve("", critical, Mark::Line),
    ];
    Ok(Chart {
        title: format!("Loop at {}: {}", margins.input, in_words(margins)),
        x: Axis::new("frequency [Hz]", Scale::Logarithmic),
        panels: vec![
            Panel { y: Axis::new("magnitude", Scale::Logarithmic), curves: magnitude },
            Panel { y: Axis::new("phase [°]", Scale::Degrees), curves: phase },
        ],
        equal: false,
    })
}

fn in_words(margins: &Margins) -> String {
    if !margins.stable {
        return "the closed loop is not stable".into();
    }
    let gain = if margins.gain.is_finite() { format!("{:.3}", margins.gain) } else { "infinite".into() };
    let phase =
        if margins.phase.is_finite() { format!("{:.1}°", margins.phase.to_degrees()) } else { "infinite".into() };
    format!("gain margin {gain}, phase margin {phase}")
}
