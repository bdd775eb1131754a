//! Outward sweep: `Υ`, the block diagonal of `Ω = ψ* H* D⁻¹ H ψ` [SOA .43].
//!
//! `Υ` is the acceleration of a frame per unit force on it, all hinges and modes free:
//!
//! ```text
//! Υ(O) = τ̄* Υ⁺ τ̄ + H* D_R⁻¹ H,             τ̄* = I - H* G_R*
//! Υ(j) = ζ_j* D_f⁻¹ ζ_j + T Υ(k) T*,          T = φ*(k,j) - ζ_j* g*
//! ```
//!
//! Needs the factors of `D_f` of the explicit elimination.

#![allow(non_snake_case)] // symbols as printed, see docs/notation.md

use crate::model::Model;
use crate::workspace::{Articulated, Configuration, Modal};
use supple_spatial::block::cholesky;
use supple_spatial::{ArticulatedInertia, Force, Matrix6, Motion, Scalar, Vector3};

/// `Υ` at `F_k`, hinge-side, of every body into `bodies`, and of every carrier into `carriers`.
pub(crate) fn compliance<T: Scalar>(
    model: &Model<T>,
    at: &Configuration<T>,
    modal: &mut Modal<T>,
    P: &Articulated<T>,
    bodies: &mut [ArticulatedInertia<T>],
    carriers: &mut [ArticulatedInertia<T>],
) {
    for (k, body) in model.topology.bodies.iter().enumerate() {
        // Υ⁺ = φ*(t,O) Υ(t) φ(t,O), in the body's axes
        let carried = match body.parent {
            None => ArticulatedInertia::ZERO,
            Some(_) => {
                let R = &at.rotation[k];
                congruence(|a| a.shift(at.offset[k]).rotate_back(R), &carriers[body.carrier])
            }
        };
        let H = &at.hinge_map[body.hinge.clone()];
        let G = &P.gain[body.hinge.clone()];
        let mut upsilon = congruence(
            |a| {
                let mut moved = a;
                H.iter().zip(G).for_each(|(h, g)| moved -= *h * a.dot(*g));
                moved
            },
            &carried,
        );
        let mut columns = [Motion::ZERO; 6];
        let columns = &mut columns[..H.len()];
        columns.copy_from_slice(H);
        let D = &P.hinge_factor[body.hinge_triangle.clone()];
        cholesky::solve_lower(D, columns);
        add_squares(&mut upsilon, columns, D);
        bodies[k] = congruence(|a| a.shift(-at.inboard[k].position), &upsilon);

        for c in body.carriers.clone() {
            let rows = &modal.influence[body.modes_of_carrier(c)];
            modal.rows[..body.modes].copy_from_slice(rows);
            let place = at.carrier[c].position;
            carriers[c] = at_node(model, k, P, &mut modal.rows, place, &bodies[k]);
        }
    }
}

/// `Υ(j)` of a node at `l` whose motion per mode is `rows = ζ_j*` (overwritten).
pub(crate) fn at_node<T: Scalar>(
    model: &Model<T>,
    k: usize,
    P: &Articulated<T>,
    rows: &mut [Motion<T>],
    l: Vector3<T>,
    upsilon: &ArticulatedInertia<T>,
) -> ArticulatedInertia<T> {
    let body = &model.topology.bodies[k];
    let (Q, G) = (&mut rows[..body.modes], &P.modal_gain[body.modal.clone()]);
    let D = &P.modal_factor[body.modal_triangle.clone()];
    cholesky::solve_lower(D, Q);
    // T a = φ* a - ζ* g* a = φ* a - Σ Q (G · a)
    let mut out = congruence(|a| Q.iter().zip(G).fold(a.shift(l), |moved, (q, g)| moved - *q * a.dot(*g)), upsilon);
    add_squares(&mut out, Q, D);
    out
}

/// `M Υ M*` for a linear map `M` of motions.
fn congruence<T: Scalar>(
    map: impl Fn(Motion<T>) -> Motion<T>,
    upsilon: &ArticulatedInertia<T>,
) -> ArticulatedInertia<T> {
    let mut matrix = Matrix6::ZERO;
    for j in 0..6 {
        let mut unit = [T::ZERO; 6];
        unit[j] = T::ONE;
        let column = map(Motion::from_array(unit)).to_array();
        for i in 0..6 {
            matrix.0[i][j] = column[i];
        }
    }
    let mut out = ArticulatedInertia::ZERO;
    out.add_congruence(&matrix, upsilon);
    out
}

/// `Υ + Q* D⁻¹ Q` with the pivots of a factor.
fn add_squares<T: Scalar>(upsilon: &mut ArticulatedInertia<T>, rows: &[Motion<T>], factor: &[T]) {
    for (i, q) in rows.iter().enumerate() {
        let q = Force::new(q.angular, q.linear);
        upsilon.sub_outer(q * -cholesky::pivot_inverse(factor, i), q);
    }
}
