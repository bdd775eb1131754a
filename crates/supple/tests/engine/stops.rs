//! Light links on hard stops: what a robot's hand does when it falls.

use crate::counting_allocator::allocations;
use crate::motions;
use supple::force::{ForceElement, HingeDamping, HingeFriction, HingeStops, Port};
use supple::integrate::{AtEvent, Crossing, Scheme, Simulation, Statistics, Tolerance};
use supple::testkit::relative_difference;
use supple::{Body, BodyIndex, Hinge, HingeKind, Model, ModelBuilder, NodeIndex, Parent, State};

/// Stops as hard as those of an imported robot.
fn stops(lower: f64, upper: f64) -> HingeStops {
    HingeStops { lower, upper, stiffness: 1e5, damping: 1.0 }
}

/// A link along its x axis that turns about y, `at` on its parent.
fn link(name: &str, parent: Parent, at: [f64; 3], mass: f64, centre: f64, inertia: [f64; 2]) -> Body {
    let hinge = Hinge::new(HingeKind::Revolute { axis: [0.0, 1.0, 0.0] }).at(at);
    let [along, across] = inertia;
    let inertia = [[along, 0.0, 0.0], [0.0, across, 0.0], [0.0, 0.0, across]];
    Body::rigid(name, parent, hinge, mass, [centre, 0.0, 0.0], inertia)
}

/// The state at `end` by the default tolerance, or by one a thousand times as strict, and the work.
fn run(model: &Model, start: &State, scheme: Scheme, strict: bool, end: f64) -> (State, Statistics) {
    let relative = if strict { 1e-11 } else { 1e-8 };
    let tolerance = Tolerance { relative, absolute: 0.01 * relative };
    let mut run = Simulation::new(model, start.clone(), motions::free, scheme, tolerance).unwrap();
    run.advance(end).unwrap();
    (run.state().clone(), run.statistics())
}

/// A finger of 20 g that falls onto its stop and bounces: some fifty times on and off. Each costs explicit schemes a few steps.
#[test]
fn a_bouncing_finger() {
    let mut builder = ModelBuilder::new();
    builder.gravity([0.0, 0.0, -9.81]);
    let finger = builder.body(link("finger", Parent::Ground, [0.0; 3], 0.02, 0.02, [2e-6, 1.2e-5]));
    builder.force(ForceElement::new(stops(-1.0, 0.05), [Port::hinge(finger)]));
    let model = builder.build().unwrap();
    let start = State::new(&model);
    let end = 0.04;
    let (exact, _) = run(&model, &start, Scheme::PrinceDormand8, true, end);
    for scheme in [Scheme::PrinceDormand8, Scheme::Automatic] {
        let (found, statistics) = run(&model, &start, scheme, false, end);
        let error = (found.coordinates[0] - exact.coordinates[0]).abs();
        println!("{scheme:?}: {error:e}, {statistics:?}");
        assert!(statistics.evaluations <= 4_000, "{scheme:?}: {statistics:?}");
        assert!(error < 1e-6, "{scheme:?}: {error:e}");
    }
}

/// A leg of a walking robot with dry friction in its hinges. An explicit step that succeeds among implicit ones is no reason to go back to steps
/// that friction keeps short.
#[test]
fn a_leg_with_friction() {
    let mut builder = ModelBuilder::new();
    builder.gravity([0.0, 0.0, -9.81]);
    let mut hip = link("hip", Parent::Ground, [0.0; 3], 0.6, 0.0, [5e-4, 6e-4]);
    hip.hinge.kind = HingeKind::Revolute { axis: [1.0, 0.0, 0.0] };
    let hip = builder.body(hip);
    let thigh =
        builder.body(link("thigh", Parent::Body(hip, NodeIndex(0)), [0.08, 0.0, 0.0], 0.92, 0.1, [1e-3, 0.015]));
    let calf =
        builder.body(link("calf", Parent::Body(thigh, NodeIndex(0)), [0.213, 0.0, 0.0], 0.13, 0.1, [2e-5, 3e-3]));
    for body in [hip, thigh, calf] {
        builder.force(ForceElement::new(HingeDamping { damping: 0.01 }, [Port::hinge(body)]));
        builder.force(ForceElement::new(HingeFriction { force: 0.2, speed: 1e-3 }, [Port::hinge(body)]));
        builder.force(ForceElement::new(stops(-2.0, 2.0), [Port::hinge(body)]));
    }
    let model = builder.build().unwrap();
    let mut start = State::new(&model);
    start.coordinates.copy_from_slice(&[0.0, 1.2, -1.0]);
    let (exact, _) = run(&model, &start, Scheme::Bdf, true, 0.2);
    let (found, statistics) = run(&model, &start, Scheme::Automatic, false, 0.2);
    let error = relative_difference(&found.coordinates, &exact.coordinates);
    println!("{error:e}, {statistics:?}");
    assert!(statistics.evaluations <= 2_000, "{statistics:?}");
    assert!(error < 1e-7, "{error:e}");
}

/// An arm, a hand and two fingers with tips of 5 g; friction and dampers in all hinges, strong for what they move. The tips rest on their stops.
fn hand() -> (Model, State) {
    let mut builder = ModelBuilder::new();
    builder.gravity([0.0, 0.0, -9.81]);
    let on = |body: BodyIndex| Parent::Body(body, NodeIndex(0));
    let arm = builder.body(link("arm", Parent::Ground, [0.0; 3], 1.0, 0.15, [1e-3, 0.03]));
    let palm = builder.body(link("palm", on(arm), [0.3, 0.0, 0.0], 0.3, 0.05, [2e-4, 1e-3]));
    let mut fingers = Vec::new();
    for (side, finger, tip) in [(-0.03, "left", "left tip"), (0.03, "right", "right tip")] {
        let finger = builder.body(link(finger, on(palm), [0.1, side, 0.0], 0.02, 0.02, [2e-6, 1.2e-5]));
        let tip = builder.body(link(tip, on(finger), [0.04, 0.0, 0.0], 0.005, 0.012, [4e-7, 1e-6]));
        fingers.extend([(finger, 0.4), (tip, 0.0)]);
    }
    let mut resist = |body: BodyIndex, damping: f64, force: f64| {
        builder.force(ForceElement::new(HingeDamping { damping }, [Port::hinge(body)]));
        builder.force(ForceElement::new(HingeFriction { force, speed: 1e-3 }, [Port::hinge(body)]));
    };
    resist(arm, 1.0, 1.0);
    resist(palm, 1.0, 1.0);
    fingers.iter().for_each(|(finger, _)| resist(*finger, 1e-3, 1e-3));
    for (finger, _) in &fingers {
        builder.force(ForceElement::new(stops(0.0, 1.0), [Port::hinge(*finger)]));
    }
    let model = builder.build().unwrap();
    let mut start = State::new(&model);
    for (finger, angle) in fingers {
        start.coordinates[model.hinge_coordinates(finger).start] = angle;
    }
    (model, start)
}

/// Explicit steps need 700,000 evaluations. The default finds out what is fast, stays with it, and does not pay for columns of a Jacobian that
/// are zero.
#[test]
fn a_hand_with_friction_on_its_stops() {
    let (model, start) = hand();
    let end = 0.2;
    let (exact, _) = run(&model, &start, Scheme::Bdf, true, end);
    let (found, statistics) = run(&model, &start, Scheme::Automatic, false, end);
    let error = relative_difference(&found.coordinates, &exact.coordinates);
    println!("{error:e}, {statistics:?}");
    assert!(statistics.evaluations <= 5_000, "{statistics:?}");
    assert!(error < 1e-7, "{error:e}");
}

/// Whatever kind of step the default is at: laid aside and taken up, the motion is the same to the last bit, events included.
#[test]
fn a_hand_goes_on_from_anywhere() {
    let (model, start) = hand();
    let end = 0.1;
    let tolerance = Tolerance { relative: 1e-8, absolute: 1e-10 };
    let new = || {
        let mut run = Simulation::new(&model, start.clone(), motions::free, Scheme::Automatic, tolerance).unwrap();
        run.watch(Crossing::Either, AtEvent::Record, |state| state.coordinates[1] - 1e-5);
        run.watch(Crossing::Either, AtEvent::Record, |state| (1e3 * state.time).sin());
        run
    };
    let mut whole = new();
    whole.advance(end).unwrap();
    let (events, statistics) = (whole.occurrences().len(), whole.statistics());
    println!("{events} events, {statistics:?}");
    assert!(events > 5, "{events}");
    for steps in [5, 20, 60, 62, 95, 100, 140, 180, 230, 280] {
        let mut first = new();
        for _ in 0..steps {
            first.advance_step(end).unwrap();
        }
        let mut second = new();
        second.advance(0.003).unwrap();
        second.restore(&first.checkpoint()).unwrap();
        second.advance(end).unwrap();
        assert_eq!(second.state(), whole.state(), "after {steps} steps");
        assert_eq!(second.statistics(), whole.statistics(), "after {steps} steps");
    }
    // And no kind allocates.
    let mut run = Simulation::new(&model, start.clone(), motions::free, Scheme::Automatic, tolerance).unwrap();
    run.advance(1e-3).unwrap();
    let count = allocations(|| {
        run.advance(end).unwrap();
    });
    assert_eq!(count, 0);
}
