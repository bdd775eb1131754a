//! What bodies look like: `[[body.visual]]`.

use std::ops::Range;
use std::sync::Arc;

use supple::spatial::{Matrix3, Quaternion};

use super::geometry::{IDENTITY, rotation};
use super::modal::FlexibleParts;
use super::pieces;
use super::shapes::{NODE_REFERENCE, ROTATION};
use crate::document::shape::{
    NOT_NEGATIVE, NUMBER, POSITIVE, Shape as Value, TEXT, TableShape, VECTOR, key, need, table,
};
use crate::document::{Table, Value as Told};
use crate::mesh::{ColladaUp, Meshes};
use crate::source::folder::Folder;
use crate::source::{Report, Rule, Source};
use crate::visual::{Mesh, Shape, Visual};

static SIDES: Value = Value::List { of: &POSITIVE, length: Some((3, "axis")) };
static SCALE: Value = Value::Choice(&[&NUMBER, &VECTOR]);
static COLOUR: Value = Value::List { of: &NOT_NEGATIVE, length: None };
static CYLINDER: TableShape = table(
    "visual-cylinder",
    "Cylinder along z, its centre at the origin of the shape.",
    &[need("radius", &POSITIVE, "radius, m").unit("m"), need("length", &POSITIVE, "length, m").unit("m")],
);
static CAPSULE: TableShape = table(
    "visual-capsule",
    "Cylinder along z with half balls at its ends, its centre at the origin of the shape.",
    &[
        need("radius", &POSITIVE, "radius, m").unit("m"),
        need("length", &POSITIVE, "length of the cylinder alone, m").unit("m"),
    ],
);
static MESH: TableShape = table(
    "visual-mesh",
    "Triangles of a file.",
    &[
        need(
            "file",
            &TEXT,
            "STL, OBJ, COLLADA or glTF file, below a folder that `--meshes` names: a path from this file or from that folder, or package://NAME/PATH",
        ),
        key("scale", &SCALE, "m per unit of the file, for all axes or for each; default: 1"),
    ],
);
static VISUAL: TableShape = TableShape {
    one_of: &[&["box", "cylinder", "capsule", "ball", "ellipsoid", "mesh"]],
    ..table(
        "visual",
        "A shape of the body for drawing; it has no mass.",
        &[
            key("box", &SIDES, "lengths of the sides of a box, its centre at the origin of the shape, m").unit("m"),
            key("cylinder", &Value::Table(&CYLINDER), "cylinder along z"),
            key("capsule", &Value::Table(&CAPSULE), "cylinder along z with half balls at its ends"),
            key("ball", &POSITIVE, "radius of a ball, m").unit("m"),
            key("ellipsoid", &SIDES, "half axes of an ellipsoid, m").unit("m"),
            key("mesh", &Value::Table(&MESH), "triangles of a file"),
            key("position", &VECTOR, "origin of the shape in the body frame, or from its node, m; default: zero")
                .unit("m"),
            key("rotation", &ROTATION, "axes of the shape in the body frame"),
            key("node", &NODE_REFERENCE, "node that it moves with, by name or index; default: the body frame"),
            key(
                "colour",
                &COLOUR,
                "red, green, blue, each from 0 to 1, and opacity, default: 1; default: that of the mesh, or of the page",
            ),
        ],
    )
};
pub(super) static VISUALS: Value = Value::List { of: &Value::Table(&VISUAL), length: None };

/// Reads the shapes of bodies.
pub(super) struct Looks<'r> {
    source: &'r Source,
    report: &'r mut Report,
    meshes: Meshes,
    /// The first mesh that was not read because there was no folder.
    unread: Option<Range<usize>>,
}

impl<'r> Looks<'r> {
    pub(super) fn new(source: &'r Source, folder: &Folder, report: &'r mut Report) -> Self {
        Self { source, report, meshes: folder.meshes(ColladaUp::Declared), unread: None }
    }

    /// Notes which meshes are not read.
    pub(super) fn note(self) {
        if let (Some(span), Some((what, expected))) = (self.unread, self.meshes.unread()) {
            self.report.doubt(self.source, span, what, expected);
        }
    }

    /// The shapes of a body, whose last piece is `last` in the system. What cannot be read is reported.
    pub(super) fn read(&mut self, body: Table<'_>, parts: &FlexibleParts, last: usize) -> Vec<Visual> {
        body.tables("visual").into_iter().filter_map(|told| self.one(told, parts, last)).collect()
    }

    fn one(&mut self, told: Table<'_>, parts: &FlexibleParts, last: usize) -> Option<Visual> {
        let turned = match told.table("rotation") {
            Some(told) => rotation(told, self.source, self.report),
            None => Some(IDENTITY),
        };
        let colour = match told.get("colour") {
            Some(value) => self.colour(value).map(Some),
            None => Some(None),
        };
        let mut position = told.get("position").map_or(Some([0.0; 3]), Told::array)?;
        let mut body = last - parts.before.len();
        let mut node = None;
        if let Some(reference) = told.get("node") {
            let place = pieces::find(reference, parts, self.source, self.report)?;
            let pieces: Vec<&FlexibleParts> = parts.before.iter().chain([parts]).collect();
            let piece = pieces[pieces.len() - 1 - place.before];
            let at = piece.nodes.get(place.node.0)?.position;
            position = std::array::from_fn(|i| at[i] + position[i]);
            (body, node) = (last - place.before, Some(place.node.0));
        }
        let colour = colour?;
        let shape = self.shape(told, colour.is_some())?;
        let attitude = Quaternion::from_matrix(&Matrix3(turned?)).0;
        Some(Visual { body, node, position, attitude, shape, colour })
    }

    fn shape(&mut self, told: Table<'_>, coloured: bool) -> Option<Shape> {
        let round = |table: Table<'_>| Some((table.number("radius")?, table.number("length")?));
        if let Some(sides) = told.vector("box") {
            return Some(Shape::Box { sides });
        }
        if let Some((radius, length)) = told.table("cylinder").and_then(round) {
            return Some(Shape::Cylinder { radius, length });
        }
        if let Some((radius, length)) = told.table("capsule").and_then(round) {
            return Some(Shape::Capsule { radius, length });
        }
        if let Some(radii) = told.number("ball").map(|radius| [radius; 3]).or_else(|| told.vector("ellipsoid")) {
            return Some(Shape::Ellipsoid { radii });
        }
        self.mesh(told.table("mesh")?, coloured)
    }

    fn mesh(&mut self, told: Table<'_>, coloured: bool) -> Option<Shape> {
        let scale = match told.get("scale") {
            Some(value) => value.number().map(|all| [all; 3]).or_else(|| value.array())?,
            None => [1.0; 3],
        };
        let file = told.get("file")?;
        match self.meshes.read(file.text()?, scale) {
            // A colour of the model file stands before those of the mesh.
            Ok(Some(mesh)) if coloured && !mesh.colours.is_empty() => {
                Some(Shape::Mesh(Arc::new(Mesh { colours: Vec::new(), ..(*mesh).clone() })))
            }
            Ok(mesh) => {
                if mesh.is_none() {
                    self.unread.get_or_insert(file.span());
                }
                mesh.map(Shape::Mesh)
            }
            Err(error) => {
                self.report.add(self.source, file.span(), Rule::Mesh(error));
                None
            }
        }
    }

    fn colour(&mut self, value: Told<'_>) -> Option<[f32; 4]> {
        let numbers = value.numbers()?;
        let [r, g, b, a] = match numbers[..] {
            [r, g, b] => [r, g, b, 1.0],
            [r, g, b, a] => [r, g, b, a],
            _ => {
                let what = format!("`colour` has {} entries", numbers.len());
                let expected = "red, green, blue, and opacity where it is not 1".into();
                self.report.add(self.source, value.span(), Rule::Mismatch { what, expected });
                return None;
            }
        };
        let colour = [r, g, b, a];
        if let Some(above) = colour.into_iter().find(|c| *c > 1.0) {
            let expected = "numbers from 0 to 1".into();
            self.report.add(
                self.source,
                value.span(),
                Rule::Range { quantity: "colour".into(), value: above, expected },
            );
            return None;
        }
        Some(colour.map(|c| c as f32))
    }
}
