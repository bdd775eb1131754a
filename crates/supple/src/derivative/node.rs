//! Local to a node that modes move: what a mode does to all that the node carries.
//!
//! With `l`, `w = E θ̇`, `γ η̇` of the node and the motion `V`, `α` of its body, the node moves as
//!
//! ```text
//! ω_t = ω + w            α_t = [ω̇ + ω × w + ẇ;  v̇ + ω̇ × l + ω × (ω × l + 2 γη̇) + (γη̇)˙]
//! v_t = v + ω × l + γη̇
//! ```
//!
//! Bodies on it see the derivatives of these in axes that turn with the node, by `σ = E λ_r` per `η_r`.

#![allow(non_snake_case)] // symbols as printed, see docs/notation.md

use super::memory::{Local, Seen};
use super::spatial::Column;
use crate::model::description::ElasticRotation;
use crate::model::node::{NodeData, Slaves};
use crate::workspace::NodePlace;
use supple_spatial::rotation::{self, EulerOrder};
use supple_spatial::{Dual, Matrix3, Motion, Scalar, Vector3};

/// How the rotation of a node follows its slopes `θ`, where these are parameters of a rotation.
#[derive(Clone, Copy, Debug)]
pub(super) struct NodeTangent<T> {
    /// `∂w/∂θ`.
    w_theta: Matrix3<T>,
    /// `∂ẇ/∂θ`.
    change_theta: Matrix3<T>,
    /// `∂ẇ/∂θ̇`.
    change_rate: Matrix3<T>,
    /// `∂E/∂θ_i`.
    E_theta: [Matrix3<T>; 3],
}

impl<T: Scalar> NodeTangent<T> {
    /// `None` where the attitude of the node is integrated.
    fn new(option: ElasticRotation, theta: Vector3<T>, rate: Vector3<T>, change: Vector3<T>) -> Option<Self> {
        let kinematics = |theta: Vector3<Dual<T>>, rate: Vector3<Dual<T>>| {
            let (E, own) = match option {
                ElasticRotation::Euler321 => {
                    let E = rotation::euler(EulerOrder::Zyx, theta).rate;
                    (E, rotation::euler_rate_change(EulerOrder::Zyx, &E, rate))
                }
                ElasticRotation::Euler123 => {
                    let E = rotation::euler(EulerOrder::Xyz, theta).rate;
                    (E, rotation::euler_rate_change(EulerOrder::Xyz, &E, rate))
                }
                ElasticRotation::RotationVector => {
                    let E = rotation::rotation_vector(theta).rate;
                    (E, rotation::rotation_vector_rate_change(theta, rate))
                }
                _ => return None,
            };
            Some((E, E * rate, E.mul_add(Vector3(change.0.map(Dual::constant)), own)))
        };
        let along = |v: Vector3<T>, i: usize, moves: bool| {
            let mut v = Vector3(v.0.map(Dual::constant));
            v[i].derivative = if moves { T::ONE } else { T::ZERO };
            v
        };
        let derivative = |v: Vector3<Dual<T>>| Vector3(v.0.map(|x| x.derivative));
        let mut out = Self {
            w_theta: Matrix3::ZERO,
            change_theta: Matrix3::ZERO,
            change_rate: Matrix3::ZERO,
            E_theta: [Matrix3::ZERO; 3],
        };
        for i in 0..3 {
            let (E, w, change) = kinematics(along(theta, i, true), along(rate, i, false))?;
            out.E_theta[i] = Matrix3(E.0.map(|row| row.map(|x| x.derivative)));
            let (_, _, change_by_rate) = kinematics(along(theta, i, false), along(rate, i, true))?;
            let columns = [derivative(w), derivative(change), derivative(change_by_rate)];
            for (row, column) in (0..3).flat_map(|row| [(row, columns)]) {
                out.w_theta.0[row][i] = column[0][row];
                out.change_theta.0[row][i] = column[1][row];
                out.change_rate.0[row][i] = column[2][row];
            }
        }
        Some(out)
    }

    /// `m·(∂E/∂θ λ_r) λ_s`: how the moment `m` works on mode `s` when mode `r` turns the axes of the rates.
    pub fn turning(&self, m: Vector3<T>, r: Vector3<T>, s: Vector3<T>) -> T {
        (0..3).fold(T::ZERO, |sum, i| (self.E_theta[i] * s).dot(m).mul_add(r[i], sum))
    }
}

/// The motion of a body in its axes.
#[derive(Clone, Copy)]
pub(super) struct BodyMotion<T> {
    pub V: Motion<T>,
    pub alpha: Motion<T>,
}

/// Modes of a body and second-order shapes.
#[derive(Clone, Copy)]
pub(super) struct Modes<'a, T> {
    pub second: Slaves<'a, T>,
    /// `η̇* B η̇` per shape.
    pub change: &'a [T],
    pub local: &'a Local<T>,
}

/// How a node moves, in the axes of its body: its rate there, the velocity `V_t` and acceleration `α_t` of its axes.
struct NodeMotion<T> {
    rate: Motion<T>,
    rate_change: Motion<T>,
    V: Motion<T>,
    alpha: Motion<T>,
}

/// Velocity and acceleration of a node.
pub(super) fn motion<T: Scalar>(
    option: ElasticRotation,
    node: &NodeData<T>,
    place: &NodePlace<T>,
    body: BodyMotion<T>,
    modes: Modes<'_, T>,
) -> (Motion<T>, Motion<T>) {
    let moving = moving(option, node, place, body, modes);
    (moving.V, moving.alpha)
}

fn moving<T: Scalar>(
    option: ElasticRotation,
    node: &NodeData<T>,
    place: &NodePlace<T>,
    BodyMotion { V, alpha }: BodyMotion<T>,
    Modes { second, change, local }: Modes<'_, T>,
) -> NodeMotion<T> {
    let n = node.influence.len();
    let rate = node.combine(second, &local.q_dot[..n], Motion::ZERO);
    let rate_change = node.combine(second, &local.q_ddot[..n], node.change(change));
    let own = match option {
        _ if !node.turns => Vector3::ZERO,
        ElasticRotation::Euler321 => rotation::euler_rate_change(EulerOrder::Zyx, &place.rate, rate.angular),
        ElasticRotation::Euler123 => rotation::euler_rate_change(EulerOrder::Xyz, &place.rate, rate.angular),
        ElasticRotation::RotationVector => {
            let theta = node.displacement(second, &local.q[..n]).angular;
            rotation::rotation_vector_rate_change(theta, rate.angular)
        }
        _ => Vector3::ZERO,
    };
    let (omega, l) = (V.angular, place.position);
    let (w, w_dot) = (place.rate * rate.angular, place.rate.mul_add(rate_change.angular, own));
    let V_t = Motion::new(omega + w, omega.cross_add(l, V.linear) + rate.linear);
    let alpha_t = Motion::new(
        omega.cross_add(w, alpha.angular + w_dot),
        omega.cross_add(
            omega.cross_add(l, rate.linear + rate.linear),
            alpha.angular.cross_add(l, alpha.linear) + rate_change.linear,
        ),
    );
    NodeMotion { rate, rate_change, V: V_t, alpha: alpha_t }
}

/// Writes the columns of a node that modes move, about the root; what its rotation has of its own is given back.
pub(super) fn columns<T: Scalar>(
    option: ElasticRotation,
    node: &NodeData<T>,
    place: &NodePlace<T>,
    body: BodyMotion<T>,
    modes: Modes<'_, T>,
    seen: &Seen<T>,
    out: &mut [Column<T>],
) -> Option<NodeTangent<T>> {
    let n = out.len();
    let moving = moving(option, node, place, body, modes);
    let Modes { second, local, .. } = modes;
    let parametrised = match node.turns {
        true => {
            let theta = node.displacement(second, &local.q[..n]).angular;
            NodeTangent::new(option, theta, moving.rate.angular, moving.rate_change.angular)
        }
        false => None,
    };
    let E = |v: Vector3<T>| if parametrised.is_some() { place.rate * v } else { v };
    let (omega, alpha, l) = (body.V.angular, body.alpha, place.position);
    let (omega_t, v_t, alpha_t) = (moving.V.angular, moving.V.linear, moving.alpha);
    let origin = seen.attitude.mul_add(l, seen.position);
    let to_root = |m: Motion<T>| m.rotate(&seen.attitude).shift(-origin);
    for (r, column) in out.iter_mut().enumerate() {
        let Pi = node.column(r, second);
        let shapes = |gains: &[T]| {
            node.slaves.iter().enumerate().fold(Motion::ZERO, |m, (k, slave)| slave.scale_add(gains[k * n + r], m))
        };
        // ∂(Π η̇)/∂η_r and ∂(Π η̈)/∂η_r of second-order shapes
        let (Z, Y) = (shapes(&local.gain_rate), shapes(&local.gain_change));
        let (lambda, gamma) = (Pi.angular, Pi.linear);
        let (mut w_d, mut change_d, mut change_u) = (E(Z.angular), E(Y.angular), E(Z.angular + Z.angular));
        if let Some(p) = &parametrised {
            w_d += p.w_theta * lambda;
            change_d += p.change_theta.mul_add(lambda, p.change_rate * Z.angular);
            change_u += p.change_rate * lambda;
        }
        let sigma = E(lambda);
        let twice = |v: Vector3<T>| v + v;
        // Per displacement, in axes that turn by σ.
        let omega_d = w_d - sigma.cross(omega_t);
        let v_d = omega.cross_add(gamma, Z.linear) - sigma.cross(v_t);
        let a_w = omega.cross_add(w_d, change_d) - sigma.cross(alpha_t.angular);
        let a_v = alpha.angular.cross_add(gamma, omega.cross_add(omega.cross_add(gamma, twice(Z.linear)), Y.linear))
            - sigma.cross(alpha_t.linear);
        // ã = [δω̇ + ω × δω; δv̇ - 2 δω × v]
        let shifted = |omega_d: Vector3<T>, a_w: Vector3<T>, a_v: Vector3<T>| {
            Motion::new(omega_t.cross_add(omega_d, a_w), a_v - twice(omega_d).cross(v_t))
        };
        column.S = to_root(Motion::new(sigma, gamma));
        column.V_d = to_root(Motion::new(omega_d, v_d));
        column.A_d = to_root(shifted(omega_d, a_w, a_v));
        let a_w = omega.cross_add(sigma, change_u);
        let a_v = twice(omega.cross_add(gamma, Z.linear));
        column.A_u = to_root(shifted(sigma, a_w, a_v));
    }
    parametrised
}
