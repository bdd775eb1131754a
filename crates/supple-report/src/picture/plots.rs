//! The plots of a run by name.

use std::path::Path;

use supple_io::results::plot::{Series, Traces};
use supple_io::results::{Column, RowSink, Table, visit_csv};

use super::quantity::{Quantity, deflection};
use super::rounding::Sizes;
use crate::error::ReportError;
use crate::pose;
use crate::recording::Recording;

/// Bins of a curve: more than a page has units.
const BINS: usize = 1500;
/// Most bodies whose deformation is plotted.
const MOST_BODIES: usize = 24;

/// A plot.
#[derive(Clone, Debug, PartialEq)]
pub struct Plot {
    /// What it is asked for by.
    pub name: String,
    /// What stands above it.
    pub title: String,
    /// Recorded columns that it draws against time.
    pub columns: Vec<Column>,
    /// What it draws of every flexible body: the deflection of its far end, the greatest strain or curvature along it.
    pub deformation: Vec<Quantity>,
}

impl Plot {
    fn of(name: &str, title: &str, columns: Vec<Column>) -> Self {
        Self { name: name.to_owned(), title: title.to_owned(), columns, deformation: Vec::new() }
    }
}

/// Columns that share a plot: name, title, start of the names, unit.
const KINDS: [(&str, &str, &str, Option<&str>); 13] = [
    ("angles", "Hinge angles", "hinge.", Some("rad")),
    ("displacements", "Hinge displacements", "hinge.", Some("m")),
    ("attitudes", "Hinge attitudes", "hinge.", Some("1")),
    ("rates", "Hinge rates", "speed.", Some("rad/s")),
    ("speeds", "Hinge speeds", "speed.", Some("m/s")),
    ("torques", "Drive torques", "force.", Some("N m")),
    ("forces", "Drive forces", "force.", Some("N")),
    ("modes", "Modal coordinates", "mode.", None),
    ("energy", "Energy ledger", "", None),
    ("balance", "Energy balance error", "energy.balance_error", None),
    ("work", "Work of each drive", "work.", None),
    ("modal-speeds", "Modal speeds", "mode_speed.", None),
    ("accelerations", "Hinge accelerations", "acceleration.", None),
];
const DEFORMATION: [(&str, &str, Quantity); 3] = [
    ("deflection", "Tip deflection", Quantity::Deflection),
    ("strain", "Maximum strain of the outer fibre", Quantity::Strain),
    ("curvature", "Greatest curvature", Quantity::Curvature),
];

/// Entries of the ledger, but for its error.
fn is_energy(name: &str) -> bool {
    let ledger = name.starts_with("energy.") && name != "energy.balance_error";
    ledger || name.starts_with("dissipated.") || matches!(name, "work.drives" | "work.wrenches")
}

/// Whether a column is in a plot of [`KINDS`].
fn belongs(column: &Column, (name, _, prefix, unit): &(&str, &str, &str, Option<&str>)) -> bool {
    let ledger = is_energy(&column.name);
    match *name {
        "energy" => ledger,
        _ => !ledger && column.name.starts_with(prefix) && unit.is_none_or(|unit| unit == column.unit),
    }
}

/// The plots of a run whose columns, time not included, these are.
pub fn plots(columns: &[Column], recording: &Recording) -> Vec<Plot> {
    let mut out = Vec::new();
    for kind in &KINDS {
        let own: Vec<Column> = columns.iter().filter(|column| belongs(column, kind)).cloned().collect();
        if !own.is_empty() {
            out.push(Plot::of(kind.0, kind.1, own));
        }
        if kind.0 == "forces" {
            for (name, title, quantity) in DEFORMATION {
                if recording.scene.bodies.iter().any(|body| quantity.is_of(body)) {
                    out.push(Plot { deformation: vec![quantity], ..Plot::of(name, title, Vec::new()) });
                }
            }
        }
    }
    // What is left goes by the part of the name before its last word.
    for column in columns.iter().filter(|column| !KINDS.iter().any(|kind| belongs(column, kind))) {
        let stem = column.name.rsplit_once('.').map_or(column.name.as_str(), |(stem, _)| stem);
        match out.iter_mut().find(|plot| plot.name == stem && plot.deformation.is_empty()) {
            Some(plot) => plot.columns.push(column.clone()),
            None => out.push(Plot::of(stem, stem, vec![column.clone()])),
        }
    }
    out
}

/// The plot that some names ask for: one of the plots, or columns. The name of several columns up to a dot stands for all of them.
///
/// # Errors
/// The first name that is neither.
pub fn chosen(columns: &[Column], plots: &[Plot], asked: &[String]) -> Result<Plot, String> {
    if let [name] = asked
        && let Some(plot) = plots.iter().find(|plot| plot.name == *name)
    {
        return Ok(plot.clone());
    }
    let title = asked.join(", ");
    let mut own = Plot::of(&title, &title, Vec::new());
    for name in asked {
        let stem = format!("{name}.");
        let found = match plots.iter().find(|plot| plot.name == *name) {
            Some(plot) => plot.clone(),
            None => {
                let exact = columns.iter().filter(|column| column.name == *name);
                let below = columns.iter().filter(|column| column.name.starts_with(&stem));
                Plot::of(name, name, exact.chain(below).cloned().collect())
            }
        };
        if found.columns.is_empty() && found.deformation.is_empty() {
            return Err(name.clone());
        }
        let more = found.columns.into_iter().filter(|column| !own.columns.contains(column)).collect::<Vec<_>>();
        own.columns.extend(more);
        let more = found.deformation.into_iter().filter(|one| !own.deformation.contains(one)).collect::<Vec<_>>();
        own.deformation.extend(more);
    }
    Ok(own)
}

/// The lines of a plot from the results in a folder, in a window of time.
///
/// # Errors
/// Results that cannot be read.
pub fn series(folder: &Path, recording: &Recording, plot: &Plot, window: [f64; 2]) -> Result<Vec<Series>, ReportError> {
    let mut sizes = Sizes::new(recording);
    let mut lines = Vec::new();
    if !plot.columns.is_empty() {
        lines = recorded(folder, &plot.columns, window, &mut sizes)?;
        lines.iter_mut().for_each(|line| sizes.flatten(line));
    }
    lines.extend(plot.deformation.iter().flat_map(|quantity| deformation(recording, *quantity, window)));
    Ok(lines)
}

/// Recorded columns in a window of time; all columns tell how large numbers are.
fn recorded(
    folder: &Path,
    columns: &[Column],
    window: [f64; 2],
    sizes: &mut Sizes,
) -> Result<Vec<Series>, ReportError> {
    let mut all = vec![Column::new("time", "s", "")];
    all.extend(columns.iter().cloned());
    let table = Table::new("plot", all)?;
    let drawn: Vec<usize> = (1..=columns.len()).collect();
    let mut traces = Traces::new(&table, &drawn, BINS)?;
    let mut places: Option<Vec<Option<usize>>> = None;
    let mut row = vec![f64::NAN; columns.len() + 1];
    let mut failed = None;
    visit_csv(&folder.join("results.csv"), &mut |heads, values| {
        let find = |column: &Column| heads.iter().position(|(name, _)| *name == column.name);
        let places = places.get_or_insert_with(|| columns.iter().map(find).collect());
        heads.iter().zip(values).for_each(|((_, unit), value)| sizes.take(unit, *value));
        if values.first().is_none_or(|time| !(*time >= window[0] && *time <= window[1])) {
            return;
        }
        row[0] = values[0];
        for (out, place) in row[1..].iter_mut().zip(places.iter()) {
            *out = place.and_then(|place| values.get(place)).copied().unwrap_or(f64::NAN);
        }
        failed = failed.take().or_else(|| traces.append(&row).err());
    })?;
    failed.map_or(Ok(()), Err)?;
    Ok(traces.series())
}

/// Deformation of flexible bodies over a motion.
fn deformation(recording: &Recording, quantity: Quantity, window: [f64; 2]) -> Vec<Series> {
    let (scene, motion) = (&recording.scene, &recording.motion);
    let greatest = quantity.greatest(scene, motion).unwrap_or(0.0);
    let (_, unit, factor) = quantity.words(greatest);
    let sizes = Sizes::new(recording);
    let (mut out, mut at) = (Vec::new(), 0);
    for body in &scene.bodies {
        if quantity.is_of(body) && out.len() < MOST_BODIES {
            let tip = body.tip();
            let value = |frame: &[f32]| {
                let eta: Vec<f64> = frame[at + 7..at + 7 + body.modes].iter().map(|x| f64::from(*x)).collect();
                match quantity {
                    Quantity::Deflection => deflection(body, tip, &pose::amplitudes(body, &eta)),
                    _ => quantity.greatest_of(body, eta),
                }
            };
            let frames = motion.times.0.iter().zip(motion.frames.0.chunks(scene.frame_length().max(1)));
            let inside = frames.filter(|(time, _)| **time >= window[0] && **time <= window[1]);
            let points = inside.map(|(time, frame)| [*time, value(frame)]).collect();
            let named = body.node_names.get(tip).map(String::as_str);
            let end = named.filter(|name| !name.is_empty()).unwrap_or("far end");
            let label = match quantity {
                Quantity::Deflection => format!("{}, {end}", body.name),
                _ => body.name.clone(),
            };
            let mut line = Series { label, unit: quantity.unit().to_owned(), points };
            sizes.flatten(&mut line);
            line.points.iter_mut().for_each(|point| point[1] *= factor);
            out.push(Series { unit: unit.to_owned(), ..line });
        }
        at += 7 + body.modes;
    }
    out
}
