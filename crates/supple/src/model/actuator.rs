//! A motor with its gear.

use super::BodyIndex;

/// A motor with a gear that drives one direction of a hinge.
///
/// The inertia of its rotor, `n² J` as seen at the hinge, resists the motion of the hinge beside
/// [`Hinge::rotor_inertia`](super::Hinge::rotor_inertia). What the motor does is an input: the forces of a drive. The limits are for the
/// drive to keep.
#[derive(Clone, Debug, PartialEq)]
pub struct Actuator {
    /// Name, unique among the actuators of the system.
    pub name: String,
    /// The body that the hinge carries.
    pub body: BodyIndex,
    /// The direction of the hinge, by the place of its speed.
    pub speed: usize,
    /// Turns of the rotor per turn of the hinge, `n`.
    pub gear_ratio: f64,
    /// Inertia of the rotor about its axis, `J`, kg m².
    pub rotor_inertia: f64,
    /// Greatest torque or force at the hinge, N m or N.
    pub effort_limit: Option<f64>,
    /// Greatest speed of the hinge, rad/s or m/s.
    pub speed_limit: Option<f64>,
}

impl Actuator {
    /// A motor without gear, rotor inertia or limits, in the first direction of the hinge of `body`.
    pub fn new(name: impl Into<String>, body: BodyIndex) -> Self {
        Self {
            name: name.into(),
            body,
            speed: 0,
            gear_ratio: 1.0,
            rotor_inertia: 0.0,
            effort_limit: None,
            speed_limit: None,
        }
    }

    /// Inertia of the rotor as the hinge feels it: `n² J`.
    pub fn reflected_inertia(&self) -> f64 {
        self.gear_ratio * self.gear_ratio * self.rotor_inertia
    }
}
