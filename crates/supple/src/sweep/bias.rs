//! Local to each body, after the velocities: mass of its modes, `b_m(k)` [JR92 (37)] and elastic forces.
//!
//! Both come from modal integrals, whose table is in `model::integrals`.

#![allow(non_snake_case)] // symbols as printed, see docs/notation.md

use super::modal_mass::{add_multiple, deformed, mass, project_mass};
use crate::model::Model;
use crate::model::body::{Flexible, SecondOrder};
use crate::model::integrals::ModalIntegrals;
use crate::model::topology::BodyTopology;
use crate::state::State;
use crate::terms::Terms;
use crate::workspace::{Bias, Configuration, Modal, Velocity};
use supple_spatial::block::cholesky::row_start;
use supple_spatial::block::linear::combination;
use supple_spatial::{Force, Motion, RigidInertia, Scalar, Symmetric3, Vector3};

/// Mass and bias of a body with modes, elastic forces included; its velocity and nodes must be there.
#[allow(clippy::too_many_arguments)] // one by one they are known not to overlap
#[inline(never)]
pub(crate) fn mass_and_bias<T: Scalar>(
    model: &Model<T>,
    state: &State<T>,
    terms: Terms,
    k: usize,
    at: &Configuration<T>,
    velocity: &Velocity<T>,
    modal: &mut Modal<T>,
    out: &mut Bias<T>,
) {
    let (body, data) = (&model.topology.bodies[k], &model.bodies[k]);
    let Some(flexible) = &data.flexible else { return };
    let (eta, eta_dot) = (&state.coordinates[body.eta()], &state.speeds[body.eta_dot()]);
    if !terms.velocity || flexible.undeformed_bias || flexible.second_order.is_some() {
        special_mass_and_bias(model, terms, k, (eta, eta_dot), at, velocity, modal, out);
    } else {
        let rows = &mut out.modal[body.modal.clone()];
        // Where the mass is constant, the bias alone follows the deformation.                [DS95 3.1]
        let F = match flexible.constant {
            true => &mut modal.deformed_coupling[body.augmented.clone()],
            false => &mut modal.coupling[body.modal.clone()],
        };
        let D = &mut modal.inertia_rate[body.augmented.clone()];
        let inertia = deformed(flexible, &data.inertia, eta, D, F);
        out.force[k] = deformed_bias(flexible, &inertia, D, F, velocity.body[k], eta, eta_dot, rows);
        if !flexible.constant {
            modal.inertia[k] = inertia;
        }
    }
    let rows = &mut out.modal[body.modal.clone()];
    if terms.elastic {
        flexible.elastic.add_force(eta, rows);
    }
    if terms.damping {
        flexible.elastic.damping.add_mul(eta_dot, rows);
    }
    if let (true, Some(offset)) = (terms.gravity, &flexible.integrals.offset) {
        add_weight(offset, body, at, velocity.gravity[k], rows);
    }
}

/// Mass and bias of a body whose bias is left out, or that of the undeformed body, or one of second-order shapes.
#[allow(clippy::too_many_arguments)] // the quantities of one equation
#[inline(never)]
fn special_mass_and_bias<T: Scalar>(
    model: &Model<T>,
    terms: Terms,
    k: usize,
    (eta, eta_dot): (&[T], &[T]),
    at: &Configuration<T>,
    velocity: &Velocity<T>,
    modal: &mut Modal<T>,
    out: &mut Bias<T>,
) {
    let (body, data) = (&model.topology.bodies[k], &model.bodies[k]);
    let Some(flexible) = &data.flexible else { return };
    if let (true, false, Some(second)) = (terms.velocity, flexible.undeformed_bias, &flexible.second_order) {
        return second_order_mass_and_bias(
            body,
            k,
            (flexible, second),
            &data.inertia,
            (at, velocity),
            (eta, eta_dot),
            modal,
            out,
        );
    }
    if !flexible.constant {
        mass(model, k, flexible, eta, at, modal);
    }
    let rows = &mut out.modal[body.modal.clone()];
    if terms.velocity {
        out.force[k] = constant_bias(flexible, &modal.inertia[k], velocity.body[k], rows);
    } else {
        out.force[k] = Force::ZERO;
        rows.fill(T::ZERO);
    }
}

/// Potential with `p` fixed in `F_k`: `Σ m γ g`, where an accelerated ground gives `E g`                      [S1]
#[inline(never)]
fn add_weight<T: Scalar>(
    offset: &[Vector3<T>],
    body: &BodyTopology,
    at: &Configuration<T>,
    gravity: Vector3<T>,
    rows: &mut [T],
) {
    for (row, o) in rows.iter_mut().zip(offset) {
        *row += o.dot(gravity);
    }
    for (a, o) in offset[body.modes..].iter().enumerate() {
        let weight = o.dot(gravity);
        for (row, gain) in rows.iter_mut().zip(at.slaves(body).gains(a)) {
            *row = gain.mul_add(weight, *row);
        }
    }
}

/// `[ω × J ω; ω × (ω × c)]`.
#[inline(always)]
pub(crate) fn gyroscopic<T: Scalar>(inertia: &RigidInertia<T>, w: Vector3<T>) -> Force<T> {
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

/// Mass and bias of a body with second-order shapes: those of `[η; a]` as modes of their own, with `ä = η̇* B η̇`, on the modes   [S5]
#[allow(clippy::too_many_arguments)] // the quantities of one equation
fn second_order_mass_and_bias<T: Scalar>(
    body: &BodyTopology,
    k: usize,
    (f, second): (&Flexible<T>, &SecondOrder<T>),
    undeformed: &RigidInertia<T>,
    (at, velocity): (&Configuration<T>, &Velocity<T>),
    (eta, eta_dot): (&[T], &[T]),
    modal: &mut Modal<T>,
    out: &mut Bias<T>,
) {
    let (n, slaves) = (body.modes, at.slaves(body));
    let [q, q_dot, b] = out.augmented.each_mut().map(|v| &mut v[..n + body.slaves]);
    q[..n].copy_from_slice(eta);
    q[n..].copy_from_slice(slaves.value);
    q_dot[..n].copy_from_slice(eta_dot);
    for a in 0..body.slaves {
        q_dot[n + a] = slaves.along(a, eta_dot);
    }
    let F = &mut modal.deformed_coupling[body.augmented.clone()];
    let D = &mut modal.inertia_rate[body.augmented.clone()];
    let inertia = deformed(f, undeformed, q, D, F);
    let mut force = deformed_bias(f, &inertia, D, F, velocity.body[k], q, q_dot, b);
    modal.inertia[k] = inertia;
    for (a, change) in velocity.slave_change[body.slave.clone()].iter().enumerate() {
        force = F[n + a].scale_add(*change, force);
        let (inboard, outboard) = b.split_at_mut(n + a + 1);
        add_multiple(*change, &second.mass[row_start(n + a)..], inboard);
        for (i, b) in (n + a + 1..).zip(outboard) {
            *b = second.mass[row_start(i) + n + a].mul_add(*change, *b);
        }
    }
    out.force[k] = force;
    let rows = &mut out.modal[body.modal.clone()];
    rows.copy_from_slice(&b[..n]);
    for (a, b) in b[n..].iter().enumerate() {
        add_multiple(*b, slaves.gains(a), rows);
    }
    project_mass(body, second, slaves, modal);
}

/// `b_m(η, η̇, V)`, see the table in `model::integrals`                              [US508 C.2]
#[allow(clippy::too_many_arguments)] // the quantities of one equation
#[inline(always)]
fn deformed_bias<T: Scalar>(
    f: &Flexible<T>,
    inertia: &RigidInertia<T>,
    D: &[Symmetric3<T>],
    F: &[Force<T>],
    V: Motion<T>,
    eta: &[T],
    eta_dot: &[T],
    rows: &mut [T],
) -> Force<T> {
    let (i, w, n) = (&f.integrals, V.angular, rows.len());
    let (D, F, G, eta, eta_dot) = (&D[..n], &F[..n], &i.linear_rate[..n], &eta[..n], &eta_dot[..n]);
    let rows = &mut rows[..n];
    let half_ww = Symmetric3::monomials(w) * T::from_f64(-0.5);
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
    if i.turning_first.is_some() {
        nodal_rates(i, eta, eta_dot, (&mut second, &mut U), rows);
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

/// `R3`, `U` and `T3` of the table in `model::integrals`: what the equations of nodes have beside those of Lagrange.
#[inline(never)]
fn nodal_rates<T: Scalar>(
    i: &ModalIntegrals<T>,
    eta: &[T],
    eta_dot: &[T],
    (second, U): (&mut Vector3<T>, &mut Vector3<T>),
    rows: &mut [T],
) {
    let n = rows.len();
    if !i.linear_rates.is_empty() {
        for r in 0..n {
            *U = i.linear_rates.row_mul_add(r, eta_dot, Vector3::ZERO).scale_add(eta_dot[r], *U);
        }
    }
    if !i.angular_rates_change.is_empty() {
        for qr in 0..n * n {
            let row = i.angular_rates_change.row_mul_add(qr, eta_dot, Vector3::ZERO);
            *second = row.scale_add(eta[qr / n] * eta_dot[qr % n], *second);
        }
    }
    if !i.modal_rates.is_empty() {
        for rs in 0..n * n {
            let row = i.modal_rates.row_mul_add(rs, eta_dot, T::ZERO);
            rows[rs / n] = row.mul_add(eta_dot[rs % n], rows[rs / n]);
        }
    }
}
