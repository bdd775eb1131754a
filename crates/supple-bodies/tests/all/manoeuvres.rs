//! The four manoeuvres of the Shuttle arm [DS95 4.2]: drives and layout as printed.

use std::f64::consts::TAU;
use supple::integrate::{Drive, Scheme, Simulation, Tolerance};
use supple::{Inputs, State};
use supple_bodies::catalogue::manoeuvre::Manoeuvre;
use supple_bodies::catalogue::shuttle_arm::{ShuttleArm, angles, hinges};

/// Angles planned as `0.4 (t/T - sin(2πt/T)/2π)` over 20 and 60 s: the torques move the rigid arm so all the way.
#[test]
fn planned_torques_move_the_rigid_arm_as_planned() {
    let model = ShuttleArm::rigid().build().unwrap();
    for (manoeuvre, duration) in [(Manoeuvre::PlannedFast, 20.0), (Manoeuvre::PlannedSlow, 60.0)] {
        assert_eq!(manoeuvre.duration(), duration);
        let tolerance = Tolerance { relative: 1e-10, absolute: 1e-12 };
        let drive = manoeuvre.drive(&model).unwrap();
        let mut run = Simulation::new(&model, State::new(&model), drive, Scheme::PrinceDormand8, tolerance).unwrap();
        for share in [0.25, 0.4, 0.5, 0.8, 1.0] {
            run.advance(share * duration).unwrap();
            let planned = 0.4 * (share - (TAU * share).sin() / TAU);
            for angle in angles(&model, run.state()) {
                assert!((angle - planned).abs() < 1e-6, "{manoeuvre:?} {share}: {angle}, planned {planned}");
            }
        }
    }
}

/// Steps of 2, 3.5, 2, 1, 0.5 and 0.01 kN m, and of a tenth of them, over the first half of the time.
#[test]
fn steps_are_those_in_print() {
    let model = ShuttleArm::rigid().build().unwrap();
    let printed = [2000.0, 3500.0, 2000.0, 1000.0, 500.0, 10.0];
    for (manoeuvre, share, duration) in [(Manoeuvre::SteppedFast, 1.0, 20.0), (Manoeuvre::SteppedSlow, 0.1, 60.0)] {
        let mut drive = manoeuvre.drive(&model).unwrap();
        assert_eq!((manoeuvre.duration(), drive.breaks()), (duration, &[0.5 * duration][..]));
        let (mut state, mut inputs) = (State::new(&model), Inputs::new(&model));
        for (time, on) in [(0.0, 1.0), (0.499 * duration, 1.0), (0.5 * duration, 0.0), (duration, 0.0)] {
            state.time = time;
            drive.drive(&state, &mut inputs);
            for (hinge, torque) in hinges(&model).into_iter().zip(printed) {
                let found = inputs.forces[model.hinge_speeds(hinge).start];
                assert!((found - on * share * torque).abs() < 1e-9, "{manoeuvre:?} at {time}: {found}");
            }
        }
    }
}
