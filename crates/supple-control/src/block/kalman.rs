//! A Kalman filter: coordinates and speeds of hinges and modes from what is measured, by the linear model about the start of the run.

use super::kind::{Bound, Hinges, Input, Kind, Needs, Otherwise, Parameter, Setting, SettingError, Takes};
use crate::linear::{Estimate, Schedule};
use supple::integrate::{Measured, Role, Sampled};
use supple::spatial::{Scalar, Traced};

/// Noise that a filter reckons with.
pub(super) static NOISE: [Parameter; 3] = [
    Parameter {
        key: "process_noise",
        takes: Takes::MaybeNumbers,
        meaning: "standard deviation of unknown efforts, from instant to instant, N m or N: one for all hinges or one for each; default: 1",
    },
    Parameter {
        key: "mode_noise",
        takes: Takes::NumberOr(Bound::NotNegative, 0.0),
        meaning: "the same for forces on modes, in their own units, for effects that the model neglects; default: 0",
    },
    Parameter {
        key: "sensor_noise",
        takes: Takes::MaybeNumbers,
        meaning: "standard deviations of the measurements: one for all or one for each; default: the noise of the sensors",
    },
];

/// Poses that a design is made for.
pub(super) const POSES: Parameter = Parameter {
    key: "poses",
    takes: Takes::MaybeNumbers,
    meaning: "gain scheduling: coordinates of the hinges at the poses that gains are designed for, one pose after the other; default: the start of the run",
};

/// What is measured.
pub(super) const MEASURED: Input = Input {
    key: "measured",
    otherwise: Otherwise::Measurements,
    meaning: "what sensors measure: a list of sensors, or of quantities without error",
};

/// What acts.
pub(super) const EFFORT: Input = Input {
    key: "effort",
    otherwise: Otherwise::EffortBefore,
    meaning: "efforts at the hinges until this instant; default: those of the block that acts there",
};

/// The kind.
pub static KIND: Kind = Kind {
    name: "kalman",
    role: Role::Observer,
    about: "Kalman filter on the linear model about the start of the run: coordinates and speeds of hinges and modes",
    parameters: &[NOISE[0], NOISE[1], NOISE[2], POSES],
    inputs: &[MEASURED, EFFORT],
    outputs: &[],
    hinges: Hinges::Several,
    needs: Needs::Linear,
    gives_states: true,
    make,
};

struct Kalman {
    schedule: Schedule,
    /// Coordinates of the hinges among the states.
    hinges: Vec<usize>,
    filter: Filter,
    pose: Vec<f64>,
}

/// The estimate between instants, and the deviations that it is told.
pub(super) struct Filter {
    pub estimate: Estimate,
    outputs: Vec<f64>,
    inputs: Vec<f64>,
    begun: bool,
}

impl Filter {
    pub fn new(schedule: &Schedule) -> Self {
        let sizes = schedule.sizes();
        let (outputs, inputs) = (vec![0.0; sizes.outputs], vec![0.0; sizes.inputs]);
        Self { estimate: Estimate::new(sizes), outputs, inputs, begun: false }
    }

    /// The pose as it was estimated last.
    pub fn place(&self, schedule: &Schedule, hinges: &[usize], pose: &mut [f64]) {
        let (x, estimate) = (schedule.point(), &self.estimate.state);
        pose.iter_mut().zip(hinges).for_each(|(pose, place)| *pose = x[*place] + estimate[*place]);
    }

    /// Goes on from the last instant under efforts and takes what is measured now.
    pub fn update(&mut self, schedule: &mut Schedule, pose: &[f64], efforts: &[f64], outputs: &[f64]) {
        let design = schedule.at(pose);
        let deviate = |own: &mut Vec<f64>, told: &[f64], point: &[f64]| {
            own.iter_mut().zip(told.iter().zip(point)).for_each(|(own, (told, point))| *own = told - point);
        };
        deviate(&mut self.inputs, efforts, &design.u);
        deviate(&mut self.outputs, outputs, &design.y);
        if self.begun {
            self.estimate.predict(design, &self.inputs);
        }
        self.begun = true;
        self.estimate.correct(design, &self.inputs, &self.outputs);
    }

    /// One call on recorded numbers: the memory as it is saved, and the estimate after it. None where gains are scheduled over poses.
    pub fn record(
        schedule: &Schedule,
        memory: &mut [Traced],
        efforts: &[Traced],
        outputs: &[Traced],
    ) -> Option<Vec<Traced>> {
        let design = schedule.only()?;
        let deviation = |told: &[Traced], point: &[f64]| -> Vec<Traced> {
            told.iter().zip(point).map(|(told, point)| *told - Traced::from_f64(*point)).collect()
        };
        let (inputs, outputs) = (deviation(efforts, &design.u), deviation(outputs, &design.y));
        let (begun, before) = memory.split_last_mut()?;
        let mut estimate = Estimate::<Traced>::new(schedule.sizes());
        estimate.state.copy_from_slice(before);
        estimate.predict(design, &inputs);
        let is_later = Traced::ZERO.less_than(*begun);
        for (own, before) in estimate.state.iter_mut().zip(&*before) {
            *own = Traced::select(is_later, *own, *before);
        }
        estimate.correct(design, &inputs, &outputs);
        before.copy_from_slice(&estimate.state);
        *begun = Traced::ONE;
        Some(estimate.state)
    }

    pub fn save(&self) -> Vec<f64> {
        self.estimate.state.iter().copied().chain([f64::from(u8::from(self.begun))]).collect()
    }

    pub fn load(&mut self, from: &[f64]) -> bool {
        let [state @ .., begun] = from else { return false };
        if state.len() != self.estimate.state.len() {
            return false;
        }
        self.estimate.state.copy_from_slice(state);
        self.begun = *begun != 0.0;
        true
    }
}

/// The schedule that the run has designed.
pub(super) fn schedule(setting: &Setting) -> Result<Schedule, SettingError> {
    let missing = || SettingError::new("kind", "there is no design", "gains from a linear model");
    setting.schedule.clone().ok_or_else(missing)
}

fn make(setting: &Setting) -> Result<Box<dyn Sampled>, SettingError> {
    let schedule = schedule(setting)?;
    let hinges: Vec<usize> = setting.hinges.iter().map(|place| place.own[0]).collect();
    let (filter, pose) = (Filter::new(&schedule), vec![0.0; hinges.len()]);
    Ok(Box::new(Kalman { schedule, hinges, filter, pose }))
}

impl Sampled for Kalman {
    fn sample(&mut self, measured: &Measured<'_>, outputs: &mut [f64]) {
        let (told, efforts) = measured.signals.split_at(measured.signals.len() - self.hinges.len());
        self.filter.place(&self.schedule, &self.hinges, &mut self.pose);
        self.filter.update(&mut self.schedule, &self.pose, efforts, told);
        let found = self.filter.estimate.state.iter().zip(self.schedule.point());
        outputs.iter_mut().zip(found).for_each(|(output, (deviation, x))| *output = deviation + x);
    }

    fn record(&self, memory: &mut [Traced], signals: &[Traced], outputs: &mut [Traced]) -> bool {
        let (told, efforts) = signals.split_at(signals.len() - self.hinges.len());
        let Some(found) = Filter::record(&self.schedule, memory, efforts, told) else { return false };
        let found = found.iter().zip(self.schedule.point());
        outputs.iter_mut().zip(found).for_each(|(output, (deviation, x))| *output = *deviation + Traced::from_f64(*x));
        true
    }

    fn save(&self) -> Vec<f64> {
        self.filter.save()
    }

    fn load(&mut self, from: &[f64]) -> bool {
        self.filter.load(from)
    }
}
