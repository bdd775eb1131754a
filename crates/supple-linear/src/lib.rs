//! Linear models of flexible multibody systems.
//!
//! | module          | gives                                                      |
//! |-----------------|------------------------------------------------------------|
//! | [`state_space`] | `ẋ = A x + B u`, `y = C x + D u` with names and units       |
//! | [`matrix`]      | dense matrices as this crate hands them over                |

pub mod matrix;
pub mod state_space;

pub use matrix::Matrix;
pub use state_space::{OperatingPoint, Signal, StateSpace};
