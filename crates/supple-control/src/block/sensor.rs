//! A sensor with its faults: bias, noise, quantisation, dropout, freeze. Latency is the delay of the block.
//!
//! Noise is counted: the random numbers of an instant follow from the seed and the number of the instant alone, so a run that is resumed
//! meets the same ones, and two sensors with different seeds are independent.

use super::kind::{Bound, Hinges, Input, Kind, Needs, Otherwise, Output, Parameter, Setting, SettingError, Takes};
use std::f64::consts::TAU;
use supple::integrate::{Measured, Role, Sampled};

struct Sensor {
    bias: f64,
    noise: f64,
    seed: u64,
    /// Steps of the reading; zero for none.
    quantum: f64,
    dropout: f64,
    frozen: [f64; 2],
    last: f64,
    begun: bool,
}

/// The kind.
pub static KIND: Kind = Kind {
    name: "sensor",
    role: Role::Sensor,
    about: "measures a quantity, with bias, noise, quantisation, dropout and freeze",
    parameters: &[
        Parameter {
            key: "bias",
            takes: Takes::NumberOr(Bound::Any, 0.0),
            meaning: "added to every reading; default: 0",
        },
        Parameter {
            key: "noise",
            takes: Takes::NumberOr(Bound::NotNegative, 0.0),
            meaning: "standard deviation of normal noise; default: 0",
        },
        Parameter {
            key: "seed",
            takes: Takes::NumberOr(Bound::NotNegative, 0.0),
            meaning: "whole number that determines the noise and the dropouts; default: 0",
        },
        Parameter {
            key: "quantum",
            takes: Takes::NumberOr(Bound::NotNegative, 0.0),
            meaning: "readings are whole multiples of it; default: 0, any number",
        },
        Parameter {
            key: "dropout",
            takes: Takes::NumberOr(Bound::NotNegative, 0.0),
            meaning: "probability that a reading is lost and the last one is kept; default: 0",
        },
        Parameter {
            key: "freeze_from",
            takes: Takes::Maybe(Bound::NotNegative),
            meaning: "time from which the reading is frozen, s; default: never",
        },
        Parameter {
            key: "freeze_to",
            takes: Takes::Maybe(Bound::NotNegative),
            meaning: "time at which the frozen reading ends, s; default: never",
        },
    ],
    inputs: &[Input {
        key: "quantity",
        otherwise: Otherwise::Required,
        meaning: "what it measures, named as its column: hinge.NAME, speed.NAME, mode.BODY.1, strain.BODY.NODE.curvature_z, node.BODY.NODE.x, gyro.BODY.NODE.z or accelerometer.BODY.NODE.y in node axes",
    }],
    outputs: &[Output { name: "value", unit: "1", meaning: "reading" }],
    hinges: Hinges::None,
    needs: Needs::Nothing,
    gives_states: false,
    make,
};

fn make(setting: &Setting) -> Result<Box<dyn Sampled>, SettingError> {
    let seed = setting.not_negative_or("seed", 0.0)?;
    if seed.fract() != 0.0 || seed > 9e15 {
        return Err(SettingError::new("seed", format!("it is {seed}"), "a whole number up to 9e15"));
    }
    let dropout = setting.not_negative_or("dropout", 0.0)?;
    if dropout > 1.0 {
        return Err(SettingError::new("dropout", format!("it is {dropout}"), "a probability, from 0 to 1"));
    }
    let from = setting.not_negative_or("freeze_from", f64::MAX)?;
    let to = setting.not_negative_or("freeze_to", f64::MAX)?;
    if to < from {
        let what = format!("it is {to} s, before `freeze_from`, {from} s");
        return Err(SettingError::new("freeze_to", what, "a later time"));
    }
    Ok(Box::new(Sensor {
        bias: setting.number_or("bias", 0.0)?,
        noise: setting.not_negative_or("noise", 0.0)?,
        seed: seed as u64,
        quantum: setting.not_negative_or("quantum", 0.0)?,
        dropout,
        frozen: [from, to],
        last: 0.0,
        begun: false,
    }))
}

/// A number from 0 to below 1 that follows from seed and count alone (SplitMix64).
fn uniform(seed: u64, count: u64) -> f64 {
    let mut x = seed.wrapping_mul(0xD1B5_4A32_D192_ED03).wrapping_add(count.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((x ^ (x >> 31)) >> 11) as f64 * 2.0_f64.powi(-53)
}

/// A number of the standard normal distribution (Box and Muller).
fn normal(seed: u64, count: u64) -> f64 {
    let (u, v) = (1.0 - uniform(seed, count), uniform(seed, count + 1));
    (-2.0 * u.ln()).sqrt() * (TAU * v).cos()
}

/// Random numbers that an instant has for itself.
const PER_INSTANT: u64 = 3;

impl Sampled for Sensor {
    fn sample(&mut self, measured: &Measured<'_>, outputs: &mut [f64]) {
        let count = 1 + PER_INSTANT * measured.instant;
        let frozen = (self.frozen[0]..self.frozen[1]).contains(&measured.time);
        let lost = uniform(self.seed, count) < self.dropout;
        if !self.begun || !(frozen || lost) {
            let mut value = measured.signals[0] + self.bias;
            if self.noise > 0.0 {
                value += self.noise * normal(self.seed, count + 1);
            }
            if self.quantum > 0.0 {
                value = (value / self.quantum).round() * self.quantum;
            }
            (self.last, self.begun) = (value, true);
        }
        outputs[0] = self.last;
    }

    fn save(&self) -> Vec<f64> {
        vec![self.last, f64::from(u8::from(self.begun))]
    }

    fn load(&mut self, from: &[f64]) -> bool {
        let [last, begun] = from else { return false };
        (self.last, self.begun) = (*last, *begun != 0.0);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Mean, variance and independence from instant to instant and from seed to seed, within five standard errors.
    #[test]
    fn noise_is_normal_and_independent() {
        let n = 40_000;
        for seed in [0, 1, 7, 123_456_789] {
            let draw = |seed: u64, k: u64| normal(seed, 2 + PER_INSTANT * k);
            let mean = |f: &dyn Fn(u64) -> f64| (0..n).map(f).sum::<f64>() / n as f64;
            let error = 5.0 / (n as f64).sqrt();
            assert!(mean(&|k| draw(seed, k)).abs() < error);
            assert!((mean(&|k| draw(seed, k).powi(2)) - 1.0).abs() < 1.5 * error);
            assert!((mean(&|k| draw(seed, k).powi(4)) - 3.0).abs() < 10.0 * error);
            assert!(mean(&|k| draw(seed, k) * draw(seed, k + 1)).abs() < error);
            assert!(mean(&|k| draw(seed, k) * draw(seed + 1, k)).abs() < error);
        }
    }
}
