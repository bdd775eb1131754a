//! A file made of another and of the tables that a page shows.

use toml::{Table, Value};

/// `base` with the tables of `change`: bodies replace those of their name or come to them, events come to those that are there, and every
/// other key is replaced. The key `without` is dropped first.
pub fn changed(base: &str, change: &str, without: Option<&str>) -> Result<String, String> {
    let mut base: Table = base.parse().map_err(|error| format!("the file that it is made of: {error}"))?;
    let change: Table = change.parse().map_err(|error| format!("{error}"))?;
    if let Some(key) = without {
        base.remove(key).ok_or_else(|| format!("there is no `{key}` to drop"))?;
    }
    for (key, value) in change {
        match (base.get_mut(&key), value) {
            (Some(Value::Array(there)), Value::Array(new)) if key == "body" || key == "events" => {
                for table in new {
                    match there.iter_mut().find(|other| other.get("name") == table.get("name")) {
                        Some(other) => *other = table,
                        None => there.push(table),
                    }
                }
            }
            (_, value) => drop(base.insert(key, value)),
        }
    }
    toml::to_string(&base).map_err(|error| format!("{error}"))
}
