//! The engine on other scalars: lanes, derivatives, counted operations; each is compiled here once.

#[path = "../counting_allocator/mod.rs"]
mod counting_allocator;
#[path = "../many/mod.rs"]
mod many;

mod analytic_derivatives;
mod batch;
mod batch_steps;
mod closed_batch;
mod conservation;
mod derivatives;
mod force_elements;
mod kinematics;
mod lagrange;
mod lanes;
mod large;
mod no_alloc;
mod reactions;
