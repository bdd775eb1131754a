//! Values of a checked document. What does not fit its shape has been reported, so here it is only absent.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::units::InSi;
use crate::source::number;

/// A value with its place.
#[derive(Clone, Copy)]
pub(crate) struct Value<'d> {
    pub(super) value: &'d Spanned<DeValue<'d>>,
    /// Numbers in SI, where the file has other units.
    pub(super) in_si: Option<&'d InSi>,
}

/// A table with its place.
#[derive(Clone, Copy)]
pub(crate) struct Table<'d> {
    pub(super) table: &'d DeTable<'d>,
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) in_si: Option<&'d InSi>,
}

impl<'d> Value<'d> {
    pub(crate) fn span(self) -> Range<usize> {
        self.value.span()
    }

    /// The number in SI units.
    pub(crate) fn number(self) -> Option<f64> {
        let converted = self.in_si.and_then(|numbers| numbers.get(self.span().start));
        converted.or_else(|| self.written_number())
    }

    /// By what a file of numbers that this value names is multiplied.
    pub(crate) fn scale(self) -> f64 {
        self.in_si.and_then(|numbers| numbers.get(self.span().start)).unwrap_or(1.0)
    }

    /// The number as it is written.
    pub(super) fn written_number(self) -> Option<f64> {
        match self.value.get_ref() {
            DeValue::Float(float) => number::parse(float.as_str()).ok(),
            DeValue::Integer(whole) if whole.radix() == 10 => number::parse(whole.as_str()).ok(),
            DeValue::Integer(whole) => i64::from_str_radix(whole.as_str(), whole.radix()).ok().map(|i| i as f64),
            _ => None,
        }
    }

    pub(crate) fn whole(self) -> Option<usize> {
        match self.value.get_ref() {
            DeValue::Integer(whole) => usize::from_str_radix(whole.as_str(), whole.radix()).ok(),
            _ => None,
        }
    }

    pub(crate) fn flag(self) -> Option<bool> {
        if let DeValue::Boolean(flag) = self.value.get_ref() { Some(*flag) } else { None }
    }

    pub(crate) fn text(self) -> Option<&'d str> {
        if let DeValue::String(text) = self.value.get_ref() { Some(text) } else { None }
    }

    pub(crate) fn items(self) -> Option<impl ExactSizeIterator<Item = Value<'d>> + use<'d>> {
        let in_si = self.in_si;
        let DeValue::Array(items) = self.value.get_ref() else { return None };
        Some(items.iter().map(move |value| Value { value, in_si }))
    }

    pub(crate) fn table(self) -> Option<Table<'d>> {
        let DeValue::Table(table) = self.value.get_ref() else { return None };
        let Range { start, end } = self.span();
        Some(Table { table, start, end, in_si: self.in_si })
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
        let in_si = self.in_si;
        self.table.iter().map(move |(key, value)| (key.get_ref().as_ref(), key.span(), Value { value, in_si }))
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
