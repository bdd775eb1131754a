//! Random values that are counted: each follows from the seed and from numbers that say which one it is.

mod distribution;
mod permutation;
mod philox;
mod plan;
mod sobol_sequence;
mod sobol_table;

pub use distribution::normal_quantile;
pub use philox::{Purpose, Stream};
pub use plan::Plan;
