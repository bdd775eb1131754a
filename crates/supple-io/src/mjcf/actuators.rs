//! Actuators: motors of joints. What they are commanded by is for a scenario.

use std::collections::BTreeMap;

use super::attributes::{not_negative, range, some_numbers};
use super::defaults::{Defaults, Tag};
use super::document::Element;
use super::joint::{self, Joint};
use super::known::ACTUATORS;
use super::names::Names;
use super::settings::Settings;
use crate::robot::{MAX_SHOWN, Reading};
use crate::source::{Rule, shorten};

/// Gives joints the motors of a document.
pub(super) fn apply<'d>(
    root: &'d Element,
    (defaults, settings): (&'d Defaults<'d>, &Settings),
    joints: &mut [Joint],
    reading: &mut Reading<'_>,
) {
    let places: BTreeMap<String, usize> = joints.iter().enumerate().map(|(k, joint)| (joint.name.clone(), k)).collect();
    let mut names = Names::new("actuator", std::iter::empty());
    for element in root.all("actuator").flat_map(|list| &list.children) {
        if !ACTUATORS.contains(&element.tag.as_str()) {
            let rule =
                Rule::UnknownElement { element: element.tag.clone(), parent: "actuator".into(), known: ACTUATORS };
            reading.defect(element.span.clone(), "actuator", rule);
            continue;
        }
        let name = names.own(element, reading);
        let Some(tag) = defaults.tag(element, defaults.main(), reading) else { continue };
        let actuator = Actuator { tag, name, settings };
        let _ = actuator.apply(&places, joints, reading);
    }
}

struct Actuator<'a, 'd> {
    tag: Tag<'d>,
    name: String,
    settings: &'a Settings,
}

impl Actuator<'_, '_> {
    fn apply(&self, places: &BTreeMap<String, usize>, joints: &mut [Joint], reading: &mut Reading<'_>) -> Option<()> {
        let (tag, element) = (&self.tag, self.tag.element);
        let subject = if self.name.is_empty() { "actuator".to_owned() } else { format!("actuator '{}'", self.name) };
        let mut note = |what: String, expected: &str| {
            let rule = Rule::Mismatch { what, expected: expected.to_owned() };
            reading.note(element.span.clone(), &subject, rule);
        };
        let Some(told) = tag.get("joint").or(tag.get("jointinparent")) else {
            note("it does not act on a joint, and is left out".into(), "a motor of a joint, or a force of a scenario");
            return None;
        };
        let Some(joint) = places.get(&told.value).map(|k| &mut joints[*k]) else {
            let known = reading.report.names(places.keys().map(String::as_str));
            let rule = Rule::UnknownName { kind: "joint", name: shorten(&told.value, MAX_SHOWN), known };
            reading.error(told.span.clone(), &subject, rule);
            return None;
        };
        if !joint.is_scalar() {
            note(
                format!("it drives the joint '{}', which does not have exactly one axis", joint.name),
                "a hinge or slide joint",
            );
            return None;
        }
        if element.tag != "motor" {
            let what = format!(
                "the law of `<{}>` is not converted: it becomes a motor whose force the scenario defines",
                element.tag
            );
            note(what, "a controller in the scenario");
        }
        let [gear, ..] = some_numbers(tag, "gear", [1.0, 0.0, 0.0, 0.0, 0.0, 0.0], &subject, reading)?;
        let effort = self.effort(&subject, reading)?.map(|effort| effort * gear.abs());
        self.inertia_and_damping(gear, joint, &subject, reading)?;
        let own = joint.elements.motor.take();
        if own.as_ref().is_some_and(|motor| motor.name.is_some()) {
            let what = format!("the joint '{}' has another motor, which represents both", joint.name);
            let rule = Rule::Mismatch { what, expected: "one motor per joint".into() };
            reading.note(element.span.clone(), &subject, rule);
            joint.elements.motor = own;
            return Some(());
        }
        let limit = own.and_then(|motor| motor.effort_limit).unwrap_or(f64::INFINITY);
        let name = if self.name.is_empty() { joint.name.clone() } else { self.name.clone() };
        joint.elements.motor = Some(joint::motor(Some(name), limit.min(effort.unwrap_or(f64::INFINITY))));
        Some(())
    }

    /// The greatest force of the actuator: of its output, and for a plain motor of its command.
    fn effort(&self, subject: &str, reading: &mut Reading<'_>) -> Option<Option<f64>> {
        let auto = self.settings.auto_limits;
        let force = range(&self.tag, ("forcerange", "forcelimited"), auto, subject, reading)?;
        let command = match self.tag.element.tag.as_str() {
            "motor" => range(&self.tag, ("ctrlrange", "ctrllimited"), auto, subject, reading)?,
            _ => None,
        };
        let size = |[lower, upper]: [f64; 2]| lower.abs().max(upper.abs());
        if let Some([lower, upper]) = [force, command].into_iter().flatten().find(|[lower, upper]| *lower != -upper) {
            let what = format!("its range from {lower} to {upper} has no middle at 0; the limit holds both ways");
            let rule = Rule::Mismatch { what, expected: "a range from -a to a".into() };
            reading.note(self.tag.element.span.clone(), subject, rule);
        }
        Some([force, command].into_iter().flatten().map(size).reduce(f64::min))
    }

    /// What the actuator adds to its joint, as seen behind the gear.
    fn inertia_and_damping(
        &self,
        gear: f64,
        joint: &mut Joint,
        subject: &str,
        reading: &mut Reading<'_>,
    ) -> Option<()> {
        // Older versions have a gain of this name in `<damper>`.
        let armature = not_negative(&self.tag, "armature", 0.0, subject, reading)?;
        joint.rotor_inertia += gear * gear * armature;
        let [damping, square, cube] = some_numbers(&self.tag, "damping", [0.0; 3], subject, reading)?;
        if square != 0.0 || cube != 0.0 {
            super::attributes::cannot(&self.tag, "damping", "only the linear term is used", subject, reading);
        }
        if damping > 0.0 && self.settings.acts.dampers {
            match joint.elements.damping.first_mut() {
                Some(own) => *own += gear * gear * damping,
                None => joint.elements.damping = vec![gear * gear * damping],
            }
        }
        Some(())
    }
}
