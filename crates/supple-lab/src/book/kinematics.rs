//! Outward: transformations to inertial axes and their time derivatives.
//!
//! ```text
//! W_j   = Ŵ_{j-1} A_j                                                [B83 (2)]
//! Ẇ_j   = Ŵ̇_{j-1} A_j + Ŵ_{j-1} U_j q̇_j                              [B83 (9)]
//! Ẅ_vj  = Ŵ̈_v,{j-1} A_j + 2 Ŵ̇_{j-1} U_j q̇_j + Ŵ_{j-1} U_2j q̇_j²      [B83 (64)]
//! Ŵ_j   = W_j E_j,   Ŵ̇_j = Ẇ_j E_j + W_j Ė_j                         [B83 (13), (14)]
//! Ŵ̈_vj  = Ẅ_vj E_j + 2 Ẇ_j Ė_j                                       [B83 (65)]
//! ```
//!
//! The index `v` says: without second derivatives of the coordinates. `U = ∂A/∂q` is `A` times the cross matrix of `z`, so that the
//! columns of `Ŵ_{j-1} U_j` are those of `W_j`: `[0, y_j, -x_j, 0]`.

#![allow(non_snake_case)] // symbols as printed

use super::link::Link;
use super::transformation::{Lower, Turn};
use supple::State;
use supple::spatial::{Matrix3, Scalar};

/// Where a link is and how it moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct LinkMotion<T> {
    /// `A`.
    pub A: Turn<T>,
    /// `E`, for links that carry another.
    pub E: Lower<T>,
    /// `W`, `Ẇ`, `Ẅ_v`.
    pub W: Lower<T>,
    pub W_dot: Lower<T>,
    pub W_ddot: Lower<T>,
}

impl<T: Scalar> LinkMotion<T> {
    pub const ZERO: Self = Self {
        A: Turn { cos: T::ZERO, sin: T::ZERO },
        E: Lower::ZERO,
        W: Lower::ZERO,
        W_dot: Lower::ZERO,
        W_ddot: Lower::ZERO,
    };
}

/// Fills `motion` for a state; `ground` is `Ŵ₀`.
pub(super) fn kinematics<T: Scalar>(
    (ground, links): (&Lower<T>, &[Link<T>]),
    state: &State<T>,
    motion: &mut [LinkMotion<T>],
) {
    let (mut hat, mut hat_dot, mut hat_ddot) = (*ground, Lower::ZERO, Lower::ZERO);
    for (j, link) in links.iter().enumerate() {
        let (q, q_dot) = (state.coordinates[link.places.hinge], state.speeds[link.places.hinge]);
        let (sin, cos) = q.sin_cos();
        let A = Turn { cos, sin };
        let W = A.after(&hat);
        let (mut W_dot, mut W_ddot) = (Lower::ZERO, Lower::ZERO);
        if j == 0 {
            // Inertial space is at rest.
            W_dot.axes = spun(&W.axes, q_dot);
            W_ddot.axes = spun(&W_dot.axes, q_dot);
        } else {
            // Ẇ = Ŵ̇ A + [0, y, -x, 0] q̇,  Ẅ_v = Ŵ̈_v A + ([0, y, -x, 0] of Ŵ̇ A and of Ẇ) q̇
            let carried = A.after(&hat_dot);
            W_dot = Lower { axes: carried.axes + spun(&W.axes, q_dot), ..carried };
            let carried_twice = A.after(&hat_ddot);
            let both = carried.axes + W_dot.axes;
            W_ddot = Lower { axes: carried_twice.axes + spun(&both, q_dot), ..carried_twice };
        }
        let mut E = Lower::ZERO;
        if let Some(next) = &link.next {
            // E = H + Σ δ M,  Ė = Σ δ̇ M                                            [B83 (5), (16)]
            let (delta, delta_dot) = link.deflections(state);
            E = *next;
            for (M, delta) in link.modes.iter().zip(delta) {
                E = M.scale_add(*delta, &E);
            }
            hat = W.then(&E);
            hat_dot = W_dot.then(&E);
            hat_ddot = W_ddot.then(&E);
            if !link.modes.is_empty() {
                let mut E_dot = Lower::ZERO;
                for (M, delta_dot) in link.modes.iter().zip(delta_dot) {
                    E_dot = M.scale_add(*delta_dot, &E_dot);
                }
                hat_dot = hat_dot.plus(&W.then_rate(&E_dot));
                let coriolis = W_dot.then_rate(&E_dot);
                hat_ddot = hat_ddot.plus(&coriolis).plus(&coriolis);
            }
        }
        motion[j] = LinkMotion { A, E, W, W_dot, W_ddot };
    }
}

/// `[y, -x, 0] s` of the columns of `axes`.
#[inline(always)]
fn spun<T: Scalar>(axes: &Matrix3<T>, s: T) -> Matrix3<T> {
    Matrix3(axes.0.map(|[x, y, _]| [y * s, -(x * s), T::ZERO]))
}
