//! Which hinges and closures of a model turn, and which slide.

use crate::document::Table;
use crate::document::convert::{Directions, HingeSenses};

/// What hinges and closures of a document do, by name: the units of their numbers depend on it.
pub(super) fn of(document: Table<'_>) -> Directions {
    let mut directions = Directions::default();
    for body in document.tables("body") {
        let Some(hinge) = body.table("hinge") else { continue };
        let Some(senses) = hinge.text("kind").and_then(HingeSenses::of_word) else { continue };
        for name in [body.text("name"), hinge.text("name")].into_iter().flatten() {
            directions.hinges.insert(name.to_owned(), senses.clone());
        }
    }
    directions.add_closures(document);
    directions
}
