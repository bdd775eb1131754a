//! Rest to rest by a cycloid: `x = x₀ + h (τ - sin(2πτ)/2π)`, `τ = (t - t₀)/T`.

use super::Sample;
use crate::error::ProfileError;
use crate::rules;
use std::f64::consts::{PI, TAU};
use supple::spatial::Scalar;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Cycloidal {
    pub times: [f64; 2],
    positions: [f64; 2],
}

/// `τ - sin(2πτ)/2π`, from 0 to 1.
fn shape<T: Scalar>(tau: T) -> T {
    let turn = T::from_f64(TAU);
    tau - (turn * tau).sin_cos().0 / turn
}

impl Cycloidal {
    pub fn new(times: [f64; 2], positions: [f64; 2]) -> Result<Self, ProfileError> {
        rules::increasing(&times)?;
        rules::finite("position", &positions)?;
        let (duration, way) = (times[1] - times[0], positions[1] - positions[0]);
        rules::representable("duration", times[0], &[duration])?;
        rules::representable("acceleration", times[0], &[way, 2.0 * way / duration, TAU * way / duration / duration])?;
        Ok(Self { times, positions })
    }

    /// The second half is the first one turned round, so that both ends are exact.
    pub fn at(&self, time: f64) -> Sample {
        let [t0, t1] = self.times;
        let [x0, x1] = self.positions;
        let (duration, way) = (t1 - t0, x1 - x0);
        let early = time - t0 <= 0.5 * duration;
        let (tau, side) = if early { ((time - t0) / duration, 1.0) } else { ((t1 - time) / duration, -1.0) };
        let sine = (PI * tau).sin();
        Sample {
            position: if early { x0 } else { x1 } + side * way * shape(tau),
            // 1 - cos 2πτ = 2 sin² πτ, without the difference.
            speed: 2.0 * (way / duration) * sine * sine,
            acceleration: side * TAU * (way / duration / duration) * (TAU * tau).sin(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use supple::spatial::Dual;

    #[test]
    fn speed_and_acceleration_are_the_derivatives_of_the_shape() {
        let motion = Cycloidal::new([0.0, 1.0], [0.0, 1.0]).unwrap();
        for i in 0..=64 {
            let tau = f64::from(i) / 64.0;
            let s = shape(Dual::variable(Dual::variable(tau)));
            let found = motion.at(tau);
            assert!((found.position - s.value.value).abs() < 4.0 * f64::EPSILON, "{tau}");
            assert!((found.speed - s.derivative.value).abs() < 8.0 * f64::EPSILON, "{tau}");
            assert!((found.acceleration - s.derivative.derivative).abs() < 16.0 * TAU * f64::EPSILON, "{tau}");
        }
    }
}
