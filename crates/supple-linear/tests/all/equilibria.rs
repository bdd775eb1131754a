//! Equilibria: what they must be, and that a motion that starts there stays.

use crate::four_bar::linkage;
use crate::support::{hinge, lump, slender};
use std::path::Path;
use supple::force::{ForceElement, HingeFriction, HingeStops, Port};
use supple::integrate::{Scheme, Simulation, Tolerance};
use supple::spatial::{Force, Quaternion, Vector3};
use supple::{Body, ElasticRotation, HingeKind, Inputs, Model, ModelBuilder, Parent, State, WrenchFrame};
use supple_bodies::beam::{Fitting, ModalBeam, ModeCounts};
use supple_io::load::{LoadOptions, load};
use supple_linear::{Equilibrium, LinearError, equilibrium, lock};

/// Runs for 10 s from an equilibrium: the farthest that any coordinate gets from it, hinges that turn steadily aside.
#[track_caller]
fn assert_stays(model: &Model, found: &Equilibrium) {
    assert!(found.stable, "growth {}", found.growth);
    assert!(found.residual < 1e-10, "residual {}", found.residual);
    let given = found.inputs.clone();
    let wrenches = given.wrenches.clone();
    let drive = move |_: &State, to: &mut Inputs| {
        to.forces.copy_from_slice(&given.forces);
        to.accelerations.fill(0.0);
        to.wrenches.clone_from(&wrenches);
    };
    let tolerance = Tolerance { relative: 1e-12, absolute: 1e-13 };
    let mut run = Simulation::new(model, found.state.clone(), drive, Scheme::PrinceDormand8, tolerance).unwrap();
    run.prescribe(&found.inputs.prescribed).unwrap();
    let mut farthest = 0.0_f64;
    for k in 1..=20 {
        run.advance(found.state.time + 0.5 * f64::from(k)).unwrap();
        for (i, (now, before)) in run.state().coordinates.iter().zip(&found.state.coordinates).enumerate() {
            let steady = |hinge: &supple::HingeHandle| {
                hinge.coordinates().contains(&i) && found.state.speeds[hinge.speeds()].iter().any(|u| *u != 0.0)
            };
            if model.hinges().find(steady).is_none() {
                farthest = farthest.max((now - before).abs());
            }
        }
    }
    println!("residual {:.1e}, {} steps, moved by {farthest:.1e} in 10 s", found.residual, found.iterations);
    assert!(farthest < 1e-9, "{farthest:.1e}");
}

/// Its sag is that of the beam, `ρA g L⁴ / 8 EI`, as far as its modes say it.
#[test]
fn sagging_cantilever() {
    let (length, mass, stiffness) = (3.0, 1.2, 400.0);
    let strip =
        ModalBeam::cantilever(length, slender(mass, stiffness), ModeCounts { bending_z: 4, ..ModeCounts::default() });
    let mut builder = ModelBuilder::new();
    builder.gravity([0.0, 0.0, -9.81]);
    let body = builder.body(strip.body("beam", Parent::Ground, hinge("root", HingeKind::Fixed)));
    let model = builder.build().unwrap();
    let found = equilibrium(&model, &State::new(&model), &Inputs::new(&model)).unwrap();
    let mut workspace = supple::Workspace::new(&model);
    let at = supple::kinematics(&model, &found.state, &mut workspace).unwrap();
    let sag = -at.node_deflection(body, strip.tip_node())[2];
    let expected = mass * 9.81 * length.powi(4) / (8.0 * stiffness);
    assert!((sag / expected - 1.0).abs() < 1e-2, "{sag} for {expected}");
    assert_stays(&model, &found);
}

/// The crane of the gallery from its undeformed pose: the sag by the statics of cantilevers, as its example checks it.
#[test]
fn crane_with_its_load() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/crane/crane.toml");
    let model = load(&file, &LoadOptions::default()).unwrap_or_else(|error| panic!("{error}")).model;
    let mut inputs = Inputs::new(&model);
    lock(&model, &mut inputs, &["slew", "telescope"]).unwrap();
    let mut start = State::new(&model);
    start.coordinates_of_mut(model.hinge("hook").unwrap()).unwrap().copy_from_slice(&[0.4, -0.9]);
    let found = equilibrium(&model, &start, &inputs).unwrap();
    let mut workspace = supple::Workspace::new(&model);
    let at = supple::kinematics(&model, &found.state, &mut workspace).unwrap();
    let tip = model.node("outer boom", "tip").unwrap();
    let sag = at.node_deflection(tip.body(), tip.node())[2];
    assert!((sag + 0.08091).abs() < 1e-4, "{sag}");
    // The hook hangs: its angle is the slope of both booms.
    let hook = found.state.coordinates_of(model.hinge("hook").unwrap()).unwrap();
    assert!(hook[0].abs() < 1e-9 && (hook[1] + 0.02676).abs() < 1e-4, "{hook:?}");
    // The telescope holds the weight of what slopes down with it.
    let telescope = model.hinge("telescope").unwrap().speeds().start;
    assert!(found.forces[telescope].abs() > 100.0 && found.inputs.forces[telescope] == found.forces[telescope]);
    assert_stays(&model, &found);
}

/// The linkage of the gallery, crank free: it comes to hang. With the crank held, the torque is what keeps the crank from accelerating.
#[test]
fn closed_four_bar() {
    let (_, model, start) = linkage([0.0, -9.81, 0.0]);
    let found = equilibrium(&model, &start, &Inputs::new(&model)).unwrap();
    assert_stays(&model, &found);
    let mut held = Inputs::new(&model);
    lock(&model, &mut held, &["motor"]).unwrap();
    let found = equilibrium(&model, &start, &held).unwrap();
    let motor = model.hinge("motor").unwrap();
    assert_eq!(found.state.coordinates_of(motor).unwrap(), start.coordinates_of(motor).unwrap());
    let free = Inputs { prescribed: vec![false; model.body_count()], ..found.inputs.clone() };
    let mut workspace = supple::Workspace::new(&model);
    let solution = supple::forward_dynamics(&model, &found.state, &free, &mut workspace).unwrap();
    let largest = solution.accelerations().iter().fold(0.0_f64, |m, a| m.max(a.abs()));
    assert!(found.forces[motor.speeds().start].abs() > 1e-3 && largest < 1e-8, "{largest}");
    assert_stays(&model, &found);
}

/// A panel with a mass beside its tip, on a hub that turns steadily: centrifugal forces bend it.
#[test]
fn spun_up_panel() {
    let mut panel = ModalBeam::cantilever(
        2.0,
        slender(0.7, 60.0),
        ModeCounts { bending_y: 3, bending_z: 3, ..ModeCounts::default() },
    );
    let j = [[0.01, 0.0, 0.0], [0.0, 0.01, 0.0], [0.0, 0.0, 0.01]];
    panel.tip = Fitting { mass: 0.3, mass_centre: [0.0, 0.1, 0.15], inertia: j };
    panel.damping_ratio = 0.01;
    let mut builder = ModelBuilder::new();
    let axis = [0.0, 0.0, 1.0];
    builder.body(panel.body("panel", Parent::Ground, hinge("spin", HingeKind::Revolute { axis })));
    let model = builder.build().unwrap();
    let mut inputs = Inputs::new(&model);
    lock(&model, &mut inputs, &["spin"]).unwrap();
    let mut start = State::new(&model);
    start.set_speed(model.hinge("spin").unwrap(), 5.0).unwrap();
    let found = equilibrium(&model, &start, &inputs).unwrap();
    assert!(found.state.coordinates.iter().any(|eta| eta.abs() > 1e-2) && found.growth < 0.0);
    assert_stays(&model, &found);
}

fn pendulum(elements: impl FnOnce(&mut ModelBuilder, supple::BodyIndex)) -> Model {
    let mut builder = ModelBuilder::new();
    builder.gravity([0.0, 0.0, -9.81]);
    let turn = hinge("pivot", HingeKind::Revolute { axis: [0.0, 1.0, 0.0] });
    let inertia = [[2.1, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 0.1]];
    let mut bob = Body::rigid("bob", Parent::Ground, turn, 2.0, [0.0, 0.0, -1.0], inertia);
    bob.nodes.push(supple::Node { name: Some("end".into()), position: [0.0, 0.0, -1.0], ..supple::Node::default() });
    let bob = builder.body(bob);
    elements(&mut builder, bob);
    builder.build().unwrap()
}

/// From anywhere it falls to where it hangs; only at the top, to rounding, it finds the top, which is unstable.
#[test]
fn a_pendulum_hangs() {
    let model = pendulum(|_, _| {});
    for angle in [0.1, 1.0, 1.7, 3.1, -2.9, 7.0] {
        let mut start = State::new(&model);
        start.coordinates[0] = angle;
        let found = equilibrium(&model, &start, &Inputs::new(&model)).unwrap();
        let angle = found.state.coordinates[0];
        assert!(found.stable && angle.sin().abs() < 1e-12 && angle.cos() > 0.0, "{angle}");
    }
    let mut start = State::new(&model);
    start.coordinates[0] = std::f64::consts::PI;
    let found = equilibrium(&model, &start, &Inputs::new(&model)).unwrap();
    assert!(!found.stable && (found.growth - 9.81_f64.sqrt()).abs() < 1e-9, "{}", found.growth);
}

/// A horizontal force `F` on the end turns it by `atan(F / m g)`; one in body axes, which turns with it, by `asin`.
#[test]
fn forces_turn_it_far() {
    let model = pendulum(|_, _| {});
    let end = model.node("bob", "end").unwrap();
    for (frame, force) in [(WrenchFrame::Inertial, 60.0), (WrenchFrame::Body, 15.0)] {
        let mut inputs = Inputs::new(&model);
        inputs.add_wrench(end, frame, Force::new(Vector3::ZERO, Vector3([force, 0.0, 0.0]))).unwrap();
        let found = equilibrium(&model, &State::new(&model), &inputs).unwrap();
        let ratio: f64 = force / (2.0 * 9.81);
        let expected = if frame == WrenchFrame::Inertial { -ratio.atan() } else { -ratio.asin() };
        assert!((found.state.coordinates[0] - expected).abs() < 1e-12, "{}", found.state.coordinates[0]);
        assert_stays(&model, &found);
    }
    // Turned with the body, 30 N are more than its weight can balance.
    let mut inputs = Inputs::new(&model);
    inputs.add_wrench(end, WrenchFrame::Body, Force::new(Vector3::ZERO, Vector3([30.0, 0.0, 0.0]))).unwrap();
    match equilibrium(&model, &State::new(&model), &inputs) {
        Err(LinearError::NoEquilibrium(end)) => assert!(end.at == "pivot" && end.residual > 1e-3, "{end:?}"),
        other => panic!("{other:?}"),
    }
}

/// Stops in contact push, and dry friction has no force at rest.
#[test]
fn stops_and_friction() {
    let stops = HingeStops { lower: 0.5, upper: 2.0, stiffness: 300.0, damping: 0.1 };
    let model = pendulum(|builder, bob| {
        builder.force(ForceElement::new(stops, [Port::hinge(bob)]));
        builder.force(ForceElement::new(HingeFriction { force: 5.0, speed: 1e-3 }, [Port::hinge(bob)]));
    });
    let mut start = State::new(&model);
    start.coordinates[0] = 1.2;
    let found = equilibrium(&model, &start, &Inputs::new(&model)).unwrap();
    let angle = found.state.coordinates[0];
    assert!((300.0 * (0.5 - angle) - 2.0 * 9.81 * angle.sin()).abs() < 1e-9, "{angle}");
    assert!(angle < 0.5 && found.stable);
}

/// Nothing holds a body that may fall.
#[test]
fn a_falling_body_has_none() {
    let mut builder = ModelBuilder::new();
    builder.gravity([0.0, 0.0, -9.81]);
    let slide = hinge("lift", HingeKind::Prismatic { axis: [0.0, 0.0, 1.0] });
    builder.body(lump("cabin", Parent::Ground, slide, 3.0, 1.0));
    let model = builder.build().unwrap();
    let error = equilibrium(&model, &State::new(&model), &Inputs::new(&model)).unwrap_err();
    let LinearError::NoEquilibrium(end) = &error else { panic!("{error:?}") };
    assert!(end.at == "lift" && end.unresisted && (end.force + 3.0 * 9.81).abs() < 1e-9, "{end:?}");
    assert!(error.to_string().contains("hold 'lift', or give it a spring"), "{error}");
    // Floating in no field, it stays where it is.
    let mut builder = ModelBuilder::new();
    builder.body(lump("craft", Parent::Ground, hinge("base", HingeKind::Free), 3.0, 1.0));
    let model = builder.build().unwrap();
    let mut start = State::new(&model);
    start.coordinates[4] = 7.0;
    let found = equilibrium(&model, &start, &Inputs::new(&model)).unwrap();
    assert!(found.stable && found.state == start && found.residual == 0.0);
}

/// With integrated attitudes the result does not depend on where the search starts: `R = exp(λ η)`.
#[test]
fn integrated_attitudes_follow_the_slopes() {
    let strip = ModalBeam::cantilever(
        1.0,
        slender(0.5, 6.0),
        ModeCounts { bending_y: 2, bending_z: 2, twist: 1, ..ModeCounts::default() },
    );
    let mut builder = ModelBuilder::new();
    builder.gravity([0.0, -3.0, -9.81]).elastic_rotation(ElasticRotation::Integrated);
    let body = builder.body(strip.body("beam", Parent::Ground, hinge("root", HingeKind::Fixed)));
    let payload = Parent::Body(body, strip.tip_node());
    let turn = hinge("wrist", HingeKind::Revolute { axis: [0.0, 1.0, 0.0] });
    builder.body(Body::rigid(
        "payload",
        payload,
        turn,
        0.1,
        [0.2, 0.0, 0.0],
        [[0.01, 0.0, 0.0], [0.0, 0.01, 0.0], [0.0, 0.0, 0.01]],
    ));
    let model = builder.build().unwrap();
    assert_eq!(model.attitude_nodes().len(), 1);
    let wrist = model.hinge("wrist").unwrap();
    let mut start = State::new(&model);
    start.set(wrist, 1.0).unwrap();
    let first = equilibrium(&model, &start, &Inputs::new(&model)).unwrap();
    start.set(wrist, 1.5).unwrap();
    start.coordinates[0] = 0.1;
    start.coordinates[2] = -0.2;
    start.attitudes[0] = Quaternion::exponential(Vector3([0.1, -0.3, 0.2]));
    let second = equilibrium(&model, &start, &Inputs::new(&model)).unwrap();
    let mut turned = first.state.clone();
    turned.turn_nodes(&model);
    assert_eq!(turned, first.state);
    for (a, b) in first.state.coordinates.iter().zip(&second.state.coordinates) {
        assert!((a - b).abs() < 1e-10, "{a} {b}");
    }
    assert!(first.state.coordinates.iter().any(|x| x.abs() > 0.02));
    assert_stays(&model, &first);
}

/// A linkage whose crank turns is never steady; one that cannot move at all is in balance.
#[test]
fn loops_that_turn_and_loops_that_cannot() {
    let (_, model, mut start) = linkage([0.0; 3]);
    let mut held = Inputs::new(&model);
    lock(&model, &mut held, &["motor"]).unwrap();
    start.set_speed(model.hinge("motor").unwrap(), 3.0).unwrap();
    match equilibrium(&model, &start, &held) {
        Err(LinearError::NotSteady { hinge, .. }) => assert_eq!(hinge, "motor"),
        Err(LinearError::NoEquilibrium(end)) => panic!("{end:?}"),
        other => panic!("{other:?}"),
    }
    let mut builder = ModelBuilder::new();
    builder.gravity([0.0, 0.0, -9.81]);
    let slide = hinge("lift", HingeKind::Prismatic { axis: [0.0, 0.0, 1.0] });
    let cabin = builder.body(lump("cabin", Parent::Ground, slide, 3.0, 1.0));
    let coupled = supple::CoupledHinge { body: cabin, speed: 0, factor: 1.0 };
    builder.closure(supple::Closure::coupling([coupled], 0.2).named("bolt"));
    let model = builder.build().unwrap();
    let found = equilibrium(&model, &State::new(&model), &Inputs::new(&model)).unwrap();
    assert!(found.stable && found.residual == 0.0 && (found.state.coordinates[0] - 0.2).abs() < 1e-12);
}
