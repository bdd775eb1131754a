//! Operation counts of the algorithms.

mod count;
pub mod modes;
mod paper;

pub(crate) use count::moving_state;
pub use count::{CostRow, chain_cost, cost_of};

use std::io::{self, Write};

use clap::ValueEnum;
use serde::Serialize;
use supple::Fidelity;
use supple_bodies::catalogue::beam_chain::{MOST_MODES, beam_chain};

use self::modes::ModeList;
use crate::{Format, LabError};

/// Longest chain that is counted.
pub const MAX_BODIES: u32 = 100_000;
/// Largest chain that is counted, bodies times the square of one more than modes: the size of its modal integrals.
pub const MAX_SIZE: usize = 12_000_000;

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

/// Counts the operations for each number of modes and writes them.
///
/// # Errors
/// A chain that cannot be built, or rows that cannot be written.
pub fn run(bodies: usize, modes: &ModeList, model: Model, format: Format, out: &mut dyn Write) -> Result<(), LabError> {
    let mut rows = Vec::new();
    for &modes in &modes.0 {
        let counted = match model.fidelity() {
            None => chain_cost(bodies, modes),
            Some(fidelity) => cost_of(|bodies| beam_chain(bodies, modes, fidelity), bodies, modes),
        };
        let failed = |error| LabError::failed(format!("chain of {bodies} bodies with {modes} modes"), error);
        rows.extend(counted.map_err(failed)?);
    }
    match format {
        Format::Csv => write_csv(out, &rows)?,
        Format::Table => write_table(out, &rows)?,
        Format::Json => {
            let rows: Vec<JsonRow> = rows.into_iter().map(JsonRow::from).collect();
            serde_json::to_writer_pretty(&mut *out, &rows).map_err(io::Error::from)?;
            writeln!(out)?;
        }
        Format::Peers => return Err(LabError::unsupported("cost", "counts are written as table, csv or json")),
    }
    Ok(())
}

fn cells(row: &CostRow) -> [String; 7] {
    [
        row.algorithm.to_owned(),
        row.stage.to_owned(),
        row.bodies.to_string(),
        row.modes.to_string(),
        row.multiplications.to_string(),
        row.additions.to_string(),
        row.other.to_string(),
    ]
}

fn write_csv(out: &mut dyn Write, rows: &[CostRow]) -> io::Result<()> {
    writeln!(out, "{}", HEADER.join(","))?;
    for row in rows {
        writeln!(out, "{}", cells(row).join(","))?;
    }
    Ok(())
}

/// Words to the left, numbers to the right.
fn write_table(out: &mut dyn Write, rows: &[CostRow]) -> io::Result<()> {
    let lines: Vec<[String; 7]> = std::iter::once(HEADER.map(str::to_owned)).chain(rows.iter().map(cells)).collect();
    let widths: [usize; 7] = std::array::from_fn(|i| lines.iter().map(|line| line[i].len()).max().unwrap_or(0));
    for line in &lines {
        let mut text = String::new();
        for (i, (cell, width)) in line.iter().zip(widths).enumerate() {
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
