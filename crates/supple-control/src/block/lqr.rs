//! A linear-quadratic regulator: state feedback by the linear model about the start of the run.
//!
//! ```text
//! u = u₀ - K (x - x_ref)
//! ```
//!
//! `u₀` holds the plant where it was linearised; hinges of the reference move as told, its modes rest.

use super::kalman::{POSES, schedule};
use super::kind::{Bound, Hinges, Input, Kind, Needs, Otherwise, Output, Parameter, Setting, SettingError, Takes};
use crate::linear::{LinearDesign, Schedule, clamped, subtract};
use supple::integrate::{Measured, Role, Sampled};
use supple::spatial::{Scalar, Traced};

/// Weights of states and efforts.
pub(super) static WEIGHTS: [Parameter; 3] = [
    Parameter {
        key: "q",
        takes: Takes::MaybeNumbers,
        meaning: "weights of the states, coordinates before speeds: one for all, one for each, or a whole matrix row after row; default: 1",
    },
    Parameter {
        key: "r",
        takes: Takes::MaybeNumbers,
        meaning: "weights of the efforts: one for all hinges or one for each; default: 1",
    },
    Parameter {
        key: "u_clamp",
        takes: Takes::Maybe(Bound::Positive),
        meaning: "greatest effort, either way, N m or N; default: none but the effort limits of the hinges",
    },
];

/// Where the hinges are to be.
pub(super) static WANTED: [Input; 2] = [
    Input {
        key: "reference",
        otherwise: Otherwise::Number(0.0),
        meaning: "desired coordinates of the hinges; default: those at the start of the run",
    },
    Input {
        key: "reference_speed",
        otherwise: Otherwise::Number(0.0),
        meaning: "desired speeds; default: those of `reference`, or 0",
    },
];

/// The kind.
pub static KIND: Kind = Kind {
    name: "lqr",
    role: Role::Controller,
    about: "linear-quadratic regulator designed from the linear model in the run's own start, on the state or an observer's estimate",
    parameters: &[WEIGHTS[0], WEIGHTS[1], WEIGHTS[2], POSES],
    inputs: &[
        WANTED[0],
        WANTED[1],
        Input {
            key: "state",
            otherwise: Otherwise::States,
            meaning: "name of an observer; default: the state itself, without error",
        },
    ],
    outputs: &[Output { name: "effort", unit: "N m, N", meaning: "effort of the controller" }],
    hinges: Hinges::Several,
    needs: Needs::Linear,
    gives_states: false,
    make,
};

struct Lqr {
    schedule: Schedule,
    feedback: Feedback,
}

/// State feedback about a reference.
pub(super) struct Feedback {
    /// Coordinates and speeds of the hinges among the states.
    pub hinges: Vec<[usize; 2]>,
    clamp: f64,
    follows: bool,
    deviation: Vec<f64>,
    pub pose: Vec<f64>,
}

impl Feedback {
    pub fn new(setting: &Setting, schedule: &Schedule) -> Result<Self, SettingError> {
        let n = schedule.sizes().states;
        let hinges: Vec<[usize; 2]> = setting.hinges.iter().map(|place| [place.own[0], n / 2 + place.own[1]]).collect();
        Ok(Self {
            pose: vec![0.0; hinges.len()],
            clamp: setting.positive_or("u_clamp", f64::INFINITY)?,
            follows: setting.is_connected("reference"),
            deviation: vec![0.0; n],
            hinges,
        })
    }

    /// Takes states, as deviations from a point or as deviations that they are already.
    pub fn take(&mut self, states: &[f64], point: Option<&[f64]>) {
        self.deviation.copy_from_slice(states);
        if let Some(point) = point {
            self.deviation.iter_mut().zip(point).for_each(|(own, point)| *own -= point);
        }
    }

    /// Efforts for a desired motion of the hinges.
    pub fn efforts(&mut self, schedule: &mut Schedule, wanted: [&[f64]; 2], outputs: &mut [f64]) {
        let mut deviation = std::mem::take(&mut self.deviation);
        for (pose, [coordinate, _]) in self.pose.iter_mut().zip(&self.hinges) {
            *pose = schedule.point()[*coordinate] + deviation[*coordinate];
        }
        self.follow(schedule.point(), wanted, &mut deviation);
        self.feed_back(schedule.at(&self.pose), &deviation, outputs);
        self.deviation = deviation;
    }

    /// The same on recorded numbers, from states that deviate from the point of the design. False where gains are scheduled over poses.
    pub fn record(
        &self,
        schedule: &Schedule,
        wanted: [&[Traced]; 2],
        mut deviation: Vec<Traced>,
        outputs: &mut [Traced],
    ) -> bool {
        let Some(design) = schedule.only() else { return false };
        self.follow(schedule.point(), wanted, &mut deviation);
        self.feed_back(design, &deviation, outputs);
        true
    }

    /// Deviations from a reference instead of the point.
    fn follow<T: Scalar>(&self, point: &[f64], [wanted, speeds]: [&[T]; 2], deviation: &mut [T]) {
        for (j, [coordinate, speed]) in self.hinges.iter().enumerate().filter(|_| self.follows) {
            deviation[*coordinate] -= wanted[j] - T::from_f64(point[*coordinate]);
            deviation[*speed] -= speeds[j];
        }
    }

    /// `u₀ - K x` within the limit.
    fn feed_back<T: Scalar>(&self, design: &LinearDesign, deviation: &[T], outputs: &mut [T]) {
        outputs.iter_mut().zip(&design.u).for_each(|(effort, held)| *effort = T::from_f64(*held));
        subtract(&design.feedback, deviation, outputs);
        if self.clamp.is_finite() {
            outputs.iter_mut().for_each(|effort| *effort = clamped(*effort, T::from_f64(self.clamp)));
        }
    }
}

fn make(setting: &Setting) -> Result<Box<dyn Sampled>, SettingError> {
    let schedule = schedule(setting)?;
    Ok(Box::new(Lqr { feedback: Feedback::new(setting, &schedule)?, schedule }))
}

impl Sampled for Lqr {
    fn sample(&mut self, measured: &Measured<'_>, outputs: &mut [f64]) {
        let n = self.feedback.hinges.len();
        let (wanted, rest) = measured.signals.split_at(n);
        let (speeds, states) = rest.split_at(n);
        self.feedback.take(states, Some(self.schedule.point()));
        self.feedback.efforts(&mut self.schedule, [wanted, speeds], outputs);
    }

    fn record(&self, _: &mut [Traced], signals: &[Traced], outputs: &mut [Traced]) -> bool {
        let n = self.feedback.hinges.len();
        let (wanted, rest) = signals.split_at(n);
        let (speeds, states) = rest.split_at(n);
        let point = self.schedule.point().iter();
        let deviation = states.iter().zip(point).map(|(x, point)| *x - Traced::from_f64(*point)).collect();
        self.feedback.record(&self.schedule, [wanted, speeds], deviation, outputs)
    }
}
