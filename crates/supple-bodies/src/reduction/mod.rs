//! From the matrices of a finite-element model to a few modes.
//!
//! A [`Structure`] is stiffness, mass and rigid motions. A [`Reduction`] says what is held, what is kept as interface, how many modes and
//! which static loads; it gives [`ReducedModes`], orthonormal in the mass.
//!
//! | module            | gives                                                                    |
//! |-------------------|--------------------------------------------------------------------------|
//! | [`sparse`]        | symmetric sparse matrices                                                |
//! | [`structure`]     | stiffness, mass and the motions that strain nothing                      |
//! | [`eigen`]         | `K φ = ω² M φ`: dense for small models, Krylov-Schur for large ones      |
//! | [`reduce`]        | eigenmodes, Craig-Bampton, static corrections                            |
//! | [`orthonormal`]   | modes orthonormal in the mass, dependent ones dropped                    |

mod aligned;
mod dense;
pub mod eigen;
mod error;
mod factor;
mod krylov;
pub mod orthonormal;
pub mod reduce;
pub mod sparse;
mod statics;
pub mod structure;

pub use eigen::{EigenPairs, Solver, eigenpairs};
pub use error::ReductionError;
pub use orthonormal::Dropped;
pub use reduce::{ModeSource, ReducedModes, Reduction, StaticLoad};
pub use sparse::SparseSymmetric;
pub use structure::Structure;

/// `a · b`.
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// `y += factor · x`.
pub(crate) fn add_scaled(y: &mut [f64], factor: f64, x: &[f64]) {
    y.iter_mut().zip(x).for_each(|(y, x)| *y += factor * x);
}
