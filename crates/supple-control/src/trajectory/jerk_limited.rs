//! Rest to rest as fast as bounds of speed, acceleration and jerk allow.
//!
//! The jerk is `+J, 0, -J` while the speed rises, zero while it holds, `-J, 0, +J` while it falls. The speed rises in a time `t_a`, of which
//! `t_j` at each end changes the acceleration:
//!
//! ```text
//! bound that is met        t_j             t_a
//! speed, acceleration      A/J             t_j + V/A
//! speed                    √(V/J)          2 t_j
//! acceleration             A/J             t_j/2 + √(t_j²/4 + h/A)
//! none                     ∛(h/2J)         2 t_j
//! ```

use super::Sample;
use crate::error::ProfileError;
use crate::rules;

/// Bounds of a motion, all positive.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MotionLimits {
    /// Greatest speed, rad/s or m/s.
    pub speed: f64,
    /// Greatest acceleration, rad/s² or m/s².
    pub acceleration: f64,
    /// Greatest jerk, rad/s³ or m/s³.
    pub jerk: f64,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct JerkLimited {
    positions: [f64; 2],
    /// Signed by the direction of the way.
    jerk: f64,
    /// `t_j` and `t_a`.
    rise: [f64; 2],
    /// Where the jerk jumps: start, three of the rise, three of the fall, end.
    pub breaks: Vec<f64>,
}

impl JerkLimited {
    pub fn new(start: f64, positions: [f64; 2], limits: MotionLimits) -> Result<Self, ProfileError> {
        rules::finite("time", &[start])?;
        rules::finite("position", &positions)?;
        let MotionLimits { speed, acceleration, jerk } = limits;
        for (quantity, value) in [("speed", speed), ("acceleration", acceleration), ("jerk", jerk)] {
            if !(value > 0.0 && value.is_finite()) {
                return Err(ProfileError::Bound { quantity, value });
            }
        }
        let way = (positions[1] - positions[0]).abs();
        rules::representable("way", start, &[way])?;
        let (mut tj, mut ta) = (acceleration / jerk, acceleration / jerk + speed / acceleration);
        if speed / acceleration < acceleration / jerk {
            tj = (speed / jerk).sqrt();
            ta = 2.0 * tj;
        }
        let mut hold = way / speed - ta;
        if hold < 0.0 {
            hold = 0.0;
            tj = acceleration / jerk;
            ta = 0.5 * tj + (0.25 * tj * tj + way / acceleration).sqrt();
            if ta < 2.0 * tj {
                tj = (0.5 * way / jerk).cbrt();
                ta = 2.0 * tj;
            }
        }
        let end = start + 2.0 * ta + hold;
        rules::representable("duration", start, &[end])?;
        rules::increasing(&[start, end])?;
        let rise = [0.0, tj, ta - tj, ta].map(|t| start + t);
        let fall = [ta, ta - tj, tj, 0.0].map(|t| end - t);
        let mut breaks = rise.to_vec();
        breaks.extend(fall);
        breaks.dedup_by(|b, a| *b <= *a);
        if let Some(last) = breaks.last_mut() {
            *last = end;
        }
        let jerk = jerk.copysign(positions[1] - positions[0]);
        Ok(Self { positions, jerk, rise: [tj, ta], breaks })
    }

    /// Each half is expressed from its own end, which is then exact.
    pub fn at(&self, time: f64) -> Sample {
        let [start, end] = [self.breaks[0], self.breaks[self.breaks.len() - 1]];
        let early = time - start <= 0.5 * (end - start);
        let s = self.rise(if early { time - start } else { end - time });
        match early {
            true => Sample { position: self.positions[0] + s.position, ..s },
            false => Sample { position: self.positions[1] - s.position, acceleration: -s.acceleration, ..s },
        }
    }

    /// Way, speed and acceleration a time after the start.
    fn rise(&self, time: f64) -> Sample {
        let [tj, ta] = self.rise;
        let mut s = Sample::default();
        let mut left = time;
        for (duration, jerk) in [(tj, self.jerk), (ta - 2.0 * tj, 0.0), (tj, -self.jerk)] {
            let t = left.min(duration);
            let Sample { position, speed, acceleration } = s;
            s = Sample {
                position: position + t * (speed + t * (0.5 * acceleration + t * jerk / 6.0)),
                speed: speed + t * (acceleration + 0.5 * t * jerk),
                acceleration: acceleration + t * jerk,
            };
            left -= t;
            if left <= 0.0 {
                return s;
            }
        }
        Sample { position: s.position + left * s.speed, speed: s.speed, acceleration: 0.0 }
    }
}
