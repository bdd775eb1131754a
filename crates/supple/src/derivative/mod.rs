//! Derivatives of forward, inverse and hybrid dynamics with respect to the state and to what is given.

mod by_dual;
mod result;
mod verbs;

pub use result::Derivatives;
pub use verbs::{forward_dynamics_derivatives, hybrid_dynamics_derivatives, inverse_dynamics_derivatives};
