//! A motion over time as signals: what other blocks follow.

use super::kind::{Hinges, Kind, Needs, Output, Setting, SettingError};
use crate::trajectory::Trajectory;
use supple::integrate::{Measured, Role, Sampled};

struct Reference(Trajectory);

/// The kind.
pub static KIND: Kind = Kind {
    name: "trajectory",
    role: Role::Sensor,
    about: "a desired motion over time: cycloid, quintic, jerk_limited, table or csv",
    parameters: &[],
    inputs: &[],
    outputs: &[
        Output { name: "position", unit: "rad, m", meaning: "desired coordinate" },
        Output { name: "speed", unit: "rad/s, m/s", meaning: "desired speed" },
        Output { name: "acceleration", unit: "rad/s², m/s²", meaning: "desired acceleration" },
    ],
    hinges: Hinges::None,
    needs: Needs::Trajectory,
    gives_states: false,
    make,
};

fn make(setting: &Setting) -> Result<Box<dyn Sampled>, SettingError> {
    match &setting.trajectory {
        Some(trajectory) => Ok(Box::new(Reference(trajectory.clone()))),
        None => Err(SettingError::new("kind", "there is no motion", "cycloid, quintic, jerk_limited, table or csv")),
    }
}

impl Sampled for Reference {
    fn sample(&mut self, measured: &Measured<'_>, outputs: &mut [f64]) {
        let at = self.0.at(measured.time);
        outputs.copy_from_slice(&[at.position, at.speed, at.acceleration]);
    }
}
