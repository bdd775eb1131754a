//! The engine on numbers of double precision.

#[path = "../counting_allocator/mod.rs"]
mod counting_allocator;
#[path = "../motions/mod.rs"]
mod motions;

mod actuation;
mod agreement;
mod articulated_bodies;
mod attitudes;
mod brakes;
mod build_errors;
mod closed_motion;
mod closure_errors;
mod closures;
mod compound;
mod damaged_systems;
mod dense_and_events;
mod driven_closures;
mod dynamics_errors;
mod element_schemes;
mod force_elements;
mod hybrid;
mod integrators;
mod invariance;
mod killed_runs;
mod lagged;
mod massless;
mod measurements;
mod misuse;
mod modal_inertia;
mod motion_equations;
mod moving_time;
mod operators;
mod published_loops;
mod quantities;
mod reactions;
mod resume;
mod sampled_blocks;
mod secondary;
mod sensitivities;
mod separation;
mod stiffness;
mod stops;
mod threads;
mod workspace_reuse;
