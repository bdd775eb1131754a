//! The mass matrix with damping and stiffness of the modes added, `𝓜 + c C + k K`, solved by the articulated-body sweeps [S4].
//!
//! `C` and `K` act on the modes of a body alone, so that they only add to its `M_ff`: one factorisation and each solution cost O(bodies),
//! like forward dynamics. Tangents of force elements are added at their ports, see `elements`.

#![allow(non_snake_case)] // symbols as printed, see docs/notation.md

mod elements;

use crate::check;
use crate::closure;
use crate::error::DynamicsError;
use crate::method::Method;
use crate::model::Model;
use crate::state::State;
use crate::sweep;
use crate::workspace::Workspace;
use elements::ShiftedElements;
use supple_spatial::block::cholesky::row_start;
use supple_spatial::block::symmetric;

/// Mass, damping and tangent stiffness at one state, and a factor of their sum.
#[derive(Clone, Debug)]
pub(crate) struct ShiftedMass {
    workspace: Workspace,
    /// Packed: symmetric part of the tangent stiffness of the modes of every body.
    stiffness: Vec<f64>,
    /// Generalized forces of a solution.
    forces: Vec<f64>,
    /// Accelerations of prescribed hinges in a solution: none.
    rest: Vec<f64>,
    /// An operand and a product of one body.
    scratch: [Vec<f64>; 2],
    /// Force elements, where there are any that implicit schemes take; coordinates at which they were factored, and displacements.
    elements: Option<Box<ShiftedElements>>,
    coordinates: Vec<f64>,
    moved: Vec<f64>,
    /// Which closures act.
    closed: Vec<bool>,
}

impl ShiftedMass {
    pub(crate) fn new(model: &Model) -> Self {
        let sizes = model.topology.sizes;
        let mut workspace = Workspace::new(model);
        workspace.articulated.modal_shift = vec![0.0; sizes.modal_triangle];
        workspace.articulated.shifted = true;
        Self {
            workspace,
            stiffness: vec![0.0; sizes.modal_triangle],
            forces: vec![0.0; sizes.speeds],
            rest: vec![0.0; sizes.speeds],
            scratch: std::array::from_fn(|_| vec![0.0; sizes.most_modes]),
            elements: ShiftedElements::new(model).map(Box::new),
            coordinates: vec![0.0; sizes.coordinates],
            moved: vec![0.0; sizes.speeds],
            closed: vec![true; model.closures().len()],
        }
    }

    /// Factors `𝓜 + c C + k K` at `state`. Where the tangent stiffness of a deformed body makes that indefinite, the stiffness of the
    /// undeformed body is taken for `K`. Elements whose tangents make the matrix singular are left out of it.
    pub(crate) fn factor(
        &mut self,
        model: &Model,
        state: &State,
        prescribed: &[bool],
        shift: [f64; 2],
    ) -> Result<(), DynamicsError> {
        self.factor_modes(model, state, prescribed, shift)?;
        self.factor_closures(model, state);
        let Some(mut elements) = self.elements.take() else { return Ok(()) };
        self.coordinates.copy_from_slice(&state.coordinates);
        sweep::pose::pose(model, &mut self.workspace.configuration);
        sweep::velocity::velocity(model, state, &self.workspace.configuration, &mut self.workspace.velocity);
        elements.tangents.evaluate(model, state, &mut self.workspace);
        let n = self.forces.len();
        for j in 0..elements.tangents.size() {
            self.forces.copy_from_slice(elements.tangents.column(j));
            self.solve(model);
            elements.solved[j * n..(j + 1) * n].copy_from_slice(&self.workspace.result);
        }
        elements.factor(shift);
        self.elements = Some(elements);
        Ok(())
    }

    /// The part of [`factor`](Self::factor) without elements.
    fn factor_modes(
        &mut self,
        model: &Model,
        state: &State,
        prescribed: &[bool],
        [c, k]: [f64; 2],
    ) -> Result<(), DynamicsError> {
        check::state(model, state, self.workspace.stamp)?;
        self.workspace.poison(model);
        self.workspace.place_and_weigh(model, state);
        self.workspace.articulated.choose(model, Method::Explicit, Some(prescribed));
        self.shift(model, Some(&state.coordinates), [c, k]);
        let tangent = self.factor_shifted(model, state);
        if !matches!(tangent, Err(DynamicsError::Singular { .. })) {
            return tangent;
        }
        self.shift(model, None, [c, k]);
        self.factor_shifted(model, state)
    }

    /// Closures of the state hold all solutions: they are constraints of the shifted mass as of the mass itself.
    fn factor_closures(&mut self, model: &Model, state: &State) {
        if model.closing.is_empty() {
            return;
        }
        self.closed.copy_from_slice(&state.closed);
        let Workspace { configuration, modal, velocity, bias, articulated, closing, .. } = &mut self.workspace;
        sweep::pose::pose(model, configuration);
        closure::side::sides(model, state, configuration, velocity, closing);
        closure::rows::rows(model, state, configuration, closing);
        closing.drift.fill(0.0);
        closing.has_columns.fill(false);
        closure::compliance::innovations(model, &self.closed, configuration, modal, articulated, bias, closing);
        closure::compliance::matrices(model, &self.closed, closing);
        closure::solve::factor_matrices(model, &self.closed, &[], closing);
    }

    /// The inward sweep, after [`shift`](Self::shift).
    fn factor_shifted(&mut self, model: &Model, state: &State) -> Result<(), DynamicsError> {
        self.workspace.factor(model, state)
    }

    /// `c C + k K` with the tangent stiffness at `coordinates`, or of the undeformed body.
    fn shift(&mut self, model: &Model, coordinates: Option<&[f64]>, [c, k]: [f64; 2]) {
        for (body, data) in model.topology.bodies.iter().zip(model.bodies.iter()) {
            let Some(flexible) = &data.flexible else { continue };
            let undeformed = &mut self.scratch[0][..body.modes];
            undeformed.fill(0.0);
            let eta = coordinates.map_or(&*undeformed, |q| &q[body.eta()]);
            let K = &mut self.stiffness[body.modal_triangle.clone()];
            flexible.elastic.tangent(eta, K);
            let shift = &mut self.workspace.articulated.modal_shift[body.modal_triangle.clone()];
            for i in 0..body.modes {
                for j in 0..=i {
                    let at = row_start(i) + j;
                    shift[at] = c * flexible.elastic.damping.entry(i, j) + k * K[at];
                }
            }
        }
    }

    /// `u ← u + (𝓜 + c C + k K)⁻¹ [-K (s q + k u) - c C u]`, with the coordinates `q` of the modes or none. For `q = 0` this is
    /// `(𝓜 + c C + k K)⁻¹ 𝓜 u`; `𝓜` itself is never applied.
    pub(crate) fn correct(&mut self, model: &Model, q: Option<(f64, &[f64])>, [c, k]: [f64; 2], u: &mut [f64]) {
        let [moved, product] = &mut self.scratch;
        self.forces.fill(0.0);
        for (body, data) in model.topology.bodies.iter().zip(model.bodies.iter()) {
            let Some(flexible) = &data.flexible else { continue };
            let (moved, product) = (&mut moved[..body.modes], &mut product[..body.modes]);
            for (i, x) in u[body.eta_dot()].iter().enumerate() {
                moved[i] = k * x + q.map_or(0.0, |(s, q)| s * q[body.eta().start + i]);
            }
            symmetric::assign_mul(&self.stiffness[body.modal_triangle.clone()], moved, product);
            for (x, u) in moved.iter_mut().zip(&u[body.eta_dot()]) {
                *x = c * u;
            }
            flexible.elastic.damping.add_mul(moved, product);
            for (force, product) in self.forces[body.eta_dot()].iter_mut().zip(product) {
                *force = -*product;
            }
        }
        if let Some(elements) = &mut self.elements {
            displacement(model, &self.coordinates, q, k, u, &mut self.moved);
            elements.resist(&self.moved, u, c, &mut self.forces);
        }
        self.solve(model);
        if let Some(elements) = &mut self.elements {
            elements.complete(&mut self.workspace.result);
        }
        // Prescribed hinges keep what `u` says.
        for (u, x) in u.iter_mut().zip(&self.workspace.result) {
            *u += x;
        }
    }

    /// `(𝓜 + c C + k K)⁻¹` of the modes times `forces`, into the result of the workspace; prescribed hinges do not move.
    fn solve(&mut self, model: &Model) {
        let Workspace { configuration, modal, bias, articulated, residual, .. } = &mut self.workspace;
        sweep::articulation::solve::<f64, false>(
            model,
            configuration,
            modal,
            articulated,
            bias,
            &self.forces,
            &self.rest,
            residual,
        );
        self.workspace.result.fill(0.0);
        self.workspace.accelerate::<false>(model);
        if !model.closing.is_empty() {
            let Workspace { articulated, residual, acceleration, closing, result, .. } = &mut self.workspace;
            closure::solve::deviations(model, acceleration, result, closing);
            closure::solve::forces(model, closing);
            closure::solve::add_innovations(model, &self.closed, articulated, closing, residual);
            self.workspace.accelerate::<false>(model);
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
    use crate::{DenseWorkspace, Inputs, Terms, bias_forces, mass_matrix};

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
            let K = &shifted.stiffness[body.modal_triangle.clone()];
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
