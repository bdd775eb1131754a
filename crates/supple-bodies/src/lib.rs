//! Flexible bodies: beams, finite elements, and data of other programs.
//!
//! | module         | gives                                                                 |
//! |----------------|-----------------------------------------------------------------------|
//! | [`section`]    | stiffness and mass per length of tubes, boxes and solid sections      |
//! | [`beam`]       | exact modes of uniform beams, and bodies made of them                 |
//! | `fe`           | beam finite elements, Euler-Bernoulli and Timoshenko                  |
//! | `reduction`    | eigenmodes, Craig-Bampton, static corrections                         |
//! | [`report`]     | mode tables: frequencies, effective masses, sketches, warnings        |
//! | `matrix_file`  | Matrix Market and NumPy files                                         |
//! | `general`      | bodies from nodes and matrices of any finite-element code             |
//! | [`sid`]        | standard input data: a text format of flexible bodies                 |
//! | [`stiffening`] | geometric stiffness per unit load as second-order shapes              |
//! | [`rigid`]      | the rigid version of a system                                         |
//! | [`damping`]    | damping of bodies for ratios of the modes of a whole system           |
//! | [`catalogue`]  | published systems, ready to run                                       |
//! | [`eigen`]      | eigenvalues and vectors of small dense matrices                      |
//! | [`frequencies`] | frequencies of systems and bodies with their hinges locked           |
//! | [`quadrature`] | quadrature points and weights along a beam                            |
//!
//! `fe`, `reduction`, `matrix_file` and `general` come with the feature `fe`, which is off by default.

pub mod beam;
pub mod catalogue;
pub mod damping;
pub mod eigen;
#[cfg(feature = "fe")]
pub mod fe;
pub mod frequencies;
#[cfg(feature = "fe")]
pub mod general;
#[cfg(feature = "fe")]
pub mod matrix_file;
pub mod quadrature;
#[cfg(feature = "fe")]
pub mod reduction;
pub mod report;
pub mod rigid;
pub mod section;
pub mod sid;
pub mod stiffening;
