//! Shapers for an arm: what remains of its vibration over its workspace and payloads, and what each costs.

use crate::status::Status;
use std::f64::consts::FRAC_PI_2;
use std::io::{self, Write};

use serde::Serialize;
use supple::HingeKind;
use supple_control::{Mode, Shaper, ShaperKind};

use super::answer::write_json;
use crate::modes::{Axis, Quantity, Request, map};
use crate::operating::Operating;
use crate::options::{AtOptions, FileOptions, Format};
use crate::output::{fail, print};

/// Hinges that are moved where nothing is said, and their places.
const MOST_HINGES: usize = 5;
const PLACES: usize = 3;

#[derive(Serialize)]
struct OfMode {
    frequency: f64,
    damping: f64,
    low: f64,
    high: f64,
}

#[derive(Serialize)]
struct OfShaper {
    kind: &'static str,
    duration: f64,
    delay: f64,
    worst_percent: f64,
    mean_percent: f64,
}

#[derive(Serialize)]
struct Answer {
    places: usize,
    modes: Vec<OfMode>,
    shapers: Vec<OfShaper>,
    recommended: &'static str,
}

/// What is asked of an arm.
pub struct Question<'q> {
    pub file: &'q FileOptions,
    pub axes: &'q [Axis],
    /// Modes that are shaped for.
    pub count: usize,
    /// Vibration that is good enough, as a part.
    pub tolerance: f64,
    /// Only this shaper.
    pub kind: Option<ShaperKind>,
}

/// Prints every shaper with what remains.
pub fn run(question: &Question<'_>, format: Format) -> Status {
    let source = question.file.file.display().to_string();
    let axes = match question.axes {
        [] => match usual_axes(question.file) {
            Ok(axes) => axes,
            Err(status) => return status,
        },
        axes => axes.to_vec(),
    };
    let configuration = Default::default();
    let request =
        Request { file: question.file, configuration: &configuration, axes: &axes, count: question.count, title: None };
    let found = match map(&request) {
        Ok(found) => found,
        Err(status) => return status,
    };
    match answer(question, &found.rows) {
        Ok(answer) => print(|out| write(out, format, &source, &answer)),
        Err(told) => fail(1, &source, &told),
    }
}

/// Up to five hinges with one axis, from -90° to 90°.
fn usual_axes(file: &FileOptions) -> Result<Vec<Axis>, Status> {
    let operating = Operating::read(file, &AtOptions::default())?;
    let bodies = operating.loaded.system.bodies.iter();
    let turning = bodies.filter(|body| matches!(body.hinge.kind, HingeKind::Revolute { .. }));
    let name = |body: &supple::Body| body.hinge.name.clone().unwrap_or_else(|| body.name.clone());
    let places: Vec<f64> = (0..PLACES).map(|k| FRAC_PI_2 * (k as f64 - 1.0)).collect();
    let axis = |name: String| Axis { quantity: Quantity::Coordinate(name), places: places.clone(), unit: None };
    Ok(turning.map(name).take(MOST_HINGES).map(axis).collect())
}

/// Every shaper at every place, for modes in the middle of their ranges.
fn answer(question: &Question<'_>, places: &[Vec<[f64; 2]>]) -> Result<Answer, String> {
    let modes: Vec<OfMode> = (0..question.count).filter_map(|k| range(places, k)).collect();
    if modes.is_empty() {
        return Err("nothing vibrates there; lock hinges, or give flexible bodies modes".to_owned());
    }
    let designed: Vec<Mode> =
        modes.iter().map(|mode| Mode { frequency: mode.frequency, damping: mode.damping }).collect();
    let mut shapers = Vec::new();
    for kind in ShaperKind::ALL.into_iter().filter(|kind| question.kind.is_none_or(|only| only.name() == kind.name())) {
        let Ok(shaper) = Shaper::for_modes(kind.with_tolerance(question.tolerance), &designed) else { continue };
        let left = |mode: &[f64; 2]| 100.0 * shaper.residual(Mode { frequency: mode[0], damping: mode[1] });
        let all: Vec<f64> = places.iter().flatten().map(left).collect();
        shapers.push(OfShaper {
            kind: kind.name(),
            duration: shaper.duration(),
            delay: shaper.delay(),
            worst_percent: all.iter().copied().fold(0.0, f64::max),
            mean_percent: all.iter().sum::<f64>() / all.len().max(1) as f64,
        });
    }
    let enough = shapers.iter().filter(|shaper| shaper.worst_percent <= 100.0 * question.tolerance);
    let shortest = enough.min_by(|a, b| a.duration.total_cmp(&b.duration));
    let calmest = || shapers.iter().min_by(|a, b| a.worst_percent.total_cmp(&b.worst_percent));
    let recommended = shortest.or_else(calmest).map_or("none", |shaper| shaper.kind);
    Ok(Answer { places: places.len(), modes, shapers, recommended })
}

/// The middle of what a frequency is over all places.
fn range(places: &[Vec<[f64; 2]>], k: usize) -> Option<OfMode> {
    let all = || places.iter().filter_map(|row| row.get(k));
    let low = all().map(|mode| mode[0]).reduce(f64::min)?;
    let high = all().map(|mode| mode[0]).reduce(f64::max)?;
    let damping = all().map(|mode| mode[1]).sum::<f64>() / all().count() as f64;
    Some(OfMode { frequency: 0.5 * (low + high), damping: damping.clamp(0.0, 0.99), low, high })
}

fn write(out: &mut dyn Write, format: Format, source: &str, answer: &Answer) -> io::Result<()> {
    match format {
        Format::Json => return write_json(out, answer),
        Format::Csv => writeln!(out, "kind,duration,delay,worst_percent,mean_percent")?,
        _ => {
            writeln!(out, "{source}: {} places, hinges locked", answer.places)?;
            for (k, mode) in answer.modes.iter().enumerate() {
                let OfMode { frequency, low, high, .. } = mode;
                writeln!(out, "mode {}: {low:.5} to {high:.5} Hz, shaped for {frequency:.5} Hz", k + 1)?;
            }
            let [duration, delay, worst, mean] = ["duration s", "delay s", "worst %", "mean %"];
            writeln!(out, "{:<8} {duration:>12} {delay:>12} {worst:>10} {mean:>10}", "shaper")?;
        }
    }
    for OfShaper { kind, duration, delay, worst_percent, mean_percent } in &answer.shapers {
        match format {
            Format::Csv => writeln!(out, "{kind},{duration:?},{delay:?},{worst_percent:?},{mean_percent:?}")?,
            _ => writeln!(out, "{kind:<8} {duration:>12.4} {delay:>12.4} {worst_percent:>10.2} {mean_percent:>10.2}")?,
        }
    }
    if format != Format::Csv {
        writeln!(out, "recommended: {}", answer.recommended)?;
    }
    Ok(())
}
