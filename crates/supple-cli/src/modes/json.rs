//! Mode tables as JSON.

use std::io::{self, Write};

use serde::Serialize;
use supple_bodies::report::{DIRECTIONS, ModeEntry};

use super::Entry;

#[derive(Serialize)]
struct Tables<'e> {
    file: &'e str,
    /// What the six numbers of arrays are about.
    directions: [&'static str; 6],
    bodies: Vec<BodyTable<'e>>,
}

#[derive(Serialize)]
struct BodyTable<'e> {
    name: &'e str,
    fidelity: String,
    rigid: [f64; 6],
    reachable: [f64; 6],
    turned: bool,
    free: bool,
    locked_frequencies: &'e Option<Vec<f64>>,
    modes: Vec<Mode<'e>>,
    warnings: Vec<String>,
}

/// Numbers that are infinite become null.
#[derive(Serialize)]
struct Mode<'e> {
    hz: f64,
    rad_per_s: f64,
    modal_mass: f64,
    damping_ratio: Option<f64>,
    participation: [f64; 6],
    effective_mass: [f64; 6],
    percent: [f64; 6],
    running_percent: [f64; 6],
    sketch: SketchOf<'e>,
}

#[derive(Serialize)]
struct SketchOf<'e> {
    motion: &'static str,
    along: &'static str,
    rows: &'e [String],
}

/// Prints the tables of bodies.
pub fn write(out: &mut dyn Write, file: &str, entries: &[Entry<'_>]) -> io::Result<()> {
    let tables = Tables { file, directions: DIRECTIONS, bodies: entries.iter().map(table).collect() };
    serde_json::to_writer_pretty(&mut *out, &tables)?;
    writeln!(out)
}

fn table<'e>(entry: &'e Entry<'_>) -> BodyTable<'e> {
    let Entry { body, report, locked } = entry;
    BodyTable {
        name: &body.name,
        fidelity: body.modes.fidelity.to_string(),
        rigid: report.rigid,
        reachable: report.reachable,
        turned: report.turned,
        free: report.free,
        locked_frequencies: locked,
        modes: report.modes.iter().map(mode).collect(),
        warnings: report.warnings.iter().map(ToString::to_string).collect(),
    }
}

fn mode(entry: &ModeEntry) -> Mode<'_> {
    Mode {
        hz: entry.frequency,
        rad_per_s: entry.angular_frequency,
        modal_mass: entry.modal_mass,
        damping_ratio: entry.damping_ratio,
        participation: entry.participation,
        effective_mass: entry.effective_mass,
        percent: entry.percent,
        running_percent: entry.running,
        sketch: SketchOf {
            motion: entry.sketch.label(),
            along: ["x", "y", "z"][entry.sketch.axis],
            rows: &entry.sketch.rows,
        },
    }
}
