//! The page without scripts, for builds without Node.js: pictures of the columns and tables of the facts.

use std::fmt::Write;

use supple_io::results::plot::{self, Series};
use supple_io::results::{Answer, EventSummary, Outcome, Summary};

use crate::page::escaped;
use crate::picture::Sizes;
use crate::report::Run;
use crate::scene::Scene;

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;color:#1c2430;background:#fff}\
svg{max-width:100%;height:auto;background:#fff}table{border-collapse:collapse}td,th{text-align:left;padding:.2rem .8rem .2rem 0;border-bottom:1px solid #ccd}\
.note{background:#fff4d6;border-left:4px solid #d99a00;padding:.6rem 1rem}pre{background:#f2f4f8;padding:.8rem;overflow:auto}";

/// What stands above everything.
const NOTE: &str = "This page has no 3D view: this copy of supple was built without Node.js. Install Node.js 20 or later, build \
again with <code>cargo clean -p supple-report</code> before it, and make the page again with <code>supple report FOLDER</code>.";

/// Pictures of more columns would not be looked at.
const MOST_SERIES: usize = 12;

/// Events that are listed.
const MOST_EVENTS: usize = 40;

/// A page of one run or more.
pub fn page(title: &str, runs: &[&Run]) -> String {
    let mut out = String::new();
    let title = escaped(title);
    // Writing to a string cannot fail, here and below.
    let _ = write!(
        out,
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <title>{title}</title><style>{STYLE}</style></head><body><h1>{title}</h1><p class=\"note\">{NOTE}</p>"
    );
    for run in runs {
        if runs.len() > 1 {
            let _ = write!(out, "<h2>{}</h2>", escaped(&run.label));
        }
        story(&mut out, &run.summary);
        outcome(&mut out, &run.summary);
        pictures(&mut out, run);
        facts(&mut out, &run.recording.scene, &run.summary);
        again(&mut out, run);
    }
    out.push_str("</body></html>\n");
    out
}

/// What happened, before how it was computed.
fn story(out: &mut String, summary: &Summary) {
    let row =
        |a: Answer| format!("<tr><td>{}<td><b>{}</b><td>{}</tr>", a.topic, escaped(&a.headline), escaped(&a.detail));
    let rows: String = summary.answers().into_iter().map(row).collect();
    if !rows.is_empty() {
        let _ = write!(out, "<table>{rows}</table>");
    }
}

fn outcome(out: &mut String, summary: &Summary) {
    let (start, end) = (summary.start_time, summary.end_time);
    let how = match &summary.outcome {
        Outcome::Finished => "The run finished.".to_owned(),
        Outcome::Stopped(event) => format!("The event `{event}` ended the run."),
        Outcome::Interrupted => "The run was interrupted by the user.".to_owned(),
        Outcome::Failed(reason) => format!("The run failed: {reason}"),
        _ => "The run has not ended, or was killed.".to_owned(),
    };
    let _ = write!(
        out,
        "<p>{} {start} to {end} s, integrated by {}.</p>",
        escaped(&how),
        escaped(&summary.integrator.name)
    );
    if !summary.warnings.is_empty() {
        let items: String = summary.warnings.iter().map(|w| format!("<li>{}</li>", escaped(w))).collect();
        let _ = write!(out, "<h3>Warnings</h3><ul>{items}</ul>");
    }
    if !summary.events.is_empty() {
        let item = |e: &EventSummary| format!("<li>{:.6} s: {}</li>", e.time, escaped(&e.to_string()));
        let items: String = summary.events.iter().take(MOST_EVENTS).map(item).collect();
        let _ = write!(out, "<h3>Events</h3><ul>{items}</ul>");
    }
}

fn pictures(out: &mut String, run: &Run) {
    let table = &run.table;
    let points = table.times.0.len();
    let mut sizes = Sizes::new(&run.recording);
    for (column, values) in table.columns.iter().zip(table.values.0.chunks(points.max(1))) {
        values.iter().for_each(|value| sizes.take(&column.unit, f64::from(*value)));
    }
    for (prefix, title) in [
        ("hinge.", "Hinge coordinates"),
        ("speed.", "Hinge speeds"),
        ("mode.", "Modal coordinates"),
        ("mode_acceleration.", "Modal accelerations"),
        ("force.", "Drives"),
        ("reaction.", "Wrenches of hinges"),
        ("closure.", "Closures"),
        ("energy.", "Energy"),
    ] {
        let columns = table.columns.iter().enumerate().filter(|(_, column)| column.name.starts_with(prefix));
        let line = |(c, column): (usize, &supple_io::results::Column)| Series {
            label: column.name.clone(),
            unit: column.unit.clone(),
            points: (0..points).map(|i| [table.times.0[i], f64::from(table.values.0[c * points + i])]).collect(),
        };
        let mut series: Vec<Series> = columns.take(MOST_SERIES).map(line).collect();
        series.iter_mut().for_each(|one| sizes.flatten(one));
        if !series.is_empty() {
            out.push_str(&plot::svg(title, &series));
        }
    }
}

fn facts(out: &mut String, scene: &Scene, summary: &Summary) {
    let _ = write!(
        out,
        "<h3>Model</h3><p>{}: gravity ({}, {}, {}) m/s², elastic rotation {}, inertia convention {}.</p>",
        escaped(&scene.name),
        scene.gravity[0],
        scene.gravity[1],
        scene.gravity[2],
        escaped(&scene.elastic_rotation),
        escaped(&scene.inertia_convention)
    );
    out.push_str("<table><tr><th>Body<th>Hinge<th>Mass, kg<th>Modes<th>Terms</tr>");
    for body in &scene.bodies {
        let _ = write!(
            out,
            "<tr><td>{}<td>{} {}<td>{}<td>{}<td>{}</tr>",
            escaped(&body.name),
            escaped(&body.hinge.name),
            escaped(&body.hinge.kind),
            body.mass.mass,
            body.modes,
            escaped(&body.terms)
        );
    }
    out.push_str("</table>");
    if !scene.closures.is_empty() {
        out.push_str("<h3>Closures</h3><table><tr><th>Closure<th>Kind<th>Joins<th>Equations</tr>");
    }
    for closure in &scene.closures {
        let _ = write!(
            out,
            "<tr><td>{}<td>{}<td>{}<td>{}</tr>",
            escaped(&closure.name),
            escaped(&closure.kind),
            escaped(&closure.joins.join(", ")),
            closure.equations
        );
    }
    if !scene.closures.is_empty() {
        out.push_str("</table>");
    }
    if let Some(ledger) = &summary.ledger {
        let _ = write!(
            out,
            "<h3>Energy, J</h3><table><tr><td>kinetic<td>{}<tr><td>elastic<td>{}<tr><td>work of drives<td>{}",
            ledger.kinetic, ledger.elastic, ledger.work
        );
        if !scene.closures.is_empty() {
            let _ = write!(
                out,
                "<tr><td>added by keeping closures closed<td>{}<tr><td>lost when closures closed<td>{}",
                ledger.projection_work, ledger.impact_loss
            );
        }
        let _ = write!(out, "<tr><td>balance error<td>{}</table>", ledger.balance_error);
    }
}

fn again(out: &mut String, run: &Run) {
    let origin = &run.recording.origin;
    let _ = write!(out, "<h3>Command</h3><pre>{}</pre>", escaped(&origin.command));
    for file in &origin.files {
        let _ = write!(out, "<p>{}</p>", escaped(&file.name));
        if let Some(text) = &file.text {
            let _ = write!(out, "<pre>{}</pre>", escaped(text));
        }
    }
}
