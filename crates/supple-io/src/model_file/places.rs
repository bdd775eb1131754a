//! Where problems of a model stand in its file.

use std::ops::Range;

use supple::Problem;

use super::closure_tables::Places;
use super::problem_place::Part;
use crate::document::{Table, Value};

/// The tables of a document, in the order of the system.
pub(super) struct Tables<'d> {
    pub(super) bodies: &'d [Table<'d>],
    /// Force elements after those `in_hinges`.
    pub(super) forces: &'d [Table<'d>],
    pub(super) in_hinges: usize,
    pub(super) closures: &'d [Places],
}

impl Tables<'_> {
    /// The place of a problem that is about a force element or a closure.
    pub(super) fn span_of(&self, problem: &Problem) -> Option<Range<usize>> {
        match problem {
            Problem::ForcePort { element, .. } | Problem::ForceParameter { element, .. } => {
                self.forces.get(element.index?.checked_sub(self.in_hinges)?).map(|table| table.span())
            }
            Problem::Closure { index, reason, .. } => self.closures.get(*index).map(|places| places.of(reason)),
            _ => None,
        }
    }
}

/// The place of a part of a body.
pub(super) fn span_of_part(table: Table<'_>, part: Part) -> Range<usize> {
    let whole = table.span_of("name");
    let key = |key: &str| table.get(key).map(Value::span);
    match part {
        Part::Body => whole,
        Part::Inertia => {
            let properties = table.table("beam").and_then(|beam| beam.table("properties"));
            let own = properties.and_then(|told| told.get("rotary_inertia")).map(Value::span);
            own.or(key("beam")).or(key("nodes")).or(key("modal")).unwrap_or(whole)
        }
        Part::Hinge => table.table("hinge").map_or(whole, |hinge| {
            let near = ["axis", "axes", "normal"].iter().find_map(|key| hinge.get(key));
            near.or(hinge.get("kind")).map_or(hinge.span(), Value::span)
        }),
        Part::Rotor => table.table("hinge").map_or(whole, |hinge| {
            let near = hinge.get("rotor_inertia").or(hinge.get("motor"));
            near.or(hinge.get("kind")).map_or(hinge.span(), Value::span)
        }),
        Part::Modes => key("modes").or(key("beam")).or(key("modal")).unwrap_or(whole),
        Part::ModalInertia(name) => {
            let tables = table.table("modal_inertia");
            let one = tables.and_then(|tables| tables.get(name)).map(Value::span);
            one.or(tables.map(Table::span)).or(key("modal")).unwrap_or(whole)
        }
        Part::Node(index) => {
            let rigid = key("rigid");
            let index = if rigid.is_some() { index.checked_sub(1) } else { Some(index) };
            match index {
                None => rigid.unwrap_or(whole),
                Some(index) => {
                    let node = table.get("nodes").and_then(Value::items).and_then(|mut items| items.nth(index));
                    node.map(Value::span).or(key("beam")).or(key("modal")).unwrap_or(whole)
                }
            }
        }
    }
}
