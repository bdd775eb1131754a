//! A step of an explicit Runge-Kutta scheme.

use super::equations::Equations;
use super::error::Failure;
use super::integrator::Attempt;
use super::tableau::Tableau;

/// Fills `trial`, `error` and, where there is a second estimate, `coarse`.
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
        work.stage.copy_from_slice(step.y);
        for (j, a) in tableau.a[s].iter().enumerate().filter(|(_, a)| **a != 0.0) {
            for (x, r) in work.stage.iter_mut().zip(&work.rates[j * n..(j + 1) * n]) {
                *x += h * a * r;
            }
        }
        if s > 0 {
            equations.project(&mut work.stage);
        }
        step.statistics.evaluations += 1;
        equations.rates(step.time + tableau.c[s] * h, &work.stage, &mut work.rates[s * n..(s + 1) * n])?;
    }
    // y + h Σ b r, h Σ (b - b̂) r
    let (trial, error) = (&mut work.trial[..n], &mut work.error[..n]);
    trial.fill(0.0);
    error.fill(0.0);
    for (s, rates) in work.rates.chunks_exact(n.max(1)).enumerate().take(tableau.stages) {
        let (b, e) = (tableau.b[s], tableau.error[s]);
        for ((change, error), r) in trial.iter_mut().zip(error.iter_mut()).zip(rates) {
            *change += b * r;
            *error += e * r;
        }
    }
    for ((trial, error), y) in trial.iter_mut().zip(error.iter_mut()).zip(step.y.iter()) {
        *trial = y + h * *trial;
        *error *= h;
    }
    if !tableau.coarse.is_empty() {
        work.coarse.fill(0.0);
        for (e, rates) in tableau.coarse.iter().zip(work.rates.chunks_exact(n.max(1))) {
            work.coarse.iter_mut().zip(rates).for_each(|(error, r)| *error += h * e * r);
        }
    }
    Ok(())
}
