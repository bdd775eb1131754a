//! Outward and inward sweep: generalized forces for given accelerations [JR92 (45)].
//!
//! Works on the modal mass itself, `M_m` and `Π` of the nodes, not on what the articulated recursion derives from
//! them, so that the two check each other.

#![allow(non_snake_case)] // symbols as printed, see docs/notation.md

use super::acceleration::{carried, from_hinge};
use super::modal_mass::add_own_mass;
use super::residual_force::force_at_hinge;
use crate::model::Model;
use crate::model::node::{NodeData, Slaves};
use crate::workspace::{Acceleration, Bias, Configuration, Modal, NodePlace};
use supple_spatial::block::linear::combination_add;
use supple_spatial::{Force, Motion, Scalar};

/// `α` of all bodies for the generalized accelerations `udot`                           [JR92 (45)]
///
/// With `GRAVITY` the ground accelerates by `-g`; with `BIAS` links keep their `a_mR`.
pub(crate) fn accelerations<T: Scalar, const GRAVITY: bool, const BIAS: bool>(
    model: &Model<T>,
    at: &Configuration<T>,
    bias: &Bias<T>,
    udot: &[T],
    out: &mut Acceleration<T>,
) {
    let top = &*model.topology;
    for (k, (body, data)) in top.bodies.iter().zip(model.bodies.iter()).enumerate() {
        let eta_ddot = &udot[body.eta_dot()];
        let alpha = carried::<T, GRAVITY>(model, k, at, out);
        let mut alpha = combination_add(&at.hinge_map[body.hinge.clone()], &udot[body.beta()], alpha);
        alpha -= node_acceleration(&data.nodes[body.inboard_node], &at.inboard[k], at.slaves(body), eta_ddot);
        alpha = from_hinge(model, k, at, alpha);
        if BIAS {
            alpha += bias.acceleration[k];
        }
        out.body[k] = alpha;
        for c in body.carriers.clone() {
            let node = &data.nodes[top.carriers[c].node];
            let place = &at.carrier[c];
            out.carrier[c] = alpha.shift(place.position) + node_acceleration(node, place, at.slaves(body), eta_ddot);
        }
    }
}

/// `Π η̈` of a hinge-carrying node, slopes with their rate matrix.
#[inline]
fn node_acceleration<T: Scalar>(
    node: &NodeData<T>,
    place: &NodePlace<T>,
    second: Slaves<'_, T>,
    eta_ddot: &[T],
) -> Motion<T> {
    if node.influence.is_empty() {
        return Motion::ZERO;
    }
    let u = node.combine(second, eta_ddot, Motion::ZERO);
    Motion::new(place.rate * u.angular, u.linear)
}

/// Forces across all hinges, and the generalized forces `T` into `result`               [JR92 (45)]
///
/// With `BIAS` those of velocities, elasticity and loads are in.
pub(crate) fn forces<T: Scalar, const BIAS: bool>(
    model: &Model<T>,
    at: &Configuration<T>,
    modal: &Modal<T>,
    bias: &Bias<T>,
    udot: &[T],
    out: &mut Acceleration<T>,
    result: &mut [T],
) {
    let top = &*model.topology;
    for (k, (body, data)) in top.bodies.iter().zip(model.bodies.iter()).enumerate().rev() {
        // f_m = M_m α_m + b_m + K ϑ + Σ A(t) f(t)                                       [JR92 (36)]
        let alpha = out.body[k];
        let coupling = &modal.coupling[body.modal.clone()];
        let (second, eta_ddot) = (at.slaves(body), &udot[body.eta_dot()]);
        let mut f = combination_add(coupling, eta_ddot, modal.inertia[k].mul(alpha));
        let rows = &mut result[body.eta_dot()];
        if BIAS {
            f += bias.force[k];
            rows.copy_from_slice(&bias.modal[body.modal.clone()]);
        } else {
            rows.fill(T::ZERO);
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
        out.force[k] = f;

        // T_f = f_f - Π_F* f_r,  T_r = H f(O)                                           [JR92 (45)]
        let f_O = force_at_hinge(model, k, at, f);
        add_nodal_force(&data.nodes[body.inboard_node], &at.inboard[k], second, -f_O, rows);
        for (i, h) in at.hinge_map[body.hinge.clone()].iter().enumerate() {
            result[body.beta().start + i] = h.dot(f_O);
        }
        for (i, rotor) in data.rotor.iter().enumerate() {
            let at = body.beta().start + i;
            result[at] = rotor.mul_add(udot[at], result[at]);
        }
        if body.parent.is_some() {
            let arriving = f_O.rotate(&at.rotation[k]).shift(at.offset[k]);
            let carrier = &mut out.carrier_force[body.carrier];
            *carrier = if body.first_on_carrier { arriving } else { *carrier + arriving };
        }
    }
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
