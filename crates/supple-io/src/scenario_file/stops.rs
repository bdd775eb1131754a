//! Stops of hinges, as an initial state sees them.

use supple::force::{HingeStops, Port};
use supple::{BodyIndex, Model, System};

/// A coordinate between stops.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StoppedHinge {
    /// The body of the hinge.
    pub body: BodyIndex,
    /// The place of the coordinate in the state.
    pub coordinate: usize,
    /// Coordinate of the lower stop; minus infinity without one.
    pub lower: f64,
    /// Coordinate of the upper stop; infinity without one.
    pub upper: f64,
}

impl StoppedHinge {
    /// The stop that a coordinate is beyond, and how far; none between the stops.
    pub fn beyond(&self, coordinate: f64) -> Option<(f64, f64)> {
        let depths = [(self.lower, self.lower - coordinate), (self.upper, coordinate - self.upper)];
        depths.into_iter().find(|(_, depth)| *depth > 0.0)
    }
}

/// All stops of a system that `model` was built of.
pub fn stops(system: &System, model: &Model) -> Vec<StoppedHinge> {
    let of_element = |element: &supple::force::ForceElement| {
        let HingeStops { lower, upper, .. } = *element.law()?;
        let [Port::Hinge { body, speed }] = element.ports[..] else { return None };
        // Hinges with a quaternion have no stops; in all others each speed has its coordinate.
        let coordinate = model.hinge_coordinates(body).start + speed;
        Some(StoppedHinge { body, coordinate, lower, upper })
    };
    system.forces.iter().filter_map(of_element).collect()
}
