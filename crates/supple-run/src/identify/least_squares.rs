//! Nonlinear least squares within bounds, by Levenberg's and Marquardt's method.
//!
//! Minimises `½ |r(x)|²` for `lower ≤ x ≤ upper`. A step solves
//!
//! ```text
//! min |J δ + r|² + μ |D δ|²
//! ```
//!
//! over the variables that are free, with `D` the greatest norms of the columns of `J` so far (Moré 1978); variables that stand at a bound and would leave it
//! are held, and those that a step would take across a bound stop there. `μ` follows how much of the decrease that the linear model promises comes true (Nielsen 1999).
//! `J = Q R` is factored once, so that each `μ` costs only a small dense problem.

use faer::linalg::solvers::SolveLstsq;
use faer::{Mat, MatRef};

/// Cosine between residuals and columns of the Jacobian below which they count as orthogonal.
const ORTHOGONAL: f64 = 1e-9;
/// Decrease of the sum of squares that may be lost to rounding.
const HARDLY: f64 = 1e-2;
/// Times `μ` may grow in a row before the search ends.
const MOST_REJECTED: usize = 25;

/// Residuals and, where asked for, their Jacobian.
pub struct Evaluation {
    /// `r(x)`.
    pub residuals: Vec<f64>,
    /// `∂r/∂x`.
    pub jacobian: Option<Mat<f64>>,
}

impl Evaluation {
    /// The sum of the squares of the residuals.
    pub fn squares(&self) -> f64 {
        self.residuals.iter().map(|r| r * r).sum()
    }
}

/// Residuals as a function; `E` is why there are none.
pub trait Residuals<E> {
    /// Residuals at `x`, with their Jacobian where `jacobian` says so.
    ///
    /// # Errors
    /// Why they cannot be computed; at a trial point this shortens the step, unless the [search ends](Self::ends).
    fn evaluate(&mut self, x: &[f64], jacobian: bool) -> Result<Evaluation, E>;

    /// Whether an error ends the search.
    fn ends(&self, error: &E) -> bool;

    /// Told of every step that is taken: its number, and the sum of the squares.
    fn step(&mut self, iteration: usize, squares: f64);
}

/// Where a search ended.
pub struct Minimum {
    /// The variables.
    pub x: Vec<f64>,
    /// Residuals and Jacobian there.
    pub at: Evaluation,
    /// Which variables stand at a bound.
    pub held: Vec<bool>,
    /// Whether it is a minimum, as far as numbers tell.
    pub converged: bool,
}

/// Searches from `x`, which lies within its bounds, until the sum of squares can hardly be reduced by more than `enough`.
///
/// # Errors
/// What keeps the residuals from being computed at the start, or an error that ends the search.
pub fn minimise<E>(
    problem: &mut dyn Residuals<E>,
    mut x: Vec<f64>,
    bounds: &[[f64; 2]],
    (most, enough): (usize, f64),
) -> Result<Minimum, E> {
    let mut at = problem.evaluate(&x, true)?;
    let mut sizes = vec![0.0; x.len()];
    let (mut mu, mut growth, mut rejected, mut last_promise) = (1e-3, 2.0, 0, f64::INFINITY);
    let mut iterations = 0;
    problem.step(0, at.squares());
    loop {
        let local = Local::new(&x, &at, bounds, &mut sizes);
        let finished = local.is_minimum();
        if finished || iterations >= most || rejected >= MOST_REJECTED {
            let held = local.held.clone();
            // Where hardly anything is left to gain, rounding decides what is gained.
            let converged = finished || (rejected >= MOST_REJECTED && last_promise < HARDLY);
            return Ok(Minimum { x, at, held, converged });
        }
        let (step, promised, cut) = local.step(mu, &x, bounds);
        let squares = at.squares();
        if rejected == 0 {
            last_promise = promised;
        }
        if promised <= enough && !cut {
            let held = local.held.clone();
            return Ok(Minimum { x, at, held, converged: true });
        }
        if promised <= 0.0 {
            // A step that is cut need not lead downhill; a shorter one does.
            (mu, growth, rejected) = (mu * growth, 2.0 * growth, rejected + 1);
            continue;
        }
        let there: Vec<f64> = x.iter().zip(&step).zip(bounds).map(|((x, d), [a, b])| (x + d).clamp(*a, *b)).collect();
        let tried = match problem.evaluate(&there, false) {
            Ok(tried) => Some(tried).filter(|tried| tried.squares().is_finite()),
            Err(error) if problem.ends(&error) => return Err(error),
            Err(_) => None,
        };
        let gain = tried.map_or(-1.0, |tried| (squares - tried.squares()) / promised);
        // Where there is no Jacobian, as where a friction of zero is no element, a shorter step may find one.
        let taken = match (gain > 1e-4).then(|| problem.evaluate(&there, true)) {
            Some(Err(error)) if problem.ends(&error) => return Err(error),
            taken => taken.and_then(Result::ok),
        };
        if let Some(taken) = taken {
            (at, x) = (taken, there);
            iterations += 1;
            problem.step(iterations, at.squares());
            mu = (mu * (1.0 - (2.0 * gain - 1.0).powi(3)).max(1.0 / 3.0)).max(1e-15);
            (growth, rejected) = (2.0, 0);
        } else {
            mu *= growth;
            growth *= 2.0;
            rejected += 1;
        }
    }
}

/// The problem about a point.
struct Local<'l> {
    residuals: &'l [f64],
    jacobian: MatRef<'l, f64>,
    /// Variables that are held at a bound, and the places of the others.
    held: Vec<bool>,
    free: Vec<usize>,
    /// `R` of the free columns, and `Q* r`.
    triangle: Mat<f64>,
    projected: Mat<f64>,
    sizes: Vec<f64>,
}

impl<'l> Local<'l> {
    fn new(x: &[f64], at: &'l Evaluation, bounds: &[[f64; 2]], sizes: &mut [f64]) -> Self {
        static EMPTY: Mat<f64> = Mat::new();
        let jacobian = at.jacobian.as_ref().map_or(EMPTY.as_ref(), Mat::as_ref);
        let residuals = &at.residuals;
        let column = |j: usize| (0..jacobian.nrows()).map(move |i| jacobian[(i, j)]);
        let mut held = vec![false; x.len()];
        for j in 0..x.len() {
            let norm = column(j).map(|a| a * a).sum::<f64>().sqrt();
            sizes[j] = f64::max(sizes[j], norm);
            let slope: f64 = column(j).zip(residuals).map(|(a, r)| a * r).sum();
            held[j] = (x[j] <= bounds[j][0] && slope > 0.0) || (x[j] >= bounds[j][1] && slope < 0.0);
        }
        let free: Vec<usize> = (0..x.len()).filter(|j| !held[*j]).collect();
        let own = Mat::from_fn(jacobian.nrows(), free.len(), |i, j| jacobian[(i, free[j])]);
        let qr = own.qr();
        let triangle = qr.thin_R().to_owned();
        let right = Mat::from_fn(residuals.len(), 1, |i, _| residuals[i]);
        let projected = qr.compute_thin_Q().transpose() * right;
        Self { residuals, jacobian, held, free, triangle, projected, sizes: sizes.to_vec() }
    }

    /// Whether the residuals are orthogonal to all free columns, or zero.
    fn is_minimum(&self) -> bool {
        let size = self.residuals.iter().map(|r| r * r).sum::<f64>().sqrt();
        size == 0.0
            || self.free.iter().all(|&j| {
                let column = (0..self.jacobian.nrows()).map(|i| self.jacobian[(i, j)]);
                let (dot, norm) = column.zip(self.residuals).fold((0.0, 0.0), |(d, n), (a, r)| (d + a * r, n + a * a));
                dot.abs() <= ORTHOGONAL * norm.sqrt() * size
            })
    }

    /// The step for a `μ`, by how much it would reduce the sum of squares, and whether a bound cuts it.
    ///
    /// Variables that would cross a bound are put there, and the others follow.
    fn step(&self, mu: f64, x: &[f64], bounds: &[[f64; 2]]) -> (Vec<f64>, f64, bool) {
        let n = self.free.len();
        let mut fixed: Vec<Option<f64>> = vec![None; n];
        loop {
            let found = self.solve(mu, &fixed);
            let crossing = |k: usize| {
                let (at, [lower, upper]) = (x[self.free[k]], bounds[self.free[k]]);
                let beyond = at + found[k] < lower || at + found[k] > upper;
                (fixed[k].is_none() && beyond).then(|| (at + found[k]).clamp(lower, upper) - at)
            };
            let crossed: Vec<(usize, f64)> = (0..n).filter_map(|k| Some((k, crossing(k)?))).collect();
            if crossed.is_empty() {
                let mut step = vec![0.0; x.len()];
                self.free.iter().zip(&found).for_each(|(at, d)| step[*at] = *d);
                return (step, self.promised(&found), fixed.iter().any(Option::is_some));
            }
            crossed.into_iter().for_each(|(k, d)| fixed[k] = Some(d));
        }
    }

    /// The step of all free variables, some of which are known.
    fn solve(&self, mu: f64, fixed: &[Option<f64>]) -> Vec<f64> {
        let rows = self.triangle.nrows();
        let open: Vec<usize> = (0..fixed.len()).filter(|k| fixed[*k].is_none()).collect();
        let size = |k: usize| if self.sizes[self.free[k]] > 0.0 { self.sizes[self.free[k]] } else { 1.0 };
        let stacked = Mat::from_fn(rows + open.len(), open.len(), |i, j| match i {
            i if i < rows => self.triangle[(i, open[j])],
            i if i - rows == j => mu.sqrt() * size(open[j]),
            _ => 0.0,
        });
        let known =
            |i: usize| -> f64 { (0..fixed.len()).filter_map(|k| Some(self.triangle[(i, k)] * fixed[k]?)).sum() };
        let right =
            Mat::from_fn(rows + open.len(), 1, |i, _| if i < rows { -self.projected[(i, 0)] - known(i) } else { 0.0 });
        let mut out: Vec<f64> = fixed.iter().map(|d| d.unwrap_or(0.0)).collect();
        if !open.is_empty() {
            let solved = stacked.qr().solve_lstsq(&right);
            open.iter().enumerate().for_each(|(j, k)| out[*k] = solved[(j, 0)]);
        }
        out
    }

    /// `|r|² - |r + J δ|²` of a step of the free variables, by the triangle.
    fn promised(&self, step: &[f64]) -> f64 {
        let row = |i: usize| {
            let change: f64 = step.iter().enumerate().map(|(k, d)| self.triangle[(i, k)] * d).sum();
            let before = self.projected[(i, 0)];
            before * before - (before + change).powi(2)
        };
        (0..self.triangle.nrows()).map(row).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;

    struct Function<F>(F);

    impl<F: Fn(&[f64]) -> (Vec<f64>, Mat<f64>)> Residuals<Infallible> for Function<F> {
        fn evaluate(&mut self, x: &[f64], _: bool) -> Result<Evaluation, Infallible> {
            let (residuals, jacobian) = self.0(x);
            Ok(Evaluation { residuals, jacobian: Some(jacobian) })
        }

        fn ends(&self, _: &Infallible) -> bool {
            true
        }

        fn step(&mut self, _: usize, _: f64) {}
    }

    const OPEN: [f64; 2] = [f64::NEG_INFINITY, f64::INFINITY];

    /// Rosenbrock's valley, from its usual start; and with a bound, where the minimum on the bound is `(0.5, 0.25)`.
    #[test]
    fn a_curved_valley_with_and_without_a_bound() {
        let valley = |x: &[f64]| {
            let residuals = vec![10.0 * (x[1] - x[0] * x[0]), 1.0 - x[0]];
            (residuals, faer::mat![[-20.0 * x[0], 10.0], [-1.0, 0.0]])
        };
        let Ok(found) = minimise(&mut Function(valley), vec![-1.2, 1.0], &[OPEN, OPEN], (200, 1e-25));
        assert!(found.converged && (found.x[0] - 1.0).abs() < 1e-8 && (found.x[1] - 1.0).abs() < 1e-8, "{:?}", found.x);
        let Ok(bounded) = minimise(&mut Function(valley), vec![-1.2, 1.0], &[[-2.0, 0.5], OPEN], (200, 1e-25));
        assert!((bounded.x[0] - 0.5).abs() < 1e-12 && (bounded.x[1] - 0.25).abs() < 1e-7, "{:?}", bounded.x);
        assert_eq!(bounded.held, [true, false]);
    }

    /// A line through points: the closed form of linear least squares.
    #[test]
    fn a_linear_problem_has_its_closed_form() {
        let (times, values) = ([0.0, 1.0, 2.0, 3.0, 5.0], [1.1, 2.9, 5.2, 6.8, 11.1]);
        let line = |x: &[f64]| {
            let residuals = times.iter().zip(values).map(|(t, y)| x[0] + x[1] * t - y).collect();
            (residuals, Mat::from_fn(5, 2, |i, j| if j == 0 { 1.0 } else { times[i] }))
        };
        let Ok(found) = minimise(&mut Function(line), vec![0.0, 0.0], &[OPEN, OPEN], (100, 1e-25));
        let n = times.len() as f64;
        let (mean_t, mean_y) = (times.iter().sum::<f64>() / n, values.iter().sum::<f64>() / n);
        let (sty, stt) = times
            .iter()
            .zip(values)
            .fold((0.0, 0.0), |(a, b), (t, y)| (a + (t - mean_t) * (y - mean_y), b + (t - mean_t) * (t - mean_t)));
        let slope = sty / stt;
        assert!((found.x[1] - slope).abs() < 1e-9 && (found.x[0] - (mean_y - slope * mean_t)).abs() < 1e-9);
    }
}
