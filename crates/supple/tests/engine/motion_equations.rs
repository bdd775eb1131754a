//! The flat equations of motion: they are those of a simulation, and their derivatives are right.

use crate::motions;
use supple::force::{ForceElement, HingeDamping, Port, SpringDamper};
use supple::integrate::{
    Equations, IntegrationError, Integrator, Limits, MotionEquations, Scheme, Simulation, Tolerance,
};
use supple::spatial::Force;
use supple::testkit::Generator;
use supple::{BodyIndex, Inputs, NodeIndex, State, Wrench, WrenchFrame};

/// An integrator from outside, with these equations, arrives where the simulation does, bit by bit.
#[test]
fn equations_of_a_simulation() {
    let (model, start) = motions::spacecraft();
    let tolerance = Tolerance { relative: 1e-8, absolute: 1e-8 };
    let scheme = Scheme::DormandPrince;
    let mut run = Simulation::new(&model, start.clone(), motions::springs(&model), scheme, tolerance).unwrap();
    run.advance(5.0).unwrap();
    let mut equations = MotionEquations::new(&model, start, motions::springs(&model)).unwrap();
    let mut outside = Integrator::new(scheme, tolerance, Limits::default(), 0.0, equations.pack()).unwrap();
    outside.advance(&mut equations, 5.0).unwrap();
    equations.settle(5.0, outside.state());
    assert_eq!(equations.state(), run.state());
    assert_eq!(equations.ledger(outside.state()).unwrap(), run.ledger().unwrap());
    assert_eq!(equations.body_works(outside.state()), run.body_works());
}

/// Derivatives along random directions against central differences, extrapolated: springs and a wrench that depends on the state in the drive,
/// damping at a hinge, a cable, a prescribed hinge, the ledger. What is differenced inside is linear, but for rounding of `ε/√ε`.
#[test]
fn derivatives_of_the_rates() {
    let damping = ForceElement::new(HingeDamping { damping: 2.0 }, [Port::hinge(BodyIndex(1))]);
    let ends = [Port::Ground { position: [0.0, 3.0, 1.0] }, Port::node(BodyIndex(4), NodeIndex(1))];
    let cable = ForceElement::new(SpringDamper { length: 2.0, stiffness: 9.0, damping: 3.0, preload: 1.0 }, ends);
    let (model, mut start) = motions::spacecraft_with([damping, cable]);
    start.speeds.iter_mut().enumerate().for_each(|(i, u)| *u += 0.1 * (i as f64).sin());
    let mut springs = motions::springs(&model);
    let drive = move |state: &State, inputs: &mut Inputs| {
        springs(state, inputs);
        let force = Force::from_array([0.0, 3.0 * state.speeds[1], 0.0, 5.0, 0.0, state.coordinates[8]]);
        let (body, node, frame) = (BodyIndex(2), NodeIndex(1), WrenchFrame::Inertial);
        inputs.wrenches.clear();
        inputs.wrenches.push(Wrench { body, node, frame, force });
        inputs.accelerations[8] = state.coordinates[9];
    };
    let mut equations = MotionEquations::new(&model, start, drive).unwrap();
    let mut flags = vec![false; model.body_count()];
    flags[3] = true;
    equations.prescribe(&flags).unwrap();
    let y = equations.pack();
    let mut rng = Generator::new(7);
    for _ in 0..8 {
        let mut direction: Vec<f64> = y.iter().map(|_| rng.between(-1.0, 1.0)).collect();
        // The quaternion of the hub, (0, 0, 0, 1), turns and does not grow.
        direction[3] = 0.0;
        let mut difference = |h: f64| -> Vec<f64> {
            let [plus, minus] = [h, -h].map(|h| {
                let moved: Vec<f64> = y.iter().zip(&direction).map(|(y, v)| y + h * v).collect();
                let mut rates = vec![0.0; y.len()];
                equations.rates(0.5, &moved, &mut rates).unwrap();
                rates
            });
            plus.iter().zip(&minus).map(|(a, b)| (a - b) / (2.0 * h)).collect()
        };
        let (coarse, fine) = (difference(2e-5), difference(1e-5));
        let mut found = vec![0.0; y.len()];
        equations.rates_along(0.5, &y, &direction, &mut found).unwrap();
        let size = found.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
        for (i, found) in found.iter().enumerate() {
            let expected = (4.0 * fine[i] - coarse[i]) / 3.0;
            assert!((found - expected).abs() < 1e-7 * size, "[{i}]: {found} {expected}");
        }
    }
    // Nothing depends on the ledger.
    let (mut direction, mut found) = (vec![0.0; y.len()], vec![1.0; y.len()]);
    direction[y.len() - 1] = 1.0;
    equations.rates_along(0.5, &y, &direction, &mut found).unwrap();
    assert!(found.iter().all(|x| *x == 0.0));
}

#[test]
fn requests_that_make_no_sense() {
    let (model, start) = motions::pendulum();
    let late = State { time: f64::INFINITY, ..start.clone() };
    let bad = |error: IntegrationError| matches!(error, IntegrationError::BadRequest { .. });
    assert!(MotionEquations::new(&model, late, motions::free).map(drop).is_err_and(bad));
    let mut equations = MotionEquations::new(&model, start, motions::free).unwrap();
    assert!(equations.prescribe(&[]).is_err_and(bad));
    assert_eq!(equations.quaternions().count(), 0);
}
