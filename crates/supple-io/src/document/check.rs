//! Checks a document against its shape: every problem is reported, none stops the check.

use std::ops::Range;

use toml::de::{DeTable, DeValue};

use super::shape::{Shape, TableShape};
use super::units::InSi;
use super::value::{Table, Value};
use crate::change::{DROP, merge, remove};
use crate::source::number::{self, NumberFault};
use crate::source::{Report, Rule, Source};

/// Most entries of a list.
const MAX_ENTRIES: usize = 4_000_000;
/// Longest text whose parser goes on after an error.
const MAX_RECOVERED: usize = 64 << 10;
/// Most characters of an offending value in a message.
const MAX_SHOWN: usize = 40;

/// A change as TOML, its places unchanged, and whether it drops its key, which then has a value that counts for nothing.
fn as_toml(line: String) -> (String, bool) {
    let blanks = line.len() - line.trim_start().len();
    match line[blanks..].strip_prefix(DROP) {
        Some(key) => (format!("{}{key} = 0", " ".repeat(blanks + DROP.len())), true),
        None => (line, false),
    }
}

/// Parses the text of `source` and checks it. The document is for `read` where it is TOML; problems are in `report`.
pub(crate) fn check_document<T>(
    source: &Source,
    shape: &'static TableShape,
    report: &mut Report,
    read: impl FnOnce(Table<'_>, &mut Report) -> Option<T>,
) -> Option<T> {
    // All errors of a text that a person may have written, the first of a flood.
    let changes: Vec<(String, bool)> = source.change_lines().into_iter().map(as_toml).collect();
    let (mut document, errors) = match DeTable::parse(source.document()) {
        Ok(document) => (document, Vec::new()),
        Err(_) if source.text.len() <= MAX_RECOVERED => DeTable::parse_recoverable(source.document()),
        Err(error) => {
            add_syntax(source, &error, report);
            return None;
        }
    };
    for error in &errors {
        add_syntax(source, error, report);
    }
    if !errors.is_empty() {
        return None;
    }
    for (line, drops) in &changes {
        match DeTable::parse(line) {
            Ok(change) if *drops => remove(document.get_mut(), change.into_inner(), source, report),
            Ok(change) => merge(document.get_mut(), change.into_inner(), source, report),
            Err(error) => add_syntax(source, &error, report),
        }
    }
    let in_si = InSi::default();
    let table = Table { table: document.get_ref(), start: 0, end: 1, in_si: Some(&in_si) };
    // A document of another format is told as such by its reader, not by every key that does not fit.
    let format = shape.keys.iter().find(|key| key.name == "format");
    let is_other = format.is_some_and(|key| table.text("format").is_some_and(|found| found != key.doc));
    if !is_other {
        Checker { source, report: &mut *report }.table(table, shape);
    }
    // Another file that this one names has units of its own.
    let outer = report.set_other_units(false);
    let content = read(table, report);
    report.set_other_units(outer);
    content
}

fn add_syntax(source: &Source, error: &toml::de::Error, report: &mut Report) {
    let message = error.message().trim_end().replace('\n', ", ");
    report.add(source, error.span().unwrap_or(0..0), Rule::Syntax { language: "TOML", message });
}

struct Checker<'c> {
    source: &'c Source,
    report: &'c mut Report,
}

impl Checker<'_> {
    fn add(&mut self, span: Range<usize>, rule: Rule) {
        self.report.add(self.source, span, rule);
    }

    fn table(&mut self, table: Table<'_>, shape: &'static TableShape) {
        for (name, span, value) in table.entries() {
            match shape.keys.iter().find(|key| key.name == name) {
                Some(key) => self.value(name, value, key.shape),
                None => {
                    let known = shape.keys.iter().map(|key| key.name).collect();
                    let has = |inner: &TableShape| inner.keys.iter().any(|key| key.name == name);
                    // Tables that know the key first: looking for a key takes time in proportion to the table.
                    let knowing =
                        shape.keys.iter().filter(|key| matches!(key.shape, Shape::Table(inner) if has(inner)));
                    let tables = knowing.filter(|key| table.get(key.name).is_some()).map(|key| key.name).collect();
                    self.add(span, Rule::UnknownKey { key: shown(name), known, tables });
                }
            }
        }
        for key in shape.keys.iter().filter(|key| key.required && table.get(key.name).is_none()) {
            self.add(table.span(), Rule::MissingKey { key: key.name, meaning: key.doc });
        }
        let present = |keys: &[&'static str]| -> Vec<&'static str> {
            keys.iter().copied().filter(|key| table.get(key).is_some()).collect()
        };
        for keys in shape.one_of {
            let found = present(keys);
            if found.len() != 1 {
                let span = found.get(1).map_or(table.span(), |key| table.span_of(key));
                self.add(span, Rule::OneOf { keys: keys.to_vec(), found });
            }
        }
        for keys in shape.at_most_one {
            let found = present(keys);
            if found.len() > 1 {
                self.add(table.span_of(found[1]), Rule::Together { keys: found });
            }
        }
    }

    fn value(&mut self, name: &str, value: Value<'_>, shape: &'static Shape) {
        match (shape, value.value.get_ref()) {
            (Shape::Number(bound), DeValue::Float(_) | DeValue::Integer(_)) => {
                if let Some(number) = self.number(name, value)
                    && !bound.holds(number)
                {
                    let expected = bound.text().to_owned();
                    self.add(value.span(), Rule::Range { quantity: shown(name), value: number, expected });
                }
            }
            (Shape::Whole(limit), DeValue::Integer(_)) => {
                let kept = value.whole().is_some_and(|whole| whole <= *limit);
                if !kept {
                    let number = value.number().unwrap_or(f64::INFINITY);
                    let expected = format!("a whole number from 0 to {limit}");
                    self.add(value.span(), Rule::Range { quantity: shown(name), value: number, expected });
                }
            }
            (Shape::Flag, DeValue::Boolean(_)) => {}
            (Shape::Text, DeValue::String(text)) => {
                if text.is_empty() {
                    self.add(
                        value.span(),
                        Rule::Type { expected: "a string that is not empty".into(), found: "\"\"".into() },
                    );
                }
            }
            (Shape::Word(words), DeValue::String(word)) => {
                if !words.iter().any(|(known, _)| *known == word.as_ref()) {
                    let known = words.iter().map(|(known, _)| *known).collect();
                    self.add(value.span(), Rule::UnknownWord { word: shown(word), known });
                }
            }
            (Shape::List { of, length }, DeValue::Array(items)) => self.list(name, value, items.len(), of, *length),
            (Shape::Table(shape), DeValue::Table(_)) => {
                if let Some(table) = value.table() {
                    self.table(table, shape);
                }
            }
            (Shape::Made(shape), DeValue::Table(_)) => {
                if let Some(table) = value.table() {
                    self.table(table, shape());
                }
            }
            (Shape::Map(of), DeValue::Table(_)) => {
                for (name, _, value) in value.table().into_iter().flat_map(Table::entries) {
                    self.value(name, value, of);
                }
            }
            (Shape::Choice(shapes), _) => match shapes.iter().find(|shape| fits(value, shape)) {
                Some(shape) => self.value(name, value, shape),
                None => self.wrong_type(value, shape),
            },
            _ => self.wrong_type(value, shape),
        }
    }

    fn list(
        &mut self,
        name: &str,
        value: Value<'_>,
        found: usize,
        of: &'static Shape,
        length: Option<(usize, &'static str)>,
    ) {
        if found > MAX_ENTRIES {
            self.add(value.span(), Rule::TooMany { what: "entries", found, limit: MAX_ENTRIES });
            return;
        }
        if let Some((expected, one_per)) = length
            && found != expected
        {
            self.add(value.span(), Rule::Length { quantity: shown(name), found, expected, one_per });
            return;
        }
        for item in value.items().into_iter().flatten() {
            self.value(name, item, of);
        }
    }

    fn number(&mut self, name: &str, value: Value<'_>) -> Option<f64> {
        if let DeValue::Float(float) = value.value.get_ref()
            && let Err(fault) = number::parse(float.as_str())
        {
            let rule = Rule::Number { quantity: shown(name), text: shown(float.as_str()), fault };
            self.add(value.span(), rule);
            return None;
        }
        let number = value.number();
        if number.is_none() {
            let text = shown(self.source.text.get(value.span()).unwrap_or_default());
            self.add(value.span(), Rule::Number { quantity: shown(name), text, fault: NumberFault::Overflow });
        }
        number
    }

    fn wrong_type(&mut self, value: Value<'_>, shape: &'static Shape) {
        let found = shown(self.source.text.get(value.span()).unwrap_or_default());
        self.add(value.span(), Rule::Type { expected: describe(shape), found });
    }
}

fn shown(text: &str) -> String {
    crate::source::shorten(text, MAX_SHOWN)
}

/// Whether a value is of the type of a shape; lists are distinguished by their first entry.
fn fits(value: Value<'_>, shape: &'static Shape) -> bool {
    match (shape, value.value.get_ref()) {
        (Shape::Number(_), DeValue::Float(_) | DeValue::Integer(_))
        | (Shape::Whole(_), DeValue::Integer(_))
        | (Shape::Flag, DeValue::Boolean(_))
        | (Shape::Text | Shape::Word(_), DeValue::String(_))
        | (Shape::Table(_) | Shape::Made(_) | Shape::Map(_), DeValue::Table(_)) => true,
        (Shape::List { of, .. }, DeValue::Array(items)) => {
            items.first().is_none_or(|first| fits(Value { value: first, in_si: None }, of))
        }
        (Shape::Choice(shapes), _) => shapes.iter().any(|shape| fits(value, shape)),
        _ => false,
    }
}

/// A shape in words.
fn describe(shape: &'static Shape) -> String {
    match shape {
        Shape::Number(bound) => bound.text().into(),
        Shape::Whole(limit) => format!("a whole number from 0 to {limit}"),
        Shape::Flag => "true or false".into(),
        Shape::Text => "a string".into(),
        Shape::Word(words) => {
            format!("one of {}", words.iter().map(|(word, _)| format!("\"{word}\"")).collect::<Vec<_>>().join(", "))
        }
        Shape::List { of, length: Some((n, _)) } => format!("a list of {n}, each {}", describe(of)),
        Shape::List { of, length: None } => format!("a list, each entry {}", describe(of)),
        Shape::Table(shape) => table_in_words(shape),
        Shape::Made(shape) => table_in_words(shape()),
        Shape::Map(of) => format!("a table of names, each {}", describe(of)),
        Shape::Choice(shapes) => shapes.iter().map(|shape| describe(shape)).collect::<Vec<_>>().join(", or "),
    }
}

fn table_in_words(shape: &TableShape) -> String {
    format!("a table {{ {} }}", shape.keys.iter().map(|key| key.name).collect::<Vec<_>>().join(", "))
}
