//! From what a file says of quantities over time to functions of time.

use std::array;

use supple_control::{ProfileError, Sample, Signal, SplineEnds, Trajectory};

use super::{Curve, Motion, MotionCurve, Move, Samples, Scenario, SpinUp, WrenchCurve};

impl MotionCurve {
    /// The motion of a hinge that is at `initial` when the run starts; a constant speed lasts for the `duration` of the run.
    ///
    /// A table is a cubic spline that starts and ends at rest, so that nothing jumps but the acceleration.
    ///
    /// # Errors
    /// Numbers that make no motion; none for the curves of a scenario that was read.
    pub fn trajectory(&self, initial: f64, duration: f64) -> Result<Trajectory, ProfileError> {
        let times = |told: &Move| [told.start, told.start + told.duration];
        let positions = |told: &Move| [told.from.unwrap_or(initial), told.to];
        match self {
            Self::Cycloid(told) => Trajectory::cycloidal(times(told), positions(told)),
            Self::Quintic(told) => Trajectory::quintic(times(told), positions(told).map(Sample::at_rest)),
            Self::JerkLimited(told) => {
                Trajectory::jerk_limited(told.start, [told.from.unwrap_or(initial), told.to], told.limits)
            }
            Self::Rate(rate) => Trajectory::constant_rate([0.0, duration], initial, *rate),
            Self::SpinUp(told) => told.trajectory(initial, duration),
            Self::Table(Samples { times, values }) => Trajectory::table(times, values, SplineEnds::AtRest),
        }
    }
}

impl SpinUp {
    /// The start, and the constant speed up to the end of the run where that comes later.
    fn trajectory(&self, initial: f64, end_of_run: f64) -> Result<Trajectory, ProfileError> {
        let end = self.start + self.duration;
        let start = Trajectory::spin_up([self.start, end], initial, self.rate)?;
        if end_of_run <= end {
            return Ok(start);
        }
        let kept = Trajectory::constant_rate([end, end_of_run], start.last().position, self.rate)?;
        Trajectory::sequence(vec![start, kept])
    }
}

impl Curve {
    /// The torque or force as a function of time.
    ///
    /// # Errors
    /// Numbers that make no signal; none for the curves of a scenario that was read.
    pub fn signal(&self) -> Result<Signal, ProfileError> {
        match self {
            Self::Constant(value) => Signal::constant(*value),
            Self::Steps(Samples { times, values }) => Signal::steps(times, values),
            Self::Table(Samples { times, values }) => Signal::table(times, values),
        }
    }
}

impl WrenchCurve {
    /// Components of the force, then of the moment, as functions of time.
    ///
    /// # Errors
    /// Numbers that make no signal; none for the curves of a scenario that was read.
    pub fn signals(&self) -> Result<[[Signal; 3]; 2], ProfileError> {
        let component = |part: usize, axis: usize| {
            let of = |samples: &Samples<[[f64; 3]; 2]>| Samples {
                times: samples.times.clone(),
                values: samples.values.iter().map(|wrench| wrench[part][axis]).collect(),
            };
            match self {
                Self::Constant(wrench) => Curve::Constant(wrench[part][axis]),
                Self::Steps(samples) => Curve::Steps(of(samples)),
                Self::Table(samples) => Curve::Table(of(samples)),
            }
        };
        let curves: [[Curve; 3]; 2] = array::from_fn(|part| array::from_fn(|axis| component(part, axis)));
        // Arrays have no `try_map` yet.
        let [[a, b, c], [d, e, f]] = &curves;
        Ok([[a.signal()?, b.signal()?, c.signal()?], [d.signal()?, e.signal()?, f.signal()?]])
    }
}

impl Scenario {
    /// The motion of one of its hinges, from its initial coordinate and over its run.
    ///
    /// # Errors
    /// As [`MotionCurve::trajectory`].
    pub fn trajectory(&self, motion: &Motion) -> Result<Trajectory, ProfileError> {
        let initial = self.initial.hinge_coordinates(&self.model.model, motion.body);
        motion.curve.trajectory(initial.first().copied().unwrap_or(0.0), self.duration)
    }
}
