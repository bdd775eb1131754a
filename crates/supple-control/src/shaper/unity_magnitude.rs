//! Zero vibration by impulses 1, -1, 1, for actuators that are on or off.
//!
//! Two equations for the two times, in half damped periods and with `σ = ζ/√(1-ζ²)`:
//!
//! ```text
//! 1 - exp(πτ₂(σ + i)) + exp(πτ₃(σ + i)) = 0
//! ```
//!
//! Without damping `τ₂ = 1/3`, `τ₃ = 2/3`.

use super::newton::{Phasor, continued};
use std::f64::consts::PI;
use supple::spatial::Dual;

/// Times in half damped periods, and amplitudes.
pub(super) fn design(damping: f64) -> Option<(Vec<f64>, Vec<f64>)> {
    let equations = |sigma: f64, tau: &[Dual<f64>], out: &mut Vec<Dual<f64>>| {
        let one = Phasor::of(Dual::constant(1.0), Dual::constant(0.0), Dual::constant(0.0));
        let [second, third] = [tau[0], tau[1]].map(|tau| {
            let turn = Dual::constant(PI) * tau;
            Phasor::of(Dual::constant(1.0), Dual::constant(sigma) * turn, turn)
        });
        out.extend([one.re - second.re + third.re, one.im - second.im + third.im]);
    };
    let tau = continued(&[1.0 / 3.0, 2.0 / 3.0], damping, equations)?;
    let ordered = tau[0] > 0.0 && tau[1] > tau[0];
    ordered.then(|| (vec![0.0, tau[0], tau[1]], vec![1.0, -1.0, 1.0]))
}
