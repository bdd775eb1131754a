//! What a URDF says, element by element.

use std::ops::Range;

use roxmltree::{Document, Node, ParsingOptions};
use supple::HingeKind;

use super::element::tag_span;
use super::scan;
use super::visual::{self, Materials};
use crate::model_file::elements::{Friction, HingeTable, Motor, Stops};
use crate::model_file::geometry::{inertia_at_origin, rotation_of_rpy, turn_inertia};
use crate::model_file::shapes::MAX_BODIES;
use crate::robot::{Joint, Link, Mimic, Reading, RobotText};
use crate::source::Rule;

/// Elements of a robot; those after the first two are other programs' business.
const ROBOT: &[&str] =
    &["link", "joint", "material", "gazebo", "transmission", "sensor", "ros2_control", "mujoco", "drake"];
/// Elements of a link; those after the second are contact and other programs' business.
const LINK: &[&str] =
    &["inertial", "visual", "collision", "contact", "surface", "self_filter", "collision_checking", "gazebo"];
const JOINT: &[&str] =
    &["origin", "parent", "child", "axis", "limit", "dynamics", "mimic", "calibration", "safety_controller", "gazebo"];
const JOINT_TYPES: &[&str] = &["fixed", "revolute", "continuous", "prismatic", "planar", "floating"];

/// Reads the text. What is wrong with an element does not stop the others from being read.
pub(crate) fn read(reading: &mut Reading<'_>) -> Option<RobotText> {
    let source = reading.source;
    if let Err((span, rule)) = scan::scan(&source.text) {
        reading.error(span, "", rule);
        return None;
    }
    let options = ParsingOptions { allow_dtd: false, nodes_limit: 20_000_000, ..ParsingOptions::default() };
    let document = match Document::parse_with_options(&source.text, options) {
        Ok(document) => document,
        Err(error) => {
            let at = error.pos();
            let start = scan::offset(&source.text, at.row as usize, at.col as usize);
            reading.error(start..start + 1, "", Rule::Syntax { language: "XML", message: error.to_string() });
            return None;
        }
    };
    let robot = document.root_element();
    if !robot.has_tag_name("robot") {
        let element = robot.tag_name().name().to_owned();
        let rule = Rule::UnknownElement { element, parent: "document".into(), known: &["robot", "mujoco"] };
        reading.error(tag_span(robot), "", rule);
        return None;
    }
    reading.check_attributes(robot, "robot", &["name", "version"]);
    reading.check_elements(robot, "robot", ROBOT);
    let name = robot.attribute("name").unwrap_or_default().to_owned();
    if name.is_empty() {
        let rule = Rule::MissingAttribute { attribute: "name", element: "robot".into() };
        reading.defect(tag_span(robot), "robot", rule);
    }
    let all = |tag: &'static str| robot.children().filter(move |child| child.has_tag_name(tag));
    let found = all("link").count();
    if found > MAX_BODIES {
        let rule = Rule::TooMany { what: "links", found, limit: MAX_BODIES };
        reading.error(tag_span(robot), "robot", rule);
        return None;
    }
    let materials = visual::materials(robot, reading);
    let links: Vec<Option<Link>> = all("link").map(|node| link(node, &materials, reading)).collect();
    let joints: Vec<Option<Joint>> = all("joint").map(|node| joint(node, reading)).collect();
    if links.is_empty() {
        let because = "a robot has at least one link";
        reading.error(tag_span(robot), "robot", Rule::MissingElement { element: "link", because });
        return None;
    }
    let links: Option<Vec<Link>> = links.into_iter().collect();
    let joints: Option<Vec<Joint>> = joints.into_iter().collect();
    Some(RobotText { name, links: links?, joints: joints?, ..RobotText::default() })
}

/// The name of a link or joint.
fn name_of(node: Node<'_, '_>, kind: &'static str, reading: &mut Reading<'_>) -> Option<String> {
    let name = reading.need(node, "name", kind)?;
    if name.value().is_empty() {
        reading.error(name.range_value(), kind, Rule::EmptyName { kind });
        return None;
    }
    Some(name.value().to_owned())
}

/// An `<origin>`: position and rotation.
pub(super) fn origin(
    node: Node<'_, '_>,
    subject: &str,
    reading: &mut Reading<'_>,
) -> Option<([f64; 3], [[f64; 3]; 3])> {
    let Some(origin) = reading.child(node, "origin", subject) else {
        return Some(([0.0; 3], crate::model_file::geometry::IDENTITY));
    };
    reading.check_attributes(origin, subject, &["xyz", "rpy"]);
    let position = reading.vector_or(origin, "xyz", [0.0; 3], subject);
    let rpy = reading.vector_or(origin, "rpy", [0.0; 3], subject);
    Some((position?, rotation_of_rpy(rpy?)))
}

fn link(node: Node<'_, '_>, materials: &Materials, reading: &mut Reading<'_>) -> Option<Link> {
    let name = name_of(node, "link", reading)?;
    let subject = format!("link '{name}'");
    reading.check_attributes(node, &subject, &["name", "type"]);
    reading.check_elements(node, &subject, LINK);
    let mut link = Link {
        name,
        span: tag_span(node),
        looks: visual::looks(node, &subject, materials, reading),
        ..Link::default()
    };
    let Some(inertial) = reading.child(node, "inertial", &subject) else { return Some(link) };
    reading.check_elements(inertial, &subject, &["origin", "mass", "inertia"]);
    let placed = origin(inertial, &subject, reading);
    let mass = needed(inertial, "mass", &subject, reading).and_then(|mass| {
        reading.check_attributes(mass, &subject, &["value"]);
        let value = reading.need_number(mass, "value", &subject)?;
        if value < 0.0 {
            let span = mass.attribute_node("value").map_or(tag_span(mass), |value| value.range_value());
            reading.error(span, &subject, Rule::Mass { mass: value });
            return None;
        }
        Some(value)
    });
    let told = needed(inertial, "inertia", &subject, reading).and_then(|told| inertia(told, &subject, reading));
    let ((centre, rotation), mass, told) = (placed?, mass?, told?);
    link.inertial_span = Some(tag_span(inertial));
    link.mass = mass;
    link.mass_centre = centre;
    link.inertia = inertia_at_origin(mass, centre, turn_inertia(&rotation, &told));
    link.has_inertial = true;
    Some(link)
}

/// A part of `<inertial>` that must be there.
fn needed<'a, 'i>(
    inertial: Node<'a, 'i>,
    element: &'static str,
    subject: &str,
    reading: &mut Reading<'_>,
) -> Option<Node<'a, 'i>> {
    let found = reading.child(inertial, element, subject);
    if found.is_none() {
        let because = "`<inertial>` has both mass and inertia";
        reading.error(tag_span(inertial), subject, Rule::MissingElement { element, because });
    }
    found
}

fn inertia(node: Node<'_, '_>, subject: &str, reading: &mut Reading<'_>) -> Option<[[f64; 3]; 3]> {
    reading.check_attributes(node, subject, &["ixx", "ixy", "ixz", "iyy", "iyz", "izz"]);
    let [xx, xy, xz, yy, yz, zz] =
        ["ixx", "ixy", "ixz", "iyy", "iyz", "izz"].map(|name| reading.need_number(node, name, subject));
    let (xy, xz, yz) = (xy?, xz?, yz?);
    Some([[xx?, xy, xz], [xy, yy?, yz], [xz, yz, zz?]])
}

fn joint(node: Node<'_, '_>, reading: &mut Reading<'_>) -> Option<Joint> {
    let name = name_of(node, "joint", reading)?;
    let subject = format!("joint '{name}'");
    reading.check_attributes(node, &subject, &["name", "type", "dont_collapse"]);
    reading.check_elements(node, &subject, JOINT);
    let placed = origin(node, &subject, reading);
    let parent = end(node, "parent", &subject, reading);
    let child = end(node, "child", &subject, reading);
    let kind = kind(node, &subject, reading);
    let elements = elements(node, &subject, reading);
    let mimic = mimic(node, &name, reading);
    let (position, rotation) = placed?;
    let axis_span = node.children().find(|child| child.has_tag_name("axis")).map_or(tag_span(node), tag_span);
    Some(Joint {
        name,
        span: tag_span(node),
        axis_span,
        parent: parent?,
        child: child?,
        kind: kind?,
        position,
        rotation,
        rotor_inertia: Vec::new(),
        elements: elements?,
        mimic: mimic?,
    })
}

/// The link at one end of a joint.
fn end(
    node: Node<'_, '_>,
    element: &'static str,
    subject: &str,
    reading: &mut Reading<'_>,
) -> Option<(String, Range<usize>)> {
    let Some(end) = reading.child(node, element, subject) else {
        let because = "a joint joins a parent link and a child link";
        reading.error(tag_span(node), subject, Rule::MissingElement { element, because });
        return None;
    };
    reading.check_attributes(end, subject, &["link"]);
    let link = reading.need(end, "link", subject)?;
    Some((link.value().to_owned(), link.range_value()))
}

fn kind(node: Node<'_, '_>, subject: &str, reading: &mut Reading<'_>) -> Option<HingeKind> {
    let told = reading.need(node, "type", subject)?;
    let word = told.value();
    if !JOINT_TYPES.contains(&word) {
        let rule = Rule::UnknownWord { word: crate::source::shorten(word, 40), known: JOINT_TYPES.to_vec() };
        reading.error(told.range_value(), subject, rule);
        return None;
    }
    let axis = match reading.child(node, "axis", subject) {
        Some(axis) => {
            reading.check_attributes(axis, subject, &["xyz"]);
            reading.vector_or(axis, "xyz", [1.0, 0.0, 0.0], subject)?
        }
        None => [1.0, 0.0, 0.0],
    };
    Some(match word {
        "revolute" | "continuous" => HingeKind::Revolute { axis },
        "prismatic" => HingeKind::Prismatic { axis },
        "planar" => HingeKind::Planar { normal: axis },
        "floating" => HingeKind::Free,
        _ => HingeKind::Fixed,
    })
}

/// Limits, damping and friction, as far as the joint moves.
fn elements(node: Node<'_, '_>, subject: &str, reading: &mut Reading<'_>) -> Option<HingeTable> {
    let word = node.attribute("type").unwrap_or_default();
    let mut elements = HingeTable::default();
    let limited = matches!(word, "revolute" | "prismatic");
    let moves = limited || word == "continuous";
    if matches!(word, "planar" | "floating") {
        for told in node.children().filter(|child| child.has_tag_name("limit") || child.has_tag_name("dynamics")) {
            let because = format!("a {word} joint has speeds of different units; use the side file");
            let rule = Rule::Useless { key: told.tag_name().name().to_owned(), because };
            reading.defect(tag_span(told), subject, rule);
        }
    }
    match reading.child(node, "limit", subject) {
        None if limited => {
            let because = "a revolute or prismatic joint has limits";
            reading.defect(tag_span(node), subject, Rule::MissingElement { element: "limit", because });
        }
        Some(limit) if moves => {
            reading.check_attributes(limit, subject, &["lower", "upper", "effort", "velocity"]);
            let lower = reading.number_or(limit, "lower", 0.0, subject);
            let upper = reading.number_or(limit, "upper", 0.0, subject);
            let effort = reading.not_negative_or(limit, "effort", 0.0, subject);
            let speed = reading.not_negative_or(limit, "velocity", 0.0, subject);
            let (lower, upper, effort, speed) = (lower?, upper?, effort?, speed?);
            for attribute in ["effort", "velocity"].into_iter().filter(|name| limit.attribute(*name).is_none()) {
                let element = "limit".to_owned();
                reading.defect(tag_span(limit), subject, Rule::MissingAttribute { attribute, element });
            }
            if limited && lower > upper {
                let what = format!("the lower limit {lower} is above the upper limit {upper}");
                let rule = Rule::Mismatch { what, expected: "lower ≤ upper".into() };
                reading.defect(tag_span(limit), subject, rule);
            } else if limited && lower == upper {
                // Exporters write such limits where there are none.
                let what = format!("the lower limit {lower} equals the upper limit");
                let rule = Rule::Mismatch { what, expected: "lower < upper; the joint has no stops".into() };
                reading.note(tag_span(limit), subject, rule);
            } else if limited {
                let (lower, upper) = (vec![lower], vec![upper]);
                elements.stops = Some(Stops { lower, upper, stiffness: None, damping: None });
            }
            if effort == 0.0 && limit.attribute("effort").is_some() {
                let rule = Rule::Mismatch {
                    what: "the effort limit is 0".into(),
                    expected: "a limit above zero; the joint has none".into(),
                };
                reading.note(tag_span(limit), subject, rule);
            }
            // Exporters write zero where there is no limit.
            let told = |name: &str, value: f64| limit.attribute(name).map(|_| value).filter(|value| *value > 0.0);
            let (effort_limit, speed_limit) = (told("effort", effort), told("velocity", speed));
            elements.motor = Some(Motor { name: None, gear_ratio: 1.0, rotor_inertia: 0.0, effort_limit, speed_limit });
        }
        _ => {}
    }
    if let Some(dynamics) = reading.child(node, "dynamics", subject) {
        reading.check_attributes(dynamics, subject, &["damping", "friction"]);
        let damping = reading.not_negative_or(dynamics, "damping", 0.0, subject);
        let friction = reading.not_negative_or(dynamics, "friction", 0.0, subject);
        let (damping, friction) = (damping?, friction?);
        if moves && damping > 0.0 {
            elements.damping = vec![damping];
        }
        if moves && friction > 0.0 {
            elements.friction = Some(Friction { level: vec![friction], transition_speed: None });
        }
    }
    Some(elements)
}

/// Nothing where it cannot be read; no mimic where there is none.
#[allow(clippy::option_option)] // Absent and unreadable are different.
fn mimic(node: Node<'_, '_>, name: &str, reading: &mut Reading<'_>) -> Option<Option<Mimic>> {
    let subject = format!("joint '{name}'");
    let Some(mimic) = reading.child(node, "mimic", &subject) else { return Some(None) };
    reading.check_attributes(mimic, &subject, &["joint", "multiplier", "offset"]);
    let leader = reading.need(mimic, "joint", &subject);
    let multiplier = reading.number_or(mimic, "multiplier", 1.0, &subject);
    let offset = reading.number_or(mimic, "offset", 0.0, &subject);
    Some(Some(Mimic {
        leader: leader?.value().to_owned(),
        multiplier: multiplier?,
        offset: offset?,
        span: tag_span(mimic),
    }))
}
