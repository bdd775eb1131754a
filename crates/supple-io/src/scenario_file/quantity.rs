//! Quantities of the state by name: the same names as those of the columns of results.

use supple::{BodyIndex, HingeKind, Model, System};

/// A number of the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Watched {
    /// A coordinate, by its place in the state.
    Coordinate(usize),
    /// A speed, by its place in the state.
    Speed(usize),
}

/// Endings and units of the names of the coordinates of a hinge.
pub fn coordinate_names(kind: &HingeKind) -> &'static [(&'static str, &'static str)] {
    const QUATERNION: [(&str, &str); 4] = [(".qx", "1"), (".qy", "1"), (".qz", "1"), (".qw", "1")];
    const POSE: [(&str, &str); 7] =
        [(".qx", "1"), (".qy", "1"), (".qz", "1"), (".qw", "1"), (".x", "m"), (".y", "m"), (".z", "m")];
    match kind {
        HingeKind::Fixed => &[],
        HingeKind::Revolute { .. } | HingeKind::Screw { .. } => &[("", "rad")],
        HingeKind::Prismatic { .. } => &[("", "m")],
        HingeKind::Universal { .. } => &[(".1", "rad"), (".2", "rad")],
        HingeKind::Cylindrical { .. } => &[(".angle", "rad"), (".displacement", "m")],
        HingeKind::Planar { .. } => &[(".x", "m"), (".y", "m"), (".angle", "rad")],
        HingeKind::Spherical => &QUATERNION,
        HingeKind::Free => &POSE,
    }
}

/// Endings of the names of the speeds of a hinge, and whether they turn.
pub fn speed_names(kind: &HingeKind) -> &'static [(&'static str, bool)] {
    match kind {
        HingeKind::Fixed => &[],
        HingeKind::Revolute { .. } | HingeKind::Screw { .. } => &[("", true)],
        HingeKind::Prismatic { .. } => &[("", false)],
        HingeKind::Universal { .. } => &[(".1", true), (".2", true)],
        HingeKind::Cylindrical { .. } => &[(".angle", true), (".displacement", false)],
        HingeKind::Planar { .. } => &[(".x", false), (".y", false), (".angle", true)],
        HingeKind::Spherical => &[(".wx", true), (".wy", true), (".wz", true)],
        HingeKind::Free => {
            &[(".wx", true), (".wy", true), (".wz", true), (".vx", false), (".vy", false), (".vz", false)]
        }
    }
}

/// All numbers of the state, named as their columns are.
pub(super) fn quantities(system: &System, model: &Model) -> Vec<(String, Watched)> {
    let mut all = Vec::new();
    for (k, body) in system.bodies.iter().enumerate() {
        let (at, hinge) = (BodyIndex(k), body.hinge.name.as_ref().unwrap_or(&body.name));
        for ((part, _), i) in coordinate_names(&body.hinge.kind).iter().zip(model.hinge_coordinates(at)) {
            all.push((format!("hinge.{hinge}{part}"), Watched::Coordinate(i)));
        }
        for ((part, _), i) in speed_names(&body.hinge.kind).iter().zip(model.hinge_speeds(at)) {
            all.push((format!("speed.{hinge}{part}"), Watched::Speed(i)));
        }
        let (coordinates, speeds) = (model.modal_coordinates(at), model.modal_speeds(at));
        for (mode, (i, j)) in coordinates.zip(speeds).enumerate() {
            let (number, body) = (mode + 1, &body.name);
            all.push((format!("mode.{body}.{number}"), Watched::Coordinate(i)));
            all.push((format!("mode_speed.{body}.{number}"), Watched::Speed(j)));
        }
    }
    all
}
