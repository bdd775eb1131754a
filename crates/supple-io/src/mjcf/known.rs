//! Attributes that elements of MuJoCo's format know, as far as they matter for the motion.

use super::document::Element;
use crate::robot::{MAX_SHOWN, Reading};
use crate::source::{Rule, shorten};

/// Elements that default classes know.
pub(super) const KINDS: &[&str] = &[
    "joint",
    "geom",
    "site",
    "mesh",
    "material",
    "equality",
    "tendon",
    "general",
    "motor",
    "position",
    "velocity",
    "intvelocity",
    "orientation",
    "pid",
    "damper",
    "cylinder",
    "muscle",
    "adhesion",
    "dcmotor",
    "plugin",
    "camera",
    "light",
    "pair",
    "texture",
];

/// Actuators: all of them share one set of defaults.
pub(super) const ACTUATORS: &[&str] = &[
    "general",
    "motor",
    "position",
    "velocity",
    "intvelocity",
    "orientation",
    "pid",
    "damper",
    "cylinder",
    "muscle",
    "adhesion",
    "dcmotor",
    "plugin",
];

const COMPILER: &[&str] = &[
    "autolimits",
    "boundmass",
    "boundinertia",
    "settotalmass",
    "balanceinertia",
    "strippath",
    "coordinate",
    "angle",
    "fitaabb",
    "eulerseq",
    "meshdir",
    "texturedir",
    "discardvisual",
    "usethread",
    "fusestatic",
    "inertiafromgeom",
    "inertiagrouprange",
    "saveinertial",
    "savecompiled",
    "savecanonical",
    "assetdir",
    "alignfree",
    "conflict",
    "passthrough",
    "convexhull",
    "exactmeshinertia",
];
const BODY: &[&str] = &[
    "name",
    "childclass",
    "pos",
    "quat",
    "axisangle",
    "xyaxes",
    "zaxis",
    "euler",
    "mocap",
    "gravcomp",
    "sleep",
    "simple",
    "fuse",
    "user",
];
const FRAME: &[&str] =
    &["name", "childclass", "pos", "quat", "axisangle", "xyaxes", "zaxis", "euler", "scale", "massscale", "scaling"];
const INERTIAL: &[&str] =
    &["pos", "quat", "mass", "diaginertia", "axisangle", "xyaxes", "zaxis", "euler", "fullinertia"];
const JOINT: &[&str] = &[
    "name",
    "class",
    "type",
    "group",
    "pos",
    "axis",
    "springdamper",
    "limited",
    "actuatorfrclimited",
    "solreflimit",
    "solimplimit",
    "solreffriction",
    "solimpfriction",
    "stiffness",
    "range",
    "actuatorfrcrange",
    "actuatorgravcomp",
    "margin",
    "ref",
    "springref",
    "springyield",
    "armature",
    "damping",
    "frictionloss",
    "user",
];
const FREEJOINT: &[&str] = &["name", "group", "align"];
const GEOM: &[&str] = &[
    "name",
    "class",
    "type",
    "contype",
    "conaffinity",
    "condim",
    "group",
    "priority",
    "size",
    "material",
    "friction",
    "mass",
    "density",
    "shellinertia",
    "solmix",
    "solref",
    "solimp",
    "margin",
    "gap",
    "surfacevel",
    "adhesion",
    "fromto",
    "pos",
    "quat",
    "axisangle",
    "xyaxes",
    "zaxis",
    "euler",
    "hfield",
    "mesh",
    "fitscale",
    "rgba",
    "castshadow",
    "fluidshape",
    "fluidcoef",
    "user",
];
const SITE: &[&str] = &[
    "name",
    "class",
    "type",
    "group",
    "pos",
    "quat",
    "axisangle",
    "xyaxes",
    "zaxis",
    "euler",
    "material",
    "mesh",
    "size",
    "fromto",
    "rgba",
    "user",
];
const MESH: &[&str] = &[
    "name",
    "class",
    "content_type",
    "file",
    "vertex",
    "normal",
    "texcoord",
    "face",
    "refpos",
    "refquat",
    "scale",
    "smoothnormal",
    "maxhullvert",
    "inertia",
    "builtin",
    "params",
    "material",
];
const CONNECT: &[&str] = &["name", "class", "active", "solref", "solimp", "body1", "body2", "anchor", "site1", "site2"];
const WELD: &[&str] = &[
    "name",
    "class",
    "active",
    "solref",
    "solimp",
    "body1",
    "body2",
    "relpose",
    "anchor",
    "site1",
    "site2",
    "torquescale",
];

/// The kind of element whose defaults an element takes.
pub(super) fn kind(tag: &str) -> Option<&'static str> {
    match tag {
        _ if ACTUATORS.contains(&tag) => Some("general"),
        "connect" | "weld" => Some("equality"),
        "spatial" | "fixed" => Some("tendon"),
        _ => KINDS.iter().find(|known| **known == tag).copied(),
    }
}

/// Attributes that an element does not know are defects.
pub(super) fn check(element: &Element, subject: &str, reading: &mut Reading<'_>) {
    let known = match element.tag.as_str() {
        "compiler" => COMPILER,
        "body" => BODY,
        "frame" => FRAME,
        "inertial" => INERTIAL,
        // A coupling of joints has the same name as a joint; its reader knows what it takes.
        "joint" if element.own("joint1").is_none() => JOINT,
        "freejoint" => FREEJOINT,
        "geom" => GEOM,
        "site" => SITE,
        "mesh" => MESH,
        "connect" => CONNECT,
        "weld" => WELD,
        _ => return,
    };
    for attribute in element.attributes.iter().filter(|attribute| !known.contains(&attribute.name.as_str())) {
        let (attribute, span) = (shorten(&attribute.name, MAX_SHOWN), attribute.name_span.clone());
        reading.defect(span, subject, Rule::UnknownAttribute { attribute, element: element.tag.clone(), known });
    }
}
