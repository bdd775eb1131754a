//! The functions `φ_k` of a damped oscillator, `A = [0, 1; -ω², -d]`, in the time `h`.
//!
//! `(hA)² = -x - y hA` with `x = (ω h)²` and `y = d h`, both not negative, so that `φ_k(hA) = α_k + β_k hA`. With
//! `φ_k(z) = 1/k! + z φ_{k+1}(z)`:
//!
//! ```text
//! α_k = 1/k! - x β_{k+1},    β_k = α_{k+1} - y β_{k+1}
//! ```
//!
//! downwards from a series where both eigenvalues of `hA` are small, upwards from `exp(hA)` where both are large. Between, where one decays
//! fast and the other does not, `β_k` is the divided difference of `φ_k` at the two, and `α_k = φ_k(λ) - λ β_k`. Without damping
//! `α_k = c_k` and `β_k = c_{k+1}`, see `stumpff`.

use super::stumpff::{self, stumpff};

/// Number of functions computed.
pub(super) const COUNT: usize = stumpff::COUNT - 1;

/// Eigenvalues below this are those of the series, if both are.
const SMALL: f64 = 4.0;
/// Eigenvalues above this are divided by, if both are.
const LARGE: f64 = 2.0;
/// Terms of a series up to [`SMALL`]; what follows is below rounding.
const TERMS: usize = 28;

/// `α_k` and `β_k`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Functions {
    pub alpha: [f64; COUNT],
    pub beta: [f64; COUNT],
}

impl Functions {
    /// Where nothing oscillates: `φ_k` of a matrix whose square is zero.
    pub const AT_REST: Self = Self::undamped(stumpff::AT_REST);

    const fn undamped(c: [f64; COUNT + 1]) -> Self {
        let (mut alpha, mut beta, mut k) = ([0.0; COUNT], [0.0; COUNT], 0);
        while k < COUNT {
            (alpha[k], beta[k]) = (c[k], c[k + 1]);
            k += 1;
        }
        Self { alpha, beta }
    }

    /// At `x = (ω h)²` and `y = d h`.
    pub fn new(x: f64, y: f64) -> Self {
        if y == 0.0 {
            return if x == 0.0 { Self::AT_REST } else { Self::undamped(stumpff(x)) };
        }
        // The eigenvalues are -y/2 ± √(y²/4 - x).
        let (half, discriminant) = (0.5 * y, 0.25 * y * y - x);
        let fast = if discriminant > 0.0 { half + discriminant.sqrt() } else { x.sqrt() };
        let slow = x / fast;
        if fast <= SMALL {
            Self::series(x, y)
        } else if slow >= LARGE {
            Self::upwards(x, y, half, discriminant)
        } else {
            let (slowly, quickly) = (decay(slow), decay(fast));
            let beta = std::array::from_fn(|k| (slowly[k] - quickly[k]) / (fast - slow));
            Self { alpha: std::array::from_fn(|k| slowly[k] + slow * beta[k]), beta }
        }
    }

    /// The last functions by `Σ (hA)ⁱ / (k + i)!`, the others from them.
    fn series(x: f64, y: f64) -> Self {
        let last = COUNT - 1;
        let mut out = Self::AT_REST;
        // A term of the series is p + q hA.
        let (mut p, mut q) = (out.alpha[last], 0.0);
        (out.alpha[last], out.beta[last]) = (p, 0.0);
        for i in 1..=TERMS {
            let share = 1.0 / (last + i) as f64;
            (p, q) = (-share * x * q, share * (p - y * q));
            out.alpha[last] += p;
            out.beta[last] += q;
        }
        for k in (0..last).rev() {
            out.alpha[k] = stumpff::AT_REST[k] - x * out.beta[k + 1];
            out.beta[k] = out.alpha[k + 1] - y * out.beta[k + 1];
        }
        out
    }

    /// From `exp(hA)`, by dividing by `hA`.
    fn upwards(x: f64, y: f64, half: f64, discriminant: f64) -> Self {
        let mut out = Self::AT_REST;
        let root = discriminant.abs().sqrt();
        // exp(-y/2) cos and sin / root, or their hyperbolic counterparts, none of which overflows with its factor.
        let (even, odd) = if discriminant > 1.0 {
            let (up, down) = ((-x / (half + root)).exp(), (-half - root).exp());
            (0.5 * (up + down), 0.5 * (up - down) / root)
        } else {
            let c = stumpff(-discriminant);
            let decay = (-half).exp();
            (decay * c[0], decay * c[1])
        };
        (out.alpha[0], out.beta[0]) = (even + half * odd, odd);
        for k in 0..COUNT - 1 {
            out.beta[k + 1] = (stumpff::AT_REST[k] - out.alpha[k]) / x;
            out.alpha[k + 1] = out.beta[k] + y * out.beta[k + 1];
        }
        out
    }
}

/// `φ_k(-z)` for `z` that is not negative.
fn decay(z: f64) -> [f64; COUNT] {
    let mut out = [0.0; COUNT];
    out.copy_from_slice(&stumpff::AT_REST[..COUNT]);
    let last = COUNT - 1;
    if z <= SMALL {
        let mut term = out[last];
        for i in 1..=TERMS {
            term *= -z / (last + i) as f64;
            out[last] += term;
        }
        for k in (0..last).rev() {
            out[k] -= z * out[k + 1];
        }
    } else {
        out[0] = (-z).exp();
        for k in 0..last {
            out[k + 1] = (stumpff::AT_REST[k] - out[k]) / z;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    type Matrix = [[f64; 2]; 2];

    fn product(a: Matrix, b: Matrix) -> Matrix {
        std::array::from_fn(|i| std::array::from_fn(|j| a[i][0] * b[0][j] + a[i][1] * b[1][j]))
    }

    /// `φ_k(hA)` for all `k` with `h = 1`, and what rounding may have made of it: series for `h / 2ⁿ`, doubled by `φ_k(2z) = 2⁻ᵏ [e^z φ_k(z) + Σ_{j=1..k} φ_j(z) / (k-j)!]`.
    fn dense(x: f64, y: f64) -> ([Matrix; COUNT], f64) {
        const ONE: Matrix = [[1.0, 0.0], [0.0, 1.0]];
        let doublings = (x.sqrt() + y).max(1.0).log2().ceil() as i32 + 2;
        let scale = 0.5_f64.powi(doublings);
        let a = [[0.0, scale], [-x * scale, -y * scale]];
        let factorial = |k: usize| (1..=k).fold(1.0, |f, i| f * i as f64);
        let mut out: [Matrix; COUNT] = std::array::from_fn(|k| {
            let (mut sum, mut power) = ([[0.0; 2]; 2], ONE);
            for i in 0..30 {
                for (sum, power) in sum.iter_mut().flatten().zip(power.iter().flatten()) {
                    *sum += power / factorial(k + i);
                }
                power = product(power, a);
            }
            sum
        });
        for _ in 0..doublings {
            let before = out;
            out = std::array::from_fn(|k| {
                let mut sum = product(before[0], before[k]);
                for j in 1..=k {
                    for (sum, term) in sum.iter_mut().flatten().zip(before[j].iter().flatten()) {
                        *sum += term / factorial(k - j);
                    }
                }
                sum.map(|row| row.map(|s| s * 0.5_f64.powi(k as i32)))
            });
        }
        (out, 4.0 * f64::EPSILON / scale)
    }

    /// Underdamped, critically damped, nearly so on either side, overdamped, without stiffness, and where one way of computing meets another.
    #[test]
    fn functions_are_those_of_the_matrix() {
        let mut cases =
            vec![(0.0, 0.3), (0.0, 3.99), (0.0, 4.01), (0.0, 900.0), (1e-9, 5.0), (1e-3, 300.0), (2.0, 50.0)];
        for frequency in [0.1, 1.0, 1.9999, 2.0001, 3.9, 4.1, 30.0_f64] {
            for ratio in [1e-9, 0.1, 0.99, 1.0 - 1e-9, 1.0, 1.0 + 1e-9, 1.01, 1.5, 3.0, 20.0] {
                cases.push((frequency * frequency, 2.0 * ratio * frequency));
            }
        }
        for (x, y) in cases {
            let (found, (expected, rounding)) = (Functions::new(x, y), dense(x, y));
            for k in 0..COUNT {
                // Speeds in units of the frequency: what errors of either are worth.
                let unit = x.sqrt().max(1.0);
                let [alpha, beta] = [found.alpha[k], found.beta[k]];
                let matrix = [[alpha, beta], [-x * beta, alpha - y * beta]];
                for (i, j) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                    let weight = unit.powi(j as i32 - i as i32);
                    let error = weight * (matrix[i][j] - expected[k][i][j]).abs();
                    assert!(error < rounding, "{k} {i} {j}, {x} {y}: {} {}", matrix[i][j], expected[k][i][j]);
                }
            }
        }
    }

    /// Eigenvalues far apart and far from zero neither overflow nor lose what is slow: `α_k → φ_k(-x/y)`, `β_k → α_k / y`.
    #[test]
    fn strong_damping_stays_finite() {
        for (x, y) in [(0.0, 1e8), (1e8, 1e8), (1e15, 1e8), (1e16, 2e8), (1e16, 1.0), (3e300, 1e150), (0.0, 1e300)] {
            let f = Functions::new(x, y);
            assert!(f.alpha.iter().chain(&f.beta).all(|x| x.is_finite() && x.abs() <= 1.0), "{x} {y}: {f:?}");
        }
        let f = Functions::new(1e8, 1e8);
        for (k, expected) in decay(1.0).into_iter().enumerate() {
            assert!((f.alpha[k] - expected).abs() < 1e-7 && (1e8 * f.beta[k] - expected).abs() < 1e-7, "{k}: {f:?}");
        }
    }

    #[test]
    fn without_damping_they_are_stumpff_numbers() {
        for x in [0.0, 1e-9, 0.4, 4.0, 40.0] {
            let (c, f, nearly) = (stumpff(x), Functions::new(x, 0.0), Functions::new(x, 1e-15));
            for k in 0..COUNT {
                assert_eq!([f.alpha[k], f.beta[k]], [c[k], c[k + 1]]);
                assert!((nearly.alpha[k] - c[k]).abs() < 2e-14 && (nearly.beta[k] - c[k + 1]).abs() < 2e-14, "{k} {x}");
            }
        }
    }
}
