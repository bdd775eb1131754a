//! Local to each body: how its forces change with its own motion and modes, in its axes, from modal integrals.
//!
//! With `f = M_m α_m + b_m` and the table of `b_m` in `model::integrals`; `ã` is held where velocities change. Second-order shapes count as modes
//! of their own, `q = [η; a]`, until all is projected with `T = [I; B η]` [S5]:
//!
//! ```text
//! ∂f/∂η = T* (∂f/∂q T + ∂f/∂q̇ B η̇ + ∂f/∂q̈ B η̈) + Σ B f_a        ∂f/∂η̇ = T* (∂f/∂q̇ T + 2 ∂f/∂q̈ B η̇)
//! ```

#![allow(non_snake_case)] // symbols as printed, see docs/notation.md

use super::memory::{Local, Seen};
use super::spatial::{Composite, Rate};
use crate::model::Model;
use crate::model::body::{BodyData, Flexible, SecondOrder};
use crate::model::integrals::ModalIntegrals;
use crate::model::topology::BodyTopology;
use crate::state::State;
use crate::sweep::modal_mass::deformed;
use crate::workspace::{Configuration, Workspace};
use supple_spatial::block::linear::{combination, combination_add};
use supple_spatial::block::symmetric;
use supple_spatial::{Force, Matrix3, Motion, RigidInertia, Scalar, Symmetric3, Vector3};

/// Modal coordinates, rates and accelerations of a body and what second-order shapes make of them.
pub(super) fn load_modes<T: Scalar>(
    model: &Model<T>,
    state: &State<T>,
    udot: &[T],
    k: usize,
    ws: &Workspace<T>,
    out: &mut Local<T>,
) {
    let body = &model.topology.bodies[k];
    let (n, slaves) = (body.modes, ws.configuration.slaves(body));
    let (eta_dot, eta_ddot) = (&state.speeds[body.eta_dot()], &udot[body.eta_dot()]);
    out.q[..n].copy_from_slice(&state.coordinates[body.eta()]);
    out.q_dot[..n].copy_from_slice(eta_dot);
    out.q_ddot[..n].copy_from_slice(eta_ddot);
    let Some(second) = model.bodies[k].flexible.as_ref().and_then(|f| f.second_order.as_ref()) else { return };
    for (a, rows) in second.gains.iter().enumerate() {
        out.q[n + a] = slaves.value[a];
        out.q_dot[n + a] = slaves.along(a, eta_dot);
        out.q_ddot[n + a] = slaves.along(a, eta_ddot) + ws.velocity.slave_change[body.slave.start + a];
        for r in 0..n {
            out.gain_rate[a * n + r] = rows.row_mul_add(r, eta_dot, T::ZERO);
            out.gain_change[a * n + r] = rows.row_mul_add(r, eta_ddot, T::ZERO);
        }
    }
}

/// Inertia, force per velocity and force of a body alone, about the root; those of its modes into `local`.
pub(super) fn own<T: Scalar>(
    model: &Model<T>,
    state: &State<T>,
    udot: &[T],
    k: usize,
    ws: &mut Workspace<T>,
    seen: &Seen<T>,
    local: &mut Local<T>,
) -> Composite<T> {
    let (body, alpha) = (&model.topology.bodies[k], ws.acceleration.body[k]);
    let M = ws.modal.inertia[k];
    let inertia = M.rotate(&seen.attitude).shift(seen.position);
    let to_root = |f: Force<T>| f.rotate(&seen.attitude).shift(seen.position);
    let mut force = M.mul(alpha) + ws.bias.force[k];
    let rate = match &model.bodies[k].flexible {
        Some(flexible) => {
            force = combination_add(&ws.modal.coupling[body.modal.clone()], &udot[body.eta_dot()], force);
            load_modes(model, state, udot, k, ws, local);
            flexible_body(model, k, flexible, ws, local).seen_from(&seen.attitude, seen.position)
        }
        None => Rate::rigid(&inertia, seen.velocity, inertia.mul(seen.velocity)),
    };
    Composite { inertia, rate, force: to_root(force), turn: None }
}

/// What the tangents of a body with modes are made of.
struct Terms<'a, T> {
    integrals: &'a ModalIntegrals<T>,
    V: Motion<T>,
    alpha: Motion<T>,
    /// `J`, `c` and `F`, `D` of the bias.
    inertia: RigidInertia<T>,
    F: &'a [Force<T>],
    D: &'a [Symmetric3<T>],
    /// `[F; E]` of the mass.
    coupling: &'a [Force<T>],
    /// Whether the mass follows the deformation.
    varying_mass: bool,
}

#[inline(never)]
fn flexible_body<T: Scalar>(
    model: &Model<T>,
    k: usize,
    flexible: &Flexible<T>,
    ws: &mut Workspace<T>,
    local: &mut Local<T>,
) -> Rate<T> {
    let (body, data): (&BodyTopology, &BodyData<T>) = (&model.topology.bodies[k], &model.bodies[k]);
    let N = body.modes + body.slaves;
    let (V, alpha) = (ws.velocity.body[k], ws.acceleration.body[k]);
    let modal = &mut ws.modal;
    let mass = modal.inertia[k];
    let mut inertia = mass;
    let varying_bias = !flexible.undeformed_bias;
    if flexible.constant && varying_bias {
        // The bias alone follows the deformation.
        let (D, F) =
            (&mut modal.inertia_rate[body.augmented.clone()], &mut modal.deformed_coupling[body.augmented.clone()]);
        inertia = deformed(flexible, &data.inertia, &local.q[..N], D, F);
    }
    let coupling = match flexible.second_order {
        Some(_) => &modal.deformed_coupling[body.augmented.clone()],
        None => &modal.coupling[body.modal.clone()],
    };
    let terms = Terms {
        integrals: &flexible.integrals,
        V,
        alpha,
        inertia,
        F: if flexible.constant { &modal.deformed_coupling[body.augmented.clone()] } else { coupling },
        D: &modal.inertia_rate[body.augmented.clone()],
        coupling,
        varying_mass: !flexible.constant,
    };
    local.stiffness[..N * N].fill(T::ZERO);
    local.damping[..N * N].fill(T::ZERO);
    let rate = match varying_bias {
        true => deforming(&terms, N, local),
        false => undeformed(&terms, N, local),
    };
    if let Some(offset) = &flexible.integrals.offset {
        local.offset[..N].copy_from_slice(offset);
    }
    if let Some(second) = &flexible.second_order {
        project(model, k, second, &terms, ws.velocity.gravity[k], &ws.configuration, local);
    }
    let n = body.modes;
    flexible.elastic.add_tangent(&local.q[..n], n, &mut local.stiffness);
    flexible.elastic.damping.add_to(n, n, &mut local.damping);
    held(&mass, V, rate)
}

/// At `ã` held, `δω̇ = -ω × δω` and `δv̇ = 2 δω × v`.
fn held<T: Scalar>(mass: &RigidInertia<T>, V: Motion<T>, rate: Rate<T>) -> Rate<T> {
    let (w, v, c) = (Matrix3::skew(V.angular), Matrix3::skew(V.linear + V.linear), Matrix3::skew(mass.moment));
    Rate {
        angular: rate.angular - mass.inertia.to_matrix() * w - c * v,
        linear: rate.linear + c * w - v * mass.mass,
        drag: rate.drag,
    }
}

/// A row of the modal forces per velocity, without what the convention adds, at `ã` held.
#[inline(always)]
fn coupling_rate<T: Scalar>(coupling: Force<T>, V: Motion<T>) -> Vector3<T> {
    V.angular.cross_add(coupling.angular, (V.linear + V.linear).cross(coupling.linear))
}

/// Offset masses: `-o·(ω × v)` in the modal rows, into the velocities' part of a row.
#[inline(always)]
fn offset_rate<T: Scalar>(o: Vector3<T>, V: Motion<T>) -> Force<T> {
    Force::new(o.cross(V.linear), V.angular.cross(o))
}

/// The bias of the undeformed body.
fn undeformed<T: Scalar>(terms: &Terms<'_, T>, N: usize, out: &mut Local<T>) -> Rate<T> {
    let (i, w) = (terms.integrals, terms.V.angular);
    for r in 0..N {
        let mut B = i.inertia_first[r];
        if let Some(turning) = &i.turning_first {
            B += turning[r];
        }
        out.per_eta[r] = Force::ZERO;
        out.per_rate[r] = Force::ZERO;
        out.per_velocity[r] = Force::new(coupling_rate(terms.coupling[r], terms.V) - B * w, Vector3::ZERO);
        if let Some(offset) = &i.offset {
            out.per_velocity[r] += offset_rate(offset[r], terms.V);
        }
    }
    gyroscopic(&terms.inertia, w, Vector3::ZERO, Vector3::ZERO)
}

/// `∂/∂ω` of `[ω × (J ω + F η̇); ω × (ω × c + G η̇)]`.
fn gyroscopic<T: Scalar>(I: &RigidInertia<T>, w: Vector3<T>, F_rate: Vector3<T>, G_rate: Vector3<T>) -> Rate<T> {
    let (J, c) = (I.inertia.to_matrix(), I.moment);
    Rate {
        angular: Matrix3::skew_mul(w, &J) - Matrix3::skew(J.mul_add(w, F_rate)),
        linear: -Matrix3::skew_mul(w, &Matrix3::skew(c)) - Matrix3::skew(w.cross_add(c, G_rate)),
        drag: None,
    }
}

/// Mass and bias of the deforming body.
fn deforming<T: Scalar>(terms: &Terms<'_, T>, N: usize, out: &mut Local<T>) -> Rate<T> {
    let Terms { integrals: i, V, alpha, inertia, F, D, coupling, varying_mass, .. } = *terms;
    let (w, half) = (V.angular, T::from_f64(-0.5));
    let half_ww = Symmetric3::monomials(w) * half;
    let Local { per_eta, per_rate, per_velocity, stiffness, damping, q, q_dot, q_ddot, .. } = out;
    let (q, q_dot, q_ddot) = (&q[..N], &q_dot[..N], &q_ddot[..N]);
    let (mut J_dot, mut F_rate, mut G_rate) = (Symmetric3::ZERO, Vector3::ZERO, Vector3::ZERO);
    for r in 0..N {
        let mut B = D[r];
        // Σ ∂B(s)/∂η_r η̇_s
        let mut B_rate = i.inertia_second.row_mul_add(r, q_dot, Symmetric3::ZERO);
        if let Some(turning) = &i.turning_first {
            B = i.turning_second.row_mul_add(r, q, B + turning[r]);
            B_rate = (0..N).fold(B_rate, |sum, s| {
                i.turning_second
                    .blocks::<T>(s)
                    .filter(|(c, _)| *c == r)
                    .fold(sum, |sum, (_, b)| b.scale_add(q_dot[s], &sum))
            });
            for (c, block) in i.turning_second.blocks::<T>(r) {
                stiffness[r * N + c] += half_ww.inner(&block);
            }
        }
        J_dot = B.scale_add(q_dot[r], &J_dot);
        F_rate = F[r].angular.scale_add(q_dot[r], F_rate);
        G_rate = i.linear_rate[r].scale_add(q_dot[r], G_rate);
        let c1 = i.moment[r];
        per_eta[r] = Force::new(w.cross(D[r] * w) + B_rate * w, w.cross(w.cross(c1)));
        if varying_mass {
            let f = Force::new(c1.cross_add(alpha.linear, D[r] * alpha.angular), alpha.angular.cross(c1));
            per_eta[r] += f;
        }
        per_rate[r] = Force::new(w.cross_add(F[r].angular, B * w), w.cross(i.linear_rate[r]));
        let Q = i.gyroscopic.row_mul_add(r, q_dot, Vector3::ZERO);
        per_velocity[r] = Force::new(coupling_rate(coupling[r], V) - B * w + Q, Vector3::ZERO);
        for (c, block) in i.gyroscopic.blocks::<T>(r) {
            damping[r * N + c] += w.dot(block);
        }
        for (c, block) in i.inertia_second.blocks::<T>(r) {
            stiffness[r * N + c] += half_ww.inner(&block);
        }
    }
    // F(s) = F0(s) + Σ F1(s,r) η_r, in the mass and in the bias
    for s in 0..N {
        for (r, block) in i.coupling_change.blocks::<T>(s) {
            per_eta[r].angular = w.cross_add(block * q_dot[s], per_eta[r].angular);
            if varying_mass {
                per_eta[r].angular = block.scale_add(q_ddot[s], per_eta[r].angular);
                stiffness[s * N + r] += block.dot(alpha.angular);
            }
        }
        for (r, block) in i.angular_rates.blocks::<T>(s) {
            per_rate[r].angular = block.scale_add(q_dot[s], per_rate[r].angular);
            per_rate[s].angular = block.scale_add(q_dot[r], per_rate[s].angular);
        }
        for (r, block) in i.linear_rates.blocks::<T>(s) {
            per_rate[r].linear = block.scale_add(q_dot[s], per_rate[r].linear);
            per_rate[s].linear = block.scale_add(q_dot[r], per_rate[s].linear);
        }
    }
    if i.turning_first.is_some() {
        nodal_rates(i, q, q_dot, per_eta, per_rate, damping);
    }
    let mut rate = gyroscopic(&inertia, w, F_rate, G_rate);
    rate.angular += J_dot.to_matrix();
    if let Some(offset) = &i.offset {
        for r in 0..N {
            per_rate[r].angular = V.linear.cross_add(offset[r], per_rate[r].angular);
            per_velocity[r] += offset_rate(offset[r], V);
        }
        rate.drag = Some(-Matrix3::skew(combination(&offset[..N], q_dot)));
    }
    rate
}

/// `R3` and `T3` of the table in `model::integrals`.
fn nodal_rates<T: Scalar>(
    i: &ModalIntegrals<T>,
    q: &[T],
    q_dot: &[T],
    per_eta: &mut [Force<T>],
    per_rate: &mut [Force<T>],
    damping: &mut [T],
) {
    let N = q.len();
    for row in 0..N * N {
        let (a, b) = (row / N, row % N);
        for (c, block) in i.angular_rates_change.blocks::<T>(row) {
            // R3(a,b,c) η_a η̇_b η̇_c
            per_eta[a].angular = block.scale_add(q_dot[b] * q_dot[c], per_eta[a].angular);
            per_rate[b].angular = block.scale_add(q[a] * q_dot[c], per_rate[b].angular);
            per_rate[c].angular = block.scale_add(q[a] * q_dot[b], per_rate[c].angular);
        }
        for (c, number) in i.modal_rates.blocks::<T>(row) {
            // T3(a,b,c) η̇_b η̇_c
            damping[a * N + b] = number.mul_add(q_dot[c], damping[a * N + b]);
            damping[a * N + c] = number.mul_add(q_dot[b], damping[a * N + c]);
        }
    }
}

/// From `[η; a]` to the modes                                                                          [S5]
fn project<T: Scalar>(
    model: &Model<T>,
    k: usize,
    second: &SecondOrder<T>,
    terms: &Terms<'_, T>,
    gravity: Vector3<T>,
    at: &Configuration<T>,
    out: &mut Local<T>,
) {
    let body = &model.topology.bodies[k];
    let (n, N, slaves) = (body.modes, body.modes + body.slaves, at.slaves(body));
    let (V, w) = (terms.V, terms.V.angular);
    let Local {
        per_eta,
        per_rate,
        per_velocity,
        offset,
        stiffness,
        damping,
        q_dot,
        q_ddot,
        gain_rate,
        gain_change,
        row,
        ..
    } = out;
    let mass = |i: usize, j: usize| symmetric::entry(&second.mass, i, j);
    // Modal forces of the shapes themselves, before the rows are overwritten.
    let force = |a: usize, damping: &[T]| {
        let (s, i) = (n + a, terms.integrals);
        let mut B = terms.D[s];
        if let Some(turning) = &i.turning_first {
            B = i.turning_second.row_mul_add(s, &out.q[..N], B + turning[s]);
        }
        let Q = i.gyroscopic.row_mul_add(s, &q_dot[..N], Vector3::ZERO);
        // Half of what damping does to the rates, less ω·Q, are the terms quadratic in them.
        let rates = (0..N).fold(T::ZERO, |sum, r| damping[s * N + r].mul_add(q_dot[r], sum)) - w.dot(Q);
        let mut f = (0..N).fold(terms.alpha.dot(terms.coupling[s]), |sum, j| mass(s, j).mul_add(q_ddot[j], sum));
        f += (Symmetric3::monomials(w) * T::from_f64(-0.5)).inner(&B) + w.dot(Q) + rates * T::from_f64(0.5);
        if let Some(offset) = &i.offset {
            f += offset[s].dot(gravity - w.cross(V.linear));
        }
        f
    };
    for a in 0..body.slaves {
        row[n + a] = force(a, damping);
    }
    for r in 0..n {
        for a in 0..body.slaves {
            let (gain, z, y) = (slaves.at(a, r), gain_rate[a * n + r], gain_change[a * n + r]);
            let M = terms.coupling[n + a];
            let shape = (per_eta[n + a], per_rate[n + a], per_velocity[n + a]);
            per_eta[r] = shape.0.scale_add(gain, shape.1.scale_add(z, M.scale_add(y, per_eta[r])));
            per_rate[r] = shape.1.scale_add(gain, M.scale_add(z + z, per_rate[r]));
            per_velocity[r] = shape.2.scale_add(gain, per_velocity[r]);
            if terms.integrals.offset.is_some() {
                offset[r] = offset[n + a].scale_add(gain, offset[r]);
            }
        }
    }
    // Columns of [η; a] to those of the modes, row by row.
    for i in 0..N {
        for r in 0..n {
            let (mut stiff, mut damped) = (stiffness[i * N + r], damping[i * N + r]);
            for a in 0..body.slaves {
                let (gain, z, y) = (slaves.at(a, r), gain_rate[a * n + r], gain_change[a * n + r]);
                let (K, C, M) = (stiffness[i * N + n + a], damping[i * N + n + a], mass(i, n + a));
                stiff = K.mul_add(gain, C.mul_add(z, M.mul_add(y, stiff)));
                damped = C.mul_add(gain, M.mul_add(z + z, damped));
            }
            (stiffness[i * N + r], damping[i * N + r]) = (stiff, damped);
        }
    }
    // Rows: those of the modes, in rows of their own length now.
    for s in 0..n {
        for r in 0..n {
            let (mut stiff, mut damped) = (stiffness[s * N + r], damping[s * N + r]);
            for a in 0..body.slaves {
                stiff = stiffness[(n + a) * N + r].mul_add(slaves.at(a, s), stiff);
                damped = damping[(n + a) * N + r].mul_add(slaves.at(a, s), damped);
            }
            // Written where rows before have been read already; those of shapes come last.
            (stiffness[s * n + r], damping[s * n + r]) = (stiff, damped);
        }
    }
    for (a, rows) in second.gains.iter().enumerate() {
        for s in 0..n {
            for (r, number) in rows.blocks::<T>(s) {
                stiffness[s * n + r] = number.mul_add(row[n + a], stiffness[s * n + r]);
            }
        }
    }
}
