//! Exact modes of a uniform rod in stretch or twist.
//!
//! `u(x) = a₁ sin kx + a₂ cos kx` with `ω² = (stiffness / inertia per length) k²`.

use super::root::sign_changes;
use super::{End, Support};

/// One mode of stretch or twist. Its scale is arbitrary.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RodMode {
    /// Wave number `k`.
    pub wave_number: f64,
    /// `a₁` and `a₂`.
    pub coefficients: [f64; 2],
}

/// The first `count` elastic modes; `load` is what the far end carries over the inertia per length.
pub fn rod_modes(support: Support, load: f64, length: f64, count: usize) -> Vec<RodMode> {
    let (root, tip) = support.rod_ends();
    // Held at the root: sin kx; free there: cos kx.
    let held = matches!(root, End::Clamped | End::Pinned);
    let coefficients = if held { [1.0, 0.0] } else { [0.0, 1.0] };
    let equation = |x: f64| {
        let mode = RodMode { wave_number: x / length, coefficients };
        let (value, slope) = (mode.derivative(0, length), mode.derivative(1, length) / mode.wave_number);
        match tip {
            End::Clamped | End::Pinned => value,
            End::Free => slope,
            // u' = k² (load) u
            End::Loaded => slope - mode.wave_number * load * value,
        }
    };
    sign_changes(equation, count).into_iter().map(|x| RodMode { wave_number: x / length, coefficients }).collect()
}

impl RodMode {
    /// Angular frequency for `stiffness / inertia per length`.
    pub fn frequency(&self, stiffness_over_inertia: f64) -> f64 {
        self.wave_number * stiffness_over_inertia.sqrt()
    }

    /// The shape or its first derivative at `x`.
    pub fn derivative(&self, order: i32, x: f64) -> f64 {
        let ([a, b], (s, c)) = (self.coefficients, (self.wave_number * x).sin_cos());
        if order == 0 { a * s + b * c } else { self.wave_number * (a * c - b * s) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    #[test]
    fn quarter_and_half_waves() {
        for (i, mode) in rod_modes(Support::ClampedFree, 0.0, 3.0, 4).iter().enumerate() {
            assert!((mode.wave_number * 3.0 / (PI * (i as f64 + 0.5)) - 1.0).abs() < 1e-13);
        }
        for (i, mode) in rod_modes(Support::FreeFree, 0.0, 3.0, 4).iter().enumerate() {
            assert!((mode.wave_number * 3.0 / (PI * (i as f64 + 1.0)) - 1.0).abs() < 1e-13);
        }
        // x tan x = 1 for a load equal to the rod: x = 0.860333589…
        let loaded = rod_modes(Support::ClampedLoaded, 3.0, 3.0, 1)[0];
        assert!((loaded.wave_number * 3.0 - 0.860_333_589_019_379_8).abs() < 1e-12);
    }
}
