//! General flexible bodies: nodes, a mass matrix and a stiffness matrix of any finite-element code.
//!
//! ```text
//! nodes + M + K ──GeneralModel::new──► structure() ──Reduction::reduce──► modes ──body()──► supple::Body
//! ```
//!
//! The body gets its inertia as tables of modal integrals, taken from the whole mass matrix, and its nodes as massless points with the
//! motions of the modes. Coordinates and matrices are in the axes of `F_k`, whose origin is that of the positions.

mod error;
mod model;
mod nodes;
mod tables;

pub use error::{DofName, GeneralError, RigidMotion};
pub use model::{GeneralModel, GeometricMatrices, RIGID_TOLERANCE};
pub use nodes::{GeneralNode, NodeDofs, read_nodes};
