//! Adams and backward differentiation: order, events, errors.

#[path = "../../../supple/tests/motions/mod.rs"]
mod motions;

mod behaviour;
mod convergence;
