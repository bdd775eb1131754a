//! A state as text.

use std::io::{self, Write};

use super::facts::{Quantity, StateFacts};

/// Greatest mass matrix that is printed.
const MOST_COLUMNS: usize = 12;

/// Prints all but what only programs read.
pub fn write(out: &mut dyn Write, facts: &StateFacts) -> io::Result<()> {
    writeln!(out, "{}", facts.file)?;
    quantities(out, "state", &facts.state)?;
    equations(out, facts)?;
    mass_matrix(out, facts)?;
    let moving: Vec<Quantity> = facts.reactions.iter().filter(|q| q.value != 0.0).cloned().collect();
    quantities(out, "reactions (those that are zero are left out)", &moving)?;
    let energy = &facts.energy;
    writeln!(out, "\nenergy [J]")?;
    for (name, value) in [
        ("kinetic", energy.kinetic),
        ("elastic", energy.elastic),
        ("gravitational", energy.gravity),
        ("stored in force elements", energy.stored),
        ("total", energy.total),
    ] {
        writeln!(out, "  {name:<28} {value:>16.9e}")?;
    }
    let vector = |v: &[f64]| v.iter().map(|x| format!("{x:>16.9e}")).collect::<Vec<_>>().join(" ");
    writeln!(out, "\n{:<30} {:>16.9e}", "mass [kg]", facts.mass)?;
    writeln!(out, "{:<30} {}", "mass centre [m]", vector(&facts.centre_of_mass))?;
    writeln!(out, "{:<30} {}", "momentum [kg m/s]", vector(&facts.linear_momentum))?;
    writeln!(out, "{:<30} {}", "angular momentum [kg m²/s]", vector(&facts.angular_momentum))?;
    writeln!(out, "\nnodes: position [m], velocity [m/s], acceleration [m/s²], inertial axes")?;
    for (k, body) in facts.bodies.iter().enumerate() {
        for (j, node) in body.nodes.iter().enumerate() {
            writeln!(out, "  {}.{node}", body.name)?;
            writeln!(out, "    {}", vector(&facts.node_positions[k][j]))?;
            writeln!(out, "    {}", vector(&facts.node_velocities[k][j][3..]))?;
            writeln!(out, "    {}", vector(&facts.node_accelerations[k][j][3..]))?;
        }
    }
    Ok(())
}

fn quantities(out: &mut dyn Write, title: &str, list: &[Quantity]) -> io::Result<()> {
    let width = list.iter().map(|q| q.name.chars().count() + q.unit.chars().count() + 3).max().unwrap_or(0);
    writeln!(out, "\n{title}")?;
    for Quantity { name, unit, value } in list {
        let named = format!("{name} [{unit}]");
        writeln!(out, "  {named:<width$} {value:>16.9e}")?;
    }
    Ok(())
}

/// One row per speed.
fn equations(out: &mut dyn Write, facts: &StateFacts) -> io::Result<()> {
    let width = facts.speeds.iter().map(|d| d.name.chars().count()).max().unwrap_or(0).max(5);
    writeln!(out, "\nM udot + C = T; inverse_T holds the speeds")?;
    let [t, c, udot, inverse] = ["T", "C", "udot", "inverse_T"];
    writeln!(out, "  {:<width$} {c:>16} {t:>16} {udot:>16} {inverse:>16}", "speed")?;
    for (i, direction) in facts.speeds.iter().enumerate() {
        let [c, t, udot, inverse] =
            [&facts.bias, &facts.forces, &facts.accelerations, &facts.inverse_forces].map(|l| l[i]);
        writeln!(out, "  {:<width$} {c:>16.9e} {t:>16.9e} {udot:>16.9e} {inverse:>16.9e}", direction.name)?;
    }
    Ok(())
}

fn mass_matrix(out: &mut dyn Write, facts: &StateFacts) -> io::Result<()> {
    let size = facts.mass_matrix.len();
    if size > MOST_COLUMNS {
        return writeln!(out, "\nmass matrix: {size} by {size}, printed with --format json");
    }
    writeln!(out, "\nmass matrix")?;
    for row in &facts.mass_matrix {
        let row: Vec<String> = row.iter().map(|x| format!("{x:>13.6e}")).collect();
        writeln!(out, "  {}", row.join(" "))?;
    }
    Ok(())
}
