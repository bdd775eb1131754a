//! Straight motions of a frame in space, from pose to pose, with bounded speed, acceleration and jerk.
//!
//! Position and attitude follow one path parameter `s` from 0 to 1, `r = a + s (b - a)` and `R = R_a exp(s θ)` with one axis of rotation, so that both arrive
//! together. The bounds of `s` are the stricter ones of translation and rotation. The frame rests at every pose.

use supple::spatial::{Motion, Quaternion, Vector3};

use crate::error::ProfileError;
use crate::rules;
use crate::trajectory::{MotionLimits, Trajectory};

/// A pose of a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Position, m.
    pub position: [f64; 3],
    /// Attitude: a unit quaternion `(x, y, z, w)`, axes of the frame to inertial axes.
    pub attitude: [f64; 4],
}

/// Bounds of translation and rotation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CartesianLimits {
    /// Of the position: m/s, m/s², m/s³.
    pub linear: MotionLimits,
    /// Of the rotation: rad/s, rad/s², rad/s³.
    pub angular: MotionLimits,
}

/// A frame at a time, in inertial axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrameSample {
    /// Pose.
    pub pose: Pose,
    /// Angular velocity and velocity.
    pub velocity: Motion<f64>,
    /// Angular acceleration and acceleration.
    pub acceleration: Motion<f64>,
}

/// A motion from pose to pose.
///
/// ```
/// use supple_control::{CartesianLimits, CartesianTrajectory, MotionLimits, Pose};
///
/// let upright = [0.0, 0.0, 0.0, 1.0];
/// let poses = [Pose { position: [0.0; 3], attitude: upright }, Pose { position: [1.0, 0.0, 0.0], attitude: upright }];
/// let bounds = MotionLimits { speed: 0.5, acceleration: 1.0, jerk: 10.0 };
/// let motion = CartesianTrajectory::new(0.0, &poses, CartesianLimits { linear: bounds, angular: bounds })?;
/// let middle = motion.at(0.5 * motion.end());
/// assert!((middle.pose.position[0] - 0.5).abs() < 1e-12 && (middle.velocity.linear.0[0] - 0.5).abs() < 1e-12);
/// # Ok::<(), supple_control::ProfileError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct CartesianTrajectory {
    legs: Vec<Leg>,
    breaks: Vec<f64>,
}

/// From one pose to the next.
#[derive(Clone, Debug, PartialEq)]
struct Leg {
    from: Pose,
    to: Pose,
    /// Rotation vector in inertial axes.
    turn: Vector3<f64>,
    /// The path parameter; none where the pose stays.
    path: Option<Trajectory>,
}

/// Below this part of a unit a leg does not move.
const NO_WAY: f64 = 1e-14;

impl CartesianTrajectory {
    /// Through `poses`, from the time `start` on.
    ///
    /// # Errors
    /// Fewer than two poses, numbers that are not finite, quaternions that are not of unit length, bounds that are not positive, or poses that are all the same.
    pub fn new(start: f64, poses: &[Pose], limits: CartesianLimits) -> Result<Self, ProfileError> {
        rules::finite("time", &[start])?;
        for pose in poses {
            rules::finite("position", &pose.position)?;
            let norm = pose.attitude.iter().map(|x| x * x).sum::<f64>().sqrt();
            if norm.is_nan() || (norm - 1.0).abs() >= 1e-6 {
                return Err(ProfileError::Bound {
                    quantity: "length of a quaternion, which must be one,",
                    value: norm,
                });
            }
        }
        let mut legs = Vec::new();
        let mut time = start;
        for pair in poses.windows(2) {
            let leg = Leg::new(time, pair[0], pair[1], limits)?;
            if let Some(path) = &leg.path {
                time = path.end();
                legs.push(leg);
            }
        }
        if legs.is_empty() {
            return Err(ProfileError::Bound { quantity: "way between the poses", value: 0.0 });
        }
        let mut breaks: Vec<f64> =
            legs.iter().filter_map(|leg| leg.path.as_ref()).flat_map(|path| path.breaks().to_vec()).collect();
        breaks.dedup();
        Ok(Self { legs, breaks })
    }

    /// Times at which the acceleration has a corner, in order.
    pub fn breaks(&self) -> &[f64] {
        &self.breaks
    }

    /// When it starts.
    pub fn start(&self) -> f64 {
        self.breaks.first().copied().unwrap_or(0.0)
    }

    /// When it ends.
    pub fn end(&self) -> f64 {
        self.breaks.last().copied().unwrap_or(0.0)
    }

    /// The frame at a time; at rest before the start and after the end.
    pub fn at(&self, time: f64) -> FrameSample {
        let running = |leg: &&Leg| leg.path.as_ref().is_some_and(|path| time <= path.end());
        let leg = self.legs.iter().find(running).or(self.legs.last());
        leg.map_or(FrameSample::RESTING, |leg| leg.at(time))
    }
}

impl FrameSample {
    const RESTING: Self = Self {
        pose: Pose { position: [0.0; 3], attitude: [0.0, 0.0, 0.0, 1.0] },
        velocity: Motion::ZERO,
        acceleration: Motion::ZERO,
    };
}

impl Leg {
    fn new(start: f64, from: Pose, to: Pose, limits: CartesianLimits) -> Result<Self, ProfileError> {
        let turn = turn(from.attitude, to.attitude);
        let way = (0..3).map(|i| (to.position[i] - from.position[i]).powi(2)).sum::<f64>().sqrt();
        let angle = turn.norm_squared().sqrt();
        for bounds in [limits.linear, limits.angular] {
            for (quantity, value) in
                [("speed", bounds.speed), ("acceleration", bounds.acceleration), ("jerk", bounds.jerk)]
            {
                if !(value > 0.0 && value.is_finite()) {
                    return Err(ProfileError::Bound { quantity, value });
                }
            }
        }
        if way < NO_WAY && angle < NO_WAY {
            return Ok(Self { from, to, turn, path: None });
        }
        let least = |linear: f64, angular: f64| {
            let of = |bound: f64, size: f64| if size < NO_WAY { f64::INFINITY } else { bound / size };
            of(linear, way).min(of(angular, angle))
        };
        let bounds = MotionLimits {
            speed: least(limits.linear.speed, limits.angular.speed),
            acceleration: least(limits.linear.acceleration, limits.angular.acceleration),
            jerk: least(limits.linear.jerk, limits.angular.jerk),
        };
        Ok(Self { from, to, turn, path: Some(Trajectory::jerk_limited(start, [0.0, 1.0], bounds)?) })
    }

    fn at(&self, time: f64) -> FrameSample {
        let Some(path) = &self.path else { return FrameSample::RESTING };
        let s = path.at(time);
        let way: [f64; 3] = std::array::from_fn(|i| self.to.position[i] - self.from.position[i]);
        let position = std::array::from_fn(|i| self.from.position[i] + s.position * way[i]);
        let turned = Quaternion::exponential(self.turn * s.position).product(Quaternion(self.from.attitude));
        FrameSample {
            pose: Pose { position, attitude: turned.normalized().0 },
            velocity: Motion { angular: self.turn * s.speed, linear: Vector3(way) * s.speed },
            acceleration: Motion { angular: self.turn * s.acceleration, linear: Vector3(way) * s.acceleration },
        }
    }
}

/// Rotation vector from one attitude to another the shorter way, in inertial axes.
fn turn(from: [f64; 4], to: [f64; 4]) -> Vector3<f64> {
    let back = Quaternion([-from[0], -from[1], -from[2], from[3]]);
    let turn = Quaternion(to).product(back).normalized();
    let shorter = if turn.0[3] < 0.0 { Quaternion(turn.0.map(|x| -x)) } else { turn };
    shorter.logarithm()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits() -> CartesianLimits {
        CartesianLimits {
            linear: MotionLimits { speed: 0.4, acceleration: 0.8, jerk: 3.0 },
            angular: MotionLimits { speed: 0.7, acceleration: 1.1, jerk: 5.0 },
        }
    }

    fn poses() -> [Pose; 3] {
        let half = |axis: [f64; 3], angle: f64| {
            let s = (0.5 * angle).sin();
            [axis[0] * s, axis[1] * s, axis[2] * s, (0.5 * angle).cos()]
        };
        [
            Pose { position: [0.0, 0.0, 0.0], attitude: half([1.0, 0.0, 0.0], 0.3) },
            Pose { position: [0.6, -0.3, 0.2], attitude: half([0.0, 1.0, 0.0], 1.4) },
            Pose { position: [0.5, -0.3, 0.2], attitude: half([0.0, 0.6, 0.8], -2.0) },
        ]
    }

    /// Rates are derivatives of the pose, and the jerk found by differences keeps its bounds.
    #[test]
    fn rates_belong_to_the_pose_and_keep_their_bounds() {
        let motion = CartesianTrajectory::new(1.0, &poses(), limits()).unwrap();
        let h = 1e-4;
        let norm = |v: Vector3<f64>| v.norm_squared().sqrt();
        let mut fastest = [0.0_f64; 2];
        for k in 0..4000 {
            let t = 1.0 + (motion.end() - 1.0) * f64::from(k) / 4000.0;
            let [a, s, b] = [t - h, t, t + h].map(|t| motion.at(t));
            let near_break = motion.breaks().iter().any(|x| (x - t).abs() < 2.0 * h);
            if !near_break {
                for i in 0..3 {
                    let rate = (b.pose.position[i] - a.pose.position[i]) / (2.0 * h);
                    assert!((rate - s.velocity.linear.0[i]).abs() < 1e-6);
                }
                let spin = turn(a.pose.attitude, b.pose.attitude) * (0.5 / h);
                assert!(norm(spin - s.velocity.angular) < 1e-6);
                let jerk = (b.acceleration.linear - a.acceleration.linear) * (0.5 / h);
                assert!(norm(jerk) < 3.0 * (1.0 + 1e-6), "{jerk:?}");
                let turning = (b.acceleration.angular - a.acceleration.angular) * (0.5 / h);
                assert!(norm(turning) < 5.0 * (1.0 + 1e-6));
            }
            assert!(norm(s.velocity.linear) < 0.4 + 1e-12 && norm(s.velocity.angular) < 0.7 + 1e-12);
            assert!(norm(s.acceleration.linear) < 0.8 + 1e-12 && norm(s.acceleration.angular) < 1.1 + 1e-12);
            fastest[0] = fastest[0].max(norm(s.velocity.linear) / 0.4);
            fastest[1] = fastest[1].max(norm(s.velocity.angular) / 0.7);
        }
        // One of the bounds is met: no time is wasted.
        assert!(fastest[0].max(fastest[1]) > 0.999, "{fastest:?}");
    }

    #[test]
    fn it_ends_at_the_last_pose() {
        let motion = CartesianTrajectory::new(0.0, &poses(), limits()).unwrap();
        let end = motion.at(motion.end() + 1.0);
        assert!((0..3).all(|i| (end.pose.position[i] - poses()[2].position[i]).abs() < 1e-12));
        assert!(turn(end.pose.attitude, poses()[2].attitude).norm_squared().sqrt() < 1e-12);
        assert!(end.velocity.linear.norm_squared() == 0.0);
    }

    #[test]
    fn bad_questions_are_refused() {
        let [a, ..] = poses();
        assert!(CartesianTrajectory::new(0.0, &[a, a], limits()).is_err());
        assert!(CartesianTrajectory::new(0.0, &[a], limits()).is_err());
        let long = Pose { attitude: [0.0, 0.0, 0.0, 2.0], ..a };
        assert!(CartesianTrajectory::new(0.0, &[a, long], limits()).is_err());
        let still = CartesianLimits { linear: MotionLimits { speed: 0.0, ..limits().linear }, ..limits() };
        assert!(CartesianTrajectory::new(0.0, &poses(), still).is_err());
    }
}
