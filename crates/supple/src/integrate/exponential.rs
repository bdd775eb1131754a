//! The exponential scheme: the modes oscillate exactly, everything else is explicit, of order 4.
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
//! In the coordinates of the oscillators `φ_k(hA) v = c_k v + c_{k+1} h A v` with a number `c_k` for each, see `stumpff`.

use super::equations::Equations;
use super::error::Failure;
use super::last_step::LastStep;
use super::stepper::{Attempt, Reached, Stepper};
use super::stumpff::{AT_REST, COUNT, stumpff};

/// Share of the second difference of `g` in the error estimate. Where `g` starts flat the other parts see nothing.
const STRAIGHT: f64 = 0.05;

/// Vectors of a step, in the coordinates of the oscillators where not said otherwise.
pub(super) struct Exponential {
    /// `ω²` for each number of the state; zero where nothing oscillates.
    pub squares: Vec<f64>,
    /// `c_k` at `½h` and at `h`.
    functions: [Vec<[f64; COUNT]>; 2],
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
        let functions = std::array::from_fn(|_| vec![AT_REST; n]);
        let vectors = std::array::from_fn(|_| zeros());
        Self { squares: zeros(), functions, vectors, state: zeros(), end: zeros(), error: zeros() }
    }
}

impl Stepper for Exponential {
    fn attempt(&mut self, step: &mut Attempt<'_>, equations: &mut dyn Equations) -> Result<f64, Failure> {
        let (n, h) = (step.y.len(), step.h);
        let Self { squares, functions, vectors, state, end, error: z } = self;
        step.begin(equations)?;
        step.statistics.factorisations += 1;
        equations.oscillators(step.y, squares)?;
        for (table, h) in functions.iter_mut().zip([0.5 * h, h]) {
            for (c, square) in table.iter_mut().zip(squares.iter()) {
                *c = if *square == 0.0 { AT_REST } else { stumpff(h * h * square) };
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
            z[i] = 0.5 * h * (half[i][1] * f[i] + half[i][2] * 0.5 * h * af[i]);
        }
        stage(step, step.time + 0.5 * h, z, d2, ad2)?;
        for i in 0..n {
            let c = &half[i];
            z[i] = 0.5 * h * (c[1] * f[i] + c[2] * 0.5 * h * af[i]) + h * (c[2] * d2[i] + c[3] * 0.5 * h * ad2[i]);
        }
        stage(step, step.time + 0.5 * h, z, d3, ad3)?;
        for i in 0..n {
            let c = &full[i];
            z[i] = h * (c[1] * f[i] + c[2] * h * af[i]) + 2.0 * h * (c[2] * d3[i] + c[3] * h * ad3[i]);
        }
        stage(step, step.time + h, z, d4, ad4)?;
        for i in 0..n {
            let c = &full[i];
            let middle =
                (2.0 * c[2] - 4.0 * c[3]) * (d2[i] + d3[i]) + (2.0 * c[3] - 4.0 * c[4]) * h * (ad2[i] + ad3[i]);
            let end = (4.0 * c[3] - c[2]) * d4[i] + (4.0 * c[4] - c[3]) * h * ad4[i];
            z[i] = h * (c[1] * f[i] + c[2] * h * af[i] + middle + end);
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
            let c = &full[i];
            let (d, ad) = (d4[i] - d2[i], ad4[i] - ad2[i]);
            let end = (4.0 * c[3] - c[2]) * d + (4.0 * c[4] - c[3]) * h * ad;
            z[i] = h * (end + (2.0 * c[2] - 4.0 * c[3]) * d3[i] + (2.0 * c[3] - 4.0 * c[4]) * h * ad3[i]);
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
