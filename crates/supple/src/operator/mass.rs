//! `𝓜 x`, `𝓜⁻¹ x`, `ln det 𝓜`, `𝓜⁻¹`.

use super::ArticulatedBody;
use super::factor;
use crate::check;
use crate::error::DynamicsError;
use crate::inverse_dynamics::newton_euler;
use crate::method::Method;
use crate::model::{BodyIndex, Model};
use crate::state::State;
use crate::sweep;
use crate::workspace::Workspace;
use supple_spatial::Scalar;
use supple_spatial::block::cholesky;

/// The mass matrix at one configuration. Each product costs O(bodies) and allocates nothing.
///
/// It borrows the workspace: while it lives no other verb can overwrite what it needs.
#[derive(Debug)]
pub struct MassOperator<'w, T: Scalar = f64> {
    model: &'w Model<T>,
    workspace: &'w mut Workspace<T>,
}

/// Factors the mass matrix at `state`, whose speeds do not matter.
///
/// # Errors
/// Sizes that do not fit, numbers that are not finite, or a singular configuration.
pub fn mass_operator<'w, T: Scalar>(
    model: &'w Model<T>,
    state: &State<T>,
    workspace: &'w mut Workspace<T>,
) -> Result<MassOperator<'w, T>, DynamicsError> {
    check::state(model, state, workspace.stamp)?;
    workspace.poison(model);
    workspace.place_and_weigh(model, state);
    workspace.articulated.choose(model, Method::Explicit, None);
    workspace.factor(model, state)?;
    Ok(MassOperator { model, workspace })
}

impl<T: Scalar> MassOperator<'_, T> {
    fn check(&self, x: &[T], out: &[T]) -> Result<(), DynamicsError> {
        check::size("operand", x.len(), self.model.speed_count())?;
        check::size("result", out.len(), self.model.speed_count())?;
        check::finite("operand", x)
    }

    /// `out ← 𝓜 x`, by the Newton-Euler factorization `HΦM_mΦ*H*` [JR92 (43)].
    ///
    /// # Errors
    /// Slices of the wrong length or numbers that are not finite.
    pub fn apply(&mut self, x: &[T], out: &mut [T]) -> Result<(), DynamicsError> {
        self.check(x, out)?;
        self.workspace.second_result.copy_from_slice(x);
        newton_euler::<T, false, false>(self.model, self.workspace);
        out.copy_from_slice(&self.workspace.result);
        check::result("result", out, None)
    }

    /// `out ← 𝓜⁻¹ x` [JR92 (56)].
    ///
    /// # Errors
    /// Slices of the wrong length or numbers that are not finite.
    pub fn solve(&mut self, x: &[T], out: &mut [T]) -> Result<(), DynamicsError> {
        self.check(x, out)?;
        let Workspace { configuration, modal, bias, articulated, residual, .. } = &mut *self.workspace;
        sweep::articulation::solve::<T, false>(self.model, configuration, modal, articulated, bias, x, x, residual);
        self.workspace.accelerate::<false>(self.model);
        out.copy_from_slice(&self.workspace.result);
        check::result("result", out, None)
    }

    /// `out ← 𝓜⁻¹`, `n × n` by rows.
    ///
    /// # Errors
    /// A slice of the wrong length.
    pub fn inverse(&mut self, out: &mut [T]) -> Result<(), DynamicsError> {
        let n = self.model.speed_count();
        check::size("inverse", out.len(), n * n)?;
        for (i, row) in out.chunks_exact_mut(n.max(1)).enumerate() {
            // Rows are columns of the symmetric inverse; `second_result` holds the unit vector.
            let mut unit = std::mem::take(&mut self.workspace.second_result);
            unit.fill(T::ZERO);
            unit[i] = T::ONE;
            let done = self.solve(&unit, row);
            self.workspace.second_result = unit;
            done?;
        }
        Ok(())
    }

    /// The articulated-body quantities of a body: `P`, `D`, `G` [JR92 (63)]. Products leave them as they are.
    ///
    /// # Errors
    /// A body that the model does not have.
    pub fn body(&self, body: BodyIndex) -> Result<ArticulatedBody<'_, T>, DynamicsError> {
        check::body(self.model, body)?;
        Ok(ArticulatedBody::new(self.model, self.workspace, body.0))
    }

    /// `ln det 𝓜 = Σ ln det D_f + ln det D_R` [JR92 (54)].
    pub fn log_det(&self) -> T {
        let articulated = &self.workspace.articulated;
        self.model.topology.bodies.iter().fold(T::ZERO, |sum, body| {
            sum + cholesky::log_det(&articulated.modal_factor[body.modal_triangle.clone()], body.modes)
                + cholesky::log_det(&articulated.hinge_factor[body.hinge_triangle.clone()], body.hinge_speeds())
        })
    }

    /// `out ← [I + HφK] x` [JR92 (54)].
    ///
    /// # Errors
    /// Slices of the wrong length or numbers that are not finite.
    pub fn apply_factor(&mut self, x: &[T], out: &mut [T]) -> Result<(), DynamicsError> {
        self.check(x, out)?;
        factor::inward(self.model, self.workspace, x, out, factor::Direction::Product);
        check::result("result", out, None)
    }

    /// `out ← [I + HφK]* x`.
    ///
    /// # Errors
    /// Slices of the wrong length or numbers that are not finite.
    pub fn apply_factor_transpose(&mut self, x: &[T], out: &mut [T]) -> Result<(), DynamicsError> {
        self.check(x, out)?;
        factor::outward(self.model, self.workspace, x, out, factor::Direction::Product);
        check::result("result", out, None)
    }

    /// `out ← [I - HψK] x`, the inverse of the factor [JR92 (55)].
    ///
    /// # Errors
    /// Slices of the wrong length or numbers that are not finite.
    pub fn solve_factor(&mut self, x: &[T], out: &mut [T]) -> Result<(), DynamicsError> {
        self.check(x, out)?;
        factor::inward(self.model, self.workspace, x, out, factor::Direction::Solve);
        check::result("result", out, None)
    }

    /// `out ← [I - HψK]* x`.
    ///
    /// # Errors
    /// Slices of the wrong length or numbers that are not finite.
    pub fn solve_factor_transpose(&mut self, x: &[T], out: &mut [T]) -> Result<(), DynamicsError> {
        self.check(x, out)?;
        factor::outward(self.model, self.workspace, x, out, factor::Direction::Solve);
        check::result("result", out, None)
    }

    /// `out ← D x`, block diagonal.
    ///
    /// # Errors
    /// Slices of the wrong length or numbers that are not finite.
    pub fn apply_diagonal(&self, x: &[T], out: &mut [T]) -> Result<(), DynamicsError> {
        self.check(x, out)?;
        factor::diagonal(self.model, self.workspace, x, out, factor::Direction::Product);
        check::result("result", out, None)
    }

    /// `out ← D⁻¹ x`, block diagonal.
    ///
    /// # Errors
    /// Slices of the wrong length or numbers that are not finite.
    pub fn solve_diagonal(&self, x: &[T], out: &mut [T]) -> Result<(), DynamicsError> {
        self.check(x, out)?;
        factor::diagonal(self.model, self.workspace, x, out, factor::Direction::Solve);
        check::result("result", out, None)
    }
}
