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
    let triangles = object(
        "foxglove.TriangleListPrimitive",
        &[
            ("pose", pose.clone()),
            ("points", array(point())),
            ("color", color()),
            ("colors", array(color())),
            ("indices", array(json!({"type": "integer", "minimum": 0}))),
        ],
    );
    let model = object(
        "foxglove.ModelPrimitive",
        &[
            ("pose", pose.clone()),
            ("scale", vector()),
            ("color", color()),
            ("override_color", switch.clone()),
            ("url", text.clone()),
            ("media_type", text.clone()),
            ("data", json!({"type": "string", "contentEncoding": "base64"})),
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
            ("triangles", array(triangles)),
            ("texts", unused("foxglove.TextPrimitive")),
            ("models", array(model)),
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

/// A topic of `foxglove.Log`.
pub fn log_topic(name: &str) -> Topic {
    let levels = ["UNKNOWN", "DEBUG", "INFO", "WARNING", "ERROR", "FATAL"];
    let levels: Vec<Value> =
        levels.iter().enumerate().map(|(value, title)| json!({"title": title, "const": value})).collect();
    let text = json!({"type": "string"});
    topic(
        name,
        "foxglove.Log",
        &[
            ("timestamp", moment("time")),
            ("level", json!({"title": "foxglove.LogLevel", "oneOf": levels})),
            ("message", text.clone()),
            ("name", text.clone()),
            ("file", text),
            ("line", json!({"type": "integer", "minimum": 0})),
        ],
    )
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

#[cfg(test)]
mod tests {
    use super::super::*;
    use super::*;

    /// Holds a message against a schema: the same keys at every level, of the given types. The readers of schemas in Foxglove and
    /// Lichtblick know no others: objects with properties, arrays of one type, numbers, integers, texts, switches, choices of numbers.
    fn hold(message: Option<&Value>, schema: &Value, at: &str) {
        if let Some(choices) = schema["oneOf"].as_array() {
            assert!(choices.iter().all(|choice| choice["const"].is_number() && choice["title"].is_string()), "{at}");
            assert!(message.is_none_or(|told| choices.iter().any(|choice| choice["const"] == *told)), "{at}");
            return;
        }
        let is = |right: fn(&Value) -> bool| assert!(message.is_none_or(right), "{at}: {message:?}");
        match schema["type"].as_str() {
            Some("number") => is(Value::is_number),
            Some("integer") => is(Value::is_u64),
            Some("string") => is(Value::is_string),
            Some("boolean") => is(Value::is_boolean),
            Some("array") => {
                let items = message.map(|told| told.as_array().unwrap_or_else(|| panic!("{at}: no array")).as_slice());
                hold(None, &schema["items"], &format!("{at}[]"));
                items
                    .unwrap_or_default()
                    .iter()
                    .for_each(|item| hold(Some(item), &schema["items"], &format!("{at}[]")));
            }
            Some("object") => {
                let properties = schema["properties"].as_object().unwrap_or_else(|| panic!("{at}: no properties"));
                if let Some(told) = message.map(|told| told.as_object().unwrap_or_else(|| panic!("{at}: no object"))) {
                    let keys =
                        |map: &Map<String, Value>| map.keys().cloned().collect::<std::collections::BTreeSet<_>>();
                    assert_eq!(keys(told), keys(properties), "{at}");
                }
                properties
                    .iter()
                    .for_each(|(key, schema)| hold(message.map(|told| &told[key]), schema, &format!("{at}.{key}")));
            }
            other => panic!("{at}: {other:?}"),
        }
    }

    #[test]
    fn messages_are_what_their_schemas_say() {
        let color = Color { r: 0.1, g: 0.2, b: 0.3, a: 1.0 };
        let pose = Placement::new([1.0, 2.0, 3.0], [0.0, 0.6, 0.0, 0.8]);
        let block = Block { pose, size: [1.0, 2.0, 3.0].into(), color };
        let mut entity = Entity::new("arm \"1\"", 2_250_000_001);
        entity.cubes.push(block.clone());
        entity.spheres.push(block);
        let size = [1.0, 1.0, 5.0].into();
        entity.cylinders.push(Cylinder { pose, size, bottom_scale: 1.0, top_scale: 1.0, color });
        let points = vec![[0.0; 3].into(), [1.0; 3].into()];
        let line = Line {
            kind: LINE_LIST,
            pose: Placement::ORIGIN,
            thickness: 4.0,
            scale_invariant: true,
            points,
            color,
            colors: vec![color],
            indices: vec![0, 1],
        };
        entity.lines.push(line);
        let points = vec![[0.0; 3].into(), [1.0, 0.0, 0.0].into(), [0.0, 1.0, 0.0].into()];
        entity.triangles.push(Triangles { pose: Placement::ORIGIN, points, color, colors: [], indices: [] });
        entity.models.push(Model {
            pose,
            scale: [1.0; 3].into(),
            color,
            override_color: false,
            url: "",
            media_type: "model/gltf-binary",
            data: "Z2xURg==".into(),
        });
        let (mut scene, mut transforms) = (Vec::new(), Vec::new());
        write_scene(&mut scene, &[entity.moving_with("arm")]);
        let pose = [1.0, 2.0, 3.0, 0.0, 0.0, 0.0, 1.0];
        write_transforms(&mut transforms, [("world", "arm \"1\"", pose), ("world", "b", pose)].into_iter(), 5);
        let mut log = Vec::new();
        write_warning(&mut log, "a \"doubt\"", 5);
        let told = [(scene, scene_topic("/scene")), (transforms, transforms_topic("/tf")), (log, log_topic("/log"))];
        for (message, topic) in told {
            let message: Value = serde_json::from_slice(&message).unwrap();
            hold(Some(&message), &serde_json::from_str(&topic.schema).unwrap(), &topic.name);
        }
    }
}
