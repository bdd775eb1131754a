//! What is not converted, each once, with its line.

use std::ops::Range;

use super::attributes::cannot;
use super::document::Element;
use crate::robot::{MAX_SHOWN, Reading};
use crate::source::{Rule, shorten};

/// Sections that are read.
const READ: &[&str] = &["compiler", "option", "default", "asset", "worldbody", "equality", "tendon", "actuator"];
/// Sections that say nothing about the motion.
const SILENT: &[&str] = &["size", "statistic", "visual", "custom"];
/// Sections that are left out, and what stands for them.
const NOTED: &[(&str, &str)] = &[
    ("contact", "contact is not simulated"),
    ("sensor", "a scenario says which quantities are recorded"),
    ("keyframe", "a scenario says where it starts"),
    ("extension", "plugins are not run"),
];
const KNOWN: &[&str] = &[
    "compiler",
    "option",
    "default",
    "asset",
    "worldbody",
    "equality",
    "tendon",
    "actuator",
    "size",
    "statistic",
    "visual",
    "custom",
    "contact",
    "sensor",
    "keyframe",
    "extension",
    "deformable",
];

/// Notes sections of a document that are left out.
pub(super) fn note(root: &Element, reading: &mut Reading<'_>) {
    for section in &root.children {
        let tag = section.tag.as_str();
        if READ.contains(&tag) || SILENT.contains(&tag) {
            continue;
        }
        if let Some((_, because)) = NOTED.iter().find(|(noted, _)| *noted == tag) {
            left_out(section.span.clone(), "", format!("`<{tag}>` is left out: {because}"), reading);
        } else if tag == "deformable" {
            for part in section.all("flex") {
                cannot(&part, "", "flexes are not supported; a side file makes bodies flexible", "deformable", reading);
            }
        } else {
            let (element, parent) = (shorten(tag, MAX_SHOWN), "mujoco".to_owned());
            reading.defect(section.span.clone(), "", Rule::UnknownElement { element, parent, known: KNOWN });
        }
    }
}

/// Notes once that geoms do not touch each other.
pub(super) fn contact(geom: &Element, reading: &mut Reading<'_>) {
    left_out(geom.span.clone(), "", "contact is not simulated: geoms pass through each other".into(), reading);
}

/// Notes something that is not converted and does not change the motion, or does so as the note says.
pub(super) fn left_out(span: Range<usize>, subject: &str, what: String, reading: &mut Reading<'_>) {
    reading.note(span, subject, Rule::Mismatch { what, expected: String::new() });
}
