//! The energies that the equations of motion derive from.
//!
//! ```text
//! K   = ½ Σ Tr{Ẇ G Ẇᵀ + 2 Ẇ (Σ δ̇_k D_k) Wᵀ + W (Σ δ̇_k δ̇_l C_kl) Wᵀ}     [B83 (22) to (29)]
//! V_e = ½ Σ δ_k δ_l K_kl                                                 [B83 (46)]
//! V_g = -gᵀ Σ W r,  r = [mass, first moment]                             [B83 (50)]
//! ```

#![allow(non_snake_case)] // symbols as printed

use super::inertia_coefficients::Terms;
use super::inertia_terms::combined;
use super::transformation::{Rows, inner, inner3};
use supple::spatial::{Matrix3, Scalar};
use supple::{Energy, State};

/// Energies where kinematics and inertia terms are those of `state`.
pub(super) fn energy<T: Scalar>(terms: &Terms<'_, T>, state: &State<T>) -> Energy<T> {
    let Terms { gravity, links, motion, D, G, .. } = *terms;
    let half = T::from_f64(0.5);
    let (mut twice_kinetic, mut elastic, mut fall) = (T::ZERO, T::ZERO, T::ZERO);
    for (j, link) in links.iter().enumerate() {
        let (at, W) = (&motion[j], &motion[j].W.axes);
        let (delta, delta_dot) = link.deflections(state);
        let columns: Rows<T> = std::array::from_fn(|c| at.W_dot.column(c));
        twice_kinetic += inner(&G[j].times_transposed(&at.W_dot), &columns);
        if link.mode_count() > 0 {
            let rate = combined(&D[link.places.modal.clone()], delta_dot, T::from_f64(2.0));
            let turned: Rows<T> = columns.map(|column| W.transpose_mul(column));
            twice_kinetic += inner(&rate, &turned);
            let S = Matrix3(std::array::from_fn(|a| W.transpose_mul(W.column(a)).0));
            for (k, x) in delta_dot.iter().enumerate() {
                for (l, y) in delta_dot.iter().enumerate() {
                    let C = &link.modal[k * link.mode_count() + l];
                    twice_kinetic = inner3(&S, C).mul_add(*x * *y, twice_kinetic);
                }
            }
            elastic += link.stiffness.quadratic(delta) * half;
        }
        if let Some(rotor) = link.rotor {
            let x = state.speeds[link.places.hinge];
            twice_kinetic = (rotor * x).mul_add(x, twice_kinetic);
        }
        fall += gravity.dot(W.mul_add(G[j].first, at.W.position * G[j].mass));
    }
    Energy { kinetic: twice_kinetic * half, elastic, gravitational: -fall, stored: T::ZERO }
}
