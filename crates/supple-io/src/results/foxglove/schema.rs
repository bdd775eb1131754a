//! JSON schemas of these messages.

use super::super::topics::Topic;
use serde_json::{Map, Value, json};

/// A topic of `foxglove.FrameTransforms`.
pub fn transforms_topic(name: &str) -> Topic {
    let transform = object(
        "foxglove.FrameTransform",
        &[
            ("timestamp", moment("time")),
            ("parent_frame_id", json!({"type": "string"})),
            ("child_frame_id", json!({"type": "string"})),
            ("translation", numbers("foxglove.Vector3", "xyz")),
            ("rotation", numbers("foxglove.Quaternion", "xyzw")),
        ],
    );
    topic(name, "foxglove.FrameTransforms", &[("transforms", array(transform))])
}

/// A topic of `foxglove.SceneUpdate`.
pub fn scene_topic(name: &str) -> Topic {
    let (text, number, switch) = (json!({"type": "string"}), json!({"type": "number"}), json!({"type": "boolean"}));
    let vector = || numbers("foxglove.Vector3", "xyz");
    let point = || numbers("foxglove.Point3", "xyz");
    let orientation = numbers("foxglove.Quaternion", "xyzw");
    let pose = object("foxglove.Pose", &[("position", vector()), ("orientation", orientation)]);
    let color = || numbers("foxglove.Color", "rgba");
    let block = |title: &str| object(title, &[("pose", pose.clone()), ("size", vector()), ("color", color())]);
    let cylinder = object(
        "foxglove.CylinderPrimitive",
        &[
            ("pose", pose.clone()),
            ("size", vector()),
            ("bottom_scale", number.clone()),
            ("top_scale", number.clone()),
            ("color", color()),
        ],
    );
    let kinds = [("LINE_STRIP", 0), ("LINE_LOOP", 1), ("LINE_LIST", 2)];
    let kinds: Vec<Value> = kinds.iter().map(|(title, value)| json!({"title": title, "const": value})).collect();
    let line = object(
        "foxglove.LinePrimitive",
        &[
            ("type", json!({"title": "foxglove.LineType", "oneOf": kinds})),
            ("pose", pose.clone()),
            ("thickness", number),
            ("scale_invariant", switch.clone()),
            ("points", array(point())),
            ("color", color()),
            ("colors", array(color())),
            ("indices", array(json!({"type": "integer", "minimum": 0}))),
        ],
    );
    // What is never sent is told by its name and its pose.
    let unused = |title: &str| array(object(title, &[("pose", pose.clone())]));
    let pair = object("foxglove.KeyValuePair", &[("key", text.clone()), ("value", text.clone())]);
    let entity = object(
        "foxglove.SceneEntity",
        &[
            ("timestamp", moment("time")),
            ("frame_id", text.clone()),
            ("id", text.clone()),
            ("lifetime", moment("duration")),
            ("frame_locked", switch),
            ("metadata", array(pair)),
            ("arrows", unused("foxglove.ArrowPrimitive")),
            ("cubes", array(block("foxglove.CubePrimitive"))),
            ("spheres", array(block("foxglove.SpherePrimitive"))),
            ("cylinders", array(cylinder)),
            ("lines", array(line)),
            ("triangles", unused("foxglove.TriangleListPrimitive")),
            ("texts", unused("foxglove.TextPrimitive")),
            ("models", unused("foxglove.ModelPrimitive")),
        ],
    );
    let kinds = [json!({"title": "MATCHING_ID", "const": 0}), json!({"title": "ALL", "const": 1})];
    let deletion = object(
        "foxglove.SceneEntityDeletion",
        &[
            ("timestamp", moment("time")),
            ("type", json!({"title": "foxglove.SceneEntityDeletionType", "oneOf": kinds})),
            ("id", text),
        ],
    );
    topic(name, "foxglove.SceneUpdate", &[("deletions", array(deletion)), ("entities", array(entity))])
}

fn topic(name: &str, schema_name: &str, properties: &[(&str, Value)]) -> Topic {
    let schema = object(schema_name, properties).to_string();
    Topic { name: name.to_owned(), schema_name: schema_name.to_owned(), schema }
}

fn object(title: &str, properties: &[(&str, Value)]) -> Value {
    let properties: Map<_, _> = properties.iter().map(|(name, told)| ((*name).to_owned(), told.clone())).collect();
    json!({"title": title, "type": "object", "properties": properties})
}

fn array(items: Value) -> Value {
    json!({"type": "array", "items": items})
}

/// An object with a number per letter.
fn numbers(title: &str, letters: &str) -> Value {
    let properties: Map<_, _> = letters.chars().map(|name| (name.to_string(), json!({"type": "number"}))).collect();
    json!({"title": title, "type": "object", "properties": properties})
}

fn moment(title: &str) -> Value {
    let part = |most: Option<u64>| match most {
        Some(most) => json!({"type": "integer", "minimum": 0, "maximum": most}),
        None => json!({"type": "integer", "minimum": 0}),
    };
    json!({"title": title, "type": "object", "properties": {"sec": part(None), "nsec": part(Some(999_999_999))}})
}
