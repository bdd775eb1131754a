//! Meshes of `<asset>`: from files below folders that the user names, or written in the file.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use super::attributes::{cannot, flag, numbers, word};
use super::defaults::{Defaults, Tag};
use super::document::{Attribute, Element};
use super::pose::{self, subtract, transpose};
use super::pyramids;
use super::settings::Settings;
use super::solid::Solid;
use crate::mesh::Meshes;
use crate::model_file::geometry::{IDENTITY, turn};
use crate::robot::{Form, MAX_SHOWN, Reading};
use crate::source::{Rule, shorten};
use crate::visual::{Mesh, Shape};

/// Most numbers of a mesh that is written in the file.
const MAX_NUMBERS: usize = 3_000_000;

/// A mesh as the file describes it.
pub(super) struct Asset<'d> {
    pub(super) tag: Tag<'d>,
    /// The file, below the folder of meshes.
    file: Option<(String, &'d Attribute)>,
    scale: [f64; 3],
    /// Its frame in the coordinates of the mesh.
    position: [f64; 3],
    rotation: [[f64; 3]; 3],
    /// Corners and triangles that are written in the file, in the frame of the mesh.
    written: Option<Arc<Triangles>>,
    inertia: &'static str,
}

/// Corners and triangles.
#[derive(Clone, Default)]
pub(super) struct Triangles {
    vertices: Vec<[f64; 3]>,
    triangles: Vec<[u32; 3]>,
}

/// Meshes by their names.
pub(super) type Assets<'d> = BTreeMap<String, Asset<'d>>;

/// Reads all meshes of a document. Files are opened when a geom uses them.
pub(super) fn read<'d>(
    root: &'d Element,
    (defaults, settings): (&'d Defaults<'d>, &Settings),
    reading: &mut Reading<'_>,
) -> Option<Assets<'d>> {
    let before = reading.report.count();
    let mut assets = Assets::new();
    for element in root.all("asset").flat_map(|asset| asset.all("mesh")) {
        let Some(tag) = defaults.tag(element, defaults.main(), reading) else { continue };
        let file = tag.get("file");
        let stem = file.and_then(|file| Path::new(&file.value).file_stem()).map(|stem| stem.to_string_lossy());
        let name = element.own("name").map_or(stem.unwrap_or_default().into_owned(), |name| name.value.clone());
        let Some(asset) = asset(tag, &name, settings, reading) else { continue };
        if let Some(first) = assets.get(&name) {
            let first_line = reading.source.place(first.tag.element.span.clone()).line;
            let rule = Rule::DuplicateName { kind: "mesh", name: shorten(&name, MAX_SHOWN), first_line };
            reading.error(element.span.clone(), "", rule);
        }
        assets.insert(name, asset);
    }
    (reading.report.count() == before).then_some(assets)
}

fn asset<'d>(tag: Tag<'d>, name: &str, settings: &Settings, reading: &mut Reading<'_>) -> Option<Asset<'d>> {
    let subject = format!("mesh '{}'", shorten(name, MAX_SHOWN));
    let scale = numbers(&tag, "scale", [1.0; 3], &subject, reading)?;
    let position = numbers(&tag, "refpos", [0.0; 3], &subject, reading)?;
    let quaternion = numbers(&tag, "refquat", [1.0, 0.0, 0.0, 0.0], &subject, reading)?;
    let rotation = pose::of_quaternion(quaternion);
    if rotation.is_none() {
        let span = tag.get("refquat").map_or(0..0, |told| told.span.clone());
        reading.error(span, &subject, Rule::NotUnit { norm: 0.0 });
    }
    let default = if settings.exact_meshes { "exact" } else { "legacy" };
    let inertia = word(&tag, "inertia", (&["convex", "exact", "legacy", "shell"], default), &subject, reading)?;
    let file = tag.get("file").map(|file| (file_name(&file.value, settings), file));
    let mut asset = Asset { tag, file, scale, position, rotation: rotation?, written: None, inertia };
    if asset.file.is_none() {
        asset.written = Some(Arc::new(asset.written_triangles(&subject, reading)?));
    }
    Some(asset)
}

/// The name of a file, below the folder of meshes.
fn file_name(file: &str, settings: &Settings) -> String {
    let bare = if settings.strips_paths { file.rsplit(['/', '\\']).next().unwrap_or(file) } else { file };
    if Path::new(bare).has_root() { bare.to_owned() } else { format!("{}{bare}", settings.mesh_folder) }
}

impl Asset<'_> {
    fn written_triangles(&self, subject: &str, reading: &mut Reading<'_>) -> Option<Triangles> {
        let tag = &self.tag;
        if tag.get("builtin").is_some() {
            cannot(tag, "builtin", "meshes that MuJoCo generates are not supported", subject, reading);
            return Some(Triangles::default());
        }
        let (Some(vertex), Some(face)) = (tag.get("vertex"), tag.get("face")) else {
            let attribute = if tag.get("vertex").is_none() { "file" } else { "face" };
            let element = "mesh".to_owned();
            reading.defect(tag.element.span.clone(), subject, Rule::MissingAttribute { attribute, element });
            return Some(Triangles::default());
        };
        let vertices = triples(&reading.all_numbers(vertex, MAX_NUMBERS, subject)?);
        let faces = triples(&reading.all_numbers(face, MAX_NUMBERS, subject)?);
        let (Some(vertices), Some(faces)) = (vertices, faces) else {
            let what = "the numbers of `vertex` or `face` are no groups of three".to_owned();
            let rule =
                Rule::Mismatch { what, expected: "three coordinates per vertex, three vertices per face".into() };
            reading.error(vertex.span.clone(), subject, rule);
            return None;
        };
        let count = vertices.len() as f64;
        if let Some(bad) = faces.iter().flatten().find(|index| !(0.0..count).contains(*index) || index.fract() != 0.0) {
            let expected = format!("an integer from 0 to {}", count - 1.0);
            let rule = Rule::Range { quantity: "face".into(), value: *bad, expected };
            reading.error(face.span.clone(), subject, rule);
            return None;
        }
        let vertices = vertices.into_iter().map(|vertex| self.placed(vertex)).collect();
        let mut triangles: Vec<[u32; 3]> = faces.iter().map(|face| face.map(|index| index as u32)).collect();
        self.keep_outside(&mut triangles);
        Some(Triangles { vertices, triangles })
    }

    /// A corner of the file in the frame of the mesh: moved, turned, scaled.
    fn placed(&self, vertex: [f64; 3]) -> [f64; 3] {
        let turned = turn(&transpose(&self.rotation), subtract(vertex, self.position));
        std::array::from_fn(|i| self.scale[i] * turned[i])
    }

    /// A mirror turns a mesh inside out.
    fn keep_outside(&self, triangles: &mut [[u32; 3]]) {
        if self.scale.iter().product::<f64>() < 0.0 {
            triangles.iter_mut().for_each(|triangle| triangle.swap(1, 2));
        }
    }

    fn is_only_scaled(&self) -> bool {
        self.position == [0.0; 3] && self.rotation == IDENTITY
    }

    /// What it looks like.
    pub(super) fn form(&self, meshes: &mut Meshes, reading: &mut Reading<'_>) -> Option<Form> {
        let Some((file, told)) = &self.file else {
            let mesh = self.written.as_ref().filter(|written| !written.triangles.is_empty())?;
            let vertices = mesh.vertices.iter().map(|vertex| vertex.map(|x| x as f32)).collect();
            let file = self.tag.text("name").unwrap_or_default().to_owned();
            let mesh = Mesh { file, vertices, triangles: mesh.triangles.clone(), colours: Vec::new() };
            return Some(Form::Shape(Shape::Mesh(Arc::new(mesh))));
        };
        let plain = Form::Mesh { file: file.clone(), span: told.span.clone(), scale: self.scale };
        if self.is_only_scaled() {
            return Some(plain);
        }
        match meshes.read(file, [1.0; 3]) {
            Ok(Some(mesh)) => {
                let place = |v: &[f32; 3]| self.placed(v.map(f64::from)).map(|x| x as f32);
                let vertices = mesh.vertices.iter().map(place).collect();
                let mut triangles = mesh.triangles.clone();
                self.keep_outside(&mut triangles);
                Some(Form::Shape(Shape::Mesh(Arc::new(Mesh { vertices, triangles, ..(*mesh).clone() }))))
            }
            Ok(None) => Some(plain),
            Err(error) => {
                reading.defect(told.span.clone(), "", Rule::Mesh(error));
                None
            }
        }
    }

    /// What it encloses, with density 1. Where that is not known, the reason is reported at the geom that needs it.
    pub(super) fn solid(&self, geom: &Element, meshes: &mut Meshes, reading: &mut Reading<'_>) -> Option<Solid> {
        let remedy = "an `<inertial>` in the body, or `mass=\"0\"` for the geom";
        let mut refuse = |what: &str, remedy: &str| {
            let rule = Rule::Mismatch { what: what.to_owned(), expected: remedy.to_owned() };
            reading.error(geom.span.clone(), "geom", rule);
        };
        let read = match (&self.written, &self.file) {
            (Some(written), _) => written.clone(),
            (None, Some((file, told))) => match meshes.read(file, [1.0; 3]) {
                Ok(Some(mesh)) => {
                    let vertices = mesh.vertices.iter().map(|v| self.placed(v.map(f64::from))).collect();
                    let mut triangles = mesh.triangles.clone();
                    self.keep_outside(&mut triangles);
                    Arc::new(Triangles { vertices, triangles })
                }
                Ok(None) => {
                    let what = format!("the mass of the body needs the mesh `{}`, which is not read", file);
                    refuse(
                        &what,
                        "the folder below which it lies, by `--meshes FOLDER`, or an `<inertial>` in the body",
                    );
                    return None;
                }
                Err(error) => {
                    reading.error(told.span.clone(), "geom", Rule::Mesh(error));
                    return None;
                }
            },
            (None, None) => return None,
        };
        let Triangles { vertices, triangles } = &*read;
        let found = match self.inertia {
            "exact" => pyramids::exact(vertices, triangles),
            "convex" if pyramids::is_convex(vertices, triangles) => pyramids::exact(vertices, triangles),
            "legacy" => pyramids::solid(vertices, triangles),
            _ => None,
        };
        if found.is_none() {
            let what = match self.inertia {
                "exact" => "the mesh is not closed, or its triangles face inward: it encloses no volume",
                "convex" => "the mesh is not convex, and convex hulls are not computed",
                "shell" => "the mass of shells is not computed",
                _ => "parts of the mesh are hidden from its middle: the mass that MuJoCo gives it counts them twice",
            };
            refuse(what, remedy);
        }
        found
    }
}

/// Whether a flag of a geom asks for the inertia of a shell.
pub(super) fn is_shell(tag: &Tag<'_>, subject: &str, reading: &mut Reading<'_>) -> Option<bool> {
    flag(tag, "shellinertia", false, subject, reading)
}

fn triples(numbers: &[f64]) -> Option<Vec<[f64; 3]>> {
    let whole = !numbers.is_empty() && numbers.len().is_multiple_of(3);
    whole.then(|| numbers.chunks_exact(3).map(|three| [three[0], three[1], three[2]]).collect())
}
