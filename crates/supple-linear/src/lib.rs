//! Linear models of flexible multibody systems.
//!
//! | module                 | gives                                                                      |
//! |------------------------|----------------------------------------------------------------------------|
//! | [`state_space`]        | `ẋ = A x + B u`, `y = C x + D u` with names and units                       |
//! | [`poles()`], [`zeros()`] | poles and invariant zeros                                                |
//! | [`frequency_response`] | Bode, Nyquist and singular values; at which frequencies: [`frequency_grid()`] |
//! | [`zero_order_hold()`]  | models in discrete time, with delays                                       |
//! | [`balanced_reduction()`]| balanced reduction                                                         |
//! | [`matrix`], [`complex`] | dense matrices and complex numbers as this crate hands them over          |

mod analysis_error;
mod balance;
mod balanced_reduction;
pub mod complex;
#[cfg(test)]
mod examples;
mod exponential;
mod frequency_grid;
pub mod frequency_response;
mod hessenberg;
pub mod matrix;
mod parts;
mod poles;
mod sign;
pub mod state_space;
mod zero_order_hold;
mod zeros;

pub use analysis_error::AnalysisError;
pub use balanced_reduction::{BalancedModel, balanced_reduction};
pub use complex::Complex;
pub use frequency_grid::{frequency_grid, natural_range};
pub use frequency_response::{FrequencyResponse, Response, unwrapped};
pub use matrix::Matrix;
pub use poles::poles;
pub use state_space::{OperatingPoint, Signal, StateSpace};
pub use zero_order_hold::{MOST_SAMPLES, zero_order_hold};
pub use zeros::zeros;
