//! Time moves: steps that would not move it are refused at once, clocks are kept, and what makes a motion overflow is named.

use crate::motions::{SCHEMES, free, pendulum};
use std::time::{Duration, Instant};
use supple::integrate::{IntegrationError, Limits, Scheme, Simulation, Stepping, Tolerance};
use supple::spatial::{Force, Vector3};
use supple::{BodyIndex, Inputs, NodeIndex, State, Wrench, WrenchFrame};

fn stepping(scheme: Scheme, step: f64) -> Stepping {
    match scheme.estimates_error() {
        true => Stepping::Adaptive(Tolerance { relative: 1e-8, absolute: 1e-8 }),
        false => Stepping::Fixed(step),
    }
}

#[test]
fn a_step_that_does_not_move_the_time_is_refused() {
    let (model, start) = pendulum();
    for scheme in SCHEMES {
        // At 1.7e9 s, times are 2.4e-7 s apart; at 1e17 s, 16 s.
        for (time, step, end) in [(1.7e9, 1e-7, 1.7e9 + 1.0), (1e17, 1e-3, 1e17 + 1600.0)] {
            let late = State { time, ..start.clone() };
            let stepping = if scheme.takes_fixed_steps() { Stepping::Fixed(step) } else { stepping(scheme, step) };
            let mut run = Simulation::new(&model, late, free, scheme, stepping).unwrap();
            run.set_limits(Limits { steps: 1000, ..Limits::default() }).unwrap();
            let fixed = matches!(stepping, Stepping::Fixed(_));
            match run.advance(end) {
                Err(error @ IntegrationError::StepUnderflow { .. }) => {
                    assert!(error.to_string().contains("too short to advance the time"), "{error}");
                    assert!(!fixed || run.statistics().accepted == 0, "{scheme:?}: {:?}", run.statistics());
                }
                other => assert!(!fixed && time < 1e10, "{scheme:?} at {time:e}: {other:?}"),
            }
        }
        let mut run = Simulation::new(&model, start.clone(), free, scheme, stepping(scheme, 1e-3)).unwrap();
        run.advance(0.1).unwrap();
        run.set_limits(Limits { greatest_step: 1e-30, ..Limits::default() }).unwrap();
        let error = run.advance(1.0).unwrap_err();
        assert!(matches!(error, IntegrationError::StepUnderflow { step, .. } if step <= 1e-30), "{scheme:?}: {error}");
    }
}

/// However long an evaluation takes, a call ends within a tenth of a second of its limit, also a call for one step.
#[test]
fn the_clock_is_kept() {
    let (model, start) = pendulum();
    let slow = |_: &State, _: &mut Inputs| std::thread::sleep(Duration::from_millis(15));
    for scheme in
        [Scheme::PrinceDormand8, Scheme::Gauss { stages: 6, tolerance: 1e-12 }, Scheme::Bdf, Scheme::Automatic]
    {
        let mut run = Simulation::new(&model, start.clone(), slow, scheme, stepping(scheme, 1e-2)).unwrap();
        run.set_limits(Limits { wall: Some(Duration::from_millis(60)), ..Limits::default() }).unwrap();
        for one_step in [false, true] {
            // A busy machine may hold up one try, not all of them.
            let mut shortest = Duration::MAX;
            for _ in 0..10 {
                let clock = Instant::now();
                let outcome = if one_step { run.advance_step(1e6) } else { run.advance(1e6) };
                shortest = shortest.min(clock.elapsed());
                assert!(
                    one_step || matches!(outcome, Err(IntegrationError::OutOfTime { .. })),
                    "{scheme:?}: {outcome:?}"
                );
                if shortest < Duration::from_millis(160) {
                    break;
                }
            }
            assert!(shortest < Duration::from_millis(160), "{scheme:?}: {shortest:?}");
        }
    }
}

#[test]
fn times_that_are_no_numbers_are_refused() {
    let (model, start) = pendulum();
    let mut run = Simulation::new(&model, start, free, Scheme::DormandPrince, stepping(Scheme::Adams, 1e-3)).unwrap();
    let seen = run.advance_observing(1.0, &[0.1, f64::NAN, 0.5], |_| {});
    assert!(matches!(seen, Err(IntegrationError::BadRequest { value: 1.0, .. })), "{seen:?}");
    assert_eq!(run.state().time, 0.0);
}

/// A finite force of 1e308 is the cause, whatever fails first.
#[test]
fn huge_inputs_are_named() {
    let (model, start) = pendulum();
    for scheme in SCHEMES {
        for from in [0.0, 0.05] {
            for (which, value) in [(0, 1e308), (0, -1.7e308), (1, 1e308), (2, 1e308)] {
                let drive = move |state: &State, inputs: &mut Inputs| {
                    let value = if state.time >= from { value } else { 0.0 };
                    match which {
                        0 => inputs.forces[0] = value,
                        1 => inputs.accelerations[0] = value,
                        _ => {
                            let force = Force::new(Vector3([0.0, value, 0.0]), Vector3([value, 0.0, 0.0]));
                            let (body, node, frame) = (BodyIndex(0), NodeIndex(0), WrenchFrame::Inertial);
                            inputs.wrenches = vec![Wrench { body, node, frame, force }];
                        }
                    }
                };
                let mut run = Simulation::new(&model, start.clone(), drive, scheme, stepping(scheme, 1e-3)).unwrap();
                run.prescribe(&[which == 1]).unwrap();
                run.set_limits(Limits { steps: 20_000, ..Limits::default() }).unwrap();
                let error = run.advance(1.0).unwrap_err();
                assert!(matches!(error, IntegrationError::HugeInput { .. }), "{scheme:?} {from} {which}: {error}");
                assert!(run.state().speeds[0].is_finite());
            }
        }
    }
}
