//! The exponential scheme: stiff modes and hinges oscillate and decay exactly, everything else is explicit, of order 4.
//!
//! With `A` frozen and `g = f - A (y - y₀)`, the four stages of Krogstad (J. Comput. Phys. 203, 2005), in which `D_j = g(Y_j) - g(y₀)`:
//!
//! ```text
//! Y₂ = y₀ + ½h φ₁(½hA) f₀
//! Y₃ = y₀ + ½h φ₁(½hA) f₀ + h φ₂(½hA) D₂
//! Y₄ = y₀ + h φ₁(hA) f₀ + 2h φ₂(hA) D₃
//! y₁ = y₀ + h φ₁(hA) f₀ + h [2φ₂ - 4φ₃](hA) (D₂ + D₃) + h [4φ₃ - φ₂](hA) D₄
//! ```
//!
//! The order does not depend on `A`, and with `A = 0` this is the classical Runge-Kutta scheme. The error is estimated by what `y₁` changes
//! when `g(y₁)` takes the place of `g(Y₄)`, and `D₂` that of `D₃`, with a share of the second difference of `g`: the former alone is too small
//! where `g` depends on coordinates only, or starts flat. The evaluation at `y₁` is the first of the next step.
//!
//! In the coordinates of the oscillators `φ_k(hA) v = α_k v + β_k h A v` with two numbers for each, see `damped`.

use super::damped::{COUNT, Functions};
use super::equations::Equations;
use super::error::Failure;
use super::last_step::LastStep;
use super::stepper::{Attempt, Reached, Stepper};

/// Share of the second difference of `g` in the error estimate. Where `g` starts flat the other parts see nothing.
const STRAIGHT: f64 = 0.05;

/// Vectors of a step, in the coordinates of the oscillators where not said otherwise.
pub(super) struct Exponential {
    /// `ω²` and `d` for each number of the state; zero where nothing oscillates.
    pub squares: Vec<f64>,
    pub dampings: Vec<f64>,
    /// `α_k` and `β_k` at `½h` and at `h`.
    functions: [Vec<Functions>; 2],
    /// `f₀` and `D_j`, each followed by `A` times it.
    vectors: [Vec<f64>; 8],
    /// State and rates of a stage, and in the end those of the end of the step.
    pub state: Vec<f64>,
    pub end: Vec<f64>,
    error: Vec<f64>,
}

impl Exponential {
    pub fn new(n: usize) -> Self {
        let zeros = || vec![0.0; n];
        let functions = std::array::from_fn(|_| vec![Functions::AT_REST; n]);
        let vectors = std::array::from_fn(|_| zeros());
        Self { squares: zeros(), dampings: zeros(), functions, vectors, state: zeros(), end: zeros(), error: zeros() }
    }
}

impl Stepper for Exponential {
    fn attempt(&mut self, step: &mut Attempt<'_>, equations: &mut dyn Equations) -> Result<f64, Failure> {
        let (n, h) = (step.y.len(), step.h);
        let Self { squares, dampings, functions, vectors, state, end, error: z } = self;
        step.begin(equations)?;
        step.statistics.factorisations += 1;
        equations.oscillators(step.y, h, squares, dampings)?;
        for (table, h) in functions.iter_mut().zip([0.5 * h, h]) {
            for (functions, (square, damping)) in table.iter_mut().zip(squares.iter().zip(dampings.iter())) {
                *functions = Functions::new(h * h * square, h * damping);
            }
        }
        let [f, af, d2, ad2, d3, ad3, d4, ad4] = vectors;
        let [half, full] = &*functions;
        f.copy_from_slice(&step.start.rates);
        equations.split(f);
        equations.oscillate(f, af);

        // Evaluates y₀ + z and leaves D and A D there.
        let mut stage =
            |step: &mut Attempt<'_>, time: f64, z: &mut [f64], d: &mut [f64], ad: &mut [f64]| -> Result<(), Failure> {
                // A Z before Z is given up.
                equations.oscillate(z, ad);
                equations.join(z);
                for i in 0..n {
                    state[i] = step.y[i] + z[i];
                }
                equations.project(state);
                step.rates(equations, time, state, end)?;
                for i in 0..n {
                    d[i] = end[i] - step.start.rates[i];
                }
                equations.split(d);
                for i in 0..n {
                    d[i] -= ad[i];
                }
                equations.oscillate(d, ad);
                Ok(())
            };
        for i in 0..n {
            z[i] = 0.5 * h * (half[i].alpha[1] * f[i] + half[i].beta[1] * 0.5 * h * af[i]);
        }
        stage(step, step.time + 0.5 * h, z, d2, ad2)?;
        for i in 0..n {
            let Functions { alpha, beta } = &half[i];
            let line = 0.5 * h * (alpha[1] * f[i] + beta[1] * 0.5 * h * af[i]);
            z[i] = line + h * (alpha[2] * d2[i] + beta[2] * 0.5 * h * ad2[i]);
        }
        stage(step, step.time + 0.5 * h, z, d3, ad3)?;
        for i in 0..n {
            let Functions { alpha, beta } = &full[i];
            let line = h * (alpha[1] * f[i] + beta[1] * h * af[i]);
            z[i] = line + 2.0 * h * (alpha[2] * d3[i] + beta[2] * h * ad3[i]);
        }
        stage(step, step.time + h, z, d4, ad4)?;
        for i in 0..n {
            let Functions { alpha, beta } = &full[i];
            let middle = in_the_middle(alpha) * (d2[i] + d3[i]) + in_the_middle(beta) * h * (ad2[i] + ad3[i]);
            let end = at_the_end(alpha) * d4[i] + at_the_end(beta) * h * ad4[i];
            z[i] = h * (alpha[1] * f[i] + beta[1] * h * af[i] + middle + end);
        }
        for i in 0..n {
            // D₃ - D₂, and D₄ - 2 D₃: how far the polynomial is from a straight line.
            let (d, ad) = (d3[i] - d2[i], ad3[i] - ad2[i]);
            let (bend, abend) = (d4[i] - 2.0 * d3[i], ad4[i] - 2.0 * ad3[i]);
            (d3[i], ad3[i]) = (d + STRAIGHT * bend, ad + STRAIGHT * abend);
        }
        // The last stage is the result itself; d2 takes its D.
        stage(step, step.time + h, z, d2, ad2)?;
        step.trial.copy_from_slice(state);
        for i in 0..n {
            let Functions { alpha, beta } = &full[i];
            let (d, ad) = (d4[i] - d2[i], ad4[i] - ad2[i]);
            let end = at_the_end(alpha) * d + at_the_end(beta) * h * ad;
            z[i] = h * (end + in_the_middle(alpha) * d3[i] + in_the_middle(beta) * h * ad3[i]);
        }
        equations.join(z);
        Ok(step.scaled(z))
    }

    fn accept(&mut self, _: &LastStep, _: &Reached<'_>) -> Option<&[f64]> {
        Some(&self.end)
    }

    fn estimate_order(&self) -> f64 {
        4.0
    }
}

/// `2φ₂ - 4φ₃`, the weight of the stages in the middle of the step.
fn in_the_middle(phi: &[f64; COUNT]) -> f64 {
    2.0 * phi[2] - 4.0 * phi[3]
}

/// `4φ₃ - φ₂`, the weight of the stage at its end.
fn at_the_end(phi: &[f64; COUNT]) -> f64 {
    4.0 * phi[3] - phi[2]
}
