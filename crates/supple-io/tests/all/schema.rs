//! The published schemas are those of the readers, and say the same as they do.
//!
//! `SUPPLE_WRITE_SCHEMA=1 cargo test -p supple-io --test all schema` writes them anew.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};
use supple::testkit::{RandomOptions, random_system};
use supple_io::{identification_file, model_file, optimisation_file, scenario_file, study_file, urdf};
use toml::de::{DeTable, DeValue};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn schemas() -> [(&'static str, String); 7] {
    [
        ("model", model_file::schema()),
        ("modes", model_file::modes_schema()),
        ("scenario", scenario_file::schema()),
        ("flexible", urdf::side_schema()),
        ("study", study_file::schema()),
        ("identify", identification_file::schema()),
        ("optimise", optimisation_file::schema()),
    ]
}

#[test]
fn published_schemas_are_up_to_date() {
    for (name, schema) in schemas() {
        let path = root().join(format!("docs/schema/{name}.schema.json"));
        if std::env::var_os("SUPPLE_WRITE_SCHEMA").is_some() {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, &schema).unwrap();
        }
        let published = std::fs::read_to_string(&path).unwrap_or_default();
        assert_eq!(published, schema, "docs/schema/{name}.schema.json is out of date; SUPPLE_WRITE_SCHEMA=1 writes it");
    }
}

/// TOML as JSON.
fn json(value: &DeValue<'_>) -> Value {
    match value {
        DeValue::String(text) => Value::from(text.as_ref()),
        DeValue::Integer(whole) => whole.as_str().parse::<i64>().map_or(Value::Null, Value::from),
        DeValue::Float(float) => float.as_str().parse::<f64>().map_or(Value::Null, Value::from),
        DeValue::Boolean(flag) => Value::from(*flag),
        DeValue::Array(items) => items.iter().map(|item| json(item.get_ref())).collect(),
        DeValue::Table(table) => object(table),
        DeValue::Datetime(_) => Value::Null,
    }
}

fn object(table: &DeTable<'_>) -> Value {
    let entries = table.iter().map(|(key, value)| (key.get_ref().to_string(), json(value.get_ref())));
    Value::Object(entries.collect::<Map<_, _>>())
}

fn document(text: &str) -> Value {
    object(DeTable::parse(text).unwrap().get_ref())
}

/// The part of JSON schema that the readers' schemas use; anything else is a failure of this test.
fn valid(value: &Value, schema: &Value, whole: &Value) -> bool {
    let rules = schema.as_object().unwrap();
    rules.iter().all(|(rule, told)| match rule.as_str() {
        "$schema" | "$defs" | "title" | "description" | "x-unit" => true,
        "$ref" => {
            let name = told.as_str().unwrap().strip_prefix("#/$defs/").unwrap();
            valid(value, &whole["$defs"][name], whole)
        }
        "type" => match told.as_str().unwrap() {
            "object" => value.is_object(),
            "array" => value.is_array(),
            "string" => value.is_string(),
            "number" => value.is_number(),
            "integer" => value.is_i64() || value.is_u64(),
            "boolean" => value.is_boolean(),
            other => panic!("type {other}"),
        },
        "properties" => {
            let properties = told.as_object().unwrap();
            let members = value.as_object();
            members.is_none_or(|all| {
                all.iter().all(|(key, value)| properties.get(key).is_none_or(|schema| valid(value, schema, whole)))
            })
        }
        "additionalProperties" => {
            let known = rules.get("properties").and_then(Value::as_object);
            let mut others =
                value.as_object().into_iter().flatten().filter(|(key, _)| known.is_none_or(|k| !k.contains_key(*key)));
            if told == &Value::Bool(false) {
                others.next().is_none()
            } else {
                others.all(|(_, v)| valid(v, told, whole))
            }
        }
        "required" => value
            .as_object()
            .is_none_or(|all| told.as_array().unwrap().iter().all(|key| all.contains_key(key.as_str().unwrap()))),
        "items" => value.as_array().is_none_or(|items| items.iter().all(|item| valid(item, told, whole))),
        "minItems" => value.as_array().is_none_or(|items| items.len() as u64 >= told.as_u64().unwrap()),
        "maxItems" => value.as_array().is_none_or(|items| items.len() as u64 <= told.as_u64().unwrap()),
        "minLength" => value.as_str().is_none_or(|text| text.len() as u64 >= told.as_u64().unwrap()),
        "minimum" => value.as_f64().is_none_or(|number| number >= told.as_f64().unwrap()),
        "maximum" => value.as_f64().is_none_or(|number| number <= told.as_f64().unwrap()),
        "exclusiveMinimum" => value.as_f64().is_none_or(|number| number > told.as_f64().unwrap()),
        "const" => value == told,
        "anyOf" => told.as_array().unwrap().iter().any(|schema| valid(value, schema, whole)),
        "allOf" => told.as_array().unwrap().iter().all(|schema| valid(value, schema, whole)),
        "oneOf" => told.as_array().unwrap().iter().filter(|schema| valid(value, schema, whole)).count() == 1,
        "not" => !valid(value, told, whole),
        other => panic!("the schema uses {other}"),
    })
}

fn schema(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn reference(path: &str) -> String {
    std::fs::read_to_string(root().join("references").join(path)).unwrap()
}

#[test]
fn files_of_the_references_are_valid() {
    let [model, modes, scenario, flexible, study, ..] = schemas().map(|(_, text)| schema(&text));
    for (path, schema) in [
        ("models/arm.toml", &model),
        ("models/crane.toml", &model),
        ("models/panel.modes.toml", &modes),
        ("models/slew.scenario.toml", &scenario),
        ("urdf/arm.flexible.toml", &flexible),
    ] {
        assert!(valid(&document(&reference(path)), schema, schema), "{path}");
    }
    let text = std::fs::read_to_string(root().join("examples/shuttle-slew/study.toml")).unwrap();
    assert!(valid(&document(&text), &study, &study));
    for seed in 0..20 {
        let (system, _) = random_system(seed, &RandomOptions { modes: 4, ..RandomOptions::default() });
        assert!(valid(&document(&model_file::write(&system).unwrap()), &model, &model), "{seed}");
    }
}

/// Every line of a sound file, changed in several ways: what the schema refuses, the reader refuses.
#[test]
fn what_a_schema_refuses_the_reader_refuses() {
    let [model, _, scenario, flexible, ..] = schemas().map(|(_, text)| schema(&text));
    let robot = reference("urdf/arm.urdf");
    let folder = root().join("references/models");
    type Read<'r> = &'r dyn Fn(&str) -> bool;
    let readers: [(&str, &Value, Read<'_>); 3] = [
        ("models/arm.toml", &model, &|text| model_file::from_text("x", text, Some(&folder)).is_ok()),
        ("models/slew.scenario.toml", &scenario, &|text| {
            scenario_file::from_text("x", text, Path::new(&folder)).is_ok()
        }),
        ("urdf/arm.flexible.toml", &flexible, &|text| {
            urdf::from_text("x", &robot, Some(("y", text)), &urdf::Options::default()).is_ok()
        }),
    ];
    for (path, schema, read) in readers {
        let text = reference(path);
        assert!(read(&text), "{path}");
        let (mut refused, mut tried) = (0, 0);
        for (at, _) in text.match_indices(" = ") {
            let start = text[..at].rfind(|c: char| !(c.is_alphanumeric() || c == '_')).map_or(0, |i| i + 1);
            let changes = [
                format!("{}x{}", &text[..start], &text[start..]),
                format!("{} = \"word\" # {}", &text[..at], &text[at + 3..]),
                format!("{} = -3 # {}", &text[..at], &text[at + 3..]),
                format!("{} = [] # {}", &text[..at], &text[at + 3..]),
                format!("{} = {{}} # {}", &text[..at], &text[at + 3..]),
            ];
            for changed in changes {
                let Ok(table) = DeTable::parse(&changed) else { continue };
                tried += 1;
                if !valid(&object(table.get_ref()), schema, schema) {
                    refused += 1;
                    assert!(
                        !read(&changed),
                        "{path}: only the schema refuses\n{}",
                        &changed[start..(at + 40).min(changed.len())]
                    );
                }
            }
        }
        println!("{path}: the schema refuses {refused} of {tried} changes");
        assert!(refused > 20);
    }
}
