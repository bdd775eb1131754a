//! The mass matrix and its inverse as operators, never formed: lemmas 6.1 to 6.3 of the paper.
//!
//! ```text
//! 𝓜   = [I + HφK] D [I + HφK]*          [JR92 (54)]
//! 𝓜⁻¹ = [I - HψK]* D⁻¹ [I - HψK]        [JR92 (56)]
//! ```
//!
//! Modes and hinges are taken apart, so `D` is block diagonal with a block `D_f` for the modes and a block `D_R` for
//! the hinge of each body.

mod articulated_body;
mod factor;
mod mass;

pub use articulated_body::ArticulatedBody;
pub use mass::{MassOperator, mass_operator};
