//! Inward sweep: composite-body inertias and the mass matrix [JR92 (50)].
//!
//! `R` is the inertia of all that is outboard of a hinge, frozen. Each body spawns a recursion that carries its
//! columns of `Φ R H*` inward to the ground and leaves blocks of the mass matrix on the way.

#![allow(non_snake_case)] // symbols as printed, see docs/notation.md

use super::hinge::{force_at_hinge, inertia_at_hinge};
use crate::model::Model;
use crate::workspace::{Configuration, Modal};
use supple_spatial::block::cholesky::{packed_len, row_start};
use supple_spatial::{ArticulatedInertia, Force, Scalar};

/// Memory of the sweep.
pub(crate) struct CompositeScratch<'a, T> {
    /// Per carrier: composite inertia that arrives at the node.
    pub composite: &'a mut [ArticulatedInertia<T>],
    /// Per speed of a body: column that travels inward.
    pub columns: &'a mut [Force<T>],
    /// Packed: `R_ff` of a body.
    pub triangle: &'a mut [T],
}

/// Calls `set(i, j, value)` once for every pair of speeds that is not structurally zero: one entry of each mirrored
/// pair, the row being the outboard one.
pub(crate) fn mass_matrix<T: Scalar>(
    model: &Model<T>,
    at: &Configuration<T>,
    modal: &Modal<T>,
    scratch: &mut CompositeScratch<'_, T>,
    mut set: impl FnMut(usize, usize, T),
) {
    for (k, body) in model.topology.bodies.iter().enumerate().rev() {
        let (n, first) = (body.modes, body.speeds.start);
        let columns = &mut scratch.columns[..body.speeds.len()];

        // R_rf = M'_rf + Σ φ R(t) ζ*,  R_ff = M'_ff + Σ ζ R(t) ζ*                       [JR92 (50)]
        columns[..n].copy_from_slice(modal.hinge_coupling(body));
        let R_ff = &mut scratch.triangle[..packed_len(n)];
        R_ff.copy_from_slice(&modal.mass[body.modal_triangle.clone()]);
        let mut R = modal.inertia[k].to_articulated();
        for c in body.carriers.clone() {
            let arrived = &scratch.composite[c];
            R += arrived.shift(at.carrier[c].position);
            let zeta = &modal.influence[body.modes_of_carrier(c)];
            for r in 0..n {
                let row = arrived.mul(zeta[r]);
                columns[r] += row.shift(at.carrier[c].position);
                for s in 0..=r {
                    R_ff[row_start(r) + s] += zeta[s].dot(row);
                }
            }
        }
        for r in 0..n {
            for s in 0..=r {
                set(first + r, first + s, R_ff[row_start(r) + s]);
            }
        }

        // X = R H*,  M(k,k) = H X                                                       [JR92 (50)]
        let R_O = inertia_at_hinge(model, k, at, R);
        for column in &mut columns[..n] {
            *column = force_at_hinge(model, k, at, *column);
        }
        let H = &at.hinge_map[body.hinge.clone()];
        for i in 0..H.len() {
            columns[n + i] = R_O.mul(H[i]);
        }
        for i in 0..H.len() {
            for j in 0..=n + i {
                let entry = H[i].dot(columns[j]);
                let rotor = model.bodies[k].rotor.get(i).filter(|_| j == n + i);
                set(first + n + i, first + j, rotor.map_or(entry, |rotor| entry + *rotor));
            }
        }

        if body.parent.is_some() {
            let arriving = R_O.rotate(&at.rotation[k]).shift(at.offset[k]);
            let gamma = &mut scratch.composite[body.carrier];
            *gamma = if body.first_on_carrier { arriving } else { *gamma + arriving };
        }
        // X(j) = A(j) φ(t,k) X(k),  M(j,k) = H(j) X(j), on to the ground               [JR92 (50)]
        let mut child = k;
        while let Some(p) = model.topology.bodies[child].parent {
            let (carried, above) = (&model.topology.bodies[child], &model.topology.bodies[p]);
            let zeta = &modal.influence[above.modes_of_carrier(carried.carrier)];
            let H = &at.hinge_map[above.hinge.clone()];
            for (j, column) in columns.iter_mut().enumerate() {
                let f = column.rotate(&at.rotation[child]).shift(at.offset[child]);
                for (r, zeta) in zeta.iter().enumerate() {
                    set(first + j, above.speeds.start + r, zeta.dot(f));
                }
                *column = force_at_hinge(model, p, at, f.shift(at.carrier[carried.carrier].position));
                for (i, h) in H.iter().enumerate() {
                    set(first + j, above.beta().start + i, h.dot(*column));
                }
            }
            child = p;
        }
    }
}
