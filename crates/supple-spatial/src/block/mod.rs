//! Small dense blocks over slices, for sizes that are known only when a model is built.

pub mod cholesky;
pub mod linear;
pub mod symmetric;

pub use linear::Linear;
