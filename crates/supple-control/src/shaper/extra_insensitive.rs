//! Extra-insensitive shapers: residual vibration that stays at a tolerance over a band of frequencies, in humps between zeros.
//!
//! With `n` humps there are `n + 2` impulses and `n + 1` zeros. Unknown are amplitudes `Aᵢ`, times `τᵢ` in half damped periods (`τ₁ = 0`),
//! and where zeros and humps are, as ratios `w` to the frequency of the mode; the middle hump or zero is at `w = 1`. With
//! `σ = ζ/√(1-ζ²)` and `Y(w) = Σ Aᵢ exp(πw(σ(τᵢ - τₙ) + iτᵢ))`, whose modulus is the residual vibration `V`:
//!
//! ```text
//! Σ Aᵢ = 1;   Y = 0 at each zero;   V² = tolerance² and dV²/dw = 0 at each hump
//! ```
//!
//! Without damping the impulses are half a period apart and `V` is a polynomial of `cos(πw/2)` that ripples: that of Chebyshev,
//! `V = ε T_N(x₀ cos(πw/2))` with `N = n + 1` and `T_N(x₀) = 1/ε`. From there Newton's method follows the solution to the damping.

use super::newton::{Phasor, continued};
use std::f64::consts::PI;
use supple::spatial::{Dual, Scalar};

/// Times in half damped periods, and amplitudes; none where there is no solution.
pub(super) fn design(humps: usize, tolerance: f64, damping: f64) -> Option<(Vec<f64>, Vec<f64>)> {
    let (start, impulses) = (undamped(humps, tolerance), humps + 2);
    let found = continued(&start, damping, |sigma, x, out| constraints(humps, tolerance, sigma, x, out))?;
    let (amplitudes, rest) = found.split_at(impulses);
    let times: Vec<f64> = [0.0].into_iter().chain(rest[..impulses - 1].iter().copied()).collect();
    let sound = amplitudes.iter().all(|a| *a > 0.0) && times.windows(2).all(|pair| pair[0] < pair[1]);
    sound.then(|| (times, amplitudes.to_vec()))
}

/// Amplitudes, times after the first, zeros and humps without the middle one, all without damping.
fn undamped(humps: usize, tolerance: f64) -> Vec<f64> {
    let degree = humps + 1;
    let n = degree as f64;
    let x0 = ((1.0 / tolerance).acosh() / n).cosh();
    let response = |phi: f64| tolerance * chebyshev(degree, x0 * (0.5 * phi).cos());
    let grid = |k: usize| 2.0 * PI * k as f64 / (n + 1.0);
    // The discrete Fourier transform of the response.
    let amplitude = |j: usize| {
        let order = 0.5 * n - j as f64;
        (0..=degree).map(|k| response(grid(k)) * (order * grid(k)).cos()).sum::<f64>() / (n + 1.0)
    };
    let place = |angle: f64| 2.0 / PI * (angle.cos() / x0).acos();
    let zeros = (0..degree).filter(|k| 2 * k + 1 != degree).map(|k| place((k as f64 + 0.5) * PI / n));
    let tops = (1..degree).filter(|k| 2 * k != degree).map(|k| place(k as f64 * PI / n));
    let times = (1..=degree).map(|j| j as f64);
    (0..=degree).map(amplitude).chain(times).chain(zeros).chain(tops).collect()
}

/// `T_n(x)`.
fn chebyshev(n: usize, x: f64) -> f64 {
    let (mut below, mut value) = (1.0, x);
    for _ in 1..n {
        (below, value) = (value, 2.0 * x * value - below);
    }
    value
}

type D = Dual<f64>;

/// The constraint equations, each zero where it holds.
fn constraints(humps: usize, tolerance: f64, sigma: f64, x: &[D], out: &mut Vec<D>) {
    let impulses = humps + 2;
    let (amplitudes, rest) = x.split_at(impulses);
    let (later, places) = rest.split_at(impulses - 1);
    let last = later[impulses - 2];
    let time = |i: usize| if i == 0 { D::ZERO } else { later[i - 1] };
    let one = D::ONE;
    // Y and dY/dw.
    let response = |w: D| {
        let (mut y, mut slope) = ([D::ZERO; 2], [D::ZERO; 2]);
        for (i, a) in amplitudes.iter().enumerate() {
            let pi = D::from_f64(PI);
            let (growth, turn) = (pi * D::from_f64(sigma) * (time(i) - last), pi * time(i));
            let Phasor { re, im } = Phasor::of(*a, w * growth, w * turn);
            y = [y[0] + re, y[1] + im];
            slope = [slope[0] + growth * re - turn * im, slope[1] + growth * im + turn * re];
        }
        (y, slope)
    };
    out.push(amplitudes.iter().fold(-one, |sum, a| sum + *a));
    let (outer_zeros, outer_humps) = places.split_at(if humps.is_multiple_of(2) { humps } else { humps + 1 });
    let middle = [one];
    let (zeros, tops): (&[D], &[D]) = if humps.is_multiple_of(2) { (&middle, &[]) } else { (&[], &middle) };
    for w in outer_zeros.iter().chain(zeros) {
        out.extend(response(*w).0);
    }
    for w in outer_humps.iter().chain(tops) {
        let (y, slope) = response(*w);
        out.push(y[0] * y[0] + y[1] * y[1] - D::from_f64(tolerance * tolerance));
        out.push(y[0] * slope[0] + y[1] * slope[1]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The published closed forms without damping.
    #[test]
    fn chebyshev_gives_the_published_amplitudes() {
        for v in [0.02, 0.05, 0.1, 0.3] {
            let one = undamped(1, v);
            let two = undamped(2, v);
            let three = undamped(3, v);
            let x = (v * v * ((1.0 - v * v).sqrt() + 1.0)).cbrt();
            let first = (3.0 * x * x + 2.0 * x + 3.0 * v * v) / (16.0 * x);
            let outer = (1.0 + 3.0 * v + 2.0 * (2.0 * (v * v + v)).sqrt()) / 16.0;
            let expected = [
                (one[0], (1.0 + v) / 4.0),
                (one[1], (1.0 - v) / 2.0),
                (two[0], first),
                (two[1], 0.5 - first),
                (three[0], outer),
                (three[1], (1.0 - v) / 4.0),
                (three[2], 1.0 - 2.0 * (outer + (1.0 - v) / 4.0)),
            ];
            for (i, (found, expected)) in expected.into_iter().enumerate() {
                assert!((found - expected).abs() < 1e-15, "{v}, {i}: {found} {expected}");
            }
        }
    }

    /// The undamped solution fulfils the constraint equations, which know nothing of Chebyshev.
    #[test]
    fn the_undamped_solution_keeps_the_constraints() {
        for humps in 1..=3 {
            let start: Vec<D> = undamped(humps, 0.05).into_iter().map(D::constant).collect();
            let mut out = Vec::new();
            constraints(humps, 0.05, 0.0, &start, &mut out);
            assert_eq!(out.len(), start.len());
            assert!(out.iter().all(|found| found.value.abs() < 1e-14), "{humps}: {out:?}");
        }
    }
}
