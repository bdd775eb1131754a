//! Step D by the speeds of a secondary system: the second form of [SOA 0.35].
//!
//! Closures that have nothing in common but a payload: with `K = A_P Λ_P A_P*` of the primary system, which falls apart, and the innovations `E` of the equations on
//! the bodies of the secondary system, whose pivots are `D`,
//!
//! ```text
//! A Λ A* = K + E* D⁻¹ E,   (D + E K⁻¹ E*) y = E K⁻¹ r,   λ = K⁻¹ (r - E* y)
//! ```
//!
//! `D + E K⁻¹ E*` is `𝓜_S + J_S* A_S* K⁻¹ A_S J_S` between the factors of `𝓜_S`: as many unknowns as the secondary system has speeds, in place of as many as there
//! are equations. It needs a `K` with an inverse: arms that can move their hands in every sense.

#![allow(non_snake_case)] // symbols as printed, see docs/notation.md

use super::compliance::products;
use super::solve::{Equations, factor_rows};
use crate::model::topology::{ClosureGroup, Secondary};
use crate::model::{BodyIndex, Model};
use crate::workspace::Closing;
use supple_spatial::block::cholesky::{self, row_start};
use supple_spatial::{Mask, Scalar};

/// Least independence of the equations in `K`: below it the forces would lose digits.
const SOUND: f64 = 1e-3;

impl<T> Model<T> {
    /// The bodies of secondary systems: trees, such as a payload that several arms hold, whose speeds are the unknowns of step D in place of the forces of the
    /// closures that they join, because that is less work.
    pub fn secondary_bodies(&self) -> impl Iterator<Item = BodyIndex> + '_ {
        let systems = self.topology.closure_groups.iter().filter_map(|group| group.secondary.as_ref());
        systems.flat_map(|system| &system.bodies).map(|k| BodyIndex(*k))
    }
}

/// `K`, part by part.
pub(super) fn fill<T: Scalar>(model: &Model<T>, active: &[bool], system: &Secondary, out: &mut Closing<T>) {
    let Closing { epsilon, nu, parts, .. } = out;
    for part in &system.parts {
        let (members, matrix) = ((&part.closures[..], part.rows.start), &mut parts[part.triangle.clone()]);
        products(&model.topology, active, members, |on| on.unknown.is_none(), (epsilon, nu), matrix);
    }
}

/// Factors `K` and `D + E K⁻¹ E*`. Tells where the forces follow from them.
pub(super) fn factor<T: Scalar>(
    model: &Model<T>,
    active: &[bool],
    group: &ClosureGroup,
    system: &Secondary,
    out: &mut Closing<T>,
) -> T::Mask {
    let Closing { parts, rows, independence, determined, reach, .. } = &mut *out;
    for part in &system.parts {
        let equations = Equations { rows, independence, determined, reach };
        factor_rows(model, (&part.closures, part.rows.clone()), &mut parts[part.triangle.clone()], equations, true);
    }
    let ratios = out.independence[group.rows.clone()].iter();
    let sound = ratios.fold(T::Mask::splat(true), |sound, ratio| sound & T::from_f64(SOUND).less_than(*ratio));
    couple(model, active, group, system, out);
    sound
}

/// `E`, `K⁻¹ E*` and the factor of `D + E K⁻¹ E*`.
fn couple<T: Scalar>(
    model: &Model<T>,
    active: &[bool],
    group: &ClosureGroup,
    system: &Secondary,
    out: &mut Closing<T>,
) {
    let (m, n, first) = (group.rows.len(), system.unknowns.len(), group.rows.start);
    let Closing { epsilon, pivots, parts, couplings, columns, capacitance, .. } = out;
    let E = &mut couplings[system.couplings.clone()];
    E.fill(T::ZERO);
    for top in group.closures.iter().filter(|i| active[**i]).map(|i| &model.topology.closures[*i]) {
        for (r, row) in top.rows.clone().enumerate() {
            for (on, unknown) in top.path.iter().filter_map(|on| Some((on, on.unknown?))) {
                let from = &epsilon[top.innovations.start + r * top.slots + on.slot..];
                for s in 0..model.topology.bodies[on.body].speeds.len() {
                    E[(unknown + s - system.unknowns.start) * m + row - first] = from[s];
                }
            }
        }
    }
    let columns = &mut columns[system.couplings.clone()];
    columns.copy_from_slice(E);
    let C = &mut capacitance[system.triangle.clone()];
    for v in 0..n {
        let column = &mut columns[v * m..(v + 1) * m];
        for part in &system.parts {
            let rows = part.rows.start - first..part.rows.end - first;
            cholesky::solve(&parts[part.triangle.clone()], &mut column[rows]);
        }
        for u in v..n {
            let e = &E[u * m..(u + 1) * m];
            C[row_start(u) + v] = e.iter().zip(column.iter()).fold(T::ZERO, |s, (x, y)| x.mul_add(*y, s));
        }
        C[row_start(v) + v] += pivots[system.unknowns.start + v];
    }
    cholesky::factor_in_place(C, n);
}

/// The forces of a group, in place of the deviations `force`. `memory` has the factors of `K`, `E`, `K⁻¹ E*` and the factor of `D + E K⁻¹ E*`.
pub(super) fn forces<T: Scalar>(
    group: &ClosureGroup,
    system: &Secondary,
    (parts, couplings, columns, capacitance): (&[T], &[T], &[T], &[T]),
    unknown: &mut [T],
    force: &mut [T],
) {
    let (m, first) = (group.rows.len(), group.rows.start);
    for part in &system.parts {
        let rows = part.rows.start - first..part.rows.end - first;
        cholesky::solve(&parts[part.triangle.clone()], &mut force[rows]);
    }
    let y = &mut unknown[..system.unknowns.len()];
    for (y, e) in y.iter_mut().zip(couplings[system.couplings.clone()].chunks_exact(m)) {
        *y = e.iter().zip(force.iter()).fold(T::ZERO, |s, (x, y)| x.mul_add(*y, s));
    }
    cholesky::solve(&capacitance[system.triangle.clone()], y);
    for (y, column) in y.iter().zip(columns[system.couplings.clone()].chunks_exact(m)) {
        force.iter_mut().zip(column).for_each(|(force, x)| *force = (-*y).mul_add(*x, *force));
    }
}
