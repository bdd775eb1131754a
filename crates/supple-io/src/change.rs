//! Values that are set from outside, in place of those of a model or scenario file.
//!
//! A change is one line of TOML with a dotted key: `integrator.step=1e-3`, `body.boom.beam.length=3`. An entry of a list of tables is
//! called by its name, or by the hinge or body that it is about; that of a list without names by its number from zero: `mass_centre.0=0.2`. A key without a value can be dropped. A change takes its place in the document before that is checked, so that what is
//! wrong with it is reported as of any other value.

use std::fmt;

use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

use crate::source::{Report, Rule, Source, shorten};

/// Longest change, in bytes.
const LONGEST: usize = 4096;
/// Keys by which an entry of a list is called, the first that it has.
const NAMES: [&str; 3] = ["name", "hinge", "body"];

/// A value in place of that of a file, or none. Problems name it as `--set` or `--unset`, the options of the command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// As the user wrote it.
    told: String,
    key: String,
    /// None for a key that is dropped.
    value: Option<String>,
}

/// What a line begins with that drops a key.
pub(crate) const DROP: &str = "unset ";

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
            Some(value) => Ok(Self { told: text.to_owned(), key, value: Some(value) }),
            None => wrong("has a key that is not valid TOML"),
        }
    }

    /// Reads a key, or the name of an entry of a list, that is to be dropped.
    ///
    /// # Errors
    /// What is wrong, and what to write.
    pub fn parse_dropped(text: &str) -> Result<Self, String> {
        match Self::parse(&format!("{text}=0")) {
            Ok(change) if !text.contains('=') => Ok(Self { told: text.to_owned(), value: None, ..change }),
            _ => {
                let shown = shorten(text, 60);
                Err(format!(
                    "`{shown}` is not a key; write KEY, such as integrator.step or body.boom.beam.damping_ratio"
                ))
            }
        }
    }

    /// The option of the command that makes it.
    pub fn option(&self) -> &'static str {
        if self.value.is_some() { "--set" } else { "--unset" }
    }

    /// The part that changes the model of a scenario: what follows `model.`.
    pub(crate) fn of_model(&self) -> Option<Self> {
        self.within("model")
    }

    /// The part that changes something of this name: what follows the name and a dot.
    pub(crate) fn within(&self, name: &str) -> Option<Self> {
        let key = self.key.strip_prefix(name)?.trim_start().strip_prefix('.')?.trim_start();
        Some(Self { key: key.to_owned(), ..self.clone() })
    }

    /// Changes of a scenario itself, and those of its model.
    pub(crate) fn split(changes: &[Self]) -> (Vec<Self>, Vec<Self>) {
        let own = changes.iter().filter(|change| change.of_model().is_none()).cloned().collect();
        (own, changes.iter().filter_map(Self::of_model).collect())
    }

    /// Whether the model of a scenario may be another one with it. Keys in quotes are not looked into.
    pub(crate) fn concerns_model(&self) -> bool {
        let root = self.key.split('.').next().unwrap_or_default().trim();
        ["model", "shared", "side_file", "lenient"].contains(&root) || root.starts_with(['"', '\''])
    }

    /// A line of TOML, or one that drops a key.
    pub(crate) fn line(&self) -> String {
        match &self.value {
            Some(value) => format!("{} = {value}", self.key),
            None => format!("{DROP}{}", self.key),
        }
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

/// Drops the keys of a change, whose values count for nothing, from a document.
pub(crate) fn remove<'d>(from: &mut DeTable<'d>, keys: DeTable<'d>, source: &Source, report: &mut Report) {
    for (key, value) in keys {
        let name = key.get_ref().as_ref();
        let (place, deeper) = (key.span(), value.into_inner());
        let found = match (from.get_mut(name).map(Spanned::get_mut), deeper) {
            (Some(DeValue::Table(table)), DeValue::Table(deeper)) => {
                remove(table, deeper, source, report);
                continue;
            }
            (Some(DeValue::Array(items)), DeValue::Table(deeper)) => {
                deeper.into_iter().for_each(|(name, keys)| leave(items, &name, keys, source, report));
                continue;
            }
            (found, DeValue::Table(_)) => found.is_some_and(|_| false),
            (found, _) => found.is_some(),
        };
        if found {
            from.remove(name);
        } else {
            let known = from.keys().map(|key| key.get_ref().to_string()).collect();
            report.add(source, place, Rule::UnknownName { kind: "key to drop", name: shorten(name, 40), known });
        }
    }
}

/// Drops the entry of a list that has a name, or keys of it.
fn leave<'d>(
    items: &mut DeArray<'d>,
    name: &Spanned<std::borrow::Cow<'d, str>>,
    keys: Spanned<DeValue<'d>>,
    source: &Source,
    report: &mut Report,
) {
    let known: Vec<String> = items.iter().filter_map(|item| called(item).map(str::to_owned)).collect();
    let Some(place) = items.iter().position(|item| called(item) == Some(name.get_ref().as_ref())) else {
        let rule = Rule::UnknownName { kind: "entry of this list", name: shorten(name.get_ref(), 40), known };
        report.add(source, name.span(), rule);
        return;
    };
    match (items.get_mut(place).map(Spanned::get_mut), keys.into_inner()) {
        (Some(DeValue::Table(table)), DeValue::Table(keys)) => remove(table, keys, source, report),
        _ => {
            let kept = std::mem::replace(items, DeArray::new()).into_iter().enumerate().filter(|(i, _)| *i != place);
            kept.for_each(|(_, item)| items.push(item));
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
    let by_name = items.iter().position(|item| called(item) == Some(name.get_ref().as_ref()));
    // Entries without names, such as those of a vector, are counted from zero.
    let by_number =
        || name.get_ref().parse::<usize>().ok().filter(|i| items.get(*i).is_some_and(|x| called(x).is_none()));
    let found = by_name.or_else(by_number).and_then(|i| items.get_mut(i));
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
    fn entries_of_vectors_are_counted() {
        let text = "a = { b = [1, 2, 3] }\nc = [{ name = \"one\", d = [4, 5] }]";
        let mut document = DeTable::parse(text).unwrap().into_inner();
        let (source, mut report) = (Source::nothing("a.toml"), Report::default());
        for line in ["a.b.1 = 7", "c.one.d.0 = 8", "a.b.3 = 9", "c.0.d = 1"] {
            merge(&mut document, DeTable::parse(line).unwrap().into_inner(), &source, &mut report);
        }
        let entry = |items: &DeValue<'_>, i: usize| match items {
            DeValue::Array(items) => items[i].get_ref().as_integer().unwrap().as_str().to_owned(),
            _ => String::new(),
        };
        assert_eq!(entry(document["a"].get_ref().get("b").unwrap().get_ref(), 1), "7");
        // There is no fourth, and an entry that has a name is called by it.
        assert_eq!(report.count(), 2);
    }

    #[test]
    fn keys_are_dropped() {
        let dropped = Change::parse_dropped("model.body.\"outer boom\".beam.damping_ratio").unwrap();
        assert_eq!(dropped.of_model().unwrap().line(), "unset body.\"outer boom\".beam.damping_ratio");
        assert_eq!((dropped.option(), Change::parse("a=1").unwrap().option()), ("--unset", "--set"));
        for text in ["", "a=1", "a..b", "a b"] {
            assert!(Change::parse_dropped(text).unwrap_err().contains("write KEY"), "{text}");
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
