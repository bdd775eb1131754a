//! Adams methods of order 1 to 12 with unequal steps: predict, evaluate, correct, evaluate.
//!
//! Formulas as in Hairer, Nørsett and Wanner, *Solving Ordinary Differential Equations I*, III.5; choice of order and step in the manner of
//! Shampine and Gordon. The predictor has order `k`; the corrector has order `k + 1`, and the error is that of the formula of order `k`.

use super::adams_coefficients::{Coefficients, KEPT, ORDERS, within};
use super::equations::Equations;
use super::error::Failure;
use super::last_step::LastStep;
use super::stepper::{Attempt, Reached, Stepper};

/// Steps may be this many times as long as the last.
const LONGEST: f64 = 2.0;

/// The last evaluations, as differences of their rates.
pub(super) struct Adams {
    /// Nodes, the latest first; empty before the first evaluation.
    nodes: Vec<f64>,
    /// `Φ_j` at the latest node, as many as nodes.
    differences: Vec<Vec<f64>>,
    /// `Φ_j` at the next node, with predicted rates and then with corrected ones; after a step, those before it.
    next: Vec<Vec<f64>>,
    choice: Choice,
    /// Order of the last step.
    used: usize,
    /// What the step tried last says about the next one.
    errors: Errors,
    /// Rejected steps in a row.
    failures: u32,
    /// To take the last step back: the choice before it, and the node that it pushed out.
    before: (Choice, Option<f64>),
    stage: Vec<f64>,
}

#[derive(Clone, Copy)]
struct Choice {
    order: usize,
    /// Order and step still rise with every step.
    starting: bool,
}

const FIRST: Choice = Choice { order: 1, starting: true };

/// Scaled errors.
#[derive(Clone, Copy, Default)]
struct Errors {
    /// Of the formulas of order `k`, `k - 1`, `k - 2`; zero where there is none.
    below: [f64; 3],
    /// Of the formula of order `k + 1`, where that can be told.
    above: Option<f64>,
    /// Whether a lower order would do better.
    lower: bool,
}

impl Adams {
    pub fn new(n: usize) -> Self {
        let zeros = || vec![vec![0.0; n]; KEPT];
        Self {
            nodes: Vec::with_capacity(KEPT + 1),
            differences: zeros(),
            next: zeros(),
            choice: FIRST,
            used: 1,
            errors: Errors::default(),
            failures: 0,
            before: (FIRST, None),
            stage: vec![0.0; n],
        }
    }

    /// Rates at the state predicted or corrected, brought back onto its manifold: a long step predicts quaternions that are none.
    fn evaluate(&mut self, step: &mut Attempt<'_>, equations: &mut dyn Equations) -> Result<(), Failure> {
        self.stage.copy_from_slice(step.trial);
        equations.project(&mut self.stage);
        step.rates(equations, step.time + step.h, &self.stage, &mut self.next[0])?;
        match self.next[0].iter().position(|x| !x.is_finite()) {
            Some(index) => Err(Failure::NotFinite(index)),
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
}

impl Stepper for Adams {
    fn attempt(&mut self, step: &mut Attempt<'_>, equations: &mut dyn Equations) -> Result<f64, Failure> {
        let fresh = step.start.fresh;
        step.begin(equations)?;
        if fresh || self.nodes.is_empty() {
            self.nodes.clear();
            self.nodes.push(step.time);
            self.differences[0].copy_from_slice(&step.start.rates);
            self.choice = FIRST;
        }
        let (h, k) = (step.h, self.choice.order);
        let coefficients = Coefficients::new(&self.nodes, h);
        let Coefficients { growth, weights } = &coefficients;
        // p = y + h Σ_{j<k} g_j β_j Φ_j
        step.trial.copy_from_slice(step.y);
        for j in (0..k).rev() {
            add(step.trial, h * weights[j] * growth[j], &self.differences[j]);
        }
        self.evaluate(step, equations)?;
        self.difference(growth, k);
        // Of the formula of order j: h (g_j - g_{j-1}) Φ_j(n+1)
        let error = |next: &[Vec<f64>], j: usize| (h * coefficients.missing(j)).abs() * step.scaled(&next[j]);
        let below: [f64; 3] = std::array::from_fn(|i| if k > i { error(&self.next, k - i) } else { 0.0 });
        let lower = match k {
            1 => false,
            2 => below[1] <= 0.5 * below[0],
            _ => below[1].max(below[2]) <= below[0],
        };
        self.errors = Errors { below, above: None, lower };
        if below[0].is_nan() || below[0] > 1.0 {
            return Err(Failure::ErrorTooLarge(below[0]));
        }
        // y = p + h g_k Φ_k(n+1), with the predicted rates
        add(step.trial, h * weights[k], &self.next[k]);
        if let Some(index) = step.trial.iter().position(|x| !x.is_finite()) {
            return Err(Failure::NotFinite(index));
        }
        self.evaluate(step, equations)?;
        self.difference(growth, self.nodes.len().min(KEPT - 1));
        if k < ORDERS && self.nodes.len() > k {
            self.errors.above = Some((h * coefficients.missing(k + 1)).abs() * step.scaled(&self.next[k + 1]));
        }
        Ok(below[0])
    }

    fn accept(&mut self, _: &LastStep, reached: &Reached<'_>) -> Option<&[f64]> {
        self.used = self.choice.order;
        self.failures = 0;
        std::mem::swap(&mut self.differences, &mut self.next);
        self.nodes.insert(0, reached.time);
        let dropped = if self.nodes.len() > KEPT { self.nodes.pop() } else { None };
        self.before = (self.choice, dropped);
        Some(&self.differences[0])
    }

    fn take_back(&mut self) {
        std::mem::swap(&mut self.differences, &mut self.next);
        self.nodes.remove(0);
        self.nodes.extend(self.before.1);
        self.choice = self.before.0;
    }

    fn restart(&mut self) {
        self.nodes.clear();
    }

    fn estimate_order(&self) -> f64 {
        self.choice.order as f64 + 1.0
    }

    fn next_step(&mut self, h: f64, _: f64, _: f64) -> f64 {
        let (k, Errors { below, above, lower }) = (self.choice.order, self.errors);
        let Choice { order, starting } = &mut self.choice;
        let mut error = below[0];
        *starting &= !(lower || k == ORDERS);
        if *starting {
            *order += 1;
            return 2.0 * h;
        }
        if lower {
            *order -= 1;
            error = below[1];
        } else if let Some(above) = above {
            let raise = if k == 1 { above < 0.5 * error } else { above < error && error < below[1] };
            if raise {
                *order += 1;
                error = above;
            }
        }
        // Half of the error allowed is aimed at; small changes are not worth a new formula.
        let factor = (0.5 / error).powf(1.0 / (*order as f64 + 1.0));
        h * match factor {
            f if f >= 2.0 => 2.0,
            f if f >= 1.1 => f,
            f if f >= 1.0 => 1.0,
            f => f.clamp(0.5, 0.9),
        }
    }

    fn shrink(&mut self, failure: &Failure) -> f64 {
        self.failures += 1;
        self.choice.starting = false;
        let Failure::ErrorTooLarge(error) = failure else { return 0.1 };
        if self.choice.order == 1 {
            return (0.25 / error).sqrt().clamp(1e-3, 0.5);
        }
        self.choice.order -= usize::from(self.errors.lower);
        // The differences may be of another motion altogether.
        if self.failures > 2 {
            self.choice.order = 1;
        }
        0.5
    }

    fn longest(&self) -> f64 {
        match self.nodes[..] {
            [now, before, ..] => LONGEST * (now - before),
            _ => f64::INFINITY,
        }
    }

    fn within(&mut self, x: f64, last: &LastStep, end: &[f64], _: &mut dyn Equations, out: &mut [f64]) -> bool {
        out.copy_from_slice(end);
        let h = (x - 1.0) * last.h;
        let weights = within(&self.nodes, h);
        for j in (0..=self.used.min(self.nodes.len() - 1)).rev() {
            add(out, h * weights[j], &self.differences[j]);
        }
        true
    }

    fn extends_by_rates(&self) -> bool {
        false
    }

    fn save(&self) -> Vec<f64> {
        let Choice { order, starting } = self.choice;
        let mut out =
            vec![self.nodes.len() as f64, order as f64, f64::from(u8::from(starting)), f64::from(self.failures)];
        out.extend(&self.nodes);
        out.resize(4 + KEPT, 0.0);
        out.extend(self.differences.iter().flatten());
        out
    }

    fn accepts(&self, from: &[f64]) -> bool {
        let whole = |x: f64, least: usize, most: usize| x.fract() == 0.0 && (least as f64..=most as f64).contains(&x);
        match from {
            [count, order, starting, failures, ..] => {
                from.len() == 4 + KEPT + KEPT * self.stage.len()
                    && whole(*count, 0, KEPT)
                    && whole(*order, 1, ORDERS.min(*count as usize).max(1))
                    && whole(*starting, 0, 1)
                    && whole(*failures, 0, u32::MAX as usize)
                    && from[4..4 + *count as usize].is_sorted_by(|a, b| a > b)
            }
            _ => false,
        }
    }

    fn load(&mut self, from: &[f64]) {
        if let [count, order, starting, failures, rest @ ..] = from {
            self.choice = Choice { order: *order as usize, starting: *starting != 0.0 };
            self.failures = *failures as u32;
            self.nodes.clear();
            self.nodes.extend(&rest[..*count as usize]);
            let n = self.stage.len().max(1);
            let rows = rest[KEPT..].chunks_exact(n);
            self.differences.iter_mut().zip(rows).for_each(|(to, from)| to.copy_from_slice(from));
        }
    }
}

fn add(to: &mut [f64], factor: f64, x: &[f64]) {
    to.iter_mut().zip(x).for_each(|(to, x)| *to += factor * x);
}
