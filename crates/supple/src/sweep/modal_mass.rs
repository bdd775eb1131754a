//! Local to each body: its modal mass at the present deformation, from modal integrals.
//!
//! | paper      | here                    | meaning                                              |
//! |------------|-------------------------|------------------------------------------------------|
//! | `M_rr`     | `inertia`               | `J(η), c(η), m`                                      |
//! | `M_rf`     | `coupling`              | `F(η) = F0 + F1 η` over the constant `E`             |
//! | `Π_F`      | `inboard`               | `φ*(d,k) Π(d)`, motion of the hinge seen from `F_k`  |
//! | `ζ*`       | `influence`             | `Π(t) - φ*(k,t) Π_F`                                 |
//! | `N`        | `hinge_mass`            | inverse of `M'_ff = L L*`                            |
//! | `L⁻* Q`    | `tip_shapes`            | tip modes: `L⁻¹ ζ = Q C*`, `Q* Q = I`                |
//! | `C`, `B`   | `tip_motions`, `tip_coupling` | of the tip modes: motion of carriers, `M'_rf L⁻* Q` |
//!
//! What a body keeps constant is written once, by [`constant_blocks`].

#![allow(non_snake_case)] // symbols as printed, see docs/notation.md

mod condensed;

use super::configuration::with_rate;
use crate::model::Model;
use crate::model::body::{Elimination, Flexible, SecondOrder};
use crate::model::description::ElasticRotation;
use crate::model::node::Slaves;
use crate::model::topology::BodyTopology;
use crate::state::State;
use crate::workspace::{Configuration, Modal};
use condensed::{condensed_mass, tip_motions, tip_shapes};
use supple_spatial::block::cholesky::row_start;
use supple_spatial::block::linear::combination_add;
use supple_spatial::block::symmetric;
use supple_spatial::{Force, Motion, RigidInertia, Scalar, Symmetric3};

/// Which blocks of a body follow the deformation.
#[derive(Clone, Copy)]
pub(crate) struct Varying {
    /// `M_rr`, `M_rf`.
    mass: bool,
    /// `Π_F`, `M'_rf`, `M'_ff` of free-free modes.
    pub joint: bool,
    /// `ζ`, `C`.
    pub influence: bool,
}

impl Varying {
    const ALL: Self = Self { mass: true, joint: true, influence: true };

    /// What the hinge sees, without the mass itself.
    pub(crate) fn of_hinge<T: Scalar>(body: &BodyTopology, flexible: &Flexible<T>, option: ElasticRotation) -> Self {
        // Shapes of second order make everything follow the deformation.
        let free_free = body.free_free && (!flexible.constant || option != ElasticRotation::None);
        let joint = free_free || flexible.second_order.is_some();
        Self { mass: false, joint, influence: !flexible.constant_hinge }
    }
}

/// Writes every block at the undeformed state, those that never change included.
pub(crate) fn constant_blocks<T: Scalar>(
    model: &Model<T>,
    neutral: &State<T>,
    at: &Configuration<T>,
    out: &mut Modal<T>,
) {
    for k in 0..model.bodies.len() {
        out.inertia[k] = model.bodies[k].inertia;
        if let Some(flexible) = &model.bodies[k].flexible {
            let (body, F0) = (&model.topology.bodies[k], &flexible.integrals.coupling);
            out.coupling[body.modal.clone()].copy_from_slice(&F0[..body.modes]);
            out.deformed_coupling[body.augmented.clone()].copy_from_slice(F0);
            refresh_body(model, k, flexible, &neutral.coordinates, at, out, Varying::ALL, true);
            if let Some(tip) = &flexible.tip_modes {
                tip_shapes(&model.topology.bodies[k], flexible, tip, out);
            }
        }
    }
}

/// Refreshes `M_rr` and `M_rf` for the coordinates of `state`.
pub(crate) fn modal_mass<T: Scalar>(model: &Model<T>, state: &State<T>, at: &Configuration<T>, out: &mut Modal<T>) {
    for &k in &model.topology.flexible {
        let Some(flexible) = &model.bodies[k].flexible else { continue };
        if !flexible.constant {
            mass(model, k, flexible, &state.coordinates[model.topology.bodies[k].eta()], at, out);
        }
    }
}

/// Refreshes what the hinge sees, after [`modal_mass`]; the blocks of modal condensation too, where `elimination` asks for them.
pub(crate) fn hinge_mass<T: Scalar>(
    model: &Model<T>,
    state: &State<T>,
    at: &Configuration<T>,
    elimination: Option<&[Elimination]>,
    out: &mut Modal<T>,
) {
    for &k in &model.topology.flexible {
        refresh_hinge(model, k, state, at, elimination.map_or(Elimination::Explicit, |ways| ways[k]), out);
    }
}

/// The part of [`hinge_mass`] of one body.
#[inline(always)]
pub(crate) fn refresh_hinge<T: Scalar>(
    model: &Model<T>,
    k: usize,
    state: &State<T>,
    at: &Configuration<T>,
    elimination: Elimination,
    out: &mut Modal<T>,
) {
    let Some(flexible) = &model.bodies[k].flexible else { return };
    let condense = elimination != Elimination::Explicit && !(flexible.constant_hinge && flexible.constant);
    if condense || !flexible.constant_hinge {
        let varying = Varying::of_hinge(&model.topology.bodies[k], flexible, model.topology.elastic_rotation);
        refresh_body(model, k, flexible, &state.coordinates, at, out, varying, condense);
    }
}

#[allow(clippy::too_many_arguments)] // one body's worth of everything
#[inline(never)]
fn refresh_body<T: Scalar>(
    model: &Model<T>,
    k: usize,
    flexible: &Flexible<T>,
    coordinates: &[T],
    at: &Configuration<T>,
    out: &mut Modal<T>,
    varying: Varying,
    condense: bool,
) {
    let body = &model.topology.bodies[k];
    let eta = &coordinates[body.eta()];
    if varying.mass {
        mass(model, k, flexible, eta, at, out);
    }
    if body.free_free {
        if varying.joint {
            free_free_mass(model, k, flexible, at, out);
        }
    } else if varying.joint {
        cantilever_mass(body, flexible, out);
    }
    if varying.influence {
        influence(model, k, at, out);
    }
    if let (true, Some(tip)) = (condense, &flexible.tip_modes) {
        if varying.influence {
            tip_motions(model, k, tip, at, out);
        }
        condensed_mass(body, k, flexible, tip, out);
    }
}

/// Mass of the deformed body.
#[inline(always)]
pub(crate) fn mass<T: Scalar>(
    model: &Model<T>,
    k: usize,
    flexible: &Flexible<T>,
    eta: &[T],
    at: &Configuration<T>,
    out: &mut Modal<T>,
) {
    if let Some(second) = &flexible.second_order {
        return second_order_mass(model, k, (flexible, second), eta, at, out);
    }
    let (body, undeformed) = (&model.topology.bodies[k], &model.bodies[k].inertia);
    let (D, coupling) = (&mut out.inertia_rate[body.augmented.clone()], &mut out.coupling[body.modal.clone()]);
    out.inertia[k] = deformed(flexible, undeformed, eta, D, coupling);
}

/// Mass of the deformed body with shapes of second order: as if they were modes of their own, then on the modes.
fn second_order_mass<T: Scalar>(
    model: &Model<T>,
    k: usize,
    (flexible, second): (&Flexible<T>, &SecondOrder<T>),
    eta: &[T],
    at: &Configuration<T>,
    out: &mut Modal<T>,
) {
    let (body, undeformed) = (&model.topology.bodies[k], &model.bodies[k].inertia);
    let n = body.modes;
    let (slaves, all) = (at.slaves(body), &mut out.augmented[..n + body.slaves]);
    all[..n].copy_from_slice(eta);
    all[n..].copy_from_slice(slaves.value);
    let D = &mut out.inertia_rate[body.augmented.clone()];
    out.inertia[k] = deformed(flexible, undeformed, all, D, &mut out.deformed_coupling[body.augmented.clone()]);
    project_mass(body, second, slaves, out);
}

/// `M_rf` and `M_ff` on the modes, `M = T* M̄ T` with `T = [I; B η]`                                    [S5]
pub(crate) fn project_mass<T: Scalar>(
    body: &BodyTopology,
    second: &SecondOrder<T>,
    slaves: Slaves<'_, T>,
    out: &mut Modal<T>,
) {
    let n = body.modes;
    let augmented = &out.deformed_coupling[body.augmented.clone()];
    let coupling = &mut out.coupling[body.modal.clone()];
    let own = &mut out.own_mass[body.modal_triangle.clone()];
    // M̄ T of the shapes' rows
    let product = &mut out.slave_product[body.slave_gain.clone()];
    for a in 0..body.slaves {
        let row = &mut product[a * n..][..n];
        row.copy_from_slice(&second.mass[row_start(n + a)..][..n]);
        for b in 0..body.slaves {
            add_multiple(symmetric::entry(&second.mass, n + a, n + b), slaves.gains(b), row);
        }
    }
    coupling.copy_from_slice(&augmented[..n]);
    own.copy_from_slice(&second.mass[..own.len()]);
    for a in 0..body.slaves {
        let (gain, of_shape) = (slaves.gains(a), &second.mass[row_start(n + a)..][..n]);
        let product = &product[a * n..][..n];
        for r in 0..n {
            coupling[r] = augmented[n + a].scale_add(gain[r], coupling[r]);
            let row = &mut own[row_start(r)..][..r + 1];
            add_multiple(gain[r], product, row);
            add_multiple(of_shape[r], gain, row);
        }
    }
}

/// `row ← row + s x`.
#[inline(always)]
pub(crate) fn add_multiple<T: Scalar>(s: T, x: &[T], row: &mut [T]) {
    for (row, x) in row.iter_mut().zip(x) {
        *row = x.mul_add(s, *row);
    }
}

/// Entry of `M_ff`.
#[inline(always)]
fn own_entry<T: Scalar>(flexible: &Flexible<T>, own: &[T], r: usize, s: usize) -> T {
    if flexible.second_order.is_some() { own[row_start(r) + s] } else { flexible.mass.entry(r, s) }
}

/// `out ← out + M_ff x`.
#[inline]
pub(crate) fn add_own_mass<T: Scalar>(
    body: &BodyTopology,
    flexible: &Flexible<T>,
    modal: &Modal<T>,
    x: &[T],
    out: &mut [T],
) {
    if flexible.second_order.is_none() {
        return flexible.mass.add_mul(x, out);
    }
    let own = &modal.own_mass[body.modal_triangle.clone()];
    for r in 0..body.modes {
        let row = &own[row_start(r)..][..r + 1];
        out[r] = row.iter().zip(x).fold(out[r], |sum, (m, x)| m.mul_add(*x, sum));
        add_multiple(x[r], &row[..r], out);
    }
}

/// `c(η)`, `J(η)`, `D(η)`, and `F(η)` but for `E`, which is there since [`constant_blocks`].
#[inline(never)] // a function of its own: its arguments are known not to overlap
pub(crate) fn deformed<T: Scalar>(
    flexible: &Flexible<T>,
    undeformed: &RigidInertia<T>,
    eta: &[T],
    D: &mut [Symmetric3<T>],
    coupling: &mut [Force<T>],
) -> RigidInertia<T> {
    let integrals = &flexible.integrals;
    let half = T::from_f64(0.5);
    let mut J = Symmetric3::ZERO;
    let moment = combination_add(&integrals.moment, eta, undeformed.moment);
    let n = eta.len();
    let (first, F, D, coupling) =
        (&integrals.inertia_first[..n], &integrals.coupling[..n], &mut D[..n], &mut coupling[..n]);
    for r in 0..n {
        // D(r) = A(r) + Σ 2 J2(r,s) η_s,  J = J0 + ½ Σ (A + D) η                  [US508 C.2]
        let A = first[r];
        D[r] = integrals.inertia_second.row_mul_add(r, eta, A);
        J = (A + D[r]).scale_add(eta[r] * half, &J);
        // F(r) = F0(r) + Σ F1(r,s) η_s                                             [US508 C.2]
        coupling[r].angular = integrals.coupling_change.row_mul_add(r, eta, F[r].angular);
    }
    RigidInertia { mass: undeformed.mass, moment, inertia: undeformed.inertia + J }
}

/// For cantilever modes `H_f = [I, 0]`: the hinge sees the modal mass itself.
fn cantilever_mass<T: Scalar>(body: &BodyTopology, flexible: &Flexible<T>, out: &mut Modal<T>) {
    let (mass, own) = (&mut out.mass[body.modal_triangle.clone()], &out.own_mass[body.modal_triangle.clone()]);
    if flexible.second_order.is_some() {
        mass.copy_from_slice(own);
        return;
    }
    for r in 0..body.modes {
        for s in 0..=r {
            mass[row_start(r) + s] = flexible.mass.entry(r, s);
        }
    }
}

/// `Π_F = φ*(d,k) Π(d)`, `M'_rf = M_rf - M_rr Π_F`, `M'_ff = M_ff - M_fr Π_F - Π_F* M'_rf`.
fn free_free_mass<T: Scalar>(
    model: &Model<T>,
    k: usize,
    flexible: &Flexible<T>,
    at: &Configuration<T>,
    out: &mut Modal<T>,
) {
    let body = &model.topology.bodies[k];
    let option = model.topology.elastic_rotation;
    let node = &model.bodies[k].nodes[body.inboard_node];
    let place = &at.inboard[k];
    let inertia = out.inertia[k];
    let range = body.modal.clone();
    let (Pi, coupling, hinge_coupling) =
        (&mut out.inboard[range.clone()], &out.coupling[range.clone()], &mut out.free_coupling[range]);
    let mass = &mut out.mass[body.modal_triangle.clone()];
    let own = &out.own_mass[body.modal_triangle.clone()];
    for r in 0..body.modes {
        // [E λ; γ + l × E λ]
        Pi[r] = with_rate(option, &place.rate, node.column(r, at.slaves(body))).shift(-place.position);
        hinge_coupling[r] = coupling[r] - inertia.mul(Pi[r]);
        for s in 0..=r {
            let entry = own_entry(flexible, own, r, s) - Pi[s].dot(coupling[r]);
            mass[row_start(r) + s] = entry - Pi[r].dot(hinge_coupling[s]);
        }
    }
}

/// `ζ*`, a motion of each carrier per mode.
fn influence<T: Scalar>(model: &Model<T>, k: usize, at: &Configuration<T>, out: &mut Modal<T>) {
    let top = &*model.topology;
    let body = &top.bodies[k];
    for c in body.carriers.clone() {
        let node = &model.bodies[k].nodes[top.carriers[c].node];
        let place = &at.carrier[c];
        let zeta = &mut out.influence[body.modes_of_carrier(c)];
        for r in 0..body.modes {
            let Pi = if node.influence.is_empty() { Motion::ZERO } else { node.column(r, at.slaves(body)) };
            zeta[r] = with_rate(top.elastic_rotation, &place.rate, Pi);
            if body.free_free {
                zeta[r] -= out.inboard[body.modal.start + r].shift(place.position);
            }
        }
    }
}

/// `M_m V`: rigid momentum and modal momenta of a body.
pub(crate) fn momentum<T: Scalar>(
    model: &Model<T>,
    k: usize,
    modal: &Modal<T>,
    V: Motion<T>,
    eta_dot: &[T],
    momenta: &mut [T],
) -> Force<T> {
    let body = &model.topology.bodies[k];
    let rigid = modal.inertia[k].mul(V);
    let Some(flexible) = &model.bodies[k].flexible else { return rigid };
    let coupling = &modal.coupling[body.modal.clone()];
    for r in 0..body.modes {
        momenta[r] = V.dot(coupling[r]);
    }
    add_own_mass(body, flexible, modal, eta_dot, momenta);
    combination_add(coupling, eta_dot, rigid)
}
