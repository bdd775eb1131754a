//! Rules of inertias given as tables of modal integrals.

use super::{Problem, finite, negative_direction};
use crate::model::description::Body;
use crate::model::modal_inertia::ModalInertia;

/// Problems of the tables of `body`, if it has some.
pub(super) fn problems(body: &Body, found: &mut Vec<Problem>) {
    let Some(tables) = &body.modal_inertia else { return };
    let expected = body.modes.count + body.modes.second_order.len();
    if !sizes(body, tables, expected, found) || !all_finite(&body.name, tables, found) {
        return;
    }
    let mut broken = |table: &'static str, rule, value| {
        found.push(Problem::ModalInertiaRule { body: body.name.clone(), table, rule, value });
    };
    if tables.mass < 0.0 {
        broken("mass", "must not be negative", tables.mass);
        return;
    }
    let second: Vec<_> = tables.inertia_second.iter().flatten().copied().collect();
    let crossed = difference(expected, |r, s| tables.inertia_second[r][s].as_flattened());
    for (table, value) in [
        ("inertia", asymmetry(&[tables.inertia])),
        ("inertia_first", asymmetry(&tables.inertia_first)),
        ("inertia_second", asymmetry(&second).max(crossed)),
        ("modal_mass", difference(expected, |r, s| std::slice::from_ref(&tables.modal_mass[r][s]))),
    ] {
        if value > 1e-9 {
            broken(table, "must be symmetric, but entries differ by this fraction of the largest:", value);
            return;
        }
    }
    if let Some(row) = negative_direction(tables.mass_matrix()) {
        let rule = "make a kinetic energy that is negative for some motion, found at this row of [ω; v; η̇]:";
        broken("mass, moments, couplings and modal mass together", rule, row as f64);
    }
}

fn sizes(body: &Body, tables: &ModalInertia, expected: usize, found: &mut Vec<Problem>) -> bool {
    let rows = [
        ("moment_change", tables.moment_change.len()),
        ("coupling", tables.coupling.len()),
        ("coupling_change", tables.coupling_change.len()),
        ("inertia_first", tables.inertia_first.len()),
        ("inertia_second", tables.inertia_second.len()),
        ("modal_mass", tables.modal_mass.len()),
    ];
    let changes = tables.coupling_change.iter().map(|r| ("row of coupling_change", r.len()));
    let seconds = tables.inertia_second.iter().map(|r| ("row of inertia_second", r.len()));
    let masses = tables.modal_mass.iter().map(|r| ("row of modal_mass", r.len()));
    let wrong = rows.into_iter().chain(changes).chain(seconds).chain(masses).find(|(_, n)| *n != expected);
    if let Some((table, size)) = wrong {
        let quantity = format!("modal inertia, {table}");
        found.push(Problem::WrongSize { body: body.name.clone(), quantity, found: size, expected });
    }
    wrong.is_none()
}

fn all_finite(body: &str, tables: &ModalInertia, found: &mut Vec<Problem>) -> bool {
    let mut sound = |table: &str, values: &[f64]| finite(body, &format!("modal inertia, {table}"), values, found);
    sound("mass", &[tables.mass])
        && sound("mass_moment", &tables.mass_moment)
        && sound("inertia", tables.inertia.as_flattened())
        && sound("moment_change", tables.moment_change.as_flattened())
        && sound("coupling", tables.coupling.as_flattened())
        && tables.coupling_change.iter().all(|row| sound("coupling_change", row.as_flattened()))
        && sound("inertia_first", tables.inertia_first.as_flattened().as_flattened())
        && tables.inertia_second.iter().all(|row| sound("inertia_second", row.as_flattened().as_flattened()))
        && tables.modal_mass.iter().all(|row| sound("modal_mass", row))
}

/// Greatest difference between entries `(i, j)` and `(j, i)` of 3 by 3 blocks, as a fraction of the largest entry of all.
fn asymmetry(blocks: &[[[f64; 3]; 3]]) -> f64 {
    let largest = blocks.as_flattened().as_flattened().iter().fold(0.0_f64, |a, x| a.max(x.abs()));
    let between = |b: &[[f64; 3]; 3]| {
        let pairs = [(0, 1), (0, 2), (1, 2)];
        pairs.iter().fold(0.0_f64, |a, &(i, j)| a.max((b[i][j] - b[j][i]).abs()))
    };
    let worst = blocks.iter().fold(0.0_f64, |a, b| a.max(between(b)));
    if largest > 0.0 { worst / largest } else { 0.0 }
}

/// Greatest difference between blocks `(r, s)` and `(s, r)` of a table, as a fraction of its largest entry.
fn difference<'a>(n: usize, entry: impl Fn(usize, usize) -> &'a [f64]) -> f64 {
    let (mut largest, mut worst) = (0.0_f64, 0.0_f64);
    for r in 0..n {
        for s in 0..n {
            for (a, b) in entry(r, s).iter().zip(entry(s, r)) {
                largest = largest.max(a.abs());
                worst = worst.max((a - b).abs());
            }
        }
    }
    if largest > 0.0 { worst / largest } else { 0.0 }
}
