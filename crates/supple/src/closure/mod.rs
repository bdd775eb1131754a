//! Closed chains: forces of closures and the accelerations that obey them [SOA 0.37].
//!
//! A closure asks `A V = U` of the motions `V` of its frames. Its forces `λ` act on the tree as wrenches `A* λ` on the frames:
//!
//! ```text
//! A  free accelerations of the tree                         forward dynamics
//! B  of the frames of the closures: A α + Ȧ V - U̇           `side`, `rows`
//! C  A Λ A* = b* b with b = D^-½ H ψ B A*                   `compliance`
//! D  (A Λ A*) λ = - (A α + Ȧ V - U̇)                         `solve`
//! E  innovations of λ: ν + D^-½ b λ                         `solve`
//! F  accelerations of the tree under ν and λ                forward dynamics
//! ```
//!
//! `b` needs one inward recursion over the bodies between a closure and the ground for each of its equations, with the factors that the
//! inward sweep left. Two equations couple where their paths share a body that moves.

mod actuation;
mod assembly;
pub(crate) mod compliance;
pub(crate) mod dense;
mod hold;
mod impact;
mod jacobian;
pub(crate) mod least;
mod least_squares;
mod position;
mod projection;
mod rank;
mod response;
pub(crate) mod rows;
mod secondary;
mod separation;
pub(crate) mod side;
pub(crate) mod solve;

pub use actuation::{Actuation, ActuationWorkspace, actuator_forces};
pub use assembly::{Assembly, assemble, close_speeds};
pub use hold::{Hold, hold};
pub use impact::{Impact, strike};
pub use jacobian::{closure_deviations, closure_jacobian};
pub use projection::settle;
pub(crate) use projection::{INCONSISTENT, cannot_close, project, residuals};
pub use rank::{ClosureRank, RedundantEquation, closure_rank};
pub use separation::{Separation, closure_separation};

use crate::access::AccessError;
use crate::model::ClosureHandle;
use crate::solution::Solution;
use supple_spatial::{Force, Mask, Scalar};

impl<'w, T: Scalar> Solution<'w, T> {
    /// Forces `λ` of the equations of a closure; zero where it is not closed. Where equations depend on others, [`reactions`](crate::reactions()) gives the least
    /// forces of this effect; other verbs give those that depend on others none.
    ///
    /// # Errors
    /// [`AccessError::NotComputed`] unless [`forward_dynamics`](crate::forward_dynamics), [`hybrid_dynamics`](crate::hybrid_dynamics) or
    /// [`reactions`](crate::reactions()) gave the solution; [`AccessError::WrongModel`] for a closure of another model.
    pub fn closure_forces(&self, closure: ClosureHandle) -> Result<&'w [T], AccessError> {
        self.check(closure.stamp())?;
        Ok(&self.closing()?.force[closure.rows()])
    }

    /// The wrenches that a closure exerts on its frames `a` and `b`: moment about the origin of the frame, and force, in inertial axes.
    /// Couplings of hinges exert none.
    ///
    /// # Errors
    /// As [`closure_forces`](Self::closure_forces); [`AccessError::Overflow`] for a wrench that is not finite.
    pub fn closure_wrenches(&self, closure: ClosureHandle) -> Result<[Force<T>; 2], AccessError> {
        self.check(closure.stamp())?;
        let closing = self.closing()?;
        let mut sum = [Force::ZERO; 2];
        for row in closure.rows() {
            let [a, b] = closing.wrench[row];
            sum = [a.scale_add(closing.force[row], sum[0]), b.scale_add(closing.force[row], sum[1])];
        }
        let finite = sum.iter().all(|f| T::all_finite(&f.to_array()).all());
        if finite { Ok(sum) } else { Err(AccessError::Overflow { quantity: "the wrench of a closure" }) }
    }
}
