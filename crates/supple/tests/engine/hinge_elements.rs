//! Springs, damping, friction and stops in hinges: forces, energies, and what is refused.

use supple::force::{ElementError, Friction, HingeElement, HingeElements, Spring, Stops};
use supple::integrate::{Scheme, Simulation, Tolerance};
use supple::{Body, BodyIndex, Hinge, HingeKind, Inputs, Model, ModelBuilder, Parent, State};

fn model(kind: HingeKind) -> Model {
    let mut builder = ModelBuilder::new();
    let inertia = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    builder.body(Body::rigid("door", Parent::Ground, Hinge::new(kind), 1.0, [0.0; 3], inertia));
    builder.build().unwrap()
}

fn door() -> Model {
    model(HingeKind::Revolute { axis: [0.0, 0.0, 1.0] })
}

fn everything() -> HingeElement {
    HingeElement {
        spring: Some(Spring { stiffness: 7.0, rest: 0.2 }),
        damping: 0.3,
        friction: Some(Friction { force: 1.5, speed: 0.05 }),
        stops: Some(Stops { lower: -1.0, upper: 0.8, stiffness: 400.0, damping: 0.6 }),
        ..HingeElement::new(BodyIndex(0))
    }
}

fn at(model: &Model, coordinate: f64, speed: f64) -> State {
    let mut state = State::new(model);
    (state.coordinates[0], state.speeds[0]) = (coordinate, speed);
    state
}

fn force(elements: &HingeElements, state: &State) -> f64 {
    let mut forces = [0.0];
    elements.add_forces(state, &mut forces);
    forces[0]
}

/// Power of the force = - rate of the stored energy - power taken, inside and beyond the stops, coming and going.
#[test]
fn power_balances() {
    let model = door();
    let elements = HingeElements::new(&model, [everything()]).unwrap();
    let mut beyond = 0;
    for i in -40_i32..=40 {
        for speed in [-2.0, -0.04, 0.0, 0.03, 3.0] {
            let (theta, h) = (0.05 * f64::from(i) + 0.01, 1e-6);
            let state = at(&model, theta, speed);
            let stored = |x: f64| elements.stored_energy(&at(&model, x, speed));
            let rate = (stored(theta + h) - stored(theta - h)) / (2.0 * h) * speed;
            let (power, taken) = (force(&elements, &state) * speed, elements.dissipated_power(&state));
            assert!(
                (power + rate + taken).abs() <= 1e-6 * (1.0 + power.abs()),
                "{theta} {speed}: {power} {rate} {taken}"
            );
            assert!(taken >= 0.0, "{theta} {speed}: {taken}");
            beyond += usize::from(!(-1.0..=0.8).contains(&theta));
        }
    }
    assert!(beyond > 100);
}

#[test]
fn forces_are_those_of_the_table() {
    let model = door();
    let only = |change: &dyn Fn(&mut HingeElement)| {
        let mut element = HingeElement::new(BodyIndex(0));
        change(&mut element);
        HingeElements::new(&model, [element]).unwrap()
    };
    let spring = only(&|e| e.spring = Some(Spring { stiffness: 7.0, rest: 0.2 }));
    assert_eq!(force(&spring, &at(&model, 0.7, 9.0)), -7.0 * (0.7 - 0.2));
    let damping = only(&|e| e.damping = 0.3);
    assert_eq!(force(&damping, &at(&model, 0.7, 9.0)), -0.3 * 9.0);
    let friction = only(&|e| e.friction = Some(Friction { force: 1.5, speed: 0.05 }));
    assert!((force(&friction, &at(&model, 0.7, -9.0)) - 1.5).abs() < 1e-12);
    let stops = only(&|e| e.stops = everything().stops);
    assert_eq!(force(&stops, &at(&model, 0.7, 9.0)), 0.0);
    assert_eq!(force(&stops, &at(&model, 0.9, 0.0)), -400.0 * (0.9 - 0.8));
    assert!((force(&stops, &at(&model, -1.25, -1.0)) - 400.0 * 0.25 * 1.6).abs() < 1e-12);
    // Leaving fast, a stop does not pull.
    assert_eq!(force(&stops, &at(&model, 0.9, -5.0)), 0.0);
}

#[test]
fn nonsense_is_refused() {
    let model = door();
    let refused = |change: &dyn Fn(&mut HingeElement)| {
        let mut element = everything();
        change(&mut element);
        HingeElements::new(&model, [element]).unwrap_err().to_string()
    };
    let stops = everything().stops.unwrap();
    for (text, words) in [
        (refused(&|e| e.damping = -1.0), "'door': damping of its hinge is -1; it must be finite and not negative"),
        (refused(&|e| e.spring = Some(Spring { stiffness: f64::NAN, rest: 0.0 })), "spring stiffness"),
        (refused(&|e| e.spring = Some(Spring { stiffness: 1.0, rest: f64::INFINITY })), "rest position"),
        (refused(&|e| e.friction = Some(Friction { force: 1.0, speed: 0.0 })), "smoothing speed"),
        (refused(&|e| e.stops = Some(Stops { lower: 1.0, ..stops })), "not be above the upper stop"),
        (refused(&|e| e.stops = Some(Stops { lower: f64::NAN, ..stops })), "lower stop"),
        (refused(&|e| e.speed = 1), "has 1 speed(s), there is no speed 1"),
        (refused(&|e| e.body = BodyIndex(4)), "there is no speed 0"),
    ] {
        assert!(text.contains(words), "{text}");
    }
    let ball = model_of_ball();
    let error = HingeElements::new(&ball, [everything()]).unwrap_err();
    assert_eq!(error, ElementError::NoCoordinate { body: "door".into() });
    let damped = HingeElement { damping: 1.0, speed: 2, ..HingeElement::new(BodyIndex(0)) };
    assert!(HingeElements::new(&ball, [damped]).is_ok());
}

/// A door that swings between its stops: the ledger balances, and every joule is somewhere. Where the stops are met the force has a corner, so
/// that the error falls with the tolerance, but not evenly.
#[test]
fn the_ledger_balances() {
    let model = door();
    let start = at(&model, -0.9, -4.0);
    for scheme in [Scheme::DormandPrince, Scheme::PrinceDormand8] {
        let share = |tolerance: f64| {
            let pull = |state: &State, inputs: &mut Inputs| inputs.forces[0] = 3.0 * (2.0 * state.time).sin();
            let tolerance = Tolerance { relative: tolerance, absolute: 0.01 * tolerance };
            let mut run = Simulation::new(&model, start.clone(), pull, scheme, tolerance).unwrap();
            run.set_elements(HingeElements::new(&model, [everything()]).unwrap());
            let before = run.ledger().unwrap();
            assert_eq!(before.start, before.total());
            run.advance(4.0).unwrap();
            let ledger = run.ledger().unwrap();
            let taken = ledger.hinge_dissipated;
            assert!(taken > 1.0 && ledger.work.abs() > 0.1 && ledger.dissipated == 0.0, "{ledger:?}");
            assert_eq!(run.body_works(), [ledger.work]);
            ledger.balance_error().abs() / taken
        };
        if scheme == Scheme::PrinceDormand8 {
            assert!(share(1e-10) < 1e-8);
        }
        let (coarse, fine) = (share(1e-8), share(1e-12));
        assert!(fine < 1e-10 && fine < 1e-3 * coarse, "{scheme:?}: {coarse:e} {fine:e}");
    }
}

#[test]
fn flags_are_one_for_each_body() {
    let model = door();
    let tolerance = Tolerance { relative: 1e-6, absolute: 1e-8 };
    let free = |_: &State, _: &mut Inputs| {};
    let mut run = Simulation::new(&model, State::new(&model), free, Scheme::DormandPrince, tolerance).unwrap();
    let error = run.prescribe(&[true, false]).unwrap_err().to_string();
    assert!(error.contains("a flag is needed for each body") && error.contains('2'), "{error}");
    assert!(run.prescribe(&[true]).is_ok());
}

/// A spring and a rotor: `θ = θ₀ cos √(k / (J + n² J_r)) t`.
#[test]
fn a_rotor_slows_the_swing() {
    let hinge = Hinge::new(HingeKind::Revolute { axis: [0.0, 0.0, 1.0] }).driven([0.6]);
    let mut builder = ModelBuilder::new();
    let inertia = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    builder.body(Body::rigid("door", Parent::Ground, hinge, 1.0, [0.0; 3], inertia));
    let model = builder.build().unwrap();
    let spring = Some(Spring { stiffness: 7.0, rest: 0.0 });
    let elements = HingeElements::new(&model, [HingeElement { spring, ..HingeElement::new(BodyIndex(0)) }]).unwrap();
    let tolerance = Tolerance { relative: 1e-11, absolute: 1e-13 };
    let free = |_: &State, _: &mut Inputs| {};
    let mut run = Simulation::new(&model, at(&model, 0.3, 0.0), free, Scheme::PrinceDormand8, tolerance).unwrap();
    run.set_elements(elements);
    run.advance(5.0).unwrap();
    let exact = 0.3 * ((7.0_f64 / 1.6).sqrt() * 5.0).cos();
    assert!((run.state().coordinates[0] - exact).abs() < 1e-9, "{} {exact}", run.state().coordinates[0]);
    let ledger = run.ledger().unwrap();
    assert!((ledger.total() - 0.5 * 7.0 * 0.09).abs() < 1e-9, "{ledger:?}");
}

fn model_of_ball() -> Model {
    model(HingeKind::Spherical)
}
