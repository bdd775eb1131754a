//! Force elements: forces, energies, what is refused; the same through every verb, every scheme and a dense calculation.

use supple::force::{
    Bushing, ConstantForce, FollowerForce, ForceElement, HingeCoupling, HingeDamping, HingeFriction, HingeSpring,
    HingeStops, Law, PointMassField, Port, SpringDamper,
};
use supple::integrate::{Scheme, Simulation, Tolerance};
use supple::testkit::{Prepared, RandomOptions, RandomState, Worst, random_system, relative_difference, tolerance};
use supple::{
    Actuator, Body, BodyIndex, BuildError, ElasticRotation, Hinge, HingeKind, InertiaConvention, Inputs, Method, Model,
    ModelBuilder, Parent, Problem, State, System, Terms, Workspace, bias_forces, composite_forward_dynamics, energy,
    forward_dynamics_by, hybrid_dynamics, inverse_dynamics, power,
};

const UNIT: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
const DAMPING: HingeDamping = HingeDamping { damping: 0.3 };
const FRICTION: HingeFriction = HingeFriction { force: 1.5, speed: 0.05 };
const SPRING: HingeSpring = HingeSpring { stiffness: 7.0, rest: 0.2 };
const STOPS: HingeStops = HingeStops { lower: -1.0, upper: 0.8, stiffness: 400.0, damping: 0.6 };

/// A body of unit inertia on one hinge, with these elements in its first direction.
fn model(kind: HingeKind, elements: impl IntoIterator<Item = ForceElement>) -> Result<Model, BuildError> {
    let mut builder = ModelBuilder::new();
    builder.body(Body::rigid("door", Parent::Ground, Hinge::new(kind), 1.0, [0.0; 3], UNIT));
    elements.into_iter().for_each(|element| {
        builder.force(element);
    });
    builder.build()
}

fn revolute() -> HingeKind {
    HingeKind::Revolute { axis: [0.0, 0.0, 1.0] }
}

fn at_door(law: impl Law + 'static) -> ForceElement {
    ForceElement::new(law, [Port::hinge(BodyIndex(0))])
}

/// A door with everything that acts in hinges.
fn door() -> Model {
    model(revolute(), [at_door(DAMPING), at_door(FRICTION), at_door(SPRING), at_door(STOPS)]).unwrap()
}

fn at(model: &Model, coordinate: f64, speed: f64) -> State {
    let mut state = State::new(model);
    (state.coordinates[0], state.speeds[0]) = (coordinate, speed);
    state
}

/// Force of the elements on the first speed.
fn force(model: &Model, state: &State) -> f64 {
    let terms = Terms { elements: true, ..Terms::NONE };
    -bias_forces(model, state, &Inputs::new(model), terms, &mut Workspace::new(model)).unwrap().forces()[0]
}

/// Power of the force = - rate of the stored energy - power taken, inside and beyond the stops, coming and going.
#[test]
fn power_balances_in_hinges() {
    let model = door();
    let mut beyond = 0;
    for i in -40_i32..=40 {
        for speed in [-2.0, -0.04, 0.0, 0.03, 3.0] {
            let (theta, h) = (0.05 * f64::from(i) + 0.01, 1e-6);
            let state = at(&model, theta, speed);
            let mut workspace = Workspace::new(&model);
            let mut stored = |x: f64| energy(&model, &at(&model, x, speed), &mut workspace).unwrap().stored;
            let rate = (stored(theta + h) - stored(theta - h)) / (2.0 * h) * speed;
            let taken = power(&model, &state, &Inputs::new(&model), &mut workspace).unwrap().element_dissipated;
            let power = force(&model, &state) * speed;
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
fn forces_of_hinges_are_those_of_the_table() {
    let only = |element: ForceElement, coordinate: f64, speed: f64| {
        let model = model(revolute(), [element]).unwrap();
        force(&model, &at(&model, coordinate, speed))
    };
    assert_eq!(only(at_door(SPRING), 0.7, 9.0), -7.0 * (0.7 - 0.2));
    assert_eq!(only(at_door(DAMPING), 0.7, 9.0), -0.3 * 9.0);
    assert!((only(at_door(FRICTION), 0.7, -9.0) - 1.5).abs() < 1e-12);
    assert_eq!(only(at_door(STOPS), 0.7, 9.0), 0.0);
    assert_eq!(only(at_door(STOPS), 0.9, 0.0), -400.0 * (0.9 - 0.8));
    assert!((only(at_door(STOPS), -1.25, -1.0) - 400.0 * 0.25 * 1.6).abs() < 1e-12);
    // Leaving fast, a stop does not pull.
    assert_eq!(only(at_door(STOPS), 0.9, -5.0), 0.0);
    // A side without a stop.
    assert_eq!(only(at_door(HingeStops { upper: f64::INFINITY, ..STOPS }), 1e9, 1.0), 0.0);
}

#[test]
fn nonsense_is_refused() {
    let refused = |element: ForceElement| model(revolute(), [element]).unwrap_err().to_string();
    let elsewhere = |port: Port| ForceElement::new(SPRING, [port]);
    let door = BodyIndex(0);
    for (text, words) in [
        (refused(at_door(HingeDamping { damping: -1.0 })), "damping is -1; it must not be negative"),
        (refused(at_door(HingeSpring { stiffness: f64::NAN, rest: 0.0 })), "spring stiffness is NaN"),
        (refused(at_door(HingeSpring { stiffness: 1.0, rest: f64::INFINITY })), "rest position"),
        (refused(at_door(HingeFriction { force: 1.0, speed: 0.0 })), "smoothing speed"),
        (refused(at_door(HingeStops { lower: 1.0, ..STOPS })), "not be above the upper stop"),
        (refused(at_door(HingeStops { lower: f64::NAN, ..STOPS })), "lower stop"),
        (refused(at_door(SPRING).named("closer").at([])), "hinge spring 'closer': it has 0 port(s), its law needs 1"),
        (refused(elsewhere(Port::Hinge { body: door, speed: 1 })), "has 1 speed(s), there is no speed 1"),
        (refused(elsewhere(Port::hinge(BodyIndex(4)))), "there is no body number 4"),
        (refused(elsewhere(Port::EveryBody)), "give it Port::Hinge"),
    ] {
        assert!(text.contains(words), "{text}");
    }
    let ball = |element: ForceElement| model(HingeKind::Spherical, [element]);
    let error = ball(at_door(SPRING)).unwrap_err();
    assert!(
        matches!(error.problems(), [Problem::ForcePort { element, .. }] if element.body.as_deref() == Some("door")),
        "{error}"
    );
    assert!(ball(ForceElement::new(DAMPING, [Port::Hinge { body: door, speed: 2 }])).is_ok());
    // All at once, and names once.
    let twice = [at_door(SPRING).named("a"), at_door(HingeDamping { damping: -1.0 }).named("a")];
    assert_eq!(model(revolute(), twice).unwrap_err().problems().len(), 2);
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

/// A spring and a rotor, by the hinge and by a motor: `θ = θ₀ cos √(k / (J + n² J_r)) t`.
#[test]
fn a_rotor_slows_the_swing() {
    let motor = Actuator { gear_ratio: 2.0, rotor_inertia: 0.15, ..Actuator::new("motor", BodyIndex(0)) };
    for (own, motors) in [(vec![0.6], vec![]), (vec![], vec![motor.clone()]), (vec![0.0], vec![motor])] {
        let hinge = Hinge::new(revolute()).driven(own);
        let mut builder = ModelBuilder::new();
        builder.body(Body::rigid("door", Parent::Ground, hinge, 1.0, [0.0; 3], UNIT));
        builder.force(at_door(HingeSpring { stiffness: 7.0, rest: 0.0 }));
        motors.into_iter().for_each(|motor| {
            builder.actuator(motor);
        });
        let model = builder.build().unwrap();
        if let Ok(motor) = model.motor("motor") {
            let (mut state, mut inputs) = (State::new(&model), Inputs::new(&model));
            state.set(motor, 0.5).unwrap();
            inputs.add_force(motor, 2.0).unwrap();
            assert_eq!((state.coordinates[0], inputs.forces[0]), (0.5, 2.0));
            assert_eq!(model.actuators()[motor.actuator()].gear_ratio, 2.0);
            assert_eq!(model.motor("moter").unwrap_err().remedy(), "did you mean 'motor'?");
        }
        let tolerance = Tolerance { relative: 1e-11, absolute: 1e-13 };
        let free = |_: &State, _: &mut Inputs| {};
        let mut run = Simulation::new(&model, at(&model, 0.3, 0.0), free, Scheme::PrinceDormand8, tolerance).unwrap();
        run.advance(5.0).unwrap();
        let exact = 0.3 * ((7.0_f64 / 1.6).sqrt() * 5.0).cos();
        assert!((run.state().coordinates[0] - exact).abs() < 1e-9, "{} {exact}", run.state().coordinates[0]);
        let ledger = run.ledger().unwrap();
        assert!((ledger.total() - 0.5 * 7.0 * 0.09).abs() < 1e-9, "{ledger:?}");
    }
}

const ELEMENTS: Terms = Terms { elements: true, ..Terms::NONE };

/// A random tree with elements of every kind and motors.
fn laden(seed: u64, rotation: Option<ElasticRotation>) -> (System, RandomState) {
    let options = RandomOptions {
        bodies: 1..=5,
        modes: 4,
        elements: true,
        elastic_rotation: rotation,
        inertia: rotation.map(|_| InertiaConvention::Lagrange),
        mass_ratio: 1e3,
        second_order: seed % 5 > 2,
        ..RandomOptions::default()
    };
    random_system(seed, &options)
}

/// The law of an element, by a number.
fn kind(element: &ForceElement) -> usize {
    [
        element.law::<HingeSpring>().is_some(),
        element.law::<HingeDamping>().is_some(),
        element.law::<HingeFriction>().is_some(),
        element.law::<HingeStops>().is_some(),
        element.law::<HingeCoupling>().is_some(),
        element.law::<SpringDamper>().is_some(),
        element.law::<Bushing>().is_some(),
        element.law::<ConstantForce>().is_some(),
        element.law::<FollowerForce>().is_some(),
        element.law::<PointMassField>().is_some(),
    ]
    .iter()
    .position(|is| *is)
    .unwrap()
}

/// Accelerations, generalized forces, energies and power of models with every kind of element, against a dense calculation from definitions.
#[test]
fn every_verb_gives_the_dense_answer() {
    let (mut worst, mut kinds) = (Worst::new(), [0; supple::testkit::ELEMENT_KINDS]);
    for seed in 0..300 {
        let (system, random) = laden(seed, None);
        system.forces.iter().for_each(|element| kinds[kind(element)] += 1);
        let (at, answer) = (Prepared::new(&system, &random), random.answer(&system));
        let allowed = tolerance(answer.condition());
        let (mut ws, mut dense) = (at.workspace(), at.dense_workspace());
        let Prepared { model, state, inputs } = &at;
        let expected = answer.accelerations(&inputs.forces).unwrap();
        for method in [Method::Auto, Method::Explicit, Method::Indirect, Method::Condensed] {
            let found = forward_dynamics_by(method, model, state, inputs, &mut ws).unwrap();
            worst.record("forward", seed, relative_difference(found.accelerations(), &expected), allowed);
            assert_eq!(found.forces(), inputs.forces);
        }
        let found = composite_forward_dynamics(model, state, inputs, &mut ws, &mut dense).unwrap();
        worst.record("composite", seed, relative_difference(found.accelerations(), &expected), allowed);
        let found = inverse_dynamics(model, state, inputs, &mut ws).unwrap();
        let wanted = answer.forces(&inputs.accelerations);
        worst.record("inverse", seed, relative_difference(found.forces(), &wanted), allowed);
        let found = bias_forces(model, state, inputs, ELEMENTS, &mut ws).unwrap();
        worst.record("elements", seed, relative_difference(found.forces(), &answer.bias.elements), 1e-10);

        // Hinges that are moved as they would move anyway need the forces that they have anyway.
        let mut moved = inputs.clone();
        moved.accelerations.copy_from_slice(&expected);
        moved.prescribed.iter_mut().enumerate().for_each(|(k, flag)| *flag = (k as u64 + seed).is_multiple_of(2));
        let found = hybrid_dynamics(model, state, &moved, &mut ws).unwrap();
        worst.record("hybrid", seed, relative_difference(found.accelerations(), &expected), allowed);
        let size = answer.bias.total().iter().chain(&inputs.forces).fold(0.0_f64, |m, x| m.max(x.abs()));
        let error = found.forces().iter().zip(&inputs.forces).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
        worst.record("hybrid forces", seed, error / size, allowed);

        let stored = energy(model, state, &mut ws).unwrap().stored;
        worst.record("stored", seed, (stored - answer.energy.stored).abs() / (1.0 + stored.abs()), 1e-11);
        let flow = power(model, state, inputs, &mut ws).unwrap();
        for (found, wanted) in
            [(flow.element_dissipated, answer.element_dissipated), (flow.element_supplied, answer.element_supplied)]
        {
            worst.record("power", seed, (found - wanted).abs() / (1.0 + wanted.abs()), 1e-11);
        }
        assert!(flow.element_dissipated >= 0.0, "{seed}");
    }
    assert!(kinds.iter().all(|count| *count > 100), "{kinds:?}");
    worst.assert_within();
}
