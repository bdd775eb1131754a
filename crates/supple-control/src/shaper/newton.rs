//! Constraint equations of shapers, solved from no damping to the damping asked for.

use super::damped;
use supple::spatial::{Dual, Scalar};

/// Greatest part of the way from no damping to the ratio asked for that is gone at once, as a ratio.
const STRIDE: f64 = 0.02;
/// Steps shorter than this, relative to the unknowns, are rounding.
const SMALL: f64 = 1e-13;
/// Steps that do not shorten any more but are below this are rounding as well.
const STALLED: f64 = 1e-9;
const MOST_STEPS: usize = 60;

/// `a exp(growth + i turn)`.
#[derive(Clone, Copy)]
pub(super) struct Phasor<T> {
    pub re: T,
    pub im: T,
}

impl<T: Scalar> Phasor<T> {
    pub fn of(amplitude: T, growth: T, turn: T) -> Self {
        let (sin, cos) = turn.sin_cos();
        let size = amplitude * growth.exp();
        Self { re: size * cos, im: size * sin }
    }
}

/// Solves equations of `σ = ζ/√(1-ζ²)` and of unknowns that are known without damping; none where the solution ends on the way.
pub(super) fn continued(
    undamped: &[f64],
    damping: f64,
    equations: impl Fn(f64, &[Dual<f64>], &mut Vec<Dual<f64>>),
) -> Option<Vec<f64>> {
    let mut unknowns = undamped.to_vec();
    let strides = (damping / STRIDE).ceil().max(1.0);
    for i in 1..=strides as usize {
        let ratio = damping * (i as f64 / strides);
        solve(&mut unknowns, |x, out| equations(ratio / damped(ratio), x, out))?;
    }
    Some(unknowns)
}

/// Newton's method with exact derivatives.
fn solve(x: &mut [f64], equations: impl Fn(&[Dual<f64>], &mut Vec<Dual<f64>>)) -> Option<()> {
    let n = x.len();
    let mut last = f64::INFINITY;
    for _ in 0..MOST_STEPS {
        let mut matrix = vec![vec![0.0; n + 1]; n];
        for j in 0..n {
            let variable = |(i, x): (usize, &f64)| if i == j { Dual::variable(*x) } else { Dual::constant(*x) };
            let (point, mut found) = (x.iter().enumerate().map(variable).collect::<Vec<_>>(), Vec::with_capacity(n));
            equations(&point, &mut found);
            for (row, found) in matrix.iter_mut().zip(&found) {
                (row[j], row[n]) = (found.derivative, found.value);
            }
        }
        let step = eliminate(matrix)?;
        let size = step.iter().zip(&*x).map(|(step, x)| step.abs() / x.abs().max(1e-3)).fold(0.0, f64::max);
        if !size.is_finite() {
            return None;
        }
        x.iter_mut().zip(&step).for_each(|(x, step)| *x -= step);
        if size < SMALL || (size >= last && size < STALLED) {
            return Some(());
        }
        last = size;
    }
    None
}

/// Solves the equations whose right sides are the last column, by elimination with pivots.
fn eliminate(mut rows: Vec<Vec<f64>>) -> Option<Vec<f64>> {
    let n = rows.len();
    for k in 0..n {
        let pivot = (k..n).max_by(|a, b| rows[*a][k].abs().total_cmp(&rows[*b][k].abs()))?;
        rows.swap(k, pivot);
        if rows[k][k] == 0.0 {
            return None;
        }
        for i in k + 1..n {
            let factor = rows[i][k] / rows[k][k];
            for j in k..=n {
                rows[i][j] -= factor * rows[k][j];
            }
        }
    }
    let mut x = vec![0.0; n];
    for k in (0..n).rev() {
        let known: f64 = (k + 1..n).map(|j| rows[k][j] * x[j]).sum();
        x[k] = (rows[k][n] - known) / rows[k][k];
    }
    Some(x)
}
