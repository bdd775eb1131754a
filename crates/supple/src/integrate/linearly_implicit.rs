//! A step of the linearly implicit scheme: one factorisation, then a solution and an evaluation in each stage.
//!
//! With `Z = Y - y₀` of a stage and `A` frozen at the start of the step,
//!
//! ```text
//! (I - hγA) Z_i = h Σ_{j<i} [ aᴱ_ij f_j + (aᴵ_ij - aᴱ_ij) A Z_j ],    f_j = f(y₀ + Z_j),
//! ```
//!
//! and `A Z_i = (Z_i - right-hand side) / hγ` without another product. For mechanics the system is `M + hγC + (hγ)²K`, solved by the
//! articulated-body sweeps [S4].

use super::additive::{ESTIMATE, EXPLICIT, GAMMA, IMPLICIT, PLACES, STAGES, WEIGHTS};
use super::equations::Equations;
use super::error::Failure;
use super::integrator::Attempt;

/// Fills `trial` and `error`.
pub(super) fn attempt(step: &mut Attempt<'_>, equations: &mut impl Equations) -> Result<(), Failure> {
    let (n, h, work) = (step.y.len(), step.h, &mut *step.work);
    let s = GAMMA * h;
    if step.fresh {
        step.statistics.evaluations += 1;
        equations.rates(step.time, step.y, &mut work.rates[..n])?;
    }
    step.statistics.factorisations += 1;
    equations.freeze(step.y, s, s * s)?;
    for i in 1..STAGES {
        let (known, linear) = work.linear.split_at_mut(i * n);
        let (right, linear) = (&mut work.error, &mut linear[..n]);
        right.fill(0.0);
        for (j, (a, b)) in EXPLICIT[i].iter().zip(IMPLICIT[i]).enumerate() {
            let (explicit, implicit) = (h * a, h * (b - a));
            let (f, az) = (&work.rates[j * n..(j + 1) * n], &known[j * n..(j + 1) * n]);
            for k in 0..n {
                // The first stage has Z = 0.
                right[k] += explicit * f[k] + if j > 0 { implicit * az[k] } else { 0.0 };
            }
        }
        linear.copy_from_slice(right);
        step.statistics.solves += 1;
        equations.solve(s, linear);
        for k in 0..n {
            work.stage[k] = step.y[k] + linear[k];
            linear[k] = (linear[k] - right[k]) / s;
        }
        equations.project(&mut work.stage);
        step.statistics.evaluations += 1;
        equations.rates(step.time + PLACES[i] * h, &work.stage, &mut work.rates[i * n..(i + 1) * n])?;
    }
    for k in 0..n {
        let (mut change, mut error) = (0.0, 0.0);
        for i in 0..STAGES {
            let r = work.rates[i * n + k];
            change += WEIGHTS[i] * r;
            error += (WEIGHTS[i] - ESTIMATE[i]) * r;
        }
        work.trial[k] = step.y[k] + h * change;
        work.error[k] = h * error;
    }
    Ok(())
}
