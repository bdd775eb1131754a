//! State-space models with names and units.

use crate::Matrix;

/// A number of a linear model by name, as [`supple::Model`] names its variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signal {
    /// Name, unique among its kind.
    pub name: String,
    /// Unit in SI, "1" for pure numbers.
    pub unit: String,
}

/// Where a nonlinear system was linearised: the values that deviations count from.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OperatingPoint {
    /// Values of the states.
    pub x: Vec<f64>,
    /// Values of the inputs.
    pub u: Vec<f64>,
    /// Values of the outputs.
    pub y: Vec<f64>,
}

/// `ẋ = A x + B u`, `y = C x + D u`, or with [`dt`](Self::dt) `x⁺ = A x + B u`: deviations from an operating point.
#[derive(Clone, Debug, PartialEq)]
pub struct StateSpace {
    /// `A`.
    pub a: Matrix,
    /// `B`.
    pub b: Matrix,
    /// `C`.
    pub c: Matrix,
    /// `D`.
    pub d: Matrix,
    /// Sampling period of a discrete-time model, s.
    pub dt: Option<f64>,
    /// What the entries of `x` are.
    pub states: Vec<Signal>,
    /// What the entries of `u` are.
    pub inputs: Vec<Signal>,
    /// What the entries of `y` are.
    pub outputs: Vec<Signal>,
    /// Where it was linearised.
    pub operating_point: OperatingPoint,
}
