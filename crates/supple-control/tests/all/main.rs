//! Tests of trajectories, shapers and blocks.

#[path = "../../../supple/tests/counting_allocator/mod.rs"]
mod counting_allocator;

mod blocks;
mod feedback;
mod frames;
mod inversion;
mod model_based;
mod plants;
mod realtime;
mod shaper;
mod shaper_simulated;
mod trajectory;
mod weighted;
