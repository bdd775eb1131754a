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
use crate::energy::Energy;
use crate::state::State;
use supple_spatial::{Matrix3, Scalar};

/// Energies where kinematics and inertia terms are those of `state`.
pub(super) fn energy<T: Scalar>(terms: &Terms<'_, T>, state: &State<T>) -> Energy<T> {
    let Terms { model, links, motion, D, G } = *terms;
    let (mut twice_kinetic, mut elastic, mut fall) = (T::ZERO, T::ZERO, T::ZERO);
    for (j, (link, body)) in links.iter().zip(&model.topology.bodies).enumerate() {
        let (at, W) = (&motion[j], &motion[j].W.axes);
        let (delta, delta_dot) = (&state.coordinates[body.eta()], &state.speeds[body.eta_dot()]);
        let columns: Rows<T> = std::array::from_fn(|c| at.W_dot.column(c));
        twice_kinetic += inner(&G[j].times_transposed(&at.W_dot), &columns);
        if let Some(flexible) = &model.bodies[j].flexible {
            let rate = combined(&D[body.modal.clone()], delta_dot, T::from_f64(2.0));
            let turned: Rows<T> = columns.map(|column| W.transpose_mul(column));
            twice_kinetic += inner(&rate, &turned);
            let S = Matrix3(std::array::from_fn(|a| W.transpose_mul(W.column(a)).0));
            for (k, x) in delta_dot.iter().enumerate() {
                for (l, y) in delta_dot.iter().enumerate() {
                    let C = &link.modal[k * link.mode_count() + l];
                    twice_kinetic = inner3(&S, C).mul_add(*x * *y, twice_kinetic);
                }
            }
            elastic += flexible.elastic.energy(delta);
        }
        for (rotor, x) in model.bodies[j].rotor.iter().zip(&state.speeds[body.beta()]) {
            twice_kinetic = (*rotor * *x).mul_add(*x, twice_kinetic);
        }
        fall += model.gravity.dot(W.mul_add(G[j].first, at.W.position * G[j].mass));
    }
    Energy { kinetic: twice_kinetic * T::from_f64(0.5), elastic, gravitational: -fall, stored: T::ZERO }
}
