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
        weighted_sum(Some(step.y), h, tableau.a[s], &work.rates, &mut work.stage);
        if s > 0 {
            equations.project(&mut work.stage);
        }
        step.statistics.evaluations += 1;
        equations.rates(step.time + tableau.c[s] * h, &work.stage, &mut work.rates[s * n..(s + 1) * n])?;
    }
    // y + h Σ b r, summed first: the state then rounds but once
    weighted_sum(None, 1.0, tableau.b, &work.rates, &mut work.trial);
    work.trial.iter_mut().zip(step.y.iter()).for_each(|(change, y)| *change = y + h * *change);
    // h Σ (b - b̂) r
    for (weights, error) in [(tableau.error, &mut work.error), (tableau.coarse, &mut work.coarse)] {
        if weights.iter().any(|e| *e != 0.0) {
            weighted_sum(None, h, weights, &work.rates, error);
        }
    }
    Ok(())
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
