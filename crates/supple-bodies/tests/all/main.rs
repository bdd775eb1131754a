//! Beams, finite elements, reduction, body files, and bodies in motion.

#[path = "../exact/mod.rs"]
mod exact;
#[path = "../../../supple/tests/motions/mod.rs"]
mod motions;
#[path = "../seeded/mod.rs"]
mod seeded;

mod batch_of_beams;
mod carrying_links;
#[cfg(feature = "fe")]
mod craig_bampton;
mod examples;
#[cfg(feature = "fe")]
mod fe_convergence;
#[cfg(feature = "fe")]
mod fe_statics;
mod frequencies;
mod general_body;
mod integrators;
mod loss_factor;
mod manoeuvres;
mod many_modes;
mod matrix_file;
mod multistep;
#[cfg(feature = "fe")]
mod nodal_sums;
#[cfg(feature = "fe")]
mod reduction_engine;
#[cfg(feature = "fe")]
mod reduction_modes;
#[cfg(feature = "fe")]
mod report;
mod rigid;
mod rotating_beam;
mod sid_body;
mod sid_text;
mod validity;
mod varying_beams;
