//! Step C: `A Λ A* = b* b`, `b = D^-½ H ψ B A*` [SOA 0.37], by inward recursions over the paths of the closures.
//!
//! | symbol    | meaning                                                                       |
//! |-----------|-------------------------------------------------------------------------------|
//! | `z_R`     | residual force at `F_k` of a unit force of an equation, modes free            |
//! | `epsilon` | `L⁻¹ ε = D^½ b`: innovations of modes and hinge, by the factor `L D L*`       |
//! | `nu`      | `D⁻¹ L⁻¹ ε = D^-½ b`                                                          |

#![allow(non_snake_case)] // symbols as printed, see docs/notation.md

use super::secondary;
use crate::model::Model;
use crate::model::body::Elimination;
use crate::model::closing::ClosureData;
use crate::model::topology::{BodyTopology, ClosureGroup, ClosureTopology, PathBody, Topology};
use crate::sweep::elimination::{self, Context};
use crate::sweep::hinge::{Pivot, ball, by_axis, general, one_axis};
use crate::workspace::{Articulated, Bias, Closing, Configuration, Modal, Residual};
use supple_spatial::block::cholesky::{self, row_start};
use supple_spatial::{Force, Scalar};

/// Fills `epsilon`, `nu` and `residual` of the closures that `active` names and that have none, with the factors of the inward sweep.
#[allow(clippy::too_many_arguments)] // one by one they are known not to overlap
pub(crate) fn innovations<T: Scalar>(
    model: &Model<T>,
    active: &[bool],
    at: &Configuration<T>,
    modal: &Modal<T>,
    P: &Articulated<T>,
    bias: &Bias<T>,
    closing: &mut Closing<T>,
) {
    // Taken out so that it can be written while the rest is read.
    let mut z = std::mem::replace(&mut closing.path, Residual::EMPTY);
    path_innovations(model, active, at, modal, P, bias, &mut z, closing);
    closing.path = z;
}

#[allow(clippy::too_many_arguments)] // one by one they are known not to overlap
fn path_innovations<T: Scalar>(
    model: &Model<T>,
    active: &[bool],
    at: &Configuration<T>,
    modal: &Modal<T>,
    P: &Articulated<T>,
    bias: &Bias<T>,
    z: &mut Residual<T>,
    out: &mut Closing<T>,
) {
    for (i, top) in model.topology.closures.iter().enumerate().filter(|(i, _)| active[*i]) {
        if std::mem::replace(&mut out.has_columns[i], true) {
            continue;
        }
        for r in 0..top.rows.len() {
            load(model, i, r, z, out);
            out.reach[top.rows.start + r] = T::ZERO;
            let mut largest = load_size(&out.load[top.rows.start + r], top);
            for (step, on) in top.path.iter().enumerate() {
                let k = on.body;
                let body = &model.topology.bodies[k];
                let zero = &out.hinge_force;
                let z_R = if body.modes > 0 {
                    elimination::force::<T, false>(Context { model, k, at, modal }, P, bias, zero, Force::ZERO, z)
                } else if body.carriers.is_empty() {
                    Force::ZERO
                } else {
                    z.carrier[body.carriers.start]
                };
                let z_plus = by_axis!(body.axis,
                    Axis if !P.is_prescribed(k) => one_axis::innovate::<T, Axis>(body, Pivot::of(body, P), zero, z_R, &mut z.hinge),
                    Ball if P.is_free(k) => ball::innovate(body, P, zero, z_R, z),
                    _ => {
                        // Prescribed hinges keep still.
                        if P.is_prescribed(k) {
                            crate::sweep::hinge::force_at_hinge(model, k, at, z_R)
                        } else {
                            general::innovate(model, k, at, P, zero, zero, z_R, z)
                        }
                    }
                );
                if body.parent.is_some() {
                    z.carrier[body.carrier] += z_plus.rotate(&at.rotation[k]).shift(at.offset[k]);
                }
                out.residual[top.residuals.start + r * top.path.len() + step] = z_R;
                // Forces of both frames may cancel further inboard, but for rounding of the largest.
                let size = z_R.angular.norm_squared() + z_R.linear.norm_squared();
                largest = T::select(largest.less_than(size), size, largest);
                keep(model, top, (on, largest), r, P, z, out);
            }
            unload(model, i, z, out);
        }
    }
}

/// The force of an equation on the carriers of its frames, or in its hinges.
fn load<T: Scalar>(model: &Model<T>, i: usize, r: usize, z: &mut Residual<T>, out: &mut Closing<T>) {
    let top = &model.topology.closures[i];
    for on in &top.path {
        z.carrier[model.topology.bodies[on.body].carriers.clone()].fill(Force::ZERO);
    }
    for (s, side) in top.sides.iter().enumerate() {
        if let Some(on) = side {
            z.carrier[on.carrier] -= out.load[top.rows.start + r][s];
        }
    }
    if let ClosureData::Coupling(factors, _) = &model.closing[i] {
        for (factor, (_, speed)) in factors.iter().zip(&top.hinges) {
            out.hinge_force[*speed] = *factor;
        }
    }
}

/// Takes the forces away from where nothing else would overwrite them.
fn unload<T: Scalar>(model: &Model<T>, i: usize, z: &mut Residual<T>, out: &mut Closing<T>) {
    let top = &model.topology.closures[i];
    for on in top.sides.iter().flatten() {
        z.carrier[on.carrier] = Force::ZERO;
    }
    for (_, speed) in &top.hinges {
        out.hinge_force[*speed] = T::ZERO;
    }
}

/// Square of the forces of an equation on both frames.
fn load_size<T: Scalar>(load: &[Force<T>; 2], top: &ClosureTopology) -> T {
    let loaded = load.iter().zip(&top.sides).filter(|(_, side)| side.is_some());
    loaded.fold(T::ZERO, |sum, (f, _)| sum + f.angular.norm_squared() + f.linear.norm_squared())
}

/// Innovations of one body, from where the steps left them; `size` is the square of the largest force outboard, what hinges may have to answer.
#[allow(clippy::too_many_arguments)] // the quantities of one step
fn keep<T: Scalar>(
    model: &Model<T>,
    top: &ClosureTopology,
    (on, size): (&PathBody, T),
    r: usize,
    P: &Articulated<T>,
    z: &Residual<T>,
    out: &mut Closing<T>,
) {
    let (k, first) = (on.body, top.innovations.start + r * top.slots + on.slot);
    let body = &model.topology.bodies[k];
    let reach = &mut out.reach[top.rows.start + r];
    let nu = &mut out.nu[first..first + body.speeds.len()];
    let epsilon = &mut out.epsilon[first..first + body.speeds.len()];
    nu.fill(T::ZERO);
    epsilon.fill(T::ZERO);
    let (modal, factor) = modal_innovations(body, k, P, z);
    let mut pivots = on.unknown.map(|first| &mut out.pivots[first..first + body.speeds.len()]);
    if let Some(pivots) = &mut pivots {
        pivots.fill(T::ONE);
    }
    let moved = |c: usize| model.bodies[k].nodes[model.topology.carriers[c].node].mobility;
    let mobility = body.carriers.clone().fold(T::ZERO, |sum, c| sum + moved(c));
    for (i, x) in modal.iter().enumerate() {
        let inverse = cholesky::pivot_inverse(factor, i);
        *reach = (size * mobility).mul_add(inverse, *reach);
        nu[i] = *x;
        epsilon[i] = *x / inverse;
        if let Some(pivots) = &mut pivots {
            pivots[i] = inverse.recip();
        }
    }
    if P.is_prescribed(k) {
        return;
    }
    // ν_R = L⁻* D⁻¹ L⁻¹ ε_R: back to D⁻¹ L⁻¹ ε_R
    let (nu, epsilon) = (&mut nu[body.modes..], &mut epsilon[body.modes..]);
    let factor = &P.hinge_factor[body.hinge_triangle.clone()];
    let nu_R = &z.hinge[body.hinge.clone()];
    for i in 0..nu_R.len() {
        *reach = size.mul_add(cholesky::pivot_inverse(factor, i), *reach);
        let below = (i + 1..nu_R.len()).fold(nu_R[i], |s, j| factor[row_start(j) + i].mul_add(nu_R[j], s));
        nu[i] = below;
        epsilon[i] = below / cholesky::pivot_inverse(factor, i);
        if let Some(pivots) = &mut pivots {
            pivots[body.modes + i] = cholesky::pivot_inverse(factor, i).recip();
        }
    }
}

/// `D⁻¹ L⁻¹ ε` of the modes of a body, or of its tip modes, with the factor.
fn modal_innovations<'a, T: Scalar>(
    body: &BodyTopology,
    k: usize,
    P: &'a Articulated<T>,
    z: &'a Residual<T>,
) -> (&'a [T], &'a [T]) {
    match P.elimination[k] {
        Elimination::Explicit => (&z.modal[body.modal.clone()], &P.modal_factor[body.modal_triangle.clone()]),
        _ => (&z.tip[body.tip.clone()], &P.tip_factor[body.tip_triangle.clone()]),
    }
}

/// Fills `A Λ A*` of every group, or, where it has a secondary system, what the primary system has in it; equations of closures that are not active stay out.
pub(crate) fn matrices<T: Scalar>(model: &Model<T>, active: &[bool], out: &mut Closing<T>) {
    for group in &model.topology.closure_groups {
        match &group.secondary {
            None => matrix(model, active, group, out),
            Some(secondary) => secondary::fill(model, active, secondary, out),
        }
    }
}

/// Fills `A Λ A*` of a group.
pub(super) fn matrix<T: Scalar>(model: &Model<T>, active: &[bool], group: &ClosureGroup, out: &mut Closing<T>) {
    let Closing { epsilon, nu, matrix, .. } = out;
    let (all, matrix) = (|_: &PathBody| true, &mut matrix[group.triangle.clone()]);
    products(&model.topology, active, (&group.closures, group.rows.start), all, (epsilon, nu), matrix);
}

/// Products of the innovations of closures whose equations begin at `first`, on the bodies that `counted` names.
pub(super) fn products<T: Scalar>(
    top: &Topology,
    active: &[bool],
    (closures, first): (&[usize], usize),
    counted: impl Fn(&PathBody) -> bool,
    (epsilon, nu): (&[T], &[T]),
    matrix: &mut [T],
) {
    matrix.fill(T::ZERO);
    let members = || closures.iter().filter(|i| active[**i]).map(|i| &top.closures[*i]);
    for (j, b) in members().enumerate() {
        for a in members().take(j + 1) {
            for_common(a, b, |on_a, on_b| {
                if !counted(on_b) {
                    return;
                }
                let slots = top.bodies[on_b.body].speeds.len();
                for s in 0..b.rows.len() {
                    let row = row_start(b.rows.start - first + s);
                    let nu = &nu[b.innovations.start + s * b.slots + on_b.slot..][..slots];
                    let columns = if std::ptr::eq(a, b) { s + 1 } else { a.rows.len() };
                    for r in 0..columns {
                        let epsilon = &epsilon[a.innovations.start + r * a.slots + on_a.slot..][..slots];
                        let entry = &mut matrix[row + a.rows.start - first + r];
                        *entry = epsilon.iter().zip(nu).fold(*entry, |sum, (x, y)| x.mul_add(*y, sum));
                    }
                }
            });
        }
    }
}

/// Calls `f` with the places of each body that two closures move, in each of them.
fn for_common(a: &ClosureTopology, b: &ClosureTopology, mut f: impl FnMut(&PathBody, &PathBody)) {
    let mut others = a.path.iter().peekable();
    for on in &b.path {
        while others.next_if(|other| other.body > on.body).is_some() {}
        if let Some(other) = others.next_if(|other| other.body == on.body) {
            f(other, on);
        }
    }
}
