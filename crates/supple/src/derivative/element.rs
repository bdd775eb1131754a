//! What the laws of force elements add: `U (K U* + C ∂v/∂δ)` per displacement and `U C U*` per speed.
//!
//! With `K` and `C` at the ports, `v` their velocities and `U` the generalized force of a unit force at a port. What the forces do that act, held
//! in inertial axes, is in `load`.

#![allow(non_snake_case)] // symbols as printed, see docs/notation.md

use super::load;
use super::memory::Recursion;
use super::path::for_path;
use super::spatial::Column;
use crate::force::{ElementTangents, PortForce, PortPlace, directions};
use crate::model::Model;
use crate::state::State;
use crate::sweep::port::{body_inertia, port_node, port_rotation};
use crate::workspace::Workspace;
use supple_spatial::{Motion, Symmetric3, Vector3};

/// Memory of the laws.
#[derive(Debug)]
pub(super) struct Laws {
    pub tangents: ElementTangents,
    /// Per direction of one element and speed: `∂v/∂δ`; then the forces per displacement and per speed.
    rates: Vec<f64>,
    per_displacement: Vec<f64>,
    per_speed: Vec<f64>,
    /// Second derivative of a potential of the inertia of a body by `[η; a]`.
    hessian: Vec<f64>,
}

impl Laws {
    pub fn new(model: &Model) -> Self {
        let tangents = ElementTangents::new(model);
        let most = tangents.blocks().iter().map(|block| block.size).max().unwrap_or(0);
        let rows = || vec![0.0; most * model.speed_count()];
        let N = if model.elements.is_empty() { 0 } else { model.topology.sizes.most_augmented };
        Self { tangents, rates: rows(), per_displacement: rows(), per_speed: rows(), hessian: vec![0.0; N * N] }
    }

    /// Adds to the derivatives of inverse dynamics, after the recursion.
    pub fn add(
        &mut self,
        model: &Model,
        state: &State,
        (udot, inputs): (&[f64], &[f64]),
        ws: &mut Workspace,
        out: &mut Recursion<f64>,
    ) {
        self.tangents.set_inputs(inputs);
        self.tangents.evaluate(model, state, ws);
        let n = model.speed_count();
        for b in 0..self.tangents.blocks().len() {
            let block = self.tangents.blocks()[b];
            let ports = &model.elements.list[block.element].ports;
            self.rates[..block.size * n].fill(0.0);
            let mut first = 0;
            for (p, port) in ports.iter().enumerate() {
                self.port_rates(model, state, udot, (port, first), ws, out);
                if let PortPlace::Body(body) = *port {
                    let acting = self.tangents.acting(&block)[p];
                    self.bend(model, state, body, acting, ws, out);
                }
                first += directions(model, port);
            }
            let Self { tangents, rates, per_displacement, per_speed, .. } = self;
            for i in 0..block.size {
                let (displaced, moved) = (&mut per_displacement[i * n..][..n], &mut per_speed[i * n..][..n]);
                displaced.fill(0.0);
                moved.fill(0.0);
                for m in 0..block.size {
                    let (K, C) = (tangents.entry(&block, [0.0, 1.0], i, m), tangents.entry(&block, [1.0, 0.0], i, m));
                    for (j, U) in tangents.column(block.start + m).iter().enumerate() {
                        displaced[j] += K * U + C * rates[m * n + j];
                        moved[j] += C * U;
                    }
                }
                for (row, U) in tangents.column(block.start + i).iter().enumerate().filter(|(_, U)| **U != 0.0) {
                    for j in 0..n {
                        out.displacement[row * n + j] += U * displaced[j];
                        out.speed[row * n + j] += U * moved[j];
                    }
                }
            }
        }
    }

    /// Rows of `∂v/∂δ` of a port on a body.
    fn port_rates(
        &mut self,
        model: &Model,
        state: &State,
        udot: &[f64],
        (port, first): (&PortPlace<f64>, usize),
        ws: &Workspace,
        out: &mut Recursion<f64>,
    ) {
        let n = model.speed_count();
        let (body, place, own) = match *port {
            PortPlace::Node { body, node, attitude } => {
                let place = port_node(model, state, (body, node, attitude), &ws.configuration);
                let moves = !model.bodies[body].nodes[node].influence.is_empty();
                if moves {
                    let rotation = port_rotation(model, attitude);
                    load::columns(model, state, udot, body, (node, &place, rotation), ws, out);
                }
                (body, place.position, moves)
            }
            PortPlace::Body(body) => (body, Vector3::ZERO, false),
            _ => return,
        };
        let (top, seen) = (&model.topology.bodies[body], &out.seen[body]);
        let x = seen.attitude.mul_add(place, seen.position);
        let velocity = |column: &Column<f64>| column.V_d.shift(x);
        // The velocity of the port itself turns with it.
        let mut v = seen.velocity.shift(x);
        if own {
            let eta_dot = &state.speeds[top.eta_dot()];
            let moving = out.loaded[..top.modes].iter().zip(eta_dot);
            v = moving.fold(v, |v, (column, rate)| column.S.shift(x).scale_add(*rate, v));
        }
        let rates = &mut self.rates;
        let mut add = |speed: usize, column: &Column<f64>| {
            let (seen, turn) = (velocity(column), column.S.angular);
            let rate = Motion::new(turn.cross_add(v.angular, seen.angular), turn.cross_add(v.linear, seen.linear));
            for (i, x) in rate.to_array().into_iter().enumerate() {
                rates[(first + i) * n + speed] += x;
            }
        };
        for_path(model, body, None, out, &mut add);
        if own {
            out.loaded[..top.modes].iter().enumerate().for_each(|(r, column)| add(top.speeds.start + r, column));
        }
    }

    /// Forces on the modes of a body by its inertia `J(η)` change with the modes.
    fn bend(
        &mut self,
        model: &Model,
        state: &State,
        body: usize,
        acting: PortForce<f64>,
        ws: &mut Workspace,
        out: &mut Recursion<f64>,
    ) {
        let (top, data) = (&model.topology.bodies[body], &model.bodies[body]);
        let Some(flexible) = &data.flexible else { return };
        let (n, N) = (top.modes, top.modes + top.slaves);
        // Off-diagonal entries of a symmetric matrix stand for two.
        let [xx, yy, zz, xy, xz, yz] = acting.on_inertia.0;
        let on_inertia = Symmetric3([xx, yy, zz, xy + xy, xz + xz, yz + yz]);
        let hessian = &mut self.hessian[..N * N];
        hessian.fill(0.0);
        for i in 0..N {
            for (j, block) in flexible.integrals.inertia_second.blocks::<f64>(i) {
                hessian[i * N + j] = on_inertia.inner(&block);
            }
        }
        body_inertia(model, state, body, &ws.configuration, &mut ws.applied);
        let slaves = ws.configuration.slaves(top);
        let gain = |i: usize, r: usize| if i < n { f64::from(u8::from(i == r)) } else { slaves.at(i - n, r) };
        let (size, first) = (model.speed_count(), top.speeds.start);
        for s in 0..n {
            for r in 0..n {
                let mut sum = 0.0;
                for i in 0..N {
                    for j in 0..N {
                        sum += gain(i, s) * hessian[i * N + j] * gain(j, r);
                    }
                }
                out.displacement[(first + s) * size + first + r] -= sum;
            }
        }
        let second = flexible.second_order.iter().flat_map(|second| &second.gains);
        for (a, rows) in second.enumerate() {
            let D = &ws.applied.inertia_rate[n + a];
            let load = acting.on_moment.dot_add(flexible.integrals.moment[n + a], on_inertia.inner(D));
            for s in 0..n {
                for (r, B) in rows.blocks::<f64>(s) {
                    out.displacement[(first + s) * size + first + r] -= B * load;
                }
            }
        }
    }
}
