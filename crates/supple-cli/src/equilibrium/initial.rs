//! A state as the table `initial` of a scenario.

use std::fmt::Write;

use supple::{Model, State};

/// The table, with the digits that give the same bits again.
pub fn toml(model: &Model, state: &State) -> String {
    let mut out = String::new();
    let bodies = || model.body_indices();
    let hinge = |body: supple::BodyIndex| {
        let handle = model.hinges().find(|hinge| hinge.body() == body);
        handle.and_then(|hinge| model.hinge_name(hinge)).unwrap_or_else(|| model.name(body)).to_owned()
    };
    let hinges = bodies().map(|body| (hinge(body), &state.coordinates[model.hinge_coordinates(body)]));
    table(&mut out, "initial.hinges", hinges, false);
    let speeds = bodies().map(|body| (hinge(body), &state.speeds[model.hinge_speeds(body)]));
    table(&mut out, "initial.hinge_speeds", speeds, true);
    let modes = bodies().map(|body| (model.name(body).to_owned(), &state.coordinates[model.modal_coordinates(body)]));
    table(&mut out, "initial.modes", modes, false);
    out
}

/// A table of lists by name; those without numbers, and where `moving` those that are zero, are left out.
fn table<'s>(out: &mut String, title: &str, entries: impl Iterator<Item = (String, &'s [f64])>, moving: bool) {
    let told: Vec<(String, &[f64])> =
        entries.filter(|(_, numbers)| !numbers.is_empty() && (!moving || numbers.iter().any(|x| *x != 0.0))).collect();
    if told.is_empty() {
        return;
    }
    if !out.is_empty() {
        out.push('\n');
    }
    // Writing to a string cannot fail, here and below.
    let _ = writeln!(out, "[{title}]");
    for (name, numbers) in told {
        let list: Vec<String> = numbers.iter().map(|x| format!("{x:?}")).collect();
        let quoted = name.replace('\\', "\\\\").replace('"', "\\\"");
        let _ = writeln!(out, "\"{quoted}\" = [{}]", list.join(", "));
    }
}
