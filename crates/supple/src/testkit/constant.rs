//! Accelerations where some bodies keep their undeformed inertia
//! ([`Fidelity::RuthlessConstant`](crate::model::Fidelity)).
//!
//! Such a body enters with `η = 0` in its own mass matrix, in its inertial bias, in its weight and
//! in the lever arms of the acceleration bias of the links that it is part of, and without any
//! term in `η̇` there. Velocities, node positions and applied wrenches keep the deformation.
//! With which of the equal expressions for the angular velocities at a hinge the terms in `η̇` are
//! dropped is a matter of taste, so this calculation takes only states where such a body has
//! `η̇ = 0`: there all of them agree.

use super::attitude;
use super::kinematics::{Arms, Kinematics, Moving, along};
use crate::model::Parent;
use supple_spatial::{Motion, Vector3};

/// Inertial derivatives of all body velocities at zero rates of the speeds.
///
/// # Panics
/// Where a body with constant terms has a nonzero rate of deformation.
pub(super) fn accelerations(kinematics: &Kinematics, at: &Moving<f64>) -> Vec<Motion<f64>> {
    let velocities = kinematics.velocities(at);
    let moving = along(at, &kinematics.rates(at));
    let mut accelerations: Vec<Motion<f64>> = Vec::new();
    for (k, body) in kinematics.system.bodies.iter().enumerate() {
        let still = kinematics.deformation_speeds(at, k).iter().all(|&x| x == 0.0);
        assert!(
            still || !kinematics.is_constant(k),
            "body {k} has constant inertial terms and a nonzero rate of deformation"
        );
        let (velocity, acceleration) = match body.parent {
            Parent::Body(p, _) => (velocities[p.0], accelerations[p.0]),
            Parent::Ground => (Motion::ZERO, Motion::ZERO),
        };
        // The rate of the link's velocity while its parent has no inertial acceleration, which
        // means component rates (0, -ω × v).
        let v_rate = -velocity.angular.cross(velocity.linear);
        let parent = Motion {
            angular: Vector3(velocity.angular.0.map(|x| attitude::moving(x, 0.0))),
            linear: Vector3(std::array::from_fn(|i| attitude::moving(velocity.linear[i], v_rate[i]))),
        };
        let moved = kinematics.link(&moving, k, Arms::Constant).velocity(parent);
        let value = Motion::from_array(moved.to_array().map(|x| x.value));
        let mut bias = Motion::from_array(moved.to_array().map(|x| x.derivative));
        bias.linear += value.angular.cross(value.linear);
        let carried = kinematics.link(at, k, Arms::Deformed).carried(acceleration);
        accelerations.push(carried + bias);
    }
    accelerations
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testkit::{Layout, RandomOptions, assert_close, oracle, random_system};

    /// Link by link or for the whole chain at once, the accelerations are the same.
    #[test]
    fn without_constant_terms_nothing_is_left_out() {
        for seed in 0..200 {
            let (system, state) = random_system(seed, &RandomOptions::default());
            let layout = Layout::new(&system);
            let kinematics = Kinematics { system: &system, layout: &layout };
            let (coordinates, attitudes) = (state.coordinates, state.attitudes);
            let at = Moving { coordinates, attitudes, speeds: state.speeds };
            let flat = |list: Vec<Motion<f64>>| -> Vec<_> { list.into_iter().map(Motion::to_array).collect() };
            let links = flat(accelerations(&kinematics, &at));
            assert_close(&links, &flat(oracle::accelerations(&kinematics, &at)), 1e-12);
        }
    }
}
