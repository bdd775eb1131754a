//! A linear model in words: its signals, poles and zeros.

use std::f64::consts::TAU;
use std::fmt::Write;

use supple_linear::{AnalysisError, Complex, Signal, StateSpace, poles, zeros};

/// Damping ratios below this are printed as zero.
const ROUNDED: f64 = 5e-7;

/// The text.
pub fn table(source: &str, system: &StateSpace) -> Result<String, AnalysisError> {
    let mut out = String::new();
    // Writing to a string cannot fail, here and below.
    let time = system.dt.map_or("continuous time".to_owned(), |dt| format!("sampled every {dt} s"));
    let _ = writeln!(out, "{source}: {} states, {time}", system.states.len());
    let point = &system.operating_point;
    for (title, signals, values) in [
        ("states", &system.states, &point.x),
        ("inputs", &system.inputs, &point.u),
        ("outputs", &system.outputs, &point.y),
    ] {
        let _ = writeln!(out, "\n{title}, at the operating point");
        for (Signal { name, unit }, value) in signals.iter().zip(values) {
            let named = format!("{name} [{unit}]");
            let _ = writeln!(out, "  {named:<40} {value:>16.9e}");
        }
    }
    eigenvalues(&mut out, "poles", &poles(system)?, system.dt);
    eigenvalues(&mut out, "zeros", &zeros(system)?, system.dt);
    Ok(out)
}

/// Numbers of the complex plane, in continuous time with frequency and damping.
fn eigenvalues(out: &mut String, title: &str, list: &[Complex], dt: Option<f64>) {
    if list.is_empty() {
        let _ = writeln!(out, "\n{title}: none");
        return;
    }
    let _ = writeln!(out, "\n{title:<33} {:>14} {:>14}", "Hz", "damping ratio");
    for z in list {
        let s = dt.map_or(*z, |dt| Complex::new(z.abs().ln() / dt, z.arg() / dt));
        // Rounding has no sign.
        let ratio = Some(-s.re / s.abs()).map(|ratio| if ratio.abs() < ROUNDED { 0.0 } else { ratio });
        let damping = ratio.filter(|ratio| ratio.is_finite()).map_or(String::new(), |ratio| format!("{ratio:>14.6}"));
        let line = format!("{:>16.8e} {:>+16.8e} {:>14.6} {damping}", z.re, z.im, s.abs() / TAU);
        let _ = writeln!(out, "{}", line.trim_end());
    }
}
