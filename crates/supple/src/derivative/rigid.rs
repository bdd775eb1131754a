//! Forward dynamics and derivatives of rigid trees in one go, about the root, for recordings.
//!
//! Derivatives need the mass matrix and its inverse, so accelerations follow from these and no articulated inertia is needed. Both sweeps run twice,
//! at `u̇ = 0` and at the accelerations found; a recording keeps what they share once.
//!
//! ```text
//! outward   v = v_p + S u     a = a_p + S u̇ + (v_p × S) u     f = I a + v ×* I v        gravity as an acceleration of the root
//! inward    composite I, f    𝓜_ij = S_j·I S_i      𝓒_i = S_i·f at u̇ = 0
//! then      u̇ = 𝓜⁻¹ (T - 𝓒)
//! ```

#![allow(non_snake_case)] // symbols as printed, see docs/notation.md

use super::inward;
use super::memory::{Matrices, Recursion};
use super::outward;
use super::path::for_path;
use super::solve::Inverse;
use super::spatial::{Column, Composite, Rate, cross, cross_force};
use crate::error::DynamicsError;
use crate::forward_dynamics::singular_pivot;
use crate::model::Model;
use crate::state::State;
use crate::sweep;
use crate::workspace::Workspace;
use supple_spatial::{Mask, Motion, Scalar, Vector3};

/// Memory beside that of the recursion.
#[derive(Clone, Debug)]
pub(super) struct Rigid<T> {
    /// Per body: its acceleration about the root.
    acceleration: Vec<Motion<T>>,
    /// Per body: itself.
    own: Vec<Composite<T>>,
    /// Per speed: `𝓒`, then what is left of the forces.
    bias: Vec<T>,
    accelerations: Vec<T>,
}

impl<T: Scalar> Rigid<T> {
    /// `None` for models with modes.
    pub fn new(model: &Model<T>) -> Option<Self> {
        let (bodies, n) = (model.bodies.len(), model.speed_count());
        model.topology.flexible.is_empty().then(|| Self {
            acceleration: vec![Motion::ZERO; bodies],
            own: vec![Composite::ZERO; bodies],
            bias: vec![T::ZERO; n],
            accelerations: vec![T::ZERO; n],
        })
    }

    /// Accelerations into the result of the workspace, `∂T/∂δ` and `∂T/∂u` into `out`, `𝓜⁻¹` into `matrices`, for a state that has been checked.
    ///
    /// # Errors
    /// A singular configuration.
    pub fn solve(
        &mut self,
        model: &Model<T>,
        (state, forces): (&State<T>, &[T]),
        ws: &mut Workspace<T>,
        (out, inverse): (&mut Recursion<T>, &mut Inverse<T>),
        matrices: &mut Matrices<T>,
    ) -> Result<(), DynamicsError> {
        ws.poison(model);
        sweep::configuration::configuration(model, state, &mut ws.configuration);
        out.drags = false;
        self.accelerations.fill(T::ZERO);
        self.outward(model, state, ws, out);
        let Self { own, bias, .. } = self;
        inward_sweep(model, own, out, |k, all, out| mass_and_bias(model, k, all, out, bias));
        if !inverse.invert(&out.mass, &mut matrices.input).all() {
            return Err(singular_pivot(model, &inverse.factor));
        }
        bias.iter_mut().zip(forces).for_each(|(c, t)| *c = *t - *c);
        let rows = matrices.input.chunks_exact(bias.len().max(1));
        for (x, row) in self.accelerations.iter_mut().zip(rows) {
            *x = row.iter().zip(bias.iter()).fold(T::ZERO, |sum, (a, b)| a.mul_add(*b, sum));
        }
        self.outward(model, state, ws, out);
        inward_sweep(model, &self.own, out, |k, all, out| inward::entries_of(model, k, all, out));
        ws.result.copy_from_slice(&self.accelerations);
        Ok(())
    }

    /// Columns, and each body by itself, at the accelerations that are there.
    fn outward(&mut self, model: &Model<T>, state: &State<T>, ws: &Workspace<T>, out: &mut Recursion<T>) {
        let at = &ws.configuration;
        for (k, body) in model.topology.bodies.iter().enumerate() {
            let mut seen = outward::place(model, k, at, &out.seen);
            let origin = seen.attitude.mul_add(at.inboard[k].position, seen.position);
            let (mut v, mut a) = match body.parent {
                Some(p) => (out.seen[p].velocity, self.acceleration[p]),
                None => (Motion::ZERO, Motion::new(Vector3::ZERO, -model.gravity)),
            };
            let (v_p, a_p) = (v, a);
            let quaternion = model.bodies[k].hinge.motion.has_quaternion();
            for (i, h) in body.hinge.clone().enumerate() {
                let S = outward::hinge_motion(body.axis, i, at.hinge_map[h], &seen.attitude, origin);
                let (u, u_dot) = (state.speeds[body.beta().start + i], self.accelerations[body.beta().start + i]);
                // Directions of a quaternion share what is inboard.
                let (v_i, a_i) = if quaternion { (v_p, a_p) } else { (v, a) };
                let V_d = cross(v_i, S);
                out.hinge[h] = Column { S, V_d, A_d: cross(a_i, S) + cross(v_i, V_d), A_u: V_d + V_d };
                v += S * u;
                a += S * u_dot + V_d * u;
            }
            if quaternion {
                out.hinge[body.hinge.clone()]
                    .iter_mut()
                    .for_each(|column| column.A_u = column.V_d + cross(v, column.S));
            }
            seen.velocity = v;
            (out.seen[k], self.acceleration[k]) = (seen, a);
            let inertia = model.bodies[k].inertia.rotate(&seen.attitude).shift(seen.position);
            let h = inertia.mul(v);
            let force = inertia.mul(a) + cross_force(v, h);
            self.own[k] = Composite { inertia, rate: Rate::rigid(&inertia, v, h), force, turn: None };
        }
    }
}

/// Composite bodies, from the tips to the root.
fn inward_sweep<T: Scalar>(
    model: &Model<T>,
    own: &[Composite<T>],
    out: &mut Recursion<T>,
    mut each: impl FnMut(usize, &Composite<T>, &mut Recursion<T>),
) {
    for (k, body) in model.topology.bodies.iter().enumerate().rev() {
        let all = body.carriers.clone().fold(own[k], |all, c| all.add(&out.arrived[c]));
        each(k, &all, out);
        inward::pass_on(model, body, all, out);
    }
}

/// Rows of `𝓜` and `𝓒` of the hinge of a body.
fn mass_and_bias<T: Scalar>(model: &Model<T>, k: usize, all: &Composite<T>, out: &mut Recursion<T>, bias: &mut [T]) {
    let (n, body) = (model.speed_count(), &model.topology.bodies[k]);
    for (i, h) in body.hinge.clone().enumerate() {
        let (row, S) = (body.beta().start + i, out.hinge[h].S);
        let F = all.inertia.mul(S);
        bias[row] = S.dot(all.force);
        let mut mass = std::mem::take(&mut out.mass);
        for_path(model, k, None, out, |j, column| {
            if j <= row {
                mass[row * n + j] = column.S.dot(F);
                mass[j * n + row] = mass[row * n + j];
            }
        });
        out.mass = mass;
        if let Some(rotor) = model.bodies[k].rotor.get(i) {
            out.mass[row * n + row] += *rotor;
        }
    }
}
