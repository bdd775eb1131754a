//! Steps B, D and E: accelerations of the equations, their forces, and what these add to the innovations.

#![allow(non_snake_case)] // symbols as printed, see docs/notation.md

use super::{compliance, secondary};
use crate::inputs::EquationMotion;
use crate::model::Model;
use crate::model::body::Elimination;
use crate::model::closing::ClosureData;
use crate::model::topology::{ClosureGroup, Side};
use crate::sweep::newton_euler::add_nodal_force;
use crate::workspace::{Acceleration, Articulated, Bias, Closing, Configuration, Residual};
use std::ops::Range;
use supple_spatial::block::cholesky::{self, row_start};
use supple_spatial::{Force, Mask, Scalar};

/// Least square of the sine between an equation and those before it, in the metric of `Λ`, at which it counts as one of its own. Nearer to
/// a singular pose the forces that hold it would follow rounding of the positions.
const INDEPENDENT: f64 = 1e-9;
/// The same in roundings of the scalar: in single precision it is more.
const ROUNDED: f64 = 1e3;
/// Part of what its bodies answer in any direction below which the answer in that of an equation is rounding.
const VANISHING: f64 = 1e-20;

/// Step B: `-(A α + Ȧ V)` into `force`, for the accelerations of the tree.
pub(crate) fn deviations<T: Scalar>(
    model: &Model<T>,
    acceleration: &Acceleration<T>,
    accelerations: &[T],
    out: &mut Closing<T>,
) {
    for (data, top) in model.closing.iter().zip(&model.topology.closures) {
        for row in top.rows.clone() {
            let mut rate = out.drift[row];
            for (s, side) in top.sides.iter().enumerate() {
                if let Some(on) = side {
                    rate += acceleration.carrier[on.carrier].dot(out.load[row][s]);
                }
            }
            if let ClosureData::Coupling(factors, _) = data {
                let terms = factors.iter().zip(&top.hinges);
                rate = terms.fold(rate, |s, (factor, (_, speed))| factor.mul_add(accelerations[*speed], s));
            }
            out.force[row] = -rate;
        }
    }
}

/// Step B: adds `U̇` to `force`.
pub(crate) fn add_motions<T: Scalar>(motions: &[EquationMotion<T>], out: &mut Closing<T>) {
    out.force.iter_mut().zip(motions).for_each(|(force, motion)| *force += motion.acceleration);
}

/// Factors `A Λ A*` of every group. Equations that depend on others, or are of closures that are not active, are taken out: those that are not
/// marked in `chosen`, or, where nothing is chosen, those whose pivots vanish.
pub(crate) fn factor_matrices<T: Scalar>(model: &Model<T>, active: &[bool], chosen: &[bool], out: &mut Closing<T>) {
    for (i, top) in model.topology.closures.iter().enumerate() {
        out.rows[top.rows.clone()].fill(active[i]);
    }
    out.rows.iter_mut().zip(chosen).for_each(|(row, chosen)| *row &= chosen);
    for (g, group) in model.topology.closure_groups.iter().enumerate() {
        let mut by_speeds = T::Mask::splat(false);
        if let Some(system) = &group.secondary {
            if chosen.is_empty() {
                by_speeds = secondary::factor(model, active, group, system, out);
            }
            if !by_speeds.all() {
                compliance::matrix(model, active, group, out);
                for i in group.closures.iter().filter(|_| chosen.is_empty()) {
                    out.rows[model.topology.closures[*i].rows.clone()].fill(active[*i]);
                }
            }
        }
        out.by_speeds[g] = by_speeds;
        if !by_speeds.all() {
            factor_group(model, active, group, (chosen.is_empty(), by_speeds), out);
        }
    }
}

/// Factors the matrix of a group, where its forces do not follow from the speeds of a secondary system.
pub(super) fn factor_group<T: Scalar>(
    model: &Model<T>,
    active: &[bool],
    group: &ClosureGroup,
    (decides, by_speeds): (bool, T::Mask),
    out: &mut Closing<T>,
) {
    let Closing { matrix, rows, independence, determined, reach, scratch, .. } = out;
    let found = &mut scratch[..group.rows.len()];
    found.copy_from_slice(&independence[group.rows.clone()]);
    let matrix = &mut matrix[group.triangle.clone()];
    let equations = Equations { rows, independence, determined, reach };
    factor_rows(model, (&group.closures, group.rows.clone()), matrix, equations, decides);
    if !by_speeds.any() {
        return;
    }
    for &i in &group.closures {
        for row in model.topology.closures[i].rows.clone() {
            independence[row] = T::select(by_speeds, found[row - group.rows.start], independence[row]);
            determined[row] = determined[row] | (by_speeds & T::Mask::splat(active[i]));
            rows[row] = determined[row].any();
        }
    }
}

/// What is known of each equation of all closures.
pub(super) struct Equations<'a, T: Scalar> {
    pub rows: &'a mut [bool],
    pub independence: &'a mut [T],
    pub determined: &'a mut [T::Mask],
    pub reach: &'a [T],
}

/// Factors the matrix of the equations `range` of some closures. An equation may vanish by itself: what counts is how the frames could move in its sense,
/// across its direction too. Where they cannot move in that sense at all, rounding is left of what their bodies do.
pub(super) fn factor_rows<T: Scalar>(
    model: &Model<T>,
    (closures, range): (&[usize], Range<usize>),
    matrix: &mut [T],
    equations: Equations<'_, T>,
    decides: bool,
) {
    let Equations { rows, independence, determined, reach } = equations;
    let most = |m: T, x: T| T::select(m.less_than(x), x, m);
    for &i in closures {
        let own = |row: usize| {
            let at = row - range.start;
            most(matrix[row_start(at) + at], reach[row] * T::from_f64(VANISHING.max(ROUNDED * T::EPSILON * T::EPSILON)))
        };
        let turns = model.closing[i].turning_rows();
        let top = &model.topology.closures[i];
        let (first, last) = (top.rows.start, top.rows.end);
        for part in [first..first + turns, first + turns..last] {
            let largest = part.clone().map(own).fold(T::ZERO, most);
            independence[part].fill(largest);
        }
    }
    factor(matrix, &mut rows[range.clone()], &mut independence[range.clone()], &mut determined[range], decides);
}

/// Step D: the forces, in place of the deviations.
pub(crate) fn forces<T: Scalar>(model: &Model<T>, out: &mut Closing<T>) {
    for (g, group) in model.topology.closure_groups.iter().enumerate() {
        let (by_speeds, matrix) = (out.by_speeds[g], &out.matrix[group.triangle.clone()]);
        let force = &mut out.force[group.rows.clone()];
        match &group.secondary {
            Some(system) if by_speeds.any() => {
                let other = &mut out.scratch[..force.len()];
                if !by_speeds.all() {
                    other.copy_from_slice(force);
                    cholesky::solve(matrix, other);
                }
                let memory = (&out.parts[..], &out.couplings[..], &out.columns[..], &out.capacitance[..]);
                secondary::forces(group, system, memory, &mut out.unknown, force);
                force.iter_mut().zip(other).for_each(|(force, other)| *force = T::select(by_speeds, *force, *other));
            }
            _ => cholesky::solve(matrix, force),
        }
    }
}

/// Factors `A Λ A*` row by row; takes those rows out that depend on the ones before, whose pivots vanish against the sizes given in
/// `independence`, and leaves their ratios there. Unless it `decides`, the rows marked are all that count.
fn factor<T: Scalar>(
    a: &mut [T],
    rows: &mut [bool],
    independence: &mut [T],
    determined: &mut [T::Mask],
    decides: bool,
) {
    let least = T::from_f64(if decides { INDEPENDENT.max(ROUNDED * T::EPSILON) } else { 0.0 });
    for i in 0..rows.len() {
        let (above, rest) = a.split_at_mut(row_start(i));
        let row = &mut rest[..=i];
        for j in 0..i {
            let other = &above[row_start(j)..][..j];
            row[j] = (0..j).fold(row[j], |u, k| (-row[k]).mul_add(other[k], u));
        }
        let (size, mut pivot) = (independence[i], row[i]);
        for j in 0..i {
            let l = row[j] * above[row_start(j) + j];
            pivot = (-row[j]).mul_add(l, pivot);
            row[j] = l;
        }
        let takes_part = rows[i];
        determined[i] = (size * least).less_than(pivot) & T::Mask::splat(takes_part);
        rows[i] = determined[i].any();
        let ratio = T::select(T::ZERO.less_than(size), pivot / size, T::ZERO);
        independence[i] = if takes_part { ratio } else { T::ONE };
        // A row without a pivot leaves all others as they are.
        row[i] = T::select(determined[i], pivot.recip(), T::ZERO);
    }
}

/// Step E: adds the innovations of the forces to those of the tree.
pub(crate) fn add_innovations<T: Scalar>(
    model: &Model<T>,
    active: &[bool],
    P: &Articulated<T>,
    closing: &Closing<T>,
    z: &mut Residual<T>,
) {
    for (_, top) in model.topology.closures.iter().enumerate().filter(|(i, _)| active[*i]) {
        for (step, on) in top.path.iter().enumerate() {
            let (k, body) = (on.body, &model.topology.bodies[on.body]);
            let sum = |slot: usize| {
                let rows = top.rows.clone().enumerate();
                rows.fold(T::ZERO, |s, (r, row)| {
                    closing.force[row].mul_add(closing.nu[top.innovations.start + r * top.slots + on.slot + slot], s)
                })
            };
            if body.modes > 0 {
                let out = match P.elimination[k] {
                    Elimination::Explicit => &mut z.modal[body.modal.clone()],
                    _ => &mut z.tip[body.tip.clone()],
                };
                out.iter_mut().enumerate().for_each(|(i, x)| *x += sum(i));
            }
            if P.is_prescribed(k) {
                for (r, row) in top.rows.clone().enumerate() {
                    let z_R = closing.residual[top.residuals.start + r * top.path.len() + step];
                    z.body[k] += z_R * closing.force[row];
                }
                continue;
            }
            let mut nu = [T::ZERO; 6];
            let nu = &mut nu[..body.hinge.len()];
            nu.iter_mut().enumerate().for_each(|(i, x)| *x = sum(body.modes + i));
            cholesky::solve_upper(&P.hinge_factor[body.hinge_triangle.clone()], nu);
            z.hinge[body.hinge.clone()].iter_mut().zip(nu.iter()).for_each(|(x, nu)| *x += *nu);
        }
    }
}

/// Subtracts the wrenches of the closures on their carriers from the bias: they are loads like others once they are known.
pub(crate) fn subtract_wrenches<T: Scalar>(
    model: &Model<T>,
    active: &[bool],
    at: &Configuration<T>,
    closing: &Closing<T>,
    bias: &mut Bias<T>,
) {
    for (side, f) in wrenches(model, active, closing) {
        let (body, place) = (&model.topology.bodies[side.body], &at.carrier[side.carrier]);
        bias.force[side.body] -= f.shift(place.position);
        let node = &model.bodies[side.body].nodes[model.topology.carriers[side.carrier].node];
        add_nodal_force(node, place, at.slaves(body), -f, &mut bias.modal[body.modal.clone()]);
    }
}

/// The wrenches of the closures on the carriers of their frames, in body axes.
pub(crate) fn wrenches<'a, T: Scalar>(
    model: &'a Model<T>,
    active: &'a [bool],
    closing: &'a Closing<T>,
) -> impl Iterator<Item = (Side, Force<T>)> + 'a {
    let tops = model.topology.closures.iter().zip(active).filter(|(_, active)| **active);
    tops.flat_map(|(top, _)| top.sides.iter().enumerate().filter_map(move |(s, side)| Some((top, s, (*side)?)))).map(
        |(top, s, side)| {
            let rows = top.rows.clone();
            (side, rows.fold(Force::ZERO, |f, row| closing.load[row][s].scale_add(closing.force[row], f)))
        },
    )
}

/// Calls `f` with each hinge speed on which a coupling acts, and its force there.
pub(crate) fn for_hinge_forces<T: Scalar>(
    model: &Model<T>,
    active: &[bool],
    closing: &Closing<T>,
    mut f: impl FnMut(usize, T),
) {
    for ((data, top), _) in
        model.closing.iter().zip(&model.topology.closures).zip(active).filter(|(_, active)| **active)
    {
        if let ClosureData::Coupling(factors, _) = data {
            let force = closing.force[top.rows.start];
            factors.iter().zip(&top.hinges).for_each(|(factor, (_, speed))| f(*speed, *factor * force));
        }
    }
}
