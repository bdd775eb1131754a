//! Motion in time: explicit integrators with step control, on the states of a [`Model`](crate::Model).
//!
//! [`Simulation`] is the usual entry: a model, a state, a drive that sets forces and prescribed accelerations, and an
//! energy ledger that is integrated with the state to the same tolerance.

mod adaptive;
mod simulation;
mod tableau;

pub use adaptive::{Adaptive, Equations, IntegrationError, Limits, Statistics, Tolerance};
pub use simulation::{Drive, Ledger, Simulation};
pub use tableau::Scheme;
