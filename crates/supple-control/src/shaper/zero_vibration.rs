//! ZV and its derivatives: the ZV shaper after itself, as often as the order says.
//!
//! With `K = exp(-ζπ/√(1-ζ²))`, by which a mode decays in half a period, ZV is `1/(1+K)` now and `K/(1+K)` half a period later: what the
//! first impulse leaves, the second one cancels. Each convolution adds a zero at the mode, so one more derivative vanishes.

use super::damped;
use std::f64::consts::PI;

/// Times in half damped periods, and amplitudes.
pub(super) fn design(order: usize, damping: f64) -> (Vec<f64>, Vec<f64>) {
    let decay = (-damping * PI / damped(damping)).exp();
    let (first, second) = (1.0 / (1.0 + decay), decay / (1.0 + decay));
    let mut amplitudes = vec![0.0; order + 1];
    amplitudes[0] = 1.0;
    for _ in 0..order {
        for i in (0..=order).rev() {
            let before = if i == 0 { 0.0 } else { amplitudes[i - 1] };
            amplitudes[i] = first * amplitudes[i] + second * before;
        }
    }
    ((0..=order).map(|i| i as f64).collect(), amplitudes)
}
