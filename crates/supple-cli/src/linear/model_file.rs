//! A linear model as its files take it.

use supple_io::linear_file::{Array, LinearModel, Named};
use supple_linear::{Matrix, Signal, StateSpace};

/// The same model.
pub fn of(system: &StateSpace) -> LinearModel<'_> {
    let StateSpace { a, b, c, d, dt, states, inputs, outputs, operating_point } = system;
    LinearModel {
        matrices: [a, b, c, d].map(array),
        dt: dt.unwrap_or(0.0),
        signals: [states, inputs, outputs].map(|list| list.iter().map(named).collect()),
        operating_point: [&operating_point.x, &operating_point.u, &operating_point.y].map(Vec::as_slice),
    }
}

fn array(matrix: &Matrix) -> Array<'_> {
    Array { rows: matrix.rows(), columns: matrix.columns(), numbers: matrix.as_slice() }
}

fn named(signal: &Signal) -> Named<'_> {
    Named { name: &signal.name, unit: &signal.unit }
}
