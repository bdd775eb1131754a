//! A shape as JSON schema, draft 2020-12.

use serde_json::{Map, Value, json};

use super::shape::{Bound, Shape, TableShape, Unit};

/// The schema of documents of a shape, as text.
pub(crate) fn json_schema(shape: &'static TableShape, title: &str) -> String {
    let mut definitions = Map::new();
    let Value::Object(root) = table(shape, &mut definitions) else { return String::new() };
    let mut schema = Map::new();
    schema.insert("$schema".into(), json!("https://json-schema.org/draft/2020-12/schema"));
    schema.insert("title".into(), json!(title));
    schema.extend(root);
    schema.insert("$defs".into(), Value::Object(definitions));
    let mut text = serde_json::to_string_pretty(&Value::Object(schema)).unwrap_or_default();
    text.push('\n');
    text
}

fn table(shape: &'static TableShape, definitions: &mut Map<String, Value>) -> Value {
    let mut properties = Map::new();
    for key in shape.keys {
        let mut value = of(key.shape, definitions);
        if let Value::Object(members) = &mut value {
            members.insert("description".into(), json!(key.doc));
            if let Some(unit) = unit(key.unit) {
                members.insert("x-unit".into(), json!(unit));
            }
        }
        properties.insert(key.name.into(), value);
    }
    let required: Vec<&str> = shape.keys.iter().filter(|key| key.required).map(|key| key.name).collect();
    let mut rules: Vec<Value> = Vec::new();
    for keys in shape.one_of {
        rules.push(json!({ "oneOf": keys.iter().map(|key| json!({ "required": [key] })).collect::<Vec<_>>() }));
    }
    for keys in shape.at_most_one {
        let pairs = keys.iter().enumerate().flat_map(|(i, a)| keys[..i].iter().map(move |b| (a, b)));
        rules.extend(pairs.map(|(a, b)| json!({ "not": { "required": [b, a] } })));
    }
    let mut schema = json!({
        "type": "object",
        "description": shape.doc,
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    });
    if !rules.is_empty() {
        schema["allOf"] = json!(rules);
    }
    schema
}

/// The unit of a key in words; none for pure numbers and units without angles and lengths.
fn unit(unit: Unit) -> Option<&'static str> {
    Some(match unit {
        Unit::Plain => return None,
        Unit::Of(unit) => unit,
        Unit::Inherited => "that of the key of this table",
        Unit::ForceDamping => "N m s/rad or N s/m, of stops s/rad or s/m",
        Unit::Quantity => "that of the quantity",
        Unit::Ratio => "that of one coordinate per that of another",
        Unit::Section => "N, N m and N m²",
        Unit::Si => "SI, whatever the units of the file",
        Unit::Modal => "SI, refused in files with other units",
    })
}

fn of(shape: &'static Shape, definitions: &mut Map<String, Value>) -> Value {
    match shape {
        Shape::Number(Bound::Any) => json!({ "type": "number" }),
        Shape::Number(Bound::Positive) => json!({ "type": "number", "exclusiveMinimum": 0 }),
        Shape::Number(Bound::NotNegative) => json!({ "type": "number", "minimum": 0 }),
        Shape::Whole(limit) => json!({ "type": "integer", "minimum": 0, "maximum": limit }),
        Shape::Flag => json!({ "type": "boolean" }),
        Shape::Text => json!({ "type": "string", "minLength": 1 }),
        Shape::Word(words) => {
            let options = words.iter().map(|(word, doc)| json!({ "const": word, "description": doc }));
            json!({ "type": "string", "oneOf": options.collect::<Vec<_>>() })
        }
        Shape::List { of: item, length } => {
            let mut schema = json!({ "type": "array", "items": of(item, definitions) });
            if let Some((length, _)) = length {
                schema["minItems"] = json!(length);
                schema["maxItems"] = json!(length);
            }
            schema
        }
        Shape::Table(shape) => reference(shape, definitions),
        Shape::Made(shape) => reference(shape(), definitions),
        Shape::Map(value) => json!({ "type": "object", "additionalProperties": of(value, definitions) }),
        Shape::Choice(shapes) => {
            json!({ "anyOf": shapes.iter().map(|shape| of(shape, definitions)).collect::<Vec<_>>() })
        }
    }
}

/// A reference to the definition of a table, which is made where it is not there yet.
fn reference(shape: &'static TableShape, definitions: &mut Map<String, Value>) -> Value {
    if !definitions.contains_key(shape.name) {
        // Before its content, so that a shape that holds itself ends.
        definitions.insert(shape.name.into(), Value::Null);
        let value = table(shape, definitions);
        definitions.insert(shape.name.into(), value);
    }
    json!({ "$ref": format!("#/$defs/{}", shape.name) })
}
