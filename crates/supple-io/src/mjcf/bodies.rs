//! The tree of bodies as it is nested in the file, frames resolved.

use super::attributes::{cannot, flag, number};
use super::defaults::{Defaults, Tag};
use super::document::Element;
use super::omitted::left_out;
use super::pose::{self, Pose};
use super::settings::Settings;
use super::{known, names::Names};
use crate::model_file::shapes::MAX_BODIES;
use crate::robot::{MAX_SHOWN, Reading};
use crate::source::{Rule, shorten};

/// What a body may have in it.
const CONTENT: &[&str] = &[
    "body",
    "frame",
    "inertial",
    "joint",
    "freejoint",
    "geom",
    "site",
    "camera",
    "light",
    "plugin",
    "attach",
    "replicate",
    "composite",
    "flexcomp",
];

/// A body. The first one is the world.
pub(super) struct Body<'d> {
    pub(super) name: String,
    pub(super) element: &'d Element,
    /// The body it is nested in; the world in itself.
    pub(super) parent: usize,
    /// Its frame in that of its parent.
    pub(super) pose: Pose,
    pub(super) inertial: Option<Part<'d>>,
    pub(super) joints: Vec<Part<'d>>,
    pub(super) geoms: Vec<Part<'d>>,
    pub(super) sites: Vec<Part<'d>>,
}

/// An element of a body, with the frame that it stands in.
pub(super) struct Part<'d> {
    pub(super) tag: Tag<'d>,
    pub(super) frame: Pose,
}

impl Body<'_> {
    /// Its name in a message.
    pub(super) fn subject(&self) -> String {
        format!("body '{}'", self.name)
    }
}

struct Walk<'w, 'd> {
    defaults: &'d Defaults<'d>,
    settings: &'w Settings,
    bodies: Vec<Body<'d>>,
    names: Names,
    /// What is still to be read, the next one last.
    open: Vec<Item<'d>>,
}

struct Item<'d> {
    element: &'d Element,
    body: usize,
    frame: Pose,
    class: usize,
}

/// Reads the bodies of a document, parents first, in the order of the file.
pub(super) fn read<'d>(
    root: &'d Element,
    (defaults, settings): (&'d Defaults<'d>, &Settings),
    reading: &mut Reading<'_>,
) -> Option<Vec<Body<'d>>> {
    let before = reading.report.count();
    let world = root.all("worldbody").next();
    let Some(world) = world else {
        let because = "bodies are nested in `<worldbody>`";
        reading.error(root.span.clone(), "mujoco", Rule::MissingElement { element: "worldbody", because });
        return None;
    };
    let names = Names::new("body", std::iter::once(("world", &world.span)));
    let mut walk = Walk { defaults, settings, bodies: Vec::new(), names, open: Vec::new() };
    walk.bodies.push(empty("world".into(), world, 0, Pose::IDENTITY));
    let parts: Vec<&Element> = root.all("worldbody").flat_map(|world| &world.children).collect();
    walk.put(parts.into_iter(), (0, Pose::IDENTITY, defaults.main()));
    while let Some(item) = walk.open.pop() {
        if walk.bodies.len() > MAX_BODIES {
            let rule = Rule::TooMany { what: "bodies", found: walk.bodies.len(), limit: MAX_BODIES };
            reading.error(item.element.span.clone(), "mujoco", rule);
            return None;
        }
        walk.read(item, reading);
    }
    walk.names.give(walk.bodies.iter_mut().enumerate().skip(1).map(|(k, body)| (&mut body.name, format!("body{k}"))));
    (reading.report.count() == before).then_some(walk.bodies)
}

fn empty(name: String, element: &Element, parent: usize, pose: Pose) -> Body<'_> {
    Body { name, element, parent, pose, inertial: None, joints: Vec::new(), geoms: Vec::new(), sites: Vec::new() }
}

impl<'d> Walk<'_, 'd> {
    /// Puts elements in line, the first one next.
    fn put(
        &mut self,
        elements: impl DoubleEndedIterator<Item = &'d Element>,
        (body, frame, class): (usize, Pose, usize),
    ) {
        self.open.extend(elements.rev().map(|element| Item { element, body, frame, class }));
    }

    /// Reads one element. What is wrong with it does not stop the others.
    fn read(&mut self, item: Item<'d>, reading: &mut Reading<'_>) -> Option<()> {
        let Item { element, body, frame, class } = item;
        match element.tag.as_str() {
            "body" => {
                known::check(element, "body", reading);
                let name = self.names.own(element, reading);
                let subject = if name.is_empty() { "body".into() } else { format!("body '{name}'") };
                let inner = pose::read(&element, self.settings, &subject, reading)?;
                let class = self.defaults.class(element, "childclass", class, reading)?;
                if number(&element, "gravcomp", 0.0, &subject, reading)? != 0.0 {
                    cannot(&element, "gravcomp", "no body's weight is compensated", &subject, reading);
                }
                if flag(&element, "mocap", false, &subject, reading)? {
                    let span = element.own("mocap").map_or(element.span.clone(), |told| told.name_span.clone());
                    left_out(span, &subject, "`mocap` is left out: the body stays where it is".into(), reading);
                }
                let index = self.bodies.len();
                self.bodies.push(empty(name, element, body, frame.then(&inner)));
                self.put(element.children.iter(), (index, Pose::IDENTITY, class));
            }
            "frame" => {
                known::check(element, "frame", reading);
                if element.own("scale").is_some() {
                    cannot(&element, "scale", "frames are not scaled", "frame", reading);
                }
                let inner = pose::read(&element, self.settings, "frame", reading)?;
                let class = self.defaults.class(element, "childclass", class, reading)?;
                self.put(element.children.iter(), (body, frame.then(&inner), class));
            }
            "inertial" | "joint" | "freejoint" | "geom" | "site" => self.part(item, reading)?,
            "camera" | "light" => {}
            "plugin" => cannot(&element, "", "plugins are not run", &self.bodies[body].subject(), reading),
            "attach" | "replicate" | "composite" | "flexcomp" => {
                let what = format!("`<{}>` generates bodies, which only MuJoCo does", element.tag);
                let expected = "the generated model: load it in MuJoCo and save it with `mj_saveLastXML`".into();
                reading.defect(element.span.clone(), "", Rule::Mismatch { what, expected });
            }
            unknown => {
                let (element_name, parent) = (shorten(unknown, MAX_SHOWN), self.bodies[body].element.tag.clone());
                let rule = Rule::UnknownElement { element: element_name, parent, known: CONTENT };
                reading.defect(element.span.clone(), &self.bodies[body].subject(), rule);
            }
        }
        Some(())
    }

    /// An element that belongs to a body.
    fn part(&mut self, item: Item<'d>, reading: &mut Reading<'_>) -> Option<()> {
        let Item { element, body, frame, class } = item;
        let tag = self.defaults.tag(element, class, reading)?;
        let part = Part { tag, frame };
        let owner = &mut self.bodies[body];
        match element.tag.as_str() {
            "geom" => owner.geoms.push(part),
            "site" => owner.sites.push(part),
            _ if body == 0 => {
                let because = "the world does not move; write it in a `<body>`".into();
                reading.error(element.span.clone(), "worldbody", Rule::Useless { key: element.tag.clone(), because });
            }
            "inertial" if owner.inertial.is_some() => {
                let rule = Rule::RepeatedElement { element: "inertial".into() };
                reading.error(element.span.clone(), &owner.subject(), rule);
            }
            "inertial" => owner.inertial = Some(part),
            _ => owner.joints.push(part),
        }
        Some(())
    }
}
