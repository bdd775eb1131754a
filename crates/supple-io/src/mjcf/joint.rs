//! Joints of a body: what moves, and what acts in it.

use std::ops::Range;

use supple::HingeKind;

use super::attributes::{cannot, not_negative, number, numbers, range, some_numbers, word};
use super::bodies::{Body, Part};
use super::names::Names;
use super::omitted::left_out;
use super::pose::Pose;
use super::settings::Settings;
use crate::model_file::elements::{Friction, HingeTable, Motor, Spring, Stops};
use crate::model_file::geometry::turn;
use crate::robot::Reading;
use crate::source::Rule;

/// A joint, in the frame of the body that has it.
pub(super) struct Joint {
    pub(super) name: String,
    pub(super) body: usize,
    pub(super) span: Range<usize>,
    pub(super) axis_span: Range<usize>,
    pub(super) kind: HingeKind,
    /// The point about which it turns.
    pub(super) anchor: [f64; 3],
    /// Value of the joint as the model is drawn; coordinates count from there.
    pub(super) reference: f64,
    pub(super) rotor_inertia: f64,
    pub(super) elements: HingeTable,
}

impl Joint {
    /// Whether it has one coordinate.
    pub(super) fn is_scalar(&self) -> bool {
        self.kind.sizes() == (1, 1)
    }
}

/// Reads the joints of all bodies, those of a body in the order in which they move it.
pub(super) fn read(bodies: &[Body<'_>], settings: &Settings, reading: &mut Reading<'_>) -> Option<Vec<Joint>> {
    let before = reading.report.count();
    let mut names = Names::new("joint", std::iter::empty());
    let mut joints: Vec<Joint> = Vec::new();
    for (k, body) in bodies.iter().enumerate() {
        let mut anchor = [0.0; 3];
        for part in &body.joints {
            let name = names.own(part.tag.element, reading);
            let Some(joint) = joint(part, (k, name, anchor), settings, reading) else { continue };
            if joint.kind == HingeKind::Free && (body.parent != 0 || body.joints.len() > 1) {
                let what = format!("a free joint in {}", body.subject());
                let expected = "the only joint of a body that is directly in `<worldbody>`".into();
                reading.error(joint.span.clone(), &body.subject(), Rule::Mismatch { what, expected });
            }
            anchor = joint.anchor;
            joints.push(joint);
        }
    }
    let proposed = |joint: &Joint| match &bodies[joint.body] {
        body if body.joints.len() == 1 => body.name.clone(),
        body => format!("{}:joint", body.name),
    };
    names.give(joints.iter_mut().map(|joint| {
        let proposed = proposed(joint);
        (&mut joint.name, proposed)
    }));
    (reading.report.count() == before).then_some(joints)
}

/// A joint of a body with this index; one that slides is where the one before it is.
fn joint(
    part: &Part<'_>,
    (body, name, before): (usize, String, [f64; 3]),
    settings: &Settings,
    reading: &mut Reading<'_>,
) -> Option<Joint> {
    let Part { tag, frame } = part;
    let subject = if name.is_empty() { "joint".to_owned() } else { format!("joint '{name}'") };
    let span = tag.element.span.clone();
    let word = match tag.element.tag.as_str() {
        "freejoint" => "free",
        _ => word(tag, "type", (&["hinge", "slide", "ball", "free"], "hinge"), &subject, reading)?,
    };
    let axis = numbers(tag, "axis", [0.0, 0.0, 1.0], &subject, reading)?;
    let axis_span = tag.get("axis").map_or(span.clone(), |axis| axis.span.clone());
    let axis = turn(&frame.rotation, axis);
    let position = numbers(tag, "pos", [0.0; 3], &subject, reading)?;
    let (kind, anchor) = match word {
        "hinge" => (HingeKind::Revolute { axis }, frame.point(position)),
        "slide" => (HingeKind::Prismatic { axis }, before),
        "ball" => (HingeKind::Spherical, frame.point(position)),
        _ => (HingeKind::Free, Pose::IDENTITY.position),
    };
    let angle = |value: f64| if word == "hinge" { settings.angle(value) } else { value };
    let reference = angle(number(tag, "ref", 0.0, &subject, reading)?);
    let rotor_inertia = not_negative(tag, "armature", 0.0, &subject, reading)?;
    if word == "free" && rotor_inertia > 0.0 {
        cannot(tag, "armature", "a free body has no drive", &subject, reading);
    }
    let scalar = kind.sizes() == (1, 1);
    let mut joint = Joint {
        name,
        body,
        span,
        axis_span,
        kind,
        anchor,
        reference: if scalar { reference } else { 0.0 },
        rotor_inertia: if word == "free" { 0.0 } else { rotor_inertia },
        elements: HingeTable::default(),
    };
    let acts = Acting { part, settings, scalar, angle: &angle, subject: &subject };
    joint.elements = acts.elements(&joint, reading)?;
    if joint.reference != 0.0 {
        let what = format!("`ref` is {reference} (rad or m): coordinates count from where the joint is drawn");
        let expected = "0; the value of the joint in MuJoCo is the coordinate and `ref`".into();
        let span = tag.get("ref").map_or(joint.span.clone(), |told| told.span.clone());
        reading.note(span, &subject, Rule::Mismatch { what, expected });
    }
    Some(joint)
}

/// What is needed to read what acts in a joint.
struct Acting<'a, 'd> {
    part: &'a Part<'d>,
    settings: &'a Settings,
    scalar: bool,
    angle: &'a dyn Fn(f64) -> f64,
    subject: &'a str,
}

impl Acting<'_, '_> {
    fn elements(&self, joint: &Joint, reading: &mut Reading<'_>) -> Option<HingeTable> {
        let (tag, subject, acts) = (&self.part.tag, self.subject, self.settings.acts);
        let speeds = joint.kind.sizes().1;
        let mut elements = HingeTable::default();
        if tag.element.tag == "freejoint" {
            return Some(elements);
        }
        let [stiffness, square, cube] = some_numbers(tag, "stiffness", [0.0; 3], subject, reading)?;
        let rest = (self.angle)(number(tag, "springref", 0.0, subject, reading)?) - joint.reference;
        self.linear("stiffness", [stiffness, square, cube], reading)?;
        for name in ["springdamper", "springyield"] {
            if tag.get(name).is_some_and(|told| told.value.split_ascii_whitespace().any(|word| word != "0")) {
                cannot(tag, name, "springs are linear, and their stiffness is given", subject, reading);
            }
        }
        if stiffness > 0.0 && acts.springs {
            match self.scalar {
                true => elements.spring = Some(Spring { stiffness: vec![stiffness], rest: vec![rest] }),
                false => cannot(tag, "stiffness", "a ball or free joint has no spring", subject, reading),
            }
        }
        let [damping, square, cube] = some_numbers(tag, "damping", [0.0; 3], subject, reading)?;
        self.linear("damping", [damping, square, cube], reading)?;
        if damping > 0.0 && acts.dampers {
            elements.damping = vec![damping; speeds];
        }
        let friction = not_negative(tag, "frictionloss", 0.0, subject, reading)?;
        if friction > 0.0 && acts.friction {
            elements.friction = Some(Friction { level: vec![friction; speeds], transition_speed: None });
        }
        self.limits(&mut elements, joint, reading)?;
        Some(elements)
    }

    /// Coefficients of a law that must be linear and not negative.
    fn linear(&self, name: &str, [first, square, cube]: [f64; 3], reading: &mut Reading<'_>) -> Option<()> {
        if square != 0.0 || cube != 0.0 {
            cannot(&self.part.tag, name, "only the linear term is used", self.subject, reading);
        }
        if first >= 0.0 {
            return Some(());
        }
        let span = self.part.tag.get(name).map_or(0..0, |told| told.span.clone());
        let expected = "a number not below zero".into();
        reading.error(span, self.subject, Rule::Range { quantity: name.to_owned(), value: first, expected });
        None
    }

    fn limits(&self, elements: &mut HingeTable, joint: &Joint, reading: &mut Reading<'_>) -> Option<()> {
        let (tag, subject, auto) = (&self.part.tag, self.subject, self.settings.auto_limits);
        let limits = range(tag, ("range", "limited"), auto, subject, reading)?;
        match limits.filter(|_| self.settings.acts.limits) {
            Some(limits) if self.scalar => {
                let [lower, upper] = limits.map(|limit| (self.angle)(limit) - joint.reference);
                let (lower, upper) = (vec![lower], vec![upper]);
                elements.stops = Some(Stops { lower, upper, stiffness: None, damping: None });
            }
            Some(_) if joint.kind != HingeKind::Free => {
                let span = tag.get("range").map_or(joint.span.clone(), |told| told.name_span.clone());
                left_out(span, subject, "the limit of a ball joint is not converted".into(), reading);
            }
            _ => {}
        }
        let efforts = range(tag, ("actuatorfrcrange", "actuatorfrclimited"), auto, subject, reading)?;
        if let Some([lower, upper]) = efforts.filter(|_| self.scalar) {
            elements.motor = Some(motor(None, lower.abs().max(upper.abs())));
        }
        Some(())
    }
}

/// A motor without a gear; one whose force is not limited has an infinite limit.
pub(super) fn motor(name: Option<String>, effort: f64) -> Motor {
    let effort_limit = Some(effort).filter(|effort| effort.is_finite() && *effort > 0.0);
    Motor { name, gear_ratio: 1.0, rotor_inertia: 0.0, effort_limit, speed_limit: None }
}
