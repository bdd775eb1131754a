//! Elements and attributes with their places, and what is wrong with them.

use std::ops::Range;

use roxmltree::{Attribute, Node};

use crate::robot::{MAX_SHOWN, Reading, Written};
use crate::source::{Rule, shorten};

impl<'a> From<Attribute<'a, '_>> for Written<'a> {
    fn from(attribute: Attribute<'a, '_>) -> Self {
        Self { name: attribute.name(), value: attribute.value(), span: attribute.range_value() }
    }
}

impl Reading<'_> {
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
}

/// The place of an element: `<` and its name.
pub(super) fn tag_span(node: Node<'_, '_>) -> Range<usize> {
    let start = node.range().start;
    start..start + 1 + node.tag_name().name().len()
}
