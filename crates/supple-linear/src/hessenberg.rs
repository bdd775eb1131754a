//! Reduction of a model to Hessenberg form by Householder reflections: `A` keeps one diagonal below the main one.
//!
//! `(z − A)⁻¹ B` then takes O(n²) operations for each of many `z`.

use faer::{Mat, c64};

use crate::parts::Parts;

/// Turns the states by an orthogonal matrix so that `A` becomes a Hessenberg matrix.
pub(crate) fn reduce(parts: &mut Parts) {
    let n = parts.a.nrows();
    for k in 0..n.saturating_sub(2) {
        let mut v: Vec<f64> = (k + 1..n).map(|i| parts.a[(i, k)]).collect();
        let norm = v.iter().fold(0.0_f64, |norm, x| norm.hypot(*x));
        if v[1..].iter().all(|x| *x == 0.0) {
            continue;
        }
        // The reflection takes v to a multiple of the first axis; signs agree, so nothing cancels.
        v[0] += norm.copysign(v[0]);
        let scale = 2.0 / v.iter().map(|x| x * x).sum::<f64>();
        reflect_rows(&mut parts.a, k + 1, &v, scale);
        reflect_columns(&mut parts.a, k + 1, &v, scale);
        reflect_rows(&mut parts.b, k + 1, &v, scale);
        reflect_columns(&mut parts.c, k + 1, &v, scale);
        (k + 2..n).for_each(|i| parts.a[(i, k)] = 0.0);
    }
}

/// `(1 − s v v*) X` on the rows from `first`.
fn reflect_rows(x: &mut Mat<f64>, first: usize, v: &[f64], scale: f64) {
    for j in 0..x.ncols() {
        let sum: f64 = v.iter().enumerate().map(|(i, v)| v * x[(first + i, j)]).sum();
        v.iter().enumerate().for_each(|(i, v)| x[(first + i, j)] -= scale * sum * v);
    }
}

/// `X (1 − s v v*)` on the columns from `first`.
fn reflect_columns(x: &mut Mat<f64>, first: usize, v: &[f64], scale: f64) {
    for i in 0..x.nrows() {
        let sum: f64 = v.iter().enumerate().map(|(j, v)| v * x[(i, first + j)]).sum();
        v.iter().enumerate().for_each(|(j, v)| x[(i, first + j)] -= scale * sum * v);
    }
}

/// Pivots below this many roundings of the greatest entry, per row, cannot be told from zero.
const ROUNDINGS: f64 = 64.0;

/// `(z − H)⁻¹ B` for a Hessenberg matrix `H`, by elimination with row pivoting; none where `z` is an eigenvalue, as far as rounding tells.
pub(crate) fn solve_shifted(h: &Mat<f64>, z: c64, b: &Mat<f64>) -> Option<Mat<c64>> {
    let n = h.nrows();
    let real = |x: f64| c64::new(x, 0.0);
    let mut u = Mat::from_fn(n, n, |i, j| if i == j { z - h[(i, j)] } else { real(-h[(i, j)]) });
    let mut x = Mat::from_fn(n, b.ncols(), |i, j| real(b[(i, j)]));
    let least = ROUNDINGS * n as f64 * f64::EPSILON * h.norm_max().max(z.norm());
    for k in 0..n.saturating_sub(1) {
        if u[(k + 1, k)].norm() > u[(k, k)].norm() {
            (k..n).for_each(|j| (u[(k, j)], u[(k + 1, j)]) = (u[(k + 1, j)], u[(k, j)]));
            (0..x.ncols()).for_each(|j| (x[(k, j)], x[(k + 1, j)]) = (x[(k + 1, j)], x[(k, j)]));
        }
        if u[(k, k)].norm() <= least {
            return None;
        }
        let factor = u[(k + 1, k)] / u[(k, k)];
        for j in k + 1..n {
            let above = u[(k, j)];
            u[(k + 1, j)] -= factor * above;
        }
        for j in 0..x.ncols() {
            let above = x[(k, j)];
            x[(k + 1, j)] -= factor * above;
        }
    }
    if n > 0 && u[(n - 1, n - 1)].norm() <= least {
        return None;
    }
    for j in 0..x.ncols() {
        for i in (0..n).rev() {
            let known = (i + 1..n).fold(real(0.0), |sum, k| sum + u[(i, k)] * x[(k, j)]);
            let value = (x[(i, j)] - known) / u[(i, i)];
            if !(value.re.is_finite() && value.im.is_finite()) {
                return None;
            }
            x[(i, j)] = value;
        }
    }
    Some(x)
}
