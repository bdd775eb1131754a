//! What links look like: `<visual>`, and the `<material>` it names.

use std::collections::HashMap;
use std::ops::Range;

use roxmltree::Node;

use super::element::tag_span;
use super::robot::origin;
use crate::robot::{Colour, Form, Look, Reading};
use crate::source::Rule;
use crate::visual::Shape;

const GEOMETRY: &[&str] = &["box", "cylinder", "sphere", "capsule", "mesh"];

/// Colours by the names of materials; none for those with a texture only.
pub(super) type Materials = HashMap<String, Option<Colour>>;

/// The materials that a robot defines, for all links or in one of them.
pub(super) fn materials(robot: Node<'_, '_>, reading: &mut Reading<'_>) -> Materials {
    let mut materials = Materials::new();
    let in_links = robot.children().filter(|child| child.has_tag_name("link")).flat_map(|link| link.children());
    let in_visuals = in_links.filter(|child| child.has_tag_name("visual")).flat_map(|visual| visual.children());
    for material in robot.children().chain(in_visuals).filter(|child| child.has_tag_name("material")) {
        let Some(name) = material.attribute("name").filter(|_| defines(material)) else { continue };
        let colour = reading.aside(|reading| colour(material, name, reading));
        materials.entry(name.to_owned()).or_insert(colour);
    }
    materials
}

/// Whether a material says what it is, not only its name.
fn defines(material: Node<'_, '_>) -> bool {
    material.children().any(|child| child.is_element())
}

fn colour(material: Node<'_, '_>, name: &str, reading: &mut Reading<'_>) -> Option<Colour> {
    let subject = format!("material '{name}'");
    reading.check_attributes(material, &subject, &["name"]);
    reading.check_elements(material, &subject, &["color", "texture"]);
    let color = reading.child(material, "color", &subject)?;
    reading.check_attributes(color, &subject, &["rgba"]);
    let told = reading.need(color, "rgba", &subject)?;
    let rgba: [f64; 4] = reading.numbers(told, "component", &subject)?;
    for value in rgba {
        if !(0.0..=1.0).contains(&value) {
            let rule = Rule::Range { quantity: "rgba".into(), value, expected: "a number from 0 to 1".into() };
            reading.error(told.range_value(), &subject, rule);
            return None;
        }
    }
    Some(rgba.map(|c| c as f32))
}

/// The shapes of a link. One that cannot be read is left out, and reported.
pub(super) fn looks(link: Node<'_, '_>, subject: &str, materials: &Materials, reading: &mut Reading<'_>) -> Vec<Look> {
    let visuals = link.children().filter(|child| child.has_tag_name("visual"));
    visuals.filter_map(|visual| reading.aside(|reading| look(visual, subject, materials, reading))).collect()
}

fn look(visual: Node<'_, '_>, subject: &str, materials: &Materials, reading: &mut Reading<'_>) -> Option<Look> {
    reading.check_attributes(visual, subject, &["name"]);
    reading.check_elements(visual, subject, &["origin", "geometry", "material"]);
    let placed = origin(visual, subject, reading);
    let form = form(visual, subject, reading);
    let colour = reading.child(visual, "material", subject).and_then(|material| {
        let name = material.attribute("name").unwrap_or_default();
        if name.is_empty() {
            return self::colour(material, name, reading);
        }
        let known = materials.get(name);
        if known.is_none() {
            let known = reading.names(materials.keys().map(String::as_str));
            let span = material.attribute_node("name").map_or(tag_span(material), |name| name.range_value());
            reading.error(span, subject, Rule::UnknownName { kind: "material", name: name.to_owned(), known });
        }
        known.copied().flatten()
    });
    let (position, rotation) = placed?;
    Some(Look { position, rotation, form: form?, colour })
}

fn form(visual: Node<'_, '_>, subject: &str, reading: &mut Reading<'_>) -> Option<Form> {
    let Some(geometry) = reading.child(visual, "geometry", subject) else {
        let because = "a `<visual>` has a shape";
        reading.error(tag_span(visual), subject, Rule::MissingElement { element: "geometry", because });
        return None;
    };
    reading.check_elements(geometry, subject, GEOMETRY);
    let Some(told) = geometry.children().find(|child| GEOMETRY.contains(&child.tag_name().name())) else {
        let because = "a `<geometry>` is a box, cylinder, sphere, capsule or mesh";
        reading.error(tag_span(geometry), subject, Rule::MissingElement { element: "box", because });
        return None;
    };
    let shape = match told.tag_name().name() {
        "box" => {
            reading.check_attributes(told, subject, &["size"]);
            let size = reading.need(told, "size", subject)?;
            let sides: [f64; 3] = reading.numbers(size, "axis", subject)?;
            for side in sides {
                positive("size", side, size.range_value(), subject, reading)?;
            }
            Shape::Box { sides }
        }
        "sphere" => {
            reading.check_attributes(told, subject, &["radius"]);
            Shape::Ellipsoid { radii: [length(told, "radius", subject, reading)?; 3] }
        }
        "mesh" => {
            reading.check_attributes(told, subject, &["filename", "scale"]);
            let file = reading.need(told, "filename", subject)?;
            let scale = reading.vector_or(told, "scale", [1.0; 3], subject)?;
            return Some(Form::Mesh { file: file.value().to_owned(), span: file.range_value(), scale });
        }
        kind => {
            reading.check_attributes(told, subject, &["radius", "length"]);
            let radius = length(told, "radius", subject, reading);
            let length = length(told, "length", subject, reading);
            let (radius, length) = (radius?, length?);
            if kind == "capsule" { Shape::Capsule { radius, length } } else { Shape::Cylinder { radius, length } }
        }
    };
    Some(Form::Shape(shape))
}

/// A length above zero.
fn length(node: Node<'_, '_>, name: &'static str, subject: &str, reading: &mut Reading<'_>) -> Option<f64> {
    let told = reading.need(node, name, subject)?;
    let value = reading.number(told, subject)?;
    positive(name, value, told.range_value(), subject, reading)
}

fn positive(name: &str, value: f64, span: Range<usize>, subject: &str, reading: &mut Reading<'_>) -> Option<f64> {
    if value > 0.0 {
        return Some(value);
    }
    let rule = Rule::Range { quantity: name.to_owned(), value, expected: "a number above zero".into() };
    reading.error(span, subject, rule);
    None
}
