//! Steps B, D and E: accelerations of the equations, their forces, and what these add to the innovations.

#![allow(non_snake_case)] // symbols as printed, see docs/notation.md

use crate::inputs::EquationMotion;
use crate::model::Model;
use crate::model::body::Elimination;
use crate::model::closing::ClosureData;
use crate::model::topology::Side;
use crate::sweep::newton_euler::add_nodal_force;
use crate::workspace::{Acceleration, Articulated, Bias, Closing, Configuration, Residual};
use supple_spatial::block::cholesky::{self, row_start};
use supple_spatial::{Force, Mask, Scalar};

/// Least square of the sine between an equation and those before it, in the metric of `Λ`, at which it counts as one of its own. Nearer to
/// a singular pose the forces that hold it would follow rounding of the positions.
const INDEPENDENT: f64 = 1e-9;
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

/// Factors `A Λ A*` of every group. Equations that depend on others, or are of closures that are not active, are taken out.
pub(crate) fn factor_matrices<T: Scalar>(model: &Model<T>, active: &[bool], out: &mut Closing<T>) {
    for (i, top) in model.topology.closures.iter().enumerate() {
        out.rows[top.rows.clone()].fill(active[i]);
    }
    for group in &model.topology.closure_groups {
        let (range, matrix) = (group.rows.clone(), &mut out.matrix[group.triangle.clone()]);
        let (rows, independence) = (&mut out.rows[range.clone()], &mut out.independence[range.clone()]);
        // An equation may vanish by itself: what counts is how the frames could move in its sense, across its direction too. Where they
        // cannot move in that sense at all, rounding is left of what their bodies do.
        let most = |m: T, x: T| T::select(m.less_than(x), x, m);
        for &i in &group.closures {
            let own = |row: usize| {
                let at = row - range.start;
                most(matrix[row_start(at) + at], out.reach[row] * T::from_f64(VANISHING))
            };
            let turns = model.closing[i].turning_rows();
            let top = &model.topology.closures[i];
            let (first, last) = (top.rows.start, top.rows.end);
            for part in [first..first + turns, first + turns..last] {
                let largest = part.clone().map(own).fold(T::ZERO, most);
                independence[part.start - range.start..part.end - range.start].fill(largest);
            }
        }
        factor(matrix, rows, independence);
    }
}

/// Step D: the forces, in place of the deviations.
pub(crate) fn forces<T: Scalar>(model: &Model<T>, out: &mut Closing<T>) {
    for group in &model.topology.closure_groups {
        cholesky::solve(&out.matrix[group.triangle.clone()], &mut out.force[group.rows.clone()]);
    }
}

/// Factors `A Λ A*` row by row; takes those rows out that depend on the ones before, whose pivots vanish against the sizes given in
/// `independence`, and leaves their ratios there.
fn factor<T: Scalar>(a: &mut [T], rows: &mut [bool], independence: &mut [T]) {
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
        let independent = (size * T::from_f64(INDEPENDENT)).less_than(pivot) & T::Mask::splat(rows[i]);
        rows[i] = independent.any();
        independence[i] = T::select(independent, pivot / size, T::ONE);
        // A row without a pivot leaves all others as they are.
        row[i] = T::select(independent, pivot.recip(), T::ZERO);
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
