//! Linear models of flexible multibody systems.
//!
//! | module           | gives                                                       |
//! |------------------|-------------------------------------------------------------|
//! | [`mod@equilibrium`] | static and steadily moving equilibria, with large rotations and closures |
//! | [`mod@linearize`] | state-space models about a state, inputs and outputs by [name](signals) |
//! | [`mod@second_order`] | `M q̈ + C q̇ + K q = 0` in independent coordinates          |
//! | [`modes`]        | eigenvalues, damping, shapes, energies of the whole system |
//! | [`mod@vibrations`], [`sampled_vibrations()`] | eigenvalues alone, with sampled controllers as well |
//! | [`locks`]        | hinges locked and freed by name                             |
//! | [`state_space`]  | `ẋ = A x + B u`, `y = C x + D u` with names and units        |
//! | [`poles()`], [`zeros()`] | poles and invariant zeros                            |
//! | [`frequency_response`] | Bode, Nyquist and singular values; at which frequencies: [`frequency_grid()`] |
//! | [`zero_order_hold()`] | models in discrete time, with delays                   |
//! | [`balanced_reduction()`] | models with fewer states                            |
//! | [`lqr()`], [`kalman()`], [`kalman_of_inputs()`], [`lqg()`] | regulators, filters and compensators, continuous and sampled |
//! | [`margins()`]    | margins of gain, phase and delay of each loop               |
//! | [`mod@ringing`]  | decaying oscillations in a recorded curve                   |
//! | [`mod@inverse_kinematics`] | poses in which nodes are where they should be; manipulability |
//! | [`matrix`], [`complex`] | dense matrices and complex numbers as this crate hands them over |

mod analysis_error;
mod balance;
mod balanced_reduction;
pub mod complex;
mod coordinates;
mod differences;
pub mod equilibrium;
pub mod error;
#[cfg(test)]
mod examples;
mod exponential;
mod frequency_grid;
pub mod frequency_response;
mod harmonics;
mod held_plant;
mod hessenberg;
pub mod inverse_kinematics;
pub mod linearize;
pub mod locks;
mod loops;
mod margins;
pub mod matrix;
mod measure;
pub mod modes;
mod parts;
mod poles;
mod reduction;
mod regulator;
mod riccati;
pub mod ringing;
mod sampled_loop;
pub mod second_order;
mod sign;
pub mod signals;
mod spectrum;
pub mod state_space;
mod steady;
mod tangent;
mod tree_derivatives;
pub mod vibrations;
mod zero_order_hold;
mod zeros;

pub use analysis_error::AnalysisError;
pub use balanced_reduction::{BalancedModel, balanced_reduction};
pub use complex::Complex;
pub use equilibrium::{Equilibrium, equilibrium};
pub use error::{LinearError, NoEquilibrium};
pub use frequency_grid::{frequency_grid, natural_range};
pub use frequency_response::{FrequencyResponse, Response, unwrapped};
pub use harmonics::{Harmonics, NoHarmonics, harmonics, is_harmonic};
pub use inverse_kinematics::{
    HingeLimit, IkError, IkOptions, IkOutcome, IkSolution, Manipulability, Part, Task, inverse_kinematics,
    manipulability,
};
pub use linearize::{Selection, input_signals, linearize, output_signals};
pub use locks::{free, hold, lock};
pub use loops::{close_loops, lqg, open_loop, state_feedback_loop};
pub use margins::{Margins, margins};
pub use matrix::Matrix;
pub use modes::{SystemMode, SystemModes, system_modes};
pub use poles::poles;
pub use regulator::{KalmanFilter, Regulator, kalman, kalman_of_inputs, lqr};
pub use ringing::{NoRinging, Ringing, ringing};
pub use sampled_loop::{NoLoop, sampled_vibrations};
pub use second_order::{SecondOrder, second_order};
pub use state_space::{OperatingPoint, Signal, StateSpace};
pub use vibrations::{Vibration, vibrations};
pub use zero_order_hold::{MOST_SAMPLES, zero_order_hold};
pub use zeros::zeros;
