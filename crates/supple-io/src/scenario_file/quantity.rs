//! Quantities of the state by name: the same names as those of the columns of results.

use supple::Model;
use supple::model::VariableKind;

/// A number of the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Watched {
    /// A coordinate, by its place in the state.
    Coordinate(usize),
    /// A speed, by its place in the state.
    Speed(usize),
}

/// All numbers of the state, named as their columns are.
pub(super) fn quantities(model: &Model) -> Vec<(String, Watched)> {
    let mut all: Vec<_> = model.variables().into_iter().collect();
    // Body by body, as a list of what there is reads best.
    all.sort_by_key(|variable| variable.body.map(|body| body.0));
    let watched = all.into_iter().filter_map(|variable| {
        let number = match variable.kind {
            VariableKind::HingeCoordinate | VariableKind::ModalCoordinate => Watched::Coordinate(variable.index),
            VariableKind::HingeSpeed | VariableKind::ModalSpeed => Watched::Speed(variable.index),
            _ => return None,
        };
        Some((variable.name, number))
    });
    watched.collect()
}
