//! Values of attributes.

use super::defaults::Tag;
use super::document::{Attribute, Element};
use crate::robot::{MAX_SHOWN, Reading};
use crate::source::{Rule, shorten};

/// What has attributes: an element, with or without defaults.
pub(super) trait Attributes<'d> {
    /// An attribute.
    fn find(&self, name: &str) -> Option<&'d Attribute>;
    /// The element.
    fn element(&self) -> &'d Element;
}

impl<'d> Attributes<'d> for Tag<'d> {
    fn find(&self, name: &str) -> Option<&'d Attribute> {
        self.get(name)
    }

    fn element(&self) -> &'d Element {
        self.element
    }
}

impl<'d> Attributes<'d> for &'d Element {
    fn find(&self, name: &str) -> Option<&'d Attribute> {
        self.own(name)
    }

    fn element(&self) -> &'d Element {
        self
    }
}

/// A number, or a default; nothing where it cannot be read.
pub(super) fn number<'d>(
    of: &impl Attributes<'d>,
    name: &str,
    default: f64,
    subject: &str,
    reading: &mut Reading<'_>,
) -> Option<f64> {
    of.find(name).map_or(Some(default), |attribute| reading.number(attribute, subject))
}

/// As [`number`], not below zero.
pub(super) fn not_negative<'d>(
    of: &impl Attributes<'d>,
    name: &str,
    default: f64,
    subject: &str,
    reading: &mut Reading<'_>,
) -> Option<f64> {
    let value = number(of, name, default, subject, reading)?;
    if value >= 0.0 {
        return Some(value);
    }
    let span = of.find(name).map_or(of.element().span.clone(), |attribute| attribute.span.clone());
    let rule = Rule::Range { quantity: name.to_owned(), value, expected: "a number not below zero".into() };
    reading.error(span, subject, rule);
    None
}

/// So many numbers, or defaults; nothing where they cannot be read.
pub(super) fn numbers<'d, const N: usize>(
    of: &impl Attributes<'d>,
    name: &str,
    default: [f64; N],
    subject: &str,
    reading: &mut Reading<'_>,
) -> Option<[f64; N]> {
    of.find(name).map_or(Some(default), |attribute| reading.numbers(attribute, "entry", subject))
}

/// At most so many numbers; those that are absent keep their defaults.
pub(super) fn some_numbers<'d, const N: usize>(
    of: &impl Attributes<'d>,
    name: &str,
    mut default: [f64; N],
    subject: &str,
    reading: &mut Reading<'_>,
) -> Option<[f64; N]> {
    let Some(attribute) = of.find(name) else { return Some(default) };
    let found = reading.all_numbers(attribute, N, subject)?;
    default[..found.len()].copy_from_slice(&found);
    Some(default)
}

/// One of some words, or a default.
pub(super) fn word<'d>(
    of: &impl Attributes<'d>,
    name: &str,
    (known, default): (&[&'static str], &'static str),
    subject: &str,
    reading: &mut Reading<'_>,
) -> Option<&'static str> {
    let Some(attribute) = of.find(name) else { return Some(default) };
    let found = known.iter().find(|word| **word == attribute.value.trim()).copied();
    if found.is_none() {
        let rule = Rule::UnknownWord { word: shorten(&attribute.value, MAX_SHOWN), known: known.to_vec() };
        reading.error(attribute.span.clone(), subject, rule);
    }
    found
}

/// "true" or "false", or a default.
pub(super) fn flag<'d>(
    of: &impl Attributes<'d>,
    name: &str,
    default: bool,
    subject: &str,
    reading: &mut Reading<'_>,
) -> Option<bool> {
    let default = if default { "true" } else { "false" };
    word(of, name, (&["true", "false"], default), subject, reading).map(|word| word == "true")
}

/// A range that holds: where its flag says so, or where it is given and ranges switch themselves on.
pub(super) fn range<'d>(
    of: &impl Attributes<'d>,
    (range, limited): (&'static str, &str),
    auto: bool,
    subject: &str,
    reading: &mut Reading<'_>,
) -> Option<Option<[f64; 2]>> {
    let told = word(of, limited, (&["true", "false", "auto"], "auto"), subject, reading)?;
    let given = of.find(range);
    match (told, given) {
        ("false", _) | ("auto", None) => Some(None),
        ("auto", Some(attribute)) if !auto => {
            let what = format!("`{range}` is given without `{limited}`, and the compiler has autolimits=\"false\"");
            let rule = Rule::Mismatch { what, expected: format!("{limited}=\"true\" or \"false\"") };
            reading.error(attribute.span.clone(), subject, rule);
            None
        }
        (_, None) => {
            let element = of.element().tag.clone();
            reading.error(of.element().span.clone(), subject, Rule::MissingAttribute { attribute: range, element });
            None
        }
        (_, Some(attribute)) => {
            let [lower, upper] = reading.numbers(attribute, "end", subject)?;
            if lower > upper {
                let what = format!("the lower end {lower} of `{range}` is above the upper end {upper}");
                let rule = Rule::Mismatch { what, expected: "lower ≤ upper".into() };
                reading.error(attribute.span.clone(), subject, rule);
                return None;
            }
            Some(Some([lower, upper]))
        }
    }
}

/// Reports something that acts in MuJoCo and cannot act here: an error, or a note when reading leniently.
pub(super) fn cannot<'d>(
    of: &impl Attributes<'d>,
    name: &str,
    because: &str,
    subject: &str,
    reading: &mut Reading<'_>,
) {
    let (key, span) = match of.find(name) {
        Some(attribute) => (attribute.name.clone(), attribute.span.clone()),
        None => (of.element().tag.clone(), of.element().span.clone()),
    };
    let what = format!("`{key}`: {because}");
    let expected = "a robot without it; `--lenient` leaves it out".to_owned();
    reading.defect(span, subject, Rule::Mismatch { what, expected });
}
