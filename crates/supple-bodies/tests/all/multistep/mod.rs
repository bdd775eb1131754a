//! Adams and backward differentiation: order, limits, errors, breaks, checkpoints.

mod behaviour;
mod convergence;
