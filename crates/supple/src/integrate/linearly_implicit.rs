//! The linearly implicit scheme: one factorisation, then a solution and an evaluation in each stage.
//!
//! With `Z = Y - y₀` of a stage and `A` frozen at the start of the step,
//!
//! ```text
//! (I - hγA) Z_i = h Σ_{j<i} [ aᴱ_ij f_j + (aᴵ_ij - aᴱ_ij) A Z_j ],    f_j = f(y₀ + Z_j),
//! ```
//!
//! and `A Z_i = (Z_i - right-hand side) / hγ` without another product. For mechanics the system is `M + hγC + (hγ)²K`, solved by the
//! articulated-body sweeps [S4].

use super::additive::{ESTIMATE, EXPLICIT, GAMMA, IMPLICIT, ORDER, PLACES, STAGES, WEIGHTS};
use super::equations::Equations;
use super::error::Failure;
use super::last_step::LastStep;
use super::stepper::{Attempt, Reached, Stepper};

/// Buffers of a step.
pub(super) struct LinearlyImplicit {
    stage: Vec<f64>,
    /// Rates of the stages, those of the start first, and `A Z` there.
    rates: Vec<f64>,
    linear: Vec<f64>,
    /// A right-hand side, and the error.
    error: Vec<f64>,
}

impl LinearlyImplicit {
    pub fn new(n: usize) -> Self {
        let zeros = |count: usize| vec![0.0; count];
        Self { stage: zeros(n), rates: zeros(n * STAGES), linear: zeros(n * STAGES), error: zeros(n) }
    }
}

impl Stepper for LinearlyImplicit {
    fn attempt(&mut self, step: &mut Attempt<'_>, equations: &mut dyn Equations) -> Result<f64, Failure> {
        let Self { stage, rates, linear, error, .. } = self;
        let (n, h) = (step.y.len(), step.h);
        let s = GAMMA * h;
        step.begin(equations)?;
        rates[..n].copy_from_slice(&step.start.rates);
        step.statistics.factorisations += 1;
        equations.freeze(step.y, s, s * s)?;
        for i in 1..STAGES {
            let (known, linear) = linear.split_at_mut(i * n);
            let (right, linear) = (&mut *error, &mut linear[..n]);
            right.fill(0.0);
            for (j, (a, b)) in EXPLICIT[i].iter().zip(IMPLICIT[i]).enumerate() {
                let (explicit, implicit) = (h * a, h * (b - a));
                let (f, az) = (&rates[j * n..(j + 1) * n], &known[j * n..(j + 1) * n]);
                for k in 0..n {
                    // The first stage has Z = 0.
                    right[k] += explicit * f[k] + if j > 0 { implicit * az[k] } else { 0.0 };
                }
            }
            linear.copy_from_slice(right);
            step.statistics.solves += 1;
            equations.solve(s, linear);
            for k in 0..n {
                stage[k] = step.y[k] + linear[k];
                linear[k] = (linear[k] - right[k]) / s;
            }
            equations.project(stage);
            step.rates(equations, step.time + PLACES[i] * h, stage, &mut rates[i * n..(i + 1) * n])?;
        }
        for k in 0..n {
            let (mut change, mut difference) = (0.0, 0.0);
            for i in 0..STAGES {
                let r = rates[i * n + k];
                change += WEIGHTS[i] * r;
                difference += (WEIGHTS[i] - ESTIMATE[i]) * r;
            }
            step.trial[k] = step.y[k] + h * change;
            error[k] = h * difference;
        }
        Ok(step.scaled(error))
    }

    fn accept(&mut self, _: &LastStep, _: &Reached<'_>) -> Option<&[f64]> {
        None
    }

    fn estimate_order(&self) -> f64 {
        f64::from(ORDER)
    }
}
