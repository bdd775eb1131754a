//! What designs have in common: poles and margins, for people and for programs.

use std::io::{self, Write};

use serde::Serialize;
use supple_linear::{Complex, Margins, Matrix};

/// A pole: real and imaginary part.
pub type Pole = [f64; 2];

/// Poles as pairs.
pub fn pairs(poles: &[Complex]) -> Vec<Pole> {
    poles.iter().map(|pole| [pole.re, pole.im]).collect()
}

/// A matrix as rows.
pub fn rows(matrix: &Matrix) -> Vec<Vec<f64>> {
    (0..matrix.rows()).map(|i| matrix.row(i).to_vec()).collect()
}

/// Margins of a loop; what is infinite is left out.
#[derive(Serialize)]
pub struct OfLoop {
    input: String,
    stable: bool,
    gain: Option<f64>,
    gain_reduction: f64,
    phase_deg: Option<f64>,
    delay_s: Option<f64>,
    modulus: f64,
    crossovers_rad_s: Vec<f64>,
}

impl From<&Margins> for OfLoop {
    fn from(found: &Margins) -> Self {
        let finite = |x: f64| Some(x).filter(|x| x.is_finite());
        Self {
            input: found.input.clone(),
            stable: found.stable,
            gain: finite(found.gain),
            gain_reduction: found.gain_reduction,
            phase_deg: finite(found.phase.to_degrees()),
            delay_s: finite(found.delay),
            modulus: found.modulus,
            crossovers_rad_s: found.crossovers.clone(),
        }
    }
}

/// One JSON value.
pub fn write_json(out: &mut dyn Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, value)?;
    writeln!(out)
}

/// A line per pole, with frequency and damping.
pub fn write_poles(out: &mut dyn Write, title: &str, poles: &[Pole], dt: Option<f64>) -> io::Result<()> {
    writeln!(out, "{title}")?;
    for [re, im] in poles.iter().filter(|pole| pole[1] >= 0.0) {
        let sign = if *im > 0.0 { format!(" ± {im:.6} i") } else { String::new() };
        // Of sampled models the pole that continuous time would have.
        let (a, b) = match dt {
            Some(dt) => (re.hypot(*im).ln() / dt, im.atan2(*re) / dt),
            None => (*re, *im),
        };
        let rate = a.hypot(b);
        let damping = if rate > 0.0 { -a / rate } else { 0.0 };
        writeln!(out, "  {re:>14.6}{sign:<18} {rate:>12.6} rad/s  damping {damping:>8.4}")?;
    }
    Ok(())
}

/// A line per loop.
pub fn write_margins(out: &mut dyn Write, margins: &[OfLoop]) -> io::Result<()> {
    let text = |x: Option<f64>| x.map_or("infinite".to_owned(), |x| format!("{x:.4}"));
    for found in margins {
        if !found.stable {
            writeln!(out, "{}: the closed loop is not stable", found.input)?;
            continue;
        }
        writeln!(
            out,
            "{}: gain may grow {} times and fall to {:.4}, phase margin {} deg, delay margin {} s, least |1 + L| {:.4}",
            found.input,
            text(found.gain),
            found.gain_reduction,
            text(found.phase_deg),
            text(found.delay_s),
            found.modulus
        )?;
    }
    Ok(())
}
