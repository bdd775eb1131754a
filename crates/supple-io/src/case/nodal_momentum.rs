//! Angular momentum with the first-order elastic rotation, node by node.
//!
//! `R_e = I + skew(λ η)` is not orthogonal, so attitudes are not either, and a moment of momentum
//! taken in body axes is not the one taken in inertial axes. The schema takes it in inertial axes;
//! with every other elastic rotation the engine's sum over bodies is the same.

use supple::spatial::{Matrix3, Vector3};
use supple::{DynamicsError, NodeIndex, Workspace, kinematics};

use super::Case;
use super::system::Prepared;

/// `Σ R (J ω + m p × v) + x × R m (v - p × ω)` over all nodes, with `x` in inertial axes and the
/// rest in body axes.
pub(super) fn angular_momentum(
    case: &Case,
    prepared: &Prepared,
    workspace: &mut Workspace<f64>,
) -> Result<Vector3<f64>, DynamicsError> {
    let motion = kinematics(&prepared.model, &prepared.state, workspace)?;
    let mut sum = Vector3::ZERO;
    for (body, &k) in case.model.bodies.iter().zip(&prepared.bodies) {
        let attitude = motion.body_attitude(k);
        let back = inverse(&attitude);
        for (j, node) in body.nodes.iter().enumerate() {
            let velocity = motion.node_velocity(k, NodeIndex(j));
            let (omega, v) = (back * velocity.angular, back * velocity.linear);
            let p = Vector3(node.mass_centre);
            let spin = Matrix3(node.inertia) * omega + p.cross(v) * node.mass;
            let push = (v - p.cross(omega)) * node.mass;
            sum += attitude * spin + motion.node_position(k, NodeIndex(j)).cross(attitude * push);
        }
    }
    Ok(sum)
}

/// The inverse by cofactors. Products of `I + skew(·)` and rotations have determinants of at
/// least one.
fn inverse(matrix: &Matrix3<f64>) -> Matrix3<f64> {
    let [x, y, z] = [matrix.column(0), matrix.column(1), matrix.column(2)];
    let scale = x.dot(y.cross(z)).recip();
    Matrix3([(y.cross(z) * scale).0, (z.cross(x) * scale).0, (x.cross(y) * scale).0])
}
