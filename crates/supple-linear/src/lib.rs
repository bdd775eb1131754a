//! Linear models of flexible multibody systems.
//!
//! | module           | gives                                                       |
//! |------------------|-------------------------------------------------------------|
//! | [`mod@equilibrium`] | static and steadily moving equilibria, with large rotations and closures |
//! | [`mod@linearize`] | state-space models about a state, inputs and outputs by [name](signals) |
//! | [`mod@second_order`] | `M q̈ + C q̇ + K q = 0` in independent coordinates          |
//! | [`modes`]        | eigenvalues, damping, shapes, energies of the whole system |
//! | [`locks`]        | hinges locked and freed by name                             |
//! | [`state_space`]  | `ẋ = A x + B u`, `y = C x + D u` with names and units        |
//! | [`matrix`]       | dense matrices as this crate hands them over                 |

pub mod complex;
mod coordinates;
mod differences;
pub mod equilibrium;
pub mod error;
pub mod linearize;
pub mod locks;
pub mod matrix;
mod measure;
pub mod modes;
mod reduction;
pub mod second_order;
pub mod signals;
mod spectrum;
pub mod state_space;
mod steady;
mod tangent;
mod tree_derivatives;

pub use complex::Complex;
pub use equilibrium::{Equilibrium, equilibrium};
pub use error::{LinearError, NoEquilibrium};
pub use linearize::{Selection, input_signals, linearize, output_signals};
pub use locks::{free, lock};
pub use matrix::Matrix;
pub use modes::{SystemMode, SystemModes, system_modes};
pub use second_order::{SecondOrder, second_order};
pub use state_space::{OperatingPoint, Signal, StateSpace};
