//! The speeds that move a point of a body, and how.

#![allow(non_snake_case)] // symbols as printed, see docs/notation.md

use super::memory::Recursion;
use super::spatial::Column;
use crate::model::Model;
use supple_spatial::Scalar;

/// Calls `each` with every speed that moves the frame of body `k`, or what its carrier carries where one is given, and its column.
pub(super) fn for_path<T: Scalar>(
    model: &Model<T>,
    mut k: usize,
    mut carrier: Option<usize>,
    from: &Recursion<T>,
    mut each: impl FnMut(usize, &Column<T>),
) {
    loop {
        let body = &model.topology.bodies[k];
        for r in 0..body.modes {
            let mut column = Column::ZERO;
            if let Some(c) = carrier {
                column = from.carried[body.modes_of_carrier(c)][r];
            }
            if body.free_free {
                column = column.minus(&from.inboard[body.modal.start + r]);
            }
            each(body.speeds.start + r, &column);
        }
        for (i, column) in from.hinge[body.hinge.clone()].iter().enumerate() {
            each(body.beta().start + i, column);
        }
        let Some(p) = body.parent else { break };
        (k, carrier) = (p, Some(body.carrier));
    }
}
