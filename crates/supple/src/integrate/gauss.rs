//! Gauss' collocation about oscillation and decay of stiff modes and hinges: implicit, of order `2s` with `s` stages, without numerical damping.
//!
//! With `A` frozen, the stages `Z = Y - y₀` at the Gauss points `c_i` of the step, and the end of it, follow from a polynomial through
//! `f - A Z` at these points, to which the oscillators answer exactly:
//!
//! ```text
//! Z_i = h Σ_j a_ij(hA) D_j,    D_j = f(t₀ + c_j h, y₀ + Z_j) - A Z_j,    a_ij(hA) = ∫₀^{c_i} exp((c_i - σ) hA) ℓ_j(σ) dσ
//! ```
//!
//! with `ℓ_j` the polynomial that is one at `c_j` and zero at the other points. The stages are on both sides and found by iteration, which
//! converges fast because `D` hardly depends on what is stiff. The order does not depend on `A`; with `A = 0` this is Gauss' implicit
//! Runge-Kutta scheme (Hairer, Nørsett and Wanner, II.7; for `A` see Hochbruck and Ostermann, Appl. Numer. Math. 53, 2005).
//!
//! The first guess goes through stages and rates of the last step, extrapolated.
//!
//! In the coordinates of the oscillators `a_ij(hA) = α_ij + β_ij hA` with two numbers for each, from `φ_k(hA) = α_k + β_k hA`, see
//! `damped`: a term `σᵐ/m!` of `ℓ_j` gives `c_i^{m+1} φ_{m+1}(c_i hA)`.

use super::equations::Equations;
use super::error::Failure;
use super::gauss_points::Points;
use super::last_step::LastStep;
use super::stepper::{Attempt, Reached, Stepper};

/// Steps for which `A` stays frozen.
const REFRESH: u32 = 8;
/// Where rounding keeps the corrections from falling, they may end it below this.
const STALLED: f64 = 1e-11;
/// Corrections are not taken to fall faster than this.
const STEEPEST: f64 = 0.05;
/// Steps are extrapolated to steps this many times as long at most.
const FARTHEST: f64 = 2.0;
/// Rate at which coordinates count as moving, 1/s.
const AT_REST: f64 = 1e-3;
const ITERATIONS: u32 = 30;

/// The stages of a step.
struct Stages {
    /// When the step started, and its size; zero where there is none.
    from: f64,
    h: f64,
    /// States of the stages, and the rates there.
    states: Vec<f64>,
    rates: Vec<f64>,
}

/// What a step needs of the one before, and room to find its stages.
pub(super) struct Gauss {
    /// Where the iteration ends.
    tolerance: f64,
    points: Points,
    /// The step being taken, and the one before; after a step, the one before is the last.
    now: Stages,
    before: Stages,
    /// Steps since `A` was frozen, where, and for which step size.
    age: u32,
    frozen: Vec<f64>,
    frozen_step: f64,
    /// Whether the oscillators are those of `frozen`, and for which step size the weights are.
    ready: bool,
    h: f64,
    /// `ω²` and `d` of each number of the state.
    squares: Vec<f64>,
    dampings: Vec<f64>,
    /// `α` and `β`: a row of `s` vectors for each stage, and one for the end.
    weights: [Vec<f64>; 2],
    /// `Z`, `D` and `hA D`, a vector for each stage, in the coordinates of the oscillators.
    changes: Vec<f64>,
    drives: Vec<f64>,
    answers: Vec<f64>,
    /// A change of the state, and a state.
    change: Vec<f64>,
    stage: Vec<f64>,
}

impl Gauss {
    pub fn new(s: usize, tolerance: f64, n: usize) -> Self {
        let zeros = |count: usize| vec![0.0; count];
        let stages = || Stages { from: 0.0, h: 0.0, states: zeros(s * n), rates: zeros(s * n) };
        Self {
            tolerance,
            points: Points::new(s),
            now: stages(),
            before: stages(),
            age: REFRESH,
            frozen: zeros(n),
            frozen_step: 0.0,
            ready: false,
            h: 0.0,
            squares: zeros(n),
            dampings: zeros(n),
            weights: [zeros((s + 1) * s * n), zeros((s + 1) * s * n)],
            changes: zeros(s * n),
            drives: zeros(s * n),
            answers: zeros(s * n),
            change: zeros(n),
            stage: zeros(n),
        }
    }

    /// The change of the state up to the place `x` of the last step.
    fn change_at(&mut self, x: f64, equations: &mut dyn Equations) -> &[f64] {
        let Self { points, squares, dampings, h, drives, answers, change, .. } = self;
        let n = change.len();
        for (k, (square, damping)) in squares.iter().zip(dampings.iter()).enumerate() {
            change[k] = 0.0;
            points.weights(x, [*h * *h * square, *h * damping], |j, [alpha, beta]| {
                change[k] += *h * (alpha * drives[j * n + k] + beta * answers[j * n + k]);
            });
        }
        equations.join(change);
        change
    }

    /// Whether the last step is one to extrapolate a step of `h` from: there is one, and it was not much shorter.
    fn follows(&self, h: f64) -> bool {
        FARTHEST * self.before.h >= h
    }

    /// Freezes `A` where that is due, and finds the weights for steps of size `h`. Whether `A` is another now.
    fn prepare(&mut self, y: &[f64], h: f64, equations: &mut dyn Equations) -> Result<bool, Failure> {
        let refresh = self.age >= REFRESH;
        if refresh {
            (self.age, self.ready) = (0, false);
            self.frozen.copy_from_slice(y);
            self.frozen_step = h;
        }
        if !self.ready {
            equations.oscillators(&self.frozen, self.frozen_step, &mut self.squares, &mut self.dampings)?;
            (self.ready, self.h) = (true, 0.0);
        }
        if self.h != h {
            self.h = h;
            let Self { points, squares, dampings, weights: [alphas, betas], .. } = self;
            let (n, s) = (squares.len(), points.places.len());
            for (i, x) in points.places.iter().chain(&[1.0]).enumerate() {
                for (k, (square, damping)) in squares.iter().zip(dampings.iter()).enumerate() {
                    points.weights(*x, [h * h * square, h * damping], |j, [alpha, beta]| {
                        let at = (i * s + j) * n + k;
                        (alphas[at], betas[at]) = (alpha, beta);
                    });
                }
            }
        }
        Ok(refresh)
    }

    /// Guesses the stages and their rates from those of the last step.
    fn extrapolate(&mut self, time: f64, h: f64) {
        let Self { points, now, before, frozen, .. } = self;
        let n = frozen.len();
        now.states.fill(0.0);
        now.rates.fill(0.0);
        for (i, c) in points.places.iter().enumerate() {
            let (x, at) = ((time + c * h - before.from) / before.h, i * n..(i + 1) * n);
            for j in 0..points.places.len() {
                let (weight, old) = (points.basis(j, x), j * n..(j + 1) * n);
                let add = |to: &mut [f64], from: &[f64]| {
                    to.iter_mut().zip(from).for_each(|(to, from)| *to = weight.mul_add(*from, *to));
                };
                add(&mut now.states[at.clone()], &before.states[old.clone()]);
                add(&mut now.rates[at.clone()], &before.rates[old]);
            }
        }
    }

    /// `Z` from stages that were guessed.
    fn split(&mut self, y: &[f64], equations: &mut dyn Equations) {
        let n = y.len();
        for (state, change) in self.now.states.chunks_exact(n).zip(self.changes.chunks_exact_mut(n)) {
            for k in 0..n {
                change[k] = state[k] - y[k];
            }
            equations.split(change);
        }
    }

    /// `D` and `hA D` from `Z` and rates.
    fn drive(&mut self, h: f64, equations: &mut dyn Equations) {
        let (n, Self { now, changes, drives, answers, .. }) = (self.frozen.len(), self);
        let stages = changes.chunks_exact(n).zip(now.rates.chunks_exact(n));
        let vectors = drives.chunks_exact_mut(n).zip(answers.chunks_exact_mut(n));
        for ((change, rates), (drive, answer)) in stages.zip(vectors) {
            drive.copy_from_slice(rates);
            equations.split(drive);
            equations.oscillate(change, answer);
            drive.iter_mut().zip(answer.iter()).for_each(|(drive, answer)| *drive -= answer);
            equations.oscillate(drive, answer);
            answer.iter_mut().for_each(|answer| *answer *= h);
        }
    }

    /// `h Σ_j a_ij(hA) D_j` of row `i`, in the coordinates of the oscillators and, in `change`, of the state.
    fn follow(&mut self, i: usize, h: f64, equations: &mut dyn Equations) {
        let Self { weights: [alphas, betas], changes, drives, answers, change, .. } = self;
        let (n, row) = (change.len(), drives.len());
        change.fill(0.0);
        let weights = alphas[i * row..].chunks_exact(n).zip(betas[i * row..].chunks_exact(n));
        let vectors = drives.chunks_exact(n).zip(answers.chunks_exact(n));
        for ((alpha, beta), (drive, answer)) in weights.zip(vectors) {
            for (x, ((alpha, drive), (beta, answer))) in
                change.iter_mut().zip(alpha.iter().zip(drive).zip(beta.iter().zip(answer)))
            {
                *x = alpha.mul_add(*drive, beta.mul_add(*answer, *x));
            }
        }
        change.iter_mut().for_each(|x| *x *= h);
        if let Some(kept) = changes.get_mut(i * n..(i + 1) * n) {
            kept.copy_from_slice(change);
        }
        equations.join(change);
    }

    /// New stages from `D`; the size of the corrections relative to the numbers corrected, speeds by speeds, the others by the others.
    fn correct(&mut self, y: &[f64], h: f64, equations: &mut dyn Equations) -> f64 {
        let n = y.len();
        let motion = n - equations.quadratures().min(n);
        let speeds = match equations.speeds() {
            range if range.is_empty() => motion..motion,
            range => range,
        };
        self.drive(h, equations);
        let (mut corrections, mut sizes) = ([0.0_f64; 2], [f64::MIN_POSITIVE; 2]);
        for i in 0..self.points.places.len() {
            self.follow(i, h, equations);
            let state = &mut self.now.states[i * n..(i + 1) * n];
            for k in 0..n {
                self.change[k] += y[k];
            }
            for (part, range) in [0..speeds.start, speeds.clone()].into_iter().enumerate() {
                for k in range {
                    corrections[part] = corrections[part].max((self.change[k] - state[k]).abs());
                    sizes[part] = sizes[part].max(self.change[k].abs());
                }
            }
            state.copy_from_slice(&self.change);
        }
        // At rest the coordinates set the scale, or rounding would never be small enough.
        let moving = sizes[1].max(AT_REST * sizes[0]);
        (corrections[0] / sizes[0].max(h * moving)).max(corrections[1] / moving)
    }

    /// One attempt of the iteration.
    fn iterate(&mut self, step: &mut Attempt<'_>, equations: &mut dyn Equations) -> Result<(), Failure> {
        let (n, h) = (step.y.len(), step.h);
        if !self.follows(h) {
            // Constant rates from the start.
            step.begin(equations)?;
            let Stages { states, rates, .. } = &mut self.now;
            for (state, rates) in states.chunks_exact_mut(n).zip(rates.chunks_exact_mut(n)) {
                state.copy_from_slice(step.y);
                rates.copy_from_slice(&step.start.rates);
            }
        } else {
            self.extrapolate(step.time, h);
        }
        if self.prepare(step.y, h, equations)? {
            step.statistics.factorisations += 1;
        }
        self.split(step.y, equations);
        self.correct(step.y, h, equations);

        let mut last = f64::INFINITY;
        for _ in 0..ITERATIONS {
            let Self { now, points, stage, .. } = self;
            let stages = now.states.chunks_exact(n).zip(now.rates.chunks_exact_mut(n));
            for ((state, rates), c) in stages.zip(&points.places) {
                stage.copy_from_slice(state);
                equations.project(stage);
                match step.rates(equations, step.time + c * h, stage, rates) {
                    // An iteration that has run away, not equations that fail.
                    Err(Failure::Dynamics(_)) if last < f64::INFINITY => return Err(Failure::NoConvergence(last)),
                    done => done?,
                }
            }
            let size = self.correct(step.y, h, equations);
            if !size.is_finite() {
                return Err(Failure::NoConvergence(size));
            }
            // What the corrections to come will add up to; the first one is mostly of the guess and says little about how fast they fall.
            let contraction = size / last;
            let rest = match last < f64::INFINITY {
                true => size * contraction.max(STEEPEST) / (1.0 - contraction).max(0.1),
                false => size,
            };
            if rest <= self.tolerance || (contraction >= 0.5 && size <= STALLED) {
                (self.now.from, self.now.h) = (step.time, h);
                self.follow(self.points.places.len(), h, equations);
                for k in 0..n {
                    step.trial[k] = step.y[k] + self.change[k];
                }
                return Ok(());
            }
            last = size;
        }
        Err(Failure::NoConvergence(last))
    }
}

impl Stepper for Gauss {
    /// The iteration ends when what it would still add, relative to the numbers it corrects, is below the tolerance. Where it fails from the
    /// stages of the last step it begins again, from the rates at the start and a fresh `A`.
    fn attempt(&mut self, step: &mut Attempt<'_>, equations: &mut dyn Equations) -> Result<f64, Failure> {
        let (follows, stale) = (self.follows(step.h), self.age > 0);
        match self.iterate(step, equations) {
            Err(failure) if (follows || stale) && failure != Failure::OutOfTime => {
                self.restart();
                self.age = REFRESH;
                self.iterate(step, equations)?;
            }
            outcome => outcome?,
        }
        Ok(0.0)
    }

    /// The step just taken becomes the one before.
    fn accept(&mut self, _: &LastStep, _: &Reached<'_>) -> Option<&[f64]> {
        std::mem::swap(&mut self.now, &mut self.before);
        self.age += 1;
        None
    }

    fn take_back(&mut self) {
        std::mem::swap(&mut self.now, &mut self.before);
        self.age -= 1;
    }

    /// Stages of the past say nothing about those to come.
    fn restart(&mut self) {
        self.before.h = 0.0;
    }

    fn estimate_order(&self) -> f64 {
        2.0 * self.points.places.len() as f64
    }

    fn within(&mut self, x: f64, last: &LastStep, _: &[f64], equations: &mut dyn Equations, out: &mut [f64]) -> bool {
        let change = self.change_at(x, equations);
        out.iter_mut().zip(last.y.iter().zip(change)).for_each(|(out, (start, x))| *out = start + x);
        true
    }

    fn extends_by_rates(&self) -> bool {
        false
    }

    fn save(&self) -> Vec<f64> {
        let mut out = vec![f64::from(self.age), self.frozen_step, self.before.from, self.before.h];
        out.extend(self.frozen.iter().chain(&self.before.states).chain(&self.before.rates));
        out
    }

    fn accepts(&self, from: &[f64]) -> bool {
        match from {
            [age, step, _, h, rest @ ..] => {
                let size = self.frozen.len() + 2 * self.before.states.len();
                let whole = age.fract() == 0.0 && (0.0..=f64::from(REFRESH)).contains(age);
                rest.len() == size && whole && *step >= 0.0 && *h >= 0.0
            }
            _ => false,
        }
    }

    fn load(&mut self, numbers: &[f64]) {
        if let [age, step, from, h, rest @ ..] = numbers {
            (self.age, self.before.from, self.before.h, self.ready) = (*age as u32, *from, *h, false);
            self.frozen_step = *step;
            let (frozen, rest) = rest.split_at(self.frozen.len());
            self.frozen.copy_from_slice(frozen);
            let (states, rates) = rest.split_at(self.before.states.len());
            self.before.states.copy_from_slice(states);
            self.before.rates.copy_from_slice(rates);
        }
    }
}
