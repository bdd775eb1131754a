//! Adams methods of order 1 to 12 with unequal steps: predict, evaluate, correct, evaluate.
//!
//! Formulas as in Hairer, Nørsett and Wanner, *Solving Ordinary Differential Equations I*, III.5; choice of order and step in the manner of
//! Shampine and Gordon. The predictor has order `k`; the corrector has order `k + 1`, and the error is that of the formula of order `k`.

use crate::adams_coefficients::{Coefficients, KEPT, ORDERS, within};
use crate::budget::{After, Budget};
use supple::DynamicsError;
use supple::integrate::{Equations, IntegrationError, Statistics, Tolerance};

/// An integration by Adams methods.
#[derive(Clone, Debug)]
pub(crate) struct Adams {
    tolerance: Tolerance,
    pub time: f64,
    pub y: Vec<f64>,
    /// Nodes, the latest first; empty before the first evaluation.
    nodes: Vec<f64>,
    /// `Φ_j` at the latest node, as many as nodes.
    differences: Vec<Vec<f64>>,
    order: usize,
    /// Order of the last step.
    used: usize,
    step: f64,
    /// Order and step still rise with every step.
    starting: bool,
    predicted: Vec<f64>,
    projected: Vec<f64>,
    /// `Φ_j` at the next node, with predicted rates and then with corrected ones.
    next: Vec<Vec<f64>>,
}

/// Why a step came to nothing.
enum Refusal {
    Dynamics(DynamicsError),
    NotFinite(usize),
    Error,
}

/// Scaled errors of formulas of order `k`, `k - 1`, `k - 2`; zero where there is none.
type Errors = [f64; 3];

impl Adams {
    pub fn new(tolerance: Tolerance, time: f64, y: Vec<f64>) -> Self {
        let zeros = || vec![vec![0.0; y.len()]; KEPT];
        let (differences, next, predicted, projected) = (zeros(), zeros(), y.clone(), y.clone());
        let (order, used, step, starting) = (1, 1, 0.0, true);
        Self {
            tolerance,
            time,
            y,
            nodes: Vec::new(),
            differences,
            order,
            used,
            step,
            starting,
            predicted,
            projected,
            next,
        }
    }

    /// Forgets the steps behind.
    pub fn restart(&mut self) {
        self.nodes.clear();
    }

    /// Goes on from `y` at `time`.
    pub fn set(&mut self, time: f64, y: &[f64]) {
        self.time = time;
        self.y.copy_from_slice(y);
        self.restart();
    }

    /// Integrates to `end`, or until `after` breaks.
    pub fn advance(
        &mut self,
        equations: &mut impl Equations,
        end: f64,
        (budget, statistics): (&Budget, &mut Statistics),
        after: &mut After<'_>,
    ) -> Result<(), IntegrationError> {
        while self.time < end {
            self.step(equations, end, budget, statistics)?;
            let sample = |time: f64, y: &mut [f64]| {
                self.sample(time, y);
                equations.project(y);
            };
            if after(self.time, statistics, &sample).is_break() {
                break;
            }
        }
        Ok(())
    }

    /// One accepted step towards `end`, and not beyond it.
    fn step(
        &mut self,
        equations: &mut impl Equations,
        end: f64,
        budget: &Budget,
        statistics: &mut Statistics,
    ) -> Result<(), IntegrationError> {
        if self.nodes.is_empty() {
            self.begin(equations, statistics)?;
        }
        let mut failures = 0;
        loop {
            budget.check(self.time, statistics)?;
            let left = end - self.time;
            let step = self.step.min(budget.limits.greatest_step);
            // The last two steps share what is left.
            let h = if step >= left { left } else { step.min(if 2.0 * step > left { 0.5 * left } else { step }) };
            let reached = if h == left { end } else { self.time + h };
            let h = reached - self.time;
            let refusal = match self.attempt(equations, reached, h, statistics) {
                Ok(()) => {
                    statistics.accepted += 1;
                    return Ok(());
                }
                Err(refusal) => refusal,
            };
            statistics.rejected += 1;
            failures += 1;
            self.starting = false;
            // The differences may be of another motion altogether.
            if failures > 2 {
                self.order = 1;
            }
            self.step = h * if matches!(refusal, Refusal::Error) { 0.5 } else { 0.1 };
            if self.step <= budget.least_step(self.time) {
                let (time, step) = (self.time, self.step);
                return Err(match refusal {
                    Refusal::Dynamics(source) => IntegrationError::Dynamics { time, source },
                    Refusal::NotFinite(index) => IntegrationError::NotFinite { time, index },
                    Refusal::Error => IntegrationError::StepUnderflow { time, step },
                });
            }
        }
    }

    /// Tries a step; accepts it where its error allows.
    fn attempt(
        &mut self,
        equations: &mut impl Equations,
        reached: f64,
        h: f64,
        statistics: &mut Statistics,
    ) -> Result<(), Refusal> {
        let (k, coefficients) = (self.order, Coefficients::new(&self.nodes, h));
        let Coefficients { growth, weights } = coefficients;
        // p = y + h Σ_{j<k} g_j β_j Φ_j
        self.predicted.copy_from_slice(&self.y);
        for j in (0..k).rev() {
            add(&mut self.predicted, h * weights[j] * growth[j], &self.differences[j]);
        }
        self.evaluate(equations, reached, statistics)?;
        self.difference(&growth, k);
        let errors: Errors = std::array::from_fn(|i| if k > i { self.error(&coefficients, h, k - i) } else { 0.0 });
        let lower = match k {
            1 => false,
            2 => errors[1] <= 0.5 * errors[0],
            _ => errors[1].max(errors[2]) <= errors[0],
        };
        if errors[0].is_nan() || errors[0] > 1.0 {
            self.order -= usize::from(lower);
            return Err(Refusal::Error);
        }
        // y = p + h g_k Φ_k(n+1), with the predicted rates
        add(&mut self.predicted, h * weights[k], &self.next[k]);
        if let Some(index) = self.predicted.iter().position(|x| !x.is_finite()) {
            return Err(Refusal::NotFinite(index));
        }
        equations.project(&mut self.predicted);
        self.evaluate(equations, reached, statistics)?;
        self.difference(&growth, self.nodes.len().min(KEPT - 1));
        self.accept(reached);
        self.choose(&coefficients, h, errors, lower);
        Ok(())
    }

    /// Rates at the state predicted or corrected, brought back onto its manifold: a long step predicts quaternions that are none.
    fn evaluate(
        &mut self,
        equations: &mut impl Equations,
        reached: f64,
        statistics: &mut Statistics,
    ) -> Result<(), Refusal> {
        statistics.evaluations += 1;
        self.projected.copy_from_slice(&self.predicted);
        equations.project(&mut self.projected);
        equations.rates(reached, &self.projected, &mut self.next[0]).map_err(Refusal::Dynamics)?;
        match self.next[0].iter().position(|x| !x.is_finite()) {
            Some(index) => Err(Refusal::NotFinite(index)),
            None => Ok(()),
        }
    }

    /// `Φ_{j+1}(n+1) = Φ_j(n+1) - β_j Φ_j(n)` up to `Φ_last`.
    fn difference(&mut self, growth: &[f64; KEPT], last: usize) {
        for j in 0..last {
            let (below, above) = self.next.split_at_mut(j + 1);
            let pairs = below[j].iter().zip(&self.differences[j]);
            above[0].iter_mut().zip(pairs).for_each(|(out, (new, old))| *out = new - growth[j] * old);
        }
    }

    /// Makes the state corrected the present one.
    fn accept(&mut self, reached: f64) {
        self.used = self.order;
        self.time = reached;
        std::mem::swap(&mut self.y, &mut self.predicted);
        std::mem::swap(&mut self.differences, &mut self.next);
        self.nodes.insert(0, reached);
        self.nodes.truncate(KEPT);
    }

    /// Order and size of the next step, after one of `h` was accepted.
    fn choose(&mut self, coefficients: &Coefficients, h: f64, errors: Errors, lower: bool) {
        let k = self.order;
        let mut error = errors[0];
        if lower || k == ORDERS {
            self.starting = false;
        }
        if self.starting {
            self.order += 1;
            self.step = 2.0 * h;
            return;
        }
        if lower {
            self.order -= 1;
            error = errors[1];
        } else if k < ORDERS && self.nodes.len() > k + 1 {
            let above = (h * coefficients.missing(k + 1)).abs() * self.norm(&self.differences[k + 1]);
            let raise = if k == 1 { above < 0.5 * error } else { above < error && error < errors[1] };
            if raise {
                self.order += 1;
                error = above;
            }
        }
        // Half of the error allowed is aimed at; small changes are not worth a new formula.
        let factor = (0.5 / error).powf(1.0 / (self.order as f64 + 1.0));
        self.step = h * match factor {
            f if f >= 2.0 => 2.0,
            f if f >= 1.1 => f,
            f if f >= 1.0 => 1.0,
            f => f.clamp(0.5, 0.9),
        };
    }

    /// Scaled error of the formula of order `j`: `h (g_j - g_{j-1}) Φ_j(n+1)`.
    fn error(&self, coefficients: &Coefficients, h: f64, j: usize) -> f64 {
        (h * coefficients.missing(j)).abs() * self.norm(&self.next[j])
    }

    /// Root of the mean square of `x`, each scaled by what is allowed to err.
    fn norm(&self, x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for ((x, y), p) in x.iter().zip(&self.y).zip(&self.predicted) {
            let scale = self.tolerance.absolute + self.tolerance.relative * y.abs().max(p.abs());
            sum += (x / scale.max(f64::MIN_POSITIVE)).powi(2);
        }
        (sum / x.len().max(1) as f64).sqrt()
    }

    /// First rates, and a first step that changes little in them.
    fn begin(&mut self, equations: &mut impl Equations, statistics: &mut Statistics) -> Result<(), IntegrationError> {
        let time = self.time;
        let failed = |refusal| match refusal {
            Refusal::Dynamics(source) => IntegrationError::Dynamics { time, source },
            Refusal::NotFinite(index) => IntegrationError::NotFinite { time, index },
            Refusal::Error => IntegrationError::StepUnderflow { time, step: 0.0 },
        };
        self.predicted.copy_from_slice(&self.y);
        self.evaluate(equations, time, statistics).map_err(failed)?;
        std::mem::swap(&mut self.differences, &mut self.next);
        let (size, rate) = (self.norm(&self.y), self.norm(&self.differences[0]));
        let try_out = if size > 1e-5 && rate > 1e-5 { 0.01 * size / rate } else { 1e-6 };
        add(&mut self.predicted, try_out, &self.differences[0]);
        // Where the equations cannot be evaluated there, the first step is as short as the trial.
        let bend = match self.evaluate(equations, time + try_out, statistics) {
            Ok(()) => {
                self.predicted.copy_from_slice(&self.y);
                add(&mut self.next[0], -1.0, &self.differences[0]);
                self.norm(&self.next[0]) / try_out
            }
            Err(_) => f64::INFINITY,
        };
        let least_curved = (0.01 / rate.max(bend)).sqrt();
        self.step =
            if least_curved.is_finite() && least_curved > 0.0 { least_curved.min(100.0 * try_out) } else { try_out };
        (self.order, self.starting) = (1, true);
        self.nodes.push(time);
        Ok(())
    }

    /// The state at a time within the last step.
    fn sample(&self, time: f64, y: &mut [f64]) {
        y.copy_from_slice(&self.y);
        let h = time - self.time;
        let w = within(&self.nodes, h);
        for j in (0..=self.used.min(self.nodes.len() - 1)).rev() {
            add(y, h * w[j], &self.differences[j]);
        }
    }
}

fn add(to: &mut [f64], factor: f64, x: &[f64]) {
    to.iter_mut().zip(x).for_each(|(to, x)| *to += factor * x);
}
