//! Beam finite elements along the x axis of their body.
//!
//! A station has six degrees of freedom, angular first as everywhere: `[θ_x, θ_y, θ_z, u, v, w]`. A [`BeamMesh`] gives the
//! assembled matrices as a [`Structure`](crate::reduction::Structure); after a reduction it gives the nodes of the engine.
//!
//! | module        | gives                                                                          |
//! |---------------|--------------------------------------------------------------------------------|
//! | [`shape`]     | shape functions of rods and plane beams, uniform or tapered                    |
//! | [`element`]   | motion and strain inside a 12-dof element, stiffness, mass, geometric stiffness |
//! | [`point_mass`]| rigid masses at stations                                                       |
//! | [`mesh`]      | stations, elements, fittings                                                   |
//! | [`assembly`]  | the sparse matrices of a mesh                                                  |
//! | [`body`]      | nodes, modal stiffness and strain samples for the engine                       |

pub mod assembly;
pub mod body;
pub mod element;
pub mod mesh;
pub mod point_mass;
pub mod shape;

pub use body::{FeBody, StrainSample};
pub use element::{Element, Point, Theory};
pub use mesh::{BeamMesh, Condition, MassModel, MeshError};
pub use point_mass::PointMass;
