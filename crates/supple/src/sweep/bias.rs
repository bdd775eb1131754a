//! Local to each body, after the velocities: `a_mR(k)` [JR92 (25)], `b_m(k)` [JR92 (37)], elastic and external forces.
//!
//! The bias comes from modal integrals, whose table is in `model::integrals`.

#![allow(non_snake_case)] // symbols as printed, see docs/notation.md

mod link;

use super::one_axis::{OneAxis, by_axis};
use crate::inputs::{Wrench, WrenchFrame};
use crate::model::Model;
use crate::model::body::Flexible;
use crate::state::State;
use crate::terms::Terms;
use crate::workspace::{Bias, Configuration, Modal, Velocity};
use link::link_acceleration;
use supple_spatial::block::linear::combination;
use supple_spatial::block::symmetric;
use supple_spatial::{Force, Motion, RigidInertia, Scalar, Symmetric3, Vector3};

/// Fills `out` with the chosen `terms`.
pub(crate) fn bias<T: Scalar>(
    model: &Model<T>,
    state: &State<T>,
    terms: Terms,
    at: &Configuration<T>,
    modal: &Modal<T>,
    velocity: &Velocity<T>,
    out: &mut Bias<T>,
) {
    rigid_bias(model, state, terms, at, modal, velocity, out);
    for &k in &model.topology.flexible {
        modal_forces(model, state, terms, k, (at, modal, velocity), out);
    }
}

/// The part of [`bias`] without the modes.
#[inline(never)] // a function of its own: its arguments are known not to overlap
pub(crate) fn rigid_bias<T: Scalar>(
    model: &Model<T>,
    state: &State<T>,
    terms: Terms,
    at: &Configuration<T>,
    modal: &Modal<T>,
    velocity: &Velocity<T>,
    out: &mut Bias<T>,
) {
    for (k, body) in model.topology.bodies.iter().enumerate() {
        if terms.velocity {
            out.acceleration[k] = by_axis!(body.axis,
                Axis if body.rigid_link => {
                    let turning = Axis::cross(velocity.body[k].angular, state.speeds[body.beta().start]);
                    let centripetal = centripetal(model, k, at, velocity);
                    match Axis::TURNS {
                        true => Motion::new(turning, centripetal),
                        false => Motion::new(Vector3::ZERO, turning + turning + centripetal),
                    }
                },
                Ball if body.rigid_link => {
                    let beta = &state.speeds[body.beta()];
                    let turning = velocity.body[k].angular.cross(Vector3([beta[0], beta[1], beta[2]]));
                    Motion::new(turning, centripetal(model, k, at, velocity))
                },
                _ => link_acceleration(model, state, k, at, velocity)
            );
            if body.modes == 0 {
                out.force[k] = gyroscopic(&modal.inertia[k], velocity.body[k].angular);
            }
        } else {
            out.acceleration[k] = Motion::ZERO;
            out.force[k] = Force::ZERO;
        }
    }
}

/// The part of [`bias`] of one body with modes, elastic forces included.
pub(crate) fn modal_forces<T: Scalar>(
    model: &Model<T>,
    state: &State<T>,
    terms: Terms,
    k: usize,
    (at, modal, velocity): (&Configuration<T>, &Modal<T>, &Velocity<T>),
    out: &mut Bias<T>,
) {
    let body = &model.topology.bodies[k];
    let Some(flexible) = &model.bodies[k].flexible else { return };
    let range = body.modal.clone();
    let rows = &mut out.modal[range.clone()];
    let V = velocity.body[k];
    let (eta, eta_dot) = (&state.coordinates[body.eta()], &state.speeds[body.eta_dot()]);
    rows.fill(T::ZERO);
    if terms.velocity {
        out.force[k] = if flexible.undeformed_bias {
            constant_bias(flexible, &modal.inertia[k], V, rows)
        } else if flexible.second_order.is_some() {
            second_order_bias(model, k, (at, modal, velocity), state, &mut out.augmented, rows)
        } else {
            let D = &modal.inertia_rate[body.augmented.clone()];
            let (inertia, F) = match flexible.constant {
                true => (&modal.deformed_inertia[k], &modal.deformed_coupling[body.augmented.clone()]),
                false => (&modal.inertia[k], &modal.coupling[range]),
            };
            modal_bias(flexible, inertia, D, F, V, eta, eta_dot, rows)
        };
    }
    if terms.elastic {
        flexible.elastic.add_force(eta, rows);
    }
    if terms.damping {
        flexible.elastic.damping.add_mul(eta_dot, rows);
    }
    if let (true, Some(offset)) = (terms.gravity, &flexible.integrals.offset) {
        // Potential with p fixed in F_k: Σ m γ g, where an accelerated ground gives E g.  [S1]
        for (row, o) in rows.iter_mut().zip(offset) {
            *row += o.dot(velocity.gravity[k]);
        }
        for (a, o) in offset[body.modes..].iter().enumerate() {
            let weight = o.dot(velocity.gravity[k]);
            for (row, gain) in rows.iter_mut().zip(at.slaves(body).gains(a)) {
                *row = gain.mul_add(weight, *row);
            }
        }
    }
}

/// `R* (ω_p × (ω_p × ρ))`: all that `a_mR` keeps of the parent where no mode moves the hinge. The hinge itself adds
/// `ω_k × Δω` to the angular part, or `2 ω_k × Δv` to the linear one.
#[inline(always)]
fn centripetal<T: Scalar>(model: &Model<T>, k: usize, at: &Configuration<T>, velocity: &Velocity<T>) -> Vector3<T> {
    let Some(p) = model.topology.bodies[k].parent else { return Vector3::ZERO };
    let w_p = velocity.body[p].angular;
    at.rotation[k].transpose_mul(w_p.cross(w_p.cross(at.offset[k])))
}

/// Subtracts external wrenches: `[Π(j)*; φ(k,j)] f`. World attitudes must be filled for inertial ones.
pub(crate) fn subtract_wrenches<T: Scalar>(
    model: &Model<T>,
    state: &State<T>,
    wrenches: &[Wrench<T>],
    at: &Configuration<T>,
    out: &mut Bias<T>,
) {
    for wrench in wrenches {
        let k = wrench.body.0;
        let body = &model.topology.bodies[k];
        let node = &model.bodies[k].nodes[wrench.node.0];
        let f = match wrench.frame {
            WrenchFrame::Body => wrench.force,
            WrenchFrame::Inertial => wrench.force.rotate_back(&at.world_rotation[k]),
        };
        let eta = &state.coordinates[body.eta()];
        out.force[k] -= f.shift(node.deformed(at.slaves(body), eta));
        node.project(at.slaves(body), -f, &mut out.modal[body.modal.clone()]);
    }
}

/// `[ω × J ω; ω × (ω × c)]`.
#[inline(always)]
fn gyroscopic<T: Scalar>(inertia: &RigidInertia<T>, w: Vector3<T>) -> Force<T> {
    Force::new(w.cross(inertia.inertia * w), w.cross(w.cross(inertia.moment)))
}

/// `B(r)` at `η = 0`.
#[inline(always)]
fn turning_first<T: Scalar>(f: &Flexible<T>, r: usize) -> Symmetric3<T> {
    match &f.integrals.turning_first {
        Some(turning) => turning[r],
        None => Symmetric3::ZERO,
    }
}

/// `b_m⁰`: the bias of the undeformed body, without `η̇`                               [JR92 (75)]
fn constant_bias<T: Scalar>(f: &Flexible<T>, inertia: &RigidInertia<T>, V: Motion<T>, rows: &mut [T]) -> Force<T> {
    let w = V.angular;
    let half_ww = Symmetric3::monomials(w) * T::from_f64(-0.5);
    for (r, row) in rows.iter_mut().enumerate() {
        let mut B = f.integrals.inertia_first[r];
        if f.integrals.turning_first.is_some() {
            B += turning_first(f, r);
        }
        *row = half_ww.inner(&B);
    }
    subtract_offset(f, V, rows);
    gyroscopic(inertia, w)
}

/// `b_r ← b_r - o(r)·(ω × v)`
#[inline(always)]
fn subtract_offset<T: Scalar>(f: &Flexible<T>, V: Motion<T>, rows: &mut [T]) {
    if let Some(offset) = &f.integrals.offset {
        let a = V.angular.cross(V.linear);
        for (row, o) in rows.iter_mut().zip(offset) {
            *row -= o.dot(a);
        }
    }
}

/// Bias of a body with second-order shapes: that of `[η; a]` as modes of their own, with `ä = η̇* B η̇`, on the modes   [S5]
fn second_order_bias<T: Scalar>(
    model: &Model<T>,
    k: usize,
    (at, modal, velocity): (&Configuration<T>, &Modal<T>, &Velocity<T>),
    state: &State<T>,
    scratch: &mut [Vec<T>; 3],
    rows: &mut [T],
) -> Force<T> {
    let body = &model.topology.bodies[k];
    let (Some(f), n, slaves) = (&model.bodies[k].flexible, body.modes, at.slaves(body)) else { return Force::ZERO };
    let Some(second) = &f.second_order else { return Force::ZERO };
    let [q, q_dot, b] = scratch.each_mut().map(|v| &mut v[..n + body.slaves]);
    let eta_dot = &state.speeds[body.eta_dot()];
    q[..n].copy_from_slice(&state.coordinates[body.eta()]);
    q[n..].copy_from_slice(slaves.value);
    q_dot[..n].copy_from_slice(eta_dot);
    for a in 0..body.slaves {
        q_dot[n + a] = slaves.along(a, eta_dot);
    }
    let F = &modal.deformed_coupling[body.augmented.clone()];
    let D = &modal.inertia_rate[body.augmented.clone()];
    b.fill(T::ZERO);
    let mut force = modal_bias(f, &modal.deformed_inertia[k], D, F, velocity.body[k], q, q_dot, b);
    for (a, change) in velocity.slave_change[body.slave.clone()].iter().enumerate() {
        force = F[n + a].scale_add(*change, force);
        for (i, b) in b.iter_mut().enumerate() {
            *b = symmetric::entry(&second.mass, i, n + a).mul_add(*change, *b);
        }
    }
    for r in 0..n {
        rows[r] = (0..body.slaves).fold(b[r], |sum, a| slaves.at(a, r).mul_add(b[n + a], sum));
    }
    force
}

/// `b_m(η, η̇, V)`, see the table in `model::integrals`                              [US508 C.2]
#[allow(clippy::too_many_arguments)] // the quantities of one equation
fn modal_bias<T: Scalar>(
    f: &Flexible<T>,
    inertia: &RigidInertia<T>,
    D: &[Symmetric3<T>],
    F: &[Force<T>],
    V: Motion<T>,
    eta: &[T],
    eta_dot: &[T],
    rows: &mut [T],
) -> Force<T> {
    let i = &f.integrals;
    let (w, n) = (V.angular, rows.len());
    let half_ww = Symmetric3::monomials(w) * T::from_f64(-0.5);
    let (D, F, G, eta, eta_dot) = (&D[..n], &F[..n], &i.linear_rate[..n], &eta[..n], &eta_dot[..n]);
    let (mut J_dot, mut F_rate, mut G_rate) = (Symmetric3::ZERO, Vector3::ZERO, Vector3::ZERO);
    let (mut second, mut U) = (Vector3::ZERO, Vector3::ZERO);
    for r in 0..n {
        let mut B = D[r];
        if i.turning_first.is_some() {
            B = i.turning_second.row_mul_add(r, eta, B + turning_first(f, r));
        }
        J_dot = B.scale_add(eta_dot[r], &J_dot);
        F_rate = F[r].angular.scale_add(eta_dot[r], F_rate);
        G_rate = G[r].scale_add(eta_dot[r], G_rate);
        // b_r = -½ ω·B(r) ω + ω·Σ Q(r,s) η̇_s
        let Q = i.gyroscopic.row_mul_add(r, eta_dot, Vector3::ZERO);
        rows[r] = half_ww.inner(&B) + w.dot(Q);
    }
    if !i.angular_rates.is_empty() {
        for r in 0..n {
            second = i.angular_rates.row_mul_add(r, eta_dot, Vector3::ZERO).scale_add(eta_dot[r], second);
        }
    }
    if !i.linear_rates.is_empty() {
        for r in 0..n {
            U = i.linear_rates.row_mul_add(r, eta_dot, Vector3::ZERO).scale_add(eta_dot[r], U);
        }
    }
    if !i.angular_rates_change.is_empty() {
        for qr in 0..n * n {
            let row = i.angular_rates_change.row_mul_add(qr, eta_dot, Vector3::ZERO);
            second = row.scale_add(eta[qr / n] * eta_dot[qr % n], second);
        }
    }
    if !i.modal_rates.is_empty() {
        for rs in 0..n * n {
            let row = i.modal_rates.row_mul_add(rs, eta_dot, T::ZERO);
            rows[rs / n] = row.mul_add(eta_dot[rs % n], rows[rs / n]);
        }
    }
    // b_ω = ω×(J ω + F η̇) + Σ B(r) η̇_r ω + …,  b_v = ω×(ω×c + G η̇) + …
    let mut angular = w.cross_add(inertia.inertia.to_matrix().mul_add(w, F_rate), J_dot * w) + second;
    let linear = w.cross_add(w.cross_add(inertia.moment, G_rate), U);
    if let Some(offset) = &i.offset {
        angular += V.linear.cross(combination(offset, eta_dot));
    }
    subtract_offset(f, V, rows);
    Force::new(angular, linear)
}
