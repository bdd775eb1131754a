//! Derivatives of forward, inverse and hybrid dynamics with respect to the state and to what is given.

mod body;
mod by_dual;
mod closure;
mod element;
mod inward;
mod load;
mod memory;
mod node;
mod outward;
mod path;
mod result;
mod solve;
mod spatial;
mod verbs;

#[cfg(all(test, feature = "testkit"))]
mod tests;

pub use result::Derivatives;
pub use verbs::{forward_dynamics_derivatives, hybrid_dynamics_derivatives, inverse_dynamics_derivatives};
