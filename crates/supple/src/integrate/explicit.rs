//! Explicit Runge-Kutta schemes.

use super::equations::Equations;
use super::error::Failure;
use super::last_step::LastStep;
use super::stepper::{Attempt, Reached, Stepper, worse};
use super::tableau::Tableau;

/// Weights of the rates in the quartic term of Dormand-Prince (Hairer, Nørsett and Wanner, II.6): a local error of `h⁵` within steps.
pub(super) const DORMAND_PRINCE_QUARTIC: [f64; 7] = [
    -12715105075.0 / 11282082432.0,
    0.0,
    87487479700.0 / 32700410799.0,
    -10690763975.0 / 1880347072.0,
    701980252875.0 / 199316789632.0,
    -1453857185.0 / 822651844.0,
    69997945.0 / 29380423.0,
];

/// A scheme by its tableau.
pub(super) struct Explicit {
    tableau: &'static Tableau,
    /// State of a stage.
    stage: Vec<f64>,
    /// Rates of all stages, those of the start first.
    rates: Vec<f64>,
    error: Vec<f64>,
    coarse: Vec<f64>,
    /// The quartic term of the last step, where the scheme has one.
    quartic: Option<Vec<f64>>,
}

impl Explicit {
    pub fn new(tableau: &'static Tableau, quartic: bool, n: usize) -> Self {
        let zeros = |count: usize| vec![0.0; count];
        Self {
            tableau,
            stage: zeros(n),
            rates: zeros(n * tableau.stages),
            error: zeros(n),
            coarse: zeros(if tableau.coarse.is_empty() { 0 } else { n }),
            quartic: quartic.then(|| zeros(n)),
        }
    }

    /// State and rates of the last stage.
    pub fn last_stage(&self) -> (&[f64], &[f64]) {
        (&self.stage, &self.rates[self.rates.len() - self.stage.len()..])
    }
}

impl Stepper for Explicit {
    fn attempt(&mut self, step: &mut Attempt<'_>, equations: &mut dyn Equations) -> Result<f64, Failure> {
        let Self { tableau, stage, rates, error, coarse, .. } = self;
        let (n, h) = (step.y.len(), step.h);
        step.begin(equations)?;
        rates[..n].copy_from_slice(&step.start.rates);
        for s in 1..tableau.stages {
            // y + h Σ a r
            weighted_sum(Some(step.y), h, tableau.a[s], rates, stage);
            equations.project(stage);
            step.rates(equations, step.time + tableau.c[s] * h, stage, &mut rates[s * n..(s + 1) * n])?;
        }
        // y + h Σ b r, summed first: the state then rounds but once
        weighted_sum(None, 1.0, tableau.b, rates, step.trial);
        step.trial.iter_mut().zip(step.y.iter()).for_each(|(change, y)| *change = y + h * *change);
        // h Σ (b - b̂) r
        if tableau.error.iter().all(|e| *e == 0.0) {
            return Ok(0.0);
        }
        weighted_sum(None, h, tableau.error, rates, error);
        let fine = step.scale.norms(step.y, step.trial, error);
        if tableau.coarse.is_empty() {
            return Ok(worse(fine[0], fine[1]));
        }
        weighted_sum(None, h, tableau.coarse, rates, coarse);
        let coarse = step.scale.norms(step.y, step.trial, coarse);
        let both = |error: f64, coarse: f64| match error {
            0.0 => 0.0,
            error => error / (1.0 + 0.01 * (coarse / error).powi(2)).sqrt(),
        };
        Ok(worse(both(fine[0], coarse[0]), both(fine[1], coarse[1])))
    }

    fn accept(&mut self, last: &LastStep, _: &Reached<'_>) -> Option<&[f64]> {
        let n = self.stage.len();
        if let Some(quartic) = &mut self.quartic {
            weighted_sum(None, last.h, &DORMAND_PRINCE_QUARTIC, &self.rates, quartic);
        }
        self.tableau.first_same_as_last.then(|| &self.rates[(self.tableau.stages - 1) * n..])
    }

    fn estimate_order(&self) -> f64 {
        f64::from(self.tableau.order)
    }

    fn ends_at_kinks(&self) -> bool {
        true
    }

    fn within(&mut self, x: f64, last: &LastStep, end: &[f64], _: &mut dyn Equations, out: &mut [f64]) -> bool {
        let Some(quartic) = &self.quartic else { return false };
        last.at(x, end, Some(quartic), out);
        true
    }
}

/// `out ← start + h Σ w r`; the first term comes with the start, in one pass.
fn weighted_sum(start: Option<&[f64]>, h: f64, weights: &[f64], rates: &[f64], out: &mut [f64]) {
    let rows = rates.chunks_exact(out.len().max(1));
    let mut terms = weights.iter().map(|w| h * w).zip(rows).filter(|(w, _)| *w != 0.0);
    match (start, terms.next()) {
        (Some(start), None) => out.copy_from_slice(start),
        (None, None) => out.fill(0.0),
        (Some(start), Some((w, r))) => {
            out.iter_mut().zip(start).zip(r).for_each(|((x, start), r)| *x = start + w * r);
        }
        (None, Some((w, r))) => out.iter_mut().zip(r).for_each(|(x, r)| *x = w * r),
    }
    for (w, r) in terms {
        out.iter_mut().zip(r).for_each(|(x, r)| *x += w * r);
    }
}
