//! The summary of a study in words, as CSV and as JSON.

use std::io::{self, Write};
use std::path::Path;

use supple_run::sweep::statistics::Estimate;
use supple_run::sweep::{Influences, NumberSummary, SweepSummary};

use crate::options::Format;
use crate::output;
use crate::status::Status;

/// Worst cases that are printed; the files have more.
const WORST: usize = 3;

/// Prints a summary whose files are in a folder.
pub fn print(summary: &SweepSummary, folder: &Path, format: Format) -> Status {
    output::print(|out| match format {
        Format::Json => writeln!(out, "{}", serde_json::to_string(summary).unwrap_or_default()),
        Format::Csv => csv(summary, out),
        _ => text(summary, folder, out),
    })
}

/// Statistics of a number by name.
fn statistics(number: &NumberSummary) -> Vec<(String, Estimate)> {
    let alone = |value: f64| Estimate { value, low: f64::NAN, high: f64::NAN };
    let mut all = vec![
        ("mean".to_owned(), number.mean),
        ("deviation".to_owned(), number.deviation),
        ("least".to_owned(), alone(number.least)),
    ];
    all.extend(number.percentiles.iter().map(|(percent, estimate)| (format!("{percent} %"), *estimate)));
    all.push(("greatest".to_owned(), alone(number.greatest)));
    all
}

/// What a number depends on, by name.
fn influences(number: &NumberSummary) -> Vec<(String, Estimate)> {
    match &number.influences {
        Influences::Morris(all) => all
            .iter()
            .flat_map(|of| {
                let alone = |value: f64| Estimate { value, low: f64::NAN, high: f64::NAN };
                let e = of.strength;
                let name = &of.name;
                [(format!("{name}: mu*"), e.mu_star), (format!("{name}: sigma"), alone(e.sigma))]
            })
            .collect(),
        Influences::SobolIndices(all) => all
            .iter()
            .flat_map(|of| {
                let name = &of.name;
                [
                    (format!("{name}: first order"), of.strength.first),
                    (format!("{name}: total order"), of.strength.total),
                ]
            })
            .collect(),
        Influences::RankCorrelation(all) => {
            all.iter().map(|of| (format!("{}: rank correlation", of.name), of.strength)).collect()
        }
    }
}

fn csv(summary: &SweepSummary, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "number,statistic,value,low,high")?;
    let cell = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    for number in &summary.numbers {
        for (name, Estimate { value, low, high }) in statistics(number).into_iter().chain(influences(number)) {
            writeln!(out, "{},{},{value:?},{low:?},{high:?}", cell(&number.name), cell(&name))?;
        }
    }
    Ok(())
}

fn text(summary: &SweepSummary, folder: &Path, out: &mut dyn Write) -> io::Result<()> {
    let SweepSummary { study, sampling, runs, done, stopped, failed, failure, again, .. } = summary;
    writeln!(out, "{study}: {done} of {runs} runs ({sampling}), {failed} failed, {stopped} ended by an event")?;
    if *again > 0 {
        writeln!(out, "  {again} duplicate rows were counted once")?;
    }
    if *failed > 0 {
        writeln!(out, " fraction that failed: {}", shown(failure))?;
        for failure in summary.failures.iter().take(WORST) {
            writeln!(out, "  run {}: {}", failure.run, failure.message)?;
        }
    }
    for number in &summary.numbers {
        let unit = if number.unit == "1" { String::new() } else { format!(" [{}]", number.unit) };
        writeln!(out, "\n{}{unit}, {} runs, with 95 % confidence", number.name, number.count)?;
        for (name, estimate) in statistics(number).into_iter().chain(influences(number)) {
            writeln!(out, "  {name:<34}{}", shown(&estimate))?;
        }
        for case in number.worst.iter().take(WORST) {
            writeln!(out, "  worst: {:.6e} in run {}: {}", case.value, case.run, case.command)?;
        }
    }
    writeln!(out, "\n  {}\n  {}", folder.join("summary.json").display(), folder.join("sweep.html").display())
}

fn shown(Estimate { value, low, high }: &Estimate) -> String {
    if low.is_nan() && high.is_nan() {
        return format!("{value:>14.6e}");
    }
    // There may be too few runs for a bound of a percentile.
    let bound = |bound: &f64| if bound.is_nan() { "–".to_owned() } else { format!("{bound:.6e}") };
    format!("{value:>14.6e}  {:>14} to {}", bound(low), bound(high))
}
