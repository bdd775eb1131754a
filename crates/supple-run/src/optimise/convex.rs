//! The convex problem about a move: efforts and displacements linear in the changes of its knots, solved by Clarabel.
//!
//! ```text
//! min  mean ((τ + G δ) / τ₀)² + ρ s + ε |δ / a₀|²
//!      position and speed at the end                     equal
//!      |speed|, |acceleration|, |jerk|                   within their limits
//!      |τ + G δ|, |its rate|                             within their limits times (1 + s)
//!      |d + D δ|                                         within the residual vibration allowed times (1 + s)
//!      |δ| ≤ Δ a₀,   s ≥ 0
//! ```

use clarabel::algebra::CscMatrix;
use clarabel::solver::{DefaultSettings, DefaultSolver, IPSolver, SolverStatus, SupportedConeT};
use faer::Mat;
use supple_io::optimisation_file::Optimisation;

use super::plan::Plan;
use super::rehearsal::Played;

/// What a relative violation costs, in units of the effort.
pub const PENALTY: f64 = 1e3;
/// Weight of the changes, which makes them unique.
const EPSILON: f64 = 1e-7;

/// A problem about a point.
pub struct Local<'l> {
    pub problem: &'l Optimisation,
    pub plans: &'l [Plan],
    pub played: &'l Played,
    /// Distances to go.
    pub distances: &'l [f64],
    /// Units of efforts, one per hinge, and of accelerations.
    pub units: (&'l [f64], f64),
    /// Times between samples of efforts.
    pub sample_step: f64,
}

/// Rows `a·x + slack = b` of a problem.
#[derive(Default)]
struct Rows {
    /// Entries by column.
    columns: Vec<Vec<(usize, f64)>>,
    right: Vec<f64>,
}

impl Rows {
    /// Adds a row; entries by column.
    fn add(&mut self, entries: impl IntoIterator<Item = (usize, f64)>, right: f64) {
        let row = self.right.len();
        entries.into_iter().filter(|(_, x)| *x != 0.0).for_each(|(column, x)| self.columns[column].push((row, x)));
        self.right.push(right);
    }

    /// Adds `|value + Σ entries| ≤ limit + limit · slack`.
    fn add_limit(&mut self, entries: &[(usize, f64)], value: f64, limit: f64, slack: Option<usize>) {
        if limit.is_infinite() {
            return;
        }
        // In units of the limit, so that all rows weigh the same.
        for sign in [1.0, -1.0] {
            let soft = slack.map(|s| (s, -1.0));
            let scaled = entries.iter().map(|(j, x)| (*j, sign * x / limit)).chain(soft);
            self.add(scaled, 1.0 - sign * value / limit);
        }
    }

    fn matrix(&self) -> CscMatrix<f64> {
        let mut starts = vec![0];
        let (mut places, mut values) = (Vec::new(), Vec::new());
        for column in &self.columns {
            places.extend(column.iter().map(|entry| entry.0));
            values.extend(column.iter().map(|entry| entry.1));
            starts.push(places.len());
        }
        CscMatrix::new(self.right.len(), self.columns.len(), starts, places, values)
    }
}

impl Local<'_> {
    fn knots(&self) -> usize {
        self.plans[0].inner.len()
    }

    fn variables(&self) -> usize {
        self.knots() * self.plans.len()
    }

    /// Changes of all knots within a trust region of `trust` units, and the relative violation that is left; none where the solver fails.
    pub fn solve(&self, trust: f64) -> Option<(Vec<f64>, f64)> {
        let n = self.variables();
        let mut rows = Rows { columns: vec![Vec::new(); n + 1], right: Vec::new() };
        self.add_ends(&mut rows);
        let equalities = rows.right.len();
        self.add_motion_limits(&mut rows);
        self.add_effort_limits(&mut rows);
        let unit = self.units.1;
        (0..n).for_each(|j| rows.add_limit(&[(j, 1.0)], 0.0, trust * unit, None));
        rows.add([(n, -1.0)], 0.0);
        let inequalities = rows.right.len() - equalities;
        let cones = self.add_cones(&mut rows);
        let mut all = vec![SupportedConeT::ZeroConeT(equalities), SupportedConeT::NonnegativeConeT(inequalities)];
        all.extend(std::iter::repeat_n(SupportedConeT::SecondOrderConeT(4), cones));
        let (quadratic, linear) = self.objective();
        let settings = DefaultSettings { verbose: false, ..DefaultSettings::default() };
        let mut solver = DefaultSolver::new(&quadratic, &linear, &rows.matrix(), &rows.right, &all, settings).ok()?;
        solver.solve();
        let solved = matches!(solver.solution.status, SolverStatus::Solved | SolverStatus::AlmostSolved);
        solved.then(|| (solver.solution.x[..n].to_vec(), solver.solution.x[n].max(0.0)))
    }

    /// Every hinge ends where it is to be, at rest.
    fn add_ends(&self, rows: &mut Rows) {
        let k = self.knots();
        for (h, plan) in self.plans.iter().enumerate() {
            let (last, units) = (plan.pieces(), (0..k).map(|j| plan.unit(j).places()).collect::<Vec<_>>());
            let end = plan.places()[last];
            let t = plan.duration;
            rows.add(
                (0..k).map(|j| (h * k + j, units[j][last].position / (t * t))),
                (self.distances[h] - end.position) / (t * t),
            );
            rows.add((0..k).map(|j| (h * k + j, units[j][last].speed / t)), -end.speed / t);
        }
    }

    fn add_motion_limits(&self, rows: &mut Rows) {
        let k = self.knots();
        for (h, (plan, told)) in self.plans.iter().zip(&self.problem.moves).enumerate() {
            let (places, step) = (plan.places(), plan.step());
            let at = |j: usize| (1..=k).contains(&j).then(|| h * k + j - 1);
            for j in 1..=k {
                rows.add_limit(&[(h * k + j - 1, 1.0)], plan.knot(j), told.acceleration, None);
                // Speed at knot j by all knots up to it: trapezoids.
                let entries: Vec<_> =
                    (1..=j).map(|i| (h * k + i - 1, if i == j { 0.5 * step } else { step })).collect();
                rows.add_limit(&entries, places[j].speed, told.speed, None);
            }
            for j in 0..=k {
                let entries: Vec<_> = [(at(j + 1), 1.0 / step), (at(j), -1.0 / step)]
                    .into_iter()
                    .filter_map(|(at, x)| Some((at?, x)))
                    .collect();
                rows.add_limit(&entries, (plan.knot(j + 1) - plan.knot(j)) / step, told.jerk, None);
            }
        }
    }

    fn add_effort_limits(&self, rows: &mut Rows) {
        let (n, hinges) = (self.variables(), self.plans.len());
        let slopes = &self.played.effort_slopes;
        for (sample, efforts) in self.played.efforts.iter().enumerate() {
            for (h, told) in self.problem.moves.iter().enumerate() {
                let row = |sample: usize| (0..n).map(move |j| (j, slopes[(sample * hinges + h, j)]));
                rows.add_limit(&row(sample).collect::<Vec<_>>(), efforts[h], told.effort, Some(n));
                if sample > 0 && told.effort_rate.is_finite() {
                    let rate = |now: f64, before: f64| (now - before) / self.sample_step;
                    let entries: Vec<_> = row(sample)
                        .zip(row(sample - 1))
                        .map(|((j, now), (_, before))| (j, rate(now, before)))
                        .collect();
                    let value = rate(efforts[h], self.played.efforts[sample - 1][h]);
                    rows.add_limit(&entries, value, told.effort_rate, Some(n));
                }
            }
        }
    }

    /// Distances of nodes after the move: `(1 + s, (d + D δ) / limit)` in a cone for each; how many.
    fn add_cones(&self, rows: &mut Rows) -> usize {
        let n = self.variables();
        let mut cones = 0;
        let nodes = self.problem.residuals.len();
        for (sample, displacements) in self.played.displacements.iter().enumerate() {
            for (node, limit) in self.problem.residuals.iter().enumerate() {
                rows.add([(n, -1.0)], 1.0);
                for i in 0..3 {
                    let row = (sample * nodes + node) * 3 + i;
                    let entries = (0..n).map(|j| (j, -self.played.displacement_slopes[(row, j)] / limit.amplitude));
                    rows.add(entries, displacements[node][i] / limit.amplitude);
                }
                cones += 1;
            }
        }
        cones
    }

    /// `½ x* P x + q* x`; the upper triangle of `P`.
    fn objective(&self) -> (CscMatrix<f64>, Vec<f64>) {
        let (n, hinges) = (self.variables(), self.plans.len());
        let (efforts, unit) = self.units;
        let slopes = &self.played.effort_slopes;
        let rows = slopes.nrows();
        let weight = 2.0 / rows as f64;
        let scaled = Mat::from_fn(rows, n, |i, j| slopes[(i, j)] / efforts[i % hinges]);
        let square = scaled.transpose() * &scaled;
        let mut q = vec![0.0; n + 1];
        for (j, q) in q.iter_mut().take(n).enumerate() {
            let of = |i: usize| self.played.efforts[i / hinges][i % hinges] / efforts[i % hinges];
            *q = weight * (0..rows).map(|i| scaled[(i, j)] * of(i)).sum::<f64>();
        }
        q[n] = PENALTY;
        let (mut starts, mut places, mut values) = (vec![0], Vec::new(), Vec::new());
        for j in 0..n {
            for i in 0..=j {
                let own = if i == j { EPSILON / (unit * unit) } else { 0.0 };
                places.push(i);
                values.push(weight * square[(i, j)] + own);
            }
            starts.push(places.len());
        }
        starts.push(places.len());
        (CscMatrix::new(n + 1, n + 1, starts, places, values), q)
    }
}
