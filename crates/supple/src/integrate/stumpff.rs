//! The functions `c_k(x) = Σ (-x)ⁱ / (k + 2i)!`: what an oscillator of `x = (ω h)²` does in the time `h`.
//!
//! `c₀ = cos √x`, `c₁ = sin √x / √x`, and `c_k = 1/k! - x c_{k+2}`. With `A = [0, 1; -ω², 0]`, `φ_k(h A) = c_k + c_{k+1} h A`.

/// Number of functions computed.
pub(super) const COUNT: usize = 5;

/// `1 / k!`, the values at zero.
pub(super) const AT_REST: [f64; COUNT] = [1.0, 1.0, 0.5, 1.0 / 6.0, 1.0 / 24.0];

/// `c₀` to `c₄` at `x`, which is negative for a runaway.
pub(super) fn stumpff(x: f64) -> [f64; COUNT] {
    if x.abs() < 1.0 {
        // The last two by series, the others from them.
        let series = |first: u32| {
            let mut term = (1..=first).fold(1.0, |f, i| f / f64::from(i));
            let mut sum = term;
            for i in (first + 1..first + 20).step_by(2) {
                term *= -x / (f64::from(i) * f64::from(i + 1));
                sum += term;
            }
            sum
        };
        let (c3, c4) = (series(3), series(4));
        let (c1, c2) = (1.0 - x * c3, 0.5 - x * c4);
        return [1.0 - x * c2, c1, c2, c3, c4];
    }
    let root = x.abs().sqrt();
    let (c0, c1) = if x > 0.0 { (root.cos(), root.sin() / root) } else { (root.cosh(), root.sinh() / root) };
    let (c2, c3) = ((1.0 - c0) / x, (1.0 - c1) / x);
    [c0, c1, c2, c3, (0.5 - c2) / x]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn series_and_closed_forms_meet_and_are_the_sums() {
        for x in [-30.0, -1.0, -0.999999, -0.3, 0.0, 1e-9, 0.4, 0.9999999, 1.0, 7.0, 40.0_f64] {
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
