//! The modes of all bodies together as independent oscillators, hinges free: frozen mass and tangent stiffness at one state.
//!
//! With the mass matrix in blocks of modes `f` and free hinges `β`, the hinges follow the modes by `Q = -𝓜_ββ⁻¹ 𝓜_βf` and leave them the mass
//! `M_c = 𝓜_ff + 𝓜_fβ Q`. The eigenvectors `K V = M_c V Ω²`, `V* M_c V = I`, give
//!
//! ```text
//! η = V ξ,   η̇ = V ξ̇,   β = γ + Q η̇:       ξ̈ = -Ω² ξ,   γ̇ = 0
//! ```
//!
//! for the motion under `-K η` alone. Dense in the modes: quadratic memory, cubic work at each state.

#![allow(non_snake_case)] // symbols as printed, see docs/notation.md

use crate::error::DynamicsError;
use crate::mass_matrix::packed_mass_matrix;
use crate::model::Model;
use crate::state::State;
use crate::workspace::{DenseWorkspace, Workspace};
use supple_spatial::Mask;
use supple_spatial::block::{cholesky, symmetric};

mod eigen;

/// The oscillators at one state.
#[derive(Clone, Debug)]
pub(crate) struct Oscillators {
    dense: DenseWorkspace,
    /// Speeds of the modes, in the order of the columns of `V`.
    modes: Vec<usize>,
    /// Coordinates of the modes, likewise.
    coordinates: Vec<usize>,
    /// Speeds of the free hinges, in the order of the rows of `Q`; room for all.
    hinges: Vec<usize>,
    /// `Q` by rows of hinge speeds.
    follow: Vec<f64>,
    /// `V` by rows of modes.
    shapes: Vec<f64>,
    /// `V⁻¹ = V* M_c` by rows of oscillators.
    inverse: Vec<f64>,
    /// `Ω²`; an unstable one is negative.
    squares: Vec<f64>,
    /// Packed: of the hinges, then of the modes.
    hinge_factor: Vec<f64>,
    modal_mass: Vec<f64>,
    modal_factor: Vec<f64>,
    /// Packed tangent stiffness of a body.
    stiffness: Vec<f64>,
    /// Numbers of one column.
    column: Vec<f64>,
    off_diagonal: Vec<f64>,
}

impl Oscillators {
    pub(crate) fn new(model: &Model) -> Self {
        let (mut modes, mut coordinates, mut hinges) = (Vec::new(), Vec::new(), Vec::new());
        for body in &model.topology.bodies {
            modes.extend(body.eta_dot());
            coordinates.extend(body.eta());
            hinges.extend(body.beta());
        }
        let (n, r) = (modes.len(), hinges.len());
        let zeros = |count: usize| vec![0.0; count];
        Self {
            dense: DenseWorkspace::new(model),
            modes,
            coordinates,
            hinges,
            follow: zeros(r * n),
            shapes: zeros(n * n),
            inverse: zeros(n * n),
            squares: zeros(n),
            hinge_factor: zeros(cholesky::packed_len(r)),
            modal_mass: zeros(cholesky::packed_len(n)),
            modal_factor: zeros(cholesky::packed_len(n)),
            stiffness: zeros(cholesky::packed_len(model.topology.sizes.most_modes)),
            column: zeros(n.max(r)),
            off_diagonal: zeros(n),
        }
    }

    /// Finds them at `state`, with the hinges of bodies marked in `prescribed` held.
    pub(crate) fn find(
        &mut self,
        model: &Model,
        state: &State,
        prescribed: &[bool],
        workspace: &mut Workspace,
    ) -> Result<(), DynamicsError> {
        packed_mass_matrix(model, state, workspace, &mut self.dense)?;
        self.hinges.clear();
        for (body, _) in model.topology.bodies.iter().zip(prescribed).filter(|(_, held)| !**held) {
            self.hinges.extend(body.beta());
        }
        let (n, r) = (self.modes.len(), self.hinges.len());
        let M = &self.dense.matrix;
        let entry = |i: usize, j: usize| symmetric::entry(M, i, j);

        // 𝓜_ββ = L L*,  X = L⁻¹ 𝓜_βf,  M_c = 𝓜_ff - X* X,  Q = -L⁻* X
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
        let B = &mut self.shapes;
        B.fill(0.0);
        let mut start = 0;
        for (body, data) in model.topology.bodies.iter().zip(model.bodies.iter()) {
            let Some(flexible) = &data.flexible else { continue };
            let K = &mut self.stiffness[..cholesky::packed_len(body.modes)];
            flexible.elastic.tangent(&state.coordinates[body.eta()], K);
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
            }
            transpose(B, n);
        }
        eigen::decompose(B, n, &mut self.squares, &mut self.off_diagonal);
        // Columns of U are the rows of the transposed one.
        transpose(B, n);
        for row in B.chunks_exact_mut(n.max(1)) {
            cholesky::solve_upper(&self.modal_factor, row);
        }
        for (v, out) in self.shapes.chunks_exact(n.max(1)).zip(self.inverse.chunks_exact_mut(n.max(1))) {
            out.fill(0.0);
            symmetric::assign_mul(&self.modal_mass, v, out);
        }
        transpose(&mut self.shapes, n);
        Ok(())
    }

    /// `Ω²` of every oscillator, at the place of its coordinate and of its speed.
    pub(crate) fn squares(&self) -> impl Iterator<Item = ([usize; 2], f64)> + '_ {
        self.coordinates.iter().zip(&self.modes).zip(&self.squares).map(|((q, u), square)| ([*q, *u], *square))
    }

    /// The pairs `(ξ, ξ̇)`.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = [usize; 2]> + '_ {
        self.coordinates.iter().zip(&self.modes).map(|(q, u)| [*q, *u])
    }

    /// `β ← β - Q η̇`, `η̇ ← V⁻¹ η̇`.
    pub(crate) fn split_speeds(&mut self, u: &mut [f64]) {
        let n = self.modes.len();
        let Self { column, modes, hinges, follow, inverse, .. } = self;
        for (x, i) in column.iter_mut().zip(modes.iter()) {
            *x = u[*i];
        }
        for (hinge, row) in hinges.iter().zip(follow.chunks_exact(n.max(1))) {
            u[*hinge] -= dot(row, &column[..n]);
        }
        for (mode, row) in modes.iter().zip(inverse.chunks_exact(n.max(1))) {
            u[*mode] = dot(row, &column[..n]);
        }
    }

    /// The inverse of [`split_speeds`](Self::split_speeds).
    pub(crate) fn join_speeds(&mut self, u: &mut [f64]) {
        let n = self.modes.len();
        let Self { column, modes, hinges, follow, shapes, .. } = self;
        for (x, i) in column.iter_mut().zip(modes.iter()) {
            *x = u[*i];
        }
        for (mode, row) in modes.iter().zip(shapes.chunks_exact(n.max(1))) {
            u[*mode] = dot(row, &column[..n]);
        }
        for (x, i) in column.iter_mut().zip(modes.iter()) {
            *x = u[*i];
        }
        for (hinge, row) in hinges.iter().zip(follow.chunks_exact(n.max(1))) {
            u[*hinge] += dot(row, &column[..n]);
        }
    }

    /// Speeds of the hinges, and nothing else, that follow modal speeds equal to the modal coordinates in `q`.
    pub(crate) fn following(&mut self, q: &[f64], u: &mut [f64]) {
        let n = self.modes.len();
        u.fill(0.0);
        for (x, i) in self.column.iter_mut().zip(&self.coordinates) {
            *x = q[*i];
        }
        for (hinge, row) in self.hinges.iter().zip(self.follow.chunks_exact(n.max(1))) {
            u[*hinge] = dot(row, &self.column[..n]);
        }
        for (x, i) in self.column.iter().zip(&self.modes) {
            u[*i] = *x;
        }
    }

    /// `η ← V⁻¹ η`.
    pub(crate) fn split_coordinates(&mut self, q: &mut [f64]) {
        turn(&self.inverse, &self.coordinates, &mut self.column, q);
    }

    /// `ξ ← V ξ`.
    pub(crate) fn join_coordinates(&mut self, q: &mut [f64]) {
        turn(&self.shapes, &self.coordinates, &mut self.column, q);
    }
}

fn turn(matrix: &[f64], places: &[usize], column: &mut [f64], q: &mut [f64]) {
    let n = places.len();
    for (x, i) in column.iter_mut().zip(places) {
        *x = q[*i];
    }
    for (i, row) in places.iter().zip(matrix.chunks_exact(n.max(1))) {
        q[*i] = dot(row, &column[..n]);
    }
}

#[inline]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |sum, (a, b)| a.mul_add(*b, sum))
}

fn transpose(a: &mut [f64], n: usize) {
    for i in 0..n {
        for j in 0..i {
            a.swap(i * n + j, j * n + i);
        }
    }
}
