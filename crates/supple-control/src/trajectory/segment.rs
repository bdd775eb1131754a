//! One piece of a trajectory.

use super::Sample;
use super::cycloidal::Cycloidal;
use super::jerk_limited::JerkLimited;
use super::quintic::Quintic;
use super::rate::ConstantRate;
use super::shaped::Shaped;
use super::spin_up::SpinUp;
use super::spline::Spline;

/// A motion between two times.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Segment {
    Cycloidal(Cycloidal),
    Quintic(Quintic),
    ConstantRate(ConstantRate),
    SpinUp(SpinUp),
    Spline(Spline),
    JerkLimited(JerkLimited),
    Shaped(Shaped),
}

impl Segment {
    /// Times at which it is not smooth: its ends and the points of a table.
    pub fn breaks(&self) -> &[f64] {
        match self {
            Self::Cycloidal(s) => &s.times,
            Self::Quintic(s) => &s.times,
            Self::ConstantRate(s) => &s.times,
            Self::SpinUp(s) => &s.times,
            Self::Spline(s) => &s.times,
            Self::JerkLimited(s) => &s.breaks,
            Self::Shaped(s) => &s.breaks,
        }
    }

    pub fn start(&self) -> f64 {
        self.breaks()[0]
    }

    pub fn end(&self) -> f64 {
        self.breaks()[self.breaks().len() - 1]
    }

    /// The motion at a time between its ends.
    pub fn at(&self, time: f64) -> Sample {
        match self {
            Self::Cycloidal(s) => s.at(time),
            Self::Quintic(s) => s.at(time),
            Self::ConstantRate(s) => s.at(time),
            Self::SpinUp(s) => s.at(time),
            Self::Spline(s) => s.at(time),
            Self::JerkLimited(s) => s.at(time),
            Self::Shaped(s) => s.at(time),
        }
    }

    pub fn first(&self) -> Sample {
        self.at(self.start())
    }

    pub fn last(&self) -> Sample {
        self.at(self.end())
    }
}
