//! Robots in MuJoCo's format, MJCF.
//!
//! ```
//! use supple_io::mjcf;
//! let robot = r#"<mujoco model="pendulum">
//!   <worldbody>
//!     <body name="rod">
//!       <joint name="pivot" axis="0 1 0"/>
//!       <geom type="capsule" fromto="0 0 0 1 0 0" size="0.02"/>
//!     </body>
//!   </worldbody>
//! </mujoco>"#;
//! let read = mjcf::from_text("rod.xml", robot, None, &mjcf::Options::default())?;
//! assert_eq!(read.file.model.speed_count(), 1);
//! # Ok::<(), supple_io::source::FileError>(())
//! ```
//!
//! The world is a body `world` that the ground holds; bodies follow in the order of the file, each with its hinge. A body with several
//! joints becomes a chain of links without mass, `BODY:JOINT`, which carry it. The frame of a body has the axes of the file, and its
//! origin at the anchor of its last joint. Coordinates count from the configuration that is drawn: they are MuJoCo's less `ref`.
//!
//! Default classes, frames and included files (below the folder of the file) are resolved. What changes the motion and cannot be
//! converted is an error, for a lenient reader a note: fluids, gravity compensation, springs of ball joints, forces of tendons, bodies
//! that MuJoCo generates. Contact, sensors, keyframes and laws of actuators are noted.

mod actuators;
mod attributes;
mod bodies;
mod convert;
mod defaults;
mod document;
mod equality;
mod geom;
mod inertia;
mod joint;
mod known;
mod mesh;
mod names;
mod omitted;
mod pose;
mod pyramids;
mod settings;
mod solid;

use std::collections::BTreeMap;

use convert::Content;
use defaults::Defaults;
pub(crate) use document::{Element, open};
use equality::Things;
use geom::Geoms;
use solid::Solid;

pub use crate::robot::{Options, Robot, from_text, read, read_with_meshes};

use crate::mesh::Meshes;
use crate::robot::{Reading, RobotText};

/// The root element of the format.
pub(crate) const ROOT: &str = "mujoco";

/// What a document says.
pub(crate) fn text(root: &Element, meshes: &mut Meshes, reading: &mut Reading<'_>) -> Option<RobotText> {
    let settings = settings::read(root, reading)?;
    let before = reading.report.count();
    let defaults = Defaults::read(root, reading);
    omitted::note(root, reading);
    let assets = mesh::read(root, (&defaults, &settings), reading)?;
    let materials = geom::materials(root, &defaults, reading);
    let bodies = bodies::read(root, (&defaults, &settings), reading)?;
    let joints = joint::read(&bodies, &settings, reading);
    let geoms = Geoms { settings: &settings, assets: &assets, materials: &materials };
    let (mut contents, sites) = contents(&bodies, &geoms, meshes, reading);
    let mut joints = joints?;
    actuators::apply(root, (&defaults, &settings), &mut joints, reading);
    let things = Things { bodies: &bodies, joints: &joints, sites };
    let ties = equality::read(root, &defaults, &things, reading);
    let ties = if settings.acts.equalities { ties } else { Vec::new() };
    if reading.report.count() > before {
        return None;
    }
    let mut solids: Vec<Solid> = contents.iter().map(|content| content.solid).collect();
    inertia::scale_to_total(&mut solids, &settings);
    contents.iter_mut().zip(solids).for_each(|(content, solid)| content.solid = solid);
    let robot = convert::convert(&bodies, joints, contents, ties, reading)?;
    let name = root.own("model").map_or(String::new(), |name| name.value.clone());
    Some(RobotText { name, gravity: Some(settings.gravity), ..robot })
}

/// What bodies have: mass, looks, sites. Sites with names are given by their bodies and frames, too.
fn contents<'d>(
    bodies: &[bodies::Body<'d>],
    of: &Geoms<'_, 'd>,
    meshes: &mut Meshes,
    reading: &mut Reading<'_>,
) -> (Vec<Content>, BTreeMap<&'d str, (usize, pose::Pose)>) {
    let mut all_sites = BTreeMap::new();
    let mut names = names::Names::new("site", std::iter::empty());
    let mut contents = Vec::with_capacity(bodies.len());
    let mut touching = None;
    for (k, body) in bodies.iter().enumerate() {
        let geoms: Vec<_> = body.geoms.iter().filter_map(|part| of.read(part, body, reading)).collect();
        touching = touching.or(geoms.iter().find(|geom| geom.touches).map(|geom| geom.tag.element));
        let solid = if k == 0 { Some(Solid::default()) } else { inertia::of_body((body, &geoms), of, meshes, reading) };
        let looks = reading.aside(|reading| of.looks(&geoms, meshes, reading));
        let mut markers = Vec::new();
        for part in &body.sites {
            let name = names.own(part.tag.element, reading);
            let Some(pose) = of.site(part, &body.subject(), reading) else { continue };
            if let Some(told) = part.tag.element.own("name").filter(|_| !name.is_empty()) {
                all_sites.insert(told.value.as_str(), (k, pose));
                markers.push((name, pose.position));
            }
        }
        contents.push(Content { solid: solid.unwrap_or_default(), looks, markers });
    }
    if let Some(geom) = touching {
        omitted::contact(geom, reading);
    }
    (contents, all_sites)
}
