//! `supple equilibrium`: the state in which a system stays.

mod initial;

use crate::status::Status;
use std::io::{self, Write};

use serde::Serialize;
use supple::Model;
use supple::model::{Role, Variable, VariableKind};
use supple_linear::{Equilibrium, LinearError, equilibrium};

use crate::linear::status;
use crate::operating::Operating;
use crate::options::{
    AtOptions, FileOptions, FileOutput, Format, FormatOptions, HingeOptions, Place, StateFiles, Usual,
};
use crate::output::{fail, print};

/// Options.
#[derive(clap::Args)]
pub struct Options {
    #[command(flatten)]
    file: FileOptions,
    #[command(flatten)]
    at: AtOptions,
    #[command(flatten)]
    hinges: HingeOptions,
    #[command(flatten)]
    format: FormatOptions<StateFiles>,
    #[command(flatten)]
    output: FileOutput,
}

#[derive(Serialize)]
struct Facts<'e> {
    file: &'e str,
    stable: bool,
    /// Directions in which nothing resists.
    neutral: &'e [String],
    /// Largest real part of the eigenvalues of small motions, 1/s.
    growth: f64,
    /// Forces that are left, as a part of the loads.
    residual: f64,
    iterations: usize,
    state: Vec<Number>,
    /// Of drives: those that act, and those that hold locked hinges.
    forces: Vec<Number>,
}

#[derive(Serialize)]
struct Number {
    name: String,
    unit: &'static str,
    value: f64,
}

/// Prints or writes an equilibrium.
pub fn run(options: &Options) -> Status {
    let operating = match Operating::read(&options.file, &options.at) {
        Ok(operating) => operating,
        Err(status) => return status,
    };
    let (model, source) = (&operating.loaded.model, &operating.source);
    let found = match found(options, &operating) {
        Ok(found) => found,
        Err(error) => return fail(status(&error), source, &error),
    };
    let bytes = match options.format.of_file_or(options.output.output.as_deref(), Format::Table) {
        Format::Toml => initial::toml(model, &found.state),
        Format::Json => serde_json::to_string_pretty(&Facts::new(source, model, &found)).unwrap_or_default() + "\n",
        _ => {
            let mut text = Vec::new();
            // Memory takes everything.
            let _ = write_text(&mut text, &Facts::new(source, model, &found));
            String::from_utf8_lossy(&text).into_owned()
        }
    };
    let place = options.output.place().unwrap_or(Place::StandardOutput);
    match (options.output.write(place, bytes.as_bytes(), 1), place) {
        (Err(status), _) => status,
        (Ok(()), Place::File(path)) => print(|out| writeln!(out, "{}", path.display())),
        (Ok(()), Place::StandardOutput) => Status::SUCCESS,
    }
}

/// The equilibrium: hinges that a scenario moves are held, unless they are freed; all others are free, unless they are locked.
fn found(options: &Options, operating: &Operating) -> Result<Equilibrium, LinearError> {
    let Operating { loaded, state, inputs, .. } = operating;
    let mut held = inputs.clone();
    options.hinges.apply(&loaded.model, &mut held, Usual::Free)?;
    if options.hinges.free.is_empty() {
        held.prescribed.iter_mut().zip(&inputs.prescribed).for_each(|(held, moved)| *held |= *moved);
    }
    equilibrium(&loaded.model, state, &held)
}

impl<'e> Facts<'e> {
    fn new(file: &'e str, model: &Model, found: &'e Equilibrium) -> Self {
        let Equilibrium { state, forces, residual, iterations, stable, neutral, growth, .. } = found;
        let variables = model.variables();
        let value = |v: &Variable| match v.kind {
            VariableKind::Time => state.time,
            VariableKind::HingeSpeed | VariableKind::ModalSpeed => state.speeds[v.index],
            VariableKind::Attitude => state.attitudes[v.index / 4].0[v.index % 4],
            VariableKind::DriveForce => forces[v.index],
            _ => state.coordinates[v.index],
        };
        let number = |v: &Variable| Number { name: v.name.clone(), unit: v.unit, value: value(v) };
        let of_state = variables.iter().filter(|v| v.kind.role() == Role::State).map(number).collect();
        let of_drives = variables.iter().filter(|v| v.kind == VariableKind::DriveForce).map(number).collect();
        let (stable, growth, residual, iterations) = (*stable, *growth, *residual, *iterations);
        Self { file, stable, neutral, growth, residual, iterations, state: of_state, forces: of_drives }
    }
}

fn write_text(out: &mut dyn Write, facts: &Facts<'_>) -> io::Result<()> {
    let Facts { file, stable, neutral, growth, residual, iterations, .. } = facts;
    let kind = match (stable, neutral.is_empty()) {
        (true, true) => "stable".to_owned(),
        (true, false) => "neutral (marginally stable): in some directions nothing resists motion".to_owned(),
        (false, _) => {
            format!("not stable: small motions grow at {growth:.3e} 1/s, time constant {:.3e} s", 1.0 / growth)
        }
    };
    writeln!(out, "{file}: equilibrium, {kind}")?;
    neutral.iter().try_for_each(|direction| writeln!(out, "nothing resists {direction}"))?;
    writeln!(out, "{iterations} steps, {residual:.1e} of the loads left")?;
    for (title, list) in [("state", &facts.state), ("forces of drives", &facts.forces)] {
        writeln!(out, "\n{title}")?;
        for Number { name, unit, value } in list {
            let named = format!("{name} [{unit}]");
            writeln!(out, "  {named:<40} {value:>16.9e}")?;
        }
    }
    Ok(())
}
