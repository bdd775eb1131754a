//! Frequencies of a system over configurations, payloads or spin.

mod axis;
mod output;

use crate::status::Status;
use std::io::{self, IsTerminal, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use supple_io::change::Change;

pub use axis::{Axis, Quantity};

use super::system::{ConfigurationOptions, NoModes};
use crate::operating::Operating;
use crate::options::{AtOptions, FileOptions, FileOutput, Format, HingeOptions, Place, SetOptions, Setting};
use crate::output::{UNSUPPORTED, fail, print};

/// Most places of a map.
const MOST_PLACES: usize = 1_000_000;

/// A map that is asked for.
pub struct Request<'r> {
    pub file: &'r FileOptions,
    pub configuration: &'r ConfigurationOptions,
    pub axes: &'r [Axis],
    /// Frequencies at each place.
    pub count: usize,
    pub title: Option<&'r str>,
}

/// Frequencies over one or two axes.
pub struct FrequencyMap {
    pub axes: Vec<Axis>,
    /// At each place, those of the last axis fastest: frequencies above zero and their damping ratios, as many as there are.
    pub rows: Vec<Vec<[f64; 2]>>,
    pub count: usize,
    pub title: String,
}

/// Computes and writes a map.
pub fn run(request: &Request<'_>, format: Format, output: &FileOutput) -> Status {
    let map = match map(request) {
        Ok(map) => map,
        Err(status) => return status,
    };
    let bytes = match format {
        Format::Svg => output::drawing(&map).svg().into_bytes(),
        Format::Png => match supple_report::picture::png(&output::drawing(&map), 2.0) {
            Ok(bytes) => bytes,
            Err(error) => return fail(UNSUPPORTED, "modes", &error),
        },
        Format::Html => {
            let text = output::table(&map);
            supple_report::chart_page::html(&map.title, &[output::drawing(&map)], &text).into_bytes()
        }
        Format::Csv => output::csv(&map).into_bytes(),
        Format::Json => output::json(&map).into_bytes(),
        _ => output::table(&map).into_bytes(),
    };
    let place = output.place().unwrap_or(Place::StandardOutput);
    match (output.write(place, &bytes, 1), place) {
        (Err(status), _) => status,
        (Ok(()), Place::File(path)) => print(|out| writeln!(out, "{}", path.display())),
        (Ok(()), Place::StandardOutput) => Status::SUCCESS,
    }
}

/// Computes a map, or says on standard error why there is none.
pub fn map(request: &Request<'_>) -> Result<FrequencyMap, Status> {
    let Request { file, configuration, axes, count, title } = request;
    let source = file.file.display().to_string();
    let places: usize = axes.iter().map(|axis| axis.places.len()).product();
    if places > MOST_PLACES {
        return Err(fail(UNSUPPORTED, &source, &format!("--map: {places} places; at most {MOST_PLACES}")));
    }
    // Errors are reported once, at the first place, before threads start.
    let shared = Operating::read(file, &configuration.at)?;
    let title = title.map_or_else(|| shared.loaded.name.clone().unwrap_or_else(|| source.clone()), str::to_owned);
    at_place(request, &shared, 0).map_err(|why| why.tell(&source))?;
    let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let rows = Mutex::new(vec![Vec::new(); places]);
    let failure = Mutex::new(None);
    let work = || {
        loop {
            let place = next.fetch_add(1, Ordering::Relaxed);
            if place >= places {
                return;
            }
            match at_place(request, &shared, place) {
                Ok(row) => {
                    if let Ok(mut rows) = rows.lock() {
                        rows[place] = row;
                    }
                }
                Err(why) => {
                    if let Ok(mut failure) = failure.lock() {
                        failure.get_or_insert((place, why));
                    }
                    next.store(places, Ordering::Relaxed);
                }
            }
            progress(done.fetch_add(1, Ordering::Relaxed) + 1, places);
        }
    };
    let threads = thread::available_parallelism().map_or(1, |n| n.get()).min(places);
    thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
    if let Some((place, why)) = failure.into_inner().ok().flatten() {
        let there: Vec<String> = values(axes, place).iter().map(|(axis, x)| format!("{} = {x}", axis.name())).collect();
        return Err(why.tell(&format!("{source}: at {}", there.join(", "))));
    }
    let rows = rows.into_inner().unwrap_or_default();
    let axes = axes.iter().map(|axis| axis.measured(&shared.loaded.model)).collect();
    Ok(FrequencyMap { axes, rows, count: *count, title })
}

/// The places of a number along the axes.
fn values(axes: &[Axis], mut place: usize) -> Vec<(&Axis, f64)> {
    let mut out: Vec<(&Axis, f64)> = Vec::new();
    for axis in axes.iter().rev() {
        out.push((axis, axis.places[place % axis.places.len()]));
        place /= axis.places.len();
    }
    out.reverse();
    out
}

/// Frequencies above zero and damping ratios at a place.
fn at_place(request: &Request<'_>, shared: &Operating, place: usize) -> Result<Vec<[f64; 2]>, NoModes> {
    let Request { file, configuration, axes, count, .. } = request;
    let (mut at, mut spin, mut changes) = (configuration.at.at.clone(), configuration.spin.clone(), file.set.all());
    for (axis, value) in values(axes, place) {
        match &axis.quantity {
            Quantity::Coordinate(name) => at.push(Setting { name: name.clone(), value }),
            Quantity::Spin(name) => spin.push(Setting { name: name.clone(), value }),
            Quantity::Value(key) => {
                changes.push(Change::parse(&format!("{key}={value:?}")).map_err(|e| NoModes::Asked(e.to_string()))?)
            }
        }
    }
    let HingeOptions { lock, free } = &configuration.hinges;
    let hinges = HingeOptions { lock: lock.clone(), free: free.clone() };
    let here = ConfigurationOptions { at: AtOptions { at }, hinges, spin, trim: configuration.trim };
    let changed = changes.len() > file.set.all().len();
    let (found, _) = if changed {
        let file = FileOptions {
            file: file.file.clone(),
            side: file.side.clone(),
            lenient: file.lenient,
            set: SetOptions::of(changes),
        };
        // The reader has said what is wrong.
        let own =
            Operating::read(&file, &here.at).map_err(|_| NoModes::Asked("the file is invalid there".to_owned()))?;
        here.modes(&own.loaded.model, &own.state, &own.inputs)?
    } else {
        let state = shared.placed(&here.at).map_err(|error| NoModes::Asked(error.told))?;
        here.modes(&shared.loaded.model, &state, &shared.inputs)?
    };
    let vibrating = found.modes.iter().filter(|mode| mode.frequency > 0.0);
    Ok(vibrating.take(*count).map(|mode| [mode.frequency, mode.damping_ratio]).collect())
}

/// A line on the terminal; nothing where nobody looks.
fn progress(done: usize, all: usize) {
    let mut out = io::stderr();
    if out.is_terminal() {
        let end = if done == all { "\r\x1b[K" } else { "" };
        // If nobody listens, the work goes on all the same.
        let _ = write!(out, "\r{done} of {all} places{end}");
        let _ = out.flush();
    }
}
