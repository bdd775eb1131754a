//! Beams, finite elements, reduction, body files, and bodies in motion.

#[path = "../exact/mod.rs"]
mod exact;
#[path = "../seeded/mod.rs"]
mod seeded;

mod batch_of_beams;
mod craig_bampton;
mod examples;
mod fe_convergence;
mod fe_statics;
mod frequencies;
mod general_body;
mod integrators;
mod matrix_file;
mod nodal_sums;
mod reduction_engine;
mod reduction_modes;
mod report;
mod rigid;
mod rotating_beam;
mod sid_body;
mod sid_text;
mod validity;
