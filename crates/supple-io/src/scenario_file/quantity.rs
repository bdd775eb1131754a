//! Quantities that events watch, by name: the same names as those of the columns of results.

use supple::Model;
use supple::model::VariableKind;

/// A number that follows from the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Watched {
    /// A coordinate, by its place in the state.
    Coordinate(usize),
    /// A speed, by its place in the state.
    Speed(usize),
    /// Distance of the origins of the frames of a closure, by its place in the model.
    Distance(usize),
    /// Angle between the frames of a closure, by its place in the model.
    Angle(usize),
    /// Deviation of an equation of a closure, by its place among those of all closures.
    Deviation(usize),
}

/// All quantities, named as their columns are.
pub(super) fn quantities(model: &Model) -> Vec<(String, Watched)> {
    let mut all: Vec<_> = model.variables().into_iter().collect();
    // Body by body, as a list of what there is reads best.
    all.sort_by_key(|variable| (variable.body.is_none(), variable.body.map(|body| body.0)));
    let watched = all.into_iter().filter_map(|variable| {
        let number = match variable.kind {
            VariableKind::HingeCoordinate | VariableKind::ModalCoordinate => Watched::Coordinate(variable.index),
            VariableKind::HingeSpeed | VariableKind::ModalSpeed => Watched::Speed(variable.index),
            VariableKind::ClosureSeparation if variable.index % 2 == 0 => Watched::Distance(variable.index / 2),
            VariableKind::ClosureSeparation => Watched::Angle(variable.index / 2),
            VariableKind::ClosureDeviation => Watched::Deviation(variable.index),
            _ => return None,
        };
        Some((variable.name, number))
    });
    watched.collect()
}
