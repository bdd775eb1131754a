//! The answers to a reference case.

use std::io::Write;

use supple_io::case::{AnyCase, MAX_BYTES, ReadError};

use crate::LabError;
use crate::book::BookAnswer;

/// Most bytes of a case: what is longer is refused.
pub const LONGEST: usize = MAX_BYTES;

/// By which equations of motion a case is answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Equations {
    /// Recursive spatial operators, for every case.
    #[default]
    SpatialOperators,
    /// Book's recursive Lagrangian, for serial chains with rotary hinges and linear modes.
    Book,
}

/// Writes the answers to a case, one JSON object, to `out`. `source` names the case in messages.
///
/// # Errors
/// A case that is unsound, has no answer or is of a kind that is not supported.
pub fn answer(bytes: &[u8], source: &str, equations: Equations, out: &mut dyn Write) -> Result<(), LabError> {
    let case = AnyCase::from_bytes(bytes).map_err(|error| match error {
        ReadError::Unsupported { .. } => LabError::unsupported(source, error),
        error => LabError::failed(source, error),
    })?;
    match equations {
        Equations::SpatialOperators => {
            case.evaluate().map_err(|error| LabError::failed(source, error))?.write_json(&mut *out)?;
        }
        Equations::Book => by_book(source, &case)?.write_json(&mut *out)?,
    }
    Ok(writeln!(out)?)
}

/// The answers that Book's formulation has.
fn by_book(source: &str, case: &AnyCase) -> Result<BookAnswer, LabError> {
    match case {
        AnyCase::Tree(case) if case.model().loops.is_empty() => BookAnswer::of(case, source),
        _ => {
            let message = "kind: Book's formulation evaluates trees in one state; leave out --formulation for others";
            Err(LabError::unsupported(source, message))
        }
    }
}
