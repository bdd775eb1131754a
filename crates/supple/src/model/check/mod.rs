//! Rules that a description must obey before anything is computed from it.

mod closures;
mod elements;
mod modal_inertia;
mod names;
mod nodes;

use super::description::*;
use super::integrals::{packed_modal_mass, undeformed_inertia, used_tables};
use super::modal_mass::definite_factor;
use super::problem::Problem;
use std::collections::{HashMap, HashSet};
use supple_spatial::{Matrix3, Symmetric3, Vector3};

/// Greatest number of bodies of a model.
pub const BODY_LIMIT: usize = 100_000;
/// Greatest number of modes of one body.
pub const MODE_LIMIT: usize = 1000;

/// Greatest number of modes and shapes of second order of one body together: its inertia has a few numbers for each pair of them.
pub const SHAPE_LIMIT: usize = 1000;

/// All problems of `system` that need no dynamics to be seen, but for inertias that it accepts.
pub(crate) fn problems(system: &System) -> Vec<Problem> {
    let mut found = all_problems(system);
    found.retain(|problem| problem.impossible_inertia().is_none_or(|body| !system.accepts_inertia(body)));
    found
}

fn all_problems(system: &System) -> Vec<Problem> {
    let mut found = Vec::new();
    if system.bodies.is_empty() {
        found.push(Problem::NoBodies);
    }
    if system.bodies.len() > BODY_LIMIT {
        return vec![Problem::TooManyBodies { bodies: system.bodies.len(), limit: BODY_LIMIT }];
    }
    finite("system", "gravity", &system.gravity, &mut found);
    names::names(system, &mut found);
    for k in 0..system.bodies.len() {
        references(system, k, &mut found);
        hinge(&system.bodies[k], &mut found);
        let before = found.len();
        nodes::nodes(&system.bodies[k], &mut found);
        modes(&system.bodies[k], &mut found);
        modal_inertia::problems(&system.bodies[k], &mut found);
        if found.len() == before {
            whole_inertia(&system.bodies[k], &mut found);
            independent_modes(&system.bodies[k], &mut found);
        }
    }
    elements::elements(system, &mut found);
    closures::closures(system, &mut found);
    found
}

fn finite(body: &str, quantity: &str, values: &[f64], found: &mut Vec<Problem>) -> bool {
    match values.iter().find(|v| !v.is_finite()) {
        None => true,
        Some(&value) => {
            found.push(Problem::NotFinite { body: body.into(), quantity: quantity.into(), value });
            false
        }
    }
}

fn references(system: &System, k: usize, found: &mut Vec<Problem>) {
    let body = &system.bodies[k];
    let mut node = |owner: &Body, node: usize| {
        if node >= owner.nodes.len() {
            found.push(Problem::UnknownNode {
                body: body.name.clone(),
                owner: owner.name.clone(),
                node,
                nodes: owner.nodes.len(),
            });
        }
    };
    node(body, body.inboard_node.0);
    if let Parent::Body(p, n) = body.parent {
        if p.0 < k {
            node(&system.bodies[p.0], n.0);
        } else {
            found.push(Problem::UnknownParent { body: body.name.clone(), parent: p.0 });
        }
    }
}

fn hinge(body: &Body, found: &mut Vec<Problem>) {
    let name = || body.name.clone();
    finite(&body.name, "hinge position", &body.hinge.position, found);
    if finite(&body.name, "hinge rotation", body.hinge.rotation.as_flattened(), found) {
        let error = rotation_error(&Matrix3(body.hinge.rotation));
        if error > 1e-9 {
            found.push(Problem::NotARotation { body: name(), error });
        }
    }
    let rotor = &body.hinge.rotor_inertia;
    if !rotor.is_empty() && rotor.len() != body.hinge.kind.sizes().1 {
        let (quantity, expected) = ("rotor inertia of the hinge".into(), body.hinge.kind.sizes().1);
        found.push(Problem::WrongSize { body: name(), quantity, found: rotor.len(), expected });
    } else if finite(&body.name, "rotor inertia of the hinge", rotor, found)
        && let Some(&value) = rotor.iter().find(|x| **x < 0.0)
    {
        found.push(Problem::NegativeRotor { body: name(), value });
    }
    let axes: Vec<[f64; 3]> = match &body.hinge.kind {
        HingeKind::Fixed | HingeKind::Spherical | HingeKind::Free => vec![],
        HingeKind::Revolute { axis } | HingeKind::Prismatic { axis } | HingeKind::Cylindrical { axis } => vec![*axis],
        HingeKind::Screw { axis, pitch } => {
            finite(&body.name, "screw pitch", &[*pitch], found);
            vec![*axis]
        }
        HingeKind::Planar { normal } => vec![*normal],
        HingeKind::Universal { axes } => axes.to_vec(),
    };
    if !finite(&body.name, "hinge axis", axes.as_flattened(), found) {
        return;
    }
    // An axis whose square overflows or vanishes has no usable direction either.
    if axes.iter().any(|a| !Vector3(*a).norm_squared().is_normal()) {
        found.push(Problem::ZeroAxis { body: name() });
    } else if let [a, b] = axes[..] {
        let (a, b) = (Vector3(a), Vector3(b));
        if a.cross(b).norm_squared() < 1e-18 * a.norm_squared() * b.norm_squared() {
            found.push(Problem::ParallelAxes { body: name() });
        }
    }
}

/// How far a matrix is from a rotation.
fn rotation_error(r: &Matrix3<f64>) -> f64 {
    let gram = *r * r.transpose() - Matrix3::IDENTITY;
    let determinant = r.row(0).dot(r.row(1).cross(r.row(2)));
    gram.0.as_flattened().iter().fold((determinant - 1.0).abs(), |a, x| a.max(x.abs()))
}

/// The triangle rule at rest, about the mass centre, for bodies whose nodes need not obey it themselves.
fn whole_inertia(body: &Body, found: &mut Vec<Problem>) {
    let whole = undeformed_inertia(body);
    if whole.mass <= 0.0 || (body.modes.count == 0 && body.modal_inertia.is_none()) {
        return;
    }
    let centre = whole.moment * (1.0 / whole.mass);
    let shift = Symmetric3::lever(centre, centre) * whole.mass;
    let moments = principal_moments(whole.inertia - shift);
    let noise = 1e-12 * whole.inertia.0.iter().fold(0.0_f64, |a, x| a.max(x.abs()));
    if moments[2] > moments[0] + moments[1] + noise {
        found.push(Problem::BodyTriangleRule { body: body.name.clone(), moments });
    }
}

/// Eigenvalues, least first, by Jacobi rotations.
pub(crate) fn principal_moments(s: Symmetric3<f64>) -> [f64; 3] {
    let mut a = s.to_matrix().0;
    for _ in 0..24 {
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            if a[p][q] == 0.0 {
                continue;
            }
            let tau = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
            let t = if tau.is_finite() { tau.signum() / (tau.abs() + tau.hypot(1.0)) } else { 0.0 };
            let c = 1.0 / t.hypot(1.0);
            let s = t * c;
            for k in 0..3 {
                let (x, y) = (a[k][p], a[k][q]);
                (a[k][p], a[k][q]) = (c * x - s * y, s * x + c * y);
            }
            for k in 0..3 {
                let (x, y) = (a[p][k], a[q][k]);
                (a[p][k], a[q][k]) = (c * x - s * y, s * x + c * y);
            }
            (a[p][q], a[q][p]) = (0.0, 0.0);
        }
    }
    let mut moments = [a[0][0], a[1][1], a[2][2]];
    moments.sort_by(f64::total_cmp);
    moments
}

fn modes(body: &Body, found: &mut Vec<Problem>) {
    let (name, n) = (&body.name, body.modes.count);
    if n > MODE_LIMIT {
        found.push(Problem::TooManyModes { body: name.clone(), modes: n, limit: MODE_LIMIT });
        return;
    }
    let second_order = body.modes.second_order.len();
    if n + second_order > SHAPE_LIMIT {
        found.push(Problem::TooManyShapes { body: name.clone(), modes: n, second_order, limit: SHAPE_LIMIT });
        return;
    }
    for (quantity, matrix) in [("stiffness", &body.modes.stiffness), ("damping", &body.modes.damping)] {
        let Some(full) = full_matrix(name, quantity, matrix, n, found) else { continue };
        let scale = full.iter().flatten().fold(0.0_f64, |a, x| a.max(x.abs()));
        let odd = (0..n)
            .flat_map(|i| (0..i).map(move |j| (i, j)))
            .find(|&(i, j)| (full[i][j] - full[j][i]).abs() > 1e-9 * scale);
        if let Some((i, j)) = odd {
            let (quantity, values) = (quantity.into(), (full[i][j], full[j][i]));
            found.push(Problem::AsymmetricMatrix { body: name.clone(), quantity, at: (i, j), values });
        } else if let Some(mode) = negative_direction(full) {
            found.push(Problem::Indefinite { body: name.clone(), quantity: quantity.into(), mode });
        }
    }
    for (k, shape) in body.modes.second_order.iter().enumerate() {
        let quantity = format!("second-order shape {k}");
        let values: Vec<f64> = shape.quadratic.iter().map(|(_, v)| *v).collect();
        finite(name, &quantity, &values, found);
        let mut taken = HashSet::new();
        for ([r, s], _) in &shape.quadratic {
            let rule = match () {
                () if *s >= n => "is out of range of the modes",
                () if r > s => "is below the diagonal; list entries with rows not beyond columns",
                () if !taken.insert((r, s)) => "is listed twice",
                () => continue,
            };
            found.push(Problem::NonlinearEntry { body: name.clone(), indices: vec![k, *r, *s], rule });
        }
    }
    let nonlinear = &body.modes.nonlinear;
    for ([i, j, k], value) in &nonlinear.axial_load {
        let rule = match () {
            () if [i, j, k].iter().any(|i| **i >= n) => "is out of range of the modes",
            () if !value.is_finite() => "is not finite",
            () => continue,
        };
        found.push(Problem::NonlinearEntry { body: name.clone(), indices: vec![*i, *j, *k], rule });
    }
    tensor(name, n, nonlinear.cubic.iter().map(|(i, v)| (i.to_vec(), *v)), found);
    tensor(name, n, nonlinear.quartic.iter().map(|(i, v)| (i.to_vec(), *v)), found);
}

/// A matrix of the right size with finite entries, or what is wrong with it.
fn full_matrix(
    name: &str,
    quantity: &str,
    matrix: &ModalMatrix,
    n: usize,
    found: &mut Vec<Problem>,
) -> Option<Vec<Vec<f64>>> {
    let mut size = |found_size: usize, what: &str| {
        let wrong = found_size != n;
        if wrong {
            found.push(Problem::WrongSize {
                body: name.into(),
                quantity: format!("modal {quantity}{what}"),
                found: found_size,
                expected: n,
            });
        }
        !wrong
    };
    let full = match matrix {
        ModalMatrix::Zero => return None,
        ModalMatrix::Diagonal(d) => {
            if !size(d.len(), "") {
                return None;
            }
            (0..n).map(|i| (0..n).map(|j| if i == j { d[i] } else { 0.0 }).collect()).collect()
        }
        ModalMatrix::Full(rows) => {
            if !size(rows.len(), "") || !rows.iter().all(|r| size(r.len(), " (a row)")) {
                return None;
            }
            rows.clone()
        }
    };
    let finite_entries = full.iter().all(|row: &Vec<f64>| finite(name, &format!("modal {quantity}"), row, found));
    finite_entries.then_some(full)
}

/// The mode at which a factorization with pivoting, after scaling to unit diagonal, meets a
/// negative direction.
fn negative_direction(mut a: Vec<Vec<f64>>) -> Option<usize> {
    let n = a.len();
    let scale: Vec<f64> = (0..n).map(|i| a[i][i].abs().sqrt()).collect();
    for i in 0..n {
        for j in 0..n {
            let s = scale[i] * scale[j];
            a[i][j] = if s > 0.0 { a[i][j] / s } else { a[i][j] };
        }
    }
    let noise = 8.0 * n as f64 * f64::EPSILON;
    let mut left: Vec<usize> = (0..n).collect();
    while let Some(at) = (0..left.len()).max_by(|&x, &y| a[left[x]][left[x]].total_cmp(&a[left[y]][left[y]])) {
        let p = left[at];
        if let Some(&bad) = left.iter().find(|&&i| a[i][i] < -noise) {
            return Some(bad);
        }
        if a[p][p] <= noise {
            // Nothing positive is left: what couples the rest makes it indefinite.
            return left.iter().copied().find(|&i| left.iter().any(|&j| a[i][j].abs() > noise.sqrt()));
        }
        left.swap_remove(at);
        for &i in &left {
            let factor = a[i][p] / a[p][p];
            for &j in &left {
                a[i][j] -= factor * a[p][j];
            }
        }
    }
    None
}

fn tensor(name: &str, n: usize, entries: impl Iterator<Item = (Vec<usize>, f64)>, found: &mut Vec<Problem>) {
    let mut values = HashMap::new();
    let mut wrong = |indices: &[usize], rule| {
        found.push(Problem::NonlinearEntry { body: name.into(), indices: indices.to_vec(), rule });
    };
    for (indices, value) in entries {
        if indices.iter().any(|i| *i >= n) {
            wrong(&indices, "is out of range of the modes");
        } else if !value.is_finite() {
            wrong(&indices, "is not finite");
        } else if values.insert(indices.clone(), value).is_some() {
            wrong(&indices, "is listed twice");
        }
    }
    // A tensor is symmetric when swapping neighbours changes nothing.
    for (indices, value) in &values {
        for i in 1..indices.len() {
            let mut swapped = indices.clone();
            swapped.swap(i - 1, i);
            let mirror = values.get(&swapped).copied().unwrap_or(0.0);
            if (mirror - value).abs() > 1e-9 * value.abs().max(mirror.abs()) {
                wrong(
                    indices,
                    "lacks an equal entry with permuted indices; list every nonzero entry of the symmetric tensor",
                );
                return;
            }
        }
    }
}

/// Mode shapes must be linearly independent over all nodes, whatever their masses. Where tables give the inertia, a few nodes may stand
/// for the body, and a definite modal mass shows the same.
fn independent_modes(body: &Body, found: &mut Vec<Problem>) {
    let n = body.modes.count;
    if body.modal_inertia.is_some() && definite_factor(&packed_modal_mass(&used_tables(body), n), n).is_some() {
        return;
    }
    let column = |r: usize| -> Vec<f64> {
        body.nodes.iter().filter(|x| !x.influence.is_empty()).flat_map(|x| x.influence[r]).collect()
    };
    let mut basis: Vec<Vec<f64>> = Vec::new();
    for r in 0..n {
        let mut v = column(r);
        let size = v.iter().map(|x| x * x).sum::<f64>().sqrt();
        // Gram-Schmidt, twice for full accuracy.
        for _ in 0..2 {
            for b in &basis {
                let along: f64 = b.iter().zip(&v).map(|(x, y)| x * y).sum();
                v.iter_mut().zip(b).for_each(|(x, y)| *x -= along * y);
            }
        }
        let rest = v.iter().map(|x| x * x).sum::<f64>().sqrt();
        if rest <= 1e-12 * size || size == 0.0 {
            found.push(Problem::DependentModes { body: body.name.clone(), mode: r });
            return;
        }
        basis.push(v.iter().map(|x| x / rest).collect());
    }
}
