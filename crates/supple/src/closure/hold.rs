//! Closures that hold their frames as they are: a grip, a brake.

use super::position::{self, tilt};
use super::response::look;
use crate::error::DynamicsError;
use crate::inputs::Inputs;
use crate::model::closing::ClosureData;
use crate::model::joint::{Joint, Slide, Turn};
use crate::model::{ClosureHandle, Model};
use crate::state::State;
use crate::workspace::{SidePlace, Workspace};
use supple_spatial::{Quaternion, Scalar, Vector3};

/// Where a closure holds its frames, when it is not where the model says: see [`hold`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hold<T = f64> {
    /// Attitude of the frame that is held in frame `b`, whose z is along the axis of the closure.
    pub rotation: Quaternion<T>,
    /// Its origin, in the same axes.
    pub position: Vector3<T>,
    /// What is added to the offset of a coupling.
    pub offset: T,
}

impl<T: Scalar> Hold<T> {
    /// Where the model says.
    pub const NONE: Self = Self { rotation: Quaternion::IDENTITY, position: Vector3::ZERO, offset: T::ZERO };

    /// All its numbers.
    pub fn to_array(self) -> [T; 8] {
        let ([x, y, z, w], [a, b, c]) = (self.rotation.0, self.position.0);
        [x, y, z, w, a, b, c, self.offset]
    }

    /// From all its numbers.
    pub fn from_array([x, y, z, w, a, b, c, offset]: [T; 8]) -> Self {
        Self { rotation: Quaternion([x, y, z, w]), position: Vector3([a, b, c]), offset }
    }
}

/// Makes a closure hold its frames where they are at `state`, in place of where the model says: frame `b` is moved on its node so that
/// nothing is open, and what the closure leaves free keeps its value. Couplings hold the present sum. No allocation.
///
/// # Errors
/// [`DynamicsError::OtherModel`] for a closure of another model; sizes that do not fit or numbers that are not finite. Nothing is changed
/// then.
pub fn hold(
    model: &Model,
    state: &mut State,
    closure: ClosureHandle,
    inputs: &Inputs,
    workspace: &mut Workspace,
) -> Result<(), DynamicsError> {
    if closure.stamp() != model.stamp() {
        return Err(DynamicsError::OtherModel { what: "closure" });
    }
    let i = closure.closure();
    let before = state.held.get_mut(i).and_then(Option::take); // a missing one is reported by the next line
    if let Err(error) = look(model, state, inputs, workspace) {
        state.held.iter_mut().skip(i).take(1).for_each(|held| *held = before);
        return Err(error);
    }
    let open = &workspace.closing.deviation[closure.rows()];
    state.held[i] = Some(match &model.closing[i] {
        ClosureData::Coupling(..) => Hold { offset: open[0], ..Hold::NONE },
        ClosureData::Joint(joint, _) => grip(joint, &workspace.closing.sides[i], open),
    });
    Ok(())
}

/// The frame on `b` in which nothing is open.
fn grip(joint: &Joint<f64>, [a, b]: &[SidePlace<f64>; 2], open: &[f64]) -> Hold<f64> {
    let turn = a.attitude.transpose() * b.attitude;
    // The rotation that takes the present frame to the one that is held, as a vector in the axes of `a`.
    let back = match joint.turns.first() {
        None => Vector3::ZERO,
        Some(Turn::About(_)) => -position::rotation_vector(&turn),
        Some(Turn::Tilt(_) | Turn::Angle) => {
            let [x, y] = tilt(&turn);
            Vector3([-x, -y, 0.0])
        }
        Some(Turn::Between) => {
            let z_b = turn.column(2);
            let normal = Vector3([0.0, 0.0, 1.0]).cross(z_b);
            let sine = normal.norm_squared().sqrt();
            let angle = sine.atan2(z_b[2]);
            let wanted = joint.number.clamp(-1.0, 1.0).acos();
            if sine > 0.0 { normal * ((wanted - angle) / sine) } else { Vector3([wanted - angle, 0.0, 0.0]) }
        }
    };
    let held = Quaternion::exponential(back).to_matrix() * turn;
    let mut shift = Vector3::ZERO;
    for (held, open) in joint.slides.iter().zip(&open[joint.turns.len()..]) {
        match *held {
            Slide::Along(i) | Slide::Across(i) => shift[i] -= open,
            Slide::Advance => shift[2] -= open,
            Slide::Distance => {
                let d = a.attitude.transpose_mul(b.position - a.position);
                let length = d.norm_squared().sqrt();
                let along = if length > 0.0 { d * (1.0 / length) } else { Vector3([1.0, 0.0, 0.0]) };
                shift -= along * *open;
            }
        }
    }
    Hold {
        rotation: Quaternion::from_matrix(&(turn.transpose() * held)).normalized(),
        position: turn.transpose_mul(shift),
        offset: 0.0,
    }
}
