//! The mass matrix with damping and stiffness of the modes added, `𝓜 + c C + k K`, solved by the articulated-body sweeps [S4].
//!
//! `C` and `K` act on the modes of a body alone, so that they only add to its `M_ff`: one factorisation and each solution cost O(bodies),
//! like forward dynamics, see `modes`. Tangents of force elements are added at their ports, see `elements`.

#![allow(non_snake_case)] // symbols as printed, see docs/notation.md

mod elements;
mod modes;

pub(crate) use modes::ShiftedModes;

use crate::error::DynamicsError;
use crate::model::Model;
use crate::state::State;
use crate::sweep;
use elements::ShiftedElements;

/// Mass, damping and tangent stiffness at one state, and a factor of their sum.
#[derive(Clone, Debug)]
pub(crate) struct ShiftedMass {
    modes: ShiftedModes,
    /// Force elements, where there are any that implicit schemes take; coordinates at which they were factored, and displacements.
    elements: Option<Box<ShiftedElements>>,
    coordinates: Vec<f64>,
    moved: Vec<f64>,
}

impl ShiftedMass {
    pub(crate) fn new(model: &Model) -> Self {
        let sizes = model.topology.sizes;
        Self {
            modes: ShiftedModes::new(model),
            elements: ShiftedElements::new(model).map(Box::new),
            coordinates: vec![0.0; sizes.coordinates],
            moved: vec![0.0; sizes.speeds],
        }
    }

    /// Factors `𝓜 + c C + k K` at `state`, see [`ShiftedModes::factor`]. Elements whose tangents make the matrix singular are left out of it.
    pub(crate) fn factor(
        &mut self,
        model: &Model,
        state: &State,
        prescribed: &[bool],
        shift: [f64; 2],
    ) -> Result<(), DynamicsError> {
        let Self { modes, elements, coordinates, .. } = self;
        modes.factor(model, state, prescribed, shift)?;
        let Some(elements) = elements else { return Ok(()) };
        coordinates.copy_from_slice(&state.coordinates);
        let workspace = &mut modes.workspace;
        sweep::pose::pose(model, &mut workspace.configuration);
        sweep::velocity::velocity(model, state, &workspace.configuration, &mut workspace.velocity);
        elements.tangents.evaluate(model, state, workspace);
        let n = modes.forces.len();
        for j in 0..elements.tangents.size() {
            modes.forces.copy_from_slice(elements.tangents.column(j));
            modes.solve(model);
            elements.solved[j * n..(j + 1) * n].copy_from_slice(&modes.workspace.result);
        }
        elements.factor(shift);
        Ok(())
    }

    /// [`ShiftedModes::correct`], with the elements.
    pub(crate) fn correct(&mut self, model: &Model, q: Option<(f64, &[f64])>, [c, k]: [f64; 2], u: &mut [f64]) {
        let Some(elements) = &mut self.elements else { return self.modes.correct(model, q, [c, k], u) };
        self.modes.resist(model, q, [c, k], u);
        displacement(model, &self.coordinates, q, k, u, &mut self.moved);
        elements.resist(&self.moved, u, c, &mut self.modes.forces);
        self.modes.solve(model);
        elements.complete(&mut self.modes.workspace.result);
        // Prescribed hinges keep what `u` says.
        for (u, x) in u.iter_mut().zip(&self.modes.workspace.result) {
            *u += x;
        }
    }
}

/// `s q + k u` with the change `q` of the coordinates, if any, as a displacement in the directions of the speeds.
fn displacement(model: &Model, coordinates: &[f64], q: Option<(f64, &[f64])>, k: f64, u: &[f64], out: &mut [f64]) {
    out.fill(0.0);
    let mut scale = 0.0;
    if let Some((s, q)) = q {
        scale = s;
        for (body, data) in model.topology.bodies.iter().zip(model.bodies.iter()) {
            out[body.eta_dot()].copy_from_slice(&q[body.eta()]);
            let theta = body.theta();
            data.hinge.motion.displacement(&coordinates[theta.clone()], &q[theta], &mut out[body.beta()]);
        }
    }
    out.iter_mut().zip(u).for_each(|(x, u)| *x = scale * *x + k * u);
}

#[cfg(all(test, feature = "testkit"))]
mod tests {
    use super::*;
    use crate::testkit::{Prepared, RandomOptions, random_system};
    use crate::{DenseWorkspace, Inputs, Terms, Workspace, bias_forces, mass_matrix};
    use supple_spatial::block::symmetric;

    /// The tangent stiffness of all modes, by differences of the elastic forces.
    fn stiffness(at: &Prepared, workspace: &mut Workspace) -> Vec<f64> {
        let (n, inputs) = (at.model.speed_count(), Inputs::new(&at.model));
        let mut out = vec![0.0; n * n];
        for body in &at.model.topology.bodies {
            for (q, u) in body.eta().zip(body.eta_dot()) {
                let mut force = |change: f64| {
                    let mut state = at.state.clone();
                    state.coordinates[q] += change;
                    let terms = Terms { elastic: true, ..Terms::NONE };
                    // Damping does not follow the coordinates.
                    bias_forces(&at.model, &state, &inputs, terms, workspace).unwrap().forces().to_vec()
                };
                let (up, down) = (force(1e-4), force(-1e-4));
                for row in &at.model.topology.bodies {
                    for i in row.eta_dot() {
                        out[i * n + u] = (up[i] - down[i]) / 2e-4;
                    }
                }
            }
        }
        out
    }

    /// The stiffness that was factored, dense.
    fn factored(at: &Prepared, shifted: &ShiftedMass) -> Vec<f64> {
        let n = at.model.speed_count();
        let mut out = vec![0.0; n * n];
        for body in &at.model.topology.bodies {
            let K = &shifted.modes.stiffness[body.modal_triangle.clone()];
            for (i, row) in body.eta_dot().enumerate() {
                for (j, column) in body.eta_dot().enumerate() {
                    out[row * n + column] = symmetric::entry(K, i, j);
                }
            }
        }
        out
    }

    /// `(𝓜 + k K) x' = 𝓜 x` in the rows that are free, with the tangent stiffness; prescribed speeds stay as they are.
    #[test]
    fn shifted_solutions_obey_their_equation() {
        let (mut tangents, mut held) = (0, 0);
        for seed in 0..150 {
            let (system, random) = random_system(seed, &RandomOptions::default());
            let at = Prepared::new(&system, &random);
            let n = at.model.speed_count();
            let mut workspace = Workspace::new(&at.model);
            let mut mass = vec![0.0; n * n];
            mass_matrix(&at.model, &at.state, &mut workspace, &mut DenseWorkspace::new(&at.model), &mut mass).unwrap();
            let prescribed: Vec<bool> =
                (0..at.model.body_count()).map(|k| (k as u64 + seed).is_multiple_of(3)).collect();
            let mut shifted = ShiftedMass::new(&at.model);
            let k = 0.01;
            shifted.factor(&at.model, &at.state, &prescribed, [0.0, k]).unwrap();
            let K = factored(&at, &shifted);
            let size = K.iter().fold(1e-300_f64, |m, x| m.max(x.abs()));
            let wanted = stiffness(&at, &mut workspace);
            let same = |(i, j): (usize, usize)| {
                let symmetric = 0.5 * (wanted[i * n + j] + wanted[j * n + i]);
                (symmetric - K[i * n + j]).abs() < 1e-6 * size
            };
            // The others are indefinite with it, and have the stiffness of the undeformed body instead.
            tangents += usize::from((0..n).all(|i| (0..n).all(|j| same((i, j)))));

            let x = &random.accelerations;
            let mut found = x.clone();
            shifted.correct(&at.model, None, [0.0, k], &mut found);
            let bodies = || at.model.topology.bodies.iter().zip(&prescribed);
            let scale: f64 = (0..n * n).map(|i| (mass[i] + k * K[i]).abs()).fold(0.0, f64::max);
            let most = x.iter().chain(&found).fold(1.0_f64, |m, x| m.max(x.abs()));
            for i in 0..n {
                if bodies().any(|(body, prescribed)| *prescribed && body.beta().contains(&i)) {
                    assert_eq!(found[i], x[i], "{seed} {i}");
                    held += 1;
                    continue;
                }
                let row = i * n..(i + 1) * n;
                let left: f64 = (mass[row.clone()].iter().zip(&K[row.clone()]).zip(&found))
                    .map(|((m, t), x)| (m + k * t) * x)
                    .sum();
                let right: f64 = mass[row].iter().zip(x).map(|(m, x)| m * x).sum();
                assert!((left - right).abs() < 1e-12 * scale * most, "{seed} {i}: {left} {right}");
            }
        }
        assert!(tangents > 120 && held > 100, "{tangents} {held}");
    }
}
