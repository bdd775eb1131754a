//! A fixed step that is too long is told as such by every scheme, with what does not bear it and the longest that works.

use super::Arm;
use std::fs;
use supple::integrate::{IntegrationError, Scheme, Simulation, Stepping};
use supple::{Inputs, State};
use supple_io::change::Change;
use supple_run::{Options, RunErrorKind, read, run};

/// The arm, its boom turning at 100 rad/s, integrated with a fixed step.
fn spinning(kind: &str, step: &str) -> Arm {
    let arm = Arm::new(&format!("kind = \"{kind}\"\nstep = {step}"));
    let told = fs::read_to_string(arm.scenario()).unwrap();
    fs::write(arm.scenario(), format!("{told}[initial.hinge_speeds]\nshoulder = 100\n")).unwrap();
    arm
}

/// The step that an error calls the longest that works.
fn longest(message: &str) -> f64 {
    let told = message.split("the longest that works is about ").nth(1).unwrap_or_else(|| panic!("{message}"));
    told.split(' ').next().unwrap().parse().unwrap()
}

#[test]
fn every_scheme_names_what_is_too_fast_and_the_longest_step() {
    for kind in [
        "rk4",
        "dormand-prince",
        "prince-dormand8",
        "linearly-implicit",
        "exponential",
        "exponential-adams",
        "gauss",
        "generalized-alpha",
    ] {
        let arm = spinning(kind, "0.05");
        let error = run(arm.scenario(), &Options::default()).unwrap_err();
        assert_eq!(error.kind, RunErrorKind::EndedEarly, "{kind}: {error}");
        let message = &error.message;
        println!("{kind}: {message}");
        assert!(message.contains("the fixed step of 0.05 s is too long for "), "{kind}: {message}");
        assert!(
            ["hinge 'elbow'", "hinge 'shoulder'", "mode 'boom."].iter().any(|name| message.contains(name)),
            "{message}"
        );
        assert!(message.contains("make `step` smaller, or take `"), "{message}");
        assert!(!message.contains("singular") && !message.contains("overflowed"), "{message}");
        // The step that is told works, and is not needlessly short.
        let longest = longest(message);
        assert!((1e-4..0.05).contains(&longest), "{kind}: {longest}");
        let change = Change::parse(&format!("integrator.step={longest}")).unwrap();
        let options = Options { changes: vec![change], ..Options::default() };
        let results = run(arm.scenario(), &options).unwrap_or_else(|error| panic!("{kind} at {longest}: {error}"));
        let ledger = results.summary().ledger.as_ref().unwrap();
        assert!(ledger.balance_error.abs() < 0.3 * ledger.start, "{kind} at {longest}: {ledger:?}");
    }
}

/// Explicit schemes fail by the fastest mode, whatever moves with it.
#[test]
fn explicit_schemes_name_the_mode() {
    for kind in ["rk4", "dormand-prince", "prince-dormand8"] {
        let arm = Arm::new(&format!("kind = \"{kind}\"\nstep = 0.01"));
        let message = run(arm.scenario(), &Options::default()).unwrap_err().message;
        assert!(message.contains("is too long for mode 'boom."), "{kind}: {message}");
        assert!(message.contains("take `exponential` or `linearly-implicit`"), "{message}");
        // The modes have 150 Hz with the hinges held, and more with hinges that give way.
        let longest = longest(message.as_str());
        assert!((2e-4..3e-3).contains(&longest), "{kind}: {longest}");
    }
}

/// What no step can help keeps its own words.
#[test]
fn errors_that_are_not_of_the_step_stay() {
    let arm = Arm::new("kind = \"rk4\"\nstep = 1e-3");
    let told = fs::read_to_string(arm.scenario()).unwrap();
    fs::write(arm.scenario(), format!("{told}[[torque]]\nhinge = \"elbow\"\nconstant = 1e308\n")).unwrap();
    let message = run(arm.scenario(), &Options::default()).unwrap_err().message;
    assert!(message.contains("the motion overflows") && !message.contains("too long"), "{message}");
}

/// A program that drives a simulation itself is told that it is the step.
#[test]
fn simulations_blame_the_step_and_not_the_model() {
    let arm = spinning("exponential-adams", "0.05");
    let scenario = read(arm.scenario()).unwrap();
    let free = |_: &State, _: &mut Inputs| {};
    let (model, start) = (&scenario.model.model, scenario.initial.clone());
    let mut seen = 0;
    for scheme in [Scheme::ExponentialAdams, Scheme::RungeKutta4, Scheme::PrinceDormand8] {
        let mut simulation = Simulation::new(model, start.clone(), free, scheme, Stepping::Fixed(0.05)).unwrap();
        let error = simulation.advance(20.0).unwrap_err();
        assert!(!matches!(error, IntegrationError::Dynamics { .. }), "{scheme:?}: {error}");
        assert!(error.remedy().unwrap().contains("smaller step"), "{scheme:?}: {error}");
        seen += u32::from(matches!(error, IntegrationError::StepTooLong { step, .. } if (step - 0.05).abs() < 1e-9));
    }
    assert!(seen > 0);
}
