//! The mass matrix with damping and stiffness of the modes added, without force elements, for any scalar.

#![allow(non_snake_case)] // symbols as printed, see docs/notation.md

use crate::check;
use crate::closure;
use crate::error::DynamicsError;
use crate::method::Method;
use crate::model::Model;
use crate::state::State;
use crate::sweep;
use crate::workspace::Workspace;
use supple_spatial::Scalar;
use supple_spatial::block::cholesky::row_start;
use supple_spatial::block::symmetric;

/// Mass, damping and tangent stiffness of the modes at one state, and a factor of their sum.
#[derive(Clone, Debug)]
pub(crate) struct ShiftedModes<T: Scalar = f64> {
    pub workspace: Workspace<T>,
    /// Packed: symmetric part of the tangent stiffness of the modes of every body.
    pub stiffness: Vec<T>,
    /// Generalized forces of a solution.
    pub forces: Vec<T>,
    /// Accelerations of prescribed hinges in a solution: none.
    rest: Vec<T>,
    /// An operand and a product of one body.
    scratch: [Vec<T>; 2],
    /// Which closures act.
    closed: Vec<bool>,
}

impl<T: Scalar> ShiftedModes<T> {
    pub(crate) fn new(model: &Model<T>) -> Self {
        let sizes = model.topology.sizes;
        let mut workspace = Workspace::new(model);
        workspace.articulated.modal_shift = vec![T::ZERO; sizes.modal_triangle];
        workspace.articulated.shifted = true;
        let zeros = |count: usize| vec![T::ZERO; count];
        Self {
            workspace,
            stiffness: zeros(sizes.modal_triangle),
            forces: zeros(sizes.speeds),
            rest: zeros(sizes.speeds),
            scratch: std::array::from_fn(|_| zeros(sizes.most_modes)),
            closed: vec![true; model.closures().len()],
        }
    }

    /// Factors `𝓜 + c C + k K` at `state`. Where the tangent stiffness of a deformed body makes that indefinite, the stiffness of the
    /// undeformed body is taken for `K`.
    pub(crate) fn factor(
        &mut self,
        model: &Model<T>,
        state: &State<T>,
        prescribed: &[bool],
        shift: [T; 2],
    ) -> Result<(), DynamicsError> {
        check::state(model, state, self.workspace.stamp)?;
        self.workspace.poison(model);
        self.workspace.place_and_weigh(model, state);
        self.workspace.articulated.choose(model, Method::Explicit, Some(prescribed));
        self.shift(model, Some(&state.coordinates), shift);
        let tangent = self.workspace.factor(model, state);
        if !matches!(tangent, Err(DynamicsError::Singular { .. })) {
            tangent?;
        } else {
            self.shift(model, None, shift);
            self.workspace.factor(model, state)?;
        }
        self.factor_closures(model, state);
        Ok(())
    }

    /// Closures of the state hold all solutions: they are constraints of the shifted mass as of the mass itself.
    fn factor_closures(&mut self, model: &Model<T>, state: &State<T>) {
        if model.closing.is_empty() {
            return;
        }
        self.closed.copy_from_slice(&state.closed);
        let Workspace { configuration, modal, velocity, bias, articulated, closing, .. } = &mut self.workspace;
        sweep::pose::pose(model, configuration);
        closure::side::sides(model, state, configuration, velocity, closing);
        closure::rows::rows(model, state, configuration, closing);
        closing.drift.fill(T::ZERO);
        closing.has_columns.fill(false);
        closure::compliance::innovations(model, &self.closed, configuration, modal, articulated, bias, closing);
        closure::compliance::matrices(model, &self.closed, closing);
        closure::solve::factor_matrices(model, &self.closed, &[], closing);
    }

    /// `c C + k K` with the tangent stiffness at `coordinates`, or of the undeformed body.
    fn shift(&mut self, model: &Model<T>, coordinates: Option<&[T]>, [c, k]: [T; 2]) {
        for (body, data) in model.topology.bodies.iter().zip(model.bodies.iter()) {
            let Some(flexible) = &data.flexible else { continue };
            let undeformed = &mut self.scratch[0][..body.modes];
            undeformed.fill(T::ZERO);
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

    /// Forces `-K (s q + k u) - c C u` of the modes, with their coordinates `q` or none.
    pub(crate) fn resist(&mut self, model: &Model<T>, q: Option<(T, &[T])>, [c, k]: [T; 2], u: &[T]) {
        let [moved, product] = &mut self.scratch;
        self.forces.fill(T::ZERO);
        for (body, data) in model.topology.bodies.iter().zip(model.bodies.iter()) {
            let Some(flexible) = &data.flexible else { continue };
            let (moved, product) = (&mut moved[..body.modes], &mut product[..body.modes]);
            for (i, x) in u[body.eta_dot()].iter().enumerate() {
                moved[i] = k * *x + q.map_or(T::ZERO, |(s, q)| s * q[body.eta().start + i]);
            }
            symmetric::assign_mul(&self.stiffness[body.modal_triangle.clone()], moved, product);
            for (x, u) in moved.iter_mut().zip(&u[body.eta_dot()]) {
                *x = c * *u;
            }
            flexible.elastic.damping.add_mul(moved, product);
            for (force, product) in self.forces[body.eta_dot()].iter_mut().zip(product) {
                *force = -*product;
            }
        }
    }

    /// `u ← u + (𝓜 + c C + k K)⁻¹ [-K (s q + k u) - c C u]`, with the coordinates `q` of the modes or none. For `q = 0` this is
    /// `(𝓜 + c C + k K)⁻¹ 𝓜 u`; `𝓜` itself is never applied.
    pub(crate) fn correct(&mut self, model: &Model<T>, q: Option<(T, &[T])>, shift: [T; 2], u: &mut [T]) {
        self.resist(model, q, shift, u);
        self.solve(model);
        // Prescribed hinges keep what `u` says.
        for (u, x) in u.iter_mut().zip(&self.workspace.result) {
            *u += *x;
        }
    }

    /// `(𝓜 + c C + k K)⁻¹` of the modes times `forces`, into the result of the workspace; prescribed hinges do not move.
    pub(crate) fn solve(&mut self, model: &Model<T>) {
        let Workspace { configuration, modal, bias, articulated, residual, .. } = &mut self.workspace;
        sweep::articulation::solve::<T, false>(
            model,
            configuration,
            modal,
            articulated,
            bias,
            &self.forces,
            &self.rest,
            residual,
        );
        self.workspace.result.fill(T::ZERO);
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
