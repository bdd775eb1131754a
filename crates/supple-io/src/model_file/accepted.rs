//! Bodies whose inertia is taken as it is, although no mass distribution has it.

use supple::{Model, Problem, System};

use crate::document::shape::{Shape, TEXT};
use crate::document::{Table, Value};
use crate::source::{Report, Rule, Source};

pub(crate) static ACCEPTED: Shape = Shape::List { of: &TEXT, length: None };
pub(crate) const ACCEPTED_DOC: &str = "names of bodies or links whose inertia is accepted although no mass distribution can have it (negative principal \
                                       moments, or a violated triangle inequality); a warning is kept in the results";

/// The names of a list that bodies have; others are reported.
pub(crate) fn names<'n>(
    document: Table<'_>,
    bodies: impl Iterator<Item = &'n str> + Clone,
    source: &Source,
    report: &mut Report,
) -> Vec<String> {
    let mut out = Vec::new();
    for value in document.get("accept_inertia").and_then(Value::items).into_iter().flatten() {
        let Some(name) = value.text() else { continue };
        if bodies.clone().any(|body| body == name) {
            out.push(name.to_owned());
        } else {
            let known = report.names(bodies.clone());
            report.add(source, value.span(), Rule::UnknownName { kind: "body", name: name.to_owned(), known });
        }
    }
    out
}

/// What was accepted: inertias that would be refused.
pub(crate) fn problems(system: &System) -> Vec<Problem> {
    if system.accepted_inertia.is_empty() {
        return Vec::new();
    }
    let strict = System { accepted_inertia: Vec::new(), ..system.clone() };
    let error = Model::build(&strict).err();
    let all = error.iter().flat_map(|error| error.problems());
    all.filter(|problem| problem.impossible_inertia().is_some()).cloned().collect()
}

/// Notes what was accepted in a model file.
pub(super) fn note(document: Table<'_>, system: &System, source: &Source, report: &mut Report) {
    let span = document.span_of("accept_inertia");
    for problem in problems(system) {
        report.doubt(source, span.clone(), problem.to_string(), "possible data; it is accepted, as requested");
    }
}
