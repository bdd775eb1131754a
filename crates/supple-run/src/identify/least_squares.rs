//! Nonlinear least squares within bounds, by Levenberg's and Marquardt's method.
//!
//! Minimises `½ |r(x)|²` for `lower ≤ x ≤ upper`. A step solves
//!
//! ```text
//! min |J δ + r|² + μ |D δ|²
//! ```
//!
//! over the variables that are free, with `D` the greatest norms of the columns of `J` so far (Moré 1978); variables that stand at a bound and would leave it
//! are held, and a step that crosses a bound ends there. `μ` follows how much of the decrease that the linear model promises comes true (Nielsen 1999).
//! `J = Q R` is factored once, so that each `μ` costs only a small dense problem.

use faer::linalg::solvers::SolveLstsq;
use faer::{Mat, MatRef};

/// Decrease of the sum of squares, relative to it, below which nothing is gained any more.
const ENOUGH: f64 = 1e-12;
/// Cosine between residuals and columns of the Jacobian below which they count as orthogonal.
const ORTHOGONAL: f64 = 1e-9;
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

/// Searches from `x`, which lies within its bounds.
///
/// # Errors
/// What keeps the residuals from being computed at the start, or an error that ends the search.
pub fn minimise<E>(
    problem: &mut dyn Residuals<E>,
    mut x: Vec<f64>,
    bounds: &[[f64; 2]],
    most: usize,
) -> Result<Minimum, E> {
    let mut at = problem.evaluate(&x, true)?;
    let mut sizes = vec![0.0; x.len()];
    let (mut mu, mut growth, mut rejected) = (1e-3, 2.0, 0);
    let mut iterations = 0;
    problem.step(0, at.squares());
    loop {
        let local = Local::new(&x, &at, bounds, &mut sizes);
        let finished = local.is_minimum();
        if finished || iterations >= most || rejected >= MOST_REJECTED {
            let held = local.held.clone();
            return Ok(Minimum { x, at, held, converged: finished || rejected >= MOST_REJECTED });
        }
        let (step, promised) = local.step(mu, &x, bounds);
        let squares = at.squares();
        if promised <= ENOUGH * squares {
            let held = local.held.clone();
            return Ok(Minimum { x, at, held, converged: true });
        }
        let there: Vec<f64> = x.iter().zip(&step).zip(bounds).map(|((x, d), [a, b])| (x + d).clamp(*a, *b)).collect();
        let tried = match problem.evaluate(&there, false) {
            Ok(tried) => Some(tried).filter(|tried| tried.squares().is_finite()),
            Err(error) if problem.ends(&error) => return Err(error),
            Err(_) => None,
        };
        let gain = tried.map_or(-1.0, |tried| (squares - tried.squares()) / promised);
        if gain > 1e-4 {
            at = problem.evaluate(&there, true)?;
            x = there;
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

    /// The step for a `μ`, cut at the bounds, and by how much it would reduce the sum of squares.
    fn step(&self, mu: f64, x: &[f64], bounds: &[[f64; 2]]) -> (Vec<f64>, f64) {
        let n = self.free.len();
        let rows = self.triangle.nrows();
        let size = |j: usize| if self.sizes[self.free[j]] > 0.0 { self.sizes[self.free[j]] } else { 1.0 };
        let stacked = Mat::from_fn(rows + n, n, |i, j| match i {
            i if i < rows => self.triangle[(i, j)],
            i if i - rows == j => mu.sqrt() * size(j),
            _ => 0.0,
        });
        let right = Mat::from_fn(rows + n, 1, |i, _| if i < rows { -self.projected[(i, 0)] } else { 0.0 });
        let solved = stacked.qr().solve_lstsq(&right);
        let mut step = vec![0.0; x.len()];
        for (j, &at) in self.free.iter().enumerate() {
            let [lower, upper] = bounds[at];
            step[at] = (x[at] + solved[(j, 0)]).clamp(lower, upper) - x[at];
        }
        // |r|² - |r + J δ|², by the triangle.
        let moved: f64 = (0..rows)
            .map(|i| {
                let change: f64 = (0..n).map(|j| self.triangle[(i, j)] * step[self.free[j]]).sum();
                let before = self.projected[(i, 0)];
                before * before - (before + change).powi(2)
            })
            .sum();
        (step, moved)
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
        let Ok(found) = minimise(&mut Function(valley), vec![-1.2, 1.0], &[OPEN, OPEN], 200);
        assert!(found.converged && (found.x[0] - 1.0).abs() < 1e-8 && (found.x[1] - 1.0).abs() < 1e-8, "{:?}", found.x);
        let Ok(bounded) = minimise(&mut Function(valley), vec![-1.2, 1.0], &[[-2.0, 0.5], OPEN], 200);
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
        let Ok(found) = minimise(&mut Function(line), vec![0.0, 0.0], &[OPEN, OPEN], 100);
        let n = times.len() as f64;
        let (mean_t, mean_y) = (times.iter().sum::<f64>() / n, values.iter().sum::<f64>() / n);
        let (sty, stt) = times.iter().zip(values).fold((0.0, 0.0), |(a, b), (t, y)| {
            (a + (t - mean_t) * (y - mean_y), b + (t - mean_t) * (t - mean_t))
        });
        let slope = sty / stt;
        assert!((found.x[1] - slope).abs() < 1e-9 && (found.x[0] - (mean_y - slope * mean_t)).abs() < 1e-9);
    }
}
