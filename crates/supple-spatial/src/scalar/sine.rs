//! Sine and cosine of `f64` without branches, for targets that round `a · b + c` once: several of them fill vector registers.
//!
//! ```text
//! x = n π/2 + r + t        |r| ≤ π/4, t what rounding took from r
//! sin r = r + r³ p(r²),    cos r = 1 - r²/2 + r⁴ q(r²)
//! ```
//!
//! `p` and `q` are minimax polynomials, found by Remez's exchange for `|r| ≤ π/4 + 1e-3`: relative error of the sine below
//! 4e-18, error of the cosine below 5e-20. Rounding brings the error to less than one unit in the last place.

use core::f64::consts::{FRAC_2_PI, FRAC_PI_2};

/// Far below what [`TO_INTEGER`] can round, and where the tests reach.
pub(super) const LARGEST: f64 = 1e9;

/// What is left of `π/2`, and of it.
const FRAC_PI_2_REST: [f64; 2] = [6.123_233_995_736_766e-17, -1.497_384_904_859_169_8e-33];

/// Coefficients of `p`.
const SINE: [f64; 6] = [
    -0.166_666_666_666_666_32,
    0.008_333_333_333_322_285,
    -0.000_198_412_698_297_000_3,
    2.755_731_365_296_367e-6,
    -2.505_075_178_849_337_2e-8,
    1.589_641_656_937_065_5e-10,
];

/// Coefficients of `q`.
const COSINE: [f64; 6] = [
    0.041_666_666_666_666_6,
    -0.001_388_888_888_887_395,
    2.480_158_728_936_829_2e-5,
    -2.755_731_431_800_774e-7,
    2.087_571_842_662_090_5e-9,
    -1.135_938_805_165_153e-11,
];

/// Adding this number leaves an integer in the last bits.
const TO_INTEGER: f64 = 6_755_399_441_055_744.0;

/// `a b + c`, rounded once on any target.
#[cfg(feature = "std")]
#[inline(always)]
fn fma(a: f64, b: f64, c: f64) -> f64 {
    a.mul_add(b, c)
}
#[cfg(not(feature = "std"))]
use libm::fma;

/// Sine and cosine, for `|x|` up to [`LARGEST`].
#[inline(always)]
pub(super) fn sin_cos(x: f64) -> (f64, f64) {
    let shifted = fma(x, FRAC_2_PI, TO_INTEGER);
    let (quadrant, n) = (shifted.to_bits(), shifted - TO_INTEGER);
    // Multiples of 2⁻⁵³ below 1: this difference is exact. What the next two lose is kept in t.
    let from = fma(n, -FRAC_PI_2, x);
    let rest = n * FRAC_PI_2_REST[0];
    let r = from - rest;
    let lost = fma(n, FRAC_PI_2_REST[0], -rest);
    let t = fma(n, -FRAC_PI_2_REST[1], ((from - r) - rest) - lost);

    // cos(r + t) = (1 - r²/2) + (its rounding error + r⁴ q - r t)
    let z = r * r;
    let half = 0.5 * z;
    let head = 1.0 - half;
    let tail = fma(z * z, polynomial(&COSINE, z), (1.0 - head) - half);
    let cosine = head + fma(-r, t, tail);
    // sin(r + t) = r + (r³ p + t cos r)
    let sine = r + fma(r * z, polynomial(&SINE, z), t * cosine);

    let swap = quadrant & 1 != 0;
    let signed = |value: f64, quadrant: u64| f64::from_bits(value.to_bits() ^ ((quadrant & 2) << 62));
    let (y, x) = if swap { (cosine, sine) } else { (sine, cosine) };
    (signed(y, quadrant), signed(x, quadrant.wrapping_add(1)))
}

/// `c₀ + c₁ z + … + c₅ z⁵`, by pairs: shorter chains than one by one.
#[inline(always)]
fn polynomial(c: &[f64; 6], z: f64) -> f64 {
    let pair = |i: usize| fma(c[i + 1], z, c[i]);
    let square = z * z;
    fma(fma(pair(4), square, pair(2)), square, pair(0))
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use super::super::{Lanes, Scalar};
    use super::*;
    use core::f64::consts::PI;

    /// Distance in units of the last place.
    fn ulps(a: f64, b: f64) -> f64 {
        let unit = f64::from_bits(b.abs().to_bits() + 1) - b.abs();
        (a - b).abs() / unit
    }

    /// The standard library is within 0.6 units of the exact value: results of less than one unit of error differ from it by one
    /// at most.
    #[test]
    fn neighbours_of_the_standard_library() {
        let mut seed = 1_u64;
        let mut uniform = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 11) as f64 / (1_u64 << 53) as f64
        };
        let mut worst = 0.0_f64;
        for size in [1e-9, 1e-3, 0.8, 1.6, 10.0, 1e3, 1e5, 1e7, LARGEST] {
            for _ in 0..50_000 {
                let x = (2.0 * uniform() - 1.0) * size;
                let (sine, cosine) = sin_cos(x);
                let (expected_sine, expected_cosine) = x.sin_cos();
                worst = worst.max(ulps(sine, expected_sine)).max(ulps(cosine, expected_cosine));
            }
        }
        assert!(worst <= 1.0, "{worst}");
    }

    /// Numbers next to multiples of `π/2`, where almost all digits cancel.
    #[test]
    fn next_to_multiples_of_a_right_angle() {
        for n in (1..2_000).chain((1..300).map(|i| i * 2_000_003)) {
            let near = n as f64 * FRAC_PI_2;
            for bits in near.to_bits() - 2..=near.to_bits() + 2 {
                let x = f64::from_bits(bits);
                let (sine, cosine) = sin_cos(x);
                let (expected_sine, expected_cosine) = x.sin_cos();
                assert!(ulps(sine, expected_sine) <= 1.0 && ulps(cosine, expected_cosine) <= 1.0, "{x}");
            }
        }
    }

    /// Against 60 digits.
    #[test]
    fn exact_values() {
        for (x, sine, cosine) in EXACT {
            let (s, c) = sin_cos(x);
            assert!(ulps(s, sine) <= 1.0 && ulps(c, cosine) <= 1.0, "{x}: {s} {c}");
        }
    }

    #[test]
    fn lanes_are_the_same_to_the_last_bit() {
        for x in [[0.3, -2.0, 1e3, 1e-8], [0.3, 1e12, -1e300, 7.0], [f64::NAN, f64::INFINITY, 0.0, -1.0]] {
            let (sines, cosines) = Lanes(x).sin_cos();
            for i in 0..4 {
                let (sine, cosine) = Scalar::sin_cos(x[i]);
                assert_eq!(sines.0[i].to_bits(), sine.to_bits());
                assert_eq!(cosines.0[i].to_bits(), cosine.to_bits());
            }
        }
    }

    const EXACT: [(f64, f64, f64); 6] = [
        (0.5, 0.479425538604203, 0.8775825618903728),
        (FRAC_PI_2, 1.0, 6.123233995736766e-17),
        (-PI, -1.2246467991473532e-16, -1.0),
        (22.0, -0.008851309290403876, -0.9999608263946371),
        (355.0, -3.014435335948845e-05, -0.999999999545659),
        (123456789.125, 0.9998763854272629, 0.01572303612257408),
    ];
}
