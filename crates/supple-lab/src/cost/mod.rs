//! Operation counts of the algorithms.

mod closed;
mod count;
mod loops;
pub mod modes;
mod paper;

pub use closed::{ClosedRow, closed_cost};
pub(crate) use count::moving_state;
pub use count::{CostRow, chain_cost, cost_of, derivative_cost, free_chain_cost};
pub use loops::Closed;

use std::io::{self, Write};

use clap::ValueEnum;
use serde::Serialize;
use supple::{Fidelity, System};
use supple_bodies::catalogue::beam_chain::{MOST_MODES, beam_chain};
use supple_bodies::catalogue::standard_chain::standard_chain;

use self::modes::ModeList;
use crate::{Format, LabError};

/// Longest chain that is counted.
pub const MAX_BODIES: u32 = 100_000;
/// Largest chain that is counted, bodies times the square of one more than modes: the size of its modal integrals.
pub const MAX_SIZE: usize = 12_000_000;

/// Most loops that are counted: of coupled ones the counts are cubic.
pub const MAX_LOOPS: u32 = 100;

/// Which dynamics is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Model {
    /// Constant modal mass, no modal speeds across hinges: what the published counts describe, on the standard chain.
    RuthlessConstant,
    /// Ruthlessly linearised, on a chain of beams, as all that follow.
    Rl,
    /// All inertial terms, linear elasticity.
    I,
    /// Consistently linearised.
    Cl,
    /// All inertial and elastic terms.
    Ee,
    /// Displacements of second order.
    Stiffened,
}

impl Model {
    /// The fidelity of the beams; `None` for the standard chain.
    pub fn fidelity(self) -> Option<Fidelity> {
        match self {
            Self::RuthlessConstant => None,
            Self::Rl => Some(Fidelity::Ruthless),
            Self::I => Some(Fidelity::Inconsistent),
            Self::Cl => Some(Fidelity::Consistent),
            Self::Ee => Some(Fidelity::Exact),
            Self::Stiffened => Some(Fidelity::Stiffened),
        }
    }
}

const HEADER: [&str; 7] = ["algorithm", "stage", "bodies", "modes", "multiplications", "additions", "other"];
const CLOSED_HEADER: [&str; 8] =
    ["system", "stage", "closures", "bodies", "modes", "multiplications", "additions", "other"];

/// Whether chains of so many bodies, with each of these numbers of modes, can be counted.
///
/// # Errors
/// What is too many, and what to take instead.
pub fn check(bodies: usize, modes: &ModeList, model: Model) -> Result<(), String> {
    if let Some(modes) = modes.0.iter().find(|&&modes| bodies * (modes + 1) * (modes + 1) > MAX_SIZE) {
        return Err(format!(
            "{bodies} bodies of {modes} modes are too many: bodies times (modes + 1)² is {}, at most {MAX_SIZE} \
             is counted; counts of the recursive algorithms are affine in the number of bodies, so take fewer",
            bodies * (modes + 1) * (modes + 1)
        ));
    }
    if model.fidelity().is_some() && modes.0.iter().any(|&modes| modes > MOST_MODES) {
        return Err(format!("beams have at most {MOST_MODES} modes here; more only with --model ruthless-constant"));
    }
    Ok(())
}

/// Counts the operations for each number of modes and of bodies, and writes them.
///
/// # Errors
/// A chain that cannot be built, or rows that cannot be written.
pub fn run(
    bodies: &[usize],
    modes: &ModeList,
    model: Model,
    format: Format,
    out: &mut dyn Write,
) -> Result<(), LabError> {
    let mut rows = Vec::new();
    for (&modes, &bodies) in modes.0.iter().flat_map(|modes| bodies.iter().map(move |bodies| (modes, bodies))) {
        let counted = match model.fidelity() {
            None => chain_cost(bodies, modes),
            Some(fidelity) => cost_of(|bodies| beam_chain(bodies, modes, fidelity), bodies, modes),
        };
        let failed = |error| LabError::failed(format!("chain of {bodies} bodies with {modes} modes"), error);
        rows.extend(counted.map_err(failed)?);
    }
    let lines = rows.iter().map(cells).collect();
    write(out, format, &HEADER, lines, || rows.into_iter().map(JsonRow::from).collect::<Vec<_>>())
}

/// Counts the operations of closed systems, so many loops of so many links each, for each number of modes, and writes them.
///
/// # Errors
/// As [`run`].
pub fn run_closed(
    closed: Closed,
    [loops, bodies]: [&[usize]; 2],
    modes: &ModeList,
    model: Model,
    format: Format,
    out: &mut dyn Write,
) -> Result<(), LabError> {
    let mut rows = Vec::new();
    for &modes in &modes.0 {
        let chain = |bodies: usize| -> System {
            match model.fidelity() {
                None => standard_chain(bodies, modes),
                Some(fidelity) => beam_chain(bodies, modes, fidelity),
            }
        };
        for (&loops, &bodies) in loops.iter().flat_map(|loops| bodies.iter().map(move |bodies| (loops, bodies))) {
            let failed =
                |error| LabError::failed(format!("{loops} loops of {bodies} bodies with {modes} modes"), error);
            rows.extend(closed_cost(chain, closed, loops, bodies, modes).map_err(failed)?);
        }
    }
    let lines = rows.iter().map(closed_cells).collect();
    write(out, format, &CLOSED_HEADER, lines, || rows)
}

fn cells(row: &CostRow) -> Vec<String> {
    let CostRow { algorithm, stage, bodies, modes, multiplications, additions, other } = row;
    let sizes = [bodies, modes].map(ToString::to_string);
    let counts = [multiplications, additions, other].map(ToString::to_string);
    [(*algorithm).to_owned(), (*stage).to_owned()].into_iter().chain(sizes).chain(counts).collect()
}

fn closed_cells(row: &ClosedRow) -> Vec<String> {
    let ClosedRow { system, stage, closures, bodies, modes, multiplications, additions, other } = row;
    let sizes = [closures, bodies, modes].map(ToString::to_string);
    let counts = [multiplications, additions, other].map(ToString::to_string);
    [(*system).to_owned(), (*stage).to_owned()].into_iter().chain(sizes).chain(counts).collect()
}

/// Writes rows, as `lines` or, in JSON, as `records`.
fn write<R: Serialize>(
    out: &mut dyn Write,
    format: Format,
    header: &[&str],
    lines: Vec<Vec<String>>,
    records: impl FnOnce() -> Vec<R>,
) -> Result<(), LabError> {
    let header = header.iter().map(|name| (*name).to_owned()).collect();
    let lines: Vec<Vec<String>> = std::iter::once(header).chain(lines).collect();
    match format {
        Format::Csv => lines.iter().try_for_each(|line| writeln!(out, "{}", line.join(",")))?,
        Format::Table => write_table(out, &lines)?,
        Format::Json => {
            serde_json::to_writer_pretty(&mut *out, &records()).map_err(io::Error::from)?;
            writeln!(out)?;
        }
        Format::Peers => return Err(LabError::unsupported("cost", "counts are written as table, csv or json")),
    }
    Ok(())
}

/// Words to the left, numbers to the right.
fn write_table(out: &mut dyn Write, lines: &[Vec<String>]) -> io::Result<()> {
    let width = |i: usize| lines.iter().map(|line| line[i].len()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..lines[0].len()).map(width).collect();
    for line in lines {
        let mut text = String::new();
        for (i, (cell, width)) in line.iter().zip(&widths).enumerate() {
            text += &if i < 2 { format!("{cell:<width$}  ") } else { format!("{cell:>width$}  ") };
        }
        writeln!(out, "{}", text.trim_end())?;
    }
    Ok(())
}

#[derive(Serialize)]
struct JsonRow {
    algorithm: &'static str,
    stage: &'static str,
    bodies: usize,
    modes: usize,
    multiplications: u64,
    additions: u64,
    other: u64,
}

impl From<CostRow> for JsonRow {
    fn from(row: CostRow) -> Self {
        let CostRow { algorithm, stage, bodies, modes, multiplications, additions, other, .. } = row;
        Self { algorithm, stage, bodies, modes, multiplications, additions, other }
    }
}
