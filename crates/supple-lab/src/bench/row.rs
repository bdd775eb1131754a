//! Rows of a benchmark and how they are printed.

use super::timing::Timing;
use crate::Format;
use serde::Serialize;
use std::io::{self, Write};

/// What is known of a system, a verb and a scalar.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// The system.
    pub system: String,
    /// The verb.
    pub verb: String,
    /// The scalar.
    pub scalar: &'static str,
    /// Time of one call and instance, the best batch.
    pub ns_per_call: f64,
    /// The same of the median batch.
    pub ns_median: f64,
    /// Instructions of one call and instance.
    pub instructions_per_call: Option<f64>,
    /// Time of compiled code relative to the engine's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of_engine: Option<f64>,
}

impl Row {
    /// Of a timing.
    pub fn new(system: &str, verb: String, scalar: &'static str, timing: Timing) -> Self {
        Self {
            system: system.to_owned(),
            verb,
            scalar,
            ns_per_call: timing.least_ns,
            ns_median: timing.median_ns,
            instructions_per_call: timing.instructions,
            of_engine: None,
        }
    }
}

/// Facts about a system that no verb is timed for.
#[derive(Clone, Debug, Serialize)]
pub struct Check {
    /// The system.
    pub system: String,
    /// Its number of speeds.
    pub speeds: usize,
    /// `‖FD(ID(a)) - a‖ / ‖a‖`.
    pub forward_of_inverse: f64,
}

/// Everything, for a list of objects.
#[derive(Default, Serialize)]
pub struct Report {
    /// One per system.
    pub checks: Vec<Check>,
    /// One per system, verb and scalar.
    pub rows: Vec<Row>,
}

/// Prints rows as they come.
pub struct Printer<'a> {
    out: &'a mut dyn Write,
    format: Format,
    /// Whether rows tell their part of the engine's time.
    compared: bool,
    report: Report,
}

impl<'a> Printer<'a> {
    /// Starts with the header of the format.
    pub fn start(out: &'a mut dyn Write, format: Format, compared: bool) -> io::Result<Self> {
        let of_engine = if compared { [",of_engine", "  of engine"] } else { [""; 2] };
        match format {
            Format::Csv => writeln!(out, "system,verb,scalar,ns_per_call,instructions_per_call{}", of_engine[0])?,
            Format::Table => writeln!(
                out,
                "{:<20} {:<26} {:<11} {:>12} {:>12} {:>14}{}",
                "system", "verb", "scalar", "least ns", "median ns", "instructions", of_engine[1]
            )?,
            Format::Json | Format::Peers => (),
        }
        out.flush()?;
        Ok(Self { out, format, compared, report: Report::default() })
    }

    /// A system begins.
    pub fn check(&mut self, check: Check) -> io::Result<()> {
        match self.format {
            Format::Peers => {
                let name = format!("supple/{}", check.system);
                peer_line(self.out, &name, "nv", check.speeds as f64, "dof")?;
                peer_line(self.out, &name, "check_fd_id", check.forward_of_inverse, "rel")?;
            }
            Format::Table => {
                let Check { system, speeds, forward_of_inverse } = &check;
                writeln!(self.out, "{system:<20} {speeds} speeds, forward of inverse within {forward_of_inverse:.1e}")?;
            }
            Format::Json => self.report.checks.push(check),
            Format::Csv => (),
        }
        self.out.flush()
    }

    /// A timing is known.
    pub fn row(&mut self, row: Row) -> io::Result<()> {
        let instructions = row.instructions_per_call.map_or_else(String::new, |count| format!("{count:.1}"));
        let Row { system, verb, scalar, ns_per_call, ns_median, .. } = &row;
        match self.format {
            Format::Csv => {
                let share = row.of_engine.map_or_else(String::new, |share| format!("{share:.3}"));
                let share = if self.compared { format!(",{share}") } else { String::new() };
                writeln!(self.out, "{system},{verb},{scalar},{ns_per_call:.2},{instructions}{share}")?;
            }
            Format::Table => {
                let share = row.of_engine.map_or_else(String::new, |share| format!("{share:>11.3}"));
                writeln!(
                    self.out,
                    "{system:<20} {verb:<26} {scalar:<11} {ns_per_call:>12.1} {ns_median:>12.1} {instructions:>14}{share}"
                )?;
            }
            Format::Peers => {
                let (name, metric) = (format!("supple/{system}"), peer_metric(verb, scalar));
                peer_line(self.out, &name, &format!("{metric}_min"), *ns_per_call, "ns")?;
                peer_line(self.out, &name, &format!("{metric}_median"), *ns_median, "ns")?;
                if let Some(count) = row.instructions_per_call {
                    peer_line(self.out, &name, &format!("{metric}_instructions"), count, "1")?;
                }
            }
            Format::Json => self.report.rows.push(row),
        }
        self.out.flush()
    }

    /// A line of the peers' format; other formats have no place for it.
    pub fn peer(&mut self, name: &str, metric: &str, value: f64, unit: &str) -> io::Result<()> {
        if self.format == Format::Peers {
            peer_line(self.out, name, metric, value, unit)?;
        }
        self.out.flush()
    }

    /// Ends with what the format has been waiting for.
    pub fn end(self) -> io::Result<()> {
        if self.format == Format::Json {
            serde_json::to_writer_pretty(&mut *self.out, &self.report)?;
            writeln!(self.out)?;
        }
        Ok(())
    }
}

/// The verb alone for plain numbers, with the scalar behind it for others.
fn peer_metric(verb: &str, scalar: &str) -> String {
    if scalar == "f64" { verb.to_owned() } else { format!("{verb}_{scalar}") }
}

/// Six significant digits, as C's `%.6g` rounds them.
fn peer_line(out: &mut dyn Write, name: &str, metric: &str, value: f64, unit: &str) -> io::Result<()> {
    let rounded: f64 = format!("{value:.5e}").parse().unwrap_or(value);
    let exponent = if rounded == 0.0 { 0.0 } else { rounded.abs().log10() };
    if (-4.0..6.0).contains(&exponent) {
        writeln!(out, "{name},{metric},{rounded},{unit}")
    } else {
        writeln!(out, "{name},{metric},{rounded:e},{unit}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_for_peers_have_six_digits() {
        for (value, text) in [
            (1234.56789, "1234.57"),
            (0.0, "0"),
            (38.0, "38"),
            (1.234_567_89e-12, "1.23457e-12"),
            (2_345_678.9, "2.34568e6"),
            (999_999.9, "1e6"),
        ] {
            let mut out = Vec::new();
            peer_line(&mut out, "a", "b", value, "ns").unwrap();
            assert_eq!(String::from_utf8(out).unwrap(), format!("a,b,{text},ns\n"));
        }
    }
}
