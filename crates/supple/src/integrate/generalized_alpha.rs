//! Generalized-alpha on the manifold of the coordinates.
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
//!
//! The iteration ends where corrections are at rounding level or, for real time, after a given number of them: each step then takes the same
//! work, and what corrections are left to come is estimated by the last two. Where that is not negligible, [`Shortfall`] says so.

use super::equations::Equations;
use super::error::Failure;
use super::last_step::LastStep;
use super::shortfall::Shortfall;
use super::stepper::{Attempt, Reached, Stepper};

/// Corrections below this, relative to the speeds, end the iteration.
const CONVERGED: f64 = 1e-12;
/// Where rounding keeps the corrections from falling, they may end it below this.
const STALLED: f64 = 1e-9;
/// Rate at which coordinates count as moving, 1/s.
const AT_REST: f64 = 1e-3;
/// Most corrections of a step.
pub(super) const MOST_CORRECTIONS: u32 = 30;

/// The parameters for a spectral radius.
#[derive(Clone, Copy)]
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

/// How far the corrections of a step have come; their sizes are relative to the speeds.
struct Iteration {
    /// How many there are to be, and how many there were.
    wanted: Option<u32>,
    count: u32,
    /// The last one, and an estimate of all that are left to come.
    last: f64,
    left: f64,
    is_over: bool,
}

impl Iteration {
    fn new(wanted: Option<u32>) -> Self {
        Self { wanted, count: 0, last: f64::INFINITY, left: f64::INFINITY, is_over: false }
    }

    /// A correction of this size was made.
    fn corrected(&mut self, now: f64) -> Result<(), Failure> {
        // Corrections shrink by `rate` each time, so that all that are still to come sum up to `left`.
        let rate = if now == 0.0 { 0.0 } else { now / self.last };
        let shrinks = 0.0 < rate && rate < 0.5;
        self.left = if shrinks { now * rate / (1.0 - rate) } else { now };
        (self.last, self.count) = (now, self.count + 1);
        let is_still = self.left <= CONVERGED || (rate >= 0.5 && now <= STALLED);
        self.is_over = self.wanted.map_or(is_still, |wanted| self.count == wanted);
        // A given number of corrections is no excuse for one that has run away.
        let runs_away = self.is_over && rate >= 1.0 && now > STALLED;
        if now.is_finite() && !runs_away { Ok(()) } else { Err(Failure::NoConvergence(now)) }
    }
}

/// Accelerations that a step hands to the next, and buffers.
pub(super) struct GeneralizedAlpha {
    parameters: Parameters,
    /// Corrections of each step; as many as it takes where there is none.
    corrections: Option<u32>,
    /// What the step tried last leaves out of its corrections, and the steps that left out too much.
    left: f64,
    shortfall: Shortfall,
    /// Algorithmic accelerations at the start and at the end of the step; after it, at its end and at its start.
    algorithmic: [Vec<f64>; 2],
    first: Vec<f64>,
    end: Vec<f64>,
    guess: Vec<f64>,
    correction: Vec<f64>,
    stage: Vec<f64>,
}

impl GeneralizedAlpha {
    pub fn new(spectral_radius: f64, corrections: Option<u32>, n: usize) -> Self {
        let zeros = || vec![0.0; n];
        Self {
            parameters: Parameters::new(spectral_radius),
            corrections,
            left: 0.0,
            shortfall: Shortfall::default(),
            algorithmic: [zeros(), zeros()],
            first: zeros(),
            end: zeros(),
            guess: zeros(),
            correction: zeros(),
            stage: zeros(),
        }
    }
}

impl Stepper for GeneralizedAlpha {
    fn attempt(&mut self, step: &mut Attempt<'_>, equations: &mut dyn Equations) -> Result<f64, Failure> {
        let (n, h) = (step.y.len(), step.h);
        let speeds = equations.speeds();
        let Parameters { alpha_m, alpha_f, gamma, beta } = self.parameters;
        let Self { algorithmic: [a_0, a_1], first, end: second, guess, correction, stage, corrections, left, .. } =
            self;
        let fresh = step.start.fresh;
        step.begin(equations)?;
        first.copy_from_slice(&step.start.rates);
        if fresh {
            a_0.copy_from_slice(first);
        }
        // a₁ = share v̇₁ + first_share v̇₀ - algorithmic_share a₀
        let [share, first_share, algorithmic_share] = [1.0 - alpha_f, alpha_f, alpha_m].map(|x| x / (1.0 - alpha_m));
        let (damping, stiffness) = (h * gamma * share, h * h * beta * share);
        step.statistics.factorisations += 1;
        equations.freeze(step.y, damping, stiffness)?;

        guess.copy_from_slice(first);
        let mut iteration = Iteration::new(*corrections);
        for pass in 0..=MOST_CORRECTIONS {
            step.trial.copy_from_slice(step.y);
            for i in speeds.clone() {
                a_1[i] = share * guess[i] + first_share * first[i] - algorithmic_share * a_0[i];
                correction[i] = step.y[i] + h * ((0.5 - beta) * a_0[i] + beta * a_1[i]);
                step.trial[i] = step.y[i] + h * ((1.0 - gamma) * a_0[i] + gamma * a_1[i]);
            }
            equations.transport(step.y, h, &correction[speeds.clone()], step.trial);
            if iteration.is_over {
                *left = iteration.left;
                // Rates of coordinates and powers stay those before the last correction, which is below the tolerance of the iteration.
                second[speeds.clone()].copy_from_slice(&guess[speeds.clone()]);
                // What is neither coordinate nor speed has not been touched.
                for i in speeds.end..n {
                    step.trial[i] = step.y[i] + 0.5 * h * (first[i] + second[i]);
                }
                return Ok(0.0);
            }
            if pass == MOST_CORRECTIONS {
                break;
            }
            stage.copy_from_slice(step.trial);
            match step.rates(equations, step.time + h, stage, second) {
                // An iteration that has run away, not equations that fail.
                Err(Failure::Dynamics(_)) if pass > 0 => return Err(Failure::NoConvergence(iteration.last)),
                done => done?,
            }

            for i in speeds.clone() {
                correction[i] = second[i] - guess[i];
            }
            step.statistics.solves += 1;
            equations.relax(damping, stiffness, &mut correction[speeds.clone()]);
            let greatest = |x: &[f64]| x.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
            let size = h * greatest(&correction[speeds.clone()]);
            // At rest the coordinates set the scale, or rounding would never be small enough.
            let scale = greatest(&step.trial[speeds.clone()]).max(AT_REST * greatest(&step.trial[..speeds.start]));
            for i in speeds.clone() {
                guess[i] += correction[i];
            }
            // Where nothing moves there is nothing to correct, or all of it.
            iteration.corrected(match (size > 0.0, scale > 0.0) {
                (false, _) => 0.0,
                (true, true) => size / scale,
                (true, false) => 1.0,
            })?;
        }
        Err(Failure::NoConvergence(iteration.last))
    }

    fn accept(&mut self, _: &LastStep, reached: &Reached<'_>) -> Option<&[f64]> {
        self.algorithmic.swap(0, 1);
        if self.corrections.is_some() {
            self.shortfall.note(self.left, reached.time);
        }
        Some(&self.end)
    }

    fn take_back(&mut self) {
        self.algorithmic.swap(0, 1);
    }

    fn estimate_order(&self) -> f64 {
        2.0
    }

    fn shortfall(&self) -> Option<Shortfall> {
        self.shortfall.any()
    }

    fn save(&self) -> Vec<f64> {
        self.algorithmic[0].clone()
    }

    fn accepts(&self, from: &[f64]) -> bool {
        from.len() == self.end.len()
    }

    fn load(&mut self, from: &[f64]) {
        self.algorithmic[0].copy_from_slice(from);
    }
}
