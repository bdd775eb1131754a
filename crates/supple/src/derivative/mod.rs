//! Derivatives of forward, inverse and hybrid dynamics with respect to the state and to what is given, and to parameters.
//!
//! ```text
//! outward   columns of all speeds about the root: S, Ψ̇, Ψ̈                    `outward`, `node`
//! inward    composite bodies; ∂T/∂δ, ∂T/∂u, 𝓜                                `inward`, with `body` and `load`
//! and       laws of force elements, equations of closures                    `element`, `closure`
//! then      ∂u̇ = 𝓜⁻¹ (∂T - …), forces of prescribed hinges                    `solve`
//! or        rigid trees with their accelerations, to be recorded             `rigid`
//! ```
//!
//! In its own axes a body outboard of a displaced hinge sees nothing but another velocity and acceleration of what carries it. With
//! `ã = δα + V × δV` in place of the acceleration, these are the same for all bodies outboard, seen from one point: each answers with `I ã + B δV`,
//! and answers add up [S4].

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
mod regressor;
mod result;
mod rigid;
mod solve;
mod spatial;
pub(crate) mod stage;
mod verbs;

pub use regressor::{Parameter, Regressor, RegressorColumn, inverse_dynamics_regressor};
pub use result::Derivatives;
pub use stage::TreeDerivatives;
pub use verbs::{forward_dynamics_derivatives, hybrid_dynamics_derivatives, inverse_dynamics_derivatives};
