//! What acted besides motors, in words: wrenches and springs; and whether the modes of bodies suffice for it.

use super::answers::{Answer, LISTED, Tone, percent, when};
use super::quantity::of;
use super::story::{ElementStory, LoadPeak, LoadStory, ModesStory};

/// Part of the strain energy of its direction in the highest mode from which on more modes are advised.
const MUCH: f64 = 0.05;
/// Directions with less than this part of all strain energy do not matter.
const LEAST: f64 = 0.01;

/// External wrenches.
pub(super) fn loads(all: &[LoadStory]) -> Option<Answer> {
    let first = all.first()?;
    let peaks = |load: &LoadStory| {
        let parts = [(load.moment, "N m"), (load.force, "N")];
        let acting = parts.into_iter().filter(|(part, _)| part.peak > 0.0);
        acting.collect::<Vec<(LoadPeak, &str)>>()
    };
    let line = |load: &LoadStory| {
        let part = |(p, unit): &(LoadPeak, &str)| {
            format!("{} at {} (RMS {})", of(p.peak, unit), when(p.time), of(p.rms, unit))
        };
        let parts: Vec<String> = peaks(load).iter().map(part).collect();
        format!(
            "{}, node {}: {}",
            load.body,
            load.node,
            if parts.is_empty() { "none".into() } else { parts.join(", ") }
        )
    };
    let heads: Vec<String> = peaks(first).iter().map(|(p, unit)| of(p.peak, unit)).collect();
    let headline = if heads.is_empty() { "None".to_owned() } else { format!("Peak {}", heads.join(" and ")) };
    let mut detail = all.iter().take(LISTED).map(line).collect::<Vec<_>>().join("; ");
    if all.len() > LISTED {
        detail += &format!("; and {} more", all.len() - LISTED);
    }
    Some(Answer { topic: "External wrenches", headline, detail, tone: Tone::Plain })
}

/// Springs, couplings and bushings.
pub(super) fn springs(all: &[ElementStory]) -> Option<Answer> {
    let first = all.first()?;
    let both = |e: &ElementStory| format!("{}, {}", of(e.load, &e.load_unit), of(e.deflection, &e.deflection_unit));
    let line = |e: &ElementStory| format!("{}, {}: {} at {}", e.element, e.kind, both(e), when(e.time));
    let mut detail = all.iter().take(LISTED).map(line).collect::<Vec<_>>().join("; ");
    if all.len() > LISTED {
        detail += &format!("; and {} more", all.len() - LISTED);
    }
    Some(Answer { topic: "Springs", headline: format!("Peak {}", both(first)), detail, tone: Tone::Plain })
}

/// Whether the strain energy stays in the lower modes: a cheap measure of what truncation leaves out.
pub(super) fn modes(all: &[ModesStory]) -> Option<Answer> {
    let matter: Vec<&ModesStory> = all.iter().filter(|one| one.share >= LEAST).collect();
    if matter.is_empty() {
        return None;
    }
    let line = |one: &&ModesStory| {
        let ModesStory { body, direction, modes, highest, .. } = one;
        let count = if *modes == 1 { "one mode".to_owned() } else { format!("{modes} modes") };
        match highest {
            None => format!("{body}, {direction}: {count}, nothing to compare"),
            Some(part) => format!("{body}, {direction}: {} in the highest of {count}", percent(*part)),
        }
    };
    let compared = matter.iter().filter_map(|one| Some((one.highest?, *one)));
    let worst = compared.max_by(|a, b| a.0.total_cmp(&b.0));
    let single = matter.iter().filter(|one| one.highest.is_none()).copied();
    let listed = worst.map(|(_, one)| one).into_iter().chain(single).take(LISTED);
    let (headline, tone) = match worst.map(|(part, _)| part) {
        Some(part) if part > MUCH => {
            (format!("{} of the strain energy in the highest mode: try more", percent(part)), Tone::Fair)
        }
        Some(part) => (format!("At most {} of the strain energy in the highest mode", percent(part)), Tone::Plain),
        None => ("Not to be judged from one run".to_owned(), Tone::Plain),
    };
    let detail = listed.map(|one| line(&one)).collect::<Vec<_>>().join("; ");
    let advice = "`supple check` says how much one more mode changes the first frequencies";
    Some(Answer { topic: "Number of modes", headline, detail: format!("{detail}; {advice}"), tone })
}
