//! The functions `c_k(x) = Σ (-x)ⁱ / (k + 2i)!`: what an oscillator of `x = (ω h)²` does in the time `h`.
//!
//! `c₀ = cos √x`, `c₁ = sin √x / √x`, and `c_k = 1/k! - x c_{k+2}`. With `A = [0, 1; -ω², 0]`, `φ_k(h A) = c_k + c_{k+1} h A`.

/// Number of functions computed.
pub(super) const COUNT: usize = 8;

/// `1 / k!`, the values at zero.
pub(super) const AT_REST: [f64; COUNT] = [1.0, 1.0, 0.5, 1.0 / 6.0, 1.0 / 24.0, 1.0 / 120.0, 1.0 / 720.0, 1.0 / 5040.0];

/// `c₀` to `c₇` at `x`; below zero they are hyperbolic.
pub(super) fn stumpff(x: f64) -> [f64; COUNT] {
    let mut c = AT_REST;
    if x.abs() < 4.0 {
        // The last two by series, the others from them.
        for k in [COUNT - 1, COUNT - 2] {
            let mut term = c[k];
            for i in (k + 1..k + 25).step_by(2) {
                term *= -x / (i * (i + 1)) as f64;
                c[k] += term;
            }
        }
        for k in (0..COUNT - 2).rev() {
            c[k] = AT_REST[k] - x * c[k + 2];
        }
    } else {
        let root = x.abs().sqrt();
        (c[0], c[1]) = if x > 0.0 { (root.cos(), root.sin() / root) } else { (root.cosh(), root.sinh() / root) };
        for k in 2..COUNT {
            c[k] = (AT_REST[k - 2] - c[k - 2]) / x;
        }
    }
    c
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn series_and_closed_forms_meet_and_are_the_sums() {
        for x in [-30.0, -4.0, -3.999999, -0.3, 0.0, 1e-9, 0.4, 3.9999999, 4.0, 7.0, 40.0_f64] {
            let c = stumpff(x);
            for (k, c) in c.iter().enumerate() {
                let mut term = (1..=k).fold(1.0, |f, i| f / i as f64);
                let mut sum = term;
                for i in 0..40 {
                    term *= -x / ((k + 2 * i + 1) * (k + 2 * i + 2)) as f64;
                    sum += term;
                }
                assert!((c - sum).abs() < 1e-13 * sum.abs().max(1.0), "{k} {x}: {c} {sum}");
            }
        }
        assert_eq!(stumpff(0.0), AT_REST);
    }
}
