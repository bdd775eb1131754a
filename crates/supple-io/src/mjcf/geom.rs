//! Geoms: what bodies look like, and the mass they have where no `<inertial>` says it.

use std::collections::BTreeMap;

use super::attributes::{cannot, not_negative, number, word};
use super::bodies::{Body, Part};
use super::defaults::{Defaults, Tag};
use super::document::{Attribute, Element};
use super::mesh::{self, Asset, Assets};
use super::pose::{self, Pose, add, subtract};
use super::settings::Settings;
use super::solid::{self, Solid};
use crate::mesh::Meshes;
use crate::robot::{Colour, Form, Look, MAX_SHOWN, Reading};
use crate::source::{Rule, shorten};
use crate::visual::Shape;

const TYPES: &[&str] = &["plane", "hfield", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh", "sdf"];
/// Density of a geom that says none, kg/m³.
const DENSITY: f64 = 1000.0;
/// The last group that MuJoCo draws unless asked for more.
const LAST_SHOWN: f64 = 2.0;

/// What geoms refer to.
pub(super) struct Geoms<'g, 'd> {
    pub(super) settings: &'g Settings,
    pub(super) assets: &'g Assets<'d>,
    pub(super) materials: &'g BTreeMap<String, Option<Colour>>,
}

/// A geom in the frame of its body.
pub(super) struct Geom<'d> {
    pub(super) tag: Tag<'d>,
    pose: Pose,
    kind: Kind<'d>,
    group: f64,
    /// Whether it can touch others.
    pub(super) touches: bool,
    colour: Option<Colour>,
}

enum Kind<'d> {
    Shape(Shape),
    Mesh(&'d str),
    /// Without volume, and not drawn: a plane or a field of heights.
    Ground,
    /// Something that is not read, as reported.
    Unread,
}

/// Colours of the materials of a document.
pub(super) fn materials<'d>(
    root: &'d Element,
    defaults: &'d Defaults<'d>,
    reading: &mut Reading<'_>,
) -> BTreeMap<String, Option<Colour>> {
    let mut materials = BTreeMap::new();
    for element in root.all("asset").flat_map(|asset| asset.all("material")) {
        let Some(name) = element.own("name") else { continue };
        let colour = reading.aside(|reading| {
            let tag = defaults.tag(element, defaults.main(), reading)?;
            colour(&tag, &format!("material '{}'", shorten(&name.value, MAX_SHOWN)), reading)
        });
        materials.insert(name.value.clone(), colour);
    }
    materials
}

fn colour(tag: &Tag<'_>, subject: &str, reading: &mut Reading<'_>) -> Option<Colour> {
    let told = tag.get("rgba")?;
    let rgba: [f64; 4] = reading.numbers(told, "component", subject)?;
    if let Some(value) = rgba.into_iter().find(|value| !(0.0..=1.0).contains(value)) {
        let rule = Rule::Range { quantity: "rgba".into(), value, expected: "a number from 0 to 1".into() };
        reading.error(told.span.clone(), subject, rule);
        return None;
    }
    Some(rgba.map(|c| c as f32))
}

impl<'d> Geoms<'_, 'd> {
    /// A geom of a body.
    pub(super) fn read(&self, part: &Part<'d>, body: &Body<'d>, reading: &mut Reading<'_>) -> Option<Geom<'d>> {
        let tag = part.tag;
        let subject = match tag.element.own("name") {
            Some(name) => format!("geom '{}'", shorten(&name.value, MAX_SHOWN)),
            None => format!("geom of {}", body.subject()),
        };
        let (kind, pose) = self.kind(&tag, &subject, reading)?;
        let number =
            |name: &str, default: f64, reading: &mut Reading<'_>| number(&tag, name, default, &subject, reading);
        let group = number("group", 0.0, reading)?;
        let (contype, conaffinity) = (number("contype", 1.0, reading)?, number("conaffinity", 1.0, reading)?);
        let colour = reading.aside(|reading| self.colour(&tag, &kind, &subject, reading));
        let touches = contype != 0.0 || conaffinity != 0.0;
        Some(Geom { tag, pose: part.frame.then(&pose), kind, group, touches, colour })
    }

    fn kind(&self, tag: &Tag<'d>, subject: &str, reading: &mut Reading<'_>) -> Option<(Kind<'d>, Pose)> {
        let word = word(tag, "type", (TYPES, "sphere"), subject, reading)?;
        let mesh = tag.get("mesh");
        if let Some(told) = mesh.filter(|told| !self.assets.contains_key(&told.value)) {
            let known = reading.report.names(self.assets.keys().map(String::as_str));
            let rule = Rule::UnknownName { kind: "mesh", name: shorten(&told.value, MAX_SHOWN), known };
            reading.error(told.span.clone(), subject, rule);
            return None;
        }
        let mut pose = pose::read(tag, self.settings, subject, reading)?;
        let kind = match (word, mesh) {
            ("plane" | "hfield", _) => Kind::Ground,
            ("mesh", Some(told)) => Kind::Mesh(&told.value),
            ("mesh", None) => {
                let rule = Rule::MissingAttribute { attribute: "mesh", element: "geom".into() };
                reading.error(tag.element.span.clone(), subject, rule);
                return None;
            }
            ("sdf", _) => {
                cannot(tag, "type", "signed distance fields are not supported", subject, reading);
                Kind::Unread
            }
            (_, Some(_)) => {
                cannot(tag, "mesh", "shapes are not fitted to meshes", subject, reading);
                Kind::Unread
            }
            (_, None) => Kind::Shape(self.shape(tag, (word, &mut pose), subject, reading)?),
        };
        Some((kind, pose))
    }

    /// A shape of numbers. Two end points replace its pose.
    fn shape(
        &self,
        tag: &Tag<'d>,
        (word, pose): (&str, &mut Pose),
        subject: &str,
        reading: &mut Reading<'_>,
    ) -> Option<Shape> {
        let ends = match tag.get("fromto") {
            Some(told) if word != "sphere" => {
                let (between, half) = ends(told, subject, reading)?;
                *pose = between;
                Some(half)
            }
            _ => None,
        };
        let needed = match word {
            "sphere" => 1,
            _ if ends.is_some() => 1,
            "capsule" | "cylinder" => 2,
            _ => 3,
        };
        let told = tag.get("size");
        let sizes = match told {
            Some(told) => reading.all_numbers(told, 3, subject)?,
            None => Vec::new(),
        };
        let span = told.map_or(tag.element.span.clone(), |told| told.span.clone());
        if sizes.len() < needed {
            let (quantity, found) = ("size".to_owned(), sizes.len());
            let rule = Rule::Length { quantity, found, expected: needed, one_per: "dimension of the shape" };
            reading.error(span, subject, rule);
            return None;
        }
        if let Some(value) = sizes[..needed].iter().find(|size| **size <= 0.0) {
            let rule = Rule::Range { quantity: "size".into(), value: *value, expected: "a number above zero".into() };
            reading.error(span, subject, rule);
            return None;
        }
        let size = |k: usize| sizes.get(k).copied().unwrap_or_default();
        // What points the third way is half the distance of the ends.
        let [a, b, c] = match (word, ends) {
            ("capsule" | "cylinder", Some(half)) => [size(0), half, 0.0],
            (_, Some(half)) => [size(0), size(0), half],
            (_, None) => [size(0), size(1), size(2)],
        };
        Some(match word {
            "sphere" => Shape::Ellipsoid { radii: [a; 3] },
            "capsule" => Shape::Capsule { radius: a, length: 2.0 * b },
            "cylinder" => Shape::Cylinder { radius: a, length: 2.0 * b },
            "ellipsoid" => Shape::Ellipsoid { radii: [a, b, c] },
            _ => Shape::Box { sides: [a, b, c].map(|half| 2.0 * half) },
        })
    }

    /// Its own colour, or that of its material, or of that of its mesh.
    fn colour(&self, tag: &Tag<'d>, kind: &Kind<'d>, subject: &str, reading: &mut Reading<'_>) -> Option<Colour> {
        if tag.get("rgba").is_some() {
            return colour(tag, subject, reading);
        }
        let of_mesh = self.asset(kind).and_then(|asset| asset.tag.get("material"));
        let told = tag.get("material").or(of_mesh)?;
        let known = self.materials.get(&told.value);
        if known.is_none() {
            let known = reading.names(self.materials.keys().map(String::as_str));
            let rule = Rule::UnknownName { kind: "material", name: shorten(&told.value, MAX_SHOWN), known };
            reading.error(told.span.clone(), subject, rule);
        }
        known.copied().flatten()
    }

    fn asset(&self, kind: &Kind<'d>) -> Option<&Asset<'d>> {
        match kind {
            Kind::Mesh(name) => self.assets.get(*name),
            _ => None,
        }
    }

    /// Mass and inertia of a geom, in the frame of its body; none where it does not count.
    pub(super) fn solid(
        &self,
        geom: &Geom<'d>,
        subject: &str,
        meshes: &mut Meshes,
        reading: &mut Reading<'_>,
    ) -> Option<Solid> {
        let tag = &geom.tag;
        let [first, last] = self.settings.groups;
        if !(first..=last).contains(&geom.group) {
            return Some(Solid::default());
        }
        let density = not_negative(tag, "density", DENSITY, subject, reading)?;
        let mass = match tag.get("mass") {
            Some(_) => Some(not_negative(tag, "mass", 0.0, subject, reading)?),
            None => None,
        };
        if mass == Some(0.0) || (mass.is_none() && density == 0.0) {
            return Some(Solid::default());
        }
        if mesh::is_shell(tag, subject, reading)? {
            let what = "`shellinertia`: the mass of shells is not computed".to_owned();
            let expected = "an `<inertial>` in the body".to_owned();
            reading.error(tag.element.span.clone(), subject, Rule::Mismatch { what, expected });
            return None;
        }
        let one = match &geom.kind {
            Kind::Shape(shape) => solid::of(shape),
            Kind::Mesh(..) => self.asset(&geom.kind)?.solid(tag.element, meshes, reading)?,
            Kind::Ground => return Some(Solid::default()),
            Kind::Unread => {
                let what = "the mass of the body needs this geom, which is not read".to_owned();
                let expected = "an `<inertial>` in the body".to_owned();
                reading.error(tag.element.span.clone(), subject, Rule::Mismatch { what, expected });
                return None;
            }
        };
        let solid = one.with_mass(mass.unwrap_or(density * one.mass));
        let inertia = crate::model_file::geometry::turn_inertia(&geom.pose.rotation, &solid.inertia);
        Some(Solid { centre: geom.pose.point(solid.centre), inertia, ..solid })
    }

    /// What a body looks like, in its own frame: geoms for the eye where it has any, those that MuJoCo draws otherwise.
    pub(super) fn looks(&self, geoms: &[Geom<'d>], meshes: &mut Meshes, reading: &mut Reading<'_>) -> Vec<Look> {
        let drawn = |geom: &&Geom<'d>| geom.group <= LAST_SHOWN;
        let for_the_eye = geoms.iter().filter(drawn).any(|geom| !geom.touches);
        let shown = geoms.iter().filter(drawn).any(|_| true);
        let chosen = geoms.iter().filter(|geom| match (for_the_eye, shown) {
            (true, _) => drawn(geom) && !geom.touches,
            (false, true) => drawn(geom),
            (false, false) => true,
        });
        let mut looks = Vec::new();
        for geom in chosen {
            let form = match &geom.kind {
                Kind::Shape(shape) => Some(Form::Shape(shape.clone())),
                Kind::Mesh(..) => self.asset(&geom.kind).and_then(|asset| asset.form(meshes, reading)),
                Kind::Ground | Kind::Unread => None,
            };
            let Pose { position, rotation } = geom.pose;
            looks.extend(form.map(|form| Look { position, rotation, form, colour: geom.colour }));
        }
        looks
    }

    /// The frame of a site.
    pub(super) fn site(&self, part: &Part<'d>, subject: &str, reading: &mut Reading<'_>) -> Option<Pose> {
        let tag = &part.tag;
        let pose = match tag.get("fromto") {
            Some(told) => ends(told, subject, reading)?.0,
            None => pose::read(tag, self.settings, subject, reading)?,
        };
        Some(part.frame.then(&pose))
    }
}

/// The frame in the middle of the two end points of `fromto`, and half their distance.
fn ends(told: &Attribute, subject: &str, reading: &mut Reading<'_>) -> Option<(Pose, f64)> {
    let [a, b, c, d, e, f]: [f64; 6] = reading.numbers(told, "coordinate", subject)?;
    // MuJoCo's third axis points from the second end to the first.
    let along = subtract([a, b, c], [d, e, f]);
    let Some(rotation) = pose::of_z(along) else {
        let what = "the end points of `fromto` are the same".to_owned();
        let rule = Rule::Mismatch { what, expected: "two different points".into() };
        reading.error(told.span.clone(), subject, rule);
        return None;
    };
    let pose = Pose { position: add([a, b, c], [d, e, f]).map(|x| x / 2.0), rotation };
    Some((pose, along.iter().map(|x| x * x).sum::<f64>().sqrt() / 2.0))
}
