//! A step of generalized-alpha on the manifold of the coordinates.
//!
//! With accelerations `v̇`, algorithmic accelerations `a` and `h` the step (Chung and Hulbert 1993; Brüls and Cardona 2010):
//!
//! ```text
//! (1 - α_m) a₁ + α_m a₀ = (1 - α_f) v̇₁ + α_f v̇₀
//! v₁ = v₀ + h ((1 - γ) a₀ + γ a₁)
//! q₁ = q₀ exp(h v₀ + h² ((½ - β) a₀ + β a₁))
//! v̇₁ = f(t₁, q₁, v₁)
//! ```
//!
//! `v̇₁` is found by a modified Newton iteration whose matrix is `M + hγ' C + h²β' K` with the modal stiffness and damping alone, at the start
//! of the step; `γ'` and `β'` are `γ` and `β` times `(1 - α_f)/(1 - α_m)`. Quantities that are neither coordinates nor speeds
//! follow the trapezoidal rule.

use super::equations::Equations;
use super::error::Failure;
use super::integrator::Attempt;

/// Corrections below this, relative to the speeds, end the iteration.
const CONVERGED: f64 = 1e-12;
/// Where rounding keeps the corrections from falling, they may end it below this.
const STALLED: f64 = 1e-9;
/// Rate at which coordinates count as moving, 1/s.
const AT_REST: f64 = 1e-3;
const ITERATIONS: u32 = 30;

/// The parameters for a spectral radius.
struct Parameters {
    alpha_m: f64,
    alpha_f: f64,
    gamma: f64,
    beta: f64,
}

impl Parameters {
    fn new(radius: f64) -> Self {
        let (alpha_m, alpha_f) = ((2.0 * radius - 1.0) / (radius + 1.0), radius / (radius + 1.0));
        let gamma = 0.5 + alpha_f - alpha_m;
        Self { alpha_m, alpha_f, gamma, beta: 0.25 * (gamma + 0.5).powi(2) }
    }
}

/// Fills `trial`, the rates at the end and the algorithmic accelerations there.
pub(super) fn attempt(step: &mut Attempt<'_>, equations: &mut impl Equations, radius: f64) -> Result<(), Failure> {
    let (n, h, work) = (step.y.len(), step.h, &mut *step.work);
    let speeds = equations.speeds();
    let Parameters { alpha_m, alpha_f, gamma, beta } = Parameters::new(radius);
    let [a_0, a_1] = work.algorithmic.each_mut().map(|a| &mut a[..n]);
    let (first, second) = work.rates[..2 * n].split_at_mut(n);
    if step.fresh {
        step.statistics.evaluations += 1;
        equations.rates(step.time, step.y, first)?;
        a_0.copy_from_slice(first);
    }
    // a₁ = share v̇₁ + first_share v̇₀ - algorithmic_share a₀
    let [share, first_share, algorithmic_share] = [1.0 - alpha_f, alpha_f, alpha_m].map(|x| x / (1.0 - alpha_m));
    let (damping, stiffness) = (h * gamma * share, h * h * beta * share);
    step.statistics.factorisations += 1;
    equations.freeze(step.y, damping, stiffness)?;

    let (guess, correction, trial) = (&mut work.stage[..n], &mut work.error[..n], &mut work.trial[..n]);
    guess.copy_from_slice(first);
    let mut last = f64::INFINITY;
    let mut converged = false;
    for pass in 0..=ITERATIONS {
        trial.copy_from_slice(step.y);
        for i in speeds.clone() {
            a_1[i] = share * guess[i] + first_share * first[i] - algorithmic_share * a_0[i];
            correction[i] = step.y[i] + h * ((0.5 - beta) * a_0[i] + beta * a_1[i]);
            trial[i] = step.y[i] + h * ((1.0 - gamma) * a_0[i] + gamma * a_1[i]);
        }
        equations.transport(step.y, h, &correction[speeds.clone()], trial);
        if converged {
            // Rates of coordinates and powers stay those before the last correction, which is below the tolerance of the iteration.
            second[speeds.clone()].copy_from_slice(&guess[speeds.clone()]);
            // What is neither coordinate nor speed has not been touched.
            for i in speeds.end..n {
                trial[i] = step.y[i] + 0.5 * h * (first[i] + second[i]);
            }
            correction.fill(0.0);
            return Ok(());
        }
        if pass == ITERATIONS {
            break;
        }
        step.statistics.evaluations += 1;
        match equations.rates(step.time + h, trial, second) {
            // An iteration that has run away, not equations that fail.
            Err(_) if last < f64::INFINITY => return Err(Failure::NoConvergence(last)),
            done => done?,
        }

        for i in speeds.clone() {
            correction[i] = second[i] - guess[i];
        }
        step.statistics.solves += 1;
        equations.relax(damping, stiffness, &mut correction[speeds.clone()]);
        let greatest = |x: &[f64]| x.iter().fold(f64::MIN_POSITIVE, |m, x| m.max(x.abs()));
        let size = h * greatest(&correction[speeds.clone()]);
        // At rest the coordinates set the scale, or rounding would never be small enough.
        let scale = greatest(&trial[speeds.clone()]).max(AT_REST * greatest(&trial[..speeds.start]));
        let now = size / scale;
        if !now.is_finite() {
            return Err(Failure::NoConvergence(now));
        }
        for i in speeds.clone() {
            guess[i] += correction[i];
        }
        // Corrections shrink by `rate` each time, so that all that are still to come sum up to `left`.
        let rate = now / last;
        let left = if 0.0 < rate && rate < 0.5 { now * rate / (1.0 - rate) } else { now };
        converged = left <= CONVERGED || (rate >= 0.5 && now <= STALLED);
        last = now;
    }
    Err(Failure::NoConvergence(last))
}
