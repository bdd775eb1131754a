//! The words of the schema and what they stand for.

use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Serialize, Serializer};
use supple::{ClosureKind, ElasticRotation, HingeKind, InertiaConvention};

/// Words of `tip_rotation`.
pub(super) const TIP_ROTATIONS: &[&str] = &["integrated", "euler321", "euler123", "rotvec", "linear", "none"];
/// Words of `inertia`.
pub(super) const INERTIAS: &[&str] = &["newton_euler", "lagrange"];
/// Words of `joint.type`.
pub(super) const JOINTS: &[&str] = &["fixed", "revolute", "prismatic", "universal", "spherical", "free"];
/// Words of a loop's `type`.
pub(super) const LOOPS: &[&str] = &["weld", "revolute", "spherical"];
/// Words of a wrench's `frame`.
pub(super) const FRAMES: &[&str] = &["body", "inertial"];

pub(super) fn tip_rotation(word: &str) -> Option<ElasticRotation> {
    Some(match word {
        "integrated" => ElasticRotation::Integrated,
        "euler321" => ElasticRotation::Euler321,
        "euler123" => ElasticRotation::Euler123,
        "rotvec" => ElasticRotation::RotationVector,
        "linear" => ElasticRotation::FirstOrder,
        "none" => ElasticRotation::None,
        _ => return None,
    })
}

pub(super) fn inertia(word: &str) -> Option<InertiaConvention> {
    Some(match word {
        "newton_euler" => InertiaConvention::NewtonEuler,
        "lagrange" => InertiaConvention::Lagrange,
        _ => return None,
    })
}

pub(super) fn write_tip_rotation<S: Serializer>(value: &ElasticRotation, out: S) -> Result<S::Ok, S::Error> {
    out.serialize_str(match value {
        ElasticRotation::Integrated => "integrated",
        ElasticRotation::Euler321 => "euler321",
        ElasticRotation::Euler123 => "euler123",
        ElasticRotation::RotationVector => "rotvec",
        ElasticRotation::FirstOrder => "linear",
        ElasticRotation::None => "none",
    })
}

pub(super) fn write_inertia<S: Serializer>(value: &InertiaConvention, out: S) -> Result<S::Ok, S::Error> {
    out.serialize_str(match value {
        InertiaConvention::NewtonEuler => "newton_euler",
        InertiaConvention::Lagrange => "lagrange",
    })
}

pub(super) fn write_parent<S: Serializer>(value: &Option<usize>, out: S) -> Result<S::Ok, S::Error> {
    match value {
        Some(body) => body.serialize(out),
        None => out.serialize_i64(-1),
    }
}

pub(super) fn write_joint<S: Serializer>(value: &HingeKind, out: S) -> Result<S::Ok, S::Error> {
    let mut map = out.serialize_map(None)?;
    match value {
        HingeKind::Fixed => map.serialize_entry("type", "fixed")?,
        HingeKind::Spherical => map.serialize_entry("type", "spherical")?,
        HingeKind::Free => map.serialize_entry("type", "free")?,
        HingeKind::Revolute { axis } => {
            map.serialize_entry("type", "revolute")?;
            map.serialize_entry("axis", axis)?;
        }
        HingeKind::Prismatic { axis } => {
            map.serialize_entry("type", "prismatic")?;
            map.serialize_entry("axis", axis)?;
        }
        HingeKind::Universal { axes } => {
            map.serialize_entry("type", "universal")?;
            map.serialize_entry("axes", axes)?;
        }
        other => {
            let text = format!("the schema has no word for the hinge {other:?}");
            return Err(serde::ser::Error::custom(text));
        }
    }
    map.end()
}

/// The members `type` and `axis` of a loop.
pub(super) fn write_loop<S: Serializer>(value: &ClosureKind, out: S) -> Result<S::Ok, S::Error> {
    let mut map = out.serialize_map(None)?;
    match value {
        ClosureKind::Weld => map.serialize_entry("type", "weld")?,
        ClosureKind::Ball => map.serialize_entry("type", "spherical")?,
        ClosureKind::Revolute { axis } => {
            map.serialize_entry("type", "revolute")?;
            map.serialize_entry("axis", axis)?;
        }
        other => {
            let text = format!("the schema has no word for the closure {other:?}");
            return Err(serde::ser::Error::custom(text));
        }
    }
    map.end()
}

pub(super) fn write_entries<S: Serializer, const N: usize>(
    entries: &[([usize; N], f64)],
    out: S,
) -> Result<S::Ok, S::Error> {
    let mut list = out.serialize_seq(Some(entries.len()))?;
    for (indices, value) in entries {
        list.serialize_element(&Entry { indices, value: *value })?;
    }
    list.end()
}

/// A tensor entry, written as `[i, j, k, value]`.
struct Entry<'a> {
    indices: &'a [usize],
    value: f64,
}

impl Serialize for Entry<'_> {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        let mut list = out.serialize_seq(Some(self.indices.len() + 1))?;
        for index in self.indices {
            list.serialize_element(index)?;
        }
        list.serialize_element(&self.value)?;
        list.end()
    }
}
