//! Quantities that events watch, by name: the same names as those of the columns of results.

use supple::model::VariableKind;
use supple::{Measurement, Model};

/// A number that follows from the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Watched {
    /// What a sensor without error measures.
    Measured(Measurement),
    /// Distance of the origins of the frames of a closure, by its place in the model.
    Distance(usize),
    /// Angle between the frames of a closure, by its place in the model.
    Angle(usize),
    /// Deviation of an equation of a closure, by its place among those of all closures.
    Deviation(usize),
}

/// The quantity of a node by its name, where it follows from the state alone.
pub(super) fn of_node(model: &Model, name: &str) -> Option<Watched> {
    Measurement::find(model, name).filter(|found| !found.needs_accelerations()).map(Watched::Measured)
}

/// All quantities but those of nodes, named as their columns are.
pub(super) fn quantities(model: &Model) -> Vec<(String, Watched)> {
    let mut all: Vec<_> = model.variables().into_iter().collect();
    // Body by body, as a list of what there is reads best.
    all.sort_by_key(|variable| (variable.body.is_none(), variable.body.map(|body| body.0)));
    let watched = all.into_iter().filter_map(|variable| {
        let number = match variable.kind {
            VariableKind::HingeCoordinate | VariableKind::ModalCoordinate => {
                Watched::Measured(Measurement::Coordinate(variable.index))
            }
            VariableKind::HingeSpeed | VariableKind::ModalSpeed => {
                Watched::Measured(Measurement::Speed(variable.index))
            }
            VariableKind::ClosureSeparation if variable.index % 2 == 0 => Watched::Distance(variable.index / 2),
            VariableKind::ClosureSeparation => Watched::Angle(variable.index / 2),
            VariableKind::ClosureDeviation => Watched::Deviation(variable.index),
            _ => return None,
        };
        Some((variable.name, number))
    });
    watched.collect()
}
