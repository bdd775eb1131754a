//! How far the frames of a closure are apart, whether it is active or not.

use super::position::rotation_vector;
use super::response::look;
use crate::check;
use crate::error::DynamicsError;
use crate::inputs::Inputs;
use crate::model::closing::ClosureData;
use crate::model::{ClosureHandle, Model};
use crate::state::State;
use crate::workspace::Workspace;

/// How far the frames `a` and `b` of a closure are apart. A coupling of hinges has no frames: its distance and angle are zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Separation {
    /// Distance of the origins of the frames, m.
    pub distance: f64,
    /// Angle of the rotation from one frame to the other, rad.
    pub angle: f64,
    /// Largest deviation of its equations, m or rad.
    pub deviation: f64,
    /// Largest speed of its equations, m/s or rad/s.
    pub speed: f64,
}

/// How far the frames of a closure are apart, and how far and how fast its equations deviate from the motion that `inputs` prescribe. A frame
/// that is [held](crate::hold) is where it was taken.
///
/// No allocation.
///
/// # Errors
/// [`DynamicsError::OtherModel`] for a closure of another model; sizes that do not fit or numbers that are not finite.
pub fn closure_separation(
    model: &Model,
    state: &State,
    inputs: &Inputs,
    closure: ClosureHandle,
    workspace: &mut Workspace,
) -> Result<Separation, DynamicsError> {
    if closure.stamp() != model.stamp() {
        return Err(DynamicsError::OtherModel { what: "closure" });
    }
    look(model, state, inputs, workspace)?;
    let closing = &workspace.closing;
    let [distance, angle] = match (&model.closing[closure.closure()], &closing.sides[closure.closure()]) {
        (ClosureData::Coupling(..), _) => [0.0; 2],
        (ClosureData::Joint(..), [a, b]) => {
            let turn = rotation_vector(&(a.attitude.transpose() * b.attitude));
            [b.position - a.position, turn].map(|vector| vector.norm_squared().sqrt())
        }
    };
    let largest = |numbers: &[f64]| numbers[closure.rows()].iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    let separation =
        Separation { distance, angle, deviation: largest(&closing.deviation), speed: largest(&closing.speed) };
    check::result("separation", &[distance, angle, separation.deviation, separation.speed], None)?;
    Ok(separation)
}
