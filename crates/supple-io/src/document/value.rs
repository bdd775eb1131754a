//! Values of a checked document. What does not fit its shape has been reported, so here it is only absent.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::source::number;

/// A value with its place.
#[derive(Clone, Copy)]
pub(crate) struct Value<'d>(pub(super) &'d Spanned<DeValue<'d>>);

/// A table with its place.
#[derive(Clone, Copy)]
pub(crate) struct Table<'d> {
    pub(super) table: &'d DeTable<'d>,
    pub(super) start: usize,
    pub(super) end: usize,
}

impl<'d> Value<'d> {
    pub(crate) fn span(self) -> Range<usize> {
        self.0.span()
    }

    pub(crate) fn number(self) -> Option<f64> {
        match self.0.get_ref() {
            DeValue::Float(float) => number::parse(float.as_str()).ok(),
            DeValue::Integer(whole) if whole.radix() == 10 => number::parse(whole.as_str()).ok(),
            DeValue::Integer(whole) => i64::from_str_radix(whole.as_str(), whole.radix()).ok().map(|i| i as f64),
            _ => None,
        }
    }

    pub(crate) fn whole(self) -> Option<usize> {
        match self.0.get_ref() {
            DeValue::Integer(whole) => usize::from_str_radix(whole.as_str(), whole.radix()).ok(),
            _ => None,
        }
    }

    pub(crate) fn flag(self) -> Option<bool> {
        if let DeValue::Boolean(flag) = self.0.get_ref() { Some(*flag) } else { None }
    }

    pub(crate) fn text(self) -> Option<&'d str> {
        if let DeValue::String(text) = self.0.get_ref() { Some(text) } else { None }
    }

    pub(crate) fn items(self) -> Option<impl ExactSizeIterator<Item = Value<'d>> + use<'d>> {
        if let DeValue::Array(items) = self.0.get_ref() { Some(items.iter().map(Value)) } else { None }
    }

    pub(crate) fn table(self) -> Option<Table<'d>> {
        let DeValue::Table(table) = self.0.get_ref() else { return None };
        let Range { start, end } = self.span();
        Some(Table { table, start, end })
    }

    pub(crate) fn numbers(self) -> Option<Vec<f64>> {
        self.items()?.map(Value::number).collect()
    }

    pub(crate) fn array<const N: usize>(self) -> Option<[f64; N]> {
        self.numbers()?.try_into().ok()
    }

    pub(crate) fn rows(self) -> Option<Vec<Vec<f64>>> {
        self.items()?.map(Value::numbers).collect()
    }

    pub(crate) fn matrix3(self) -> Option<[[f64; 3]; 3]> {
        self.items()?.map(Value::array).collect::<Option<Vec<[f64; 3]>>>()?.try_into().ok()
    }
}

impl<'d> Table<'d> {
    /// The place of the table: its header or braces.
    pub(crate) fn span(self) -> Range<usize> {
        self.start..self.end
    }

    pub(crate) fn get(self, key: &str) -> Option<Value<'d>> {
        self.entries().find(|(name, _, _)| *name == key).map(|(_, _, value)| value)
    }

    /// Keys with their places and values.
    pub(crate) fn entries(self) -> impl Iterator<Item = (&'d str, Range<usize>, Value<'d>)> {
        self.table.iter().map(|(key, value)| (key.get_ref().as_ref(), key.span(), Value(value)))
    }

    /// The place of a key's value, or of the table where it is absent.
    pub(crate) fn span_of(self, key: &str) -> Range<usize> {
        self.get(key).map_or(self.span(), Value::span)
    }

    pub(crate) fn number(self, key: &str) -> Option<f64> {
        self.get(key)?.number()
    }

    pub(crate) fn text(self, key: &str) -> Option<&'d str> {
        self.get(key)?.text()
    }

    pub(crate) fn table(self, key: &str) -> Option<Table<'d>> {
        self.get(key)?.table()
    }

    pub(crate) fn vector(self, key: &str) -> Option<[f64; 3]> {
        self.get(key)?.array()
    }

    /// A list of tables; empty where absent.
    pub(crate) fn tables(self, key: &str) -> Vec<Table<'d>> {
        self.get(key).and_then(Value::items).map_or(Vec::new(), |items| items.filter_map(Value::table).collect())
    }
}
