//! System modes as text.

use std::f64::consts::TAU;
use std::io::{self, Write};

use supple_linear::{SystemMode, SystemModes};

/// Damping ratios below this are printed as zero.
const ROUNDED: f64 = 5e-7;

/// Prints the modes of a system, and how many motions there are besides by which stiffness relaxes.
pub fn write(out: &mut dyn Write, source: &str, found: &SystemModes, creeping: usize) -> io::Result<()> {
    writeln!(out, "{source}: {} modes", found.modes.len())?;
    if found.modes.is_empty() {
        return writeln!(out, "nothing can move: all hinges are locked and no body is flexible; free some with --free");
    }
    let [mode, hertz, rate, ratio] = ["mode", "Hz", "rad/s", "damping ratio"];
    writeln!(
        out,
        "{mode:>4} {hertz:>14} {rate:>14} {ratio:>14}  most of the kinetic energy in; of the strain energy in"
    )?;
    for (i, mode) in found.modes.iter().enumerate() {
        let SystemMode { frequency, damping_ratio, .. } = mode;
        // Rounding has no sign.
        let damping = if damping_ratio.abs() < ROUNDED { 0.0 } else { *damping_ratio };
        let strained = found.strained(mode);
        let members = found.members(mode) + if strained.is_empty() { "" } else { "; " } + &strained;
        writeln!(out, "{:>4} {frequency:>14.6} {:>14.6} {damping:>14.6}  {members}", i + 1, frequency * TAU)?;
    }
    if creeping > 0 {
        writeln!(out, "and {creeping} relaxation modes of the stiffness, which do not oscillate")?;
    }
    Ok(())
}
