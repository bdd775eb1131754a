//! Force elements in every scheme: the same motion, a ledger that balances, and tangents that let implicit schemes take long steps.

#[path = "../../examples/own_force_element.rs"]
mod own_force_element;

use crate::motions;
use supple::force::{
    Bushing, ConstantForce, FollowerForce, ForceElement, HingeCoupling, HingeDamping, HingeFriction, HingeSpring,
    HingeStops, PointMassField, Port, SpringDamper,
};
use supple::integrate::{Scheme, Simulation, Stepping};
use supple::testkit::{Prepared, relative_difference};
use supple::{
    Actuator, Body, BodyIndex, ElasticRotation, Hinge, HingeKind, Model, ModelBuilder, NodeIndex, Parent, State,
};

/// A beam-like tree with elements of every kind, moderately fast.
fn moving_system() -> (Model, State) {
    let chain =
        supple::testkit::ChainOptions { elastic_rotation: ElasticRotation::RotationVector, ..Default::default() };
    let (mut system, random) = supple::testkit::serial_chain(3, 3, &chain);
    let (a, b, c) = (BodyIndex(0), BodyIndex(1), BodyIndex(2));
    let tip = |body: BodyIndex| Port::node(body, NodeIndex(system.bodies[body.0].nodes.len() - 1));
    let (tips, mid) = ([tip(a), tip(b), tip(c)], Port::node(b, NodeIndex(1)));
    let bushing = Bushing {
        stiffness: [30.0, 20.0, 10.0],
        angular_stiffness: [2.0, 3.0, 4.0],
        damping: [1.0, 2.0, 0.5],
        angular_damping: [0.1, 0.2, 0.3],
    };
    system.forces = vec![
        ForceElement::new(HingeDamping { damping: 0.2 }, [Port::hinge(a)]),
        ForceElement::new(HingeFriction { force: 0.3, speed: 0.5 }, [Port::hinge(b)]),
        ForceElement::new(HingeSpring { stiffness: 5.0, rest: 0.2 }, [Port::hinge(c)]),
        ForceElement::new(HingeStops { lower: -20.0, upper: -10.0, stiffness: 3.0, damping: 0.01 }, [Port::hinge(a)]),
        ForceElement::new(
            HingeCoupling { ratio: 1.5, offset: 0.1, stiffness: 4.0, damping: 0.3 },
            [Port::hinge(a), Port::hinge(b)],
        ),
        ForceElement::new(
            SpringDamper { length: 1.0, stiffness: 20.0, damping: 0.5, preload: 1.0 },
            [Port::Ground { position: [0.3, 1.0, 2.0] }, tips[2]],
        ),
        ForceElement::new(bushing, [mid, tips[2]]),
        ForceElement::new(ConstantForce { force: [1.0, -2.0, 0.5], moment: [0.1, 0.2, 0.0] }, [tips[1]]),
        ForceElement::new(FollowerForce { force: [0.0, 1.0, 0.3], moment: [0.0, 0.1, 0.1] }, [tips[2]]),
        ForceElement::new(PointMassField { mu: 800.0, position: [20.0, 10.0, -5.0] }, [Port::EveryBody]),
    ];
    system.actuators = vec![Actuator { gear_ratio: 3.0, rotor_inertia: 0.02, ..Actuator::new("elbow", b) }];
    let at = Prepared::new(&system, &random);
    (at.model, at.state)
}

/// Every scheme goes the same way, and its ledger balances.
#[test]
fn every_scheme_sees_the_elements() {
    let (model, start) = moving_system();
    let end = 0.2;
    let run = |scheme: Scheme, stepping: Stepping| {
        let mut run = Simulation::new(&model, start.clone(), motions::free, scheme, stepping).unwrap();
        run.advance(end).unwrap();
        let ledger = run.ledger().unwrap();
        (run.state().clone(), ledger)
    };
    let (exact, ledger) = run(Scheme::PrinceDormand8, motions::tolerance(1e-12));
    assert!(ledger.energy.stored.abs() > 1.0 && ledger.hinge_dissipated > 1e-2, "{ledger:?}");
    assert!(ledger.wrench_work.abs() > 1e-3 && ledger.balance_error().abs() < 1e-10, "{ledger:?}");
    for scheme in motions::SCHEMES {
        let errors = |stepping: Stepping| {
            let (state, ledger) = run(scheme, stepping);
            let error = relative_difference(&state.coordinates, &exact.coordinates);
            let error = error.max(relative_difference(&state.speeds, &exact.speeds));
            let balance = ledger.balance_error().abs();
            println!("{scheme:?}, {stepping:?}: {error:e}, ledger {balance:e}");
            (error, balance)
        };
        let fixed = match scheme {
            Scheme::RungeKutta4 | Scheme::Gauss { .. } => Some(2e-4),
            Scheme::GeneralizedAlpha { .. } => Some(1e-4),
            _ => None,
        };
        match fixed {
            // Half the step, at most a third of the error.
            Some(step) => {
                let (coarse, fine) = (errors(Stepping::Fixed(step)), errors(Stepping::Fixed(0.5 * step)));
                assert!(fine.0 < 1e-2 && (3.0 * fine.0 < coarse.0 || fine.0 < 1e-7), "{scheme:?}: {coarse:?} {fine:?}");
            }
            None => {
                let (error, balance) = errors(motions::tolerance(1e-9));
                assert!(error < 1e-6 && balance < 1e-5, "{scheme:?}: {error:e} {balance:e}");
            }
        }
    }
}

/// A cable and a bushing that are far stiffer than the motion: with their tangents the implicit scheme takes long steps.
#[test]
fn implicit_schemes_take_the_tangents() {
    let mut builder = ModelBuilder::new();
    builder.gravity([0.0, 0.0, -9.81]);
    let free = Hinge::new(HingeKind::Free);
    let body =
        Body::rigid("box", Parent::Ground, free, 1.0, [0.0; 3], [[0.1, 0.0, 0.0], [0.0, 0.2, 0.0], [0.0, 0.0, 0.15]]);
    let body = builder.body(body);
    let law = Bushing {
        stiffness: [1e7, 1e7, 10.0],
        angular_stiffness: [1e6; 3],
        damping: [2e5, 2e5, 1.0],
        angular_damping: [2e4; 3],
    };
    builder.force(ForceElement::new(law, [Port::Ground { position: [0.0; 3] }, Port::node(body, NodeIndex(0))]));
    let model = builder.build().unwrap();
    let mut start = State::new(&model);
    start.coordinates[4] = 1e-3;
    start.speeds[..3].copy_from_slice(&[0.2, 0.1, -0.1]);
    let steps = |scheme: Scheme| {
        let mut run = Simulation::new(&model, start.clone(), motions::free, scheme, motions::tolerance(1e-6)).unwrap();
        run.advance(0.5).unwrap();
        let ledger = run.ledger().unwrap();
        assert!(ledger.balance_error().abs() < 1e-3, "{scheme:?} {ledger:?}");
        (run.state().coordinates[6], run.statistics().accepted)
    };
    let (explicit, implicit) = (steps(Scheme::DormandPrince), steps(Scheme::LinearlyImplicit));
    assert!((explicit.0 - implicit.0).abs() < 1e-4, "{explicit:?} {implicit:?}");
    assert!(20 * implicit.1 < explicit.1, "{explicit:?} {implicit:?}");
    // At a step thirty times beyond what is stable without tangents.
    let scheme = Scheme::generalized_alpha(0.5);
    let mut run = Simulation::new(&model, start, motions::free, scheme, Stepping::Fixed(1e-3)).unwrap();
    run.advance(0.5).unwrap();
    assert!((run.state().coordinates[6] - explicit.0).abs() < 1e-3, "{:?} {explicit:?}", run.state());
}

/// The element that the example writes takes part in the ledger and in an implicit scheme.
#[test]
fn the_example_runs() {
    own_force_element::main().unwrap();
}
