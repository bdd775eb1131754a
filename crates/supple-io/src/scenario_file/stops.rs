//! Stops of hinges, as an initial state sees them.

use std::fmt;

use supple::force::{HingeStops, Port};
use supple::model::VariableKind;
use supple::{BodyIndex, Model, State, System};

/// How far beyond a stop a hinge may start, relative to one radian or metre: rounding.
const TOLERANCE: f64 = 1e-9;

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

/// A hinge that starts beyond one of its stops: the energy stored there would set the system in motion.
#[derive(Clone, Debug, PartialEq)]
pub struct BeyondStop {
    /// The stops.
    pub stop: StoppedHinge,
    /// Name of the hinge, or of its body.
    pub hinge: String,
    /// Where it starts.
    pub start: f64,
    /// Unit of the coordinate.
    pub unit: &'static str,
}

impl BeyondStop {
    /// What to do about it.
    pub fn remedy(&self, is_prescribed: bool) -> String {
        let StoppedHinge { lower, upper, .. } = self.stop;
        match is_prescribed {
            true => format!("start its motion between {lower} and {upper}"),
            false => format!(
                "set `initial.hinges.\"{}\"` between {lower} and {upper}, or `initial.inside_stops = true` to start at the stop",
                self.hinge
            ),
        }
    }
}

impl fmt::Display for BeyondStop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { stop, hinge, start, unit } = self;
        let (limit, excess) = stop.beyond(*start).unwrap_or_default();
        let side = if *start < stop.lower { "lower" } else { "upper" };
        write!(
            f,
            "hinge `{hinge}` starts at {start} {unit}, beyond its {side} stop at {limit} {unit} by {excess:.6} {unit}"
        )
    }
}

/// The hinges that are beyond a stop at a state.
pub fn beyond_stops(system: &System, model: &Model, state: &State) -> Vec<BeyondStop> {
    let is_beyond = |stop: &StoppedHinge| {
        let beyond = stop.beyond(state.coordinates[stop.coordinate]);
        beyond.is_some_and(|(limit, excess)| excess > TOLERANCE * limit.abs().max(1.0))
    };
    let unit = |stop: &StoppedHinge| {
        let variables = model.variables();
        let own = variables.iter().find(|v| v.kind == VariableKind::HingeCoordinate && v.index == stop.coordinate);
        own.map_or("", |variable| variable.unit)
    };
    let describe = |stop: StoppedHinge| {
        let body = &system.bodies[stop.body.0];
        let hinge = body.hinge.name.as_ref().unwrap_or(&body.name).clone();
        BeyondStop { stop, hinge, start: state.coordinates[stop.coordinate], unit: unit(&stop) }
    };
    stops(system, model).into_iter().filter(is_beyond).map(describe).collect()
}
