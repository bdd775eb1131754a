//! Limits, errors, breaks, ledger, observation and checkpoints of multistep simulations.

use crate::motions;
use std::time::{Duration, Instant};
use supple::force::{ForceElement, HingeDamping, Port};
use supple::integrate::{Drive, IntegrationError, Limits, Scheme, Simulation, Tolerance};
use supple::{BodyIndex, Fidelity, Inputs, State, Workspace, forward_dynamics};
use supple_bodies::catalogue::spin_up_beam::SpinUpBeam;

const METHODS: [Scheme; 2] = [Scheme::Adams, Scheme::Bdf];

fn both(value: f64) -> Tolerance {
    Tolerance { relative: value, absolute: value }
}

fn bad_request<T>(result: Result<T, IntegrationError>) -> bool {
    matches!(result, Err(IntegrationError::BadRequest { .. }))
}

#[test]
fn requests_that_make_no_sense() {
    let (model, start) = motions::pendulum();
    for method in METHODS {
        for (relative, absolute) in
            [(0.0, 1.0), (-1.0, 1.0), (f64::NAN, 1.0), (f64::INFINITY, 1.0), (1e-6, -1.0), (1e-6, f64::NAN)]
        {
            let tolerance = Tolerance { relative, absolute };
            let made = Simulation::new(&model, start.clone(), motions::free, method, tolerance);
            assert!(bad_request(made.map(drop)), "{tolerance:?}");
        }
        let late = State { time: f64::NAN, ..start.clone() };
        assert!(bad_request(Simulation::new(&model, late, motions::free, method, both(1e-6)).map(drop)));
        let mut lost = start.clone();
        lost.coordinates[0] = f64::NAN;
        assert!(Simulation::new(&model, lost, motions::free, method, both(1e-6)).is_err());

        let mut run = Simulation::new(&model, start.clone(), motions::free, method, both(1e-6)).unwrap();
        run.advance(0.5).unwrap();
        for end in [0.4, f64::NAN, f64::INFINITY] {
            assert!(bad_request(run.advance(end)), "{end}");
        }
        assert!(bad_request(run.prescribe(&[true, false])));
        assert!(bad_request(run.set_limits(Limits { greatest_step: 0.0, ..Limits::default() })));
        let mut checkpoint = run.checkpoint();
        checkpoint.integrator.y.pop();
        assert!(bad_request(run.restore(&checkpoint)));
        let mut checkpoint = run.checkpoint();
        checkpoint.integrator.y[0] = f64::INFINITY;
        assert!(bad_request(run.restore(&checkpoint)));
        // None of this has harmed it.
        run.advance(0.5).unwrap();
        run.advance(0.5_f64.next_up()).unwrap();
        run.advance(1.0).unwrap();
        assert_eq!(run.state().time, 1.0);
    }
}

#[test]
fn budgets_end_a_run() {
    let (model, start) = motions::heavy_top();
    for method in METHODS {
        let mut run = Simulation::new(&model, start.clone(), motions::free, method, both(1e-9)).unwrap();
        run.set_limits(Limits { steps: 100, ..Limits::default() }).unwrap();
        let error = run.advance(10.0).unwrap_err();
        assert!(matches!(error, IntegrationError::TooManySteps { steps: 100, .. }), "{error}");
        let (time, statistics) = (run.state().time, run.statistics());
        assert!(time > 0.0 && time < 10.0 && statistics.accepted + statistics.rejected >= 100);
        // More steps, and it goes on from there.
        run.set_limits(Limits::default()).unwrap();
        run.advance(time + 0.1).unwrap();

        let wall = Duration::from_millis(50);
        run.set_limits(Limits { wall: Some(wall), ..Limits::default() }).unwrap();
        let clock = Instant::now();
        let error = run.advance(1e9).unwrap_err();
        assert!(matches!(error, IntegrationError::OutOfTime { .. }), "{error}");
        assert!(clock.elapsed() < 20 * wall);
    }
}

/// A torque that becomes infinite on the way, one that is not a number from the start, and one that is not a number from a time on.
#[test]
fn equations_that_fail() {
    let (model, start) = motions::pendulum();
    let torques: [fn(f64) -> f64; 3] =
        [|t| 1.0 / (0.3 - t).powi(2), |_| f64::NAN, |t| if t < 0.3 { 0.0 } else { f64::NAN }];
    for method in METHODS {
        for (i, torque) in torques.into_iter().enumerate() {
            let drive = move |state: &State, inputs: &mut Inputs| inputs.forces[0] = torque(state.time);
            let mut run = Simulation::new(&model, start.clone(), drive, method, both(1e-6)).unwrap();
            run.set_limits(Limits { steps: 100_000, ..Limits::default() }).unwrap();
            let error = run.advance(1.0).unwrap_err();
            println!("{method:?} {i}: {error}");
            assert!(
                matches!(
                    error,
                    IntegrationError::StepUnderflow { .. }
                        | IntegrationError::Dynamics { .. }
                        | IntegrationError::NotFinite { .. }
                        | IntegrationError::TooManySteps { .. }
                ),
                "{method:?}: {error}"
            );
            assert!(i == 0 || matches!(error, IntegrationError::Dynamics { .. }), "{method:?} {i}: {error}");
            let state = run.state();
            assert!(state.time < 0.3 + 1e-9 && state.coordinates[0].is_finite() && state.speeds[0].is_finite());
        }
    }
}

/// Without absolute tolerance numbers that rest at zero are no obstacle.
#[test]
fn no_absolute_tolerance() {
    let (model, start) = motions::pendulum();
    let tolerance = Tolerance { relative: 1e-6, absolute: 0.0 };
    let mut rest = start.clone();
    rest.coordinates[0] = 0.0;
    for method in METHODS {
        let mut run = Simulation::new(&model, rest.clone(), motions::free, method, tolerance).unwrap();
        run.advance(1.0).unwrap();
        assert_eq!((run.state().coordinates[0], run.state().speeds[0]), (0.0, 0.0), "{method:?}");
    }
}

/// A torque that jumps.
struct Jumps([f64; 2]);

impl Drive for Jumps {
    fn drive(&mut self, state: &State, inputs: &mut Inputs) {
        inputs.forces[0] = if state.time < self.0[0] || state.time >= self.0[1] { 0.0 } else { 5.0 };
    }

    fn breaks(&self) -> &[f64] {
        &self.0
    }
}

/// Breaks are met exactly: no step sees both sides.
#[test]
fn breaks_of_the_drive() {
    let (model, start) = motions::pendulum();
    let jumps = || Jumps([0.1 + 0.2, 0.7]);
    let scheme = Scheme::PrinceDormand8;
    let mut exact = Simulation::new(&model, start.clone(), jumps(), scheme, both(1e-13)).unwrap();
    exact.advance(1.0).unwrap();
    for method in METHODS {
        let mut run = Simulation::new(&model, start.clone(), jumps(), method, both(1e-9)).unwrap();
        run.advance(1.0).unwrap();
        let difference = motions::distance(run.state(), exact.state(), 1.0);
        let work = (run.ledger().unwrap().work - exact.ledger().unwrap().work).abs();
        println!("{method:?}: {difference:.1e}, work {work:.1e}, {:?}", run.statistics());
        assert!(difference < 1e-7 && work < 1e-7, "{method:?}: {difference:e} {work:e}");
        // A jump within a step would cost scores of rejected ones.
        assert!(run.statistics().rejected < 20, "{method:?}: {:?}", run.statistics());
    }
}

/// The spacecraft tumbles; energy stays, quaternions stay unit, and the ledger knows the springs of its drive.
#[test]
fn the_ledger_balances_and_quaternions_are_unit() {
    let (model, start) = motions::spacecraft();
    for method in METHODS {
        let drive = motions::springs(&model);
        let mut run = Simulation::new(&model, start.clone(), drive, method, both(1e-9)).unwrap();
        run.advance(20.0).unwrap();
        let ledger = run.ledger().unwrap();
        let (error, size) = (ledger.balance_error().abs(), ledger.energy.kinetic);
        let q = &run.state().coordinates[model.hinge_coordinates(BodyIndex(0))][..4];
        let length: f64 = q.iter().map(|x| x * x).sum();
        println!("{method:?}: balance {error:.1e} of {size:.1e} J, length² - 1 = {:.1e}", length - 1.0);
        assert!(error < 1e-6 * size && ledger.work != 0.0, "{method:?}: {error:e} of {size}");
        assert!((length - 1.0).abs() < 4.0 * f64::EPSILON, "{method:?}: {length}");
        assert!((run.body_works().iter().sum::<f64>() - ledger.work).abs() < 1e-12);
    }
}

/// Observed states are those of the motion, and looking changes nothing.
#[test]
fn observed_states() {
    let (model, start) = motions::heavy_top();
    let times: Vec<f64> = (0..=50).map(|i| 0.01 * f64::from(i)).collect();
    let mut exact = Vec::new();
    let scheme = Scheme::PrinceDormand8;
    let mut run = Simulation::new(&model, start.clone(), motions::free, scheme, both(1e-13)).unwrap();
    for time in &times {
        run.advance(*time).unwrap();
        exact.push(run.state().clone());
    }
    for method in METHODS {
        let new = || Simulation::new(&model, start.clone(), motions::free, method, both(1e-9)).unwrap();
        let (mut plain, mut run) = (new(), new());
        let mut seen = Vec::new();
        run.advance_observing(0.5, &times, |state| seen.push(state.clone())).unwrap();
        plain.advance(0.5).unwrap();
        assert_eq!(run.state(), plain.state());
        assert_eq!(seen.len(), times.len());
        let worst = seen.iter().zip(&exact).map(|(a, b)| motions::distance(a, b, 150.0)).fold(0.0, f64::max);
        println!("{method:?}: {worst:.1e}");
        assert!(seen.iter().zip(&times).all(|(state, time)| state.time == *time));
        assert!(worst < 3e-7, "{method:?}: {worst:e}");
    }
}

/// A run with checkpoints is the same whether it is interrupted or not.
#[test]
fn interrupted_and_not() {
    let built = SpinUpBeam::kane(2, 1, Fidelity::Stiffened).build().unwrap();
    let start = State::new(&built.model);
    for method in METHODS {
        let new = || {
            let drive = built.motion();
            let mut run = Simulation::new(&built.model, start.clone(), drive, method, both(1e-7)).unwrap();
            run.prescribe(&[true]).unwrap();
            run
        };
        let mut whole = new();
        whole.advance(1.0).unwrap();
        let checkpoint = whole.checkpoint();
        whole.advance(2.0).unwrap();
        let mut resumed = Simulation::new(&built.model, start.clone(), built.motion(), method, both(1e-7)).unwrap();
        resumed.restore(&checkpoint).unwrap();
        resumed.advance(2.0).unwrap();
        assert_eq!(whole.checkpoint(), resumed.checkpoint(), "{method:?}");
        assert_eq!(whole.ledger().unwrap(), resumed.ledger().unwrap());
        assert_eq!(whole.state(), resumed.state());
        let balance = whole.ledger().unwrap().balance_error();
        assert!(balance.abs() < 1e-5, "{method:?}: {balance:e}");
    }
}

/// A run that goes step by step can stop after any, and go on; its statistics count the steps.
#[test]
fn stopped_between_steps() {
    let (model, start) = motions::heavy_top();
    for method in METHODS {
        let new = || Simulation::new(&model, start.clone(), motions::free, method, both(1e-7)).unwrap();
        let (mut whole, mut run) = (new(), new());
        whole.advance(0.5).unwrap();
        let mut steps = Vec::new();
        while steps.len() < 7 {
            run.advance_step(0.5).unwrap();
            steps.push((run.state().time, run.statistics().accepted));
        }
        assert_eq!(steps.len(), 7);
        assert!(steps.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 + 1 == pair[1].1), "{steps:?}");
        assert_eq!((run.state().time, run.statistics().accepted), steps[6], "{method:?}");
        assert!(run.state().time < 0.5);
        run.advance(0.5).unwrap();
        assert_eq!(run.state().time, 0.5);
        assert!(motions::distance(whole.state(), run.state(), 150.0) < 1e-4, "{method:?}");
        // Accelerations are those of the equations at the state reached.
        let accelerations = run.dynamics().unwrap().0.to_vec();
        let mut workspace = Workspace::new(&model);
        let expected = forward_dynamics(&model, run.state(), &Inputs::new(&model), &mut workspace).unwrap();
        assert_eq!(accelerations, expected.accelerations(), "{method:?}");
    }
}

/// Ends in between only cost: the method goes on across them.
#[test]
fn many_ends() {
    let (model, start) = motions::heavy_top();
    for method in METHODS {
        let new = || Simulation::new(&model, start.clone(), motions::free, method, both(1e-7)).unwrap();
        let (mut once, mut often) = (new(), new());
        once.advance(0.5).unwrap();
        for i in 1..=10 {
            often.advance(0.05 * f64::from(i)).unwrap();
        }
        let (a, b) = (once.statistics().accepted, often.statistics().accepted);
        println!("{method:?}: {a} and {b} steps");
        assert!(b < 2 * a, "{method:?}: {a} and {b} steps");
        assert!(motions::distance(once.state(), often.state(), 150.0) < 1e-4);
    }
}

/// The greatest step is kept.
#[test]
fn greatest_step() {
    let (model, start) = motions::pendulum();
    for method in METHODS {
        let mut run = Simulation::new(&model, start.clone(), motions::free, method, both(1e-3)).unwrap();
        run.set_limits(Limits { greatest_step: 1e-3, ..Limits::default() }).unwrap();
        run.advance(1.0).unwrap();
        assert!(run.statistics().accepted >= 1000, "{method:?}: {:?}", run.statistics());
    }
}

/// A pendulum in syrup: what remains of its motion is slow, and only backward differentiation can take it slowly.
#[test]
fn stiff_damping() {
    let damper = ForceElement::new(HingeDamping { damping: 1e6 }, [Port::hinge(BodyIndex(0))]);
    let (model, start) = motions::pendulum_with([damper]);
    let new = |method| {
        let mut run = Simulation::new(&model, start.clone(), motions::free, method, both(1e-6)).unwrap();
        run.set_limits(Limits { steps: 2000, ..Limits::default() }).unwrap();
        run
    };
    let mut run = new(Scheme::Bdf);
    run.advance(10.0).unwrap();
    println!("{:?}", run.statistics());
    // 1e6 θ̇ = -9.81 sin θ: it has hardly moved, and the damper has taken what gravity gave.
    let moved = run.state().coordinates[0] - start.coordinates[0];
    assert!((moved + 9.81e-5).abs() < 1e-6, "{moved:e}");
    let ledger = run.ledger().unwrap();
    assert!(ledger.balance_error().abs() < 1e-5 && ledger.hinge_dissipated > 0.0, "{ledger:?}");
    assert!(matches!(new(Scheme::Adams).advance(10.0), Err(IntegrationError::TooManySteps { .. })));
}

/// Tolerances that rounding does not let be met, and ends nearer than rounding: no run hangs, and what fails says so.
#[test]
fn at_the_edge_of_rounding() {
    let (model, start) = motions::heavy_top();
    for method in METHODS {
        for exponent in 11..=17 {
            let tolerance = both(10_f64.powi(-exponent));
            let mut run = Simulation::new(&model, start.clone(), motions::free, method, tolerance).unwrap();
            run.set_limits(Limits { steps: 20_000, ..Limits::default() }).unwrap();
            let outcome = run.advance(0.02);
            println!("{method:?} 1e-{exponent}: {outcome:?}, {:?}", run.statistics());
            assert!(exponent > 12 || outcome.is_ok(), "{method:?} 1e-{exponent}: {outcome:?}");
            let refused =
                |error| matches!(error, IntegrationError::StepUnderflow { .. } | IntegrationError::TooManySteps { .. });
            assert!(outcome.is_ok() || outcome.is_err_and(refused));
        }
        let mut run = Simulation::new(&model, start.clone(), motions::free, method, both(1e-3)).unwrap();
        for end in [1e-300, 1e-30, 1e-20, 1e-17, 0.3, 0.3 + 1e-16, 0.3 + 1e-15, 0.3 + 1e-14, 0.3 + 1e-13, 0.3 + 1e-12] {
            run.advance(end).unwrap();
            assert_eq!(run.state().time, end, "{method:?}");
        }
    }
}
