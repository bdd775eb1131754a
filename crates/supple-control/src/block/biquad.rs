//! Filters of second order, made discrete by the bilinear transformation with prewarping.
//!
//! `s = k (z - 1)/(z + 1)` with `k = ω/tan(ωT/2)`: at the angular frequency `ω` the discrete filter has exactly the response of the
//! continuous one.

use super::kind::{Setting, SettingError};
use supple::integrate::{Measured, Sampled};
use supple::spatial::{Scalar, Traced};

/// A filter with its memory.
pub(super) struct Biquad {
    b: [f64; 3],
    a: [f64; 2],
    memory: [f64; 2],
    begun: bool,
}

impl Biquad {
    /// From `(b₀ + b₁ s + b₂ s²)/(a₀ + a₁ s + a₂ s²)`.
    pub fn new(b: [f64; 3], a: [f64; 3], omega: f64, period: f64) -> Self {
        let k = omega / (0.5 * omega * period).tan();
        let discrete = |c: [f64; 3]| {
            let [c0, c1, c2] = [c[0], c[1] * k, c[2] * k * k];
            [c0 + c1 + c2, 2.0 * (c0 - c2), c0 - c1 + c2]
        };
        let (b, a) = (discrete(b), discrete(a));
        Self { b: b.map(|b| b / a[0]), a: [a[1] / a[0], a[2] / a[0]], memory: [0.0; 2], begun: false }
    }

    /// The frequency of a parameter, in rad/s, which must be below half the rate.
    pub fn frequency(setting: &Setting, key: &'static str) -> Result<f64, SettingError> {
        let hertz = setting.positive(key)?;
        let most = 0.5 / setting.period;
        if hertz < most {
            Ok(std::f64::consts::TAU * hertz)
        } else {
            let expected = format!("below half the `update_rate`, {most} Hz");
            Err(SettingError::new(key, format!("it is {hertz} Hz"), expected))
        }
    }
}

impl Biquad {
    /// One call: the memory as it is saved, and what goes in; what comes out.
    fn update<T: Scalar>(&self, memory: &mut [T; 3], x: T) -> T {
        let ([b0, b1, b2], [a1, a2]) = (self.b.map(T::from_f64), self.a.map(T::from_f64));
        // At first as if the input had always been there.
        let [sum, share] = [self.b[0] + self.b[1] + self.b[2], 1.0 + self.a[0] + self.a[1]].map(T::from_f64);
        let y = x * sum / share;
        let (begun, at_first) = (T::ZERO.less_than(memory[2]), [y - b0 * x, b2 * x - a2 * y]);
        let held = [0, 1].map(|i| T::select(begun, memory[i], at_first[i]));
        // Transposed direct form II.
        let y = b0 * x + held[0];
        *memory = [b1 * x - a1 * y + held[1], b2 * x - a2 * y, T::ONE];
        y
    }
}

impl Sampled for Biquad {
    fn sample(&mut self, measured: &Measured<'_>, outputs: &mut [f64]) {
        let mut memory = [self.memory[0], self.memory[1], f64::from(u8::from(self.begun))];
        outputs[0] = self.update(&mut memory, measured.signals[0]);
        (self.memory, self.begun) = ([memory[0], memory[1]], true);
    }

    fn record(&self, memory: &mut [Traced], signals: &[Traced], outputs: &mut [Traced]) -> bool {
        let Ok(memory) = memory.try_into() else { return false };
        outputs[0] = self.update(memory, signals[0]);
        true
    }

    fn save(&self) -> Vec<f64> {
        vec![self.memory[0], self.memory[1], f64::from(u8::from(self.begun))]
    }

    fn load(&mut self, from: &[f64]) -> bool {
        let [first, second, begun] = from else { return false };
        (self.memory, self.begun) = ([*first, *second], *begun != 0.0);
        true
    }
}
