//! Elements and attributes with their places, and what is wrong with them.

use std::ops::Range;

use roxmltree::{Attribute, Node};

use crate::source::number;
use crate::source::{Report, Rule, Source, shorten};

/// Most characters of an offending value in a message.
const MAX_SHOWN: usize = 40;

/// Where problems go: defects become notes when reading leniently.
pub(super) struct Reading<'r> {
    pub(super) source: &'r Source,
    pub(super) report: &'r mut Report,
    pub(super) notes: &'r mut Report,
    pub(super) lenient: bool,
}

impl Reading<'_> {
    /// Notes an error.
    pub(super) fn error(&mut self, span: Range<usize>, subject: &str, rule: Rule) {
        self.report.add_about(self.source, span, subject.to_owned(), rule);
    }

    /// Notes something that a lenient reader passes over.
    pub(super) fn defect(&mut self, span: Range<usize>, subject: &str, rule: Rule) {
        let list = if self.lenient { &mut *self.notes } else { &mut *self.report };
        list.add_about(self.source, span, subject.to_owned(), rule);
    }

    /// Notes something that a user should know.
    pub(super) fn note(&mut self, span: Range<usize>, subject: &str, rule: Rule) {
        self.notes.add_about(self.source, span, subject.to_owned(), rule);
    }

    /// Reads what is no part of the dynamics: all that is wrong with it is passed over by a lenient reader.
    pub(super) fn aside<T>(&mut self, read: impl FnOnce(&mut Reading<'_>) -> T) -> T {
        if !self.lenient {
            return read(self);
        }
        let mut report = self.notes.with_equal_room();
        let out = read(&mut Reading { report: &mut report, notes: self.notes, ..*self });
        self.notes.take_over(report);
        out
    }

    /// Known names for a message about a defect; none where it would only be counted.
    pub(super) fn names<'k>(&self, known: impl IntoIterator<Item = &'k str>) -> Vec<String> {
        if self.lenient { self.notes.names(known) } else { self.report.names(known) }
    }

    /// Attributes that are not known are defects.
    pub(super) fn check_attributes(&mut self, node: Node<'_, '_>, subject: &str, known: &'static [&'static str]) {
        for attribute in node.attributes() {
            if attribute.namespace().is_none() && !known.contains(&attribute.name()) {
                let element = node.tag_name().name().to_owned();
                let rule = Rule::UnknownAttribute { attribute: shorten(attribute.name(), MAX_SHOWN), element, known };
                self.defect(attribute.range_qname(), subject, rule);
            }
        }
    }

    /// Elements that are not known are defects; those of other namespaces belong to other programs.
    pub(super) fn check_elements(&mut self, node: Node<'_, '_>, subject: &str, known: &'static [&'static str]) {
        for child in node.children().filter(Node::is_element) {
            let name = child.tag_name();
            if name.namespace().is_none() && !known.contains(&name.name()) {
                let parent = node.tag_name().name().to_owned();
                let rule = Rule::UnknownElement { element: shorten(name.name(), MAX_SHOWN), parent, known };
                self.defect(tag_span(child), subject, rule);
            }
        }
    }

    /// A child that may stand once.
    pub(super) fn child<'a, 'i>(&mut self, node: Node<'a, 'i>, name: &str, subject: &str) -> Option<Node<'a, 'i>> {
        let mut all = node.children().filter(|child| child.has_tag_name(name));
        let first = all.next();
        for other in all {
            self.error(tag_span(other), subject, Rule::RepeatedElement { element: name.to_owned() });
        }
        first
    }

    /// An attribute that must be there.
    pub(super) fn need<'a, 'i>(
        &mut self,
        node: Node<'a, 'i>,
        attribute: &'static str,
        subject: &str,
    ) -> Option<Attribute<'a, 'i>> {
        let found = node.attribute_node(attribute);
        if found.is_none() {
            let element = node.tag_name().name().to_owned();
            self.error(tag_span(node), subject, Rule::MissingAttribute { attribute, element });
        }
        found
    }

    /// A number.
    pub(super) fn number(&mut self, attribute: Attribute<'_, '_>, subject: &str) -> Option<f64> {
        self.one_number(attribute.value().trim(), attribute, subject)
    }

    /// A number that must be there.
    pub(super) fn need_number(&mut self, node: Node<'_, '_>, name: &'static str, subject: &str) -> Option<f64> {
        let attribute = self.need(node, name, subject)?;
        self.number(attribute, subject)
    }

    /// A number that may be absent; nothing where it cannot be read.
    pub(super) fn number_or(&mut self, node: Node<'_, '_>, name: &str, default: f64, subject: &str) -> Option<f64> {
        node.attribute_node(name).map_or(Some(default), |attribute| self.number(attribute, subject))
    }

    /// As [`number_or`](Self::number_or), not below zero.
    pub(super) fn not_negative_or(
        &mut self,
        node: Node<'_, '_>,
        name: &str,
        default: f64,
        subject: &str,
    ) -> Option<f64> {
        let value = self.number_or(node, name, default, subject)?;
        if value >= 0.0 {
            return Some(value);
        }
        let span = node.attribute_node(name).map_or(tag_span(node), |attribute| attribute.range_value());
        let rule = Rule::Range { quantity: name.to_owned(), value, expected: "a number not below zero".into() };
        self.error(span, subject, rule);
        None
    }

    /// Three numbers; zero where the attribute is absent.
    pub(super) fn vector_or(
        &mut self,
        node: Node<'_, '_>,
        name: &str,
        default: [f64; 3],
        subject: &str,
    ) -> Option<[f64; 3]> {
        node.attribute_node(name).map_or(Some(default), |attribute| self.numbers(attribute, "axis", subject))
    }

    /// As many numbers as there must be, one per thing.
    pub(super) fn numbers<const N: usize>(
        &mut self,
        attribute: Attribute<'_, '_>,
        one_per: &'static str,
        subject: &str,
    ) -> Option<[f64; N]> {
        let words: Vec<&str> = attribute.value().split_ascii_whitespace().take(N + 2).collect();
        if words.len() != N {
            let quantity = attribute.name().to_owned();
            let rule = Rule::Length { quantity, found: words.len(), expected: N, one_per };
            self.error(attribute.range_value(), subject, rule);
            return None;
        }
        let numbers: Vec<Option<f64>> = words.iter().map(|word| self.one_number(word, attribute, subject)).collect();
        numbers.into_iter().collect::<Option<Vec<f64>>>()?.try_into().ok()
    }

    fn one_number(&mut self, word: &str, attribute: Attribute<'_, '_>, subject: &str) -> Option<f64> {
        match number::parse(word) {
            Ok(number) => Some(number),
            Err(fault) => {
                let rule =
                    Rule::Number { quantity: attribute.name().to_owned(), text: shorten(word, MAX_SHOWN), fault };
                self.error(attribute.range_value(), subject, rule);
                None
            }
        }
    }
}

/// The place of an element: `<` and its name.
pub(super) fn tag_span(node: Node<'_, '_>) -> Range<usize> {
    let start = node.range().start;
    start..start + 1 + node.tag_name().name().len()
}
