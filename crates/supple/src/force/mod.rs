//! Forces that the state itself makes in hinges: springs, damping, friction and stops.
//!
//! Each acts in one direction of one hinge and is known by its force, the energy it stores and the power it takes, so that a ledger
//! balances. With the hinge coordinate `θ` and speed `β`, the forces on the speed are
//!
//! | element  | force                                            | stores            | takes                |
//! |----------|--------------------------------------------------|-------------------|----------------------|
//! | spring   | `-k (θ - θ₀)`                                    | `½ k (θ - θ₀)²`   | nothing              |
//! | damping  | `-c β`                                           | nothing           | `c β²`               |
//! | friction | `-f tanh(β / s)`                                 | nothing           | `f β tanh(β / s)`    |
//! | stop     | `∓k d (1 + e ḋ)`, never pulling, at depth `d > 0`| `½ k d²`          | `k d e ḋ²`           |
//!
//! Friction is smoothed over the speed `s`, so that integrators meet no jump; below it the hinge creeps. The damping of a stop grows
//! with its depth, so that contact begins without a jump as well.

use crate::model::hinge::HingeMotion;
use crate::model::{BodyIndex, Model};
use crate::state::State;
use std::fmt;

/// A linear spring.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spring {
    /// Stiffness, N m/rad or N/m.
    pub stiffness: f64,
    /// Coordinate at which it is relaxed, rad or m.
    pub rest: f64,
}

/// Coulomb friction, smoothed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Friction {
    /// Greatest friction, N m or N.
    pub force: f64,
    /// Speed at which 76 % of it is reached, rad/s or m/s.
    pub speed: f64,
}

/// Elastic stops on both sides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stops {
    /// Coordinate of the lower stop, rad or m; minus infinity without one.
    pub lower: f64,
    /// Coordinate of the upper stop; infinity without one.
    pub upper: f64,
    /// Stiffness, N m/rad or N/m.
    pub stiffness: f64,
    /// Damping `e` of the contact, s/rad or s/m.
    pub damping: f64,
}

/// What acts in one direction of a hinge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HingeElement {
    /// The body that the hinge carries.
    pub body: BodyIndex,
    /// The direction, by the place of its speed in the hinge.
    pub speed: usize,
    /// A spring.
    pub spring: Option<Spring>,
    /// Viscous damping, N m s/rad or N s/m.
    pub damping: f64,
    /// Friction.
    pub friction: Option<Friction>,
    /// Stops.
    pub stops: Option<Stops>,
}

impl HingeElement {
    /// Nothing yet, in the first direction of the hinge of `body`.
    pub fn new(body: BodyIndex) -> Self {
        Self { body, speed: 0, spring: None, damping: 0.0, friction: None, stops: None }
    }
}

/// An element that makes no sense.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ElementError {
    /// A body or direction that does not exist.
    NoSuchSpeed {
        /// The body.
        body: BodyIndex,
        /// The direction asked for.
        speed: usize,
        /// How many the hinge has.
        speeds: usize,
    },
    /// A spring or stop in a direction that has no coordinate of its own.
    NoCoordinate {
        /// Name of the body.
        body: String,
    },
    /// A number that breaks a rule.
    BadNumber {
        /// Name of the body.
        body: String,
        /// The quantity.
        quantity: &'static str,
        /// The value.
        value: f64,
        /// The rule.
        rule: &'static str,
    },
}

impl fmt::Display for ElementError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchSpeed { body, speed, speeds } => {
                write!(f, "the hinge of body {} has {speeds} speed(s), there is no speed {speed}", body.0)
            }
            Self::NoCoordinate { body } => write!(
                f,
                "body '{body}': its hinge turns by a quaternion, so a direction has no coordinate for a spring or stop; use damping, or a hinge of single axes"
            ),
            Self::BadNumber { body, quantity, value, rule } => {
                write!(f, "body '{body}': {quantity} of its hinge is {value}; it must {rule}")
            }
        }
    }
}

impl std::error::Error for ElementError {}

/// The elements of a system. No allocation after [`new`](Self::new).
#[derive(Clone, Debug, Default)]
pub struct HingeElements {
    places: Vec<Place>,
}

/// An element with the places of its coordinate and speed in a state.
#[derive(Clone, Debug)]
struct Place {
    element: HingeElement,
    coordinate: Option<usize>,
    speed: usize,
}

/// Force and energies of one element.
#[derive(Clone, Copy, Debug, Default)]
struct Effect {
    force: f64,
    stored: f64,
    taken: f64,
}

impl HingeElements {
    /// Checks the elements against the hinges of `model`.
    ///
    /// # Errors
    /// The first element that makes no sense.
    pub fn new(model: &Model, elements: impl IntoIterator<Item = HingeElement>) -> Result<Self, ElementError> {
        let places = elements.into_iter().map(|element| Place::new(model, element)).collect::<Result<_, _>>()?;
        Ok(Self { places })
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Adds the forces of all elements to the generalized forces of a state.
    pub fn add_forces(&self, state: &State, forces: &mut [f64]) {
        for place in &self.places {
            forces[place.speed] += place.effect(state).force;
        }
    }

    /// Energy stored in springs and stops.
    pub fn stored_energy(&self, state: &State) -> f64 {
        self.places.iter().map(|place| place.effect(state).stored).sum()
    }

    /// Power taken by damping, friction and stops; not negative.
    pub fn dissipated_power(&self, state: &State) -> f64 {
        self.places.iter().map(|place| place.effect(state).taken).sum()
    }
}

impl Place {
    fn new(model: &Model, element: HingeElement) -> Result<Self, ElementError> {
        let body = element.body;
        let speeds = if body.0 < model.body_count() { model.hinge_speeds(body) } else { 0..0 };
        if element.speed >= speeds.len() {
            return Err(ElementError::NoSuchSpeed { body, speed: element.speed, speeds: speeds.len() });
        }
        let single = !matches!(model.bodies[body.0].hinge.motion, HingeMotion::Spherical | HingeMotion::Free);
        let coordinate = single.then(|| model.hinge_coordinates(body).start + element.speed);
        let name = || model.name(body).to_string();
        if coordinate.is_none() && (element.spring.is_some() || element.stops.is_some()) {
            return Err(ElementError::NoCoordinate { body: name() });
        }
        let spring = element.spring.unwrap_or(Spring { stiffness: 0.0, rest: 0.0 });
        let friction = element.friction.unwrap_or(Friction { force: 0.0, speed: 1.0 });
        let stops = element.stops.unwrap_or(Stops { lower: 0.0, upper: 0.0, stiffness: 0.0, damping: 0.0 });
        let finite = |x: f64| x.is_finite();
        let not_negative = |x: f64| x.is_finite() && x >= 0.0;
        let positive = |x: f64| x.is_finite() && x > 0.0;
        for (quantity, value, sound, rule) in [
            ("spring stiffness", spring.stiffness, not_negative(spring.stiffness), "be finite and not negative"),
            ("rest position of the spring", spring.rest, finite(spring.rest), "be finite"),
            ("damping", element.damping, not_negative(element.damping), "be finite and not negative"),
            ("friction", friction.force, not_negative(friction.force), "be finite and not negative"),
            ("smoothing speed of the friction", friction.speed, positive(friction.speed), "be finite and positive"),
            ("stiffness of the stops", stops.stiffness, not_negative(stops.stiffness), "be finite and not negative"),
            ("damping of the stops", stops.damping, not_negative(stops.damping), "be finite and not negative"),
            ("lower stop", stops.lower, stops.lower <= stops.upper, "not be above the upper stop"),
        ] {
            if !sound {
                return Err(ElementError::BadNumber { body: name(), quantity, value, rule });
            }
        }
        Ok(Self { element, coordinate, speed: speeds.start + element.speed })
    }

    fn effect(&self, state: &State) -> Effect {
        let beta = state.speeds[self.speed];
        let mut sum =
            Effect { force: -self.element.damping * beta, stored: 0.0, taken: self.element.damping * beta * beta };
        if let Some(Friction { force, speed }) = self.element.friction {
            let friction = force * (beta / speed).tanh();
            sum.force -= friction;
            sum.taken += friction * beta;
        }
        let Some(theta) = self.coordinate.map(|at| state.coordinates[at]) else { return sum };
        if let Some(Spring { stiffness, rest }) = self.element.spring {
            sum.force -= stiffness * (theta - rest);
            sum.stored += 0.5 * stiffness * (theta - rest).powi(2);
        }
        if let Some(stops) = self.element.stops {
            // Depth and its rate, and the direction that leads out.
            for (depth, rate, out) in [(stops.lower - theta, -beta, 1.0), (theta - stops.upper, beta, -1.0)] {
                if depth > 0.0 {
                    let elastic = stops.stiffness * depth;
                    let push = (elastic * (1.0 + stops.damping * rate)).max(0.0);
                    sum.force += out * push;
                    sum.stored += 0.5 * elastic * depth;
                    sum.taken += (push - elastic) * rate;
                }
            }
        }
        sum
    }
}
