//! Bodies from standard input data.

use std::ops::Range;

use supple::{Fidelity, Hinge, HingeKind, Parent};
use supple_bodies::sid::{Sid, SidBodyError, SidError};

use super::modal::FlexibleParts;
use super::words::{FIDELITIES, meaning};
use crate::document::Table;
use crate::source::{Report, Rule, Source};

/// Nodes, modes and tables of a text, which the table `modal` of `source` names.
pub(super) fn read(file: &Source, table: Table<'_>, source: &Source, report: &mut Report) -> Option<FlexibleParts> {
    let sid = parse(file, report)?;
    let told = match table.get("fidelity") {
        Some(word) => Some(meaning(FIDELITIES, word.text())?),
        None => None,
    };
    match parts(&sid, told) {
        Ok(parts) => Some(parts),
        Err(error) => {
            // What is known to stand in a block is told there, else where the file is named.
            match span(&file.text, &error) {
                Some(span) => report.add(file, span, Rule::StandardInputBody(error)),
                None => report.add(source, table.span_of("file"), Rule::StandardInputBody(error)),
            }
            None
        }
    }
}

/// The data of a text.
pub(crate) fn parse(file: &Source, report: &mut Report) -> Option<Sid> {
    let told = |error: SidError| report.add(file, line(&file.text, error.line), Rule::StandardInputData(error));
    Sid::read(&file.text).map_err(told).ok()
}

/// The place that an error is about, where it is known to be in a block.
pub(crate) fn span(text: &str, error: &SidBodyError) -> Option<Range<usize>> {
    block(error).and_then(|name| line_of_block(text, name))
}

/// With the given fidelity, or the one that uses all of the data.
pub(crate) fn parts(sid: &Sid, told: Option<Fidelity>) -> Result<FlexibleParts, SidBodyError> {
    let body = |fidelity| sid.body("", Parent::Ground, Hinge::new(HingeKind::Fixed), fidelity);
    let mut made = body(told.unwrap_or(Fidelity::Stiffened))?;
    if told.is_none() && made.modes.second_order.is_empty() {
        made.modes.fidelity = Fidelity::Exact;
    }
    Ok(FlexibleParts { modal_inertia: made.modal_inertia, ..FlexibleParts::new(made.nodes, made.modes) })
}

/// The block that an error is about.
fn block(error: &SidBodyError) -> Option<&str> {
    match error {
        SidBodyError::RestForce { .. } => Some("ksigma"),
        SidBodyError::Size { block, .. } => Some(block),
        _ => None,
    }
}

/// The place of a line, counted from 1, without the white space around it.
fn line(text: &str, number: usize) -> Range<usize> {
    let mut start = 0;
    for (k, line) in text.split_inclusive('\n').enumerate() {
        if k + 1 == number {
            let indent = line.len() - line.trim_start().len();
            return start + indent..start + indent.max(line.trim_end().len());
        }
        start += line.len();
    }
    start..start
}

/// The place of the line that opens a block.
fn line_of_block(text: &str, name: &str) -> Option<Range<usize>> {
    let number = text.lines().position(|line| line.trim() == name)?;
    Some(line(text, number + 1))
}
