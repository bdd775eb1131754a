//! A linear-quadratic regulator on its own Kalman filter.

use super::kalman::{Filter, MEASURED, NOISE, POSES, schedule};
use super::kind::{Hinges, Kind, Needs, Output, Setting, SettingError};
use super::lqr::{Feedback, WANTED, WEIGHTS};
use crate::linear::Schedule;
use supple::integrate::{Measured, Role, Sampled};
use supple::spatial::Traced;

/// The kind.
pub static KIND: Kind = Kind {
    name: "lqg",
    role: Role::Controller,
    about: "linear-quadratic regulator on its own Kalman filter, both designed from the linear model in the run's own start",
    parameters: &[WEIGHTS[0], WEIGHTS[1], WEIGHTS[2], NOISE[0], NOISE[1], NOISE[2], POSES],
    inputs: &[WANTED[0], WANTED[1], MEASURED],
    outputs: &[Output { name: "effort", unit: "N m, N", meaning: "effort of the controller" }],
    hinges: Hinges::Several,
    needs: Needs::Linear,
    gives_states: false,
    make,
};

struct Lqg {
    schedule: Schedule,
    filter: Filter,
    feedback: Feedback,
    /// Coordinates of the hinges among the states, and where they were last.
    hinges: Vec<usize>,
    pose: Vec<f64>,
    /// What it did last.
    efforts: Vec<f64>,
}

fn make(setting: &Setting) -> Result<Box<dyn Sampled>, SettingError> {
    let schedule = schedule(setting)?;
    let feedback = Feedback::new(setting, &schedule)?;
    let hinges: Vec<usize> = feedback.hinges.iter().map(|place| place[0]).collect();
    let (pose, efforts) = (vec![0.0; hinges.len()], vec![0.0; hinges.len()]);
    Ok(Box::new(Lqg { filter: Filter::new(&schedule), feedback, hinges, pose, efforts, schedule }))
}

impl Sampled for Lqg {
    fn sample(&mut self, measured: &Measured<'_>, outputs: &mut [f64]) {
        let n = self.hinges.len();
        let (wanted, rest) = measured.signals.split_at(n);
        let (speeds, told) = rest.split_at(n);
        self.filter.place(&self.schedule, &self.hinges, &mut self.pose);
        self.filter.update(&mut self.schedule, &self.pose, &self.efforts, told);
        self.feedback.take(&self.filter.estimate.state, None);
        self.feedback.efforts(&mut self.schedule, [wanted, speeds], outputs);
        self.efforts.copy_from_slice(outputs);
    }

    fn limited(&mut self, output: usize, excess: f64) {
        // The filter reckons with what acted.
        if let Some(effort) = self.efforts.get_mut(output) {
            *effort -= excess;
        }
    }

    fn record(&self, memory: &mut [Traced], signals: &[Traced], outputs: &mut [Traced]) -> bool {
        let n = self.hinges.len();
        let (wanted, rest) = signals.split_at(n);
        let (speeds, told) = rest.split_at(n);
        let (efforts, filter) = memory.split_at_mut(n);
        let Some(estimate) = Filter::record(&self.schedule, filter, efforts, told) else { return false };
        let done = self.feedback.record(&self.schedule, [wanted, speeds], estimate, outputs);
        efforts.copy_from_slice(outputs);
        done
    }

    fn save(&self) -> Vec<f64> {
        self.efforts.iter().copied().chain(self.filter.save()).collect()
    }

    fn load(&mut self, from: &[f64]) -> bool {
        let Some((efforts, filter)) = from.split_at_checked(self.efforts.len()) else { return false };
        self.efforts.copy_from_slice(efforts);
        self.filter.load(filter)
    }
}
