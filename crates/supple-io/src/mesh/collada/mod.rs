//! COLLADA: triangles and polygons below the nodes of the scene.

mod geometry;
mod place;

use std::collections::HashMap;
use std::rc::Rc;

use geometry::Triangles;
use roxmltree::{Document, Node, NodeId, ParsingOptions};

use super::ColladaUp;
use super::affine::Affine;
use super::error::{Fault, MeshPlace};
use super::gathering::{Colour, Gathering};
use super::text::{number, numbers};
use crate::source::shorten;
use crate::urdf::scan;

/// Most nodes that are inside of each other.
const MAX_DEPTH: usize = 256;

pub(super) fn read(bytes: &[u8], up: ColladaUp, into: &mut Gathering) -> Result<(), Fault> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let remedy = "save the file as UTF-8";
        Fault::unread("it is not UTF-8", remedy).at_byte(error.valid_up_to())
    })?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    of_text(text, up, into).map_err(|fault| match fault.place {
        Some(MeshPlace::Byte(at)) => {
            let before = &text.as_bytes()[..at.min(text.len())];
            let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
            Fault { place: Some(MeshPlace::Line(line)), ..fault }
        }
        _ => fault,
    })
}

/// Reads a text; faults are at bytes of it.
fn of_text(text: &str, up: ColladaUp, into: &mut Gathering) -> Result<(), Fault> {
    scan::scan(text).map_err(|(span, rule)| Fault::new(rule.message().what).at_byte(span.start))?;
    let options = ParsingOptions { allow_dtd: false, nodes_limit: 20_000_000, ..ParsingOptions::default() };
    let document = Document::parse_with_options(text, options).map_err(|error| {
        let row = error.pos().row as usize;
        Fault::new(format!("invalid XML: {error}")).in_line(row)
    })?;
    let root = document.root_element();
    if root.tag_name().name() != "COLLADA" {
        let what = format!("the element `{}` instead of `COLLADA`", shorten(root.tag_name().name(), 40));
        return Err(here(root)(Fault::new(what)));
    }
    into.place(&asset(root, up)?);
    let ids = document.descendants().filter_map(|node| Some((node.attribute("id")?, node))).collect();
    let (places, colours, geometries) = Default::default();
    Scene { ids, places, colours, geometries, path: Vec::new() }.read(root, into)
}

/// The child of a name, whatever its namespace is.
fn child<'a, 'i>(node: Node<'a, 'i>, name: &str) -> Option<Node<'a, 'i>> {
    children(node, name).next()
}

/// The children of a name.
fn children<'a, 'i>(node: Node<'a, 'i>, name: &str) -> impl Iterator<Item = Node<'a, 'i>> {
    node.children().filter(move |child| child.tag_name().name() == name)
}

/// The descendant at a path of names.
fn at<'a, 'i>(node: Node<'a, 'i>, path: &[&str]) -> Option<Node<'a, 'i>> {
    path.iter().try_fold(node, |node, name| child(node, name))
}

/// The text of an element, also where remarks cut it.
fn text(node: Node<'_, '_>) -> String {
    node.children().filter(Node::is_text).filter_map(|part| part.text()).collect()
}

/// The fault at the byte of an element; its line is counted in the end.
fn here(node: Node<'_, '_>) -> impl Fn(Fault) -> Fault {
    move |fault| fault.at_byte(node.range().start)
}

/// Unit and axis that points up.
fn asset(root: Node<'_, '_>, up: ColladaUp) -> Result<Affine, Fault> {
    let meter = at(root, &["asset", "unit"]).and_then(|unit| unit.attribute_node("meter").map(|meter| (unit, meter)));
    let unit = match meter {
        None => 1.0,
        Some((node, meter)) => {
            let unit = number(meter.value().trim()).map_err(here(node))?;
            if unit <= 0.0 {
                return Err(here(node)(Fault::new(format!("a unit of {unit} m"))));
            }
            unit
        }
    };
    let declared = at(root, &["asset", "up_axis"]).map(text);
    let turned = match (up, declared.as_deref().map(str::trim)) {
        (ColladaUp::Z, _) | (_, Some("Z_UP")) => Affine::IDENTITY,
        (_, Some("X_UP")) => Affine::X_UP,
        _ => Affine::Y_UP,
    };
    Ok(turned.after(&Affine::scale([unit; 3])))
}

/// Colours by the symbols of materials.
type Colours<'a> = HashMap<&'a str, Colour>;

/// The nodes of a scene, with what they name. Whatever is named often is read once.
struct Scene<'a, 'i> {
    ids: HashMap<&'a str, Node<'a, 'i>>,
    places: HashMap<NodeId, Affine>,
    /// Those of each instance of a geometry.
    colours: HashMap<NodeId, Rc<Colours<'a>>>,
    geometries: HashMap<NodeId, Rc<Vec<Triangles>>>,
    /// The nodes that the present one is in.
    path: Vec<NodeId>,
}

impl<'a, 'i> Scene<'a, 'i> {
    fn read(mut self, root: Node<'a, 'i>, into: &mut Gathering) -> Result<(), Fault> {
        let named = at(root, &["scene", "instance_visual_scene"]).map(|instance| self.named(instance, "url"));
        let scene = named.transpose()?.or_else(|| at(root, &["library_visual_scenes", "visual_scene"]));
        if let Some(scene) = scene {
            return children(scene, "node").try_for_each(|node| self.node(node, &Affine::IDENTITY, into));
        }
        // Without a scene, the geometries are where they are.
        for library in children(root, "library_geometries") {
            for geometry in children(library, "geometry") {
                self.geometry(geometry, &HashMap::new(), &Affine::IDENTITY, into)?;
            }
        }
        Ok(())
    }

    /// The element that an attribute names by `#ID`.
    fn named(&self, node: Node<'a, 'i>, attribute: &str) -> Result<Node<'a, 'i>, Fault> {
        let told = node.attribute(attribute).unwrap_or_default();
        let found = told.strip_prefix('#').and_then(|id| self.ids.get(id)).copied();
        found.ok_or_else(|| {
            let remedy = "keep all parts of the mesh in one file";
            here(node)(Fault::unread(
                format!("`{attribute}` is `{}`, which is not in this file", shorten(told, 60)),
                remedy,
            ))
        })
    }

    fn node(&mut self, node: Node<'a, 'i>, outer: &Affine, into: &mut Gathering) -> Result<(), Fault> {
        if self.path.contains(&node.id()) || self.path.len() >= MAX_DEPTH {
            return Err(here(node)(Fault::new("nodes that carry each other in a circle, or are nested too deep")));
        }
        self.path.push(node.id());
        let own = match self.places.get(&node.id()) {
            Some(own) => *own,
            None => *self.places.entry(node.id()).or_insert(place::of_node(node)?),
        };
        let place = outer.after(&own);
        for part in node.children() {
            into.count_part().map_err(here(node))?;
            match part.tag_name().name() {
                "node" => self.node(part, &place, into)?,
                "instance_node" => self.node(self.named(part, "url")?, &place, into)?,
                "instance_geometry" => {
                    let colours = match self.colours.get(&part.id()) {
                        Some(colours) => colours.clone(),
                        None => {
                            let colours = Rc::new(self.colours_of(part)?);
                            self.colours.entry(part.id()).or_insert(colours).clone()
                        }
                    };
                    self.geometry(self.named(part, "url")?, &colours, &place, into)?;
                }
                _ => {}
            }
        }
        self.path.pop();
        Ok(())
    }

    fn geometry(
        &mut self,
        geometry: Node<'a, 'i>,
        colours: &Colours<'_>,
        place: &Affine,
        into: &mut Gathering,
    ) -> Result<(), Fault> {
        let parts = match self.geometries.get(&geometry.id()) {
            Some(parts) => parts.clone(),
            None => {
                let parts = Rc::new(geometry::parts(geometry, &self.ids)?);
                self.geometries.insert(geometry.id(), parts.clone());
                parts
            }
        };
        for triangles in parts.iter() {
            into.count_part().map_err(here(geometry))?;
            let colour = triangles.material.as_deref().and_then(|symbol| colours.get(symbol)).copied();
            let mut part = into.part(place);
            for corners in &triangles.corners {
                let vertex = |i: usize| (triangles.positions[i], colour);
                part.indexed(*corners, triangles.positions.len(), vertex)
                    .map_err(|fault| fault.at_byte(triangles.start))?;
            }
        }
        Ok(())
    }

    /// Colours by the symbols that the triangles of an instance name. A material without a plain colour has none.
    fn colours_of(&self, instance: Node<'a, 'i>) -> Result<Colours<'a>, Fault> {
        let mut colours = HashMap::new();
        let bound = at(instance, &["bind_material", "technique_common"]);
        for bound in bound.into_iter().flat_map(|bound| children(bound, "instance_material")) {
            let Some(symbol) = bound.attribute("symbol") else { continue };
            let material = self.named(bound, "target")?;
            let Some(effect) = child(material, "instance_effect") else { continue };
            let technique = at(self.named(effect, "url")?, &["profile_COMMON", "technique"]);
            let shading = technique.and_then(|technique| {
                technique
                    .children()
                    .find(|kind| matches!(kind.tag_name().name(), "phong" | "lambert" | "blinn" | "constant"))
            });
            let colour = |key: &str| shading.and_then(|shading| at(shading, &[key, "color"]));
            if let Some(told) = colour("diffuse").or_else(|| colour("emission")) {
                let rgba: [f64; 4] = numbers(&text(told)).map_err(here(told))?;
                colours.insert(symbol, rgba.map(|c| c as f32));
            }
        }
        Ok(colours)
    }
}
