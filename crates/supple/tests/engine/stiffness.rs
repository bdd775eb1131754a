//! Stiff hinges: steps follow the motion, not the stiffness.

use crate::motions;
use supple::force::{ForceElement, HingeDamping, HingeFriction, HingeSpring, HingeStops, Port};
use supple::integrate::{Scheme, Simulation, Stepping};
use supple::testkit::{ChainOptions, relative_difference, serial_chain};
use supple::{Body, BodyIndex, Hinge, HingeKind, Model, ModelBuilder, NodeIndex, Parent, State};

/// A link of 10 g and 0.1 m on a damper of 1 N m s/rad: its speed follows gravity within 1e-4 s.
fn light_link() -> (Model, State) {
    let mut builder = ModelBuilder::new();
    builder.gravity([0.0, 0.0, -9.81]);
    let hinge = Hinge::new(HingeKind::Revolute { axis: [0.0, 1.0, 0.0] });
    let inertia = [[1e-6, 0.0, 0.0], [0.0, 3.3e-5, 0.0], [0.0, 0.0, 3.3e-5]];
    let link = builder.body(Body::rigid("link", Parent::Ground, hinge, 0.01, [0.05, 0.0, 0.0], inertia));
    builder.force(ForceElement::new(HingeDamping { damping: 1.0 }, [Port::hinge(link)]));
    let model = builder.build().unwrap();
    let mut start = State::new(&model);
    start.speeds[0] = 1.0;
    (model, start)
}

/// Steps that a scheme chooses itself, or those given where it does not.
fn stepping(scheme: Scheme, tolerance: f64, step: f64) -> Stepping {
    if scheme.estimates_error() { motions::tolerance(tolerance) } else { Stepping::Fixed(step) }
}

fn is_explicit(scheme: Scheme) -> bool {
    matches!(scheme, Scheme::DormandPrince | Scheme::PrinceDormand8 | Scheme::RungeKutta4 | Scheme::Adams)
}

/// Every scheme that is not explicit takes the damper with its tangent.
#[test]
fn a_light_link_on_a_strong_damper() {
    let (model, start) = light_link();
    let run = |scheme: Scheme, stepping: Stepping| {
        let mut run = Simulation::new(&model, start.clone(), motions::free, scheme, stepping).unwrap();
        run.advance(1.0).unwrap();
        (run.state().coordinates[0], run.statistics())
    };
    let (exact, _) = run(Scheme::Bdf, motions::tolerance(1e-12));
    for scheme in motions::SCHEMES.into_iter().filter(|scheme| !is_explicit(*scheme)) {
        let (found, statistics) = run(scheme, stepping(scheme, 1e-8, 1e-3));
        println!("{scheme:?}: {:e}, {statistics:?}", found - exact);
        assert!(statistics.accepted + statistics.rejected <= 1000, "{scheme:?}: {statistics:?}");
        // Within the first step of generalized-alpha the link loses its speed, on the way of 1e-4 rad.
        let allowed = if let Scheme::GeneralizedAlpha { .. } = scheme { 1e-4 } else { 1e-7 };
        assert!((found - exact).abs() < allowed, "{scheme:?}: {found} {exact}");
    }
}

/// A flexible upper arm and a light forearm that a spring holds against the stop of its hinge, with strong dampers and friction.
fn arm() -> (Model, State) {
    let options = ChainOptions { gravity: [0.0, -9.81, 0.0], ..ChainOptions::default() };
    let (mut system, _) = serial_chain(1, 3, &options);
    let (shoulder, elbow) = (BodyIndex(0), BodyIndex(1));
    let tip = NodeIndex(system.bodies[0].nodes.len() - 1);
    let hinge = Hinge::new(HingeKind::Revolute { axis: [0.0, 0.0, 1.0] });
    let inertia = [[1e-6, 0.0, 0.0], [0.0, 3.3e-5, 0.0], [0.0, 0.0, 3.3e-5]];
    let forearm = Body::rigid("forearm", Parent::Body(shoulder, tip), hinge, 0.01, [0.05, 0.0, 0.0], inertia);
    system.bodies.push(forearm);
    system.forces = vec![
        ForceElement::new(HingeDamping { damping: 200.0 }, [Port::hinge(shoulder)]),
        ForceElement::new(HingeFriction { force: 2.0, speed: 0.05 }, [Port::hinge(shoulder)]),
        ForceElement::new(HingeDamping { damping: 0.3 }, [Port::hinge(elbow)]),
        ForceElement::new(HingeSpring { stiffness: 100.0, rest: -0.05 }, [Port::hinge(elbow)]),
        ForceElement::new(HingeFriction { force: 0.01, speed: 0.01 }, [Port::hinge(elbow)]),
        ForceElement::new(HingeStops { lower: 0.0, upper: 1.0, stiffness: 1e3, damping: 1e-2 }, [Port::hinge(elbow)]),
    ];
    let model = Model::build(&system).unwrap();
    let mut start = State::new(&model);
    let elbow = model.hinge_coordinates(elbow).start;
    start.coordinates[elbow] = -4e-3;
    (model, start)
}

/// Every scheme arrives where the explicit one of order 8 does; dampers and stop are tangents that do not commute.
#[test]
fn an_arm_with_dampers_friction_and_a_stop() {
    let (model, start) = arm();
    let end = 0.3;
    let run = |scheme: Scheme, stepping: Stepping| {
        let mut run = Simulation::new(&model, start.clone(), motions::free, scheme, stepping).unwrap();
        run.advance(end).unwrap();
        (run.state().clone(), run.statistics())
    };
    let (exact, _) = run(Scheme::PrinceDormand8, motions::tolerance(1e-12));
    let elbow = model.hinge_coordinates(BodyIndex(1)).start;
    assert!(exact.coordinates[elbow] < -3e-3, "it left the stop: {exact:?}");
    for scheme in motions::SCHEMES {
        let step = if let Scheme::Gauss { .. } = scheme { 1e-4 } else { 2e-5 };
        let (found, statistics) = run(scheme, stepping(scheme, 1e-9, step));
        let error = relative_difference(&found.coordinates, &exact.coordinates);
        let error = error.max(relative_difference(&found.speeds, &exact.speeds));
        println!("{scheme:?}: {error:e}, {statistics:?}");
        assert!(error < 1e-6, "{scheme:?}: {error:e}");
        if let Scheme::ExponentialAdams | Scheme::Bdf = scheme {
            assert!(statistics.accepted + statistics.rejected < 1000, "{scheme:?}: {statistics:?}");
        }
    }
}

/// Where nothing is stiff the default costs what the better of the explicit schemes costs, at the same error.
#[test]
fn motions_that_are_not_stiff_cost_no_more() {
    let cases = [
        ("pendulum", motions::pendulum(), 20.0),
        ("heavy top", motions::heavy_top(), 2.0),
        ("spacecraft", motions::spacecraft(), 20.0),
    ];
    for (name, (model, start), end) in cases {
        let run = |scheme: Scheme, tolerance: f64| {
            let tolerance = motions::tolerance(tolerance);
            let drive = motions::free;
            let mut run = Simulation::new(&model, start.clone(), drive, scheme, tolerance).unwrap();
            run.advance(start.time + end).unwrap();
            (run.state().clone(), run.statistics().evaluations)
        };
        let (exact, _) = run(Scheme::PrinceDormand8, 1e-13);
        let error = |state: &State| motions::distance(state, &exact, 1.0);
        let (found, work) = run(Scheme::Automatic, 1e-8);
        let (of_eight, work_of_eight) = run(Scheme::PrinceDormand8, 1e-8);
        assert_eq!(found, of_eight, "{name}: nothing is stiff");
        assert!(work as f64 <= 1.05 * work_of_eight as f64, "{name}: {work} {work_of_eight}");
        // The scheme of order 5 at the tolerance at which it is as exact.
        let mut tolerance = 1e-8;
        let (mut of_five, mut work_of_five) = run(Scheme::DormandPrince, tolerance);
        while error(&of_five) > error(&found) && tolerance > 1e-13 {
            tolerance /= 2.0;
            (of_five, work_of_five) = run(Scheme::DormandPrince, tolerance);
        }
        println!(
            "{name}: automatic {work} evaluations, error {:.1e}; order 8 {work_of_eight}; order 5 {work_of_five} at {tolerance:.1e}",
            error(&found)
        );
        assert!(work as f64 <= 1.05 * work_of_five as f64, "{name}: {work} {work_of_five}");
    }
}
