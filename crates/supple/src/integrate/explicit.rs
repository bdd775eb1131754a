//! A step of an explicit Runge-Kutta scheme.

use super::equations::Equations;
use super::error::Failure;
use super::integrator::Attempt;
use super::tableau::Tableau;

/// Fills `trial`, and `error` and `coarse` where the scheme has estimates.
pub(super) fn attempt(
    step: &mut Attempt<'_>,
    equations: &mut impl Equations,
    tableau: &Tableau,
) -> Result<(), Failure> {
    let (n, h, work) = (step.y.len(), step.h, &mut *step.work);
    for s in 0..tableau.stages {
        if s == 0 && !step.fresh {
            continue;
        }
        // y + h Σ a r
        work.stage.copy_from_slice(step.y);
        add_weighted(h, tableau.a[s], &work.rates, &mut work.stage);
        if s > 0 {
            equations.project(&mut work.stage);
        }
        step.statistics.evaluations += 1;
        equations.rates(step.time + tableau.c[s] * h, &work.stage, &mut work.rates[s * n..(s + 1) * n])?;
    }
    // y + h Σ b r, summed first: the state then rounds but once
    work.trial.fill(0.0);
    add_weighted(1.0, tableau.b, &work.rates, &mut work.trial);
    work.trial.iter_mut().zip(step.y.iter()).for_each(|(change, y)| *change = y + h * *change);
    // h Σ (b - b̂) r
    for (weights, error) in [(tableau.error, &mut work.error), (tableau.coarse, &mut work.coarse)] {
        if weights.iter().any(|e| *e != 0.0) {
            error.fill(0.0);
            add_weighted(h, weights, &work.rates, error);
        }
    }
    Ok(())
}

/// `out ← out + h Σ w r`.
fn add_weighted(h: f64, weights: &[f64], rates: &[f64], out: &mut [f64]) {
    for (w, r) in weights.iter().zip(rates.chunks_exact(out.len().max(1))) {
        if *w != 0.0 {
            out.iter_mut().zip(r).for_each(|(x, r)| *x += h * w * r);
        }
    }
}
