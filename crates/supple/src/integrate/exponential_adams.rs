//! The exponential Adams scheme: stiff modes and hinges oscillate and decay exactly, the rest follows a polynomial through the last six evaluations.
//!
//! With `A` frozen at some state `y_A` and `g = f - A (y - y_A)`, the polynomial `g(t₀ + τ) = Σ d_m τᵐ / m!` gives
//!
//! ```text
//! y₁ = y₀ + h φ₁(hA) A (y₀ - y_A) + Σ_m h^{m+1} φ_{m+1}(hA) d_m
//! ```
//!
//! first through the last six values (predictor), then, with an evaluation at the result, through the new one and the last five
//! (corrector): one evaluation a step, order 6 for every `A`, 5 with the
//! error of the first steps. The values kept are those at the predicted states, with the linear part
//! carried over to the corrected ones. The first steps are of the exponential scheme of order 4.

use super::damped::{COUNT, Functions};
use super::equations::Equations;
use super::error::Failure;
use super::exponential::Exponential;
use super::last_step::LastStep;
use super::stepper::{Attempt, Reached, Stepper};

/// Values that a polynomial goes through.
const NODES: usize = 6;
/// Steps for which `A` stays frozen.
const REFRESH: u32 = 12;

/// Error of the corrector relative to its distance from the predictor, at equal steps: `C₇ / (C₇ - C*₇)` of Adams' formulas.
const MILNE: f64 = 863.0 / 19950.0;

/// The last evaluations, the newest first.
#[derive(Default)]
struct History {
    /// How many there are; one more than nodes are kept, so that a step can be taken back.
    count: usize,
    times: [f64; NODES + 1],
    /// States, rates there, and `g` in the coordinates of the oscillators.
    states: Vec<f64>,
    rates: Vec<f64>,
    g: Vec<f64>,
    /// Steps since `A` was frozen, where, and for which step size.
    age: u32,
    frozen: Vec<f64>,
    frozen_step: f64,
    /// Whether `g` and the oscillators are those of `frozen`.
    ready: bool,
    /// `g` at the new state, and vectors of a step, in the coordinates of the oscillators.
    new_g: Vec<f64>,
    vectors: [Vec<f64>; 4],
    /// `α_k` and `β_k` at steps of size `h`, function by function.
    alphas: [Vec<f64>; COUNT],
    betas: [Vec<f64>; COUNT],
    h: f64,
}

impl History {
    fn new(n: usize) -> Self {
        let zeros = |count: usize| vec![0.0; count];
        Self {
            states: zeros(n * (NODES + 1)),
            rates: zeros(n * (NODES + 1)),
            g: zeros(n * (NODES + 1)),
            frozen: zeros(n),
            new_g: zeros(n),
            vectors: std::array::from_fn(|_| zeros(n)),
            alphas: Functions::AT_REST.alpha.map(|x| vec![x; n]),
            betas: Functions::AT_REST.beta.map(|x| vec![x; n]),
            ..Self::default()
        }
    }

    /// Keeps an evaluation, whose `g` is in `new_g`.
    fn push(&mut self, time: f64, state: &[f64], rates: &[f64]) {
        let n = state.len();
        self.times.copy_within(..NODES, 1);
        self.times[0] = time;
        for (all, new) in [(&mut self.states, state), (&mut self.rates, rates), (&mut self.g, &*self.new_g)] {
            all.copy_within(..NODES * n, n);
            all[..n].copy_from_slice(new);
        }
        self.count = (self.count + 1).min(NODES + 1);
        self.age += 1;
    }

    /// Forgets the newest evaluation.
    fn pop(&mut self) {
        let n = self.frozen.len();
        self.times.copy_within(1.., 0);
        for all in [&mut self.states, &mut self.rates, &mut self.g] {
            all.copy_within(n.., 0);
        }
        self.count -= 1;
        self.age -= 1;
    }

    /// All its numbers.
    fn save(&self) -> Vec<f64> {
        let mut out = vec![self.count as f64, f64::from(self.age), self.frozen_step];
        out.extend(self.times.iter().chain(&self.frozen).chain(&self.states).chain(&self.rates));
        out
    }

    /// Whether numbers can be those of [`save`](Self::save).
    fn accepts(&self, from: &[f64]) -> bool {
        let whole = |x: f64, most: usize| x.fract() == 0.0 && (0.0..=most as f64).contains(&x);
        match from {
            [count, age, step, ..] => {
                let fits = from.len() == self.len() && *step >= 0.0;
                fits && whole(*count, NODES + 1) && whole(*age, REFRESH as usize + 1)
            }
            _ => false,
        }
    }

    /// Takes back what it [`accepts`](Self::accepts).
    fn load(&mut self, from: &[f64]) {
        if let [count, age, step, rest @ ..] = from {
            (self.count, self.age, self.ready) = (*count as usize, *age as u32, false);
            self.frozen_step = *step;
            let (times, rest) = rest.split_at(NODES + 1);
            self.times.copy_from_slice(times);
            let (frozen, rest) = rest.split_at(self.frozen.len());
            self.frozen.copy_from_slice(frozen);
            let (states, rates) = rest.split_at(self.states.len());
            self.states.copy_from_slice(states);
            self.rates.copy_from_slice(rates);
        }
    }

    /// Count of the numbers of [`save`](Self::save).
    fn len(&self) -> usize {
        3 + self.times.len() + self.frozen.len() + 2 * self.states.len()
    }
}

/// The scheme in progress.
pub(super) struct ExponentialAdams {
    history: History,
    /// Takes the first steps; its `state` and `end` are the predicted state and the rates there in the others as well.
    starter: Exponential,
    error: Vec<f64>,
}

impl ExponentialAdams {
    pub fn new(n: usize) -> Self {
        Self { history: History::new(n), starter: Exponential::new(n), error: vec![0.0; n] }
    }

    /// Freezes `A` where that is due, and sees to `g`, `α_k` and `β_k`.
    fn prepare(&mut self, step: &mut Attempt<'_>, equations: &mut dyn Equations) -> Result<(), Failure> {
        let n = step.y.len();
        let Exponential { squares, dampings, .. } = &mut self.starter;
        let History { states, rates, g, age, frozen, frozen_step, ready, vectors, alphas, betas, h, .. } =
            &mut self.history;
        if *age >= REFRESH {
            (*age, *ready) = (0, false);
            frozen.copy_from_slice(step.y);
            *frozen_step = step.h;
            step.statistics.factorisations += 1;
        }
        if !*ready {
            equations.oscillators(frozen, *frozen_step, squares, dampings)?;
            let [x, sum, ..] = vectors;
            for j in 0..=NODES {
                let at = j * n..(j + 1) * n;
                let (state, rate) = (&states[at.clone()], &rates[at.clone()]);
                value(equations, frozen, state, rate, [&mut *x, &mut *sum], &mut g[at]);
            }
            *ready = true;
            *h = 0.0;
        }
        if *h != step.h {
            *h = step.h;
            for (i, (square, damping)) in squares.iter().zip(dampings.iter()).enumerate() {
                let Functions { alpha, beta } = Functions::new(*h * *h * square, *h * damping);
                alphas.iter_mut().zip(alpha).for_each(|(out, x)| out[i] = x);
                betas.iter_mut().zip(beta).for_each(|(out, x)| out[i] = x);
            }
        }
        Ok(())
    }
}

impl Stepper for ExponentialAdams {
    fn attempt(&mut self, step: &mut Attempt<'_>, equations: &mut dyn Equations) -> Result<f64, Failure> {
        let n = step.y.len();
        let fresh = step.start.fresh;
        step.begin(equations)?;
        if fresh || self.history.count == 0 {
            self.history.count = 0;
            self.history.push(step.time, step.y, &step.start.rates);
        }
        if self.history.count < NODES {
            self.history.age = REFRESH;
            self.history.ready = false;
            return self.starter.attempt(step, equations);
        }
        self.prepare(step, equations)?;

        let h = step.h;
        let Self { history, starter, error: z } = self;
        let Exponential { state, end, .. } = starter;
        let History { times, g, new_g, frozen, vectors: [x, ax, sum, derivative], alphas, betas, .. } = history;
        // A (y₀ - y_A)
        for i in 0..n {
            x[i] = step.y[i] - frozen[i];
        }
        equations.split(x);
        equations.oscillate(x, ax);

        let mut places = [0.0; NODES];
        for (place, time) in places.iter_mut().zip(times.iter()) {
            *place = (time - step.time) / h;
        }
        add_up(&weights(&places), [alphas, betas], h, ax, |j| &g[j * n..(j + 1) * n], [z, sum, derivative]);
        finish(equations, sum, x, z);
        for i in 0..n {
            state[i] = step.y[i] + z[i];
        }
        equations.project(state);
        step.rates(equations, step.time + h, state, end)?;
        value(equations, frozen, state, end, [x, sum], new_g);

        places.copy_within(..NODES - 1, 1);
        places[0] = 1.0;
        let value = |j: usize| if j == 0 { &new_g[..] } else { &g[(j - 1) * n..j * n] };
        add_up(&weights(&places), [alphas, betas], h, ax, value, [z, sum, derivative]);
        finish(equations, sum, x, z);
        for i in 0..n {
            step.trial[i] = step.y[i] + z[i];
            z[i] = MILNE * (step.trial[i] - state[i]);
        }
        Ok(step.scaled(z))
    }

    fn accept(&mut self, _: &LastStep, reached: &Reached<'_>) -> Option<&[f64]> {
        self.history.push(reached.time, &self.starter.state, &self.starter.end);
        Some(&self.starter.end)
    }

    fn take_back(&mut self) {
        self.history.pop();
    }

    fn restart(&mut self) {
        self.history.count = 0;
    }

    fn estimate_order(&self) -> f64 {
        NODES as f64 + 1.0
    }

    fn save(&self) -> Vec<f64> {
        self.history.save()
    }

    fn accepts(&self, from: &[f64]) -> bool {
        self.history.accepts(from)
    }

    fn load(&mut self, from: &[f64]) {
        self.history.load(from);
    }
}

/// `g = f - A (y - y_A)`.
fn value(
    equations: &mut dyn Equations,
    frozen: &[f64],
    y: &[f64],
    f: &[f64],
    [x, ax]: [&mut Vec<f64>; 2],
    g: &mut [f64],
) {
    for i in 0..x.len() {
        x[i] = y[i] - frozen[i];
    }
    equations.split(x);
    equations.oscillate(x, ax);
    g.copy_from_slice(f);
    equations.split(g);
    g.iter_mut().zip(ax.iter()).for_each(|(g, ax)| *g -= ax);
}

/// `m! ·` the coefficient of `σᵐ` of the polynomial that is one at place `j` and zero at the others: row `m`, column `j`.
fn weights(places: &[f64; NODES]) -> [[f64; NODES]; NODES] {
    let mut out = [[0.0; NODES]; NODES];
    for j in 0..NODES {
        // Π (σ - σ_k) / (σ_j - σ_k)
        let mut polynomial = [0.0; NODES];
        polynomial[0] = 1.0;
        for k in (0..NODES).filter(|k| *k != j) {
            let scale = 1.0 / (places[j] - places[k]);
            for m in (0..NODES).rev() {
                let below = if m > 0 { polynomial[m - 1] } else { 0.0 };
                polynomial[m] = scale * (below - places[k] * polynomial[m]);
            }
        }
        let mut factorial = 1.0;
        for m in 0..NODES {
            factorial *= m.max(1) as f64;
            out[m][j] = factorial * polynomial[m];
        }
    }
    out
}

/// `z = h Σ α_{m+1} d_m` and `sum = h² Σ β_{m+1} d_m`, with `A (y₀ - y_A)` in `d_0`.
fn add_up<'g>(
    weights: &[[f64; NODES]; NODES],
    [alphas, betas]: [&[Vec<f64>; COUNT]; 2],
    h: f64,
    ax: &[f64],
    g: impl Fn(usize) -> &'g [f64],
    [z, sum, derivative]: [&mut Vec<f64>; 3],
) {
    z.fill(0.0);
    sum.fill(0.0);
    for (m, row) in weights.iter().enumerate() {
        if m == 0 {
            derivative.copy_from_slice(ax);
        } else {
            derivative.fill(0.0);
        }
        for (j, weight) in row.iter().enumerate().filter(|(_, weight)| **weight != 0.0) {
            derivative.iter_mut().zip(g(j)).for_each(|(d, g)| *d = weight.mul_add(*g, *d));
        }
        let coefficients = alphas[m + 1].iter().zip(&betas[m + 1]);
        for ((z, sum), (d, (first, second))) in
            z.iter_mut().zip(sum.iter_mut()).zip(derivative.iter().zip(coefficients))
        {
            *z = first.mul_add(*d, *z);
            *sum = second.mul_add(*d, *sum);
        }
    }
    z.iter_mut().for_each(|z| *z *= h);
    sum.iter_mut().for_each(|sum| *sum *= h * h);
}

/// `z ← z + A sum`, out of the coordinates of the oscillators.
fn finish(equations: &mut dyn Equations, sum: &[f64], scratch: &mut [f64], z: &mut [f64]) {
    equations.oscillate(sum, scratch);
    z.iter_mut().zip(scratch.iter()).for_each(|(z, x)| *z += x);
    equations.join(z);
}
