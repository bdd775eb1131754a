//! Inertial force of one body on its variables `(η̇, ω, v)`: Newton-Euler and Lagrange.

use super::attitude::moving;
use super::deformation::{displacement, displacement_rate};
use crate::model::{Body, InertiaConvention, Node};
use supple_spatial::{Dual, Force, Matrix3, Motion, Scalar, Vector3};

/// How a body moves: deformation, body velocity, and the rates of all of them.
#[derive(Clone)]
pub(super) struct BodyMotion<T> {
    pub eta: Vec<T>,
    pub eta_dot: Vec<T>,
    pub velocity: Motion<T>,
}

/// Velocity of a node: `ω_j = ω + θ̇`, `v_j = v + ω × l + u̇` with `l = l0 + u`.
pub(super) fn node_velocity<T: Scalar>(body: &Body, node: &Node, at: &BodyMotion<T>) -> Motion<T> {
    let l = Vector3::from_f64(node.position) + displacement(body, node, &at.eta).linear;
    let Motion { angular, linear } = at.velocity;
    let rigid = Motion { angular, linear: linear + angular.cross(l) };
    rigid + displacement_rate(body, node, &at.eta, &at.eta_dot)
}

/// Momentum `M_s V` of a node: `[J ω + m p × v; m v - m p × ω]`.
pub(super) fn node_momentum<T: Scalar>(node: &Node, v: Motion<T>) -> Force<T> {
    let (m, p) = (T::from_f64(node.mass), Vector3::from_f64(node.mass_centre));
    Force {
        angular: Matrix3::from_f64(node.inertia) * v.angular + p.cross(v.linear) * m,
        linear: (v.linear - p.cross(v.angular)) * m,
    }
}

/// Inertial force of a body whose velocity components change at `rate`; the rates of deformation
/// stay constant. Rows: modes, then moment about and force at the body's frame.
pub(super) fn inertial_force(
    convention: InertiaConvention,
    body: &Body,
    at: &BodyMotion<f64>,
    rate: Motion<f64>,
) -> Vec<f64> {
    let (v, r) = (at.velocity.to_array(), rate.to_array());
    let motion = BodyMotion {
        eta: at.eta.iter().zip(&at.eta_dot).map(|(&x, &r)| moving(x, r)).collect(),
        eta_dot: at.eta_dot.iter().map(|&x| moving(x, 0.0)).collect(),
        velocity: Motion::from_array(std::array::from_fn(|i| moving(v[i], r[i]))),
    };
    match convention {
        InertiaConvention::NewtonEuler => newton_euler(body, at, &motion),
        InertiaConvention::Lagrange => lagrange(body, at, &motion),
    }
}

/// Inertial derivative of a node's velocity: rate of its components plus `ω ×` each part.
pub(super) fn node_acceleration(body: &Body, node: &Node, at: &BodyMotion<Dual<f64>>) -> Motion<f64> {
    let v = node_velocity(body, node, at).to_array();
    let value = Motion::from_array(v.map(|x| x.value));
    let rate = Motion::from_array(v.map(|x| x.derivative));
    let omega = Vector3(at.velocity.angular.0.map(|x| x.value));
    Motion { angular: rate.angular + omega.cross(value.angular), linear: rate.linear + omega.cross(value.linear) }
}

/// `Σ_j (∂V_j/∂u)ᵀ (M_s A_j + b_j)` over the body variables `u`.
fn newton_euler(body: &Body, at: &BodyMotion<f64>, motion: &BodyMotion<Dual<f64>>) -> Vec<f64> {
    let mut total = vec![0.0; body.modes.count + 6];
    for node in &body.nodes {
        let p = Vector3(node.mass_centre);
        let w = node_velocity(body, node, at).angular;
        let gyroscopic = Force { angular: w.cross(Matrix3(node.inertia) * w), linear: w.cross(w.cross(p)) * node.mass };
        let f = node_momentum(node, node_acceleration(body, node, motion)) + gyroscopic;
        for (i, row) in total.iter_mut().enumerate() {
            *row += node_velocity(body, node, &unit(body, &at.eta, i)).dot(f);
        }
    }
    total
}

/// The body moving at a unit rate of its variable `i` alone.
fn unit(body: &Body, eta: &[f64], i: usize) -> BodyMotion<f64> {
    let mut rates = vec![0.0; body.modes.count + 6];
    rates[i] = 1.0;
    let (eta_dot, rigid) = rates.split_at(body.modes.count);
    BodyMotion {
        eta: eta.to_vec(),
        eta_dot: eta_dot.to_vec(),
        velocity: Motion::from_array(std::array::from_fn(|i| rigid[i])),
    }
}

/// `T = ½ Σ V_jᵀ M_s V_j`.
fn kinetic_energy<T: Scalar>(body: &Body, at: &BodyMotion<T>) -> T {
    let mut sum = T::ZERO;
    for node in &body.nodes {
        let v = node_velocity(body, node, at);
        sum += v.dot(node_momentum(node, v));
    }
    sum * T::from_f64(0.5)
}

/// `∂T/∂x` for variable `i` of `(η, η̇, ω, v)` in this order.
fn derivative<T: Scalar>(body: &Body, at: &BodyMotion<T>, i: usize) -> T {
    let modes = body.modes.count;
    let seed = |x: T, own: usize| moving(x, if own == i { T::ONE } else { T::ZERO });
    let v = at.velocity.to_array();
    let seeded = BodyMotion {
        eta: at.eta.iter().enumerate().map(|(r, &x)| seed(x, r)).collect(),
        eta_dot: at.eta_dot.iter().enumerate().map(|(r, &x)| seed(x, modes + r)).collect(),
        velocity: Motion::from_array(std::array::from_fn(|r| seed(v[r], 2 * modes + r))),
    };
    kinetic_energy(body, &seeded).derivative
}

/// Lagrange's equations in the quasi-velocities of the body:
/// `d/dt ∂T/∂η̇ - ∂T/∂η`, `ḣ + ω × h + v × P`, `Ṗ + ω × P` with `h = ∂T/∂ω`, `P = ∂T/∂v`.
fn lagrange(body: &Body, at: &BodyMotion<f64>, motion: &BodyMotion<Dual<f64>>) -> Vec<f64> {
    let modes = body.modes.count;
    let momentum = |i: usize| derivative(body, motion, modes + i);
    let mut total: Vec<f64> = (0..modes).map(|r| momentum(r).derivative - derivative(body, at, r)).collect();
    let rigid: [Dual<f64>; 6] = std::array::from_fn(|i| momentum(modes + i));
    let value = Force::from_array(rigid.map(|x| x.value));
    let rate = Force::from_array(rigid.map(|x| x.derivative));
    let (w, v) = (at.velocity.angular, at.velocity.linear);
    let moment = rate.angular + w.cross(value.angular) + v.cross(value.linear);
    let force = rate.linear + w.cross(value.linear);
    total.extend(moment.0);
    total.extend(force.0);
    total
}
