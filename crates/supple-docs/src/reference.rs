//! Reference of a kind of file as a page, made from its JSON schema.

use std::fmt::Write;

use serde_json::Value;

/// The page of a schema: the file itself, then its tables in alphabetical order.
pub fn page(kind: &str, schema: &Value) -> String {
    let mut page = format!("# {}\n\n", text(schema, "title"));
    let _ = writeln!(
        page,
        "<!-- Made from docs/schema/{kind}.schema.json: SUPPLE_WRITE_DOCS=1 cargo test -p supple-docs --test all reference -->\n\n\
         All keys; unknown keys are errors. Keys in bold are required. As a JSON schema, for editors:\n\
         `supple schema {kind}` or [{kind}.schema.json](../schema/{kind}.schema.json).\n\n## The file\n"
    );
    table(&mut page, schema);
    let tables = schema["$defs"].as_object().into_iter().flatten();
    // The order of a map depends on features of serde_json that other crates may switch on.
    let mut tables: Vec<_> = tables.collect();
    tables.sort_by_key(|(name, _)| name.as_str());
    for (name, schema) in tables {
        let _ = writeln!(page, "\n## {name}\n");
        table(&mut page, schema);
    }
    page
}

fn text<'a>(schema: &'a Value, key: &str) -> &'a str {
    schema[key].as_str().unwrap_or_default()
}

fn list<'a>(schema: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    schema[key].as_array().into_iter().flatten()
}

/// Description, rules and keys of one table.
fn table(page: &mut String, schema: &Value) {
    let _ = writeln!(page, "{}\n", text(schema, "description"));
    let mut rules: Vec<String> = Vec::new();
    for rule in list(schema, "allOf").filter_map(rule) {
        if !rules.contains(&rule) {
            rules.push(rule);
        }
    }
    for rule in &rules {
        let _ = writeln!(page, "- {rule}");
    }
    if !rules.is_empty() {
        page.push('\n');
    }
    let required: Vec<&str> = list(schema, "required").filter_map(Value::as_str).collect();
    let mut keys: Vec<_> = schema["properties"].as_object().into_iter().flatten().collect();
    keys.sort_by_key(|(key, _)| (!required.contains(&key.as_str()), key.as_str()));
    page.push_str("| key | value | meaning |\n|---|---|---|\n");
    for (key, value) in keys {
        let key = if required.contains(&key.as_str()) { format!("**`{key}`**") } else { format!("`{key}`") };
        let _ = writeln!(page, "| {key} | {} | {} |", kind(value), meaning(value));
    }
}

/// A rule about keys that go together, in words.
fn rule(part: &Value) -> Option<String> {
    let names = |part: &Value| {
        list(part, "required").filter_map(Value::as_str).map(|key| format!("`{key}`")).collect::<Vec<_>>()
    };
    let joined = |keys: Vec<String>| keys.join(" and ");
    let choices = |key: &str| {
        list(part, key).map(|choice| joined(names(choice))).filter(|names| !names.is_empty()).collect::<Vec<_>>()
    };
    for (key, words) in [("oneOf", "exactly one of"), ("anyOf", "at least one of")] {
        let choices = choices(key);
        if !choices.is_empty() {
            return Some(format!("{words} {}", choices.join(", ")));
        }
    }
    let excluded = names(&part["not"]);
    (!excluded.is_empty()).then(|| format!("not both of {}", joined(excluded)))
}

/// What a value may be.
fn kind(value: &Value) -> String {
    if let Some(table) = value["$ref"].as_str().and_then(|path| path.rsplit('/').next()) {
        return format!("[{table}](#{table})");
    }
    for key in ["oneOf", "anyOf"] {
        let choices: Vec<String> = list(value, key).map(kind).collect();
        if !choices.is_empty() {
            return choices.join(if key == "oneOf" { ", " } else { " or " });
        }
    }
    if let Some(word) = value["const"].as_str() {
        return format!("`\"{word}\"`");
    }
    match text(value, "type") {
        "array" => array(value),
        "string" => "text".into(),
        "boolean" => "`true` or `false`".into(),
        "object" => entries(value),
        number => format!("{number}{}", bounds(value)),
    }
}

fn array(value: &Value) -> String {
    let items = kind(&value["items"]);
    match (value["minItems"].as_u64(), value["maxItems"].as_u64()) {
        (Some(least), Some(most)) if least == most => format!("{least} × {items}"),
        (Some(least), None) if least > 0 => format!("list of {least} or more: {items}"),
        _ => format!("list of {items}"),
    }
}

/// A table whose keys are names of the user's.
fn entries(value: &Value) -> String {
    let any = &value["additionalProperties"];
    if any.is_object() { format!("table by name: {}", kind(any)) } else { "table".into() }
}

fn bounds(value: &Value) -> String {
    let mut words = String::new();
    for (key, sign) in [("minimum", "≥"), ("exclusiveMinimum", ">"), ("maximum", "≤"), ("exclusiveMaximum", "<")] {
        if let Some(bound) = value[key].as_f64() {
            let _ = write!(words, " {sign} {bound}");
        }
    }
    words
}

/// The description, and those of the words to choose from.
fn meaning(value: &Value) -> String {
    let choices =
        list(value, "oneOf").filter_map(|choice| Some((choice["const"].as_str()?, choice["description"].as_str()?)));
    let choices: Vec<String> = choices.map(|(word, meaning)| format!("`{word}`: {meaning}")).collect();
    let description = text(value, "description").replace('|', "\\|");
    if choices.is_empty() { description } else { format!("{description}. {}", choices.join("; ")) }
}
