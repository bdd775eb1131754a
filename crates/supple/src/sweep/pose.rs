//! Outward sweep: poses of the bodies in inertial axes.

use crate::model::Model;
use crate::workspace::Configuration;
use supple_spatial::{Matrix3, Scalar, Vector3};

/// Fills the world poses of `at`, after `sweep::configuration`.
pub(crate) fn pose<T: Scalar>(model: &Model<T>, at: &mut Configuration<T>) {
    for (k, body) in model.topology.bodies.iter().enumerate() {
        let (rotation, position, node) = match body.parent {
            None => (Matrix3::IDENTITY, Vector3::ZERO, Vector3::ZERO),
            Some(p) => (at.world_rotation[p], at.world_position[p], at.carrier[body.carrier].position),
        };
        let world = rotation * at.rotation[k];
        // F_k = F_p + R (l_t + ρ) - R_k l_d                                          [S3]
        let origin = rotation.mul_add(node + at.offset[k], position);
        at.world_rotation[k] = world;
        at.world_position[k] = origin - world * at.inboard[k].position;
    }
}
