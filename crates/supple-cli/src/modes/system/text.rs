//! System modes as text.

use std::f64::consts::TAU;
use std::io::{self, Write};

use supple_linear::{SystemMode, SystemModes};

/// Coordinates that a line names.
const MOST_NAMED: usize = 3;

/// Damping ratios below this are printed as zero.
const ROUNDED: f64 = 5e-7;

/// Prints the modes of a system, and how many motions there are besides by which stiffness relaxes.
pub fn write(out: &mut dyn Write, source: &str, found: &SystemModes, creeping: usize) -> io::Result<()> {
    writeln!(out, "{source}: {} modes", found.modes.len())?;
    if found.modes.is_empty() {
        return writeln!(out, "nothing can move: all hinges are locked and no body is flexible; free some with --free");
    }
    writeln!(out, "{:>4} {:>14} {:>14} {:>14}  most of the kinetic energy in", "mode", "Hz", "rad/s", "damping ratio")?;
    for (i, mode) in found.modes.iter().enumerate() {
        let SystemMode { frequency, damping_ratio, .. } = mode;
        // Rounding has no sign.
        let damping = if damping_ratio.abs() < ROUNDED { 0.0 } else { *damping_ratio };
        let members = members(mode, found);
        writeln!(out, "{:>4} {frequency:>14.6} {:>14.6} {damping:>14.6}  {members}", i + 1, frequency * TAU)?;
    }
    if creeping > 0 {
        writeln!(out, "and {creeping} motions by which stiffness relaxes, which do not swing")?;
    }
    Ok(())
}

/// The coordinates with the greatest shares.
fn members(mode: &SystemMode, found: &SystemModes) -> String {
    let mut shares: Vec<(f64, &str)> =
        mode.participation.iter().copied().zip(found.coordinates.iter().map(|signal| signal.name.as_str())).collect();
    shares.sort_by(|a, b| b.0.abs().total_cmp(&a.0.abs()));
    let told = shares.iter().take(MOST_NAMED).filter(|(share, _)| share.abs() >= 0.01);
    told.map(|(share, name)| format!("{name} {:.0} %", 100.0 * share)).collect::<Vec<_>>().join(", ")
}
