//! Plots of a study: how each number is distributed, what it depends on, and how.

use std::path::{Path, PathBuf};

use supple_io::drawing::Drawing;
use supple_io::results::{self, create_folder, write_whole};
use supple_report::picture::{Axis, Bars, Chart, Curve, Interval, Mark, Panel, Scale, bars, chart};

use super::statistics::Estimate;
use super::{Influence, Influences, NumberSummary, Row, Study, SweepSummary};
use crate::RunError;

/// Bars of a histogram.
const MOST_BARS: usize = 60;
/// Points of a scatter plot.
const MOST_POINTS: usize = 2000;
/// Values that a number is plotted against.
const MOST_SCATTER: usize = 4;

/// A plot with the name of its file.
pub struct Plot {
    /// The name, without its end.
    pub name: String,
    /// What it shows.
    pub drawing: Drawing,
}

/// Writes the plots of a summary as SVG files into a folder, which is made where it is not there; those that are there are replaced.
///
/// # Errors
/// A place that cannot be written.
pub fn write_plots(
    study: &Study,
    rows: &[Row],
    summary: &SweepSummary,
    folder: &Path,
) -> Result<Vec<PathBuf>, RunError> {
    create_folder(folder, results::Existing::Replace)?;
    let all = summary.numbers.iter().enumerate().flat_map(|number| plots(study, rows, number));
    let write = |plot: Plot| {
        let path = folder.join(plot.name + ".svg");
        write_whole(&path, results::Existing::Replace, plot.drawing.svg().as_bytes())?;
        Ok(path)
    };
    all.map(write).collect()
}

/// The plots of one number: its distribution, its sensitivity, and the number over each of the values that matter most.
pub fn plots(study: &Study, rows: &[Row], (i, number): (usize, &NumberSummary)) -> Vec<Plot> {
    if number.count == 0 {
        return Vec::new();
    }
    let plot = |what: &str, drawing: Drawing| Plot {
        name: format!("{}-{}-{}", i + 1, file_word(&number.name), file_word(what)),
        drawing,
    };
    let mut plots = vec![plot("distribution", chart(&histogram(rows, i, number)))];
    plots.extend(sensitivity(number).map(|told| plot("sensitivity", bars(&told))));
    for name in strongest(number) {
        if let Some(value) = study.names().position(|other| other == name).filter(|value| study.is_number(*value)) {
            plots.push(plot(&format!("over-{name}"), chart(&scatter(rows, (value, &name), i, number))));
        }
    }
    plots
}

/// A name as part of the name of a file.
fn file_word(name: &str) -> String {
    name.chars().map(|c| if c.is_alphanumeric() || c == '.' { c } else { '-' }).collect()
}

/// A name with its unit.
pub fn titled(name: &str, unit: &str) -> String {
    if unit == "1" { name.to_owned() } else { format!("{name} [{unit}]") }
}

/// Bars as one line.
fn histogram(rows: &[Row], i: usize, number: &NumberSummary) -> Chart {
    let numbers: Vec<f64> = rows.iter().map(|row| row.numbers[i]).filter(|x| x.is_finite()).collect();
    let bars = ((numbers.len() as f64).sqrt().ceil() as usize).clamp(1, MOST_BARS);
    let (low, width) = (number.least, (number.greatest - number.least) / bars as f64);
    let mut counts = vec![0_u32; bars];
    for x in &numbers {
        let bar = if width > 0.0 { ((x - low) / width) as usize } else { 0 };
        counts[bar.min(bars - 1)] += 1;
    }
    let mut points = vec![[low, 0.0]];
    for (k, count) in counts.iter().enumerate() {
        let edge = |k: usize| low + width * k as f64;
        points.extend([[edge(k), f64::from(*count)], [edge(k + 1), f64::from(*count)], [edge(k + 1), 0.0]]);
    }
    let curves = vec![Curve { label: "runs".into(), points, mark: Mark::Area }];
    Chart {
        title: format!("Distribution of {}", number.name),
        x: Axis::new(titled(&number.name, &number.unit), Scale::Linear),
        panels: vec![Panel { y: Axis::new("runs", Scale::Linear), curves }],
        equal: false,
    }
}

/// What the number depends on: a bar for each value with its interval; none where nothing varies.
fn sensitivity(number: &NumberSummary) -> Option<Bars> {
    let unit = &number.unit;
    let (names, panels) = match &number.influences {
        Influences::Morris(of) => {
            let mean = (titled("mean of effects", unit), numbers(of, |effect| effect.mu_star));
            let deviation = (titled("deviation of effects", unit), numbers(of, |effect| exactly(effect.sigma)));
            (names(of), vec![mean, deviation])
        }
        Influences::SobolIndices(of) => {
            let total = ("share of the variance, with interactions".into(), numbers(of, |index| index.total));
            let first = ("share of the variance, alone".into(), numbers(of, |index| index.first));
            (names(of), vec![total, first])
        }
        Influences::RankCorrelation(of) => {
            (names(of), vec![("rank correlation".into(), numbers(of, |coefficient| *coefficient))])
        }
    };
    (!names.is_empty()).then(|| Bars { title: format!("What {} depends on", number.name), names, panels })
}

fn names<T>(influences: &[Influence<T>]) -> Vec<String> {
    influences.iter().map(|of| of.name.clone()).collect()
}

fn numbers<T>(influences: &[Influence<T>], strength: impl Fn(&T) -> Estimate) -> Vec<Interval> {
    let number = |of: &Influence<T>| {
        let Estimate { value, low, high } = strength(&of.strength);
        [value, low, high]
    };
    influences.iter().map(number).collect()
}

/// A number without an interval.
fn exactly(value: f64) -> Estimate {
    Estimate { value, low: value, high: value }
}

/// Names of what matters most.
fn strongest(number: &NumberSummary) -> Vec<String> {
    let names: Vec<&str> = match &number.influences {
        Influences::Morris(of) => of.iter().map(|of| of.name.as_str()).collect(),
        Influences::SobolIndices(of) => of.iter().map(|of| of.name.as_str()).collect(),
        Influences::RankCorrelation(of) => of.iter().map(|of| of.name.as_str()).collect(),
    };
    // Of values that are linked, the first.
    names.iter().take(MOST_SCATTER).map(|name| name.split(", ").next().unwrap_or(name).to_owned()).collect()
}

fn scatter(rows: &[Row], (value, name): (usize, &str), i: usize, number: &NumberSummary) -> Chart {
    let every = rows.len().div_ceil(MOST_POINTS).max(1);
    let point = |row: &Row| Some([row.values[value].number?, row.numbers[i]]);
    let points: Vec<[f64; 2]> = rows.iter().step_by(every).filter_map(point).collect();
    let label = titled(&number.name, &number.unit);
    let curves = vec![Curve { label: label.clone(), points, mark: Mark::Dots }];
    Chart {
        title: format!("{} over {name}", number.name),
        x: Axis::new(name, Scale::Linear),
        panels: vec![Panel { y: Axis::new(label, Scale::Linear), curves }],
        equal: false,
    }
}
