//! Scalars and six-dimensional algebra for multibody dynamics.
//!
//! Numbers ([`scalar`]), vectors of three dimensions, rotations, spatial motions and forces,
//! inertias that use their structure, and small dense blocks over slices ([`block`]).
//! Nothing in this crate knows about bodies or systems.
//!
//! Conventions: spatial vectors are angular first; a [`Matrix3`] `R` that turns body `k` into
//! its parent maps components in `k` to components in the parent; `φ(x, y)` moves forces from
//! `y` to `x` and its transpose moves velocities from `x` to `y`.
#![cfg_attr(not(feature = "std"), no_std)]

pub mod block;
pub mod inertia;
pub mod inertia_rows;
pub mod matrix3;
pub mod matrix6;
pub mod quaternion;
pub mod rotation;
pub mod scalar;
pub mod spatial;
pub mod vector3;

pub use inertia::{ArticulatedInertia, RigidInertia};
pub use inertia_rows::InertiaRows;
pub use matrix3::{Matrix3, Symmetric3};
pub use matrix6::Matrix6;
pub use quaternion::Quaternion;
#[cfg(feature = "std")]
pub use scalar::{Counted, Operations, Traced};
pub use scalar::{Dual, Lanes, Mask, Scalar};
pub use spatial::{Force, Motion};
pub use vector3::Vector3;
