//! Inward: the right-hand side `R` of `J z̈ = R`: all that has no second derivative.
//!
//! ```text
//! Q_j  = G_j Ẅ_vjᵀ + 2 (Σ δ̇_k D_jk) Ẇ_jᵀ + E_j A_{j+1} Q_{j+1}           [B83 (87), (88)]
//! P_j  = [mass, first moment] of j + E_j A_{j+1} P_{j+1}                  [B83 (89), (90)]
//! R_j  = -Tr{V_j Q_j} + gᵀ V_j P_j + F_j                                  [B83 (83), (84)]
//! R_jf = -Tr{W_j M_jf A_{j+1} Q_{j+1} + (Ẅ_vj D_jf + 2 Ẇ_j Σ δ̇_k C_jkf) W_jᵀ}
//!        - Σ δ_k K_kf + gᵀ W_j (M_jf A_{j+1} P_{j+1} + ε_jf)              [B83 (85), (86)]
//! ```
//!
//! Printed (86) has lost the plus sign inside the trace. Beyond the paper: damping `-Σ δ̇_k C_kf`, forces on the modes, and wrenches, which
//! are subtracted from `Q` ([`super::wrench`]).

#![allow(non_snake_case)] // symbols as printed

use super::inertia_coefficients::Terms;
use super::inertia_terms::combined;
use super::transformation::{Rows, inner, inner3, transformed_rows};
use supple::State;
use supple::spatial::{Matrix3, Scalar, Vector3};

/// `A Q` and `A P` of the link outboard.
struct Outboard<T> {
    Q: Rows<T>,
    mass: T,
    P: Vector3<T>,
}

/// Adds to `R`, which holds forces; `loads` of every link are those of its wrenches.
pub(super) fn remaining<T: Scalar>(terms: &Terms<'_, T>, state: &State<T>, loads: &[Rows<T>], R: &mut [T]) {
    let Terms { gravity, links, motion, D, G, .. } = *terms;
    let two = T::from_f64(2.0);
    let mut outboard: Option<Outboard<T>> = None;
    for j in (0..links.len()).rev() {
        let (link, at) = (&links[j], &motion[j]);
        let (delta, delta_dot) = link.deflections(state);
        let D = &D[link.places.modal.clone()];
        let weight = at.W.axes.transpose_mul(gravity);
        modal_rows(terms, (j, weight), (delta, delta_dot), outboard.as_ref(), &mut R[link.places.modes.clone()]);

        // Q = G Ẅᵀ + 2 (Σ δ̇ D) Ẇᵀ + E A Q                                        [B83 (87), (88)]
        let mut Q = G[j].times_transposed(&at.W_ddot);
        if link.mode_count() > 0 {
            let rate = combined(D, delta_dot, two);
            for (Q, d) in Q.iter_mut().zip(rate) {
                *Q = at.W_dot.axes.mul_add(d, *Q);
            }
        }
        let (mut mass, mut P) = (G[j].mass, G[j].first);
        if let Some(outer) = &outboard {
            let carried = transformed_rows(&at.E, &outer.Q);
            Q.iter_mut().zip(carried).for_each(|(Q, c)| *Q += c);
            P += at.E.axes.mul_add(outer.P, at.E.position * outer.mass);
            mass += outer.mass;
        }
        Q.iter_mut().zip(&loads[j]).for_each(|(Q, load)| *Q -= *load);
        // R_j = -Tr{V Q} + gᵀ V P + F with V = [0, y, -x, 0]                       [B83 (83), (84)]
        let spin = Q[1].dot(at.W.axes.column(1)) - Q[2].dot(at.W.axes.column(0));
        let fall = weight[1].mul_add(P[0], -(weight[0] * P[1]));
        R[link.places.hinge] += fall - spin;
        let A = at.A;
        outboard = Some(Outboard { Q: A.of_rows(&Q), mass, P: A.of_vector(P) });
    }
}

/// `R_jf`                                                                            [B83 (85), (86)]
fn modal_rows<T: Scalar>(
    terms: &Terms<'_, T>,
    (j, weight): (usize, Vector3<T>),
    (delta, delta_dot): (&[T], &[T]),
    outboard: Option<&Outboard<T>>,
    R: &mut [T],
) {
    let (link, at) = (&terms.links[j], &terms.motion[j]);
    if link.mode_count() == 0 {
        return;
    }
    let D = &terms.D[link.places.modal.clone()];
    let W = &at.W.axes;
    let on_M: Option<Rows<T>> = outboard.filter(|_| !link.modes.is_empty()).map(|outer| {
        let of = |c: usize| if c == 0 { outer.mass } else { outer.P[c - 1] };
        std::array::from_fn(|c| W.transpose_mul(outer.Q[c]) - weight * of(c))
    });
    let mut on_D: Rows<T> = std::array::from_fn(|c| W.transpose_mul(at.W_ddot.column(c)));
    on_D[0] -= weight;
    // Ẇᵀ W
    let on_C = Matrix3(std::array::from_fn(|a| W.transpose_mul(at.W_dot.axes.column(a)).0));
    for (f, D) in D.iter().enumerate() {
        let mut inertial = inner(D, &on_D);
        let mut rate = Matrix3::ZERO;
        let n = link.mode_count();
        for (k, delta_dot) in delta_dot.iter().enumerate().filter(|(k, _)| link.coupled[k * n + f]) {
            let C = &link.modal[k * n + f];
            let row = |i: usize| C.row(i).scale_add(*delta_dot, rate.row(i)).0;
            rate = Matrix3([row(0), row(1), row(2)]);
        }
        let coriolis = inner3(&rate, &on_C);
        inertial += coriolis + coriolis;
        if let (Some(on_M), Some(M)) = (&on_M, link.modes.get(f)) {
            inertial += M.trace(on_M);
        }
        R[f] -= inertial;
    }
    // -K δ - C δ̇                                                                   [B83 (48)]
    R.iter_mut().for_each(|r| *r = -*r);
    link.stiffness.add_mul(delta, R);
    link.damping.add_mul(delta_dot, R);
    R.iter_mut().for_each(|r| *r = -*r);
}
