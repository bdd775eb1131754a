//! A straight line.

use super::Sample;
use crate::error::ProfileError;
use crate::rules;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct ConstantRate {
    pub times: [f64; 2],
    position: f64,
    speed: f64,
}

impl ConstantRate {
    pub fn new(times: [f64; 2], position: f64, speed: f64) -> Result<Self, ProfileError> {
        rules::increasing(&times)?;
        rules::finite("position", &[position])?;
        rules::finite("speed", &[speed])?;
        let motion = Self { times, position, speed };
        rules::representable("position", times[0], &[times[1] - times[0], motion.at(times[1]).position])?;
        Ok(motion)
    }

    pub fn at(&self, time: f64) -> Sample {
        let position = self.position + self.speed * (time - self.times[0]);
        Sample { position, speed: self.speed, acceleration: 0.0 }
    }
}
