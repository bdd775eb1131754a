//! What a run says at its end.

use std::io::{self, IsTerminal, Write};

use supple_io::results::{Answer, plot};
use supple_run::{Outcome, Results, Summary};

use super::Printed;

/// Width of the sketch where the terminal does not tell.
const WIDTH: usize = 76;
/// Lines of work per drive that are printed; all are in the results.
const MOST_DRIVES: usize = 12;
/// Events that are printed; all that are listed are in the summary.
const MOST_EVENTS: usize = 12;

/// Prints the summary for people, or as JSON.
pub fn print(printed: &Printed, results: &Results) {
    if printed.json {
        let text = serde_json::to_string_pretty(results.summary()).unwrap_or_default();
        let _ = writeln!(io::stdout(), "{text}");
    } else if !printed.quiet {
        let _ = write!(io::stdout(), "{}", text(results));
        if let Some(plot) = results.plot() {
            let _ = writeln!(io::stdout(), "plot: {}", plot.display());
        }
        if let Some(report) = results.report() {
            let _ = writeln!(io::stdout(), "report to open in a browser: {}", report.display());
        }
    }
}

/// What went wrong, and the command by which the run goes on.
pub fn tell(resume: &str, results: &Results) {
    let (mut err, summary, folder) = (io::stderr(), results.summary(), folder(results));
    if let Outcome::Failed(reason) = &summary.outcome {
        let _ = writeln!(err, "supple: the run ended early: {reason}");
        let _ = match results.last_row() {
            Some((row, time)) => writeln!(err, "supple: the results in {folder} end with row {row}, t = {time} s"),
            None => writeln!(err, "supple: the results in {folder} have no row"),
        };
    }
    let _ = match results.can_go_on() {
        Some(true) => writeln!(err, "supple: when files can be written again, continue with: {resume}"),
        Some(false) => writeln!(
            err,
            "supple: there is no checkpoint to continue from; start again with --force, and with `checkpoint_interval` in the scenario"
        ),
        None => Ok(()),
    };
    if let Outcome::Interrupted = summary.outcome {
        let at = summary.end_time;
        let _ = writeln!(err, "supple: interrupted at t = {at} s; continue with: {resume}");
    }
    for problem in results.problems() {
        let _ = writeln!(err, "supple: {problem}");
    }
}

fn folder(results: &Results) -> String {
    results.folder().map_or_else(|| "memory".to_owned(), |folder| folder.display().to_string())
}

/// What happened, an answer a line.
fn story(summary: &Summary) -> String {
    let answers = summary.answers();
    let width = answers.iter().map(|answer| answer.topic.len()).max().unwrap_or(0);
    let line = |a: &Answer| format!("  {:<width$}  {}: {}\n", a.topic.to_lowercase(), a.headline, a.detail);
    if answers.is_empty() { String::new() } else { answers.iter().map(line).collect::<String>() + "\n" }
}

fn text(results: &Results) -> String {
    let (summary, works) = (results.summary(), results.works());
    let mut out = String::new();
    let mut line = |text: String| {
        out.push_str(&text);
        out.push('\n');
    };
    line(format!("{} of {}: {:.6} to {:.6} s", summary.scenario, summary.model, summary.start_time, summary.end_time));
    let physics = &summary.physics;
    for body in &physics.bodies {
        line(format!("  {}: {}", body.body, body.terms));
    }
    if !physics.bodies.is_empty() {
        line(format!("  elastic rotation {}, inertia {}", physics.elastic_rotation, physics.inertia));
    }
    summary.damping.iter().for_each(|case| line(format!("  {case}")));
    if physics.formulation == "book" {
        line("  equations of motion by Book's formulation".into());
    }
    let (s, i) = (&summary.statistics, &summary.integrator);
    let how = match (i.step, i.relative_tolerance) {
        (Some(step), _) => format!("step {step:e} s"),
        (None, Some(tolerance)) => format!("tolerance {tolerance:e}"),
        _ => String::new(),
    };
    line(format!(
        "  {}, {how}: {} steps, {} rejected, {} evaluations",
        i.name, s.accepted_steps, s.rejected_steps, s.evaluations
    ));
    line(format!("  {:.3} s of computing time, {:.1} times real time", summary.wall_time, summary.real_time_factor));
    if let Some(l) = &summary.ledger {
        line(String::new());
        line("  energy, J".into());
        let mut entry = |name: &str, value: f64| line(format!("    {name:<28}{:>16.6e}", value + 0.0));
        entry("at the start", l.start);
        entry("kinetic", l.kinetic);
        entry("elastic", l.elastic);
        entry("gravitational", l.gravitational);
        entry("in springs and stops", l.stored);
        entry("work of drives", l.work);
        if works.len() > 1 {
            works.iter().take(MOST_DRIVES).for_each(|(name, work)| entry(&format!("  {name}"), *work));
        }
        entry("work of wrenches", l.wrench_work);
        entry("dissipated by modal damping", l.dissipated);
        entry("dissipated in hinges", l.hinge_dissipated);
        if l.impact_loss != 0.0 {
            entry("lost in impacts", l.impact_loss);
        }
        entry("balance error", l.balance_error);
    }
    if let Some(p) = &summary.momentum {
        line(String::new());
        line("  momentum without external loads: initial value, and drift".into());
        let size = |v: &[f64; 3]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
        let mut entry =
            |name: &str, start: f64, drift: f64| line(format!("    {name:<28}{start:>16.6e}{drift:>16.6e}"));
        entry("linear, kg m/s", size(&p.linear), p.linear_drift);
        entry("angular, kg m²/s", size(&p.angular), p.angular_drift);
    }
    if let Some(c) = &summary.closures {
        line(String::new());
        line("  closures: greatest deviation, and its rate".into());
        let entry = |x: f64, unit: &str| format!("{x:>16.6e} {unit}");
        line(format!("    {}{}", entry(c.deviation, "m or rad"), entry(c.speed, "m/s or rad/s")));
    }
    if !summary.events.is_empty() {
        line(String::new());
        line("  events".into());
        summary.events.iter().take(MOST_EVENTS).for_each(|event| line(format!("    {:>14.6} s  {event}", event.time)));
        let more = summary.events.len().saturating_sub(MOST_EVENTS) as u64 + summary.events_not_listed;
        if more > 0 {
            line(format!("    and {more} more"));
        }
    }
    if let Outcome::Stopped(event) = &summary.outcome {
        line(format!("  the event `{event}` ended the run"));
    }
    let width = if io::stdout().is_terminal() { WIDTH } else { WIDTH.min(72) };
    let sketch = plot::terminal(&results.traces().series(), width);
    if !sketch.is_empty() {
        out.push('\n');
        out.push_str(&sketch);
        out.push('\n');
    }
    out.push_str(&story(summary));
    out.push_str(&format!("results in {}:", folder(results)));
    for file in &summary.files {
        out.push_str(&format!(" {} ({} rows)", file.name, file.rows));
    }
    out.push_str(" summary.json\n");
    out
}
