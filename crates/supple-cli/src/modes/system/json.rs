//! System modes as JSON.

use std::io::{self, Write};

use serde::Serialize;
use supple_linear::{Complex, SystemMode, SystemModes};

#[derive(Serialize)]
struct Table<'m> {
    file: &'m str,
    modes: Vec<Mode<'m>>,
    coordinates: Vec<Coordinate<'m>>,
    bodies: &'m [String],
    nodes: &'m [String],
}

#[derive(Serialize)]
struct Coordinate<'m> {
    name: &'m str,
    unit: &'m str,
}

#[derive(Serialize)]
struct Mode<'m> {
    eigenvalue: [f64; 2],
    frequency_hz: f64,
    damping_ratio: f64,
    /// By coordinate.
    shape: Shape,
    participation: &'m [f64],
    /// By body.
    body_participation: &'m [f64],
    strain_energy: &'m [f64],
    element_energy: f64,
    effective_mass: [f64; 6],
    /// By node: rotation, then translation.
    node_shapes: NodeShapes,
}

#[derive(Serialize)]
struct Shape {
    re: Vec<f64>,
    im: Vec<f64>,
}

#[derive(Serialize)]
struct NodeShapes {
    re: Vec<[f64; 6]>,
    im: Vec<[f64; 6]>,
}

/// Prints the modes of a system.
pub fn write(out: &mut dyn Write, file: &str, found: &SystemModes) -> io::Result<()> {
    let coordinates = found.coordinates.iter().map(|signal| Coordinate { name: &signal.name, unit: &signal.unit });
    let modes = found.modes.iter().map(mode).collect();
    let table = Table { file, modes, coordinates: coordinates.collect(), bodies: &found.bodies, nodes: &found.nodes };
    serde_json::to_writer_pretty(&mut *out, &table)?;
    writeln!(out)
}

fn mode(mode: &SystemMode) -> Mode<'_> {
    let part = |part: fn(&Complex) -> f64| mode.shape.iter().map(part).collect();
    let of_nodes = |part: fn(Complex) -> f64| mode.node_shapes.iter().map(|shape| shape.map(part)).collect();
    Mode {
        eigenvalue: [mode.eigenvalue.re, mode.eigenvalue.im],
        frequency_hz: mode.frequency,
        damping_ratio: mode.damping_ratio,
        shape: Shape { re: part(|x| x.re), im: part(|x| x.im) },
        participation: &mode.participation,
        body_participation: &mode.body_participation,
        strain_energy: &mode.strain_energy,
        element_energy: mode.element_energy,
        effective_mass: mode.effective_mass,
        node_shapes: NodeShapes { re: of_nodes(|x| x.re), im: of_nodes(|x| x.im) },
    }
}
