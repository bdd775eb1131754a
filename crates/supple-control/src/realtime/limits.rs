//! Limits of a drive, enforced on the command before it is sent.
//!
//! An effort beyond its limit is cut, one that changes too fast follows as fast as it may. Where the hinge has reached a limit of position or speed, an effort that
//! would drive it further is none. What is measured beyond these limits is a fault: see [`DriveLimits::position_bounds`].

use super::watch::Bounds;

/// By how much of the limit what is measured may exceed it: brakes are for more.
const MARGIN: f64 = 0.05;

/// Limits of a drive; infinite where there are none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DriveLimits {
    /// Least and greatest position, rad or m.
    pub position: [f64; 2],
    /// Greatest speed, rad/s or m/s.
    pub speed: f64,
    /// Greatest acceleration, rad/s² or m/s².
    pub acceleration: f64,
    /// Greatest effort, N m or N.
    pub effort: f64,
    /// Greatest rate of the effort, N m/s or N/s.
    pub effort_rate: f64,
}

impl Default for DriveLimits {
    fn default() -> Self {
        let none = f64::INFINITY;
        Self { position: [-none, none], speed: none, acceleration: none, effort: none, effort_rate: none }
    }
}

impl DriveLimits {
    /// What the measured position may be.
    pub fn position_bounds(&self, is_angle: bool) -> Bounds {
        let [least, most] = self.position;
        let room = if (most - least).is_finite() { MARGIN * (most - least) } else { 0.0 };
        Bounds { range: [least - room, most + room], rate: (1.0 + MARGIN) * self.speed, is_angle }
    }

    /// What the measured speed may be.
    pub fn speed_bounds(&self) -> Bounds {
        let most = (1.0 + MARGIN) * self.speed;
        Bounds { range: [-most, most], rate: (1.0 + MARGIN) * self.acceleration, is_angle: false }
    }

    /// What the effort may be where it arrives; rounding is allowed for.
    pub fn effort_bounds(&self) -> Bounds {
        let [most, rate] = [self.effort, self.effort_rate].map(|limit| limit * (1.0 + 1e-9));
        Bounds { range: [-most, most], rate, is_angle: false }
    }

    /// The effort that may be sent `period` after `last`.
    pub fn limit(&self, effort: f64, last: f64, measured: [f64; 2], period: f64) -> f64 {
        let [position, speed] = measured;
        let further = |above: bool, below: bool| (above && effort > 0.0) || (below && effort < 0.0);
        let beyond = further(position >= self.position[1], position <= self.position[0])
            || further(speed >= self.speed, speed <= -self.speed);
        let (wanted, step) = (if beyond || !effort.is_finite() { 0.0 } else { effort }, self.effort_rate * period);
        wanted.clamp(-self.effort, self.effort).clamp(last - step, last + step)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn efforts_stay_within_all_limits() {
        let limits =
            DriveLimits { position: [-1.0, 2.0], speed: 0.5, acceleration: 9.0, effort: 10.0, effort_rate: 1000.0 };
        let limit = |effort, last, position, speed| limits.limit(effort, last, [position, speed], 1e-3);
        assert_eq!(limit(99.0, 9.5, 0.0, 0.0), 10.0);
        assert_eq!(limit(-99.0, 9.5, 0.0, 0.0), 8.5, "the rate");
        assert_eq!(limit(0.7, 0.0, 2.0, 0.0), 0.0, "against the upper end");
        assert_eq!(limit(-0.7, 0.0, 2.0, 0.0), -0.7, "away from it");
        assert_eq!(limit(-0.7, 0.0, -1.5, 0.0), 0.0, "against the lower end");
        assert_eq!(limit(0.7, 0.0, 0.0, 0.5), 0.0, "faster");
        assert_eq!(limit(-0.7, 0.0, 0.0, 0.5), -0.7, "slower");
        assert_eq!(limit(f64::NAN, 0.5, 0.0, 0.0), 0.0, "no number");
        let free = DriveLimits::default();
        assert_eq!(free.limit(1e9, 0.0, [1e9, 1e9], 1e-3), 1e9);
        assert_eq!(free.position_bounds(true).range, [f64::NEG_INFINITY, f64::INFINITY]);
        let [least, most] = limits.position_bounds(true).range;
        assert!((least + 1.15).abs() < 1e-12 && (most - 2.15).abs() < 1e-12);
    }
}
