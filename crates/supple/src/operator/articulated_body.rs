//! The articulated-body quantities of one body, as the inward sweep left them.

#![allow(non_snake_case)] // symbols as printed, see docs/notation.md

use super::factor;
use crate::check;
use crate::error::DynamicsError;
use crate::model::Model;
use crate::model::topology::BodyTopology;
use crate::sweep::elimination::tip::frozen_inertia;
use crate::sweep::hinge::released::released;
use crate::workspace::Workspace;
use supple_spatial::block::cholesky;
use supple_spatial::{ArticulatedInertia, Force, InertiaRows, Scalar};

/// `P`, `D` and `G` of one body, read from the factors of the mass matrix [JR92 (63)]: box 125 of US patent 5,546,508.
///
/// All are in the axes of the body. Modes that move the hinge are taken as the hinge sees them: relative to its inboard node.
///
/// | paper  | here                                            | at    | meaning                                                    |
/// |--------|-------------------------------------------------|-------|------------------------------------------------------------|
/// | `P_rr` | [`rigid_inertia`](Self::rigid_inertia)          | `F_k` | the body and all outboard, its own modes frozen            |
/// | `D_f`  | [`modal_inertia`](Self::modal_inertia)          |       | what the modes accelerate while the body's frame is held   |
/// | `g`    | [`modal_gain`](Self::modal_gain)                | `F_k` | force on the frame per force on a mode, `μ D_f⁻¹`          |
/// | `P_R`  | [`inertia`](Self::inertia)                      | `F_k` | the same as `P_rr` with the modes free, `P_rr - g D_f g*`  |
/// | `D_R`  | [`hinge_inertia`](Self::hinge_inertia)          |       | what the hinge accelerates, `H P_R H*` and its rotors      |
/// | `G_R`  | [`hinge_gain`](Self::hinge_gain)                | `O`   | `P_R H* D_R⁻¹`                                             |
/// | `P⁺`   | [`released_inertia`](Self::released_inertia)    | `O`   | what is left of `P_R` with the hinge free, `P_R - G_R H P_R` |
#[derive(Clone, Copy, Debug)]
pub struct ArticulatedBody<'a, T: Scalar = f64> {
    model: &'a Model<T>,
    workspace: &'a Workspace<T>,
    k: usize,
}

impl<'a, T: Scalar> ArticulatedBody<'a, T> {
    /// Of body `k`, which the model has, after the inward sweep with explicit elimination.
    pub(super) fn new(model: &'a Model<T>, workspace: &'a Workspace<T>, k: usize) -> Self {
        Self { model, workspace, k }
    }

    fn topology(&self) -> &'a BodyTopology {
        &self.model.topology.bodies[self.k]
    }

    /// `P_rr = M_rr + Σ φ Γ φ*` at `F_k`.
    pub fn rigid_inertia(&self) -> ArticulatedInertia<T> {
        self.to_user(self.P_rr())
    }

    /// `P_R = P_rr - g D_f g*` at `F_k`.
    pub fn inertia(&self) -> ArticulatedInertia<T> {
        self.to_user(self.P_R())
    }

    /// `P⁺ = P_R - G_R H P_R` at `O`. A motion of the hinge alone meets none of it, rotors aside: `P⁺ H* = 0`.
    pub fn released_inertia(&self) -> ArticulatedInertia<T> {
        let body = self.topology();
        let Workspace { configuration: at, articulated, .. } = self.workspace;
        self.to_user(released(self.model, self.k, at, self.P_R(), &articulated.gain[body.hinge.clone()]))
    }

    fn P_rr(&self) -> ArticulatedInertia<T> {
        let (body, Workspace { configuration, modal, articulated, .. }) = (self.topology(), self.workspace);
        let own = modal.inertia[self.k];
        match body.carriers.is_empty() {
            true => own.to_articulated(),
            // All that arrives at a rigid body arrives at its frame.
            false if body.modes == 0 => own.added_to(&articulated.gamma[body.carriers.start]),
            false => frozen_inertia(own, body.carriers.clone(), configuration, &articulated.gamma),
        }
    }

    fn P_R(&self) -> ArticulatedInertia<T> {
        let (body, articulated) = (self.topology(), &self.workspace.articulated);
        let D = &articulated.modal_factor[body.modal_triangle.clone()];
        let mut P = InertiaRows::new(&self.P_rr());
        for (r, G) in articulated.modal_gain[body.modal.clone()].iter().enumerate() {
            P.sub_outer(*G, *G * cholesky::pivot_inverse(D, r).recip());
        }
        P.to_articulated()
    }

    /// In the axes of the body as described.
    fn to_user(self, P: ArticulatedInertia<T>) -> ArticulatedInertia<T> {
        let axes = &self.model.bodies[self.k].axes;
        if axes.turned { P.rotate(&axes.rotation.transpose()) } else { P }
    }

    /// The same of forces, in place.
    fn all_to_user(&self, forces: &mut [Force<T>]) {
        let axes = &self.model.bodies[self.k].axes;
        forces.iter_mut().for_each(|force| *force = axes.force_to_user(*force));
    }

    /// Writes the columns of `G_R = P_R H* D_R⁻¹` at `O`, one for each speed of the hinge.
    ///
    /// # Errors
    /// A slice of the wrong length.
    pub fn hinge_gain(&self, out: &mut [Force<T>]) -> Result<(), DynamicsError> {
        let body = self.topology();
        check::size("gains of the hinge", out.len(), body.hinge_speeds())?;
        out.copy_from_slice(&self.workspace.articulated.gain[body.hinge.clone()]);
        self.all_to_user(out);
        Ok(())
    }

    /// Writes `D_R`, with as many rows and columns as the hinge has speeds, by rows.
    ///
    /// # Errors
    /// A slice of the wrong length.
    pub fn hinge_inertia(&self, out: &mut [T]) -> Result<(), DynamicsError> {
        let body = self.topology();
        check::size("inertia of the hinge", out.len(), body.hinge_speeds() * body.hinge_speeds())?;
        let factor = &self.workspace.articulated.hinge_factor[body.hinge_triangle.clone()];
        write_product(factor, body.hinge_speeds(), out);
        Ok(())
    }

    /// Writes `D_f`, with as many rows and columns as the body has modes, by rows.
    ///
    /// # Errors
    /// A slice of the wrong length.
    pub fn modal_inertia(&self, out: &mut [T]) -> Result<(), DynamicsError> {
        let body = self.topology();
        check::size("inertia of the modes", out.len(), body.modes * body.modes)?;
        write_product(&self.workspace.articulated.modal_factor[body.modal_triangle.clone()], body.modes, out);
        Ok(())
    }

    /// Writes the columns of `g = μ D_f⁻¹`, one for each mode.
    ///
    /// # Errors
    /// A slice of the wrong length.
    pub fn modal_gain(&self, out: &mut [Force<T>]) -> Result<(), DynamicsError> {
        let (body, articulated) = (self.topology(), &self.workspace.articulated);
        check::size("gains of the modes", out.len(), body.modes)?;
        out.copy_from_slice(&articulated.modal_gain[body.modal.clone()]);
        cholesky::solve_upper(&articulated.modal_factor[body.modal_triangle.clone()], out);
        self.all_to_user(out);
        Ok(())
    }
}

/// `L D L*` of a packed factor, `n × n` by rows.
fn write_product<T: Scalar>(factor: &[T], n: usize, out: &mut [T]) {
    out.fill(T::ZERO);
    for (i, row) in out.chunks_exact_mut(n.max(1)).enumerate() {
        row[i] = T::ONE;
        factor::multiply(factor, row);
    }
}
