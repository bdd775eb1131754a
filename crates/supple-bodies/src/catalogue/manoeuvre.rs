//! The four manoeuvres of the Shuttle arm [DS95 4.2].
//!
//! | name | drive                                                                         | duration |
//! |------|-------------------------------------------------------------------------------|----------|
//! | I-f  | torques of the rigid arm for `θ(t) = 0.4 (t/T - sin(2πt/T)/2π)` at each hinge | 20 s     |
//! | I-s  | the same                                                                      | 60 s     |
//! | II-f | torques (2, 3.5, 2, 1, 0.5, 0.01) kN m up to half the time, then none         | 20 s     |
//! | II-s | a tenth of it                                                                 | 60 s     |

use super::shuttle_arm::{LINKS, ShuttleArm, hinges};
use std::f64::consts::PI;
use supple::integrate::Drive;
use supple::{BuildError, Inputs, Model, State, Workspace, inverse_dynamics};

/// Angle that manoeuvres I bring every hinge to, rad.
const FINAL_ANGLE: f64 = 0.4;
/// Torques of manoeuvre II-f, N m.
const STEP: [f64; LINKS] = [2000.0, 3500.0, 2000.0, 1000.0, 500.0, 10.0];

/// One of the four.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manoeuvre {
    /// I-f: planned angles, fast.
    PlannedFast,
    /// I-s: planned angles, slow.
    PlannedSlow,
    /// II-f: steps of torque, strong.
    SteppedFast,
    /// II-s: steps of torque, weak.
    SteppedSlow,
}

impl Manoeuvre {
    /// All four, as printed.
    pub const ALL: [Self; 4] = [Self::PlannedFast, Self::PlannedSlow, Self::SteppedFast, Self::SteppedSlow];

    /// The name in print.
    pub fn name(self) -> &'static str {
        match self {
            Self::PlannedFast => "I-f",
            Self::PlannedSlow => "I-s",
            Self::SteppedFast => "II-f",
            Self::SteppedSlow => "II-s",
        }
    }

    /// Duration `T`, s.
    pub fn duration(self) -> f64 {
        match self {
            Self::PlannedFast | Self::SteppedFast => 20.0,
            Self::PlannedSlow | Self::SteppedSlow => 60.0,
        }
    }

    /// The drive for a model of the arm.
    ///
    /// # Errors
    /// None, unless the rules for models change: the planned ones need the rigid arm.
    pub fn drive(self, arm: &Model) -> Result<ArmDrive, BuildError> {
        let hinges = hinges(arm).map(|body| arm.hinge_speeds(body).start);
        let duration = self.duration();
        let (law, breaks) = match self {
            Self::PlannedFast | Self::PlannedSlow => {
                let rigid = ShuttleArm::rigid().build()?;
                let (state, inputs, workspace) = (State::new(&rigid), Inputs::new(&rigid), Workspace::new(&rigid));
                (Law::Planned(Box::new(RigidArm { model: rigid, state, inputs, workspace, last: None })), Vec::new())
            }
            Self::SteppedFast => (Law::Stepped(STEP), vec![0.5 * duration]),
            Self::SteppedSlow => (Law::Stepped(STEP.map(|t| 0.1 * t)), vec![0.5 * duration]),
        };
        Ok(ArmDrive { hinges, duration, law, breaks })
    }
}

/// Torques at the hinges of the arm.
#[derive(Clone, Debug)]
pub struct ArmDrive {
    hinges: [usize; LINKS],
    duration: f64,
    law: Law,
    breaks: Vec<f64>,
}

#[derive(Clone, Debug)]
enum Law {
    Planned(Box<RigidArm>),
    Stepped([f64; LINKS]),
}

/// The arm with rigid booms, whose inverse dynamics give the torques.
#[derive(Clone, Debug)]
struct RigidArm {
    model: Model,
    state: State,
    inputs: Inputs,
    workspace: Workspace,
    /// The torques depend on time alone: stages at one time ask for the same.
    last: Option<(f64, [f64; LINKS])>,
}

impl RigidArm {
    fn torques(&mut self, time: f64, duration: f64) -> [f64; LINKS] {
        if let Some((last, torques)) = self.last
            && last == time
        {
            return torques;
        }
        let torques = self.rigid_torques(time, duration);
        self.last = Some((time, torques));
        torques
    }

    fn rigid_torques(&mut self, time: f64, duration: f64) -> [f64; LINKS] {
        // θ = θ_d (t/T - sin(2πt/T)/2π)                                                  [DS95 (33)]
        let w = 2.0 * PI / duration;
        let (sine, cosine) = (w * time).sin_cos();
        self.state.coordinates.fill(FINAL_ANGLE * (time / duration - sine / (2.0 * PI)));
        self.state.speeds.fill(FINAL_ANGLE / duration * (1.0 - cosine));
        self.inputs.accelerations.fill(FINAL_ANGLE / duration * w * sine);
        match inverse_dynamics(&self.model, &self.state, &self.inputs, &mut self.workspace) {
            Ok(solution) => std::array::from_fn(|i| solution.forces()[i]),
            // The integrator finds and reports it.
            Err(_) => [f64::NAN; LINKS],
        }
    }
}

impl Drive for ArmDrive {
    fn drive(&mut self, state: &State, inputs: &mut Inputs) {
        let torques = match &mut self.law {
            Law::Planned(rigid) => rigid.torques(state.time, self.duration),
            Law::Stepped(torques) if state.time < 0.5 * self.duration => *torques,
            Law::Stepped(_) => [0.0; LINKS],
        };
        for (at, torque) in self.hinges.iter().zip(torques) {
            inputs.forces[*at] = torque;
        }
    }

    fn breaks(&self) -> &[f64] {
        &self.breaks
    }
}

#[cfg(test)]
mod tests {
    use super::super::shuttle_arm::angles;
    use super::*;
    use supple::integrate::{Scheme, Simulation, Tolerance};

    /// The rigid arm follows the plan, and stops where it should.
    #[test]
    fn the_rigid_arm_follows_the_plan() {
        let model = ShuttleArm::rigid().build().unwrap();
        let manoeuvre = Manoeuvre::PlannedFast;
        let tolerance = Tolerance { relative: 1e-10, absolute: 1e-12 };
        let drive = manoeuvre.drive(&model).unwrap();
        let mut run = Simulation::new(&model, State::new(&model), drive, Scheme::PrinceDormand8, tolerance).unwrap();
        run.advance(manoeuvre.duration()).unwrap();
        for (angle, rate) in angles(&model, run.state()).iter().zip(&run.state().speeds) {
            assert!((angle - FINAL_ANGLE).abs() < 1e-6 && rate.abs() < 1e-6, "{angle} {rate}");
        }
    }

    /// A step ends at a break: just after it nothing acts.
    #[test]
    fn steps_end_at_half_time() {
        let model = ShuttleArm::rigid().build().unwrap();
        let mut drive = Manoeuvre::SteppedSlow.drive(&model).unwrap();
        assert_eq!(drive.breaks(), [30.0]);
        let (mut state, mut inputs) = (State::new(&model), Inputs::new(&model));
        drive.drive(&state, &mut inputs);
        assert_eq!(inputs.forces[1], 350.0);
        state.time = 30.0;
        drive.drive(&state, &mut inputs);
        assert!(inputs.forces.iter().all(|f| *f == 0.0));
    }
}
