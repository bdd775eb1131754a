//! Which values a quantity takes: lists and distributions.

use std::ops::Range;

use super::read::Reader;
use super::{Item, Law};
use crate::document::{Table, Value};
use crate::source::Rule;

impl Reader<'_> {
    /// The values of an entry of `vary`.
    pub(super) fn law(&mut self, table: Table<'_>) -> Option<Law> {
        if let (Some(weights), None) = (table.get("weights"), table.get("list")) {
            let because = "only values of a `list` have weights".into();
            self.add(weights.span(), Rule::Useless { key: "weights".into(), because });
        }
        if let Some(list) = table.get("list") {
            return self.list(table, list);
        }
        for (key, ratio) in [("linspace", false), ("logspace", true)] {
            if let Some(spaced) = table.table(key) {
                return self.spaced(spaced, ratio);
            }
        }
        if let Some(uniform) = table.get("uniform") {
            let [from, to] = uniform.array()?;
            return self.ordered(uniform.span(), &[from, to]).then_some(Law::Uniform { from, to });
        }
        if let Some(told) = table.table("normal") {
            let bounds = [told.number("from").unwrap_or(f64::NEG_INFINITY), told.number("to").unwrap_or(f64::INFINITY)];
            let law = Law::Normal { mean: told.number("mean")?, deviation: told.number("deviation")?, bounds };
            return self.ordered(told.span(), &bounds).then_some(law);
        }
        if let Some(told) = table.table("lognormal") {
            let bounds = [told.number("from").unwrap_or(0.0), told.number("to").unwrap_or(f64::INFINITY)];
            let law = Law::Lognormal { median: told.number("median")?, deviation: told.number("deviation")?, bounds };
            return self.ordered(told.span(), &bounds).then_some(law);
        }
        let told = table.table("triangular")?;
        let [from, peak, to] = [told.number("from")?, told.number("peak")?, told.number("to")?];
        if !(from <= peak && peak <= to) {
            self.mismatch(told.span(), format!("the peak {peak} is not between {from} and {to}"), "a peak between");
            return None;
        }
        self.ordered(told.span(), &[from, to]).then_some(Law::Triangular { from, peak, to })
    }

    /// Whether the second bound is beyond the first; reported where it is not.
    pub(super) fn ordered(&mut self, span: Range<usize>, bounds: &[f64; 2]) -> bool {
        let ordered = bounds[0] < bounds[1];
        if !ordered {
            let what = format!("from {} to {}", bounds[0], bounds[1]);
            self.mismatch(span, what, "bounds in ascending order");
        }
        ordered
    }

    fn list(&mut self, table: Table<'_>, list: Value<'_>) -> Option<Law> {
        let text = |value: Value<'_>| self.source.text.get(value.span()).unwrap_or_default().to_owned();
        let item = |value: Value<'_>| match value.items() {
            // Without line ends and comments that may be between.
            Some(entries) => {
                let entries: Vec<String> = entries.map(text).collect();
                Item { text: format!("[{}]", entries.join(", ")), number: None }
            }
            None => Item { text: text(value), number: value.number() },
        };
        let items: Vec<Item> = list.items()?.map(item).collect();
        if items.is_empty() {
            self.mismatch(list.span(), "an empty list", "one value or more");
            return None;
        }
        let weights = match table.get("weights") {
            Some(value) => Some(self.weights(value, items.len())?),
            None => None,
        };
        Some(Law::List { items, weights })
    }

    /// Shares that sum to one.
    fn weights(&mut self, value: Value<'_>, expected: usize) -> Option<Vec<f64>> {
        let weights = value.numbers()?;
        let (found, sum) = (weights.len(), weights.iter().sum::<f64>());
        if found != expected {
            let rule = Rule::Length { quantity: "weights".into(), found, expected, one_per: "value of the list" };
            self.add(value.span(), rule);
            return None;
        }
        if !(sum > 0.0 && sum.is_finite()) {
            self.mismatch(value.span(), format!("weights that sum to {sum}"), "a sum above zero");
            return None;
        }
        Some(weights.iter().map(|weight| weight / sum).collect())
    }

    fn spaced(&mut self, table: Table<'_>, ratio: bool) -> Option<Law> {
        let (from, to) = (table.number("from")?, table.number("to")?);
        let count = table.get("count")?.whole()?;
        if count < 2 {
            self.mismatch(
                table.span_of("count"),
                format!("{count} values"),
                "2 or more, since both ends are among them",
            );
            return None;
        }
        if ratio && !(from > 0.0 && to > 0.0) {
            self.mismatch(table.span(), format!("equal ratios from {from} to {to}"), "ends above zero");
            return None;
        }
        let value = |i: usize| match (i, i + 1 == count) {
            (0, _) => from,
            (_, true) => to,
            _ if ratio => from * (to / from).powf(i as f64 / (count - 1) as f64),
            _ => from + (to - from) * (i as f64 / (count - 1) as f64),
        };
        let item = |number: f64| Item { text: format!("{number:?}"), number: Some(number) };
        Some(Law::List { items: (0..count).map(value).map(item).collect(), weights: None })
    }
}
