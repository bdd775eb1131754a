//! What is not converted, each once, with its line.

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
            let rule = Rule::Useless { key: format!("<{tag}>"), because: (*because).to_owned() };
            reading.note(section.span.clone(), "", rule);
        } else if tag == "deformable" {
            for part in section.all("flex") {
                cannot(&part, "", "flexes are not known; a side file makes bodies flexible", "deformable", reading);
            }
        } else {
            let (element, parent) = (shorten(tag, MAX_SHOWN), "mujoco".to_owned());
            reading.defect(section.span.clone(), "", Rule::UnknownElement { element, parent, known: KNOWN });
        }
    }
}

/// Notes once that geoms do not touch each other.
pub(super) fn contact(geom: &Element, reading: &mut Reading<'_>) {
    let because = "contact is not simulated: geoms pass through each other".into();
    reading.note(geom.span.clone(), "", Rule::Useless { key: "geom".into(), because });
}
