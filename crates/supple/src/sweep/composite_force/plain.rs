//! Bodies without modes on a rigid link of one axis: few numbers, all of them kept in registers.

#![allow(non_snake_case)] // symbols as printed, see docs/notation.md

use super::entries::Symmetric;
use super::{OneAxis, by_axis, one_axis_motion};
use crate::model::Model;
use crate::model::hinge::HingeData;
use crate::state::State;
use crate::workspace::{CompositeForces, Modal, Placed};
use supple_spatial::Scalar;

/// `Q`, `x` and `S`.
#[inline(never)]
pub(super) fn motion<T: Scalar>(model: &Model<T>, state: &State<T>, k: usize, ws: &mut CompositeForces<T>) {
    let body = &model.topology.bodies[k];
    let Some(p) = body.parent else { return };
    let theta = state.coordinates[body.coordinates.start];
    by_axis!(body.axis,
        Axis => {
            let own = place::<T, Axis>(&ws.placed[p], &model.bodies[k].hinge, theta);
            ws.placed[k] = own;
            ws.about_root.set(body.hinge.start, one_axis_motion::<T, Axis>(own.axis, own.position));
        },
        _ => {}
    );
}

/// Across a hinge: `Q = Q_p A R_J`, `x = x_p + Q_p (x + A d_J)`.
#[inline(always)]
fn place<T: Scalar, Axis: OneAxis>(inboard: &Placed<T>, hinge: &HingeData<T>, theta: T) -> Placed<T> {
    let A = inboard.attitude * hinge.rotation;
    let (attitude, lever) = Axis::place(&A, inboard.attitude * hinge.position, theta);
    Placed { attitude, position: inboard.position + lever, lever, axis: A.column(Axis::AXIS) }
}

/// Composite inertia and the row of the only speed.
#[inline(never)]
pub(super) fn row<T: Scalar>(
    model: &Model<T>,
    k: usize,
    modal: &Modal<T>,
    ws: &mut CompositeForces<T>,
    out: &mut Symmetric<'_, T>,
) {
    let body = &model.topology.bodies[k];
    let Some(p) = body.parent else { return };
    let own = &ws.placed[k];
    let mut C = modal.inertia[k].rotate(&own.attitude);
    if !body.carriers.is_empty() {
        C += ws.arrived[body.carriers.start];
    }
    super::arrive(body, C.shift(own.lever), &mut ws.arrived);

    // F = C S,  M(k,k) = S* F,  M(k,j) = F* S(j)
    let (e, i) = (own.axis, body.speeds.start);
    let (F, diagonal) = if body.axis.turns() {
        let F = C.mul_angular(e);
        (F, e.dot(F.angular))
    } else {
        let F = C.mul_linear(e);
        (F, C.mass)
    };
    let rotor = model.bodies[k].rotor.first().copied();
    out.set(i, i, rotor.map_or(diagonal, |rotor| diagonal + rotor));
    out.set_path(&model.topology, (p, body.carrier), &ws.about_root, [F.shift(own.position)], i);
}
