//! Values that are set from outside, in place of those of a model or scenario file.
//!
//! A change is one line of TOML with a dotted key: `integrator.step=1e-3`, `body.boom.beam.length=3`. An entry of a list of tables is
//! called by its name, or by the hinge or body that it is about. It takes its place in the document before that is checked, so that what is
//! wrong with it is reported as of any other value.

use std::fmt;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::source::{Report, Rule, Source, shorten};

/// Longest change, in bytes.
const LONGEST: usize = 4096;
/// Keys by which an entry of a list is called, the first that it has.
const NAMES: [&str; 3] = ["name", "hinge", "body"];

/// A value in place of that of a file. Problems name it as `--set`, the option of the command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// As the user wrote it.
    told: String,
    key: String,
    value: String,
}

impl Change {
    /// Reads `key=value`; a value that is not TOML is taken for a string.
    ///
    /// # Errors
    /// What is wrong, and what to write.
    pub fn parse(text: &str) -> Result<Self, String> {
        let wrong = |what: &str| {
            let shown = shorten(text, 60);
            Err(format!("`{shown}` {what}; write KEY=VALUE, such as integrator.step=1e-3 or body.boom.beam.length=3"))
        };
        if text.len() > LONGEST {
            return wrong("is too long");
        }
        if text.chars().any(char::is_control) {
            return wrong("has control characters");
        }
        let Some((key, value)) = text.split_once('=') else { return wrong("has no value") };
        let (key, value) = (key.trim().to_owned(), value.trim());
        if value.is_empty() {
            return wrong("has no value");
        }
        let quoted = format!("\"{}\"", value.replace('\\', "\\\\").replace('"', "\\\""));
        let is_toml = |value: &str| DeTable::parse(&format!("{key} = {value}")).is_ok_and(|t| t.get_ref().len() == 1);
        match [value.to_owned(), quoted].into_iter().find(|value| is_toml(value)) {
            Some(value) => Ok(Self { told: text.to_owned(), key, value }),
            None => wrong("has a key that is not one of TOML"),
        }
    }

    /// The part that changes the model of a scenario: what follows `model.`.
    pub(crate) fn of_model(&self) -> Option<Self> {
        let key = self.key.strip_prefix("model")?.trim_start().strip_prefix('.')?.trim_start();
        Some(Self { key: key.to_owned(), ..self.clone() })
    }

    /// A line of TOML.
    pub(crate) fn line(&self) -> String {
        format!("{} = {}", self.key, self.value)
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.told)
    }
}

impl std::str::FromStr for Change {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::parse(text)
    }
}

/// Puts the values of a change into a document.
pub(crate) fn merge<'d>(into: &mut DeTable<'d>, from: DeTable<'d>, source: &Source, report: &mut Report) {
    for (key, value) in from {
        let Some(slot) = into.get_mut(key.get_ref().as_ref()) else {
            into.insert(key, value);
            continue;
        };
        let (place, content) = (value.span(), value.into_inner());
        match (slot.get_mut(), content) {
            (DeValue::Table(table), DeValue::Table(changes)) => merge(table, changes, source, report),
            (DeValue::Array(items), DeValue::Table(changes)) => {
                for (name, change) in changes {
                    enter(items, &name, change, source, report);
                }
            }
            (_, content) => *slot = Spanned::new(place, content),
        }
    }
}

/// Changes the entry of a list that has a name.
fn enter<'d>(
    items: &mut [Spanned<DeValue<'d>>],
    name: &Spanned<std::borrow::Cow<'d, str>>,
    change: Spanned<DeValue<'d>>,
    source: &Source,
    report: &mut Report,
) {
    let known: Vec<String> = items.iter().filter_map(|item| called(item).map(str::to_owned)).collect();
    let found = items.iter_mut().find(|item| called(item) == Some(name.get_ref().as_ref()));
    let place = change.span();
    match (found, change.into_inner()) {
        (Some(item), DeValue::Table(changes)) if matches!(item.get_ref(), DeValue::Table(_)) => {
            if let DeValue::Table(table) = item.get_mut() {
                merge(table, changes, source, report);
            }
        }
        (Some(item), content) => *item = Spanned::new(place, content),
        (None, _) => {
            let name = shorten(name.get_ref(), 40);
            report.add(source, place, Rule::UnknownName { kind: "entry of this list", name, known });
        }
    }
}

/// How an entry of a list is called.
fn called<'v>(item: &'v Spanned<DeValue<'_>>) -> Option<&'v str> {
    let DeValue::Table(table) = item.get_ref() else { return None };
    let text = |key: &str| match table.get(key)?.get_ref() {
        DeValue::String(text) => Some(text.as_ref()),
        _ => None,
    };
    NAMES.iter().find_map(|key| text(key))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_and_values() {
        for (text, line) in [
            ("duration=5", "duration = 5"),
            (" integrator.step = 1e-3 ", "integrator.step = 1e-3"),
            ("integrator.kind=rk4", "integrator.kind = \"rk4\""),
            ("name=a \"b\" \\c", "name = \"a \\\"b\\\" \\\\c\""),
            ("body.\"outer boom\".beam.length=9", "body.\"outer boom\".beam.length = 9"),
            ("gravity=[0, 0, -1.62]", "gravity = [0, 0, -1.62]"),
        ] {
            assert_eq!(Change::parse(text).unwrap().line(), line);
        }
        let model = Change::parse("model.body.boom.beam.length=3").unwrap();
        assert_eq!(model.of_model().unwrap().line(), "body.boom.beam.length = 3");
        for text in ["model=a.toml", "model_name=a", "duration=5"] {
            assert!(Change::parse(text).unwrap().of_model().is_none(), "{text}");
        }
    }

    #[test]
    fn mistakes_are_told() {
        for text in ["", "duration", "=5", "a=", "a..b=1", "a b=1", "a=1\nb=2", &format!("a={}", "1".repeat(5000))] {
            let error = Change::parse(text).unwrap_err();
            assert!(error.contains("write KEY=VALUE"), "{text}: {error}");
        }
    }
}
