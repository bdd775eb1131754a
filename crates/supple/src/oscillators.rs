//! The modes of all bodies together as independent oscillators, hinges free: frozen mass and tangent stiffness at one state.
//!
//! With the mass matrix in blocks of modes `f` and free hinges `β`, the hinges follow the modes by `Q = -𝓜_ββ⁻¹ 𝓜_βf` and leave them the mass
//! `M_c = 𝓜_ff + 𝓜_fβ Q`. The eigenvectors `K V = M_c V Ω²`, `V* M_c V = I`, give
//!
//! ```text
//! η = V ξ,   η̇ = V ξ̇,   β = γ + Q η̇:       ξ̈ = -Ω² ξ,   γ̇ = 0
//! ```
//!
//! for the motion under `-K η` alone. An oscillator moves everything: its shape has a part in every coordinate, attitude and speed. Dense in
//! the modes: quadratic memory, cubic work at each state.

#![allow(non_snake_case)] // symbols as printed, see docs/notation.md

use crate::error::DynamicsError;
use crate::mass_matrix::packed_mass_matrix;
use crate::model::Model;
use crate::state::State;
use crate::workspace::{DenseWorkspace, Workspace};
use supple_spatial::block::{cholesky, symmetric};
use supple_spatial::{Mask, Quaternion};

mod eigen;

/// The oscillators at one state. Vectors are flat: coordinates, attitudes, speeds.
#[derive(Clone, Debug)]
pub(crate) struct Oscillators {
    dense: DenseWorkspace,
    state: State,
    attitude_rates: Vec<Quaternion<f64>>,
    /// Places of `(η, η̇)` of the modes, in the order of the oscillators.
    places: Vec<[usize; 2]>,
    /// Speeds of the modes, likewise.
    modes: Vec<usize>,
    /// Speeds of the free hinges, in the order of the rows of `Q`.
    hinges: Vec<usize>,
    /// Number of coordinates and attitude numbers: where the speeds begin.
    positions: usize,
    /// Per oscillator: its shape.
    shapes: Vec<f64>,
    /// Per mode: its column of `V⁻¹ = V* M_c`.
    inverse: Vec<f64>,
    /// `Ω²`; an unstable one is negative.
    squares: Vec<f64>,
    /// `Q` by rows of hinge speeds.
    follow: Vec<f64>,
    /// `V*`, packed `M_c` and factors.
    vectors: Vec<f64>,
    hinge_factor: Vec<f64>,
    modal_mass: Vec<f64>,
    modal_factor: Vec<f64>,
    /// Packed tangent stiffness of a body.
    stiffness: Vec<f64>,
    column: Vec<f64>,
    /// Amplitudes of coordinates and speeds.
    amplitudes: [Vec<f64>; 2],
}

impl Oscillators {
    pub(crate) fn new(model: &Model) -> Self {
        let state = State::new(model);
        let positions = state.coordinates.len() + 4 * state.attitudes.len();
        let (mut places, mut modes, mut hinges) = (Vec::new(), Vec::new(), Vec::new());
        for body in &model.topology.bodies {
            modes.extend(body.eta_dot());
            places.extend(body.eta().zip(body.eta_dot()).map(|(q, u)| [q, positions + u]));
            hinges.extend(body.beta());
        }
        let (n, r, speeds) = (modes.len(), hinges.len(), state.speeds.len());
        let zeros = |count: usize| vec![0.0; count];
        Self {
            dense: DenseWorkspace::new(model),
            attitude_rates: vec![Quaternion::IDENTITY; state.attitudes.len()],
            state,
            places,
            modes,
            hinges,
            positions,
            shapes: zeros(n * (positions + speeds)),
            inverse: zeros(n * n),
            squares: zeros(n),
            follow: zeros(r * n),
            vectors: zeros(n * n),
            hinge_factor: zeros(cholesky::packed_len(r)),
            modal_mass: zeros(cholesky::packed_len(n)),
            modal_factor: zeros(cholesky::packed_len(n)),
            stiffness: zeros(cholesky::packed_len(model.topology.sizes.most_modes)),
            column: zeros(n.max(r)),
            amplitudes: [zeros(n), zeros(n)],
        }
    }

    /// The state at which they are found.
    pub(crate) fn state_mut(&mut self) -> &mut State {
        &mut self.state
    }

    /// Finds them at their state, with the hinges of bodies marked in `prescribed` held.
    pub(crate) fn find(
        &mut self,
        model: &Model,
        prescribed: &[bool],
        workspace: &mut Workspace,
    ) -> Result<(), DynamicsError> {
        packed_mass_matrix(model, &self.state, workspace, &mut self.dense)?;
        self.hinges.clear();
        for (body, _) in model.topology.bodies.iter().zip(prescribed).filter(|(_, held)| !**held) {
            self.hinges.extend(body.beta());
        }
        let (n, r) = (self.modes.len(), self.hinges.len());
        let M = &self.dense.matrix;
        let entry = |i: usize, j: usize| symmetric::entry(M, i, j);

        // 𝓜_ββ = L L*,  X = L⁻¹ 𝓜_βf,  M_c = 𝓜_ff - X* X,  Q = -L⁻* X; here L is L D^½ of the factor
        let L = &mut self.hinge_factor[..cholesky::packed_len(r)];
        for i in 0..r {
            for j in 0..=i {
                L[cholesky::row_start(i) + j] = entry(self.hinges[i], self.hinges[j]);
            }
        }
        let mut definite = cholesky::factor_in_place(L, r).all();
        for (j, mode) in self.modes.iter().enumerate() {
            let x = &mut self.column[..r];
            for (x, hinge) in x.iter_mut().zip(&self.hinges) {
                *x = entry(*hinge, *mode);
            }
            cholesky::solve_lower(L, x);
            cholesky::solve_diagonal_root(L, x);
            for i in 0..r {
                self.follow[i * n + j] = x[i];
            }
        }
        for i in 0..n {
            for j in 0..=i {
                let product: f64 = (0..r).map(|k| self.follow[k * n + i] * self.follow[k * n + j]).sum();
                self.modal_mass[cholesky::row_start(i) + j] = entry(self.modes[i], self.modes[j]) - product;
            }
        }
        for j in 0..n {
            let x = &mut self.column[..r];
            for i in 0..r {
                x[i] = -self.follow[i * n + j];
            }
            cholesky::solve_diagonal_root(L, x);
            cholesky::solve_upper(L, x);
            for i in 0..r {
                self.follow[i * n + j] = x[i];
            }
        }

        // M_c = R R*,  R⁻¹ K R⁻* = U Ω² U*,  V = R⁻* U
        self.modal_factor.copy_from_slice(&self.modal_mass);
        definite &= cholesky::factor_in_place(&mut self.modal_factor, n).all();
        if !definite {
            let body = crate::BodyIndex(0);
            return Err(DynamicsError::Singular { body, name: model.name(body).into() });
        }
        let B = &mut self.vectors;
        B.fill(0.0);
        let mut start = 0;
        for (body, data) in model.topology.bodies.iter().zip(model.bodies.iter()) {
            let Some(flexible) = &data.flexible else { continue };
            let K = &mut self.stiffness[..cholesky::packed_len(body.modes)];
            flexible.elastic.tangent(&self.state.coordinates[body.eta()], K);
            for i in 0..body.modes {
                for j in 0..body.modes {
                    B[(start + i) * n + start + j] = symmetric::entry(K, i, j);
                }
            }
            start += body.modes;
        }
        for _ in 0..2 {
            for row in B.chunks_exact_mut(n.max(1)) {
                cholesky::solve_lower(&self.modal_factor, row);
                cholesky::solve_diagonal_root(&self.modal_factor, row);
            }
            eigen::transpose(B, n);
        }
        eigen::decompose(B, n, &mut self.squares, &mut self.column[..n]);
        for row in B.chunks_exact_mut(n.max(1)) {
            cholesky::solve_diagonal_root(&self.modal_factor, row);
            cholesky::solve_upper(&self.modal_factor, row);
        }
        for (v, out) in B.chunks_exact(n.max(1)).zip(self.inverse.chunks_exact_mut(n.max(1))) {
            symmetric::assign_mul(&self.modal_mass, v, out);
        }
        eigen::transpose(&mut self.inverse, n);
        self.find_shapes(model);
        Ok(())
    }

    /// What each oscillator moves: `V` in the modes, `Q V` in the hinges, and what coordinates and attitudes make of these speeds.
    fn find_shapes(&mut self, model: &Model) {
        let (n, positions) = (self.modes.len(), self.positions);
        let (size, nq) = (positions + self.state.speeds.len(), self.state.coordinates.len());
        let Self { state, vectors, shapes, follow, attitude_rates, modes, hinges, .. } = self;
        for (v, shape) in vectors.chunks_exact(n.max(1)).zip(shapes.chunks_exact_mut(size)) {
            state.speeds.fill(0.0);
            for (mode, x) in modes.iter().zip(v) {
                state.speeds[*mode] = *x;
            }
            for (hinge, row) in hinges.iter().zip(follow.chunks_exact(n.max(1))) {
                state.speeds[*hinge] = row.iter().zip(v).map(|(q, x)| q * x).sum();
            }
            let (q, rest) = shape.split_at_mut(nq);
            state.coordinate_rates(model, q, attitude_rates);
            for (out, rate) in rest[..positions - nq].chunks_exact_mut(4).zip(attitude_rates.iter()) {
                out.copy_from_slice(&rate.0);
            }
            rest[positions - nq..].copy_from_slice(&state.speeds);
        }
    }

    /// Writes `Ω²` of every oscillator at the places of its coordinate and of its speed.
    pub(crate) fn write_squares(&self, out: &mut [f64]) {
        for ([q, u], square) in self.places.iter().zip(&self.squares) {
            (out[*q], out[*u]) = (*square, *square);
        }
    }

    /// Replaces modes by oscillators in `x`, and the rest by what it does beside following them.
    pub(crate) fn split(&mut self, x: &mut [f64]) {
        let (n, positions) = (self.modes.len(), self.positions);
        let size = positions + self.state.speeds.len();
        let Self { amplitudes: [first, second], inverse, places, shapes, .. } = self;
        first.fill(0.0);
        second.fill(0.0);
        for ([q, u], column) in places.iter().zip(inverse.chunks_exact(n.max(1))) {
            let (q, u) = (x[*q], x[*u]);
            for ((a, b), c) in first.iter_mut().zip(second.iter_mut()).zip(column) {
                *a = c.mul_add(q, *a);
                *b = c.mul_add(u, *b);
            }
        }
        let (q, u) = x[..size].split_at_mut(positions);
        for ((a, b), shape) in first.iter().zip(second.iter()).zip(shapes.chunks_exact(size)) {
            let (s, t) = shape.split_at(positions);
            q.iter_mut().zip(s).for_each(|(x, s)| *x = s.mul_add(-*a, *x));
            u.iter_mut().zip(t).for_each(|(x, t)| *x = t.mul_add(-*b, *x));
        }
        for ([q, u], (a, b)) in places.iter().zip(first.iter().zip(second.iter())) {
            (x[*q], x[*u]) = (*a, *b);
        }
    }

    /// The inverse of [`split`](Self::split).
    pub(crate) fn join(&mut self, x: &mut [f64]) {
        let positions = self.positions;
        let size = positions + self.state.speeds.len();
        let Self { amplitudes: [first, second], places, shapes, .. } = self;
        for ([q, u], (a, b)) in places.iter().zip(first.iter_mut().zip(second.iter_mut())) {
            (*a, *b) = (x[*q], x[*u]);
            (x[*q], x[*u]) = (0.0, 0.0);
        }
        let (q, u) = x[..size].split_at_mut(positions);
        for ((a, b), shape) in first.iter().zip(second.iter()).zip(shapes.chunks_exact(size)) {
            let (s, t) = shape.split_at(positions);
            q.iter_mut().zip(s).for_each(|(x, s)| *x = s.mul_add(*a, *x));
            u.iter_mut().zip(t).for_each(|(x, t)| *x = t.mul_add(*b, *x));
        }
    }

    /// `out ← A x`: hinge coordinates follow hinge speeds, oscillators oscillate, nothing else has a rate.
    pub(crate) fn oscillate(&mut self, model: &Model, x: &[f64], out: &mut [f64]) {
        let nq = self.state.coordinates.len();
        out[nq..].fill(0.0);
        let speeds = self.positions..self.positions + self.state.speeds.len();
        self.state.speeds.copy_from_slice(&x[speeds]);
        self.state.hinge_coordinate_rates(model, &mut out[..nq]);
        for ([q, u], square) in self.places.iter().zip(&self.squares) {
            (out[*q], out[*u]) = (x[*u], -square * x[*q]);
        }
    }
}

#[cfg(all(test, feature = "testkit"))]
mod tests {
    use super::*;
    use crate::mass_operator;
    use crate::testkit::{Prepared, RandomOptions, random_system};

    /// Back and forth is nothing, and in between `A` is the kinematics and `-𝓜⁻¹ K`.
    #[test]
    fn oscillators_are_the_motion_under_the_modal_stiffness() {
        let mut tried = 0;
        for (seed, driven) in (0..150).flat_map(|seed| [(seed, false), (seed, true)]) {
            let (mut system, random) = random_system(seed, &RandomOptions::default());
            if !driven {
                system.bodies.iter_mut().for_each(|body| body.hinge.rotor_inertia.clear());
            }
            let at = Prepared::new(&system, &random);
            let model = &at.model;
            let (nq, nu) = (model.coordinate_count(), model.speed_count());
            let positions = nq + 4 * at.state.attitudes.len();
            let mut oscillators = Oscillators::new(model);
            *oscillators.state_mut() = at.state.clone();
            let mut workspace = Workspace::new(model);
            if oscillators.find(model, &vec![false; model.body_count()], &mut workspace).is_err() {
                continue;
            }
            let given: Vec<f64> = (0..positions + nu).map(|i| ((i * i + 3 * i) as f64 + seed as f64).sin()).collect();
            let mut x = given.clone();
            oscillators.split(&mut x);
            // With drives, rounding is that of the numbers on the way, which may be larger than those at its ends.
            let between = x.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
            let mut ax = vec![0.0; x.len()];
            oscillators.oscillate(model, &x, &mut ax);
            oscillators.join(&mut x);
            oscillators.join(&mut ax);
            let most = x.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
            let error = given.iter().zip(&x).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
            let condition = random.answer(&system).condition();
            let allowed = if driven { 1e-14 * between.max(most) } else { 1e-13 * most };
            assert!(error < allowed * condition, "{seed}: {error:e} {condition:e}");

            let mut forces = vec![0.0; nu];
            for (body, data) in model.topology.bodies.iter().zip(model.bodies.iter()) {
                if let Some(flexible) = &data.flexible {
                    let mut K = vec![0.0; cholesky::packed_len(body.modes)];
                    flexible.elastic.tangent(&at.state.coordinates[body.eta()], &mut K);
                    symmetric::assign_mul(&K, &given[body.eta()], &mut forces[body.eta_dot()]);
                }
            }
            forces.iter_mut().for_each(|f| *f = -*f);
            let mut expected = vec![0.0; nu];
            mass_operator(model, &at.state, &mut workspace).unwrap().solve(&forces, &mut expected).unwrap();
            let size = expected.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
            for (a, b) in ax[positions..].iter().zip(&expected) {
                assert!((a - b).abs() < 1e-12 * condition * size, "{seed}: {a} {b} {condition:e}");
            }
            let mut state = at.state.clone();
            state.speeds.copy_from_slice(&given[positions..]);
            let mut rates = vec![0.0; nq];
            state.coordinate_rates(model, &mut rates, &mut vec![Quaternion::IDENTITY; state.attitudes.len()]);
            for (a, b) in ax[..nq].iter().zip(&rates) {
                assert!((a - b).abs() < 1e-12 * condition * most, "{seed}: {a} {b}");
            }
            tried += 1;
        }
        assert!(tried > 100, "{tried}");
    }
}
