//! Outward and inward sweep: generalized forces for given accelerations [JR92 (45)].
//!
//! Works on the modal mass itself, `M_m` and `Π` of the nodes, not on what the articulated recursion derives from
//! them, so that the two check each other.

#![allow(non_snake_case)] // symbols as printed, see docs/notation.md

use super::acceleration::carried;
use super::hinge::{OneAxis, ball, by_axis, force_at_hinge, from_hinge};
use super::modal_mass::add_own_mass;
use crate::model::Model;
use crate::model::node::{NodeData, Slaves};
use crate::workspace::{Acceleration, Bias, Configuration, Modal, NodePlace};
use supple_spatial::block::linear::combination_add;
use supple_spatial::{Force, Motion, Scalar};

/// `α` of all bodies for the generalized accelerations `udot`                           [JR92 (45)]
///
/// With `GRAVITY` the ground accelerates by `-g`; with `BIAS` links keep their `a_mR`.
#[inline(never)] // a function of its own: its arguments are known not to overlap
pub(crate) fn accelerations<T: Scalar, const GRAVITY: bool, const BIAS: bool>(
    model: &Model<T>,
    at: &Configuration<T>,
    bias: &Bias<T>,
    udot: &[T],
    out: &mut Acceleration<T>,
) {
    // Of the body before: on the way to its child it need not wait for memory.
    let mut before = Motion::ZERO;
    for (k, body) in model.topology.bodies.iter().enumerate() {
        let alpha = match body.parent {
            Some(p) if p + 1 == k && body.rigid_link => before.shift(at.offset[k]).rotate_back(&at.rotation[k]),
            _ => carried::<T, GRAVITY>(model, k, at, out),
        };
        let beta_dot = &udot[body.beta()];
        let mut alpha = by_axis!(body.axis,
            Axis => Axis::add_motion(alpha, beta_dot[0]),
            Ball => ball::add_motion(alpha, beta_dot),
            _ => across_hinge(model, k, at, udot, alpha)
        );
        if BIAS {
            alpha += bias.acceleration[k];
        }
        before = alpha;
        out.body[k] = alpha;
        if body.modes == 0 {
            if !body.carriers.is_empty() {
                out.carrier[body.carriers.start] = alpha;
            }
        } else {
            out.carrier[body.carriers.clone()].fill(alpha);
            carrier_accelerations(model, k, at, udot, alpha, out);
        }
    }
}

/// `φ*(O,k) (α⁺ + H* β̇ - Π(d) η̈)` across a hinge of any kind.
fn across_hinge<T: Scalar>(
    model: &Model<T>,
    k: usize,
    at: &Configuration<T>,
    udot: &[T],
    alpha_plus: Motion<T>,
) -> Motion<T> {
    let body = &model.topology.bodies[k];
    let mut alpha = combination_add(&at.hinge_map[body.hinge.clone()], &udot[body.beta()], alpha_plus);
    let inboard = &model.bodies[k].nodes[body.inboard_node];
    if !inboard.influence.is_empty() {
        alpha -= node_acceleration(inboard, &at.inboard[k], at.slaves(body), &udot[body.eta_dot()]);
    }
    from_hinge(model, k, at, alpha)
}

/// `α(t) = φ*(k,t) α(k) + Π(t) η̈` of the carriers of a body with modes.
#[inline(always)]
fn carrier_accelerations<T: Scalar>(
    model: &Model<T>,
    k: usize,
    at: &Configuration<T>,
    udot: &[T],
    alpha: Motion<T>,
    out: &mut Acceleration<T>,
) {
    let body = &model.topology.bodies[k];
    for c in body.carriers.clone() {
        let node = &model.bodies[k].nodes[model.topology.carriers[c].node];
        if !node.influence.is_empty() {
            let place = &at.carrier[c];
            let own = node_acceleration(node, place, at.slaves(body), &udot[body.eta_dot()]);
            out.carrier[c] = alpha.shift(place.position) + own;
        }
    }
}

/// `Π η̈` of a hinge-carrying node, slopes with their rate matrix.
#[inline(always)]
fn node_acceleration<T: Scalar>(
    node: &NodeData<T>,
    place: &NodePlace<T>,
    second: Slaves<'_, T>,
    eta_ddot: &[T],
) -> Motion<T> {
    let u = node.combine(second, eta_ddot, Motion::ZERO);
    Motion::new(place.rate * u.angular, u.linear)
}

/// Forces across all hinges, and the generalized forces `T` into `result`               [JR92 (45)]
///
/// With `BIAS` those of velocities, elasticity and loads are in.
#[inline(never)] // a function of its own: its arguments are known not to overlap
pub(crate) fn forces<T: Scalar, const BIAS: bool>(
    model: &Model<T>,
    at: &Configuration<T>,
    modal: &Modal<T>,
    bias: &Bias<T>,
    udot: &[T],
    out: &mut Acceleration<T>,
    result: &mut [T],
) {
    for (k, body) in model.topology.bodies.iter().enumerate().rev() {
        // f_r = M_r α + b_r + Σ φ(k,t) f(t)                                             [JR92 (36)]
        let mut f = modal.inertia[k].mul(out.body[k]);
        if BIAS {
            f += bias.force[k];
        }
        if body.modes > 0 {
            f = modal_forces::<T, BIAS>(model, k, (at, modal, bias), udot, f, out, result);
        } else if !body.carriers.is_empty() {
            f += out.carrier_force[body.carriers.start];
        }
        out.force[k] = f;

        // T_f = f_f - Π_F* f_r,  T_r = H f(O)                                           [JR92 (45)]
        let f_O = by_axis!(body.axis,
            Axis => {
                let speed = body.beta().start;
                result[speed] = Axis::power(f);
                if let [rotor] = model.bodies[k].rotor[..] {
                    result[speed] = rotor.mul_add(udot[speed], result[speed]);
                }
                f
            },
            Ball => {
                result[body.beta()].copy_from_slice(&f.angular.0);
                f
            },
            _ => hinge_forces(model, k, at, udot, f, result)
        );
        if body.parent.is_some() {
            let arriving = f_O.rotate(&at.rotation[k]).shift(at.offset[k]);
            let carrier = &mut out.carrier_force[body.carrier];
            *carrier = if body.first_on_carrier { arriving } else { *carrier + arriving };
        }
    }
}

/// The modal rows of `f_m = M_m α_m + b_m + K ϑ + Σ A(t) f(t)`, and what modes and carriers add to the rigid ones   [JR92 (36)]
fn modal_forces<T: Scalar, const BIAS: bool>(
    model: &Model<T>,
    k: usize,
    (at, modal, bias): (&Configuration<T>, &Modal<T>, &Bias<T>),
    udot: &[T],
    f: Force<T>,
    out: &Acceleration<T>,
    result: &mut [T],
) -> Force<T> {
    let (top, data) = (&*model.topology, &model.bodies[k]);
    let (body, alpha) = (&top.bodies[k], out.body[k]);
    let coupling = &modal.coupling[body.modal.clone()];
    let (second, eta_ddot) = (at.slaves(body), &udot[body.eta_dot()]);
    let rows = &mut result[body.eta_dot()];
    let mut f = combination_add(coupling, eta_ddot, f);
    match BIAS {
        true => rows.copy_from_slice(&bias.modal[body.modal.clone()]),
        false => rows.fill(T::ZERO),
    }
    if let Some(flexible) = &data.flexible {
        add_own_mass(body, flexible, modal, eta_ddot, rows);
        for (row, M) in rows.iter_mut().zip(coupling) {
            *row += alpha.dot(*M);
        }
    }
    for c in body.carriers.clone() {
        let place = &at.carrier[c];
        f += out.carrier_force[c].shift(place.position);
        add_nodal_force(&data.nodes[top.carriers[c].node], place, second, out.carrier_force[c], rows);
    }
    f
}

/// Generalized forces of a hinge of any kind, `- Π_F* f` on the modes included; gives the force at `O`.
fn hinge_forces<T: Scalar>(
    model: &Model<T>,
    k: usize,
    at: &Configuration<T>,
    udot: &[T],
    f: Force<T>,
    result: &mut [T],
) -> Force<T> {
    let (body, data) = (&model.topology.bodies[k], &model.bodies[k]);
    let f_O = force_at_hinge(model, k, at, f);
    let inboard = &data.nodes[body.inboard_node];
    add_nodal_force(inboard, &at.inboard[k], at.slaves(body), -f_O, &mut result[body.eta_dot()]);
    for (i, h) in at.hinge_map[body.hinge.clone()].iter().enumerate() {
        result[body.beta().start + i] = h.dot(f_O);
    }
    for (i, rotor) in data.rotor.iter().enumerate() {
        let at = body.beta().start + i;
        result[at] = rotor.mul_add(udot[at], result[at]);
    }
    f_O
}

/// `rows ← rows + Π* f` of a hinge-carrying node.
#[inline]
pub(crate) fn add_nodal_force<T: Scalar>(
    node: &NodeData<T>,
    place: &NodePlace<T>,
    second: Slaves<'_, T>,
    f: Force<T>,
    rows: &mut [T],
) {
    if node.influence.is_empty() {
        return;
    }
    node.project(second, Force::new(place.rate.transpose_mul(f.angular), f.linear), rows);
}
