//! Finds the oscillators at one state: mass without the hinges that follow, tangents, eigenvectors, shapes.

use super::{Oscillators, eigen};
use crate::error::DynamicsError;
use crate::mass_matrix::packed_mass_matrix;
use crate::model::Model;
use crate::workspace::Workspace;
use supple_spatial::Mask;
use supple_spatial::block::{cholesky, symmetric};

impl Oscillators {
    /// Finds them at their state, for steps near `step`, with the hinges of bodies marked in `prescribed` held.
    pub(crate) fn find(
        &mut self,
        model: &Model,
        prescribed: &[bool],
        step: f64,
        workspace: &mut Workspace,
    ) -> Result<(), DynamicsError> {
        packed_mass_matrix(model, &self.state, workspace, &mut self.dense)?;
        self.directions.choose(model, prescribed);
        if !self.reduce_mass() {
            let body = crate::BodyIndex(0);
            return Err(DynamicsError::Singular { body, name: model.name(body).into() });
        }
        self.find_tangents(model, workspace);
        self.diagonalise(step);
        self.find_shapes(model);
        Ok(())
    }

    /// `Q`, `M_c` and its factor; whether both blocks are definite.
    fn reduce_mass(&mut self) -> bool {
        let (n, r) = (self.directions.len(), self.directions.hinges.len());
        let (directions, hinges) = (&self.directions.speeds, &self.directions.hinges);
        let M = &self.dense.matrix;
        let entry = |i: usize, j: usize| symmetric::entry(M, i, j);

        // 𝓜_ββ = L L*,  X = L⁻¹ 𝓜_βf,  M_c = 𝓜_ff - X* X,  Q = -L⁻* X; here L is L D^½ of the factor
        let L = &mut self.hinge_factor[..cholesky::packed_len(r)];
        for i in 0..r {
            for j in 0..=i {
                L[cholesky::row_start(i) + j] = entry(hinges[i], hinges[j]);
            }
        }
        let hinges_definite = cholesky::factor_in_place(L, r).all();
        for (j, direction) in directions.iter().enumerate() {
            let x = &mut self.column[..r];
            for (x, hinge) in x.iter_mut().zip(hinges) {
                *x = entry(*hinge, *direction);
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
                self.mass[cholesky::row_start(i) + j] = entry(directions[i], directions[j]) - product;
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
        let triangle = cholesky::packed_len(n);
        self.mass_factor[..triangle].copy_from_slice(&self.mass[..triangle]);
        cholesky::factor_in_place(&mut self.mass_factor[..triangle], n).all() && hinges_definite
    }

    /// `K` and, where anything is damped, `C`: of modes, and the symmetric part of those of elements. Tangents of elements that are not
    /// finite are left out.
    fn find_tangents(&mut self, model: &Model, workspace: &mut Workspace) {
        let n = self.directions.len();
        let Self { stiffness, damping, modal_stiffness, elements, element_tangent, directions, state, .. } = self;
        let (K, C) = (&mut stiffness[..n * n], &mut damping[..if self.damped { n * n } else { 0 }]);
        K.fill(0.0);
        C.fill(0.0);
        let bodies = model.topology.bodies.iter().zip(model.bodies.iter());
        for ((body, data), start) in bodies.zip(&directions.modes) {
            let Some(flexible) = &data.flexible else { continue };
            let tangent = &mut modal_stiffness[..cholesky::packed_len(body.modes)];
            flexible.elastic.tangent(&state.coordinates[body.eta()], tangent);
            for i in 0..body.modes {
                for j in 0..body.modes {
                    let at = (start + i) * n + start + j;
                    K[at] = symmetric::entry(tangent, i, j);
                    if self.damped {
                        C[at] = flexible.elastic.damping.entry(i, j);
                    }
                }
            }
        }
        let Some(elements) = elements else { return };
        if elements.update(model, state, workspace).is_err() {
            return;
        }
        let all = state.speeds.len();
        for (matrix, weights) in [(K, [0.0, 1.0]), (C, [1.0, 0.0])] {
            element_tangent.fill(0.0);
            elements.add_to(weights, element_tangent);
            for (row, i) in matrix.chunks_exact_mut(n.max(1)).zip(&directions.speeds) {
                for (entry, j) in row.iter_mut().zip(&directions.speeds) {
                    *entry += 0.5 * (element_tangent[i * all + j] + element_tangent[j * all + i]);
                }
            }
        }
    }

    /// `V*`, its inverse, `Ω²` and `D`.
    fn diagonalise(&mut self, step: f64) {
        let n = self.directions.len();
        let factor = &self.mass_factor[..cholesky::packed_len(n)];
        let (K, C) = (&self.stiffness[..n * n], &self.damping[..if self.damped { n * n } else { 0 }]);
        // M_c = R R*,  R⁻¹ (K + C/h) R⁻* = U Λ U*,  V = R⁻* U
        let B = &mut self.vectors[..n * n];
        B.copy_from_slice(K);
        B.iter_mut().zip(C).for_each(|(b, c)| *b += c / step);
        for _ in 0..2 {
            for row in B.chunks_exact_mut(n.max(1)) {
                cholesky::solve_lower(factor, row);
                cholesky::solve_diagonal_root(factor, row);
            }
            eigen::transpose(B, n);
        }
        let squares = &mut self.squares[..n];
        eigen::decompose(B, n, squares, &mut self.column[..n]);
        for row in B.chunks_exact_mut(n.max(1)) {
            cholesky::solve_diagonal_root(factor, row);
            cholesky::solve_upper(factor, row);
        }
        let inverse = &mut self.inverse[..n * n];
        for (v, out) in B.chunks_exact(n.max(1)).zip(inverse.chunks_exact_mut(n.max(1))) {
            symmetric::assign_mul(&self.mass[..cholesky::packed_len(n)], v, out);
        }
        eigen::transpose(inverse, n);
        if self.damped {
            for (i, v) in B.chunks_exact(n.max(1)).enumerate() {
                (squares[i], self.dampings[i]) = (quadratic(K, v), quadratic(C, v).max(0.0));
            }
        }
        squares.iter_mut().for_each(|square| *square = square.max(0.0));
    }

    /// What each oscillator moves: `V` in the directions, `Q V` in the other hinges, and what coordinates and attitudes make of these speeds.
    fn find_shapes(&mut self, model: &Model) {
        let (n, positions) = (self.directions.len(), self.positions);
        let (size, nq) = (positions + self.state.speeds.len(), self.state.coordinates.len());
        let Self { state, vectors, shapes, follow, attitude_rates, directions, .. } = self;
        for (v, shape) in vectors[..n * n].chunks_exact(n.max(1)).zip(shapes.chunks_exact_mut(size)) {
            state.speeds.fill(0.0);
            for (direction, x) in directions.speeds.iter().zip(v) {
                state.speeds[*direction] = *x;
            }
            for (hinge, row) in directions.hinges.iter().zip(follow.chunks_exact(n.max(1))) {
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
}

/// `v* A v`.
fn quadratic(a: &[f64], v: &[f64]) -> f64 {
    let rows = a.chunks_exact(v.len().max(1)).zip(v);
    rows.map(|(row, x)| x * row.iter().zip(v).map(|(a, y)| a * y).sum::<f64>()).sum()
}
