//! From rest to a constant speed by a cycloid of the speed: `ẋ = w (τ - sin(2πτ)/2π)`, `τ = (t - t₀)/T`.

use super::Sample;
use crate::error::ProfileError;
use crate::rules;
use std::f64::consts::{PI, TAU};
use supple::spatial::Scalar;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct SpinUp {
    pub times: [f64; 2],
    position: f64,
    speed: f64,
}

/// `τ²/2 - sin²(πτ)/2π²`, from 0 to ½: what `τ²/2 + (cos(2πτ) - 1)/4π²` is without the difference.
fn shape<T: Scalar>(tau: T) -> T {
    let sine = (T::from_f64(PI) * tau).sin_cos().0;
    T::from_f64(0.5) * tau * tau - sine * sine / T::from_f64(2.0 * PI * PI)
}

impl SpinUp {
    pub fn new(times: [f64; 2], position: f64, speed: f64) -> Result<Self, ProfileError> {
        rules::increasing(&times)?;
        rules::finite("position", &[position])?;
        rules::finite("speed", &[speed])?;
        let duration = times[1] - times[0];
        rules::representable("duration", times[0], &[duration])?;
        rules::representable("position", times[0], &[position + 0.5 * speed * duration])?;
        rules::representable("acceleration", times[0], &[2.0 * speed / duration])?;
        Ok(Self { times, position, speed })
    }

    pub fn at(&self, time: f64) -> Sample {
        let duration = self.times[1] - self.times[0];
        let tau = (time - self.times[0]) / duration;
        let sine = (PI * tau).sin();
        Sample {
            position: self.position + self.speed * duration * shape(tau),
            speed: self.speed * (tau - (TAU * tau).sin() / TAU),
            // 1 - cos 2πτ = 2 sin² πτ, without the difference.
            acceleration: 2.0 * (self.speed / duration) * sine * sine,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use supple::spatial::Dual;

    #[test]
    fn speed_and_acceleration_are_the_derivatives_of_the_shape() {
        let motion = SpinUp::new([0.0, 1.0], 0.0, 1.0).unwrap();
        for i in 0..=64 {
            let tau = f64::from(i) / 64.0;
            let s = shape(Dual::variable(Dual::variable(tau)));
            let found = motion.at(tau);
            assert!((found.position - s.value.value).abs() < 4.0 * f64::EPSILON, "{tau}");
            assert!((found.speed - s.derivative.value).abs() < 8.0 * f64::EPSILON, "{tau}");
            assert!((found.acceleration - s.derivative.derivative).abs() < 16.0 * f64::EPSILON, "{tau}");
        }
    }
}
