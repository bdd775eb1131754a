//! Motion in time: integrators on the states of a [`Model`](crate::Model).
//!
//! [`Simulation`] is the usual entry: a model, a state, a drive that sets forces and prescribed accelerations, and an
//! energy ledger that is integrated with the state to the same tolerance. [`Scheme`] lists the integrators; each has dense output, finds
//! events, and goes on from a checkpoint bit by bit. [`Sensitivities`] are a motion with its derivatives by parameters. [`Integrator`] does the same for any [`Equations`]. [`MotionEquations`] are those of a
//! model, for integrators from elsewhere.

mod adams;
mod adams_coefficients;
pub(crate) mod additive;
mod automatic;
mod bdf;
mod bdf_coefficients;
mod blame;
mod blocks;
mod brakes;
mod checkpoint;
mod closing;
mod damped;
mod effort_limits;
mod elsewhere;
mod equations;
mod error;
mod event;
mod event_search;
mod explicit;
mod exponential;
mod exponential_adams;
mod flat_state;
mod formulation;
mod gauss;
mod gauss_points;
mod generalized_alpha;
mod given_step;
mod integrator;
mod kink;
mod last_step;
mod ledger;
mod linearly_implicit;
mod lu;
mod model_equations;
mod motion_equations;
mod network;
mod request;
mod scheme;
mod sensitivities;
mod sensitivity;
mod settings;
mod shortfall;
mod simulation;
mod simulation_checkpoint;
mod stepper;
mod stumpff;
mod tableau;
mod tangent;

pub use blocks::{Block, BlockError, BlockIndex, Blocks, Measured, Role, Sampled, Source};
pub use brakes::Brake;
pub use checkpoint::Checkpoint;
pub use equations::{Equations, Kink};
pub use error::IntegrationError;
pub use event::{AtEvent, Crossing, Occurrence, Stop};
pub use formulation::Formulation;
pub use given_step::GivenStep;
pub use integrator::Integrator;
pub use ledger::Ledger;
pub use motion_equations::MotionEquations;
pub use network::Network;
pub use request::{Request, Switched};
pub use scheme::Scheme;
pub use sensitivities::{Response, Sensitivities};
pub use sensitivity::Variation;
pub use settings::{Limits, Statistics, Stepping, Tolerance, even_step};
pub use shortfall::Shortfall;
pub use simulation::{Drive, Simulation};
pub use simulation_checkpoint::SimulationCheckpoint;
