//! The desired motion of one coordinate.
//!
//! | made by                        | between its ends                                                            |
//! |--------------------------------|-----------------------------------------------------------------------------|
//! | [`Trajectory::cycloidal`]      | rest to rest, acceleration one period of a sine                             |
//! | [`Trajectory::quintic`]        | polynomial with position, speed and acceleration given at both ends         |
//! | [`Trajectory::constant_rate`]  | straight line                                                               |
//! | [`Trajectory::spin_up`]        | rest to constant speed, acceleration one period of `1 - cos`                |
//! | [`Trajectory::table`]          | cubic spline through points, continuous to the second derivative            |
//! | [`Trajectory::jerk_limited`]   | rest to rest as fast as bounds of speed, acceleration and jerk allow        |
//! | [`Trajectory::shaped`]         | another motion, convolved with the impulses of a shaper                     |
//! | [`Trajectory::sequence`]       | several of these, one after the other, at rest in the pauses                |
//!
//! Before its start and after its end a trajectory is at rest at its end points. At a break it has the value after
//! the break. So the speed of a motion that starts or ends with one jumps there: [`Trajectory::first`] and [`Trajectory::last`]
//! give the jump. A hinge with prescribed accelerations can start with a speed, if its state has it, but cannot stop at once.

mod cycloidal;
mod jerk_limited;
mod polynomial;
mod quintic;
mod rate;
mod segment;
mod shaped;
mod spin_up;
mod spline;

pub use jerk_limited::MotionLimits;
pub use spline::SplineEnds;

use crate::error::ProfileError;
use crate::rules;
use crate::shaper::Shaper;
use cycloidal::Cycloidal;
use jerk_limited::JerkLimited;
use quintic::Quintic;
use rate::ConstantRate;
use segment::Segment;
use shaped::Shaped;
use spin_up::SpinUp;
use spline::Spline;

/// Differences between the ends of segments that count as rounding, relative to the sizes that occur there.
const CLOSE: f64 = 1e-9;

/// Position, speed and acceleration of a coordinate.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Sample {
    /// The coordinate: rad or m.
    pub position: f64,
    /// Its rate.
    pub speed: f64,
    /// The rate of its rate.
    pub acceleration: f64,
}

impl Sample {
    /// No motion.
    pub fn at_rest(position: f64) -> Self {
        Self { position, speed: 0.0, acceleration: 0.0 }
    }
}

/// The desired motion of one coordinate, at every time.
#[derive(Clone, Debug, PartialEq)]
pub struct Trajectory {
    /// In order of time; never empty.
    segments: Vec<Segment>,
    breaks: Vec<f64>,
}

impl Trajectory {
    /// From one position to another, at rest at both ends: acceleration `2π h/T² sin 2πτ` over the time `T`, `h` the way.
    ///
    /// # Errors
    /// Times that do not increase or are too close, numbers that are not finite, motion that overflows.
    pub fn cycloidal(times: [f64; 2], positions: [f64; 2]) -> Result<Self, ProfileError> {
        Ok(Self::of(Segment::Cycloidal(Cycloidal::new(times, positions)?)))
    }

    /// The polynomial of degree five with these positions, speeds and accelerations at its ends.
    ///
    /// # Errors
    /// Times that do not increase or are too close, numbers that are not finite, motion that overflows.
    pub fn quintic(times: [f64; 2], ends: [Sample; 2]) -> Result<Self, ProfileError> {
        Ok(Self::of(Segment::Quintic(Quintic::new(times, ends)?)))
    }

    /// From a position at a constant speed, which may be zero.
    ///
    /// # Errors
    /// Times that do not increase or are too close, numbers that are not finite, motion that overflows.
    pub fn constant_rate(times: [f64; 2], position: f64, speed: f64) -> Result<Self, ProfileError> {
        Ok(Self::of(Segment::ConstantRate(ConstantRate::new(times, position, speed)?)))
    }

    /// From rest at a position to a speed `w`: acceleration `w/T (1 - cos 2πτ)` over the time `T`, in which it goes `w T/2` far.
    ///
    /// # Errors
    /// Times that do not increase or are too close, numbers that are not finite, motion that overflows.
    pub fn spin_up(times: [f64; 2], position: f64, speed: f64) -> Result<Self, ProfileError> {
        Ok(Self::of(Segment::SpinUp(SpinUp::new(times, position, speed)?)))
    }

    /// The cubic spline through points, exact at them.
    ///
    /// # Errors
    /// Lists of different lengths, fewer than two points, times that do not increase or are too close, numbers that are
    /// not finite, motion that overflows.
    pub fn table(times: &[f64], positions: &[f64], ends: SplineEnds) -> Result<Self, ProfileError> {
        Ok(Self::of(Segment::Spline(Spline::new(times, positions, ends)?)))
    }

    /// From one position to another, at rest at both ends, as fast as the bounds allow. The acceleration is continuous.
    ///
    /// # Errors
    /// Bounds that are not positive, numbers that are not finite, no way at all, motion that overflows.
    pub fn jerk_limited(start: f64, positions: [f64; 2], limits: MotionLimits) -> Result<Self, ProfileError> {
        Ok(Self::of(Segment::JerkLimited(JerkLimited::new(start, positions, limits)?)))
    }

    /// This motion, convolved with the impulses of a shaper: it ends later by the duration of the shaper.
    #[must_use]
    pub fn shaped(self, shaper: &Shaper) -> Self {
        Self::of(Segment::Shaped(Shaped::new(self, shaper.clone())))
    }

    /// One trajectory after the other; where one starts later than the last one ends, the coordinate rests.
    ///
    /// # Errors
    /// None at all, one that starts before the last one ends, a jump of position or speed of more than a billionth of
    /// the positions and speeds that occur there.
    pub fn sequence(parts: Vec<Trajectory>) -> Result<Self, ProfileError> {
        let segments: Vec<Segment> = parts.into_iter().flat_map(|part| part.segments).collect();
        let Some(first) = segments.first() else {
            return Err(ProfileError::TooFew { quantity: "segments", found: 0, least: 1 });
        };
        let mut breaks = first.breaks().to_vec();
        for (i, pair) in segments.windows(2).enumerate() {
            let touch = check_joint(i + 1, &pair[0], &pair[1])?;
            if touch {
                breaks.pop();
            }
            breaks.extend_from_slice(pair[1].breaks());
        }
        Ok(Self { segments, breaks })
    }

    fn of(segment: Segment) -> Self {
        let breaks = segment.breaks().to_vec();
        Self { segments: vec![segment], breaks }
    }

    /// Position, speed and acceleration at a time; a time that is not a number gives no numbers.
    pub fn at(&self, time: f64) -> Sample {
        if time.is_nan() {
            return Sample { position: f64::NAN, speed: f64::NAN, acceleration: f64::NAN };
        }
        match self.segments.partition_point(|segment| segment.start() <= time) {
            0 => Sample::at_rest(self.first().position),
            begun => {
                let segment = &self.segments[begun - 1];
                if time < segment.end() { segment.at(time) } else { Sample::at_rest(segment.last().position) }
            }
        }
    }

    /// Times at which the motion is not smooth, in order; its ends are among them.
    pub fn breaks(&self) -> &[f64] {
        &self.breaks
    }

    /// When the motion starts.
    pub fn start(&self) -> f64 {
        self.segments[0].start()
    }

    /// When the motion ends.
    pub fn end(&self) -> f64 {
        self.segments[self.segments.len() - 1].end()
    }

    /// The motion just after its start.
    pub fn first(&self) -> Sample {
        self.segments[0].first()
    }

    /// The motion just before its end.
    pub fn last(&self) -> Sample {
        self.segments[self.segments.len() - 1].last()
    }
}

/// Whether segment `index` follows on the one before it without a pause; an error when it cannot follow.
fn check_joint(index: usize, earlier: &Segment, later: &Segment) -> Result<bool, ProfileError> {
    let (end, start) = (earlier.end(), later.start());
    let touch = rules::same_time(end, start);
    if start < end && !touch {
        return Err(ProfileError::NotIncreasing { index, previous: end, time: start });
    }
    let (before, after) = (earlier.last(), later.first());
    let ways = [earlier, later].map(|s| (s.last().position - s.first().position).abs());
    let size = before.position.abs().max(after.position.abs()).max(ways[0]).max(ways[1]);
    let pace = [earlier, later].map(|s| s.first().speed.abs().max(s.last().speed.abs()));
    let mean = [(ways[0], earlier), (ways[1], later)].map(|(way, s)| way / (s.end() - s.start()));
    let rate = pace[0].max(pace[1]).max(mean[0]).max(mean[1]);
    let jump = |quantity, time, before: f64, after: f64, size: f64| {
        let same = (before - after).abs() <= CLOSE * size;
        if same { Ok(()) } else { Err(ProfileError::Jump { segment: index, time, quantity, before, after }) }
    };
    jump("position", start, before.position, after.position, size)?;
    if touch {
        jump("speed", start, before.speed, after.speed, rate)?;
    } else {
        jump("speed", end, before.speed, 0.0, rate)?;
        jump("speed", start, 0.0, after.speed, rate)?;
    }
    Ok(touch)
}
