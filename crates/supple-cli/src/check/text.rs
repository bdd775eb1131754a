//! Facts as text: a tree of bodies, then what flexible bodies carry.

use std::io::{self, Write};

use super::closing::{ClosingFacts, MOST_EQUATIONS};
use super::facts::{BodyFacts, ClosureFacts, Facts, ScenarioFacts};
use supple_io::load::Note;

/// Levels of the tree that are drawn; what is deeper stands at the last of them.
const DEEPEST: usize = 20;
/// Frequencies that are listed of each body.
const FIRST: usize = 6;
/// Hinges and modes that are listed where closing moves them.
const MOST_MOVED: usize = 4;
/// Condition number beyond which a hint is given.
const LARGE: f64 = 1e10;

/// Prints the facts.
pub fn write(out: &mut dyn Write, facts: &Facts, notes: &[Note]) -> io::Result<()> {
    let named = facts.name.as_ref().map_or(String::new(), |name| format!(" \"{name}\""));
    writeln!(out, "{}: {}{named}", facts.file, facts.kind)?;
    if let Some(scenario) = &facts.scenario {
        write_scenario(out, scenario)?;
    }
    if !facts.units.is_empty() {
        writeln!(out, "{}; everything below and all results are in SI units", facts.units.join("; "))?;
    }
    writeln!(
        out,
        "{}, {} kg, {} coordinates, {} speeds, {} node attitudes",
        count(facts.bodies.len(), "body", "bodies"),
        number(facts.total_mass),
        facts.coordinates,
        facts.speeds,
        facts.node_attitudes
    )?;
    writeln!(
        out,
        "gravity {} m/s², elastic rotation {}, inertia convention {}",
        vector(facts.gravity),
        facts.elastic_rotation,
        facts.inertia_convention
    )?;
    if let Some(condition) = facts.condition {
        writeln!(out, "mass matrix at rest: condition number {condition:.1e} at unit diagonal")?;
        if condition > LARGE {
            let lost = condition.log10();
            writeln!(
                out,
                "hint: accelerations lose up to {lost:.0} of 16 digits; look for bodies with far less mass than what they \
                 carry, and for modes with nearly equal shapes"
            )?;
        }
    }
    writeln!(out)?;
    write_tree(out, &facts.bodies)?;
    write_closures(out, &facts.closures)?;
    if let Some(closing) = &facts.closing {
        write_closing(out, closing)?;
    }
    for body in facts.bodies.iter().filter(|body| body.modes > 0) {
        writeln!(out, "\n{}: {}", body.name, body.physics.as_deref().unwrap_or_default())?;
        match &body.locked_frequencies {
            Some(all) => {
                let first: Vec<String> = all.iter().take(FIRST).map(|hz| number(*hz)).collect();
                let more = if all.len() > FIRST { ", …" } else { "" };
                writeln!(out, "  alone, hinge locked: {}{more} Hz", first.join(", "))?;
            }
            None => {
                writeln!(out, "  alone, hinge locked: no frequencies, its modes move too little mass or are too many")?
            }
        }
    }
    if let Some(frequencies) = &facts.frequencies {
        frequencies.write(out)?;
    }
    if let Some(loss) = &facts.loss {
        loss.write(out)?;
    }
    facts.damping.iter().try_for_each(|case| writeln!(out, "{case}"))?;
    let model_notes = facts.notes.iter().skip(notes.len()).map(|note| format!("note: {note}"));
    let all: Vec<String> = notes.iter().map(|note| note.full.clone()).chain(model_notes).collect();
    if !all.is_empty() {
        writeln!(out)?;
    }
    all.iter().try_for_each(|note| writeln!(out, "{note}"))?;
    writeln!(out, "\nvalid")
}

fn write_scenario(out: &mut dyn Write, scenario: &ScenarioFacts) -> io::Result<()> {
    writeln!(
        out,
        "{} s of {}, a result every {} s, integrated by {}",
        number(scenario.duration),
        scenario.model,
        number(scenario.output_interval),
        scenario.integrator
    )?;
    writeln!(
        out,
        "{}, {}, {}, {}; results as {} in {}",
        count(scenario.motions, "motion", "motions"),
        count(scenario.torques, "torque", "torques"),
        count(scenario.wrenches, "wrench", "wrenches"),
        count(scenario.events, "event", "events"),
        scenario.formats.join(", "),
        scenario.results_folder
    )
}

/// Bodies under what carries them, children in the order of the file.
fn write_tree(out: &mut dyn Write, bodies: &[BodyFacts]) -> io::Result<()> {
    let mut children = vec![Vec::new(); bodies.len()];
    let mut roots = Vec::new();
    for (k, body) in bodies.iter().enumerate() {
        body.carrier.map_or(&mut roots, |parent| &mut children[parent]).push(k);
    }
    // Without recursion: a chain may have any length. The last of a list comes off first.
    let mut waiting: Vec<(usize, String, String)> =
        roots.into_iter().rev().map(|k| (k, String::new(), String::new())).collect();
    let mut lines: Vec<(String, &BodyFacts)> = Vec::new();
    while let Some((k, lead, below)) = waiting.pop() {
        lines.push((format!("{lead}{}", bodies[k].name), &bodies[k]));
        let last = children[k].len().saturating_sub(1);
        let deepest = below.chars().count() >= 3 * DEEPEST;
        for (i, child) in children[k].iter().enumerate().rev() {
            let (branch, stem) = if i == last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
            let stem = if deepest { below.clone() } else { format!("{below}{stem}") };
            waiting.push((*child, format!("{below}{branch}"), stem));
        }
    }
    let width = lines.iter().map(|(line, _)| line.chars().count()).max().unwrap_or(0);
    lines.iter().try_for_each(|(line, body)| {
        let pad = " ".repeat(width - line.chars().count());
        writeln!(out, "{line}{pad}  {}", one_line(body))
    })
}

/// What closes loops, one line each.
fn write_closures(out: &mut dyn Write, closures: &[ClosureFacts]) -> io::Result<()> {
    if closures.is_empty() {
        return Ok(());
    }
    let equations = closures.iter().map(|closure| closure.equations).sum();
    let closed = count(closures.len(), "closure", "closures");
    writeln!(out, "\n{closed}, {}", count(equations, "equation", "equations"))?;
    closures.iter().try_for_each(|closure| {
        let name = closure.name.as_ref().map_or(String::new(), |name| format!(" \"{name}\""));
        let equations = count(closure.equations, "equation", "equations");
        writeln!(out, "  {}{name}: {}; {equations}", closure.kind, closure.joins.join(", "))
    })
}

/// What the closures leave free, and whether they can be closed.
fn write_closing(out: &mut dyn Write, closing: &ClosingFacts) -> io::Result<()> {
    let ClosingFacts { speeds, equations, counted, from, .. } = closing;
    let counts = format!("{}, {}", count(*speeds, "speed", "speeds"), count(*equations, "equation", "equations"));
    match closing.freedoms {
        Some(freedoms) => {
            writeln!(out, "degrees of freedom: {freedoms} by rank, {counted} as counted by Grübler ({counts})")?
        }
        None => writeln!(out, "degrees of freedom: {counted} as counted by Grübler ({counts})")?,
    }
    if let Some(redundant) = closing.redundant.as_deref().filter(|list| !list.is_empty()) {
        writeln!(
            out,
            "{} on others, with forces that are not determined:",
            count(redundant.len(), "equation depends", "equations depend")
        )?;
        redundant.iter().try_for_each(|equation| writeln!(out, "  {}: {}", equation.closure, equation.holds))?;
    }
    match (&closing.moved, &closing.open) {
        (Some(moved), _) if moved.is_empty() => writeln!(out, "closed at {from}"),
        (Some(moved), _) => {
            let more = if moved.len() > MOST_MOVED { ", …" } else { "" };
            let moved: Vec<String> =
                moved.iter().take(MOST_MOVED).map(|part| format!("{} by {}", part.what, number(part.by))).collect();
            writeln!(out, "closes from {from}, moving {}{more} (rad or m)", moved.join(", "))
        }
        (None, Some(open)) => writeln!(out, "from {from}, {}; {}", open.why, open.remedy),
        (None, None) => writeln!(out, "too many equations to close here, more than {MOST_EQUATIONS}"),
    }
}

fn one_line(body: &BodyFacts) -> String {
    let mut text = body.hinge.kind.to_owned();
    if let Some(name) = &body.hinge.name {
        text += &format!(" \"{name}\"");
    }
    if !body.hinge.elements.is_empty() {
        text += &format!(" ({})", body.hinge.elements.join(", "));
    }
    if let Some(at) = &body.at {
        text += &format!(" at node {at}");
    }
    match body.mass_centre {
        Some(centre) => text += &format!(", {} kg at {}", number(body.mass), vector(centre)),
        None => text += ", no mass",
    }
    if body.modes > 0 {
        text += &format!(", {}", count(body.modes, "mode", "modes"));
    }
    if body.relaxing > 0 {
        text += &format!(" and {}", count(body.relaxing, "coordinate that relaxes", "coordinates that relax"));
    }
    text
}

fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

fn vector(v: [f64; 3]) -> String {
    format!("({})", v.map(number).join(", "))
}

/// Five digits, in powers of ten only where they are needed.
pub fn number(x: f64) -> String {
    let size = x.abs();
    if size < 1e-14 {
        return "0".to_owned();
    }
    if !(1e-3..1e6).contains(&size) {
        return format!("{x:.4e}");
    }
    let decimals = (4 - size.log10().floor() as i32).clamp(0, 8) as usize;
    let text = format!("{x:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}
