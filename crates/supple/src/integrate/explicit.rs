//! A step of an explicit Runge-Kutta scheme.

use super::equations::Equations;
use super::error::Failure;
use super::integrator::Attempt;
use super::tableau::Tableau;

/// Fills `trial` and `error`.
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
    for i in 0..n {
        let (mut change, mut error) = (0.0, 0.0);
        for s in 0..tableau.stages {
            let r = work.rates[s * n + i];
            change += tableau.b[s] * r;
            error += tableau.error[s] * r;
        }
        work.trial[i] = step.y[i] + h * change;
        work.error[i] = h * error;
    }
    Ok(())
}
